/**
 * Trades of one symbol for a view that continues from the archive: they wait for the archive's result,
 * and those that it already covers are left out. Readers of such a stream get the first frame later, by
 * as much as the archive is behind.
 */
import { pause, type Time } from '../../../base/time.ts'
import type { TakenTrade } from '../../../core/views/trade-row.ts'

/** More trades than wait while the archive is not far behind. */
const WAITING_MAX = 65_536
const RETRY_MS = 1_000

export interface SeededTradesParts<Seed> {
  readonly time: Pick<Time, 'after'>
  readonly ask: () => Promise<Seed>
  /** Trades up to this one are left out, 0 for none; `firstId` is the first that waits, or infinite. */
  readonly lastTradeIdOf: (seed: Seed, firstId: number) => number
  readonly begin: (seed: Seed, firstId: number) => void
  /** Takes a trade after the archive's result. */
  readonly take: (trade: TakenTrade) => void
  /** Called when the waiting trades have been taken. */
  readonly caughtUp: () => void
  readonly warn: (fields: object, message: string) => void
}

export class SeededTrades<Seed> {
  private readonly parts: SeededTradesParts<Seed>
  /** Trades since the query of the archive; undefined after its result. */
  private waiting: TakenTrade[] | undefined = []
  private hasForgotten = false
  private lastTradeId = 0
  private closed = false

  constructor(parts: SeededTradesParts<Seed>) {
    this.parts = parts
    void this.seed()
  }

  add(trade: TakenTrade): void {
    if (this.waiting === undefined) this.take(trade)
    else if (this.waiting.length < WAITING_MAX) this.waiting.push(trade)
    else this.hasForgotten = true
  }

  close(): void {
    this.closed = true
  }

  /** A result covers everything published before the query: earlier trades need not wait. */
  private async seed(): Promise<void> {
    while (!this.closed) {
      this.waiting = []
      this.hasForgotten = false
      try {
        const seed = await this.parts.ask()
        if (this.hasForgotten) continue
        if (!this.closed) this.begin(seed)
        return
      } catch (error) {
        if (this.closed) return
        const { message: reason } = error as Error
        this.parts.warn({ reason }, 'a stream cannot begin without the archive; asking again')
        await pause(this.parts.time, RETRY_MS)
      }
    }
  }

  private begin(seed: Seed): void {
    const waiting = this.waiting ?? []
    this.waiting = undefined
    const firstId = waiting[0]?.tradeId ?? Number.POSITIVE_INFINITY
    this.lastTradeId = this.parts.lastTradeIdOf(seed, firstId)
    this.parts.begin(seed, firstId)
    for (const trade of waiting) this.take(trade)
    this.parts.caughtUp()
  }

  private take(trade: TakenTrade): void {
    if (trade.tradeId > this.lastTradeId) this.parts.take(trade)
  }
}
