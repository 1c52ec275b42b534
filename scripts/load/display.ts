/** How the load goes, while it goes: a bar on a terminal, a line now and then elsewhere. */
import { Presets, SingleBar } from 'cli-progress'
import type { Measure } from './measure.ts'

const LINE_MS = 5_000

export class Display {
  readonly #measure: Measure
  readonly #endMs: number
  readonly #bar: SingleBar

  constructor(measure: Measure, endMs: number) {
    this.#measure = measure
    this.#endMs = endMs
    this.#bar = new SingleBar(
      {
        format:
          '{bar} {percentage} % | {answered} answered, {waiting} waiting | p50 {p50} | p99 {p99} | ' +
          '{errors} errors',
        stream: process.stderr,
        noTTYOutput: true,
        notTTYSchedule: LINE_MS,
        barsize: 24,
        hideCursor: true,
      },
      Presets.shades_classic,
    )
    this.#bar.start(Math.round(endMs), 0, this.#payload())
  }

  show(elapsedMs: number): void {
    const shownMs = Math.round(Math.min(elapsedMs, this.#endMs))
    this.#bar.update(shownMs, this.#payload())
  }

  end(): void {
    this.#bar.update(this.#payload())
    this.#bar.stop()
  }

  #payload() {
    const { answered, refused, limited, failed } = this.#measure.counts()
    const { p50, p99 } = this.#measure.recent()
    return {
      answered,
      waiting: this.#measure.inFlight,
      p50: timeText(p50),
      p99: timeText(p99),
      errors: refused + limited + failed,
    }
  }
}

/** Microseconds, as people read them: `870 µs`, `1.24 ms`, `12 s`. */
export function timeText(microseconds: number): string {
  const units = [
    ['µs', 1],
    ['ms', 1_000],
    ['s', 1_000_000],
  ] as const
  const [unit, size] = units.findLast(([, least]) => microseconds >= least) ?? units[0]
  const value = microseconds / size
  return `${Number(value.toPrecision(3))} ${unit}`
}
