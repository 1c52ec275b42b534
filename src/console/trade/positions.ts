/**
 * Positions of markets whose fills were requested. The newest fills of each are read, up to a bound, once; from then on
 * events follow. After a gap in the events what was missed is read.
 */
import { type Signal, signal } from '@preact/signals'
import type { MarketSymbol } from '../market/symbols.ts'
import type { FillRow } from './account-rows.ts'
import { NO_POSITION, type Position, withFill } from './portfolio.ts'

/** Fills of a market that are read at most. */
export const FILLS_MAX = 10_000
const PAGE = 1_000
const RETRY_MS = 5_000

interface Source {
  readonly isFollowing: boolean
  read<Body>(method: string, params: Readonly<Record<string, string | number>>): Promise<Body>
}

export interface ReadPosition {
  readonly position: Position
  /** Fills that it is of, and whether older ones were left out. */
  readonly fills: number
  readonly isCut: boolean
  readonly isReading: boolean
}

interface Kept {
  readonly symbol: MarketSymbol
  readonly shown: Signal<ReadPosition>
  newestId: number
  /** Events that came while fills are read. */
  since: FillRow[]
  /** Whether events may have been missed meanwhile. */
  isBehind: boolean
}

const UNREAD: ReadPosition = { position: NO_POSITION, fills: 0, isCut: false, isReading: true }

export class Positions {
  /** Names of the markets that were requested. */
  readonly markets = signal<readonly string[]>([])
  private readonly kept = new Map<string, Kept>()

  of(symbol: string): ReadPosition | undefined {
    return this.kept.get(symbol)?.shown.value
  }

  /** Reads a market's fills, the newest first, unless they were read. */
  async read(session: Source, symbol: MarketSymbol): Promise<void> {
    if (this.kept.has(symbol.symbol)) return
    const shown = signal(UNREAD)
    const made: Kept = { symbol, shown, newestId: -1, since: [], isBehind: false }
    this.kept.set(symbol.symbol, made)
    this.markets.value = [...this.kept.keys()]
    const fills = await this.newest(session, symbol.symbol)
    if (this.kept.get(symbol.symbol) !== made) return
    if (fills === undefined) {
      this.kept.delete(symbol.symbol)
      this.markets.value = [...this.kept.keys()]
      return
    }
    this.add(made, fills.slice(-FILLS_MAX), fills.length > FILLS_MAX)
    if (made.isBehind) this.catchUp(session)
  }

  /** Takes a fill that an event brought. */
  take(symbol: string, fill: FillRow): void {
    const kept = this.kept.get(symbol)
    if (kept === undefined) return
    if (kept.shown.peek().isReading) kept.since.push(fill)
    else this.add(kept, [fill], kept.shown.peek().isCut)
  }

  /** Events may have been missed: reads what came after the newest fill that is known. */
  catchUp(session: Source): void {
    for (const kept of this.kept.values()) {
      kept.isBehind = kept.shown.peek().isReading
      if (kept.isBehind) continue
      kept.shown.value = { ...kept.shown.peek(), isReading: true }
      void this.follow(session, kept)
    }
  }

  clear(): void {
    this.kept.clear()
    this.markets.value = []
  }

  private async follow(session: Source, kept: Kept): Promise<void> {
    const { symbol } = kept.symbol
    const missed: FillRow[] = []
    while (this.kept.get(symbol) === kept) {
      const fromId = (missed.at(-1)?.id ?? kept.newestId) + 1
      const page = await session
        .read<readonly FillRow[]>('myTrades', { symbol, fromId, limit: PAGE })
        .catch(() => undefined)
      missed.push(...(page ?? []))
      if (page !== undefined && page.length < PAGE) break
      if (page === undefined) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    if (this.kept.get(symbol) !== kept) return
    this.add(kept, missed, kept.shown.peek().isCut)
    if (kept.isBehind) this.catchUp(session)
  }

  /** Returns the newest fills, the oldest of them first; more than the bound if there are. Undefined when a page failed. */
  private async newest(session: Source, symbol: string): Promise<FillRow[] | undefined> {
    let fills: FillRow[] = []
    while (fills.length <= FILLS_MAX) {
      const [oldest] = fills
      const until = oldest === undefined ? {} : { endTime: oldest.time }
      const page = await session
        .read<readonly FillRow[]>('myTrades', { symbol, limit: PAGE, ...until })
        .catch(() => undefined)
      if (page === undefined) return undefined
      // Fills of the oldest one's millisecond are in both pages.
      const older = page.filter(({ id }) => oldest === undefined || id < oldest.id)
      fills = [...older, ...fills]
      if (page.length < PAGE || older.length === 0) break
    }
    return fills
  }

  private add(kept: Kept, fills: readonly FillRow[], isCut: boolean): void {
    const before = kept.shown.peek()
    let { position, fills: count } = before
    for (const fill of [...fills, ...kept.since]) {
      if (fill.id <= kept.newestId) continue
      position = withFill(position, fill, kept.symbol)
      kept.newestId = fill.id
      count++
    }
    kept.since = []
    kept.shown.value = { position, fills: count, isCut, isReading: false }
  }
}
