/*
 * trial.mjs - what the trials with Node's peers share: one line for each
 * result, programs that are started and stopped, and free ports.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import path from 'node:path'

const PATIENCE_MS = 20_000

/* A package of test/npm. */
export const require = createRequire(`${process.env.NPM_DIR}/package.json`)

export function check(holds, sentence) {
  if (!holds)
    throw new Error(sentence)
}

export function same(found, wanted, what = 'it') {
  const [a, b] = [found, wanted].map(value => JSON.stringify(value))
  check(a === b, `${what} is ${a}, not ${b}`)
}

/* One test: passed when the function returns in time. */
export async function trial(name, run) {
  let timer
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error('it takes too long')),
      PATIENCE_MS)
  })
  try {
    await Promise.race([run(), late])
    console.log(`ok ${name}`)
  } catch (error) {
    console.log(`not ok ${name}: ${error.message}`)
    process.exitCode = 1
  }
  clearTimeout(timer)
}

export function freePort() {
  return new Promise(done => {
    const server = net.createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

/* None outlives us, whatever happens here. */
const children = new Set()
process.on('exit', () => children.forEach(child => child.kill()))

/* A program; its complaints are shown, and status() waits for its end. */
export function start(program, args, options = {}) {
  const child = spawn(program, args,
    { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  const ended = once(child, 'exit')
  children.add(child)
  child.on('exit', () => children.delete(child))
  return {
    stop: () => child.kill('SIGTERM'),
    status: async () => {
      const [code, signal] = await ended
      return code ?? signal
    },
  }
}

export async function until(holds, sentence) {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds())
      return
    await new Promise(done => setTimeout(done, 20))
  }
  throw new Error(sentence)
}

function isListening(port) {
  const socket = net.connect(port, '127.0.0.1')
  return new Promise(done => {
    socket.on('connect', () => done(true))
    socket.on('error', () => done(false))
  }).finally(() => socket.destroy())
}

export function untilListening(port) {
  return until(() => isListening(port), `nobody listens on port ${port}`)
}

/* The daemon with a project of its own, and what lets clients in. */
export async function serveProject(build) {
  const project = fs.mkdtempSync(path.join(process.env.TMPDIR, 'project-'))
  const port = await freePort()
  const daemon = start(`${build}/dovetail`,
    ['serve', '--workspace', project, '--port', String(port)])
  const lockFile = `${process.env.HOME}/.claude/ide/${port}.lock`
  await until(() => fs.existsSync(lockFile), 'the daemon wrote no lock file')
  const { authToken } = JSON.parse(fs.readFileSync(lockFile))
  return { daemon, project: fs.realpathSync(project), port, token: authToken }
}
