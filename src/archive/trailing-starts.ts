/**
 * Trailing stops that wait for the trade that starts their tracking (faqs/trailing-stop-faq.md). No event says
 * that it started, since it follows from the trades; so the archive follows them as the engine does,
 * lest it show less than was so. They are few, kept in memory and in a table for the next start.
 */
import { type OrderTerms, OrderType, Side, sideOf, typeOf } from '../base/codes.ts'
import { type AccountId, OrderId, type SymbolId, type Ticks } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { UntrackedKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { UntrackedValue } from '../layout/rows.gen.ts'
import { TableName } from './tables.ts'

interface Untracked {
  readonly account: AccountId
  readonly stopTicks: Ticks
  /** Whether a price at or below the stop starts it, rather than at or above. */
  readonly fromAbove: boolean
}

export type Started = (account: AccountId, orderId: OrderId) => void

export class TrailingStarts {
  private readonly table: Table
  private readonly key = new UntrackedKey()
  private readonly row = RecordBuffer.allocate(UntrackedValue.bytes)
  /** By symbol, then by order. */
  private readonly waiting = new Map<number, Map<number, Untracked>>()

  constructor(environment: Environment) {
    this.table = environment.table(TableName.UNTRACKED)
    this.load()
  }

  /** Trusts the table's current contents. */
  load(): void {
    this.waiting.clear()
    for (const { key, value } of this.table.rows({})) {
      this.row.bytes.set(value)
      this.remember(UntrackedKey.symbolId(key), UntrackedKey.orderId(key), {
        account: UntrackedValue.account(this.row, 0),
        stopTicks: UntrackedValue.stopTicks(this.row, 0),
        fromAbove: UntrackedValue.isFromAbove(this.row, 0) === 1,
      })
    }
  }

  /** A trailing stop begins to wait; stopTicks 0: any trade starts it. */
  add(
    account: AccountId,
    symbolId: SymbolId,
    orderId: OrderId,
    terms: OrderTerms,
    stopTicks: Ticks,
  ): void {
    const type = typeOf(terms)
    const isStopLoss = type === OrderType.STOP_LOSS || type === OrderType.STOP_LOSS_LIMIT
    const fromAbove = isStopLoss === (sideOf(terms) === Side.SELL)
    this.remember(symbolId, orderId, { account, stopTicks, fromAbove })
    UntrackedValue.setStopTicks(this.row, 0, stopTicks)
    UntrackedValue.setAccount(this.row, 0, account)
    UntrackedValue.setIsFromAbove(this.row, 0, fromAbove ? 1 : 0)
    this.table.put(this.key.of(symbolId, orderId), this.row.bytes)
  }

  /** The order ended, or it was triggered. */
  remove(symbolId: SymbolId, orderId: OrderId): void {
    if (this.waiting.get(symbolId)?.delete(orderId) !== true) return
    this.table.remove(this.key.of(symbolId, orderId))
  }

  /** Whether a trade of the symbol could start any. */
  awaitedOn(symbolId: SymbolId): boolean {
    return this.waiting.size > 0 && (this.waiting.get(symbolId)?.size ?? 0) > 0
  }

  /** A trade at this price: calls `started` for each order whose tracking it starts. */
  traded(symbolId: SymbolId, priceTicks: Ticks, started: Started): void {
    for (const [orderId, order] of this.waiting.get(symbolId) ?? []) {
      const { account, stopTicks, fromAbove } = order
      const reached = fromAbove ? priceTicks <= stopTicks : priceTicks >= stopTicks
      if (stopTicks !== 0 && !reached) continue
      this.remove(symbolId, OrderId(orderId))
      started(account, OrderId(orderId))
    }
  }

  private remember(symbolId: SymbolId, orderId: OrderId, order: Untracked): void {
    const waiting = this.waiting.get(symbolId)
    if (waiting === undefined) this.waiting.set(symbolId, new Map([[orderId, order]]))
    else waiting.set(orderId, order)
  }
}
