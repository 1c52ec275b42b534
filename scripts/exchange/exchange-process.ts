/** Starts and stops a whole Ringbook, as an operator would, on a temporary data folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ExchangeClock } from './exchange-clock.ts'
import { claimPort } from './ports.ts'

const MAIN = 'dist/src/main.js'
/** What its log has once all of it answers, clients and operators alike. */
const STARTED = '"msg":"started"'

/** A test that fails before it could stop what it started leaves nothing behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface DemoKey {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

/** Where a process runs. */
export interface ProcessPlace {
  /** The address at which it is reached. */
  readonly host: string
  /** Returns the command that runs these words there. */
  wrap(words: readonly string[]): readonly string[]
}

const LOOPBACK: ProcessPlace = { host: '127.0.0.1', wrap: (words) => words }

export interface ExitReport {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

export class ExchangeProcess {
  readonly port: number
  readonly adminPort: number
  readonly data: string
  /** Open files that the process may have; the machine's limit when undefined. */
  filesMax: number | undefined
  private readonly flags: readonly string[]
  private readonly clock: ExchangeClock | undefined
  private readonly place: ProcessPlace
  private child: ChildProcess | undefined = undefined
  private _output = ''
  private exited: Promise<ExitReport> | undefined = undefined

  private constructor(
    port: number,
    adminPort: number,
    data: string,
    flags: readonly string[],
    clock: ExchangeClock | undefined,
    place: ProcessPlace,
  ) {
    this.port = port
    this.adminPort = adminPort
    this.data = data
    this.flags = flags
    this.clock = clock
    this.place = place
  }

  /**
   * A new data folder, unless one is given, and free ports; nothing runs yet. Limits and liquidity are off
   * unless a flag sets it. Goes by the machine's time unless it is given another clock, and listens
   * on loopback unless it is given another place.
   */
  static async prepare(
    flags: readonly string[] = [],
    clock?: ExchangeClock,
    place = LOOPBACK,
    data = mkdtempSync(path.join(os.tmpdir(), 'ringbook-e2e-')),
  ): Promise<ExchangeProcess> {
    return new ExchangeProcess(await claimPort(), await claimPort(), data, flags, clock, place)
  }

  /** Prepares and runs one with two matchers and two gateways. */
  static async start(
    flags: readonly string[] = [],
    clock?: ExchangeClock,
  ): Promise<ExchangeProcess> {
    const exchange = await ExchangeProcess.prepare(flags, clock)
    await exchange.run()
    return exchange
  }

  get url(): string {
    return `http://${this.place.host}:${this.port}`
  }

  get wsUrl(): string {
    return `ws://${this.place.host}:${this.port}`
  }

  /** What it takes for the time. */
  nowMs(): number {
    return this.clock?.nowMs() ?? Date.now()
  }

  /** Id of the process that runs. */
  get pid(): number {
    if (this.child?.pid === undefined) throw new Error('it never ran')
    return this.child.pid
  }

  get isRunning(): boolean {
    return this.child !== undefined && running.has(this.child)
  }

  get output(): string {
    return this._output
  }

  private arguments(more: readonly string[]): string[] {
    const isFlag = (word: string) => word.startsWith('--')
    const replaced = new Set(more.filter(isFlag))
    const own = this.flags.filter(
      (word, index, all) => !replaced.has(isFlag(word) ? word : all[index - 1]!),
    )
    const flags = [...own, ...more]
    const given = new Set(flags.filter(isFlag))
    const defaults: [string, string][] = [
      ['--port', String(this.port)],
      ['--admin-port', String(this.adminPort)],
      ['--data', this.data],
      ['--matchers', '2'],
      ['--gateways', '2'],
      ['--limits', 'off'],
      ['--liquidity', 'off'],
    ]
    return [...defaults.filter(([flag]) => !given.has(flag)).flat(), ...flags]
  }

  /**
   * Runs it and resolves when its log has that it started; rejects with its output if it exits. `more` are
   * flags of this run, which replace others of their name.
   */
  async run(more: readonly string[] = []): Promise<void> {
    const exited = this.launch('pipe', more)
    const started = new Promise<undefined>((resolve) => {
      this.child?.stdout?.on('data', () => {
        if (this._output.includes(STARTED)) resolve(undefined)
      })
    })
    const report = await Promise.race([started, exited])
    if (report === undefined) return
    throw new Error(`the exchange exited instead of starting:\n${report.output}`)
  }

  /** Runs it without waiting for anything but its exit. Its log may go to an open file instead. */
  launch(log: 'pipe' | number = 'pipe', more: readonly string[] = []): Promise<ExitReport> {
    this._output = ''
    const { nodeFlags = [], environment } = this.clock ?? {}
    const words = [process.execPath, ...nodeFlags, path.resolve(MAIN), ...this.arguments(more)]
    const limited = ['sh', '-c', `ulimit -n ${this.filesMax}; exec "$@"`, 'sh', ...words]
    const [program, ...rest] = this.place.wrap(this.filesMax === undefined ? words : limited)
    const child = spawn(program!, rest, {
      stdio: ['ignore', log, 'pipe'],
      env: { ...process.env, ...environment },
    })
    this.child = child
    running.add(child)
    const collect = (chunk: Buffer) => {
      this._output += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        running.delete(child)
        resolve({ code, signal, output: this._output })
      })
    })
    return this.exited
  }

  /** Carries an operator's action out, by the command line beside it. Rejects with what it prints on refusal. */
  async operate(words: readonly string[]): Promise<void> {
    const where = ['--data', this.data, '--admin-port', String(this.adminPort)]
    const [program, ...rest] = this.place.wrap([process.execPath, MAIN, ...words, ...where])
    await promisify(execFile)(program!, rest)
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ExitReport> {
    if (this.child === undefined || this.exited === undefined) throw new Error('it never ran')
    this.child.kill(signal)
    return this.exited
  }

  /** Resolves when it ends, for whatever reason. */
  ended(): Promise<ExitReport> {
    if (this.exited === undefined) throw new Error('it never ran')
    return this.exited
  }

  /** Resolves when it ends, with a sentence about that. */
  async endedHow(): Promise<string> {
    const { code, signal } = await this.ended()
    return signal === null ? `it exited with code ${code}` : `${signal} ended it`
  }

  /** Stops it, if it still runs, and removes its data. */
  async remove(): Promise<void> {
    if (this.child !== undefined && this.child.exitCode === null) await this.stop('SIGKILL')
    rmSync(this.data, { recursive: true, force: true })
    this.clock?.remove()
  }

  keys(): Record<string, DemoKey> {
    const rows: DemoKey[] = JSON.parse(readFileSync(path.join(this.data, 'demo-keys.json'), 'utf8'))
    return Object.fromEntries(rows.map((row) => [row.account, row]))
  }
}
