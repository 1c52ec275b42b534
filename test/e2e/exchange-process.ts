/** Starts and stops a whole Ringbook, as an operator would, on a temporary data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

const main = path.resolve('dist/src/main.js')

export interface DemoKey {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

export interface ExitReport {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

export class ExchangeProcess {
  readonly port: number
  readonly adminPort: number
  readonly data: string
  readonly #flags: readonly string[]
  #child: ChildProcess | undefined
  #output = ''
  #exited: Promise<ExitReport> | undefined

  private constructor(port: number, adminPort: number, data: string, flags: readonly string[]) {
    this.port = port
    this.adminPort = adminPort
    this.data = data
    this.#flags = flags
  }

  /** A new data folder and free ports; nothing runs yet. Limits are off unless a flag says so. */
  static async prepare(flags: readonly string[] = []): Promise<ExchangeProcess> {
    const data = mkdtempSync(path.join(os.tmpdir(), 'ringbook-e2e-'))
    return new ExchangeProcess(await freePort(), await freePort(), data, flags)
  }

  /** Prepares and runs one with two matchers and two gateways. */
  static async start(flags: readonly string[] = []): Promise<ExchangeProcess> {
    const exchange = await ExchangeProcess.prepare(flags)
    await exchange.run()
    return exchange
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  /** Of the process that runs. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('it never ran')
    return this.#child.pid
  }

  get output(): string {
    return this.#output
  }

  arguments(): string[] {
    const given = new Set(this.#flags.filter((flag) => flag.startsWith('--')))
    const defaults: [string, string][] = [
      ['--port', String(this.port)],
      ['--admin-port', String(this.adminPort)],
      ['--data', this.data],
      ['--matchers', '2'],
      ['--gateways', '2'],
      ['--limits', 'off'],
    ]
    return [...defaults.filter(([flag]) => !given.has(flag)).flat(), ...this.#flags]
  }

  /** Runs it and resolves when it answers; rejects with its output when it exits instead. */
  async run(): Promise<void> {
    const exited = this.launch()
    let done = false
    void exited.then(() => {
      done = true
    })
    while (!done) {
      const ready = await fetch(`${this.url}/api/v3/ping`).then(
        (response) => response.ok,
        () => false,
      )
      if (ready) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`the exchange exited instead of starting:\n${(await exited).output}`)
  }

  /** Runs it without waiting for anything but its exit. */
  launch(): Promise<ExitReport> {
    this.#output = ''
    const child = spawn(process.execPath, [main, ...this.arguments()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    const collect = (chunk: Buffer) => {
      this.#output += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    this.#exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, output: this.#output }))
    })
    return this.#exited
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ExitReport> {
    if (this.#child === undefined || this.#exited === undefined) throw new Error('it never ran')
    this.#child.kill(signal)
    return this.#exited
  }

  /** Resolves at its end, whoever asked for it. */
  ended(): Promise<ExitReport> {
    if (this.#exited === undefined) throw new Error('it never ran')
    return this.#exited
  }

  /** Stops it, if it still runs, and removes its data. */
  async remove(): Promise<void> {
    if (this.#child !== undefined && this.#child.exitCode === null) await this.stop('SIGKILL')
    rmSync(this.data, { recursive: true, force: true })
  }

  keys(): Record<string, DemoKey> {
    const rows: DemoKey[] = JSON.parse(readFileSync(path.join(this.data, 'demo-keys.json'), 'utf8'))
    return Object.fromEntries(rows.map((row) => [row.account, row]))
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
