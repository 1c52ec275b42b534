/** How far a script is, on standard error: a bar on a terminal, a line now and then elsewhere. */

const BAR_LETTERS = 30
const TERMINAL_MS = 100
const LOG_MS = 10_000

export class Progress {
  private readonly what: string
  private readonly total: number
  private readonly beganMs = performance.now()
  private readonly everyMs = process.stderr.isTTY ? TERMINAL_MS : LOG_MS
  private done = 0
  private shownMs = this.beganMs

  /** `total` is what 100 % is, in `what`; it may turn out to be a little more. */
  constructor(what: string, total: number) {
    this.what = what
    this.total = total
  }

  advance(count: number): void {
    this.done += count
    const nowMs = performance.now()
    if (nowMs - this.shownMs < this.everyMs) return
    this.shownMs = nowMs
    process.stderr.write(process.stderr.isTTY ? `\r${this.line(nowMs)}` : `${this.line(nowMs)}\n`)
  }

  end(): void {
    const line = this.line(performance.now())
    process.stderr.write(process.stderr.isTTY ? `\r${line}\n` : `${line}\n`)
  }

  private line(nowMs: number): string {
    const share = this.total === 0 ? 1 : Math.min(1, this.done / this.total)
    const bar = '#'.repeat(Math.round(share * BAR_LETTERS)).padEnd(BAR_LETTERS, '.')
    const seconds = Math.max(0.001, (nowMs - this.beganMs) / 1000)
    const rate = Math.round(this.done / seconds)
    const secondsLeft = Math.ceil((seconds / this.done) * Math.max(0, this.total - this.done))
    const left = this.done === 0 || share === 1 ? '' : `, ${spanText(secondsLeft)} left`
    const percent = String(Math.floor(share * 100)).padStart(3)
    return `[${bar}] ${percent} %  ${this.done} ${this.what}, ${rate}/s${left}`
  }
}

/** Whole seconds as `45 s`, `3 min` or `2 h`. */
export function spanText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
