/*
 * claude.mjs - the real Claude Code CLI in a terminal.
 *
 * All that depends on the CLI's wording is in this file; the words are those
 * of 2.1.325.
 */
import fs from 'node:fs'

import { check, until } from './wait.mjs'

const READY = /for shortcuts|(mode|edits|permissions|ask) on/
const CONNECTED = 'MCP server "ide": Successfully connected (transport: ws-ide)'
const ASKS = 'Do you want to make this edit'
const RECONNECTED = 'reconnection successful'

/* What the CLI would otherwise ask at its first start. */
export function firstRunAnswers(folders) {
  const project = {
    allowedTools: [],
    hasTrustDialogAccepted: true,
    hasCompletedProjectOnboarding: true,
    projectOnboardingSeenCount: 4,
  }
  return {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: '9.9.9',
    theme: 'dark',
    numStartups: 5,
    autoConnectIde: false,
    hasIdeAutoConnectDialogBeenShown: true,
    diffTool: 'auto',
    customApiKeyResponses: { approved: ['dummy-key'], rejected: [] },
    projects: Object.fromEntries(folders.map(f => [f, project])),
  }
}

/*
 * Keeps the CLI from the network and from asking for an account.  What would
 * still leave the machine ends at a port of it where nobody listens.
 */
export const offline = apiUrl => ({
  ANTHROPIC_API_KEY: 'dummy-key',
  ANTHROPIC_BASE_URL: apiUrl,
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
  CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL: '1',
})

export class Claude {
  #debugLog

  constructor(name, terminal, debugLog) {
    this.name = name
    this.terminal = terminal
    this.#debugLog = debugLog
  }

  log() {
    return fs.existsSync(this.#debugLog)
      ? fs.readFileSync(this.#debugLog, 'utf8') : ''
  }

  async #logs(text, why) {
    await until(() => this.log().includes(text), why)
  }

  /* Lines in which the CLI calls something of the daemon an error. */
  complaints() {
    return this.log().split('\n')
      .filter(line => /\[ERROR\] MCP server "ide"/.test(line))
  }

  /* The prompt is there and takes keys. */
  async ready() {
    await until(async () => {
      check(!await this.terminal.hasExited(), 'the CLI exited')
      return this.terminal.shows(READY)
    }, 'the CLI did not come up')
  }

  async connected() {
    await this.#logs(CONNECTED, 'the CLI did not connect')
  }

  async reconnected() {
    await this.#logs(RECONNECTED, 'the CLI did not reconnect')
  }

  /* The prompt's text is sent only when it is seen to have arrived. */
  async prompt(text) {
    await this.terminal.type(text)
    await this.terminal.expect(text, `"${text}" was not taken as input`)
    await this.terminal.key('Enter')
  }

  /* Let the model play a script of the fake API. */
  async play(script) {
    await this.prompt(`DO ${script}`)
  }

  async showsDiff() {
    await this.terminal.expect('Opened changes in',
      'the CLI did not open its change in the editor')
  }

  async done(script) {
    await this.terminal.expect(`SCRIPT-DONE ${script}`,
      `the turn "${script}" did not finish`)
    check(!await this.terminal.shows(`SCRIPT-DONE ${script} (tool error)`),
      `a tool of the turn "${script}" failed`)
  }

  /* The turn ended after a tool was refused. */
  async failed(script) {
    await this.terminal.expect(`SCRIPT-DONE ${script} (tool error)`,
      `the turn "${script}" did not end with a refusal`)
  }

  async rejected() {
    await this.terminal.expect(/User rejected (update|write)/,
      'the CLI did not see a rejection')
  }

  /* Keys of the CLI's own dialog, beside the one in the editor. */
  async sayYes() {
    await this.#answer('1')
  }

  async sayNo() {
    await this.#answer('Escape')
  }

  /* On a busy machine a key that comes while the dialog is drawn is lost. */
  async #answer(key) {
    let last = 0
    await until(async () => {
      if (Date.now() - last > 5000) {
        await this.terminal.key(key)
        last = Date.now()
      }
      return !await this.terminal.shows(ASKS)
    }, 'the CLI did not take the answer')
  }

  async quit() {
    await until(async () => {
      await this.terminal.key('C-c')
      return this.terminal.hasExited()
    }, 'the CLI did not quit')
  }
}
