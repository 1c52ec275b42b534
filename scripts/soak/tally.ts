/** How requests went: outcomes by code, and the latencies of orders by the minute. */
import type { Answer } from '../load/target.ts'
import type { Minute } from './samples.ts'

const MINUTE_MS = 60_000

export class Tally {
  /** `order 200`, `klines 429 -1003`, `act halt refused`: how often. */
  readonly outcomes: Record<string, number> = {}
  /** Requests that were never answered, or by a failure of the exchange's own. */
  failed = 0
  requests = 0
  orders = 0
  queries = 0
  private readonly minuteDone: (minute: Minute) => void
  private readonly beganMs = performance.now()
  private minute = 0
  private latencies: number[] = []
  private latenesses: number[] = []

  constructor(minuteDone: (minute: Minute) => void) {
    this.minuteDone = minuteDone
  }

  get atSeconds(): number {
    return (performance.now() - this.beganMs) / 1000
  }

  /** A request was answered, or given up. */
  answered(
    action: string,
    { status, code, failure }: Pick<Answer, 'status' | 'code' | 'failure'>,
  ): void {
    this.requests++
    if (status === 0 || status >= 500) this.failed++
    this.count([action, failure || status, code || ''].join(' ').trim())
  }

  /** It was due, sent and answered at these moments, ms. */
  order(dueMs: number, sentMs: number, answeredMs: number): void {
    this.orders++
    this.turn()
    this.latencies.push(answeredMs - dueMs)
    this.latenesses.push(sentMs - dueMs)
  }

  count(outcome: string): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1
  }

  /** Closes the minute that is over, if there is one. */
  private turn(): void {
    const minute = Math.floor((1000 * this.atSeconds) / MINUTE_MS)
    if (minute === this.minute) return
    const latencies = this.latencies
    if (latencies.length > 0) {
      this.minuteDone({
        kind: 'minute',
        atSeconds: (this.minute * MINUTE_MS) / 1000,
        orders: latencies.length,
        p50Ms: quantile(latencies, 0.5),
        p99Ms: quantile(latencies, 0.99),
        maxMs: quantile(latencies, 1),
        lateP99Ms: quantile(this.latenesses, 0.99),
        outcomes: { ...this.outcomes },
      })
    }
    this.minute = minute
    this.latencies = []
    this.latenesses = []
  }
}

/** The value that a `share` of them is not above. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(1000 * sorted[Math.floor(share * (sorted.length - 1))]!) / 1000
}
