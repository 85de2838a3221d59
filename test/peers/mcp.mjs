/*
 * mcp.mjs BUILD - the official SDK of the Model Context Protocol against the
 * daemon's Claude Code face.  Its WebSocket transport cannot send the header
 * with the token, so the WebSocket it finds in the global scope does that.
 */
import { check, require, same, serveProject, trial } from './trial.mjs'

const WebSocket = require('ws')
const sdk = `${process.env.NPM_DIR}/node_modules/@modelcontextprotocol/sdk`
const { Client } = await import(`${sdk}/dist/esm/client/index.js`)
const { WebSocketClientTransport } =
  await import(`${sdk}/dist/esm/client/websocket.js`)
const { EmptyResultSchema } = await import(`${sdk}/dist/esm/types.js`)
const [build] = process.argv.slice(2)

const { daemon, project, port, token: rightToken } = await serveProject(build)

/* A WebSocket with the token that `connect` was given. */
async function connect(token) {
  globalThis.WebSocket = class extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols,
        { headers: { 'x-claude-code-ide-authorization': token } })
    }
  }
  const client = new Client({ name: 'peer', version: '1' })
  await client.connect(
    new WebSocketClientTransport(new URL(`ws://127.0.0.1:${port}`)))
  return client
}

await trial('mcp sdk: a wrong token is refused', async () => {
  const failure = await connect('wrong').then(() => null, error => error)
  check(failure, 'it was let in')
  check(/401/.test(failure.message), failure.message)
})

let client
await trial('mcp sdk: initialize', async () => {
  client = await connect(rightToken)
  check(client.getServerVersion().name, 'the server has no name')
  check(client.getServerCapabilities().tools, 'the server has no tools')
})

await trial('mcp sdk: ping', () => client.ping())

await trial('mcp sdk: tools/list', async () => {
  const { tools } = await client.listTools()
  const names = tools.map(tool => tool.name)
  for (const name of ['openFile', 'openDiff', 'getWorkspaceFolders'])
    check(names.includes(name), `${name} is missing from ${names}`)
  for (const tool of tools)
    same(tool.inputSchema.type, 'object', `the schema of ${tool.name}`)
})

await trial('mcp sdk: tools/call', async () => {
  const { content } = await client.callTool({ name: 'getWorkspaceFolders' })
  same(content[0].type, 'text', 'the content')
  check(content[0].text.includes(project), content[0].text)
})

await trial('mcp sdk: a tool that does not exist is an error', async () => {
  const outcome = await client.callTool({ name: 'noSuchTool' })
    .then(result => result.isError, () => true)
  check(outcome, 'it was called')
})

await trial('mcp sdk: an unknown method is an error', async () => {
  const failure = await client.request({ method: 'no/such' }, EmptyResultSchema)
    .then(() => null, error => error)
  same(failure?.code, -32601, 'the code')
})

await trial('mcp sdk: two clients with equal ids', async () => {
  const other = await connect(rightToken)
  const all = await Promise.all([client, other].flatMap(each =>
    Array.from({ length: 20 }, () => each.ping())))
  same(all.length, 40, 'the count of answers')
  await other.close()
})

await trial('mcp sdk: the end', async () => {
  await client.close()
  daemon.stop()
  same(await daemon.status(), 0, 'the exit status')
})
