/**
 * Spreads symbols over matchers so that each has about the same work: the busiest symbol first, each to
 * the matcher with the least by then. Pinned symbols and symbols without events stay.
 */

/** The load of one symbol. */
export interface SymbolLoad {
  readonly symbol: number
  readonly events: number
  /** Its present owner. */
  readonly matcher: number
  readonly isPinned: boolean
}

export interface Spreading {
  /** By symbol: the proposed matcher. */
  readonly matcherOf: ReadonlyMap<number, number>
  /** The busiest matcher's share of all events, 0 to 1: now, and after the change. */
  readonly busiestNow: number
  readonly busiestThen: number
}

/** Symbols move only where that makes the busiest matcher less busy. */
export function spread(loads: readonly SymbolLoad[], matchers: number): Spreading {
  const now = new Map(loads.map(({ symbol, matcher }) => [symbol, matcher]))
  const then = new Map(now)
  const done = new Float64Array(matchers)
  const mayMove = ({ events, isPinned }: SymbolLoad) => events > 0 && !isPinned
  for (const load of loads) if (!mayMove(load)) done[load.matcher]! += load.events
  const busiestFirst = loads.filter(mayMove).sort((a, b) => b.events - a.events)
  for (const { symbol, events, matcher } of busiestFirst) {
    const least = Math.min(...done)
    const chosen = done[matcher] === least ? matcher : done.indexOf(least)
    then.set(symbol, chosen)
    done[chosen]! += events
  }
  const busiestNow = busiest(loads, now, matchers)
  const busiestThen = busiest(loads, then, matchers)
  if (busiestThen < busiestNow) return { matcherOf: then, busiestNow, busiestThen }
  return { matcherOf: now, busiestNow, busiestThen: busiestNow }
}

function busiest(
  loads: readonly SymbolLoad[],
  matcherOf: ReadonlyMap<number, number>,
  matchers: number,
): number {
  const events = new Float64Array(matchers)
  for (const load of loads) events[matcherOf.get(load.symbol)!]! += load.events
  const all = events.reduce((sum, count) => sum + count, 0)
  return all === 0 ? 0 : Math.max(...events) / all
}
