/** The exchange that is under siege: its process, its memory, its end. */
import { readFileSync } from 'node:fs'
import { type Act, actor } from '../exchange/admin-client.ts'
import type { DemoKey, ExchangeProcess } from '../exchange/exchange-process.ts'

const SAMPLE_MS = 100
const BYTES_PER_MB = 1024 * 1024
/** Anonymous memory, and what the system took of it or lets other processes see. */
const ANONYMOUS = ['RssAnon', 'RssShmem', 'VmSwap']

export class Server {
  readonly act: Act
  private readonly exchange: ExchangeProcess
  private sampler: NodeJS.Timeout | undefined = undefined
  private peakBytes = 0

  constructor(exchange: ExchangeProcess) {
    this.exchange = exchange
    this.act = actor(exchange)
  }

  get url(): string {
    return this.exchange.url
  }

  get wsUrl(): string {
    return this.exchange.wsUrl
  }

  get output(): string {
    return this.exchange.output
  }

  /** Resolves at the process's end, with a sentence about it. */
  ended(): Promise<string> {
    return this.exchange.endedHow()
  }

  /** The largest sample of anonymous memory since the last start, MB. */
  get peakMb(): number {
    return Math.round(this.peakBytes / BYTES_PER_MB)
  }

  /** Starts it with these flags beside its own. Rejects with its log when it exits instead. */
  async start(flags: readonly string[] = []): Promise<void> {
    await this.exchange.run(flags)
    this.peakBytes = 0
    this.sample()
    this.sampler = setInterval(() => this.sample(), SAMPLE_MS)
    void this.exchange.ended().then(() => clearInterval(this.sampler))
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.exchange.isRunning) await this.exchange.stop(signal)
  }

  /** A key of the demo's account of that name. */
  demoKey(account: string): DemoKey {
    const key = this.exchange.keys()[account]
    if (key === undefined) throw new Error(`the demo has no account ${account}`)
    return key
  }

  private sample(): void {
    try {
      const status = readFileSync(`/proc/${this.exchange.pid}/status`, 'utf8')
      const kilobytes = ANONYMOUS.map((name) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0),
      )
      const bytes = 1024 * kilobytes.reduce((sum, value) => sum + value, 0)
      this.peakBytes = Math.max(this.peakBytes, bytes)
    } catch {
      // The process ended between two samples; `ended` reports it.
    }
  }
}
