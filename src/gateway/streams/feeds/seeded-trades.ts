/**
 * Trades of one symbol for a fold that continues what the archive says: they wait until the archive
 * has answered, and those that the fold need not be told are left out. Who reads such a stream gets its first
 * frame a moment later; when the archive is behind, that moment is as long as it is.
 */
import type { TakenTrade } from '../../../core/folds/trade-row.ts'

/** More than wait for it when the archive is not far behind. */
const WAITING_MAX = 65_536
const RETRY_MS = 1_000

export interface SeededTradesParts<Seed> {
  readonly ask: () => Promise<Seed>
  /** Trades up to this one are left out, 0 for none; `firstId` is the first that waits, or infinite. */
  readonly lastTradeIdOf: (seed: Seed, firstId: number) => number
  readonly begin: (seed: Seed, firstId: number) => void
  /** A trade after the answer. */
  readonly take: (trade: TakenTrade) => void
  /** Those that waited have been taken. */
  readonly caughtUp: () => void
  readonly warn: (fields: object, message: string) => void
}

export class SeededTrades<Seed> {
  readonly #parts: SeededTradesParts<Seed>
  /** Since the archive was asked; undefined once it has answered. */
  #waiting: TakenTrade[] | undefined = []
  #hasForgotten = false
  #lastTradeId = 0
  #closed = false

  constructor(parts: SeededTradesParts<Seed>) {
    this.#parts = parts
    void this.#seed()
  }

  add(trade: TakenTrade): void {
    if (this.#waiting === undefined) this.#take(trade)
    else if (this.#waiting.length < WAITING_MAX) this.#waiting.push(trade)
    else this.#hasForgotten = true
  }

  close(): void {
    this.#closed = true
  }

  /** An answer is of all that was published when it was asked: what waited before need not wait. */
  async #seed(): Promise<void> {
    while (!this.#closed) {
      this.#waiting = []
      this.#hasForgotten = false
      try {
        const seed = await this.#parts.ask()
        if (this.#hasForgotten) continue
        if (!this.#closed) this.#begin(seed)
        return
      } catch (error) {
        if (this.#closed) return
        const { message: reason } = error as Error
        this.#parts.warn({ reason }, 'a stream cannot begin without the archive; asking again')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  #begin(seed: Seed): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    const firstId = waiting[0]?.tradeId ?? Number.POSITIVE_INFINITY
    this.#lastTradeId = this.#parts.lastTradeIdOf(seed, firstId)
    this.#parts.begin(seed, firstId)
    for (const trade of waiting) this.#take(trade)
    this.#parts.caughtUp()
  }

  #take(trade: TakenTrade): void {
    if (trade.tradeId > this.#lastTradeId) this.#parts.take(trade)
  }
}
