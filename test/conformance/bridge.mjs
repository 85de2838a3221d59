/*
 * bridge.mjs - Streamable HTTP in front of a server that speaks MCP over a
 * pipe or a WebSocket.
 *
 * The official suite knows HTTP only.  Here each of its messages is handed on
 * as it is and each answer handed back as it is, so that the suite judges the
 * server's other transports too.  What HTTP adds is the bridge's own: status
 * codes, session ids, and to which of the open answers a message belongs.
 */
import { once } from 'node:events'
import http from 'node:http'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'
const STATUS = {
  [-32601]: 404, [-32602]: 400, [-32020]: 400, [-32021]: 400, [-32022]: 400,
}
const MOST_SESSIONS = 4

/* One HTTP request that waits for its answer. */
class Exchange {
  constructor(request, res) {
    this.request = request
    this.res = res
  }

  get isListening() {
    return this.request?.method === 'subscriptions/listen'
  }

  owns({ params }) {
    const meta = this.request?.params?._meta
    return params?._meta?.[SUBSCRIPTION] === this.request?.id ||
      (params?.progressToken !== undefined &&
        params.progressToken === meta?.progressToken)
  }

  event(text) {
    if (!this.res.headersSent)
      this.res.writeHead(200, { 'content-type': 'text/event-stream' })
    this.res.write(`data: ${text}\n\n`)
  }

  answer(text, { error }) {
    if (this.res.headersSent) {
      this.event(text)
      return this.res.end()
    }
    const isModern = this.request.params?._meta?.[VERSION]
    const status = (isModern && STATUS[error?.code]) || 200
    this.res.writeHead(status, { 'content-type': 'application/json' })
    this.res.end(text)
  }
}

/* One connection to the server and what waits on it. */
class Conversation {
  #open = new Map() /* Exchange by the id of its request */
  #general = null

  constructor(link) {
    this.link = link
    link.onMessage = text => this.#take(text)
  }

  #take(text) {
    const message = JSON.parse(text)
    const isAnswer = message.method === undefined
    const key = JSON.stringify(message.id)
    if (isAnswer && this.#open.has(key)) {
      this.#open.get(key).answer(text, message)
      this.#open.delete(key)
    } else if (!isAnswer) {
      this.#findFor(message)?.event(text)
    }
  }

  /* What names none goes with the youngest call. */
  #findFor(message) {
    const open = [...this.#open.values()]
    return open.find(each => each.owns(message)) ??
      open.findLast(each => !each.isListening) ?? this.#general
  }

  post(message, text, res) {
    const isRequest = message.method !== undefined && message.id !== undefined
    if (!isRequest) {
      this.link.send(text)
      return res.writeHead(202).end()
    }
    const key = JSON.stringify(message.id)
    this.#open.set(key, new Exchange(message, res))
    res.on('close', () => {
      if (!res.writableFinished && this.#open.delete(key))
        this.#cancel(message.id)
    })
    this.link.send(text)
  }

  /* Over HTTP a closed stream says it; elsewhere a message does. */
  #cancel(requestId) {
    this.link.send(JSON.stringify({
      jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId },
    }))
  }

  get(res) {
    this.#general = new Exchange(null, res)
    res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    res.on('close', () => { this.#general = null })
  }
}

export class Bridge {
  #open
  #sessions = new Map()
  #stateless
  #server = http.createServer((req, res) =>
    this.#handle(req, res).catch(error =>
      res.writeHead(502).end(String(error))))
  #count = 0

  /* `open` connects to the server: { send(text), close(), onMessage }. */
  constructor(open) {
    this.#open = open
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${this.#server.address().port}/mcp`
  }

  async close() {
    this.#server.closeAllConnections()
    this.#server.close()
    const all = [...this.#sessions.values(), await this.#stateless]
    await Promise.all(all.map(each => each?.link.close()))
  }

  async #begin(res) {
    const id = String(++this.#count)
    this.#sessions.set(id, new Conversation(await this.#open()))
    for (const [old, conversation] of this.#sessions) {
      if (this.#sessions.size <= MOST_SESSIONS)
        break
      this.#sessions.delete(old)
      await conversation.link.close()
    }
    res.setHeader('mcp-session-id', id)
    return this.#sessions.get(id)
  }

  async #handle(req, res) {
    const id = req.headers['mcp-session-id']
    const session = this.#sessions.get(id)
    const text = Buffer.concat(await req.toArray()).toString()
    if (req.method === 'GET')
      return session ? session.get(res) : res.writeHead(405).end()
    if (req.method === 'DELETE') {
      this.#sessions.delete(id)
      await session?.link.close()
      return res.writeHead(200).end()
    }
    const message = JSON.parse(text)
    const isModern = message.params?._meta?.[VERSION] !== undefined
    const conversation = !isModern && message.method === 'initialize'
      ? await this.#begin(res)
      : session ?? await (this.#stateless ??=
        this.#open().then(link => new Conversation(link)))
    conversation.post(message, text, res)
  }
}
