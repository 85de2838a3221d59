/*
 * scenarios.mjs - what the real CLI and the real daemon have to do together.
 *
 * One entry per scenario: `about` is the sentence it proves, `config` chooses
 * where the CLI's configuration lives (world.mjs), `complaints` matches what
 * the CLI may call an error, and run() plays it in a fresh world.  run()
 * returns when all went well and throws otherwise.  The daemon is then stopped,
 * which has to leave nothing behind.
 */
import fs from 'node:fs'

import { diagnosticsScenarios } from './diagnostics-scenarios.mjs'
import { downScenarios } from './down-scenarios.mjs'
import { call } from './fake-api.mjs'
import { hookScenarios } from './hook-scenarios.mjs'
import { mcpScenarios } from './mcp-scenarios.mjs'
import { ruleScenarios } from './rule-scenarios.mjs'
import { check, sleep, until } from './wait.mjs'
import { wordsScenarios } from './words-scenarios.mjs'

const FILE = 'calc.txt'
const OLD = 'alpha one\nbeta two\ngamma three\n'
const NEW = 'alpha ONE\nbeta two\ngamma three\n'

/* A turn in which the model replaces `from` by `to` in the file. */
function scriptEdit(world, script, from, to, file = FILE) {
  const file_path = world.file(file)
  world.api.script(script,
    call('Read', { file_path }),
    call('Edit', { file_path, old_string: from, new_string: to }))
}

/* A connected CLI that has just proposed to turn OLD into NEW. */
async function proposeEdit(world, options) {
  world.write(FILE, OLD)
  scriptEdit(world, 'edit', 'one', 'ONE')
  const cli = await world.connect(options)
  await cli.play('edit')
  await cli.showsDiff()
  return cli
}

async function acceptEdit(world, cli) {
  await world.accept()
  await cli.done('edit')
  world.expectFile(FILE, NEW)
}

function connectTwo(world) {
  return Promise.all([world.connect(), world.connect()])
}

/* A prompt that does nothing, to see what is sent along with it. */
async function chat(world, cli, script = 'chat') {
  world.api.script(script)
  await cli.play(script)
  await cli.done(script)
}

/* What the CLI logs when its link is cut, and when we withdraw a review. */
const LINK_CUT = /Connection (failed|closed)|Not connected/
const STOPPED = /Dovetail stopped before a decision|Connection failed/
const WITHDRAWN = /The agent took the change back/

// What only the person may do.
const PERSONS = ['review accept ID', 'review reject ID', 'review apply ID',
  'stop', 'restart', 'reload', 'config limits.calls 7', 'policy allow true',
  'mute', 'hook uninstall claude --yes']

// Tries all of it once the review waits: try NAME FILE.
const TRY = `#!/bin/sh
until id=$(dovetail review list --json | grep -o '"id":"[0-9a-f]*"'); do
  sleep 0.1
done
id=$(echo "$id" | cut -d '"' -f 4)
{
${PERSONS.map(words => `  dovetail ${words.replace('ID', '"$id"')} \\
    < /dev/null > /dev/null 2> "$2.err"
  echo "$1: ${words}: exit $?: $(head -n 1 "$2.err")"`).join('\n')}
} > "$2.new"
mv "$2.new" "$2"
`

/*
 * How an agent would start it.  A child of the CLI is known by that, whatever
 * its environment; once detached, only the environment is left to tell, its own
 * or that of the shell above it.  The last one has lost the CLI's own variable,
 * but not the one that our settings had the CLI set.
 */
const CLEAN = 'env -i PATH="$PATH" HOME="$HOME" ' +
  'XDG_RUNTIME_DIR="$XDG_RUNTIME_DIR" XDG_STATE_HOME="$XDG_STATE_HOME" ' +
  'XDG_CONFIG_HOME="$XDG_CONFIG_HOME" '
const CHILDREN = {
  plain: 'try NAME FILE',
  background: '( try NAME FILE & )',
  nohup: 'nohup try NAME FILE > /dev/null 2>&1 &',
  setsid: 'setsid -f try NAME FILE',
  twice: '( ( try NAME FILE & ) & )',
  clean: `${CLEAN} try NAME FILE`,
  below: `setsid -f sh -c '${CLEAN} try NAME "$0"; true' FILE`,
  tmux: 'tmux -S "$1.socket" -f /dev/null new-session -d try NAME FILE',
  settings: 'env -u CLAUDECODE setsid -f try NAME FILE',
}
const APPROVE = `#!/bin/sh
${Object.entries(CHILDREN).map(([name, line]) =>
  line.replace('NAME', name).replace('FILE', `"$1.${name}"`)).join('\n')}
for name in ${Object.keys(CHILDREN).join(' ')}; do
  until [ -e "$1.$name" ]; do sleep 0.1; done
  cat "$1.$name"
done > "$1.new"
mv "$1.new" "$1"
`

const modeOf = file => (fs.statSync(file).mode & 0o777).toString(8)

export const scenarios = [
  {
    name: 'connect',
    about: 'the CLI finds the lock with --ide and connects',
    config: 'unset',
    async run(world) {
      const lock = await world.start()
      const cli = await world.connect()
      const pid = await cli.terminal.pid()
      check(lock.workspaceFolders.join() === world.project,
        `the lock names ${lock.workspaceFolders}`)
      await until(async () => {
        const [session] = await world.sessions()
        return session?.agent === 'claude-code' && session.pid === pid
      }, `the daemon does not know the CLI with pid ${pid}`, 3000)
      check(modeOf(lock.file) === '600' && modeOf(world.lockDir) === '700',
        'the lock can be read by others')
    },
  },
  {
    name: 'connect-env',
    about: 'CLAUDE_CODE_SSE_PORT is enough, without --ide',
    async run(world) {
      const { port } = await world.start()
      const env = { CLAUDE_CODE_SSE_PORT: port }
      const cli = await world.launch([], { env })
      await cli.connected()
    },
  },
  {
    name: 'tools',
    about: 'the model is offered getDiagnostics and executeCode',
    async run(world) {
      await world.start()
      const cli = await world.connect()
      await chat(world, cli)
      for (const name of ['getDiagnostics', 'executeCode'])
        check(JSON.stringify(world.api.requests)
          .includes(`mcp__ide__${name}`),
        `the model is not offered mcp__ide__${name}`)
    },
  },
  {
    name: 'edit-accept',
    about: 'an accepted edit is written as proposed',
    async run(world) {
      await world.start()
      const cli = await proposeEdit(world)
      await acceptEdit(world, cli)
      check(!world.api.toolSaid(/user modified/),
        'the model was told of a change nobody made')
      await world.expectNothingWaiting()
    },
  },
  {
    name: 'edit-modify',
    about: 'the person\'s own text is written, and the model is told',
    async run(world) {
      const byHand = NEW.replace('ONE', 'ONE by hand \u{1f600}')
      await world.start()
      const cli = await proposeEdit(world)
      fs.writeFileSync(world.path('by-hand.txt'), byHand)
      await world.accept('--text-file', world.path('by-hand.txt'))
      await cli.done('edit')
      world.expectFile(FILE, byHand)
      check(world.api.toolSaid(/user modified your proposed/),
        'the model was not told that the text was changed')
    },
  },
  {
    name: 'edit-reject',
    about: 'a rejected edit changes nothing and interrupts the turn',
    async run(world) {
      await world.start()
      const cli = await proposeEdit(world)
      await world.reject('not like this')
      await cli.rejected()
      world.expectFile(FILE, OLD)
      await world.expectNothingWaiting()
    },
  },
  {
    name: 'edit-terminal-yes',
    about: 'a yes in the terminal ends the review',
    complaints: WITHDRAWN,
    async run(world) {
      await world.start()
      const cli = await proposeEdit(world)
      await world.reviewsWaiting(1)
      await cli.sayYes()
      await cli.done('edit')
      world.expectFile(FILE, NEW)
      await world.expectNothingWaiting()
    },
  },
  {
    name: 'edit-terminal-no',
    about: 'Esc in the terminal ends the review',
    complaints: WITHDRAWN,
    async run(world) {
      await world.start()
      const cli = await proposeEdit(world)
      await world.reviewsWaiting(1)
      await cli.sayNo()
      await cli.rejected()
      world.expectFile(FILE, OLD)
      await world.expectNothingWaiting()
    },
  },
  {
    name: 'edit-twice',
    about: 'two edits of one turn are two reviews, one after the other',
    async run(world) {
      const file_path = world.file(FILE)
      world.write(FILE, OLD)
      world.api.script('edit-twice',
        call('Read', { file_path }),
        call('Edit', { file_path, old_string: 'one',
          new_string: 'ONE' }),
        call('Edit', { file_path, old_string: 'two',
          new_string: 'TWO' }))
      await world.start()
      const cli = await world.connect()
      await cli.play('edit-twice')
      await world.accept()
      await world.accept()
      await cli.done('edit-twice')
      world.expectFile(FILE, NEW.replace('two', 'TWO'))
    },
  },
  {
    name: 'write-accept',
    about: 'a new file holds exactly the bytes that were accepted',
    async run(world) {
      const person = 'the person\'s own text\r\n\r\n'
      const cases = [
        ['newline', 'one\ntwo\n'],
        ['no-newline', 'one\ntwo'],
        ['two-newlines', 'one\ntwo\n\n'],
        ['crlf', 'one\r\ntwo\r\n'],
        ['by-hand', 'one\ntwo\n', person],
        ['by-hand-no-newline', 'one\ntwo\n', 'one\nand a half'],
      ]
      await world.start()
      const cli = await world.connect()
      for (const [name, proposal, edited] of cases) {
        world.api.script(name, call('Write', {
          file_path: world.file(name), content: proposal,
        }))
        await cli.play(name)
        if (edited)
          fs.writeFileSync(world.path('by-hand.txt'), edited)
        await world.accept(...(edited
          ? ['--text-file', world.path('by-hand.txt')] : []))
        await cli.done(name)
        world.expectFile(name, edited ?? proposal)
      }
    },
  },
  {
    name: 'write-big',
    about: 'a new file of 1.5 MB arrives byte for byte',
    async run(world) {
      const content = '0123456789 abcdefghij \u00e9\u4e16\u{1f600} line\n'
        .repeat(42_000)
      world.api.script('write-big',
        call('Write', { file_path: world.file('big'), content }))
      await world.start()
      const cli = await world.connect()
      await cli.play('write-big')
      await world.accept()
      await cli.done('write-big')
      world.expectFile('big', content)
    },
  },
  {
    name: 'selection',
    about: 'a selection goes with the next prompt, and only with that one',
    async run(world) {
      world.write(FILE, 'alpha one\n\u{1f600}\u00e9 beta two tail\n')
      await world.start()
      const cli = await world.connect()
      await world.dovetail('select', `${FILE}:2:4-2:12`)
      await cli.terminal.expect('\u29c9 1 line selected',
        'the selection is not shown at the prompt')
      await chat(world, cli)
      check(world.api.told(new RegExp('The user selected the lines ' +
        `2 to 2 from ${world.file(FILE)}:\nbeta two\n\n`)),
      'the selection did not reach the model')
      await sleep(500)
      check(!await cli.terminal.shows('\u29c9 1 line selected'),
        'the selection was sent a second time')
    },
  },
  {
    name: 'opened-file',
    about: 'the model is told which file the person opened',
    async run(world) {
      world.write(FILE, OLD)
      await world.start()
      const cli = await world.connect()
      await world.dovetail('open', `${FILE}:2`)
      await cli.terminal.expect(`\u29c9 In ${FILE}`,
        'the open file is not shown at the prompt')
      await chat(world, cli)
      check(world.api.told(new RegExp('The user opened the file ' +
        `${world.file(FILE)} in the IDE`)),
      'the open file did not reach the model')
    },
  },
  {
    name: 'at-mention',
    about: 'a mention appears in the prompt, with its lines',
    async run(world) {
      world.write(FILE, OLD)
      await world.start()
      const cli = await world.connect()
      await world.dovetail('mention', `${FILE}:1-2`)
      await cli.terminal.expect(`@${FILE}#L1-2`,
        'the mention is not in the prompt')
      await world.dovetail('mention', FILE)
      await cli.terminal.expect(`@${FILE}#L1-2 @${FILE}`,
        'the mention without lines is not in the prompt')
    },
  },
  {
    name: 'gate',
    about: 'what is in .env reaches neither the link nor the model',
    async run(world) {
      const secret = 'hunter2-4711'
      const seen = world.path('log/seen')
      const recorded = () => fs.readdirSync(seen)
        .map(name => fs.readFileSync(`${seen}/${name}`, 'utf8')).join('')
      world.write('.env', `A=1\nTOKEN=${secret}\n`)
      world.write(FILE, OLD)
      fs.symlinkSync('.env', world.file('notes.txt'))
      await world.startRecorded(seen)
      const cli = await world.connect()
      await world.dovetail('select', `${FILE}:1-2`)
      await cli.terminal.expect('\u29c9 2 lines selected',
        'the selection is not shown at the prompt')
      await world.dovetail('select', '.env:1-2')
      await until(async () =>
        !await cli.terminal.shows('\u29c9 2 lines selected'),
      'the older selection stands in the place of .env')
      await world.dovetail('select', 'notes.txt:2')
      await world.dovetail('open', '.env:2')
      await world.dovetailFails(4, 'mention', '.env')
      await world.dovetailFails(4, 'mention', 'notes.txt')
      await chat(world, cli, 'denied')
      /* What is allowed is found by the same search. */
      await world.dovetail('select', `${FILE}:3`)
      await cli.terminal.expect('\u29c9 1 line selected',
        'the next selection is not shown at the prompt')
      await chat(world, cli, 'allowed')
      for (const [what, text] of [['link', recorded()],
        ['model', JSON.stringify(world.api.requests)]]) {
        check(text.includes('gamma three'),
          `the allowed selection did not reach the ${what}`)
        check(!text.includes(secret), `the secret reached the ${what}`)
      }
      const audit = await world.dovetail('log', '--audit')
      check(/left +selection calc\.txt/.test(audit) &&
        /denied +selection \.env/.test(audit) && !audit.includes(secret),
      `the audit says: ${audit}`)
    },
  },
  {
    name: 'mention-early',
    about: 'a mention waits for an agent to connect',
    async run(world) {
      world.write(FILE, OLD)
      await world.start()
      const mention = world.dovetail('mention', `${FILE}:3`)
      const cli = await world.connect()
      await cli.terminal.expect(`@${FILE}#L3`,
        'the mention did not wait for the CLI')
      await mention
    },
  },
  {
    name: 'mention-one',
    about: 'of two CLIs the one that prompted last gets the mention',
    async run(world) {
      world.write(FILE, OLD)
      await world.start()
      const [one, two] = await connectTwo(world)
      await chat(world, two, 'second-cli')
      await chat(world, one, 'first-cli')
      await world.dovetail('mention', `${FILE}:1-2`)
      await one.terminal.expect(`@${FILE}#L1-2`,
        'the mention is not in the prompt of the last one')
      await sleep(500)
      check(!await two.terminal.shows(`@${FILE}`),
        'the mention reached both')
    },
  },
  {
    name: 'reconnect',
    about: 'the CLI comes back after the daemon crashed',
    complaints: LINK_CUT,
    async run(world) {
      world.write(FILE, OLD)
      const before = await world.start()
      const cli = await world.connect()
      await world.crashDaemon()
      await cli.reconnected()
      const after = await world.lock()
      check(before.port === after.port &&
        before.authToken === after.authToken,
      'port or token changed')
      await world.dovetail('select', `${FILE}:2:1-2:9`)
      await cli.terminal.expect('\u29c9 1 line selected',
        'the new daemon\'s selection did not reach the CLI')
    },
  },
  {
    name: 'session',
    about: 'prompt, accept, reject and quit in one sitting',
    async run(world) {
      world.write(FILE, OLD)
      await world.start()
      const cli = await world.connect()
      await chat(world, cli)
      scriptEdit(world, 'edit', 'one', 'ONE')
      await cli.play('edit')
      await acceptEdit(world, cli)
      scriptEdit(world, 'second', 'ONE', 'uno')
      await cli.play('second')
      await world.reject('leave it')
      await cli.rejected()
      world.expectFile(FILE, NEW)
      await cli.quit()
      await until(async () => (await world.sessions()).length === 0,
        'the daemon did not see the CLI go', 3000)
    },
  },
  {
    name: 'headless',
    about: 'claude -p reaches the tools as a plain MCP server',
    async run(world) {
      const lock = await world.start()
      const ide = {
        type: 'ws',
        url: `ws://127.0.0.1:${lock.port}`,
        headers: {
          'X-Claude-Code-Ide-Authorization': lock.authToken,
        },
      }
      world.api.script('diag', call('mcp__ide__getDiagnostics', {}))
      const { stdout, stderr } = await world.headless([
        '-p', 'DO diag',
        '--allowedTools=mcp__ide__getDiagnostics',
        '--mcp-config', JSON.stringify({ mcpServers: { ide } }),
      ])
      check(/SCRIPT-DONE diag$/m.test(stdout),
        `claude -p said ${JSON.stringify(stdout + stderr)}`)
      check(world.api.toolSaid(/^\[.*\]$/s),
        'the tool did not answer with an array')
    },
  },
  {
    name: 'config-dir-apart',
    about: 'the one lock is in HOME/.claude/ide, and the CLI finds it ' +
      'although CLAUDE_CONFIG_DIR is elsewhere',
    config: 'apart',
    async run(world) {
      await world.start()
      const cli = await proposeEdit(world)
      await acceptEdit(world, cli)
      const other = world.lockNames(`${world.configDir}/ide`)
      check(other.length === 0, `CLAUDE_CONFIG_DIR/ide has ${other}`)
    },
  },
  {
    name: 'term-vscode',
    about: 'TERM_PROGRAM=vscode does not hide the daemon from a CLI ' +
      'that dovetail runs',
    async run(world) {
      const cli = await world.launch([], {
        through: ['dovetail', 'run', 'claude', '--'],
        env: { TERM_PROGRAM: 'vscode' },
      })
      await cli.connected()
    },
  },
  {
    name: 'symlink-workspace',
    about: 'a folder reached through a symlink is the same workspace',
    async run(world) {
      const cwd = world.path('link')
      fs.symlinkSync(world.project, cwd)
      const lock = await world.start({ cwd })
      check(lock.workspaceFolders.join() === world.project,
        `the lock names ${lock.workspaceFolders}`)
      const cli = await proposeEdit(world, { cwd })
      await acceptEdit(world, cli)
    },
  },
  {
    name: 'subfolder',
    about: 'a CLI below the root of the work tree finds the workspace',
    async run(world) {
      const cwd = world.file('below')
      fs.mkdirSync(cwd)
      world.write('below/deep.txt', OLD)
      scriptEdit(world, 'edit', 'one', 'ONE', 'below/deep.txt')
      const lock = await world.start({ cwd })
      check(lock.workspaceFolders.join() === world.project,
        `the lock names ${lock.workspaceFolders}`)
      const cli = await world.connect({ cwd })
      await cli.play('edit')
      await world.accept()
      await cli.done('edit')
      world.expectFile('below/deep.txt', NEW)
    },
  },
  {
    name: 'two-clis',
    about: 'two CLIs have their own reviews; a verdict reaches only one',
    async run(world) {
      const [first, second] = ['first.txt', 'second.txt']
      world.write(first, OLD)
      world.write(second, OLD)
      scriptEdit(world, 'edit-first', 'one', 'ONE', first)
      scriptEdit(world, 'edit-second', 'one', 'ONE', second)
      await world.start()
      const [one, two] = await connectTwo(world)
      await one.play('edit-first')
      await two.play('edit-second')
      const reviews = await world.reviewsWaiting(2)
      const idOf = file => reviews.find(
        review => review.entries[0].path === world.file(file)).id

      await world.dovetail('review', 'accept', idOf(second))
      await two.done('edit-second')
      world.expectFile(second, NEW)
      world.expectFile(first, OLD)
      const [left] = await world.reviewsWaiting(1)
      check(left.id === idOf(first), 'the wrong review is left')

      await world.dovetail('review', 'reject', idOf(first))
      await one.rejected()
      world.expectFile(first, OLD)
      check(!await two.terminal.shows(/User rejected/),
        'the other CLI was told of the rejection')
    },
  },
  {
    name: 'kill-mid-turn',
    about: 'a crash while a review waits orphans it, and work goes on',
    complaints: LINK_CUT,
    async run(world) {
      await world.start()
      const cli = await proposeEdit(world)
      const [review] = await world.reviewsWaiting(1)
      await world.crashDaemon()
      await cli.reconnected()
      await until(async () => {
        const reviews = await world.dovetailJson('review', 'list')
        return reviews.some(
          r => r.id === review.id && r.state === 'orphaned')
      }, 'the review is not shown as orphaned', 5000)

      /* The CLI's own dialog is still open; no agent waits for us. */
      await cli.sayYes()
      await cli.done('edit')
      world.expectFile(FILE, NEW)
      scriptEdit(world, 'second', 'two', 'TWO')
      await cli.play('second')
      await world.accept()
      await cli.done('second')
      world.expectFile(FILE, NEW.replace('two', 'TWO'))
    },
  },
  {
    name: 'stop-mid-turn',
    about: 'a stop while a review waits is no verdict',
    complaints: STOPPED,
    async run(world) {
      await world.start()
      const cli = await proposeEdit(world)
      await world.reviewsWaiting(1)
      await world.stop()
      await sleep(500)
      check(!await cli.terminal.shows(/User rejected|SCRIPT-DONE/),
        'the CLI took the stop for a verdict')
      await cli.sayYes()
      await cli.done('edit')
      world.expectFile(FILE, NEW)
    },
  },
  {
    name: 'self-approve',
    about: 'an agent cannot accept its own change from its shell, nor do ' +
      'what else is the person\'s, with children of every kind',
    async run(world) {
      const answers = world.path('log/answers.txt')
      const file_path = world.file(FILE)
      fs.writeFileSync(world.path('bin/approve'), APPROVE, { mode: 0o755 })
      fs.writeFileSync(world.path('bin/try'), TRY, { mode: 0o755 })
      world.write(FILE, OLD)
      world.api.script('edit',
        call('Bash', {
          command: `approve ${answers}`,
          description: 'Accept my own change',
          run_in_background: true,
        }),
        call('Read', { file_path }),
        call('Edit', { file_path, old_string: 'one',
          new_string: 'ONE' }))
      await world.start()
      await world.dovetail('hook', 'install', 'claude', '--yes')
      const cli = await world.connect({ args: ['--allowedTools=Bash'] })
      await cli.play('edit')
      await cli.showsDiff()
      await until(() => fs.existsSync(answers),
        'the agent\'s commands did not end')

      const tries = fs.readFileSync(answers, 'utf8').trim().split('\n')
      const count = Object.keys(CHILDREN).length * PERSONS.length
      check(tries.length === count, `${tries.length} tries, not ${count}`)
      for (const answer of tries)
        check(/: exit 4: dovetail: an agent cannot/.test(answer),
          `the agent was not refused: ${answer}`)
      check(tries.some(t => t.startsWith('settings:') &&
        t.includes('DOVETAIL_AGENT')), 'the settings set no mark')
      await world.reviewsWaiting(1)
      world.expectFile(FILE, OLD)
      await acceptEdit(world, cli)
    },
  },
  {
    name: 'run-claude',
    about: 'dovetail run claude starts daemon and CLI, and they connect; ' +
      'a proxy is kept from what is on this machine',
    async run(world) {
      world.write(FILE, OLD)
      scriptEdit(world, 'edit', 'one', 'ONE')
      const cli = await world.launch([], {
        through: ['dovetail', 'run', 'claude', '--'],
        env: { NO_PROXY: 'example.org' },
      })
      await cli.connected()
      await cli.play('edit')
      await acceptEdit(world, cli)
    },
  },
  ...hookScenarios,
  ...downScenarios,
  ...ruleScenarios,
  ...wordsScenarios,
  ...mcpScenarios,
  ...diagnosticsScenarios,
]
