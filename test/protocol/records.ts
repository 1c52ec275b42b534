/** Events and replies as an engine would write them, with what a test does not care about filled in. */
import type { OrderRow } from '#api/context.ts'
import {
  ExpiryReason,
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '#base/codes.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import {
  type MatchPreventedRecord,
  type OrderAcceptedRecord,
  type OrderClosedRecord,
  type OrderStateRecord,
  type TradeRecord,
  writeMatchPrevented,
  writeOrderAccepted,
  writeOrderClosed,
  writeOrderState,
  writeTrade,
} from '#layout/records.gen.ts'
import { noTransfer } from '../no-extras.ts'
import { NOW_MS, trader } from './fake-context.ts'

export const buyLimit = packTerms(
  Side.BUY,
  OrderType.LIMIT,
  TimeInForce.GTC,
  SelfTradePrevention.EXPIRE_MAKER,
)

const header = { symbolId: 0, gateway: 0, correlation: 0 }
const eventHeader = { ...header, timeMs: NOW_MS, sequence: 10 }

/** BUY 0.01 at 50000.00. */
const order = {
  account: trader.id,
  terms: buyLimit,
  orderId: 41,
  priceTicks: 5_000_000,
  lots: 1_000,
  quoteAtoms: 0,
}

export type Write = (buffer: RecordBuffer) => void

export const accepted =
  (fields: Partial<OrderAcceptedRecord> = {}): Write =>
  (buffer) => {
    const record = { ...eventHeader, ...order, heldAtoms: 0, clientOrderId: 'mine' }
    writeOrderAccepted(buffer, 0, { ...record, ...fields })
  }

/** The order above takes 0.004 of order 9, which SELLs 0.02 at 49999.00. */
export const trade =
  (fields: Partial<TradeRecord> = {}): Write =>
  (buffer) => {
    writeTrade(buffer, 0, {
      ...eventHeader,
      sequence: 11,
      takerAccount: trader.id,
      makerAccount: 8,
      takerTerms: buyLimit,
      makerTerms: packTerms(Side.SELL, OrderType.LIMIT_MAKER, TimeInForce.GTC, 1),
      tradeId: 77,
      priceTicks: 4_999_900,
      tradeLots: 400,
      updateId: 101,
      takerOrderId: order.orderId,
      takerFilledLots: 400,
      takerFilledAtoms: 19_999_600_000,
      takerCommissionAtoms: 60_000,
      makerOrderId: 9,
      makerFilledLots: 500,
      makerFilledAtoms: 24_999_500_000,
      makerCommissionAtoms: 23_999_520,
      makerLots: 2_000,
      makerCreatedMs: NOW_MS - 60_000,
      buyerReleasedAtoms: 0,
      makerClientOrderId: 'theirs',
      ...fields,
    })
  }

/** It is canceled by its owner. */
export const closed =
  (fields: Partial<OrderClosedRecord> = {}): Write =>
  (buffer) => {
    writeOrderClosed(buffer, 0, {
      ...eventHeader,
      sequence: 12,
      ...order,
      status: OrderStatus.CANCELED,
      reason: ExpiryReason.NONE,
      filledLots: 400,
      filledAtoms: 19_999_600_000,
      preventedLots: 0,
      createdMs: NOW_MS - 5_000,
      restedLots: 600,
      updateId: 102,
      releasedAtoms: 0,
      clientOrderId: 'theCancel',
      origClientOrderId: 'mine',
      ...fields,
    })
  }

/** It meets order 9 of the same owner, which expires. */
export const prevented =
  (fields: Partial<MatchPreventedRecord> = {}): Write =>
  (buffer) => {
    writeMatchPrevented(buffer, 0, {
      ...eventHeader,
      ...noTransfer,
      sequence: 11,
      takerAccount: trader.id,
      makerAccount: trader.id,
      takerTerms: buyLimit,
      makerTerms: packTerms(Side.SELL, OrderType.LIMIT, TimeInForce.GTC, 2),
      tradeGroupId: -1,
      preventedMatchId: 0,
      priceTicks: 4_999_900,
      takerOrderId: order.orderId,
      makerOrderId: 9,
      takerPreventedLots: 0,
      makerPreventedLots: 1_500,
      matchLots: 1_000,
      ...fields,
    })
  }

export const state =
  (fields: Partial<OrderStateRecord> = {}): Write =>
  (buffer) => {
    writeOrderState(buffer, 0, {
      ...header,
      ...order,
      filledLots: 0,
      filledAtoms: 0,
      preventedLots: 0,
      createdMs: NOW_MS - 5_000,
      updatedMs: NOW_MS - 4_000,
      clientOrderId: 'mine',
      ...fields,
    })
  }

export const orderRow = (fields: Partial<OrderRow>): OrderRow => ({
  ...order,
  filledLots: 400,
  filledAtoms: 19_999_600_000,
  preventedLots: 0,
  preventedMatchIdPlusOne: 0,
  status: OrderStatus.PARTIALLY_FILLED,
  reason: ExpiryReason.NONE,
  createdMs: NOW_MS - 5_000,
  updatedMs: NOW_MS - 4_000,
  clientOrderId: 'mine',
  ...fields,
})
