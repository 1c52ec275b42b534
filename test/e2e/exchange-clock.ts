/**
 * The time of an exchange process, in the hands of a test: it stands still until the test moves it on,
 * so that no second, minute or day ends on its own. It is said in a file, which whatever runs in the
 * process reads for `Date.now`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DAY_MS, HOUR_MS } from '#base/intervals.ts'

/** For how long, in real milliseconds, a thread goes by what it has read. */
const KEPT_MS = 2

const program = `
import { readFileSync } from 'node:fs'
const realNow = Date.now
let readMs = 0
let nowMs = 0
Date.now = () => {
  const realMs = realNow()
  if (realMs - readMs < ${KEPT_MS}) return nowMs
  readMs = realMs
  return (nowMs = Number(readFileSync(process.env.CLOCK_FILE, 'latin1')))
}`

export class ExchangeClock {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-clock-'))
  #nowMs: number

  /** Noon of today, UTC. */
  constructor() {
    this.#nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS
    this.#write()
  }

  nowMs(): number {
    return this.#nowMs
  }

  /** Resolves once every thread goes by it. */
  async advance(ms: number): Promise<void> {
    this.#nowMs += ms
    this.#write()
    await new Promise((resolve) => setTimeout(resolve, 2 * KEPT_MS))
  }

  /** What node is started with, on all its threads. */
  get nodeFlags(): readonly string[] {
    return ['--import', `data:text/javascript,${encodeURIComponent(program)}`]
  }

  get environment(): Readonly<Record<string, string>> {
    return { CLOCK_FILE: this.#file }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #file(): string {
    return path.join(this.#folder, 'now')
  }

  #write(): void {
    writeFileSync(this.#file, String(this.#nowMs))
  }
}
