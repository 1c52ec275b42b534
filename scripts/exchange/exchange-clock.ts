/**
 * The time of an exchange process, in the hands of a test: noon, so that no day ends meanwhile. It stands
 * still until the test moves it on, so that no second ends either, or runs from there. It is said in a
 * file, which whatever runs in the process reads for `Date.now`.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DAY_MS, HOUR_MS } from '../../src/market/intervals.ts'

/** For how long, in real milliseconds, a thread goes by what it has read. */
const KEPT_MS = 2

const program = `
import { readFileSync } from 'node:fs'
const realNow = Date.now
let readMs = 0
let nowMs = 0
// The exchange takes a bound function for the machine's own (src/base/real-date.ts).
Date.now = (() => {
  const realMs = realNow()
  if (realMs - readMs < ${KEPT_MS}) return nowMs
  readMs = realMs
  const [kind, ms] = readFileSync(process.env.CLOCK_FILE, 'latin1').split(' ')
  return (nowMs = Number(ms) + (kind === 'runs' ? realMs : 0))
}).bind(undefined)`

export class ExchangeClock {
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-clock-'))
  private readonly kind: 'still' | 'runs'
  private readonly isDoubted: boolean
  /** What it shows, or when it runs, how far it is ahead of the machine's. */
  private ms: number

  /** Begins at noon of today, UTC. `isDoubted`: as far as the exchange believes it, as the machine's clock. */
  constructor(kind: 'still' | 'runs' = 'still', isDoubted = false) {
    const realMs = Date.now()
    const noonMs = Math.floor(realMs / DAY_MS) * DAY_MS + 12 * HOUR_MS
    this.kind = kind
    this.isDoubted = isDoubted
    this.ms = kind === 'runs' ? noonMs - realMs : noonMs
    this.write()
  }

  nowMs(): number {
    return this.kind === 'runs' ? Date.now() + this.ms : this.ms
  }

  /** Resolves once every thread goes by it. */
  async advance(ms: number): Promise<void> {
    this.ms += ms
    this.write()
    await new Promise((resolve) => setTimeout(resolve, 2 * KEPT_MS))
  }

  /** What node is started with, on all its threads. */
  get nodeFlags(): readonly string[] {
    return ['--import', `data:text/javascript,${encodeURIComponent(program)}`]
  }

  get environment(): Readonly<Record<string, string>> {
    const file = { CLOCK_FILE: this.file }
    // Each thread goes by it at once, whatever step it makes.
    return this.isDoubted ? file : { ...file, RINGBOOK_CLOCK_STEP_SECONDS: '0' }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private get file(): string {
    return path.join(this.folder, 'now')
  }

  /** At once, since it may be read at any moment. */
  private write(): void {
    const next = `${this.file}.next`
    writeFileSync(next, `${this.kind} ${this.ms}`)
    renameSync(next, this.file)
  }
}
