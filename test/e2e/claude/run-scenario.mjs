/*
 * run-scenario.mjs - play scenarios, a few at a time, each in its own world.
 *
 *     node run-scenario.mjs [--list] [NAME...]
 *
 * Prints "ok e2e-claude/NAME" or "not ok e2e-claude/NAME: why" for each and
 * exits 0 when all are ok, 1 when not, 2 when it cannot begin.
 *
 * Environment: DOVETAIL, CLAUDE_BIN (programs), ARTIFACTS (what is kept of a
 * failure; .cache/check/e2e-claude), JOBS (3), KEEP=1 (keep of every run),
 * E2E_TIMEOUT (seconds per wait, 20).
 */
import fs from 'node:fs'
import path from 'node:path'

import { scenarios } from './scenarios.mjs'
import { Failure } from './wait.mjs'
import { World } from './world.mjs'

const jobs = Number(process.env.JOBS ?? 3)
const artifacts = process.env.ARTIFACTS ?? '.cache/check/e2e-claude'
const worlds = new Set()

function complain(message) {
  console.error(`run-scenario: ${message}`)
  process.exit(2)
}

function program(variable, hint) {
  const file = process.env[variable]
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.realpathSync(file)
  } catch {
    return complain(`${variable} is to be the path of ${hint}`)
  }
}

function chosen(names) {
  const known = new Map(scenarios.map(s => [s.name, s]))
  for (const name of names)
    if (!known.has(name))
      complain(`there is no scenario "${name}"; try --list`)
  return names.length > 0 ? names.map(n => known.get(n)) : [...scenarios]
}

/* Play one scenario; gives the reason why it failed, or nothing. */
async function play(scenario, programs) {
  const dir = path.join(artifacts, scenario.name)
  const { config } = scenario
  const world = await World.create({ ...programs, config })
  let why
  worlds.add(world)
  try {
    await scenario.run(world)
    world.expectNoComplaints(scenario.complaints)
    await world.stop()
  } catch (error) {
    why = error instanceof Failure ? error.message : error.stack
  }
  try {
    if (why || process.env.KEEP)
      await world.keep(dir)
    else
      fs.rmSync(dir, { recursive: true, force: true })
  } finally {
    await world.destroy()
    worlds.delete(world)
  }
  return why
}

function report(scenario, why, ms) {
  const name = `e2e-claude/${scenario.name}`
  if (!why)
    return console.log(`ok ${name} # ${(ms / 1000).toFixed(1)} s`)
  console.log(`not ok ${name}: ${why.replaceAll('\n', '\n  ')}`)
  console.log(`  see ${path.join(artifacts, scenario.name)}`)
}

async function main(args) {
  if (args.includes('--list')) {
    for (const { name, about } of scenarios)
      console.log(`${name.padEnd(18)} ${about}`)
    return 0
  }
  const queue = chosen(args)
  const programs = {
    claude: program('CLAUDE_BIN', 'the Claude Code CLI'),
    dovetail: program('DOVETAIL', 'the dovetail binary'),
  }
  let failures = 0
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const begin = Date.now()
      const why = await play(next, programs)
      report(next, why, Date.now() - begin)
      failures += why ? 1 : 0
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  return failures > 0 ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, async () => {
    await Promise.allSettled([...worlds].map(world => world.destroy()))
    process.exit(130)
  })

process.exitCode = await main(process.argv.slice(2))
