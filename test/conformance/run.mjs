/*
 * run.mjs BUILD - the official conformance suite of MCP against our server,
 * over HTTP and, by bridge.mjs, over a WebSocket and a pipe.
 *
 * A scenario passes when none of its checks failed or warned, one at least
 * succeeded, and each message that we sent was valid by the official schema of
 * the revision.  What the suite itself does not score counts here too, but for
 * the extensions that we do not have.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'

import { freePort, require, untilListening } from '../peers/trial.mjs'
import { Bridge } from './bridge.mjs'

const WebSocket = require('ws')
const [build] = process.argv.slice(2)
const program = `${build}/test/conformance-server`
const suite = path.join(process.env.NPM_DIR,
  'node_modules/@modelcontextprotocol/conformance')

const SETS = [
  { revision: '2026-07-28', scored: 37,
    options: ['--requirements', '2026-07-28'] },
  { revision: '2025-11-25', scored: 30,
    options: ['--requirements', '2025-11-25'] },
  { revision: '2025-06-18',
    options: ['--suite', 'all', '--spec-version', '2025-06-18'] },
]
const NOT_DONE = /^(tasks-|sep-2640-skills-)/

/* They judge HTTP itself: over a bridge, the bridge's. */
const HTTP_ONLY = /^(dns-|http-|server-s(se|ession)-)/

/* So do some checks of others.  And on a connection a message of neither era
 * is one of the older, which has another code for it; two changes of lists are
 * told two seconds apart, and the suite waits for less. */
const ELSEWHERE = new RegExp('^sep-2575-(http-.*|' +
  'request-meta-invalid-missing-(meta|protocol-version)|' +
  'server-sends-tools-list-changed-on-subscription)$')

/* The suite sees no messages there, but makes requests of its own. */
const UNSEEN = /^(dns-|server-s(se|ession|tateless))/

function report(name, why) {
  console.log(why ? `not ok ${name}: ${why}` : `ok ${name}`)
  if (why)
    process.exitCode = 1
}

/* servers */

let complaints = ''

/* None is to complain, whatever the suite does with it. */
function serve(...args) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.on('data', data => { complaints += data })
  child.stdin.on('error', () => {}) /* its end is seen below */
  const ended = once(child, 'exit')
  return {
    child,
    async close(signal) {
      child.stdin.end()
      if (signal)
        child.kill(signal)
      const [status] = await ended
      if (status !== 0)
        complaints += `exit status ${status}\n`
    },
  }
}

async function openPipe() {
  const { child, close } = serve('--stdio')
  const link = { close, send: text => child.stdin.write(`${text}\n`) }
  readline.createInterface({ input: child.stdout })
    .on('line', line => link.onMessage(line))
  return link
}

async function openSocket(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/mcp`, 'mcp')
  const link = {
    send: text => socket.send(text),
    async close() {
      socket.close()
      if (socket.readyState !== WebSocket.CLOSED)
        await once(socket, 'close')
    },
  }
  socket.on('message', data => link.onMessage(String(data)))
  await once(socket, 'open')
  return link
}

/* the suite */

async function play(url, { options }, dir) {
  const child = spawn(process.execPath,
    [`${suite}/dist/index.js`, 'server', '--url', url, '-o', dir, ...options],
    { stdio: ['ignore', fs.openSync(`${dir}.log`, 'w'), 'inherit'] })
  await once(child, 'exit')
  return new Map(fs.readdirSync(dir).map(name => {
    const file = `${dir}/${name}/checks.json`
    const [, scenario] = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)
    return [scenario, JSON.parse(fs.readFileSync(file))]
  }))
}

/* Why it did not pass, or nothing. */
function judge(scenario, checks) {
  const failed = checks.find(each => /FAILURE|WARNING/.test(each.status))
  const wire = checks.find(each => each.id === 'wire-schema-valid')
  if (failed)
    return `${failed.id}: ${failed.errorMessage}`
  if (!checks.some(each => each !== wire && each.status === 'SUCCESS'))
    return 'nothing succeeded'
  if (!UNSEEN.test(scenario) && !(wire?.details.messagesValidated > 0))
    return 'no message was held against the schema'
}

/* The scenarios that a revision is scored by, from the suite's own list. */
function scoredBy(revision) {
  const text = fs.readFileSync(`${suite}/requirements/${revision}.yaml`, 'utf8')
  const [, list] = /^server:\n((?: +- .*\n)+)/m.exec(text)
  return list.match(/[\w-]+$/gm)
}

async function run(carrier, set, url) {
  const name = `${carrier} ${set.revision}`
  const dir = path.join(process.env.TMPDIR, name.replace(' ', '-'))
  const results = await play(url, set, dir)
  if (set.scored) {
    const missing = scoredBy(set.revision).filter(each => !results.has(each))
    const count = scoredBy(set.revision).length
    report(`${name}: ${set.scored} scored scenarios`,
      missing.length ? `${missing} did not run`
        : count !== set.scored && `there are ${count}`)
  }
  for (const [scenario, checks] of results) {
    if (NOT_DONE.test(scenario))
      console.log(`not done: ${name} ${scenario}`)
    else if (carrier === 'http')
      report(`${name} ${scenario}`, judge(scenario, checks))
    else if (!HTTP_ONLY.test(scenario))
      report(`${name} ${scenario}`, judge(scenario,
        checks.filter(each => !ELSEWHERE.test(each.id))))
  }
}

async function runBridged(carrier, open) {
  for (const set of SETS) {
    const bridge = new Bridge(open)
    await run(carrier, set, await bridge.listen())
    await bridge.close()
  }
}

const port = await freePort()
const server = serve('--port', String(port))
await untilListening(port)
for (const set of SETS)
  await run('http', set, `http://127.0.0.1:${port}/mcp`)
await runBridged('websocket', () => openSocket(port))
await server.close('SIGTERM')
await runBridged('stdio', openPipe)
report('the servers made no complaint',
  /Sanitizer|runtime error|exit status/.test(complaints) && complaints)
