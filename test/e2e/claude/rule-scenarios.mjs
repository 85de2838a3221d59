/*
 * rule-scenarios.mjs - the hook where a person is not simply asked: rules that
 * decide, the rarer permission modes, settings that come and go, and what
 * status says of them.
 */
import fs from 'node:fs'

import { FILE, NEW, OLD, edit, propose, write } from './hook-edits.mjs'
import { check, sleep, until } from './wait.mjs'

const otherModes = [
  {
    name: 'hook-bypass',
    about: 'in bypassPermissions mode an edit waits, and can be rejected',
    async run(world) {
      world.settings({ skipDangerousModePermissionPrompt: true })
      const cli = await propose(world, 'bypassPermissions',
        { env: { IS_SANDBOX: '1' } })
      await world.reject('not like this')
      await cli.failed('edit')
      world.expectFile(FILE, OLD)
      world.api.script('again', ...edit(world, FILE, 'one', 'ONE'))
      await cli.play('again')
      await world.accept()
      await cli.done('again')
      world.expectFile(FILE, NEW)
    },
  },
  {
    name: 'hook-dont-ask',
    about: 'in dontAsk mode an edit waits, and is made when accepted',
    async run(world) {
      const cli = await propose(world, 'dontAsk')
      await world.accept()
      await cli.done('edit')
      world.expectFile(FILE, NEW)
    },
  },
]

/* Status says of the one session whether it is reviewed, and how that is. */
async function expectCoverage(world, isReviewed, hook) {
  await until(async () => {
    const [session] = await world.sessions()
    return session?.isReviewed === isReviewed && session.hook === hook
  }, `status does not say "${hook}"`, 5000)
}

const coverage = [
  {
    name: 'hook-status',
    about: 'settings count at once, and status says what is true',
    async run(world) {
      const settings = world.path('home/.claude/settings.json')
      const play = async () => {
        world.write(FILE, OLD)
        world.api.script('edit', ...edit(world, FILE, 'one', 'ONE'))
        await cli.play('edit')
      }
      await world.start()
      const cli = await world.connect({ mode: 'acceptEdits' })
      await expectCoverage(world, false, 'none')
      await world.dovetail('hook', 'install', 'claude', '--yes')
      await expectCoverage(world, true, 'settings')
      await sleep(1500) /* The CLI looks at its files now and then. */
      await play()
      await world.reviewsWaiting(1)
      check((await world.sessions())[0].waiting === 1,
        'the review is not counted as the session\'s')
      await world.accept()
      await cli.done('edit')
      check((await world.sessions())[0].mode === 'acceptEdits',
        'status does not know the mode')

      world.settings({
        ...JSON.parse(fs.readFileSync(settings, 'utf8')),
        disableAllHooks: true,
      })
      await expectCoverage(world, false, 'disabled')
      await sleep(1500)
      world.api.script('unseen', ...edit(world, FILE, 'two', 'TWO'))
      await cli.play('unseen')
      await cli.done('unseen')
      world.expectFile(FILE, NEW.replace('two', 'TWO'))
    },
  },
  {
    name: 'hook-status-run',
    about: 'status knows what dovetail run gave the CLI',
    async run(world) {
      const cli = await world.run(null)
      await expectCoverage(world, true, 'run')
      check((await world.dovetail('status', '--line')) ===
        'dovetail: project, 1 agent, reviewed\n', 'the line says otherwise')
      await cli.quit()
      const bare = await world.launch([], {
        through: ['dovetail', 'run', 'claude', '--no-hook', '--'], mode: null,
      })
      await bare.connected()
      await expectCoverage(world, false, 'off')
    },
  },
]

/* The rules of the manual's example, and one that denies. */
const RULES = `[policy]
ask = **/migrations/** | kind:test
ask = lines>200
deny = locked/**
record = *
`

const policy = [
  {
    name: 'hook-policy',
    about: 'rules: what is small passes and is in the log, what is large, ' +
      'a test or a migration asks, what is denied says why',
    async run(world) {
      const large = 'line\n'.repeat(201)
      world.configureDaemon(RULES)
      world.write(FILE, OLD)
      world.api.script('small', ...edit(world, FILE, 'one', 'ONE'))
      world.api.script('large', ...write(world, 'large.txt', large))
      world.api.script('test', ...write(world, 'test/a.js', 'x\n'))
      world.api.script('migration',
        ...write(world, 'db/migrations/1.sql', 'x\n'))
      world.api.script('denied', ...write(world, 'locked/key', 'x\n'))
      const cli = await world.run(null)

      await cli.play('small')
      await cli.done('small')
      world.expectFile(FILE, NEW)
      const log = (await world.dovetail('log', '--reviews', '--json'))
        .trim().split('\n').map(line => JSON.parse(line))
      check(log.length === 1 && log[0].state === 'accepted',
        `the log has ${JSON.stringify(log)}`)
      check(/^\+alpha ONE$/m.test(await world.dovetail(
        'log', 'show', log[0].id)), 'the log has no diff')

      for (const [script, file, text] of [['large', 'large.txt', large],
        ['test', 'test/a.js', 'x\n'],
        ['migration', 'db/migrations/1.sql', 'x\n']]) {
        await cli.play(script)
        await world.reviewsWaiting(1)
        check(!fs.existsSync(world.file(file)), `${file} did not wait`)
        await world.accept()
        await cli.done(script)
        world.expectFile(file, text)
      }

      await cli.play('denied')
      await cli.failed('denied')
      check(!fs.existsSync(world.file('locked/key')), 'it was written')
      check(world.api.told(/policy denies this change .*locked\/\*\*/),
        'the model does not know the rule')
    },
  },
  {
    name: 'hook-policy-manual',
    about: 'rules count in manual mode as well, where the link asks',
    async run(world) {
      world.configureDaemon(RULES)
      world.api.script('denied', ...write(world, 'locked/key', 'x\n'))
      world.write(FILE, OLD)
      world.api.script('small', ...edit(world, FILE, 'one', 'ONE'))
      const cli = await world.run('default')
      await cli.play('denied')
      await cli.failed('denied')
      check(!fs.existsSync(world.file('locked/key')), 'it was written')
      await cli.play('small')
      await cli.done('small')
      world.expectFile(FILE, NEW)
    },
  },
  {
    name: 'hook-policy-p',
    about: 'claude -p: allow passes and leaves nothing, deny says why',
    async run(world) {
      world.configureDaemon('[policy]\ndeny = locked/**\nallow = *\n')
      world.write(FILE, OLD)
      world.api.script('small', ...edit(world, FILE, 'one', 'ONE'))
      world.api.script('denied', ...write(world, 'locked/key', 'x\n'))
      await world.start()
      const small = await world.runHeadless(['-p', 'DO small'])
      check(/SCRIPT-DONE small$/m.test(small.stdout), small.stdout)
      world.expectFile(FILE, NEW)
      check(await world.dovetail('log', '--reviews') === '',
        'allow keeps something')
      const denied = await world.runHeadless(['-p', 'DO denied'])
      check(denied.stdout.includes('(tool error)'), denied.stdout)
      check(world.api.told(/policy denies this change/),
        'the model does not know the rule')
    },
  },
]

export const ruleScenarios = [...otherModes, ...coverage, ...policy]
