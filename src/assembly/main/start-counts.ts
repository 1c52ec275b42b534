/** Counts of the exchange that begin before its shared memory is reserved. */
import type { ExchangeCounters } from '../../shared/counters.ts'

export class StartCounts {
  private readonly kept: [number, number][] = []
  private keep = (counter: number, count: number): void => {
    this.kept.push([counter, count])
  }

  add(counter: number, count: number): void {
    this.keep(counter, count)
  }

  /** Adds what was counted so far to the cells, and from now on everything at once. */
  moveTo(cells: Pick<ExchangeCounters, 'add'>): void {
    for (const [counter, count] of this.kept.splice(0)) cells.add(counter, count)
    this.keep = (counter, count) => cells.add(counter, count)
  }
}
