/*
 * hook-scenarios.mjs - reviews through the hook: every mode, every verdict.
 *
 * The CLI is started by `dovetail run claude`, which gives it the hook.  Without
 * a permission flag (mode null) and in acceptEdits it never opens a diff; in
 * manual mode it does, and the hook must keep out of the way.  The table in
 * docs/protocol/claude-hook.md is what is proved here.
 */
import fs from 'node:fs'

import { LINK_CUT, downs, waitsOn } from './down-scenarios.mjs'
import { call } from './fake-api.mjs'
import { FILE, NEW, OLD, edit, propose, write } from './hook-edits.mjs'
import { check, sleep, until } from './wait.mjs'

async function reviewIs(world, id, state) {
  await until(async () => {
    const reviews = await world.dovetailJson('review', 'list')
    return reviews.some(r => r.id === id && r.state === state)
  }, `the review is not ${state}`, 5000)
}

/* Nothing of it is left but in the log, and that stays so. */
async function isWithdrawn(world, id) {
  const state = async () => (await world.dovetailJson('review', 'show', id)).state
  await until(async () => await state() === 'withdrawn',
    'the review is not withdrawn', 5000)
  await sleep(2000)
  check(await state() === 'withdrawn', 'the review is an orphan now')
  const listed = await world.dovetailJson('review', 'list')
  check(!listed.some(r => r.id === id), 'the review is still listed')
}

/* Accept, with the person's own text or as it is. */
async function accept(world, edited) {
  if (edited === undefined)
    return world.accept()
  fs.writeFileSync(world.path('by-hand.txt'), edited)
  return world.accept('--text-file', world.path('by-hand.txt'))
}

/*
 * What is on disk before, what the model wants, what the person makes of it
 * (undefined: accepts it as it is), what is on disk then.
 */
const BYTES = {
  'newline': {
    old: OLD, from: 'one', to: 'ONE', person: 'by hand\n',
  },
  'no-newline': {
    old: OLD, from: 'one', to: 'ONE', person: 'by hand',
  },
  'blanks': {
    old: OLD, from: 'one', to: 'ONE', person: 'by hand  \n\t\n  ',
  },
  'non-ascii': {
    old: 'caf\u00e9 one\n', from: 'one', to: '\u{1f600}',
    person: '\u4e16\u754c \u{1f600} \u201cby hand\u201d\n',
  },
  'crlf': {
    old: 'one\r\ntwo\r\n', from: 'one\ntwo', to: 'ONE\nTWO\nTHREE',
    person: 'by\r\nhand\r\n\r\n',
  },
  'crlf-as-proposed': {
    old: 'one\r\ntwo\r\n', from: 'one\ntwo', to: 'ONE\nTWO\nTHREE',
    disk: 'ONE\r\nTWO\r\nTHREE\r\n',
  },
  'mark': {
    old: '\ufeffone\n', from: 'one', to: 'ONE', person: '\ufeffby hand\n',
  },
  'mixed-as-proposed': {
    old: 'one\r\ntwo\nthree\n', from: 'one', to: 'ONE',
    disk: 'ONE\ntwo\nthree\n',
  },
  'deleted-with-line-end': {
    old: OLD, from: 'beta two', to: '', disk: 'alpha one\ngamma three\n',
  },
  'everywhere': {
    old: 'a b a\n', from: 'a', to: 'c', more: { replace_all: true },
    disk: 'c b c\n',
  },
  'empty-file': { old: '', from: '', to: 'first\n', disk: 'first\n' },
  'emptied': { old: OLD, from: 'one', to: 'ONE', person: '' },
}

/*
 * What goes wrong over openDiff with 2.1.325, which the hook has nothing to do
 * with: a last line feed that the person took away comes back, one in a file
 * that was empty is lost, and CRLF is shown as LF.
 */
const OPEN_DIFF_FAULTS = ['no-newline', 'blanks', 'empty-file',
  'crlf-as-proposed']

/* The proposal a person was shown, and what was written when it was accepted
 * as it is, must be the same. */
async function shown(world) {
  const [review] = await world.reviewsWaiting(1)
  const { entries } = await world.dovetailJson('review', 'show', review.id)
  return entries[0].proposed
}

/* play(name) has the model play a script, and returns what awaits its end. */
async function playBytes(world, play, name) {
  const { old, from, to, more, person, disk } = BYTES[name]
  const file = `${name}.txt`
  world.write(file, old)
  world.api.script(name, ...edit(world, file, from, to, more))
  const ended = await play(name)
  const proposed = await shown(world)
  await accept(world, person)
  await ended()
  world.expectFile(file, person ?? disk)
  check(person !== undefined || proposed === disk,
    `${name}: shown was ${JSON.stringify(proposed)}`)
}

/* What the history says of each review, the oldest first. */
async function states(world) {
  return (await world.dovetail('log', '--reviews', '--json')).trim()
    .split('\n').map(line => JSON.parse(line).state)
}

/* All of them in the terminal of a CLI. */
async function playAllBytes(world, cli, without = []) {
  const play = async name => {
    await cli.play(name)
    return () => cli.done(name)
  }
  for (const name of Object.keys(BYTES).filter(n => !without.includes(n)))
    await playBytes(world, play, name)
  /* What it wrote was looked at. */
  await until(async () => (await states(world)).every(s => s === 'accepted'),
    'the history does not say that all of it is on disk', 5000)
}

/* claude -p in acceptEdits, its change of FILE waiting; awaits its end. */
async function proposeHeadless(world) {
  world.write(FILE, OLD)
  world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
  await world.start()
  const ended = world.runHeadless(
    ['-p', '--permission-mode', 'acceptEdits', 'DO edit'])
  await world.reviewsWaiting(1)
  return { ended } /* a promise that is returned would be awaited */
}

const modes = { auto: null, 'accept-edits': 'acceptEdits' }

const inEveryMode = Object.entries(modes).flatMap(([name, mode]) => [
  {
    name: `hook-${name}-accept`,
    about: `mode ${name}: an edit waits, and is written when accepted`,
    async run(world) {
      const cli = await propose(world, mode)
      await cli.terminal.expect('Waiting for your review: dovetail review',
        'the CLI does not say where to decide')
      await sleep(500)
      world.expectFile(FILE, OLD)
      await world.accept()
      await cli.done('edit')
      world.expectFile(FILE, NEW)
      await world.expectNothingWaiting()
    },
  },
  {
    name: `hook-${name}-edit`,
    about: `mode ${name}: the person's bytes are on disk, and what was ` +
      'shown is what is written',
    async run(world) {
      await playAllBytes(world, await world.run(mode))
    },
  },
  {
    name: `hook-${name}-reject`,
    about: `mode ${name}: the model is told why it was rejected`,
    async run(world) {
      const cli = await propose(world, mode)
      await world.reject('rather call it uno \u{1f600}')
      await cli.failed('edit')
      world.expectFile(FILE, OLD)
      check(world.api.told(/rejected this change: rather call it uno \u{1f600}/u),
        'the comment did not reach the model')
    },
  },
  {
    name: `hook-${name}-new-file`,
    about: `mode ${name}: new files hold exactly what was accepted`,
    async run(world) {
      const cli = await world.run(mode)
      const cases = [
        ['as-is', 'one\ntwo', undefined],
        ['crlf', 'one\r\ntwo\r\n', undefined],
        ['by-hand', 'one\n', 'the person\'s\r\n\u{1f600}\n\n'],
        ['emptied', 'one\n', ''],
      ]
      for (const [file, proposal, person] of cases) {
        world.api.script(file, ...write(world, file, proposal))
        await cli.play(file)
        await accept(world, person)
        await cli.done(file)
        world.expectFile(file, person ?? proposal)
      }
    },
  },
  {
    name: `hook-${name}-esc`,
    about: `mode ${name}: Esc ends the hook, its review and the edit`,
    async run(world) {
      const cli = await propose(world, mode)
      const [review] = await world.reviewsWaiting(1)
      await cli.sayNo()
      await isWithdrawn(world, review.id)
      await world.expectNothingWaiting()
      world.expectFile(FILE, OLD)
    },
  },
  ...Object.entries(downs).filter(([how]) =>
    name === 'auto' || how === 'stop').map(([how, { about, end }]) => ({
    name: `hook-${name}-${how}`,
    about: `mode ${name}: while an edit waits ${about}; it waits on`,
    complaints: LINK_CUT,
    async run(world) {
      const cli = await propose(world, mode)
      await waitsOn(world, end)
      await world.accept()
      await cli.done('edit')
      world.expectFile(FILE, NEW)
      await world.expectNothingWaiting()
    },
  })),
])

const headless = [
  {
    name: 'hook-p-accept',
    about: 'claude -p: the person\'s bytes are on disk',
    async run(world) {
      world.write(FILE, OLD)
      world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
      await world.start()
      const ended = world.runHeadless(['-p', 'DO edit'])
      await accept(world, 'by hand \u{1f600}')
      const { stdout, stderr } = await ended
      check(/SCRIPT-DONE edit$/m.test(stdout),
        `claude -p said ${JSON.stringify(stdout + stderr)}`)
      world.expectFile(FILE, 'by hand \u{1f600}')
    },
  },
  {
    name: 'hook-p-edit',
    about: 'claude -p: every kind of text',
    async run(world) {
      const play = async name => {
        const ended = world.runHeadless(['-p', `DO ${name}`])
        return async () => {
          const { stdout } = await ended
          check(!stdout.includes('(tool error)'), `${name}: ${stdout}`)
        }
      }
      await world.start()
      for (const name of Object.keys(BYTES))
        await playBytes(world, play, name)
    },
  },
  {
    name: 'hook-p-reject',
    about: 'claude -p: the model is told why it was rejected',
    async run(world) {
      world.write(FILE, OLD)
      world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
      await world.start()
      const ended = world.runHeadless(['-p', 'DO edit'])
      await world.reject('not like this')
      const { stdout } = await ended
      check(stdout.includes('(tool error)'), `claude -p said ${stdout}`)
      world.expectFile(FILE, OLD)
      check(world.api.told(/rejected this change: not like this/),
        'the comment did not reach the model')
    },
  },
  {
    name: 'hook-p-new-file',
    about: 'claude -p: new files hold exactly what was accepted',
    async run(world) {
      const cases = [['as-is', 'one\r\ntwo', undefined],
        ['by-hand', 'one\n', 'the person\'s\r\n\u{1f600}\n\n']]
      await world.start()
      for (const [file, proposal, person] of cases) {
        world.api.script(file, ...write(world, file, proposal))
        const ended = world.runHeadless(['-p', `DO ${file}`])
        await accept(world, person)
        await ended
        world.expectFile(file, person ?? proposal)
      }
    },
  },
  ...Object.entries(downs).map(([name, { about, end }]) => ({
    name: `hook-p-${name}`,
    about: `claude -p: while an edit waits ${about}; it waits on`,
    async run(world) {
      const { ended } = await proposeHeadless(world)
      await waitsOn(world, end)
      await world.accept()
      await ended
      world.expectFile(FILE, NEW)
      await world.expectNothingWaiting()
    },
  })),
  {
    name: 'hook-p-interrupt',
    about: 'claude -p: Ctrl-C ends the hook, its review and the edit',
    async run(world) {
      const { ended } = await proposeHeadless(world)
      const [review] = await world.reviewsWaiting(1)
      process.kill(Number(fs.readFileSync(world.path('pid'), 'utf8')),
        'SIGINT')
      await ended
      world.expectFile(FILE, OLD)
      await reviewIs(world, review.id, 'orphaned')
      await world.expectNothingWaiting()
    },
  },
]

/* Where the CLI asks by itself. */
const asking = { manual: 'default', plan: 'plan' }

const others = [
  ...Object.entries(asking).map(([name, mode]) => ({
    name: `hook-${name}`,
    about: `in ${name} mode the CLI asks over its link, once`,
    async run(world) {
      const cli = await propose(world, mode)
      await cli.showsDiff()
      await sleep(500)
      await world.reviewsWaiting(1)
      await world.accept()
      await cli.done('edit')
      world.expectFile(FILE, NEW)
      await world.expectNothingWaiting()
    },
  })),
  {
    name: 'hook-manual-large',
    about: 'in manual mode a rewrite of thousands of lines is asked about ' +
      'once, and the verdict is carried out',
    async run(world) {
      const lines = (word, count) =>
        Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('')
      const cli = await world.run('default')
      for (const verdict of ['accept', 'reject']) {
        const file = `${verdict}.txt`
        const old = lines('old', 2600)
        world.write(file, old)
        world.api.script(verdict, call('Read', { file_path: world.file(file) }),
          ...write(world, file, lines('new', 2600)))
        await cli.play(verdict)
        await world.reviewsWaiting(1)
        if (verdict === 'accept') {
          await world.accept()
          await cli.done(verdict)
          world.expectFile(file, lines('new', 2600))
        } else {
          await world.reject('too much')
          await cli.failed(verdict)
          world.expectFile(file, old)
          check(world.api.told(/rejected this change: too much/),
            'the comment did not reach the model')
        }
        await sleep(500)
        await world.expectNothingWaiting()
      }
      const log = await states(world)
      check(log.join() === 'accepted,rejected', `the log has ${log}`)
    },
  },
  {
    name: 'hook-manual-edit',
    about: 'in manual mode the person\'s bytes are on disk as well',
    async run(world) {
      await playAllBytes(world, await world.run('default'), OPEN_DIFF_FAULTS)
    },
  },
  {
    name: 'hook-installed',
    about: 'an installed hook needs no dovetail run, and asks once with it',
    async run(world) {
      await world.start()
      await world.dovetail('hook', 'install', 'claude', '--yes')
      world.write(FILE, OLD)
      world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
      for (const start of ['launch', 'run']) {
        const cli = start === 'run'
          ? await world.run(null) : await world.launch([], { mode: null })
        await cli.play('edit')
        await world.reviewsWaiting(1)
        await sleep(500)
        await world.reviewsWaiting(1)
        await world.accept()
        await cli.done('edit')
        world.expectFile(FILE, NEW)
        world.write(FILE, OLD)
      }
    },
  },
  {
    name: 'hook-two-edits',
    about: 'two edits of one turn, one after the other and at once',
    async run(world) {
      const cli = await world.run(null)
      world.write(FILE, OLD)
      world.api.script('after', ...edit(world, FILE, 'one', 'ONE'),
        edit(world, FILE, 'two', 'TWO')[1])
      await cli.play('after')
      await world.accept()
      await world.accept()
      await cli.done('after')
      world.expectFile(FILE, NEW.replace('two', 'TWO'))

      world.api.script('at-once',
        [...write(world, 'one', '1\n'), ...write(world, 'two', '2\n')])
      await cli.play('at-once')
      await world.accept()
      await world.accept()
      await cli.done('at-once')
      world.expectFile('one', '1\n')
      world.expectFile('two', '2\n')
    },
  },
  {
    name: 'hook-stale',
    about: 'a file that changed while its review waited is left alone',
    async run(world) {
      const cli = await propose(world, null)
      world.write(FILE, 'somebody else\n')
      await world.accept()
      await cli.failed('edit')
      world.expectFile(FILE, 'somebody else\n')
      check(world.api.told(/changed while this change waited/),
        'the model was not told')
    },
  },
  {
    name: 'hook-cannot-show',
    about: 'what the hook cannot show, the CLI asks about over its link',
    async run(world) {
      const utf16 = text => Buffer.from(text, 'utf16le')
      world.write(FILE, utf16('\ufeffone\n'))
      world.api.script('utf16', ...edit(world, FILE, 'one', 'ONE'))
      const cli = await world.run(null)
      await cli.play('utf16')
      await cli.showsDiff()
      check((await shown(world)).endsWith('ONE\n'), 'it is shown otherwise')
      await world.accept()
      await cli.done('utf16')
      world.expectFile(FILE, utf16('\ufeffONE\n'))
    },
  },
  {
    name: 'hook-subagent',
    about: 'an edit of a subagent is reviewed too',
    async run(world) {
      world.write(FILE, OLD)
      world.api.script('inner', ...edit(world, FILE, 'one', 'ONE'))
      world.api.script('outer', call('Agent', {
        description: 'edit', prompt: 'DO inner',
        subagent_type: 'general-purpose',
      }))
      const cli = await world.run('acceptEdits')
      await cli.play('outer')
      await world.reviewsWaiting(1)
      world.expectFile(FILE, OLD)
      await world.accept()
      await cli.done('outer')
      /* It works in the background. */
      await until(() => fs.readFileSync(world.file(FILE), 'utf8') === NEW,
        'the subagent did not edit', 5000)
    },
  },
  {
    name: 'hook-notebook',
    about: 'a cell of a notebook, accepted and with the person\'s source',
    async run(world) {
      const notebook = 'a.ipynb'
      const cell = (id, source) => ({
        cell_type: 'code', execution_count: null, id, metadata: {},
        outputs: [], source,
      })
      world.write(notebook, JSON.stringify({
        cells: [cell('aaaa', ['print(1)\n', 'pass']), cell('bbbb', 'x = 1')],
        metadata: {}, nbformat: 4, nbformat_minor: 5,
      }, null, 1) + '\n')
      const change = (cell_id, new_source) => [
        call('Read', { file_path: world.file(notebook) }),
        call('NotebookEdit', {
          notebook_path: world.file(notebook), cell_id, new_source,
        }),
      ]
      const sources = () => JSON.parse(
        fs.readFileSync(world.file(notebook), 'utf8'))
        .cells.map(c => [c.source].flat().join(''))
      const cli = await world.run(null)

      world.api.script('first', ...change('aaaa', 'print(2)'))
      await cli.play('first')
      await world.accept()
      await cli.done('first')
      check(sources().join('|') === 'print(2)|x = 1', `cells: ${sources()}`)

      world.api.script('second', ...change('bbbb', 'x = 2'))
      await cli.play('second')
      const text = (await shown(world)).replace('x = 2', 'x = 3 # \u{1f600}')
      await accept(world, text)
      await cli.done('second')
      check(sources().join('|') === 'print(2)|x = 3 # \u{1f600}',
        `cells: ${sources()}`)
    },
  },
]

export const hookScenarios = [...inEveryMode, ...headless, ...others]
