/*
 * diagnostics-scenarios.mjs - what language servers and linters find reaches
 * the model: the CLI asks before an edit and after it, and tells what is new.
 */
import fs from 'node:fs'
import path from 'node:path'

import { call } from './fake-api.mjs'
import { check } from './wait.mjs'

/* The old problem is there before, so it is not told as a new one. */
const C = {
  file: 'calc.c',
  text: '#warning old\nint twice(int n)\n{\n\treturn 2 * n;\n}\n',
  good: '2 * n',
  bad: '2 * m',
  old: /\bold\b/i,
  new: /calc\.c:\n.* \[Line 4:13\] Use of undeclared identifier 'm'/,
}
const PYTHON = {
  file: 'calc.py',
  text: 'import nowhere_to_be_found\n\n\ndef twice(n: int) -> int:\n' +
    '    return 2 * n\n',
  good: '2 * n',
  bad: '2 * m',
  old: /nowhere_to_be_found/,
  new: /calc\.py:\n.* \[Line 5:16\] "m" is not defined/,
}
const SHELL = {
  file: 'calc.sh',
  text: '#!/bin/sh\nunused=1\necho "$1"\n',
  good: '"$1"',
  bad: '"$1',
  old: /unused/,
  new: /calc\.sh:\n[\s\S]* \[Line 3:6\] Couldn't parse this double quoted string/,
}

/* Pyright as npm has it, and Node to run it. */
function addPyright(world) {
  const bin = path.join(process.env.NPM_DIR, 'node_modules/.bin')
  fs.symlinkSync(process.execPath, world.path('bin/node'))
  fs.symlinkSync(fs.realpathSync(path.join(bin, 'pyright-langserver')),
    world.path('bin/pyright-langserver'))
}

/*
 * A turn that breaks the file.  It was looked at before, as it is when somebody
 * works there.  A server that is slow has until the end of the turn.
 */
async function breakCode(world, code) {
  const file_path = world.file(code.file)
  const pause = call('Bash', { command: 'sleep 3', description: 'Wait' })
  world.write(code.file, code.text)
  world.api.script('break',
    call('Read', { file_path }),
    call('Edit', { file_path, old_string: code.good,
      new_string: code.bad }),
    pause, call('Read', { file_path }))
  await world.start()
  const known = JSON.parse(await world.dovetail('call', 'getDiagnostics',
    `filePath=${file_path}`))
  check(code.old.test(JSON.stringify(known.diagnostics)),
    `before the edit this is known: ${JSON.stringify(known)}`)
  const cli = await world.connect({
    mode: 'acceptEdits', args: ['--allowedTools=Bash'],
  })
  await cli.play('break')
  await cli.done('break')
  world.expectFile(code.file, code.text.replace(code.good, code.bad))
  const told = world.api.told(
    /<new-diagnostics>[\s\S]*?<\/new-diagnostics>/)
  check(told, 'the model was told of no new problems')
  const news = String(told).match(
    /<new-diagnostics>[\s\S]*?<\/new-diagnostics>/)[0]
  check(code.new.test(news), `the model was told: ${news}`)
  check(!code.old.test(news), `what was there before is new: ${news}`)
}

export const diagnosticsScenarios = [
  {
    name: 'diagnostics-clangd',
    about: 'an edit that breaks C is told to the model, by clangd',
    run: world => breakCode(world, C),
  },
  {
    name: 'diagnostics-pyright',
    about: 'an edit that breaks Python is told to the model, by pyright',
    async run(world) {
      addPyright(world)
      await breakCode(world, PYTHON)
    },
  },
  {
    name: 'diagnostics-linter',
    about: 'where there is no language server a linter is heard',
    run: world => breakCode(world, SHELL),
  },
  {
    name: 'diagnostics-cold',
    about: 'a server that has yet to start keeps nobody waiting, and is ' +
      'heard with the next prompt',
    async run(world) {
      const file_path = world.file(C.file)
      world.write(C.file, C.text)
      world.api.script('break',
        call('Read', { file_path }),
        call('Edit', { file_path, old_string: C.good,
          new_string: C.bad }))
      world.api.script('next')
      await world.start()
      const cli = await world.connect({ mode: 'acceptEdits' })
      await cli.play('break')
      await cli.done('break')
      await cli.play('next')
      await cli.done('next')
      check(world.api.told(/<new-diagnostics>[\s\S]*identifier 'm'/),
        'the model was not told')
    },
  },
  {
    name: 'model-diag',
    about: 'the model asks for the problems of a file, and gets those of ' +
      'clangd and of pyright',
    async run(world) {
      addPyright(world)
      await world.start()
      for (const { file, text, good, bad } of [C, PYTHON]) {
        world.write(file, text.replace(good, bad))
        await world.dovetail('call', 'getDiagnostics',
          `filePath=${world.file(file)}`)
      }
      world.api.script('diag',
        call('mcp__ide__getDiagnostics',
          { uri: `file://${world.file(C.file)}` }),
        call('mcp__ide__getDiagnostics', {}))
      const cli = await world.connect({
        args: ['--allowedTools=mcp__ide__getDiagnostics'],
      })
      await cli.play('diag')
      await cli.done('diag')
      for (const text of [/undeclared identifier 'm'/,
        /\\"m\\" is not defined/])
        check(world.api.toolSaid(text), `the model did not read ${text}`)
    },
  },
]
