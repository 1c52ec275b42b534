/** The exchange that is under siege: its process, its memory, its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readToken } from '../../src/control/token.ts'
import type { KeyText } from './provisions.ts'

/** `npm run` and tests start in the project's folder. */
const MAIN = path.resolve('dist/src/main.js')
const STARTED = '"msg":"started"'
/** The end of its log, which is kept. */
const OUTPUT_CHARS = 16_384
const SAMPLE_MS = 100
const BYTES_PER_MB = 1024 * 1024
/** Anonymous memory, and what the system took of it or lets other processes see. */
const ANONYMOUS = ['RssAnon', 'RssShmem', 'VmSwap']

export interface ServerOptions {
  readonly data: string
  readonly port: number
  readonly adminPort: number
  readonly flags: readonly string[]
  /** Most files that it may hold open; the system's limit when undefined. */
  readonly files?: number
}

/** A column of an operator act's table. */
export type Row = Readonly<Record<string, string | number | boolean>>

export class Server {
  readonly #options: ServerOptions
  #child: ChildProcess | undefined
  #output = ''
  #ended: Promise<string> = Promise.resolve('it never ran')
  #sampler: NodeJS.Timeout | undefined
  #peakBytes = 0

  constructor(options: ServerOptions) {
    this.#options = options
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#options.port}`
  }

  /** Resolves at the process's end, with a sentence that says how it ended. */
  get ended(): Promise<string> {
    return this.#ended
  }

  get isRunning(): boolean {
    const { exitCode, signalCode } = this.#child ?? { exitCode: 0, signalCode: null }
    return exitCode === null && signalCode === null
  }

  get output(): string {
    return this.#output
  }

  /** The largest sample of anonymous memory since the last start, MB. */
  get peakMb(): number {
    return Math.round(this.#peakBytes / BYTES_PER_MB)
  }

  /** Starts it with these flags beside its own. Rejects with its log when it exits instead. */
  async start(flags: readonly string[] = []): Promise<void> {
    this.#output = ''
    this.#peakBytes = 0
    const child = this.#spawn(flags)
    this.#child = child
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        clearInterval(this.#sampler)
        resolve(signal === null ? `it exited with code ${code}` : `${signal} ended it`)
      })
    })
    const started = new Promise<undefined>((resolve) => {
      const collect = (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-OUTPUT_CHARS)
        if (this.#output.includes(STARTED)) resolve(undefined)
      }
      child.stdout?.on('data', collect)
      child.stderr?.on('data', collect)
    })
    const end = await Promise.race([started, this.#ended])
    if (end !== undefined) throw new Error(`The exchange does not start, ${end}:\n${this.#output}`)
    this.#sample()
    this.#sampler = setInterval(() => this.#sample(), SAMPLE_MS)
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#child?.kill(signal)
    await this.#ended
  }

  /** Carries out an operator act. Rejects with its sentence when it is refused. */
  async act(name: string, given: object): Promise<readonly Row[]> {
    const response = await fetch(`http://127.0.0.1:${this.#options.adminPort}/actions/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${readToken(this.#options.data)}` },
      body: JSON.stringify(given),
    })
    const answer = (await response.json()) as { error?: string; rows?: readonly Row[] }
    if (!response.ok) throw new Error(`${name}: ${answer.error}`)
    return answer.rows ?? []
  }

  /** A key of the demo's account of that name. */
  demoKey(account: string): KeyText {
    const text = readFileSync(path.join(this.#options.data, 'demo-keys.json'), 'utf8')
    const key = (JSON.parse(text) as KeyText[]).find((row) => row.account === account)
    if (key === undefined) throw new Error(`the demo has no account ${account}`)
    return key
  }

  #spawn(flags: readonly string[]): ChildProcess {
    const { data, port, adminPort, flags: own, files } = this.#options
    const places = ['--data', data, '--port', String(port), '--admin-port', String(adminPort)]
    const quiet = ['--liquidity', 'off']
    const args = [MAIN, ...places, ...quiet, ...own, ...flags]
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    if (files === undefined) return spawn(process.execPath, args, { stdio: [...stdio] })
    const limited = `ulimit -n ${files}; exec "$0" "$@"`
    return spawn('/bin/sh', ['-c', limited, process.execPath, ...args], { stdio: [...stdio] })
  }

  #sample(): void {
    try {
      const status = readFileSync(`/proc/${this.#child?.pid}/status`, 'utf8')
      const kilobytes = ANONYMOUS.map((name) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0),
      )
      const bytes = 1024 * kilobytes.reduce((sum, value) => sum + value, 0)
      this.#peakBytes = Math.max(this.#peakBytes, bytes)
    } catch {
      // The process ended between two samples; `ended` tells.
    }
  }
}
