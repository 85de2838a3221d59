/*
 * mcp_clients.mjs BUILD - the official clients of MCP against the daemon's
 * general face: the SDK as it was with each revision, by each way there is,
 * and the Inspector's command line.
 *
 * They come as a user's clients do: with the token as bearer, or by `dovetail
 * mcp`.  The SDK's WebSocket cannot send a header, so the one it finds in the
 * global scope does.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { promisify } from 'node:util'

import {
  check, require, same, serveProject, trial, until,
} from './trial.mjs'

const modules = `${process.env.NPM_DIR}/node_modules`
const official = `${modules}/@modelcontextprotocol`
const [build] = process.argv.slice(2)
const { daemon, project, port, token } = await serveProject(build)
const authorization = `Bearer ${token}`
const relay = ['mcp', '--workspace', project]

fs.writeFileSync(`${project}/oak.txt`, 'old wood\n')

globalThis.WebSocket = class extends require('ws') {
  constructor(url, protocols) {
    super(url, protocols, { headers: { authorization } })
  }
}

/* The SDKs.  `ways` make a transport each; `options` are the client's. */

const pipe = ({ StdioClientTransport }) => new StdioClientTransport({
  command: `${build}/dovetail`, args: relay, env: process.env,
})
const http = ({ StreamableHTTPClientTransport }) =>
  new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`),
    { requestInit: { headers: { authorization } } })
const socket = ({ WebSocketClientTransport }) =>
  new WebSocketClientTransport(new URL(`ws://127.0.0.1:${port}/mcp`))

async function load(folder, names) {
  const all = await Promise.all(names.map(
    name => import(`${folder}/dist/esm/client/${name}.js`)))
  return Object.assign({}, ...all)
}

async function loadNew() {
  const { WebSocketClientTransport } =
    await import(`${official}/sdk/dist/esm/client/websocket.js`)
  return {
    ...await import(`${official}/client/dist/index.mjs`),
    ...await import(`${official}/client/dist/stdio.mjs`),
    WebSocketClientTransport, /* the new SDK has none of its own */
  }
}

const OLD = ['index', 'stdio', 'websocket']
const generations = [
  { name: 'sdk 1.6.1', revision: '2024-11-05',
    sdk: await load(`${modules}/mcp-sdk-1.6`, OLD), ways: { pipe, socket } },
  { name: 'sdk 1.12.3', revision: '2025-03-26',
    sdk: await load(`${modules}/mcp-sdk-1.12`, [...OLD, 'streamableHttp']) },
  { name: 'sdk 1.22.0', revision: '2025-06-18',
    sdk: await load(`${modules}/mcp-sdk-1.22`, [...OLD, 'streamableHttp']) },
  { name: 'sdk 1.32.2', revision: '2025-11-25',
    sdk: await load(`${official}/sdk`, [...OLD, 'streamableHttp']) },
  { name: 'client 2.4.0', revision: '2025-11-25', sdk: await loadNew() },
  { name: 'client 2.4.0', revision: '2026-07-28', sdk: await loadNew(),
    options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
]

/* The messages that come by a transport, once it starts. */
function watch(transport) {
  const seen = []
  const begin = transport.start.bind(transport)
  transport.start = () => {
    const take = transport.onmessage
    transport.onmessage = (message, extra) => {
      seen.push(message)
      take(message, extra)
    }
    return begin()
  }
  return seen
}

function revisionIn(messages) {
  for (const { result } of messages)
    if (result?.protocolVersion || result?.supportedVersions)
      return result.protocolVersion ?? result.supportedVersions[0]
}

async function lists(client) {
  const { tools } = await client.listTools()
  for (const name of ['proposeEdit', 'getWorkspaceFolders', 'findFiles'])
    check(tools.some(tool => tool.name === name), `no tool ${name}`)
  const { prompts } = await client.listPrompts()
  same(prompts.length, 36, 'the count of prompts')
  const { resources } = await client.listResources()
  check(resources.some(each => each.uri === 'dovetail://workspace'),
    'no resource dovetail://workspace')
  const { resourceTemplates } = await client.listResourceTemplates()
  const files = resourceTemplates.find(
    each => each.uriTemplate.startsWith('file:///'))
  const prompt = prompts.find(
    each => !each.arguments?.some(argument => argument.required))
  return { files, prompt }
}

async function uses(client, { files, prompt }) {
  const folders = await client.callTool({ name: 'getWorkspaceFolders' })
  check(folders.content[0].text.includes(project), folders.content[0].text)
  const found = await client.callTool(
    { name: 'findFiles', arguments: { pattern: '*.txt' } })
  check(JSON.stringify(found.content).includes('oak.txt'),
    JSON.stringify(found))
  const { contents } = await client.readResource(
    { uri: `file://${project}/oak.txt` })
  same(contents[0].text, 'old wood\n', 'the resource')
  const { messages } = await client.getPrompt({ name: prompt.name })
  same(messages[0].role, 'user', 'the role')
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: files.uriTemplate },
    argument: { name: 'path', value: `${project}/oa` },
  })
  check(completion.values.join().includes('oak.txt'),
    JSON.stringify(completion))
}

async function refuses(client) {
  const wrong = await client.callTool({ name: 'noSuchTool' })
    .then(() => null, error => error)
  same(wrong?.code, -32602, 'the code')
}

/* The daemons of our home, each a parent and a child. */
function daemons() {
  const home = `HOME=${process.env.HOME}`
  return fs.readdirSync('/proc').filter(pid => {
    try {
      const [env, words] = ['environ', 'cmdline'].map(
        name => fs.readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0'))
      return env.includes(home) && words.includes('serve')
    } catch {
      return false /* no process, or a gone one */
    }
  }).length / 2
}

/* A client that hands on no variables but the SDK's own choice. */
async function connectBare(sdk) {
  const client = new sdk.Client({ name: 'bare', version: '1' },
    { capabilities: {} })
  check(!('XDG_RUNTIME_DIR' in sdk.getDefaultEnvironment()),
    'the SDK hands on XDG_RUNTIME_DIR')
  await client.connect(new sdk.StdioClientTransport(
    { command: `${build}/dovetail`, args: relay }))
  return client
}

async function dovetail(...args) {
  const { stdout } = await promisify(execFile)(`${build}/dovetail`, args)
  return stdout
}

async function meetsTheDaemon(sdk) {
  const client = await connectBare(sdk)
  try {
    const { workspaces } = JSON.parse(await dovetail('status', '--json'))
    check(workspaces[0].sessions.some(each => each.agent === 'bare'),
      'the daemon that runs does not know the client')
    same(daemons(), 1, 'the count of daemons')
  } finally {
    await client.close()
  }
}

async function bringsTheDaemon(sdk) {
  const client = await connectBare(sdk)
  try {
    await dovetail('start', '--workspace', project)
    const { workspaces } = JSON.parse(await dovetail('status', '--json'))
    check(workspaces[0].sessions.some(each => each.agent === 'bare'),
      'another daemon was started')
    same(daemons(), 1, 'the count of daemons')
  } finally {
    await client.close()
    await endDaemon()
  }
}

/* What this program starts is an agent's, which may not `dovetail stop`. */
async function endDaemon() {
  const { pid } = JSON.parse(await dovetail('status', '--json'))
  process.kill(pid, 'SIGTERM')
  for (let i = 0; i < 200 && daemons() > 0; i++)
    await new Promise(resolve => setTimeout(resolve, 50))
}

async function play({ sdk, revision, options }, way) {
  const client = new sdk.Client({ name: 'peer', version: '1' },
    { capabilities: {}, ...options })
  const transport = way(sdk)
  const seen = watch(transport)
  try {
    await client.connect(transport)
    same(client.getNegotiatedProtocolVersion?.() ?? revisionIn(seen),
      revision, 'the revision')
    await uses(client, await lists(client))
    await refuses(client)
    if (revision !== '2026-07-28')
      await client.ping()
  } finally {
    await client.close()
  }
}

for (const { name, revision, sdk } of generations)
  await trial(`mcp ${name} (${revision}) with the SDK's environment`,
    () => meetsTheDaemon(sdk))

const WORDS = { pipe: 'stdio', http: 'http', socket: 'websocket' }
for (const generation of generations) {
  const { name, revision, ways = { pipe, http, socket } } = generation
  for (const way of Object.keys(ways))
    await trial(`mcp ${name} (${revision}) over ${WORDS[way]}`,
      () => play(generation, ways[way]))
}

/* The Inspector */

async function inspect(target, ...args) {
  const { stdout } = await promisify(execFile)(process.execPath,
    [`${official}/inspector/clients/launcher/build/index.js`, '--cli',
      ...target, ...args])
  return JSON.parse(stdout)
}

const url = `http://127.0.0.1:${port}/mcp`
const targets = {
  'http, legacy': [url, '--transport', 'http', '--protocol-era', 'legacy',
    '--header', `Authorization: ${authorization}`],
  'http, modern': [url, '--transport', 'http', '--protocol-era', 'modern',
    '--header', `Authorization: ${authorization}`],
  'stdio, legacy': [`${build}/dovetail`, ...relay, '--transport', 'stdio',
    '--protocol-era', 'legacy'],
  'stdio, modern': [`${build}/dovetail`, ...relay, '--transport', 'stdio',
    '--protocol-era', 'modern'],
}
for (const [name, target] of Object.entries(targets))
  await trial(`mcp inspector: ${name}`, async () => {
    const { tools } = await inspect(target, '--method', 'tools/list',
      '--strict')
    check(tools.some(tool => tool.name === 'proposeEdit'), 'no proposeEdit')
    const { content } = await inspect(target, '--method', 'tools/call',
      '--tool-name', 'getWorkspaceFolders')
    check(content[0].text.includes(project), content[0].text)
  })

await trial('mcp clients: the end', async () => {
  daemon.stop()
  same(await daemon.status(), 0, 'the exit status')
})

for (const { name, revision, sdk } of generations)
  await trial(`mcp ${name} (${revision}) starts the daemon for all`,
    () => bringsTheDaemon(sdk))

await trial('mcp clients: no daemon is left', async () => {
  await until(() => daemons() === 0, 'a daemon is left')
  /* Where those were that the clients started. */
  const digest = createHash('sha256').update(process.env.HOME).digest('hex')
  fs.rmSync(`/tmp/dovetail-${process.getuid()}-${digest.slice(0, 8)}`,
    { recursive: true })
})
