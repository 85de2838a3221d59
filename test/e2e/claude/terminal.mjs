/*
 * terminal.mjs - a terminal that a program can be watched and typed at in.
 *
 * One tmux server per world, on a socket inside it; one session per program.
 * A program that has exited leaves its last screen behind.
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import { until } from './wait.mjs'

const run = promisify(execFile)

export class Tmux {
  #socket
  #config

  constructor(dir) {
    this.#socket = path.join(dir, 'tmux')
    this.#config = path.join(dir, 'tmux.conf')
    fs.writeFileSync(this.#config, 'set -g remain-on-exit on\n')
  }

  async command(...args) {
    const fixed = ['-u', '-S', this.#socket, '-f', this.#config]
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' }
    const { stdout } = await run('tmux', [...fixed, ...args], { env })
    return stdout
  }

  /* Start `argv` in a new session, with `env` and no other environment. */
  async open(name, { cwd, env, argv }) {
    const clean = Object.entries(env).map(([k, v]) => `${k}=${v}`)
    await this.command('new-session', '-d', '-s', name,
      '-x', '120', '-y', '50', '-c', cwd,
      '--', 'env', '-i', ...clean, ...argv)
    return new Terminal(this, name)
  }

  async close() {
    /* No server is there when no program was started. */
    await this.command('kill-server').catch(() => {})
  }
}

class Terminal {
  #tmux
  #name

  constructor(tmux, name) {
    this.#tmux = tmux
    this.#name = name
  }

  /* What is to be seen, without empty lines and trailing blanks. */
  async screen() {
    const raw = await this.#tmux.command('capture-pane', '-p',
      '-t', this.#name)
    return raw.split('\n').map(line => line.trimEnd())
      .filter(Boolean).join('\n')
  }

  async shows(pattern) {
    const screen = await this.screen()
    return typeof pattern === 'string'
      ? screen.includes(pattern) : pattern.test(screen)
  }

  async expect(pattern, why) {
    await until(() => this.shows(pattern), why)
  }

  async key(...names) {
    await this.#tmux.command('send-keys', '-t', this.#name, ...names)
  }

  async type(text) {
    await this.#tmux.command('send-keys', '-t', this.#name, '-l', text)
  }

  async #pane(field) {
    const text = await this.#tmux.command('display-message', '-p',
      '-t', this.#name, `#{${field}}`)
    return Number(text)
  }

  async hasExited() {
    return await this.#pane('pane_dead') === 1
  }

  async pid() {
    return this.#pane('pane_pid')
  }
}
