/**
 * Every shape that an answer has or is made of, once: the components of the OpenAPI document
 * (spec, Resources; supplement 2a.3, 2a.4, 2h). What a shape lists as `sometimes` is absent, not
 * null, where there is nothing to say.
 */

import { errorAnswer } from '../answers/errors.ts'
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
import { canceledOrderList, orderList, placedOrderList } from '../answers/order-lists.ts'
import {
  accountTrade,
  amendedOrder,
  amendment,
  canceledOrder,
  order,
  orderAck,
  orderFull,
  orderResult,
  preventedMatch,
} from '../answers/orders.ts'
import { replacedOrder } from '../answers/replacement.ts'
import {
  constant,
  decimal,
  flag,
  integer,
  list,
  object,
  oneOfNames,
  type Schema,
  text,
  time,
} from './schema.ts'

const rates = object({ maker: decimal, taker: decimal, buyer: decimal, seller: decimal })
const sideRates = object({ maker: decimal, taker: decimal })
const discount = object({
  enabledForAccount: flag,
  enabledForSymbol: flag,
  discountAsset: text,
  discount: decimal,
})

const indicator = object({
  i: oneOfNames(['UFR', 'IFER', 'GCR']),
  c: integer,
  v: { type: 'number' },
  t: { type: 'number' },
})

export const shapes = {
  Empty: empty.schema,
  EmptyList: { type: 'array', maxItems: 0 },
  Error: errorAnswer.schema,
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
  OrderAck: orderAck.schema,
  OrderResult: orderResult.schema,
  OrderFull: orderFull.schema,
  OrderRates: object({
    standardCommissionForOrder: sideRates,
    specialCommissionForOrder: sideRates,
    taxCommissionForOrder: sideRates,
    discount,
  }),
  Order: order.schema,
  CanceledOrder: canceledOrder.schema,
  OrderList: orderList.schema,
  PlacedOrderList: placedOrderList.schema,
  CanceledOrderList: canceledOrderList.schema,
  ReplacedOrder: replacedOrder.schema,
  AmendedOrder: amendedOrder.schema,
  Amendment: amendment.schema,
  AccountTrade: accountTrade.schema,
  PreventedMatch: preventedMatch.schema,
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
