/**
 * Rows of the account's past: read once, a page, when they are first shown and after each gap in the events, and kept
 * by events from then on. One store for the tab, whatever is shown.
 */
import { type Signal, signal } from '@preact/signals'

/** Rows of a market that are read and kept at first; older ones are read on request, so many at a time. */
const ROWS = 100
const OLDER = 1_000
export const ROWS_MAX = 10_000
/** Markets whose rows are kept; the one that was read longest ago gives way. */
const MARKETS_MAX = 20
const RETRY_MS = 5_000

/** The part of a session that reads rows. */
interface Source {
  readonly isFollowing: boolean
  read<Body>(method: string, params: Readonly<Record<string, string | number>>): Promise<Body>
}

interface Kept<Row> {
  readonly rows: Signal<readonly Row[]>
  /** The reading of the account that this page followed. */
  readFor: number
  /** Rows that events brought while a page was read: they follow it. */
  since: Row[]
  /** Rows that are kept now at most. */
  most: number
  /** Whether the oldest row is the market's first, as far as the exchange knows. */
  isWhole: boolean
  isReadingOlder: boolean
}

export class KeptRows<Row> {
  private readonly method: string
  private readonly idOf: (row: Row) => number
  private readonly timeOf: (row: Row) => number
  private readonly markets = new Map<string, Kept<Row>>()

  constructor(method: string, idOf: (row: Row) => number, timeOf: (row: Row) => number) {
    this.method = method
    this.idOf = idOf
    this.timeOf = timeOf
  }

  /** Newest first; '' is the market of rows that are not read by market. */
  of(market: string): readonly Row[] {
    return this.kept(market).rows.value
  }

  /** Takes a row as it stands after an event. Rows of markets that were never shown are not kept. */
  take(market: string, row: Row): void {
    const kept = this.markets.get(market)
    if (kept === undefined) return
    kept.since.push(row)
    this.merge(kept, [row])
  }

  /** Reads a page unless one was read since the account was. */
  async read(session: Source, market: string, readFor: number): Promise<void> {
    const kept = this.kept(market)
    if (kept.readFor === readFor) return
    kept.readFor = readFor
    while (kept.readFor === readFor && session.isFollowing) {
      kept.since = []
      const newest = kept.rows.peek()[0]
      const page = await session
        .read<readonly Row[]>(this.method, { symbol: market, limit: ROWS })
        .catch(() => undefined)
      if (page !== undefined) {
        const oldest = page[0]
        const isWhole = page.length < ROWS
        // Between the page and the rows that are kept others may be missing.
        if (!isWhole && newest !== undefined && this.idOf(oldest!) > this.idOf(newest)) {
          kept.rows.value = []
          kept.most = ROWS
          kept.isWhole = false
        }
        if (newest === undefined) kept.isWhole = isWhole
        this.merge(kept, [...page, ...kept.since])
        return
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  /** Whether older rows can be read. */
  hasOlder(market: string): boolean {
    const { rows, isWhole } = this.kept(market)
    return !isWhole && rows.value.length > 0 && rows.value.length < ROWS_MAX
  }

  /** Reads the rows before the oldest one. Returns whether it could. */
  async readOlder(session: Source, market: string): Promise<boolean> {
    const kept = this.kept(market)
    const rows = kept.rows.peek()
    const oldest = rows.at(-1)
    if (oldest === undefined || kept.isReadingOlder) return false
    kept.isReadingOlder = true
    const params = { symbol: market, limit: OLDER, endTime: this.timeOf(oldest) }
    const page = await session.read<readonly Row[]>(this.method, params).catch(() => undefined)
    kept.isReadingOlder = false
    if (page === undefined) return false
    kept.isWhole = page.length < OLDER
    kept.most = Math.min(ROWS_MAX, rows.length + OLDER)
    this.merge(kept, page)
    return true
  }

  clear(): void {
    this.markets.clear()
  }

  private kept(market: string): Kept<Row> {
    const found = this.markets.get(market)
    if (found !== undefined) return found
    const made: Kept<Row> = {
      rows: signal<readonly Row[]>([]),
      readFor: -1,
      since: [],
      most: ROWS,
      isWhole: false,
      isReadingOlder: false,
    }
    this.markets.set(market, made)
    const [oldest] = this.markets.keys()
    if (this.markets.size > MARKETS_MAX) this.markets.delete(oldest!)
    return made
  }

  private merge(kept: Kept<Row>, rows: readonly Row[]): void {
    const byId = new Map([...kept.rows.peek(), ...rows].map((row) => [this.idOf(row), row]))
    if (byId.size > kept.most) kept.isWhole = false
    const newest = [...byId].sort(([a], [b]) => b - a).slice(0, kept.most)
    kept.rows.value = newest.map(([, row]) => row)
    if (kept.since.length > ROWS) kept.since.splice(0, kept.since.length - ROWS)
  }
}
