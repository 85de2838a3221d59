/* hook-edits.mjs - the edits that scenarios of the hook let the model make. */
import { call } from './fake-api.mjs'

export const FILE = 'calc.txt'
export const OLD = 'alpha one\nbeta two\ngamma three\n'
export const NEW = 'alpha ONE\nbeta two\ngamma three\n'

/* The model reads the file and replaces `old_string`. */
export const edit = (world, file, old_string, new_string, more = {}) => [
  call('Read', { file_path: world.file(file) }),
  call('Edit', {
    file_path: world.file(file), old_string, new_string, ...more,
  }),
]

export const write = (world, file, content) =>
  [call('Write', { file_path: world.file(file), content })]

/* A CLI in that mode whose change of FILE waits for a verdict. */
export async function propose(world, mode, options) {
  world.write(FILE, OLD)
  world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
  const cli = await world.run(mode, options)
  await cli.play('edit')
  await world.reviewsWaiting(1)
  return cli
}
