/** A Trade event as the public sees it, and the order that took. */
import { Side, sideOf } from '../../base/codes.ts'
import type { OrderId } from '../../base/units.ts'
import type { PublicTradeRow } from '../../history/market-history.ts'
import { Trade } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'

export interface TakenTrade extends PublicTradeRow {
  readonly takerOrderId: OrderId
}

/** The Trade at byte `at`. */
export function takenTradeAt(records: RecordBuffer, at: number): TakenTrade {
  return {
    tradeId: Trade.tradeId(records, at),
    priceTicks: Trade.priceTicks(records, at),
    lots: Trade.tradeLots(records, at),
    quoteAtoms: Trade.quoteAtoms(records, at),
    timeMs: Trade.timeMs(records, at),
    isBuyerMaker: sideOf(Trade.makerTerms(records, at)) === Side.BUY,
    takerOrderId: Trade.takerOrderId(records, at),
  }
}
