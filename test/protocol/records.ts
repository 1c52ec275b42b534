/** Events and replies as an engine would write them, with what a test does not care about filled in. */

import { NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { noExtras, noTransfer } from '../../bench/workloads/no-extras.ts'
import {
  ExpiryReason,
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderPhase,
  OrderStatus,
  OrderType,
  packTerms,
  RejectReason,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import type { OrderRow } from '../../src/history/account-history.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import {
  type MatchPreventedRecord,
  type OrderAcceptedRecord,
  type OrderAmendedRecord,
  type OrderClosedRecord,
  type OrderDetailsRecord,
  type OrderListChangedRecord,
  type OrderListRejectedRecord,
  type OrderStateDetailsRecord,
  type OrderStateRecord,
  type TradeRecord,
  writeMatchPrevented,
  writeOrderAccepted,
  writeOrderAmended,
  writeOrderClosed,
  writeOrderDetails,
  writeOrderListChanged,
  writeOrderListRejected,
  writeOrderState,
  writeOrderStateDetails,
  writeQueryEnd,
  writeRejected,
  writeReplaceResult,
  writeTrade,
  writeTradeCommission,
} from '../../src/layout/records.gen.ts'

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
    const { priceTicks = 4_999_900, tradeLots = 400 } = fields
    writeTrade(buffer, 0, {
      ...eventHeader,
      sequence: 11,
      takerAccount: trader.id,
      makerAccount: 8,
      takerTerms: buyLimit,
      makerTerms: packTerms(Side.SELL, OrderType.LIMIT_MAKER, TimeInForce.GTC, 1),
      tradeId: 77,
      priceTicks,
      tradeLots,
      quoteAtoms: priceTicks * tradeLots * 10,
      updateId: 101,
      takerOrderId: order.orderId,
      takerFilledLots: 400,
      takerFilledAtoms: 19_999_600_000,
      takerCommissionAtoms: 600,
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

/** What is not said of an order that does not wait and shows all of itself. */
const plainDetails = {
  account: trader.id,
  trailingDelta: 0,
  orderId: order.orderId,
  orderListId: -1,
  stopTicks: 0,
  icebergLots: 0,
  strategyId: -1,
  strategyType: 0,
  phase: OrderPhase.WORKING,
  trailingMs: -1,
  workingMs: NOW_MS - 3_000,
  extremeTicks: 0,
  preventedLots: 0,
  amendments: 0,
}

export const details =
  (fields: Partial<OrderDetailsRecord> = {}): Write =>
  (buffer) => {
    writeOrderDetails(buffer, 0, { ...eventHeader, ...plainDetails, ...fields })
  }

export const stateDetails =
  (fields: Partial<OrderStateDetailsRecord> = {}): Write =>
  (buffer) => {
    writeOrderStateDetails(buffer, 0, { ...header, ...plainDetails, ...fields })
  }

/** List 5: orders 41 and 42, just placed. */
export const listChanged =
  (fields: Partial<OrderListChangedRecord> = {}): Write =>
  (buffer) => {
    writeOrderListChanged(buffer, 0, {
      ...eventHeader,
      account: trader.id,
      kind: OrderListKind.OCO,
      statusType: ListStatusType.EXEC_STARTED,
      orderStatus: ListOrderStatus.EXECUTING,
      orderListId: 5,
      legs: 2,
      orderId1: 41,
      orderId2: 42,
      orderId3: 0,
      listClientOrderId: 'theList',
      clientOrderId1: 'one',
      clientOrderId2: 'two',
      clientOrderId3: '',
      ...fields,
    })
  }

/** Its quantity goes from 0.01 to 0.008. */
export const amended =
  (fields: Partial<OrderAmendedRecord> = {}): Write =>
  (buffer) => {
    writeOrderAmended(buffer, 0, {
      ...eventHeader,
      sequence: 13,
      ...order,
      lots: 800,
      oldLots: 1_000,
      filledLots: 0,
      filledAtoms: 0,
      preventedLots: 0,
      createdMs: NOW_MS - 5_000,
      removedLots: 200,
      updateId: 103,
      releasedAtoms: 0,
      clientOrderId: 'renamed',
      origClientOrderId: 'mine',
      ...fields,
    })
  }

/** A side of the trade that follows pays 0.0001 of the third asset. */
export const paysOtherwise =
  (isMaker: boolean): Write =>
  (buffer) => {
    writeTradeCommission(buffer, 0, {
      ...eventHeader,
      account: trader.id,
      assetId: 2,
      isMaker: isMaker ? 1 : 0,
      spare: 0,
      atoms: 10_000,
      tradeId: 77,
    })
  }

export const rejected =
  (reason: number): Write =>
  (buffer) => {
    writeRejected(buffer, 0, { ...header, reason, spare: 0 })
  }

/** An OCO that was refused. */
export const listRejected =
  (fields: Partial<OrderListRejectedRecord> = {}): Write =>
  (buffer) => {
    writeOrderListRejected(buffer, 0, {
      ...header,
      account: trader.id,
      kind: OrderListKind.OCO,
      reason: RejectReason.INSUFFICIENT_BALANCE,
      legs: 2,
      timeMs: NOW_MS,
      listClientOrderId: 'theList',
      clientOrderId1: 'one',
      clientOrderId2: 'two',
      clientOrderId3: '',
      ...fields,
    })
  }

/** How a replacement ended; reasons as the record has them. */
export const replaceResult =
  (cancelReason: number, orderReason: number): Write =>
  (buffer) => {
    writeReplaceResult(buffer, 0, {
      ...header,
      ...order,
      ...noExtras,
      timeMs: NOW_MS,
      clientOrderId: 'new',
      cancelReason,
      orderReason,
    })
  }

export const queryEnd: Write = (buffer) => {
  writeQueryEnd(buffer, 0, { ...header, isWhole: 1, spare: 0, untilOrderId: 42 })
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
