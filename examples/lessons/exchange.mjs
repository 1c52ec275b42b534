// Starts an exchange on a temporary folder, kills it, starts it again, and removes it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { plain } from './narrator.mjs'
import { SYMBOL, Trader } from './trader.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const main = path.join(root, 'dist/src/main.js')

/** Two ports that are free now. */
async function freePorts() {
  const servers = [net.createServer(), net.createServer()]
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const ports = servers.map((server) => server.address().port)
  for (const server of servers) await once(server.close(), 'close')
  return ports
}

export class Exchange {
  #folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-lesson-'))
  #flags
  #narrator
  #child
  #port
  #adminPort

  constructor(flags, narrator) {
    this.#flags = flags
    this.#narrator = narrator
    process.once('exit', () => this.#child?.kill('SIGKILL'))
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Starts it on its folder, which is kept between starts. Accounts of market makers do not trade in it. */
  async launch() {
    if (!existsSync(main)) throw new Error('the exchange is not built: npm run build')
    const [port, adminPort] = await freePorts()
    this.#port = port
    this.#adminPort = adminPort
    const addresses = ['--port', port, '--admin-port', adminPort, '--data', this.#folder]
    const settings = ['--liquidity', 'off', '--limits', 'off', '--log-format', 'json']
    this.#child = spawn(process.execPath, [main, ...addresses, ...settings, ...this.#flags])
    await new Promise((resolve, reject) => {
      let output = ''
      const listen = (text) => {
        output += text
        if (output.includes('"msg":"started"')) resolve()
      }
      this.#child.stdout.on('data', listen)
      this.#child.stderr.on('data', listen)
      this.#child.once('exit', () => reject(new Error(`the exchange did not start: ${output}`)))
    })
  }

  /** Ends it at once, as a power switch would end the process. */
  async kill() {
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }

  async remove() {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM')
      await once(this.#child, 'exit')
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** The accounts of the demo: maker, taker, trader1, trader2. */
  key(account) {
    const keys = JSON.parse(readFileSync(path.join(this.#folder, 'demo-keys.json'), 'utf8'))
    return keys.find((key) => key.account === account)
  }

  trader(account) {
    return new Trader(this.url, this.key(account), this.#narrator)
  }

  /** Carries an operator's action out, and says its answer. */
  async operate(action, given) {
    const token = readFileSync(path.join(this.#folder, 'operator-token'), 'utf8').trim()
    const response = await fetch(`http://127.0.0.1:${this.#adminPort}/actions/${action}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(given),
    })
    const { said, error } = await response.json()
    if (!response.ok) throw new Error(error)
    this.#narrator.line('operator', said)
  }

  /** Reads the symbol's status, once it is the wanted one, or after five seconds, and says it. */
  async status(wanted) {
    let status
    for (let tries = 0; status !== wanted && tries < 50; tries++) {
      if (tries > 0) await sleep(100)
      const { symbols } = await this.read(`/api/v3/exchangeInfo?symbol=${SYMBOL}`)
      status = symbols[0].status
    }
    this.#narrator.line('status', status)
    return status
  }

  /** Reads what the auction would come to, once so much would trade, or after five seconds. */
  async indicative(quantity) {
    for (let tries = 0; ; tries++) {
      const { indicative } = await this.read(`/api/v3/auction?symbol=${SYMBOL}`)
      if (plain(indicative.quantity) === quantity || tries === 50) return indicative
      await sleep(100)
    }
  }

  async read(path) {
    return (await fetch(`${this.url}${path}`)).json()
  }

  /** Reads the book and says it. Returns [price, quantity] of each level, the best first. */
  async book() {
    const { bids, asks } = await this.read(`/api/v3/depth?symbol=${SYMBOL}`)
    const book = {
      bids: bids.map((row) => row.map(plain)),
      asks: asks.map((row) => row.map(plain)),
    }
    const side = (rows) => rows.map(([price, quantity]) => `${quantity} at ${price}`).join(', ')
    this.#narrator.line(
      'book',
      `bids ${side(book.bids) || 'none'}; asks ${side(book.asks) || 'none'}`,
    )
    return book
  }
}
