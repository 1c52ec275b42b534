/**
 * The phases of one matcher's symbols that time changes: ends those whose time has come, and has what their
 * auctions would come to published. It looks at the symbols in a call alone, and at none in continuous
 * trading. Written and read by one matcher's thread.
 */
import { SymbolStatus } from '../base/codes.ts'
import type { Ms } from '../base/units.ts'
import { Counter } from '../core/matching/counters.ts'
import type { Engine } from '../core/matching/engine.ts'

/** The shortest time between two indicative prices of one symbol, ms. */
export const INDICATIVE_MS = 250
/** The longest: clients that came since, and gateways that missed one, need not wait longer. */
export const INDICATIVE_AGAIN_MS = 2_000
/** Orders that one computation may meet for each ms until the next: it stays a small share of the work. */
const ORDERS_PER_MS = 500

interface Call {
  readonly engine: Engine
  /** The symbol's last event at the last indicative price, and when that was. */
  sequence: number
  indicatedMs: number
  /** When the next may come. */
  nextMs: number
}

export class Calls {
  private readonly engines: readonly (Engine | undefined)[]
  private calls: readonly Call[] = []
  private next = 0

  /** `engines` by symbol id; grows. */
  constructor(engines: readonly (Engine | undefined)[]) {
    this.engines = engines
  }

  get areAny(): boolean {
    return this.calls.length !== 0
  }

  /** Looks for them again: a phase has changed. */
  find(): void {
    const before = new Map(this.calls.map((call) => [call.engine, call]))
    this.calls = this.engines.flatMap((engine) => {
      if (engine === undefined) return []
      const isIn = engine.phaseEndsMs !== 0 || engine.state.phase === SymbolStatus.AUCTION_MATCH
      const fresh = { engine, sequence: -1, indicatedMs: 0, nextMs: 0 }
      return isIn ? [before.get(engine) ?? fresh] : []
    })
  }

  /** Ends the phases whose time has come. Returns whether there was one: its engine is unfinished. */
  end(nowMs: Ms): boolean {
    let hasEnded = false
    for (const { engine } of this.calls) {
      if (engine.phaseEndsMs === 0 || nowMs < engine.phaseEndsMs) continue
      engine.endPhase()
      hasEnded = true
    }
    return hasEnded
  }

  /** How long nothing is due. A follower's phases are its leader's to end. */
  waitMs(nowMs: Ms, isLeading = true): number {
    let dueMs = Number.POSITIVE_INFINITY
    for (const { engine, ...call } of this.calls) {
      if (isLeading && engine.phaseEndsMs !== 0) dueMs = Math.min(dueMs, engine.phaseEndsMs)
      if (engine.state.phase !== SymbolStatus.AUCTION_MATCH) continue
      const isChanged = engine.counters[Counter.sequence] !== call.sequence
      const againMs = isChanged ? 0 : call.indicatedMs + INDICATIVE_AGAIN_MS
      dueMs = Math.min(dueMs, Math.max(call.nextMs, againMs))
    }
    return Math.max(0, dueMs - nowMs)
  }

  /**
   * Has the indicative price of one symbol written as a notice, if one is due: round-robin by symbol. Returns how
   * many were written. A follower has what its leader wants later or earlier than the events: it asks these alone.
   */
  indicate(nowMs: Ms, isLeading = true): number {
    for (let looked = 0; looked < this.calls.length; looked++) {
      const call = this.calls[this.next++ % this.calls.length]!
      const { engine } = call
      const isChanging = isLeading ? engine.isUnfinished : engine.state.auctionTicks !== 0
      if (isChanging || !isDue(call, nowMs)) continue
      call.sequence = engine.counters[Counter.sequence]!
      call.indicatedMs = nowMs
      const met = engine.indicate(nowMs)
      call.nextMs = nowMs + Math.max(INDICATIVE_MS, met / ORDERS_PER_MS)
      return 1
    }
    return 0
  }
}

function isDue({ engine, sequence, indicatedMs, nextMs }: Call, nowMs: Ms): boolean {
  if (engine.state.phase !== SymbolStatus.AUCTION_MATCH) return false
  if (nowMs < nextMs) return false
  const isChanged = engine.counters[Counter.sequence] !== sequence
  return isChanged || nowMs - indicatedMs >= INDICATIVE_AGAIN_MS
}
