/*
 * api-grep.mjs - look for a text in what the model was sent.
 *
 *     node api-grep.mjs api.jsonl REGEX [tool_result]
 *
 * prints the first hit in the log of a kept run and exits 0, or exits 1.
 * With "tool_result" only results of tools that did not fail are looked at.
 */
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

const resultText = block =>
  typeof block.content === 'string'
    ? block.content
    : (block.content ?? []).map(b => b.text ?? '').join('\n')

function* texts(content, kind) {
  const blocks = typeof content === 'string'
    ? [{ type: 'text', text: content }] : content ?? []
  for (const block of blocks) {
    if (block.type === 'text' && kind !== 'tool_result')
      yield block.text
    const failed = kind === 'tool_result' && block.is_error
    if (block.type === 'tool_result' && !failed)
      yield resultText(block)
  }
}

/* The first match of `pattern` in any message of `requests`, or null. */
export function grep(requests, pattern, kind) {
  for (const { messages } of requests) {
    for (const message of messages ?? []) {
      for (const text of texts(message.content, kind)) {
        const hit = text.match(pattern)
        if (hit)
          return hit[0]
      }
    }
  }
  return null
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file, pattern, kind] = process.argv
  const requests = fs.readFileSync(file, 'utf8')
    .split('\n').filter(Boolean).map(line => JSON.parse(line))
  const hit = grep(requests, new RegExp(pattern, 's'), kind ?? 'any')
  if (hit !== null)
    console.log(hit)
  process.exitCode = hit === null ? 1 : 0
}
