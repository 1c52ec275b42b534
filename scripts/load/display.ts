/** How the load goes, while it goes: a bar on a terminal, a line now and then elsewhere. */
import { Presets, SingleBar } from 'cli-progress'

const LINE_MS = 5_000

/** How a load goes; latencies, in microseconds, are those of the last interval. */
export interface Shown {
  readonly elapsedMs: number
  readonly answered: number
  readonly waiting: number
  readonly errors: number
  readonly p50: number
  readonly p99: number
}

const NOTHING: Shown = { elapsedMs: 0, answered: 0, waiting: 0, errors: 0, p50: 0, p99: 0 }

export class Display {
  private readonly endMs: number
  private readonly bar: SingleBar

  constructor(endMs: number) {
    this.endMs = endMs
    this.bar = new SingleBar(
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
    this.bar.start(Math.round(endMs), 0, payloadOf(NOTHING))
  }

  show(shown: Shown): void {
    this.bar.update(Math.round(Math.min(shown.elapsedMs, this.endMs)), payloadOf(shown))
  }

  end(): void {
    this.bar.stop()
  }
}

const payloadOf = (shown: Shown) => ({
  ...shown,
  p50: timeText(shown.p50),
  p99: timeText(shown.p99),
})

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
