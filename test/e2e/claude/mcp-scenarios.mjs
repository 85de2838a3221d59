/*
 * mcp-scenarios.mjs - Dovetail as a plain MCP server of the CLI: put there by
 * `claude mcp add`, as the README says, and used by `claude -p`.
 */
import { call } from './fake-api.mjs'
import { check, sleep, until } from './wait.mjs'

const FILE = 'oak.txt'
const DELAY_MS = 3000
const ALLOWED = ['getWorkspaceFolders', 'proposeEdit']
  .map(name => `mcp__dovetail__${name}`).join()

async function claude(world, ...args) {
  const { code, stdout, stderr } = await world.headless(args)
  check(code === 0,
    `claude ${args.join(' ')}: exit ${code}: ${stdout + stderr}`)
  return stdout
}

/* The CLI closes our form on its own, which is no verdict: the call must still
 * wait when a person comes by later. */
async function acceptLate(world) {
  await until(async () =>
    (await world.dovetailJson('review', 'list')).length > 0,
  'no change was proposed')
  await sleep(DELAY_MS)
  await world.accept()
}

/* A turn that looks, then proposes a change that Dovetail is to write. */
async function useTools(world) {
  world.write(FILE, 'old wood\n')
  world.api.script('tools',
    call('mcp__dovetail__getWorkspaceFolders', {}),
    call('mcp__dovetail__proposeEdit', {
      changes: [{ path: world.file(FILE), text: 'new wood\n' }],
      write: true,
    }))
  const turn = claude(world, '-p', 'DO tools', `--allowedTools=${ALLOWED}`)
  await Promise.all([acceptLate(world), turn])
  check(/SCRIPT-DONE tools$/m.test(await turn), `claude said ${await turn}`)
  check(world.api.toolSaid(new RegExp(world.project)),
    'the folders did not reach the model')
  check(world.api.toolSaid(/accepted/), 'the verdict did not reach the model')
  world.expectFile(FILE, 'new wood\n')
}

async function isConnected(world) {
  const list = await claude(world, 'mcp', 'list')
  check(/dovetail: .*Connected/.test(list), `claude mcp list said ${list}`)
}

export const mcpScenarios = [
  {
    name: 'mcp-stdio',
    about: 'claude mcp add by stdio: the CLI starts the relay, which starts ' +
      'the daemon, and a turn calls our tools',
    async run(world) {
      await claude(world, 'mcp', 'add', 'dovetail', '--', 'dovetail', 'mcp')
      await isConnected(world)
      await useTools(world)
    },
  },
  {
    name: 'mcp-http',
    about: 'claude mcp add by HTTP with the token: a turn calls our tools',
    async run(world) {
      const { port, authToken } = await world.start()
      await claude(world, 'mcp', 'add', '--transport', 'http', 'dovetail',
        `http://127.0.0.1:${port}/mcp`,
        '--header', `Authorization: Bearer ${authToken}`)
      await isConnected(world)
      await useTools(world)
    },
  },
]
