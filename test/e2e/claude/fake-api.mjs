/*
 * fake-api.mjs - a stand-in for the Messages API: no model, no network.
 *
 * A scenario registers scripts, which are lists of tool calls under a name.
 * The prompt "DO name" makes the "model" issue those calls one after another (an
 * array of them: all at once)
 * and then say "SCRIPT-DONE name", or "SCRIPT-DONE name (tool error)" as soon
 * as one of them failed.  Every request is kept in memory and appended to a
 * log, so that a scenario can ask what the model was told (api-grep.mjs).
 */
import fs from 'node:fs'
import http from 'node:http'

import { grep } from './api-grep.mjs'

const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/* One tool call of a script. */
export const call = (name, input) => ({ name, input })

const textsOf = content =>
  typeof content === 'string'
    ? [content]
    : (content ?? []).filter(b => b.type === 'text').map(b => b.text)

const blocksOf = (message, role, type) =>
  message.role === role && Array.isArray(message.content)
    ? message.content.filter(b => b.type === type)
    : []

/* The CLI wraps what it adds to a prompt by itself in these tags. */
const withoutReminders = text =>
  text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')

function scriptIn(message) {
  if (message.role !== 'user')
    return null
  for (const text of textsOf(message.content)) {
    const hit = withoutReminders(text).match(/\bDO ([\w-]+)/)
    if (hit)
      return hit[1]
  }
  return null
}

/* The calls that follow `count` of a script's; none when it is through. */
function callsAfter(script, count) {
  for (const step of script) {
    if (count <= 0)
      return [step].flat()
    count -= [step].flat().length
  }
  return []
}

/* Which script the conversation is in, and how far it has come. */
function progress(messages) {
  for (let i = messages.length - 1; i >= 0; i--) {
    const name = scriptIn(messages[i])
    if (!name)
      continue
    const since = messages.slice(i + 1)
    const calls = since.flatMap(m => blocksOf(m, 'assistant', 'tool_use'))
    const results = since.flatMap(m => blocksOf(m, 'user', 'tool_result'))
    return {
      name,
      step: calls.length,
      failed: results.at(-1)?.is_error === true,
    }
  }
  return null
}

export class FakeApi {
  #server
  #scripts = new Map()
  #sequence = 0
  #logFile
  requests = []
  url = ''

  static async start(logFile) {
    const api = new FakeApi()
    api.#logFile = logFile
    api.#server = http.createServer((req, res) => api.#receive(req, res))
    await new Promise(done => api.#server.listen(0, '127.0.0.1', done))
    api.url = `http://127.0.0.1:${api.#server.address().port}`
    return api
  }

  stop() {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /* What the prompt "DO name" makes the model do. */
  script(name, ...calls) {
    this.#scripts.set(name, calls)
  }

  /* The first text sent to the model that matches, or null. */
  told(pattern) {
    return grep(this.requests, pattern, 'any')
  }

  /* The same for the results of tools that did not fail. */
  toolSaid(pattern) {
    return grep(this.requests, pattern, 'tool_result')
  }

  #receive(req, res) {
    const chunks = []
    req.on('data', chunk => chunks.push(chunk))
    req.on('end', () => {
      const path = req.url.split('?')[0]
      const raw = Buffer.concat(chunks).toString()
      if (req.method === 'POST' && path === '/v1/messages')
        return this.#answer(JSON.parse(raw), res)
      const found = req.method === 'POST'
      res.writeHead(found ? 200 : 404,
        { 'content-type': 'application/json' })
      res.end(path.endsWith('/count_tokens')
        ? '{"input_tokens":42}' : '{}')
    })
  }

  #answer(body, res) {
    const next = this.#decide(body)
    const entry = {
      time: new Date().toISOString(),
      tools: (body.tools ?? []).map(t => t.name),
      messages: body.messages,
      reply: next,
    }
    this.requests.push(entry)
    fs.appendFileSync(this.#logFile, JSON.stringify(entry) + '\n')
    this.#send(res, body, next)
  }

  /* The CLI also asks for titles and the like; those carry no Read tool. */
  #decide(body) {
    if (!(body.tools ?? []).some(t => t.name === 'Read'))
      return [{ type: 'text', text: 'ok' }]
    const at = progress(body.messages)
    const script = this.#scripts.get(at?.name)
    if (!script)
      return [{ type: 'text', text: `NO-SCRIPT ${at?.name}` }]
    const done = `SCRIPT-DONE ${at.name}`
    if (at.failed)
      return [{ type: 'text', text: `${done} (tool error)` }]
    const calls = callsAfter(script, at.step)
    if (calls.length === 0)
      return [{ type: 'text', text: done }]
    return calls.map(({ name, input }) => ({ type: 'tool_use', name, input }))
  }

  #send(res, body, next) {
    const number = String(++this.#sequence).padStart(6, '0')
    const blocks = next.map((block, i) => block.type === 'text'
      ? block : { id: `toolu_${number}_${i}`, ...block })
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: blocks,
      stop_reason: next[0].type === 'text' ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: USAGE,
    }
    if (body.stream)
      return stream(res, message)
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(message))
  }
}

/* One finished message as the events of a streamed one. */
function stream(res, message) {
  const event = (type, fields) => res.write(
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)

  res.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
  })
  event('message_start', {
    message: { ...message, content: [], stop_reason: null },
  })
  message.content.forEach((block, index) => {
    const isText = block.type === 'text'
    event('content_block_start', {
      index,
      content_block: isText
        ? { type: 'text', text: '' } : { ...block, input: {} },
    })
    event('content_block_delta', {
      index,
      delta: isText
        ? { type: 'text_delta', text: block.text }
        : {
          type: 'input_json_delta',
          partial_json: JSON.stringify(block.input),
        },
    })
    event('content_block_stop', { index })
  })
  event('message_delta', {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: USAGE.output_tokens },
  })
  event('message_stop', {})
  res.end()
}
