/**
 * Every shape that an answer has or is made of, once: the components of the OpenAPI document
 * (spec, Resources; supplement 2a.3, 2a.4, 2h). What a shape lists as `sometimes` is absent, not
 * null, where there is nothing to say.
 */
import { exchangeInfo, relevantFilters } from '../answers/exchange-info.ts'
import { rateLimitCount } from '../answers/limits.ts'
import {
  aggregateTrade,
  averagePrice,
  bookTicker,
  dayTicker,
  depth,
  empty,
  kline,
  miniDayTicker,
  miniTicker,
  priceTicker,
  publicTrade,
  serverTime,
  systemStatus,
  ticker,
} from '../answers/market.ts'
import { labelNames } from '../order-labels.ts'
import {
  expiryReasonNames,
  preventionNames,
  sideNames,
  statusNames,
  timeInForceNames,
  typeNames,
} from '../render/terms.ts'
import {
  constant,
  decimal,
  either,
  flag,
  integer,
  list,
  type Members,
  object,
  oneOfNames,
  type Schema,
  text,
  time,
} from './schema.ts'

const prevention = oneOfNames(preventionNames)
const expiry = { expiryReason: oneOfNames(expiryReasonNames) }

/** What every order says of its terms. */
const terms: Members = {
  timeInForce: oneOfNames(timeInForceNames),
  type: oneOfNames(typeNames),
  side: oneOfNames(sideNames),
}
const ids: Members = { symbol: text, orderId: integer, orderListId: integer }
const labels: Members = {
  trailingDelta: integer,
  trailingTime: time,
  ...Object.fromEntries(labelNames.map((name) => [name, integer])),
}
const details: Members = { stopPrice: decimal, icebergQty: decimal, ...labels }
const amounts: Members = {
  price: decimal,
  origQty: decimal,
  executedQty: decimal,
  cummulativeQuoteQty: decimal,
  status: oneOfNames(statusNames),
}

const ack: Members = { ...ids, clientOrderId: text, transactTime: time }
const result: Members = {
  ...ack,
  ...amounts,
  ...terms,
  origQuoteOrderQty: decimal,
  workingTime: time,
  selfTradePreventionMode: prevention,
}
const preventions: Members = {
  preventedMatches: list(
    object(
      { preventedMatchId: integer, makerOrderId: integer, price: decimal },
      { takerPreventedQuantity: decimal, makerPreventedQuantity: decimal },
    ),
  ),
  preventedQuantity: decimal,
  tradeGroupId: integer,
}
const placed: Members = { ...details, ...preventions, ...expiry }
const fill = object({
  price: decimal,
  qty: decimal,
  commission: decimal,
  commissionAsset: text,
  tradeId: integer,
})

const rates = object({ maker: decimal, taker: decimal, buyer: decimal, seller: decimal })
const sideRates = object({ maker: decimal, taker: decimal })
const discount = object({
  enabledForAccount: flag,
  enabledForSymbol: flag,
  discountAsset: text,
  discount: decimal,
})

const listMembers: Members = {
  orderListId: integer,
  contingencyType: oneOfNames(['OCO', 'OTO']),
  listOrderStatus: oneOfNames(['EXECUTING', 'ALL_DONE', 'REJECT']),
  listClientOrderId: text,
  symbol: text,
  orders: list(object({ symbol: text, orderId: integer, clientOrderId: text })),
}
const wholeList: Members = {
  ...listMembers,
  listStatusType: oneOfNames(['RESPONSE', 'EXEC_STARTED', 'ALL_DONE', 'UPDATED']),
  transactionTime: time,
}

const amounted: Members = { price: decimal, qty: decimal, quoteQty: decimal }

const indicator = object({
  i: oneOfNames(['UFR', 'IFER', 'GCR']),
  c: integer,
  v: { type: 'number' },
  t: { type: 'number' },
})

export const shapes = {
  Empty: empty.schema,
  EmptyList: { type: 'array', maxItems: 0 },
  Error: object({ code: integer, msg: text }, { data: { type: 'object' } }),
  ServerTime: serverTime.schema,
  SystemStatus: systemStatus.schema,
  RateLimitCount: rateLimitCount.schema,
  ExchangeInfo: exchangeInfo.schema,
  RelevantFilters: relevantFilters.schema,
  Depth: depth.schema,
  PublicTrade: publicTrade.schema,
  AggregateTrade: aggregateTrade.schema,
  Kline: kline.schema,
  AveragePrice: averagePrice.schema,
  PriceTicker: priceTicker.schema,
  BookTicker: bookTicker.schema,
  MiniTicker: miniTicker.schema,
  Ticker: ticker.schema,
  MiniDayTicker: miniDayTicker.schema,
  DayTicker: dayTicker.schema,
  OrderAck: object(ack),
  OrderResult: object(result, placed),
  OrderFull: object({ ...result, fills: list(fill) }, placed),
  OrderRates: object({
    standardCommissionForOrder: sideRates,
    specialCommissionForOrder: sideRates,
    taxCommissionForOrder: sideRates,
    discount,
  }),
  Order: object(
    {
      ...ids,
      clientOrderId: text,
      ...amounts,
      ...terms,
      stopPrice: decimal,
      icebergQty: decimal,
      time,
      updateTime: time,
      isWorking: flag,
      workingTime: time,
      origQuoteOrderQty: decimal,
      selfTradePreventionMode: prevention,
    },
    { ...labels, preventedMatchId: integer, preventedQuantity: decimal, ...expiry },
  ),
  CanceledOrder: object(
    {
      ...ack,
      ...amounts,
      ...terms,
      origClientOrderId: text,
      origQuoteOrderQty: decimal,
      selfTradePreventionMode: prevention,
    },
    details,
  ),
  OrderList: object(wholeList),
  PlacedOrderList: object({
    ...wholeList,
    orderReports: list(anyShape('OrderAck', 'OrderResult', 'OrderFull')),
  }),
  CanceledOrderList: object({ ...wholeList, orderReports: list(shape('CanceledOrder')) }),
  ReplacedOrder: object({
    cancelResult: constant('SUCCESS'),
    newOrderResult: constant('SUCCESS'),
    cancelResponse: anyShape('CanceledOrder', 'CanceledOrderList'),
    newOrderResponse: anyShape('OrderAck', 'OrderResult', 'OrderFull'),
  }),
  AmendedOrder: object(
    {
      transactTime: time,
      executionId: integer,
      amendedOrder: object(
        {
          ...ids,
          origClientOrderId: text,
          clientOrderId: text,
          price: decimal,
          qty: decimal,
          executedQty: decimal,
          preventedQty: decimal,
          quoteOrderQty: decimal,
          cumulativeQuoteQty: decimal,
          status: oneOfNames(statusNames),
          ...terms,
          selfTradePreventionMode: prevention,
        },
        { ...details, workingTime: time },
      ),
    },
    { listStatus: object(listMembers) },
  ),
  Amendment: object({
    symbol: text,
    orderId: integer,
    executionId: integer,
    origClientOrderId: text,
    newClientOrderId: text,
    origQty: decimal,
    newQty: decimal,
    time,
  }),
  AccountTrade: object({
    symbol: text,
    id: integer,
    orderId: integer,
    orderListId: integer,
    ...amounted,
    commission: decimal,
    commissionAsset: text,
    time,
    isBuyer: flag,
    isMaker: flag,
    isBestMatch: constant(true),
  }),
  PreventedMatch: object(
    {
      symbol: text,
      preventedMatchId: integer,
      takerOrderId: integer,
      makerSymbol: text,
      makerOrderId: integer,
      tradeGroupId: integer,
      selfTradePreventionMode: prevention,
      price: decimal,
      transactTime: time,
    },
    { takerPreventedQuantity: decimal, makerPreventedQuantity: decimal },
  ),
  Account: object(
    {
      makerCommission: integer,
      takerCommission: integer,
      buyerCommission: integer,
      sellerCommission: integer,
      commissionRates: rates,
      canTrade: flag,
      canWithdraw: flag,
      canDeposit: flag,
      brokered: flag,
      requireSelfTradePrevention: flag,
      preventSor: flag,
      updateTime: time,
      accountType: constant('SPOT'),
      balances: list(object({ asset: text, free: decimal, locked: decimal })),
      permissions: list(text),
      uid: integer,
    },
    { tradeGroupId: integer },
  ),
  Commission: object({
    symbol: text,
    standardCommission: rates,
    specialCommission: rates,
    taxCommission: rates,
    discount,
  }),
  ListenKey: object({ listenKey: text }),
  AccountStatus: object({ msg: text, success: constant(true) }, { objs: list(text) }),
  TradingStatus: object({
    success: constant(true),
    status: object({
      isLocked: flag,
      plannedRecoverTime: time,
      triggerCondition: object({ GCR: integer, IFER: integer, UFR: integer }),
      indicators: { type: 'object', additionalProperties: list(indicator) },
      updateTime: time,
    }),
  }),
  Distributions: object({
    rows: list(
      object({ amount: decimal, asset: text, divTime: time, category: text, tranId: integer }),
    ),
    total: integer,
  }),
  TradeFee: object({ symbol: text, makerCommission: decimal, takerCommission: decimal }),
  TradingVolume: object({ past30DaysTradingVolume: { type: 'number' } }),
  Coin: object({
    coin: text,
    name: text,
    free: decimal,
    locked: decimal,
    freeze: constant('0'),
    withdrawing: constant('0'),
    ipoing: constant('0'),
    ipoable: constant('0'),
    storage: constant('0'),
    isLegalMoney: flag,
    trading: flag,
    depositAllEnable: flag,
    withdrawAllEnable: flag,
    networkList: { type: 'array', maxItems: 0 },
  }),
} as const satisfies Readonly<Record<string, Schema>>
export type ShapeName = keyof typeof shapes

/** The shape by its name. */
export function shape(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** One of several shapes, which do not overlap. */
export function anyShape(...names: readonly string[]): Schema {
  return either(...names.map(shape))
}
