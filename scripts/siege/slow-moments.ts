/** When polite clients waited long: shows which attack a stall belongs to. */

/** A request that takes longer is slow. */
const SLOW_MS = 20
/** Slow requests that were due within this time of each other are one moment. */
const GAP_MS = 250

interface Slow {
  readonly action: string
  readonly dueMs: number
  readonly latencyMs: number
}

export class SlowMoments {
  private readonly slow: Slow[] = []
  private requests = 0

  add(action: string, dueMs: number, latencyMs: number): void {
    this.requests++
    if (latencyMs > SLOW_MS) this.slow.push({ action, dueMs, latencyMs })
  }

  /** Returns a line about all slow requests, then one for each moment, in the order of time. */
  lines(): readonly string[] {
    const sorted = this.slow.toSorted((a, b) => a.dueMs - b.dueMs)
    const moments: Slow[][] = []
    for (const slow of sorted) {
      const last = moments.at(-1)
      if (last !== undefined && slow.dueMs - last.at(-1)!.dueMs <= GAP_MS) last.push(slow)
      else moments.push([slow])
    }
    const total = `${sorted.length} of ${this.requests} requests took over ${SLOW_MS} ms`
    return [total, ...moments.map(lineOf)]
  }
}

function lineOf(moment: readonly Slow[]): string {
  const seconds = (moment[0]!.dueMs / 1000).toFixed(1)
  const longest = Math.round(Math.max(...moment.map(({ latencyMs }) => latencyMs)))
  const actions = [...new Set(moment.map(({ action }) => action))].join(', ')
  return `at ${seconds} s: ${moment.length} slow, longest ${longest} ms (${actions})`
}
