/*
 * words-scenarios.mjs - what a person says with a verdict reaches the model.
 *
 * Through the hook at once, as context beside the tool's result; in manual mode,
 * where the IDE protocol has no room for words, with the next prompt.
 */
import fs from 'node:fs'

import { FILE, NEW, OLD, edit, propose } from './hook-edits.mjs'
import { check } from './wait.mjs'

const MINE = NEW.replace('beta two', 'beta zwei \u{1f600}')

const byHook = [
  {
    name: 'hook-edit-told',
    about: 'the model is told how the accepted text differs from its own',
    async run(world) {
      const cli = await propose(world, null)
      fs.writeFileSync(world.path('by-hand.txt'), MINE)
      await world.accept('--text-file', world.path('by-hand.txt'),
        '--comment', 'German, please')
      await cli.done('edit')
      world.expectFile(FILE, MINE)
      check(world.api.told(/-beta two\n\+beta zwei \u{1f600}\n/u),
        'the model does not know what is on disk')
      check(world.api.told(/The person says: German, please/),
        'the comment did not reach the model')
    },
  },
  {
    name: 'hook-comment-told',
    about: 'a comment on a plain accept reaches the model',
    async run(world) {
      const cli = await propose(world, 'acceptEdits')
      await world.accept('--comment', 'now the other file')
      await cli.done('edit')
      world.expectFile(FILE, NEW)
      check(world.api.told(/accepted this change and says: now the other/),
        'the comment did not reach the model')
    },
  },
]

/* What the CLI sends with a prompt; `count` is how often it is to be there. */
const occurrences = (world, pattern) =>
  JSON.stringify(world.api.requests.at(-1).messages).match(pattern)?.length ?? 0

const byPrompt = [
  {
    name: 'manual-reject-told',
    about: 'a reason given in manual mode goes with the next prompt, once',
    async run(world) {
      const cli = await propose(world, 'default')
      await world.reject('rather call it uno')
      await cli.rejected()
      world.expectFile(FILE, OLD)
      world.api.script('again', ...edit(world, FILE, 'one', 'uno'))
      await cli.play('again')
      await cli.showsDiff()
      check(world.api.told(new RegExp('The person rejected your change of ' +
        `${world.file(FILE)}: rather call it uno`)),
      'the reason did not reach the model')
      await world.accept('--comment', 'so be it')
      await cli.done('again')
      world.api.script('on')
      await cli.play('on')
      await cli.done('on')
      check(occurrences(world, /rather call it uno/g) === 1,
        'the reason was said again')
      check(world.api.told(/accepted your change of \S+ and says: so be it/),
        'the comment on an accepted change did not reach the model')
    },
  },
]

export const wordsScenarios = [...byHook, ...byPrompt]
