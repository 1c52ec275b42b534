/** A Trade event as everybody sees it, and the order that took. */
import { Side, sideOf } from '../../base/codes.ts'
import type { PublicTradeRow } from '../../history/market-history.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { Trade } from '../../layout/records.gen.ts'

export interface TakenTrade extends PublicTradeRow {
  readonly takerOrderId: number
}

/** The Trade at byte `at`. */
export function takenTradeAt({ i32, f64 }: RecordBuffer, at: number): TakenTrade {
  const double = at >> 3
  return {
    tradeId: f64[double + Trade.tradeId]!,
    priceTicks: f64[double + Trade.priceTicks]!,
    lots: f64[double + Trade.tradeLots]!,
    quoteAtoms: f64[double + Trade.quoteAtoms]!,
    timeMs: f64[double + Trade.timeMs]!,
    isBuyerMaker: sideOf(i32[(at >> 2) + Trade.makerTerms]!) === Side.BUY,
    takerOrderId: f64[double + Trade.takerOrderId]!,
  }
}
