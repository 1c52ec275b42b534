/**
 * Which symbol belongs to which matcher so that no matcher has much more to do than another: the busiest
 * symbol first, each to the matcher that has least by then. Symbols that are pinned stay where they are,
 * and so do those that nothing happened on.
 */

/** What one symbol has asked of its matcher. */
export interface SymbolLoad {
  readonly symbol: number
  readonly events: number
  /** That it belongs to as of now. */
  readonly matcher: number
  readonly isPinned: boolean
}

export interface Spreading {
  /** By symbol: the matcher that it had better belong to. */
  readonly matcherOf: ReadonlyMap<number, number>
  /** What the busiest matcher does of all events, 0 to 1: now, and then. */
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
