/** Events and replies as an engine would write them, with what a test does not care about filled in. */

import { NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { noDetails, noExtras, noTransfer } from '../../bench/workloads/no-extras.ts'
import {
  type DetailsSectionFields,
  type MatchPreventedRecord,
  type OrderAcceptedRecord,
  type OrderAmendedRecord,
  type OrderClosedRecord,
  type OrderListChangedRecord,
  type OrderListRejectedRecord,
  type OrderStateRecord,
  type PreventionSectionFields,
  type TradeRecord,
  writeBlockTrade,
  writeMatchPrevented,
  writeOrderAccepted,
  writeOrderAmended,
  writeOrderClosed,
  writeOrderListChanged,
  writeOrderListRejected,
  writeOrderState,
  writeQueryEnd,
  writeQuoteResult,
  writeRejected,
  writeReplaceResult,
  writeTrade,
} from '../../scripts/layout/codecs.gen.ts'
import {
  DETAILED,
  ExpiryReason,
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderStatus,
  OrderType,
  packTerms,
  RejectReason,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import type { OrderRow } from '../../src/history/account-history.ts'
import { QuoteOutcome, QuoteResult } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'

export const buyLimit = packTerms(
  Side.BUY,
  OrderType.LIMIT,
  TimeInForce.GTC,
  SelfTradePrevention.EXPIRE_MAKER,
)

const header = { symbolId: SymbolId(0), gateway: 0, correlation: 0 }
const eventHeader = { ...header, timeMs: NOW_MS, sequence: 10 }

/** BUY 0.01 at 50000.00. */
const order = {
  account: trader.id,
  terms: buyLimit,
  orderId: OrderId(41),
  priceTicks: Ticks(5_000_000),
  lots: Lots(1_000),
  quoteAtoms: QuoteAtoms(0),
}

export type Write = (buffer: RecordBuffer) => void

/** Values for an order that does not wait and shows all of itself. */
const plainDetails = { ...noDetails, workingMs: Ms(NOW_MS - 3_000) }

/** A record's fields, where sections may leave out what a test does not care about. */
export type Fields<T> = Partial<Omit<T, 'details' | 'prevention'>> & {
  readonly details?: Partial<DetailsSectionFields>
  readonly prevention?: Partial<PreventionSectionFields>
}

/** The fields with whole sections. An order that has details is detailed. */
export function whole<T extends { readonly terms: number }>(
  record: T,
  { details, prevention, ...fields }: Fields<T>,
): T & { details: DetailsSectionFields; prevention: PreventionSectionFields } {
  const merged = { ...record, ...fields }
  return {
    ...merged,
    terms: merged.terms | (details === undefined ? 0 : DETAILED),
    details: { ...plainDetails, ...details },
    prevention: { ...aMatch, ...prevention },
  }
}

/** Prevented match 0, of orders 41 and 9 of one owner, as order 9 sees it, which lost all of it. */
const aMatch = {
  preventedMatchId: 0,
  tradeGroupId: -1,
  counterOrderId: order.orderId,
  lastPreventedLots: Lots(1_500),
  matchLots: Lots(1_000),
  priceTicks: Ticks(4_999_900),
}

export const accepted =
  (fields: Fields<OrderAcceptedRecord> = {}): Write =>
  (buffer) => {
    const record = { ...eventHeader, ...order, heldAtoms: Atoms(0), clientOrderId: 'mine' }
    writeOrderAccepted(buffer, 0, whole<OrderAcceptedRecord>(record, fields))
  }

type TradeFields = Partial<Omit<TradeRecord, 'takerDetails' | 'makerDetails'>> & {
  readonly takerDetails?: Partial<DetailsSectionFields>
  readonly makerDetails?: Partial<DetailsSectionFields>
}

/** The order above takes 0.004 of order 9, which SELLs 0.02 at 49999.00. */
export const trade =
  (given: TradeFields = {}): Write =>
  (buffer) => {
    const { takerDetails, makerDetails, ...fields } = given
    const { priceTicks = 4_999_900, tradeLots = 400 } = fields
    const { takerTerms = buyLimit, takerFilledLots = 400, makerFilledLots = 500 } = fields
    const { makerTerms = packTerms(Side.SELL, OrderType.LIMIT_MAKER, TimeInForce.GTC, 1) } = fields
    const statusOf = (filledLots: Lots, lots: Lots, details = takerDetails) =>
      filledLots + (details?.preventedLots ?? 0) === lots
        ? OrderStatus.FILLED
        : OrderStatus.PARTIALLY_FILLED
    writeTrade(buffer, 0, {
      ...eventHeader,
      sequence: 11,
      takerAccount: trader.id,
      makerAccount: AccountId(8),
      takerPriceTicks: Ticks(order.priceTicks),
      takerQuoteAtoms: QuoteAtoms(0),
      takerStatus: statusOf(Lots(takerFilledLots), Lots(order.lots)),
      makerStatus: statusOf(Lots(makerFilledLots), Lots(2_000), makerDetails),
      takerCommissionAssetId: AssetId(-1),
      makerCommissionAssetId: AssetId(-1),
      takerLots: Lots(order.lots),
      takerCreatedMs: NOW_MS,
      takerClientOrderId: 'mine',
      tradeId: TradeId(77),
      priceTicks: Ticks(priceTicks),
      tradeLots: Lots(tradeLots),
      quoteAtoms: QuoteAtoms(priceTicks * tradeLots * 10),
      updateId: 101,
      takerOrderId: OrderId(order.orderId),
      takerFilledLots: Lots(takerFilledLots),
      takerFilledAtoms: QuoteAtoms(19_999_600_000),
      takerCommissionAtoms: Atoms(600),
      makerOrderId: OrderId(9),
      makerFilledLots: Lots(makerFilledLots),
      makerFilledAtoms: QuoteAtoms(24_999_500_000),
      makerCommissionAtoms: Atoms(23_999_520),
      makerLots: Lots(2_000),
      makerCreatedMs: Ms(NOW_MS - 60_000),
      buyerReleasedAtoms: QuoteAtoms(0),
      makerClientOrderId: 'theirs',
      ...fields,
      takerTerms: takerTerms | (takerDetails === undefined ? 0 : DETAILED),
      makerTerms: makerTerms | (makerDetails === undefined ? 0 : DETAILED),
      takerDetails: { ...plainDetails, ...takerDetails },
      makerDetails: { ...plainDetails, ...makerDetails },
    })
  }

/** It is canceled by its owner. */
export const closed =
  (fields: Fields<OrderClosedRecord> = {}): Write =>
  (buffer) => {
    const record: OrderClosedRecord = {
      ...eventHeader,
      sequence: 12,
      ...order,
      status: OrderStatus.CANCELED,
      reason: ExpiryReason.NONE,
      filledLots: Lots(400),
      filledAtoms: QuoteAtoms(19_999_600_000),
      preventedLots: Lots(0),
      createdMs: Ms(NOW_MS - 5_000),
      restedLots: Lots(600),
      updateId: 102,
      releasedAtoms: Atoms(0),
      clientOrderId: 'theCancel',
      origClientOrderId: 'mine',
    }
    writeOrderClosed(buffer, 0, whole(record, fields))
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
      priceTicks: Ticks(4_999_900),
      takerOrderId: OrderId(order.orderId),
      makerOrderId: OrderId(9),
      takerPreventedLots: Lots(0),
      makerPreventedLots: Lots(1_500),
      matchLots: Lots(1_000),
      ...fields,
    })
  }

export const state =
  (fields: Fields<OrderStateRecord> = {}): Write =>
  (buffer) => {
    const record: OrderStateRecord = {
      ...header,
      ...order,
      filledLots: Lots(0),
      filledAtoms: QuoteAtoms(0),
      preventedLots: Lots(0),
      createdMs: Ms(NOW_MS - 5_000),
      updatedMs: Ms(NOW_MS - 4_000),
      clientOrderId: 'mine',
    }
    writeOrderState(buffer, 0, whole(record, fields))
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
      orderListId: OrderListId(5),
      legs: 2,
      orderId1: OrderId(41),
      orderId2: OrderId(42),
      orderId3: OrderId(0),
      listClientOrderId: 'theList',
      clientOrderId1: 'one',
      clientOrderId2: 'two',
      clientOrderId3: '',
      ...fields,
    })
  }

/** Its quantity goes from 0.01 to 0.008. */
export const amended =
  (fields: Fields<OrderAmendedRecord> = {}): Write =>
  (buffer) => {
    const record: OrderAmendedRecord = {
      ...eventHeader,
      sequence: 13,
      ...order,
      lots: Lots(800),
      oldLots: Lots(1_000),
      filledLots: Lots(0),
      filledAtoms: QuoteAtoms(0),
      preventedLots: Lots(0),
      createdMs: Ms(NOW_MS - 5_000),
      removedLots: Lots(200),
      updateId: 103,
      releasedAtoms: Atoms(0),
      clientOrderId: 'renamed',
      origClientOrderId: 'mine',
    }
    writeOrderAmended(buffer, 0, whole(record, fields))
  }

/** What a side of a trade has that pays 0.0001 of the third asset. */
export const paysOtherwise = (side: 'taker' | 'maker'): TradeFields => ({
  [`${side}CommissionAssetId`]: 2,
  [`${side}CommissionAtoms`]: 10_000,
})

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
export const quoteResult =
  (
    canceled: number,
    ...outcomes: readonly (readonly [outcome: number, reason: number, orderId: number])[]
  ): Write =>
  (buffer) => {
    writeQuoteResult(buffer, 0, { ...header, canceled, levels: outcomes.length })
    for (const [i, [outcome, reason, orderId]] of outcomes.entries()) {
      const at = QuoteResult.bytes + i * QuoteOutcome.bytes
      QuoteOutcome.setOutcome(buffer, at, outcome)
      QuoteOutcome.setReason(buffer, at, reason)
      QuoteOutcome.setOrderId(buffer, at, OrderId(orderId))
    }
  }

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

export const blockTrade: Write = (buffer) => {
  writeBlockTrade(buffer, 0, {
    ...eventHeader,
    sequence: 12,
    buyer: trader.id,
    seller: AccountId(8),
    blockTradeId: 582,
    priceTicks: Ticks(5_010_000),
    lots: Lots(200_000),
    quoteAtoms: QuoteAtoms(10_020_000_000_000),
    buyerCommissionAtoms: Atoms(0),
    sellerCommissionAtoms: Atoms(0),
    requestId: 'otc-17',
  })
}

export const queryEnd: Write = (buffer) => {
  writeQueryEnd(buffer, 0, { ...header, isWhole: 1, spare: 0, untilOrderId: OrderId(42) })
}

export const orderRow = (fields: Partial<OrderRow>): OrderRow => ({
  ...order,
  filledLots: Lots(400),
  filledAtoms: QuoteAtoms(19_999_600_000),
  preventedLots: Lots(0),
  preventedMatchIdPlusOne: 0,
  status: OrderStatus.PARTIALLY_FILLED,
  reason: ExpiryReason.NONE,
  createdMs: Ms(NOW_MS - 5_000),
  updatedMs: Ms(NOW_MS - 4_000),
  clientOrderId: 'mine',
  ...fields,
})
