/*
 * down-scenarios.mjs - nothing passes because we are down.
 *
 * What is done to the daemon while an edit waits, and what the real CLI makes of
 * it.  The simpler cases are played in every mode by hook-scenarios.mjs.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { firstRunAnswers } from './claude.mjs'
import { call } from './fake-api.mjs'
import { FILE, NEW, OLD, edit, propose } from './hook-edits.mjs'
import { check, sleep, until } from './wait.mjs'

/* What the CLI logs when its IDE link ends. */
export const LINK_CUT = /Connection (failed|closed)|Not connected/

/* What becomes of the daemon, and how. */
export const downs = {
  crash: {
    about: 'the daemon crashes',
    end: world => world.crashDaemon(),
  },
  kill: {
    about: 'the daemon and its parent are killed',
    end: world => world.killDaemon(),
  },
  stop: {
    about: 'the daemon is stopped',
    end: world => world.dovetail('stop', '--force'),
  },
  restart: {
    about: 'the daemon is restarted',
    end: world => world.dovetail('restart'),
  },
}

/* Whatever becomes of the daemon, the edit is not made, and the same review
 * waits again. */
export async function waitsOn(world, end) {
  const [before] = await world.reviewsWaiting(1)
  await end(world)
  await until(async () => (await world.dovetailJson('review', 'list')
    .catch(() => [])).some(r => r.id === before.id && r.state === 'waiting'),
  'the review does not wait any more', 20_000)
  await sleep(500)
  world.expectFile(FILE, OLD)
  await world.reviewsWaiting(1)
}

/* The CLI's own dialog: the edit is asked about, not made. */
async function asksItself(world, cli) {
  await cli.terminal.expect('Do you want to make this edit',
    'the CLI does not ask')
  world.expectFile(FILE, OLD)
}

/* What the hook's process runs is still there; what it would start is not. */
function breakProgram(world) {
  const program = world.path('bin/dovetail')
  fs.renameSync(program, world.path('bin/kept'))
  fs.copyFileSync('/bin/false', program)
  return () => {
    fs.renameSync(world.path('bin/kept'), program)
  }
}

/* A few MB for the daemon's state, as only root can make them. */
function makeSmallDisk(world) {
  const dir = world.path('state')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', dir],
      { stdio: 'ignore' })
  } catch {
    return null
  }
  return {
    fill() {
      const fd = fs.openSync(path.join(dir, 'filler'), 'w')
      try {
        for (const size of [65536, 1024, 1])
          try {
            for (;;)
              fs.writeSync(fd, Buffer.alloc(size))
          } catch (error) {
            check(error.code === 'ENOSPC', error.message)
          }
      } finally {
        fs.closeSync(fd)
      }
    },
    done() {
      execFileSync('umount', ['-l', dir])
    },
  }
}

export const downScenarios = [
  {
    name: 'down-esc',
    about: 'Esc in one of two projects does not take the daemon along',
    async run(world) {
      const other = world.path('other')
      fs.mkdirSync(other)
      execFileSync('git', ['init', '-q'], { cwd: other })
      fs.writeFileSync(path.join(world.configDir, '.claude.json'),
        JSON.stringify(firstRunAnswers([world.project, other])))
      await world.dovetail('hook', 'install', 'claude', '--yes')
      const file_path = path.join(other, FILE)
      world.write(FILE, OLD)
      fs.writeFileSync(file_path, OLD)
      world.api.script('first', ...edit(world, FILE, 'one', 'ONE'))
      world.api.script('second', call('Read', { file_path }),
        call('Edit', { file_path, old_string: 'one', new_string: 'ONE' }))

      /* The hook of the first one starts the daemon. */
      const first = await world.launch([], { mode: null })
      await first.play('first')
      await until(async () => (await world.dovetailJson('review', 'list',
        '--all').catch(() => [])).length === 1, 'no review waits')
      const { pid } = await world.dovetailJson('status')
      const second = await world.launch([], { mode: null, cwd: other })
      await second.play('second')
      const all = () => world.dovetailJson('review', 'list', '--all')
      await until(async () => (await all()).length === 2,
        'no second review waits')
      await first.sayNo()
      await until(async () => (await all())
        .filter(r => r.state === 'waiting').length === 1,
      'the first review waits on')
      await sleep(1000)
      check((await world.dovetailJson('status')).pid === pid,
        'Esc ended the daemon')
      check(fs.readFileSync(file_path, 'utf8') === OLD,
        'the edit of the second project was made')
      const [{ id }] = (await all()).filter(r => r.state === 'waiting')
      await world.dovetail('review', 'accept', id)
      await second.done('second')
      check(fs.readFileSync(file_path, 'utf8') === NEW,
        'what was accepted was not written')
      world.expectFile(FILE, OLD)
    },
  },
  {
    name: 'down-no-program',
    about: 'a hook whose program is gone denies the edit',
    async run(world) {
      world.write(FILE, OLD)
      world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
      const cli = await world.run(null)
      fs.renameSync(world.path('bin/dovetail'), world.path('bin/kept'))
      await cli.play('edit')
      await cli.failed('edit')
      fs.renameSync(world.path('bin/kept'), world.path('bin/dovetail'))
      world.expectFile(FILE, OLD)
      check(world.api.told(/Dovetail is not at .* any more/),
        'the model was not told')
    },
  },
  {
    name: 'down-hang',
    about: 'a hook waits for as long as the daemon lives; when that hangs ' +
      'the CLI asks by itself',
    complaints: /The agent took the change back/, /* of the person's no */
    async run(world) {
      world.configureDaemon('[hook]\nhang_seconds = 5\n')
      const cli = await propose(world, null)
      await sleep(6000) /* it has asked some times whether the daemon lives */
      const [{ id }] = await world.reviewsWaiting(1)
      const { pid } = await world.lock()
      process.kill(pid, 'SIGSTOP')
      try {
        await asksItself(world, cli)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      /* Awake, it is asked over the IDE link; the hook has gone. */
      await until(async () => !(await world.waiting()).some(r => r.id === id),
        'the review of the hook waits on', 5000)
      await cli.sayNo()
      await world.expectNothingWaiting()
      world.expectFile(FILE, OLD)
    },
  },
  {
    name: 'down-for-good',
    about: 'a daemon that cannot come back: the CLI asks by itself',
    complaints: LINK_CUT,
    async run(world) {
      const cli = await propose(world, null)
      const mend = breakProgram(world)
      await world.killDaemon()
      await asksItself(world, cli)
      await cli.sayNo()
      await sleep(500)
      world.expectFile(FILE, OLD)
      mend()
      await world.dovetail('start')
    },
  },
  {
    name: 'down-for-good-p',
    about: 'claude -p, and the daemon cannot come back: the edit is denied',
    async run(world) {
      world.write(FILE, OLD)
      world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
      await world.start()
      const ended = world.runHeadless(
        ['-p', '--permission-mode', 'acceptEdits', 'DO edit'])
      await world.reviewsWaiting(1)
      const mend = breakProgram(world)
      await world.killDaemon()
      const { stdout } = await ended
      mend()
      check(stdout.includes('(tool error)'), `claude -p said ${stdout}`)
      world.expectFile(FILE, OLD)
      check(world.api.told(/bring Dovetail back with `dovetail start`/),
        'the model was not told')
      await world.dovetail('start')
    },
  },
  {
    name: 'down-full-disk',
    about: 'the disk is full and the daemon is killed: nothing is written ' +
      'until it is accepted',
    complaints: LINK_CUT,
    async run(world) {
      const disk = makeSmallDisk(world)
      if (!disk)
        return /* only root can make a disk */
      try {
        const cli = await propose(world, null)
        disk.fill()
        await world.killDaemon()
        await until(async () => (await world.dovetailJson('review', 'list')
          .catch(() => [])).some(r => r.state === 'waiting'),
        'no review waits any more', 20_000)
        await sleep(500)
        world.expectFile(FILE, OLD)
        await world.accept()
        await cli.done('edit')
        world.expectFile(FILE, NEW)
        await world.stop()
      } finally {
        disk.done()
      }
    },
  },
]
