/*
 * world.mjs - the world one scenario lives in.
 *
 * A directory of its own with home, project and run directories, a daemon, a
 * fake model, and any number of CLIs; nothing of the user's own surroundings
 * is read or written.  The daemon is always the real one, and the person's
 * side acts only by its command line.
 */
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { Claude, firstRunAnswers, offline } from './claude.mjs'
import { FakeApi } from './fake-api.mjs'
import { Tmux } from './terminal.mjs'
import { check, until } from './wait.mjs'

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'
const COMMAND_LIMIT_MS = 60_000

/* A Unix socket's path has room for 107 bytes, run directory included. */
const LONGEST_TEMP_DIR = 50

function tempDir() {
  const dir = os.tmpdir()
  return dir.length <= LONGEST_TEMP_DIR ? dir : '/tmp'
}

/* The ids of all processes for which probe(folder in /proc) holds. */
function processes(probe) {
  return fs.readdirSync('/proc').filter(name => {
    try {
      return /^\d+$/.test(name) && probe(`/proc/${name}`)
    } catch {
      return false /* It is gone, or not ours to look at. */
    }
  }).map(Number)
}

export class World {
  #tmux
  #clis = []
  #launched = 0
  #commandLog

  /*
   * `config` is where the CLI's configuration lives: 'home' (HOME/.claude,
   * named by CLAUDE_CONFIG_DIR), 'unset' (the same place, not named) or
   * 'apart' (a directory that is not HOME/.claude).
   */
  static async create({ claude, dovetail, config = 'home' }) {
    const world = new World()
    world.claudeBin = claude
    world.top = fs.realpathSync(
      fs.mkdtempSync(path.join(tempDir(), 'dt-e2e-')))
    world.#makeDirectories(claude, dovetail)
    world.#configure(config)
    world.#tmux = new Tmux(world.top)
    world.#commandLog = world.path('log/commands.txt')
    world.api = await FakeApi.start(world.path('log/api.jsonl'))
    await world.#command('git', ['init', '-q'])
    return world
  }

  path(name) {
    return path.join(this.top, name)
  }

  get project() {
    return this.path('project')
  }

  get lockDir() {
    return this.path('home/.claude/ide')
  }

  #makeDirectories(claude, dovetail) {
    const names = ['home/.claude', 'config', 'run', 'state', 'xdg', 'tmp',
      'bin', 'log', 'project']
    for (const name of names)
      fs.mkdirSync(this.path(name), { recursive: true, mode: 0o700 })
    fs.symlinkSync(claude, this.path('bin/claude'))
    /* A copy, so that a build meanwhile does not change what is tested. */
    fs.copyFileSync(dovetail, this.path('bin/dovetail'))
  }

  #configure(config) {
    this.configDir = this.path(config === 'apart'
      ? 'config' : 'home/.claude')
    this.env = {
      PATH: `${this.path('bin')}:${SYSTEM_PATH}`,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TMPDIR: this.path('tmp'),
      HOME: this.path('home'),
      XDG_RUNTIME_DIR: this.path('run'),
      XDG_STATE_HOME: this.path('state'),
      XDG_CONFIG_HOME: this.path('xdg'),
      ASAN_OPTIONS: `log_path=${this.path('log/sanitizer')}`,
      UBSAN_OPTIONS: `log_path=${this.path('log/sanitizer')}`,
    }
    if (config !== 'unset')
      this.env.CLAUDE_CONFIG_DIR = this.configDir
    const file = config === 'unset'
      ? this.path('home/.claude.json')
      : path.join(this.configDir, '.claude.json')
    fs.writeFileSync(file, JSON.stringify(firstRunAnswers([this.project])))
  }

  /* The settings of the CLI. */
  settings(value) {
    fs.writeFileSync(path.join(this.configDir, 'settings.json'),
      JSON.stringify(value))
  }

  /* dovetail.conf; to be written before the daemon starts. */
  configureDaemon(text) {
    fs.mkdirSync(this.path('xdg/dovetail'), { mode: 0o700 })
    fs.writeFileSync(this.path('xdg/dovetail/dovetail.conf'), text)
  }

  /* Files of the project. */

  file(name) {
    return path.join(this.project, name)
  }

  write(name, text) {
    fs.writeFileSync(this.file(name), text)
  }

  expectFile(name, text) {
    check(fs.existsSync(this.file(name)), `${name} was not written`)
    const found = fs.readFileSync(this.file(name))
    const wanted = Buffer.from(text)
    if (found.equals(wanted))
      return
    const at = wanted.findIndex((byte, i) => byte !== found[i])
    const from = at < 0 ? wanted.length : at
    const excerpt = bytes => `${bytes.length} bytes, from ${from} on ` +
      JSON.stringify(bytes.subarray(from, from + 60).toString('latin1'))
    check(false, `${name}: wanted ${excerpt(wanted)}; ` +
      `found ${excerpt(found)}`)
  }

  /* Commands; each is logged with its answer. */

  #command(program, args, { cwd = this.project, env = {} } = {}) {
    const options = {
      cwd,
      env: { ...this.env, PWD: cwd, ...env },
      timeout: COMMAND_LIMIT_MS,
      maxBuffer: 64 << 20,
    }
    return new Promise(done => {
      const ended = (error, stdout, stderr) => {
        const code = error ? error.code ?? error.signal : 0
        fs.appendFileSync(this.#commandLog,
          `$ ${program} ${args.join(' ')}\n${stdout}${stderr}` +
          `[exit ${code}]\n`)
        done({ code, stdout, stderr })
      }
      const child = execFile(program, args, options, ended)
      child.stdin.end()
    })
  }

  async #dovetail(args, options) {
    const { code, stdout, stderr } = await this.#command(
      this.path('bin/dovetail'), args, options)
    check(code === 0, `dovetail ${args.join(' ')}: exit ${code}: ` +
      `${(stderr || stdout).trim().slice(0, 300)}`)
    return stdout
  }

  /* Run a dovetail command that has to succeed; gives its output. */
  async dovetail(...args) {
    return this.#dovetail(args)
  }

  /* Run one that has to fail like this; gives its sentence. */
  async dovetailFails(exit, ...args) {
    const { code, stderr } = await this.#command(
      this.path('bin/dovetail'), args)
    check(code === exit, `dovetail ${args.join(' ')}: exit ${code}`)
    return stderr
  }

  async dovetailJson(...args) {
    const text = await this.dovetail(...args, '--json')
    try {
      return JSON.parse(text)
    } catch {
      check(false, `dovetail ${args.join(' ')} --json printed ` +
        `${JSON.stringify(text.slice(0, 200))}`)
    }
  }

  /* The daemon. */

  /* Start it for the workspace of `cwd`; gives the lock. */
  async start({ cwd } = {}) {
    await this.#dovetail(['start'], { cwd })
    return this.lock()
  }

  /* The same, and have what passes the links written below `dir`. */
  async startRecorded(dir) {
    const cwd = this.project
    spawn(this.path('bin/dovetail'), ['serve', '--record', dir], {
      cwd, env: { ...this.env, PWD: cwd }, detached: true, stdio: 'ignore',
    }).unref()
    return this.lock()
  }

  /* The daemon and its parent, by the binary that only this world has. */
  #daemons() {
    const binary = this.path('bin/dovetail')
    return processes(dir => fs.readlinkSync(`${dir}/exe`) === binary)
  }

  lockNames(dir = this.lockDir) {
    return fs.existsSync(dir)
      ? fs.readdirSync(dir).filter(name => name.endsWith('.lock')) : []
  }

  /* The one lock there is, with its port. */
  async lock() {
    await until(() => this.lockNames().length > 0,
      'the daemon wrote no lock file')
    const names = this.lockNames()
    check(names.length === 1, `one lock was wanted: ${names.join(' ')}`)
    const file = path.join(this.lockDir, names[0])
    const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
    return { ...lock, file, port: Number(path.parse(file).name) }
  }

  /* Kill the daemon as a crash would; its parent brings it back. */
  async crashDaemon() {
    const { pid } = await this.lock()
    process.kill(pid, 'SIGKILL')
    await until(async () => (await this.lock()).pid !== pid,
      'the daemon did not come back')
  }

  /* Kill the daemon and its parent, so that nobody brings it back. */
  async killDaemon() {
    const { pid } = await this.lock()
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    process.kill(parent, 'SIGKILL')
    process.kill(pid, 'SIGKILL')
  }

  /* The agents the daemon knows, in all workspaces. */
  async sessions() {
    const { workspaces } = await this.dovetailJson('status')
    return workspaces.flatMap(workspace => workspace.sessions)
  }

  /* Reviews of the workspace that wait for a verdict. */
  async waiting() {
    const reviews = await this.dovetailJson('review', 'list')
    return reviews.filter(review => review.state === 'waiting')
  }

  async expectNothingWaiting() {
    await until(async () => (await this.waiting()).length === 0,
      'a review is left waiting', 3000)
  }

  /* Wait until `count` reviews wait, and return them. */
  async reviewsWaiting(count) {
    return until(async () => {
      const reviews = await this.waiting()
      return reviews.length === count && reviews
    }, `there are not ${count} reviews waiting`)
  }

  async accept(...options) {
    await this.dovetail('review', 'accept', '--next', '--wait', '10',
      ...options)
  }

  async reject(comment) {
    await this.dovetail('review', 'reject', '--next', '--wait', '10',
      '--comment', comment)
  }

  /* The CLI. */

  cliEnv(extra, cwd) {
    return {
      ...this.env, ...offline(this.api.url), PWD: cwd, ...extra,
    }
  }

  /*
   * Start a CLI and wait for its prompt.  `through` is a command that
   * starts it, instead of the CLI itself; `mode` how it asks for
   * permission, null being what it does when it is told nothing.
   */
  async launch(args, {
    env = {}, cwd = this.project, through, mode = 'default',
  } = {}) {
    const name = `cli${++this.#launched}`
    const debugLog = this.path(`log/${name}.debug.txt`)
    const terminal = await this.#tmux.open(name, {
      cwd,
      env: this.cliEnv(env, cwd),
      argv: [
        ...(through ?? [this.claudeBin]),
        '--debug-file', debugLog,
        ...(mode ? ['--permission-mode', mode] : []),
        ...args,
      ],
    })
    const cli = new Claude(name, terminal, debugLog)
    this.#clis.push(cli)
    await cli.ready()
    return cli
  }

  /* A CLI that has found the daemon by itself. */
  async connect(options) {
    const cli = await this.launch(['--ide', ...(options?.args ?? [])],
      options)
    await cli.connected()
    return cli
  }

  /* A CLI that dovetail runs, its hook included. */
  async run(mode, options) {
    const cli = await this.launch([], {
      through: ['dovetail', 'run', 'claude', '--'], mode, ...options,
    })
    await cli.connected()
    return cli
  }

  /* claude -p, without a terminal. */
  async headless(args, through = [this.claudeBin]) {
    const [program, ...words] = through
    return this.#command(program,
      [...words, '--debug-file', this.path('log/headless.debug.txt'),
        ...args],
      { env: offline(this.api.url) })
  }

  /* The same with our hook; its process is in the file "pid". */
  async runHeadless(args) {
    return this.headless(args,
      ['sh', '-c', 'echo $$ >"$0"; exec "$@"', this.path('pid'),
        this.path('bin/dovetail'), 'run', 'claude', '--'])
  }

  /* What the CLIs logged as errors of ours, beyond what is `expected`. */
  expectNoComplaints(expected) {
    for (const cli of this.#clis)
      for (const line of cli.complaints())
        check(expected?.test(line), `the CLI complains: ${line}`)
  }

  /* The end: what stop must leave behind, which is nothing. */

  async stop() {
    await this.dovetail('stop', '--force')
    await until(() => this.lockNames().length === 0,
      'dovetail stop left its lock file behind', 5000)
    await until(() => this.#daemons().length === 0,
      'dovetail stop left the daemon running', 5000)
    const reports = fs.readdirSync(this.path('log'))
      .filter(name => name.startsWith('sanitizer'))
    check(reports.length === 0, 'a sanitizer found something')
    const strays = this.configDir === this.path('home/.claude')
      ? [] : this.lockNames(path.join(this.configDir, 'ide'))
    check(strays.length === 0,
      `a lock is in CLAUDE_CONFIG_DIR too: ${strays.join(' ')}`)
  }

  /* Copy what a person needs to understand a failure. */
  async keep(dir) {
    fs.rmSync(dir, { recursive: true, force: true })
    fs.mkdirSync(dir, { recursive: true })
    for (const cli of this.#clis)
      fs.writeFileSync(path.join(dir, `${cli.name}.screen.txt`),
        await cli.terminal.screen().catch(String))
    fs.rmSync(this.path('log/latest'), { force: true })
    fs.cpSync(this.path('log'), dir, { recursive: true })
    for (const name of ['state', 'project'])
      fs.cpSync(this.path(name), path.join(dir, name), {
        recursive: true,
        filter: file => path.basename(file) !== '.git',
      })
  }

  /* All processes of this world: its HOME is in their environment. */
  #inhabitants() {
    const mark = `HOME=${this.env.HOME}`
    return processes(dir => fs.readFileSync(`${dir}/environ`, 'utf8')
      .split('\0').includes(mark))
  }

  /* End everything that was started, whatever state it is in. */
  async destroy() {
    await this.#tmux.close()
    await this.#command(this.path('bin/dovetail'), ['stop', '--force'])
    this.api.stop()
    /* The CLI writes its files on the way out. */
    await until(() => this.#inhabitants().length === 0,
      'something goes on running', 5000).catch(() => {})
    /* A hook or a parent may start another daemon before its turn comes. */
    await until(() => {
      const left = this.#inhabitants()
      for (const pid of left)
        try {
          process.kill(pid, 'SIGKILL')
        } catch { /* It has ended. */ }
      return left.length === 0
    }, 'something cannot be killed', 5000).catch(() => {})
    fs.rmSync(this.top, { recursive: true, force: true, maxRetries: 5 })
  }
}
