/**
 * Every shape that an answer has or is made of, once: the components of the OpenAPI document
 * (spec, Resources; supplement 2a.3, 2a.4, 2h). What a shape lists as `sometimes` is absent, not
 * null, where there is nothing to say.
 */
import { account, commission, listenKey, orderRates, tradeFee } from '../answers/account.ts'
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
  accountStatus,
  coin,
  distributions,
  tradingStatus,
  tradingVolume,
} from '../answers/wallet.ts'
import type { Schema } from './schema.ts'

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
  OrderRates: orderRates.schema,
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
  Account: account.schema,
  Commission: commission.schema,
  ListenKey: listenKey.schema,
  AccountStatus: accountStatus.schema,
  TradingStatus: tradingStatus.schema,
  Distributions: distributions.schema,
  TradeFee: tradeFee.schema,
  TradingVolume: tradingVolume.schema,
  Coin: coin.schema,
} as const satisfies Readonly<Record<string, Schema>>
export type ShapeName = keyof typeof shapes
