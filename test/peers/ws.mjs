/*
 * ws.mjs BUILD - the npm package ws against ws-echo and ws-echo-client: it is
 * another implementation of RFC 6455, and lets us send it what is forbidden.
 */
import { once } from 'node:events'

import { check, freePort, require, same, start, trial, untilListening }
  from './trial.mjs'

const WebSocket = require('ws')
const [build] = process.argv.slice(2)
const LIMIT = 64 << 20 /* base/limits.h: DT_LIMIT_MESSAGE */
const SIZES = [0, 1, 125, 126, 127, 65535, 65536, (1 << 20) + 1, 16 << 20]

function pattern(size) {
  const bytes = Buffer.alloc(size)
  for (let i = 0; i < size; i++)
    bytes[i] = i * 31 + (i >> 8)
  return bytes
}

async function expectEcho(ws, data, isBinary) {
  const [found, foundBinary] = await once(ws, 'message')
  same(foundBinary, isBinary, 'isBinary')
  check(found.equals(Buffer.from(data)), `${found.length} bytes came back, ` +
    `and not the ${Buffer.byteLength(data)} that were sent`)
}

async function expectClose(ws, wanted) {
  const [code, reason] = await once(ws, 'close')
  same(code, wanted, 'the close code')
  return reason.toString()
}

/* The same whichever end is ours; `ws` is the other one, and open. */
const conversations = {
  'text comes back as text': async ws => {
    for (const text of ['', 'hello', 'Grüße, 世界 \u{1f600}', '\0']) {
      ws.send(text)
      await expectEcho(ws, text, false)
    }
  },

  'binary messages of all sizes come back': async ws => {
    for (const size of SIZES) {
      const bytes = pattern(size)
      ws.send(bytes)
      await expectEcho(ws, bytes, true)
    }
  },

  'a message of exactly the limit comes back': async ws => {
    const text = 'x'.repeat(LIMIT)
    ws.send(text)
    await expectEcho(ws, text, false)
  },

  'a thousand messages keep their order': async ws => {
    for (let i = 0; i < 1000; i++)
      ws.send(`message ${i}`)
    let count = 0
    await new Promise((done, fail) => {
      ws.on('message', data => {
        if (data.toString() !== `message ${count}`)
          fail(new Error(`${data} came as number ${count}`))
        if (++count === 1000)
          done()
      })
    })
  },

  'fragments are joined around pings': async ws => {
    const pong = once(ws, 'pong')
    /* The cut goes through the middle of a character. */
    const parts = ['', 'frag', Buffer.from([0xc3]), Buffer.from([0xa4]), '']
    for (const part of parts) {
      ws.send(part, { fin: false, binary: false })
      ws.ping('still there?')
    }
    ws.send('ments', { fin: true, binary: false })
    await expectEcho(ws, 'fragäments', false)
    same((await pong)[0].toString(), 'still there?', 'the pong')
  },

  'large fragments are joined': async ws => {
    const bytes = pattern(3 << 20)
    for (let i = 0; i < 3; i++)
      ws.send(bytes.subarray(i << 20, (i + 1) << 20), { fin: i === 2 })
    await expectEcho(ws, bytes, true)
  },

  'pings are answered with what they carry': async ws => {
    for (const text of ['', 'x', 'x'.repeat(125)]) {
      ws.ping(text)
      same((await once(ws, 'pong'))[0].toString(), text, 'the pong')
    }
    ws.pong('nobody asked') /* and it is left alone */
    ws.send('alive')
    await expectEcho(ws, 'alive', false)
  },

  'text that is not UTF-8 ends with 1007': async ws => {
    ws.send(Buffer.from([0x61, 0xc3, 0x28]), { binary: false })
    check(await expectClose(ws, 1007), 'no reason is given')
  },

  'text that ends inside a character ends with 1007': async ws => {
    ws.send(Buffer.from([0x61, 0xc3]), { binary: false })
    await expectClose(ws, 1007)
  },

  'a message that is too large ends with 1009': async ws => {
    ws.send(Buffer.alloc(LIMIT + 1))
    await expectClose(ws, 1009)
  },

  'fragments that are too large together end with 1009': async ws => {
    ws.send(Buffer.alloc(LIMIT), { fin: false })
    ws.send(Buffer.alloc(1))
    await expectClose(ws, 1009)
  },

  'a compressed frame ends with 1002': async ws => {
    ws._socket.write(ws._isServer
      ? Buffer.from([0xc1, 0x00]) : Buffer.from([0xc1, 0x80, 1, 2, 3, 4]))
    await expectClose(ws, 1002)
  },
}

for (const code of [1000, 1001, 1003, 1011, 3000, 4999]) {
  conversations[`close code ${code} comes back`] = async ws => {
    ws.close(code, 'a reason')
    await expectClose(ws, code)
  }
}
conversations['a close without a code comes back without one'] = async ws => {
  ws.close()
  await expectClose(ws, 1005)
}

/* Everything against our server. */

async function withServer(run) {
  const port = await freePort()
  const echo = start(`${build}/test/ws-echo`, [String(port)])
  await untilListening(port)
  await run(`ws://127.0.0.1:${port}`)
  echo.stop()
  await trial('ws-echo: nothing is left behind', async () =>
    same(await echo.status(), 0, 'the exit status'))
}

async function connect(url, options) {
  const ws = new WebSocket(`${url}/path?query`, options)
  await once(ws, 'open')
  same(ws.extensions, '', 'what was negotiated')
  return ws
}

async function judgeServer(url) {
  for (const [name, run] of Object.entries(conversations)) {
    await trial(`ws-echo: ${name}`, async () => {
      const ws = await connect(url)
      await run(ws)
      ws.terminate()
    })
  }
  await trial('ws-echo: an unmasked frame ends with 1002', async () => {
    const ws = await connect(url)
    ws.send('hello', { mask: false })
    await expectClose(ws, 1002)
  })
  await trial('ws-echo: another version is refused with 426', async () => {
    const ws = new WebSocket(url, { protocolVersion: 8 })
    const [request, response] = await once(ws, 'unexpected-response')
    request.destroy()
    same(response.statusCode, 426, 'the status')
  })
  await trial("ws-echo: Node's own client", async () => {
    const ws = new globalThis.WebSocket(url)
    await once(ws, 'open')
    ws.send('hello')
    const [event] = await once(ws, 'message')
    same(event.data, 'hello', 'the message')
    ws.close(3001, 'done')
    same((await once(ws, 'close'))[0].code, 3001, 'the close code')
  })
  await trial('ws-echo: fifty connections at once', async () => {
    const all = Array.from({ length: 50 }, async (_, i) => {
      const ws = await connect(url)
      ws.send(`number ${i}`)
      await expectEcho(ws, `number ${i}`, false)
      ws.close(1000)
      await expectClose(ws, 1000)
    })
    await Promise.all(all)
  })
}

/* Everything against our client; each needs a new one. */

async function serve(options, run) {
  const server = new WebSocket.Server({ host: '127.0.0.1', port: 0,
    maxPayload: 2 * LIMIT, ...options })
  await once(server, 'listening')
  const { port } = server.address()
  const client = start(`${build}/test/ws-echo-client`,
    [`ws://127.0.0.1:${port}/a/path?with=a&query`])
  try {
    await run(server, client)
  } finally {
    for (const ws of server.clients)
      ws.terminate()
    server.close()
    client.stop()
  }
}

async function judgeClient() {
  for (const [name, run] of Object.entries(conversations)) {
    await trial(`ws-echo-client: ${name}`, () =>
      serve({}, async (server, client) => {
        const [ws, request] = await once(server, 'connection')
        same(request.url, '/a/path?with=a&query', 'the target')
        await run(ws)
        if (ws.readyState === WebSocket.OPEN)
          ws.close()
        same(await client.status(), 0, 'the exit status')
      }))
  }
  await trial('ws-echo-client: a masked frame ends with 1002', () =>
    serve({}, async (server, client) => {
      const [ws] = await once(server, 'connection')
      ws.send('hello', { mask: true })
      await expectClose(ws, 1002)
      same(await client.status(), 0, 'the exit status')
    }))
  await trial('ws-echo-client: a refusal is a failure', () =>
    serve({ verifyClient: () => false }, async (_, client) =>
      same(await client.status(), 1, 'the exit status')))
  await trial('ws-echo-client: a subprotocol nobody offered', () =>
    serve({}, async (server, client) => {
      server.on('headers', headers =>
        headers.push('Sec-WebSocket-Protocol: mcp'))
      same(await client.status(), 1, 'the exit status')
    }))
}

await withServer(judgeServer)
await judgeClient()
