/** A Trade event as the public sees it, and the order that took. */
import { Side, sideOf } from '../../base/codes.ts'
import type { OrderId } from '../../base/units.ts'
import type { PublicTradeRow } from '../../history/market-history.ts'
import { EventHeader, Trade } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordFlags } from '../../layout/record-buffer.ts'
import { FLAG_AUCTION } from '../../layout/records.gen.ts'

export interface TakenTrade extends PublicTradeRow {
  readonly takerOrderId: OrderId
  /** Whether an auction made it: the taker is the later order of a pair, and may trade in the next execution too. */
  readonly isAuction: boolean
}

/** The Trade at byte `at`. */
export function takenTradeAt(records: RecordBuffer, at: number): TakenTrade {
  return {
    tradeId: Trade.tradeId(records, at),
    priceTicks: Trade.priceTicks(records, at),
    lots: Trade.tradeLots(records, at),
    quoteAtoms: Trade.quoteAtoms(records, at),
    timeMs: EventHeader.timeMs(records, at),
    isBuyerMaker: sideOf(Trade.makerTerms(records, at)) === Side.BUY,
    takerOrderId: Trade.takerOrderId(records, at),
    isAuction: (recordFlags(records, at) & FLAG_AUCTION) !== 0,
  }
}
