/** What each operation answers with 200, by the operation's id. */
import { list, type Schema } from './schema.ts'
import { anyShape, type ShapeName, shape } from './shapes.ts'

const one = (...names: readonly ShapeName[]): Schema =>
  names.length === 1 ? shape(names[0]!) : anyShape(...names)
const many = (...names: readonly ShapeName[]): Schema => list(one(...names))
/** An object for `symbol`, an array for `symbols` or for none. */
const oneOrMany = (...names: readonly ShapeName[]): Schema => ({
  oneOf: [...names.map(shape), many(...names)],
})

const placed = one('OrderAck', 'OrderResult', 'OrderFull')

export const answers: Readonly<Record<string, Schema>> = {
  ping: one('Empty'),
  time: one('ServerTime'),
  exchangeInfo: one('ExchangeInfo'),
  depth: one('Depth'),
  trades: many('PublicTrade'),
  avgPrice: one('AveragePrice'),
  tickerPrice: oneOrMany('PriceTicker'),
  tickerBook: oneOrMany('BookTicker'),
  ticker24hr: oneOrMany('DayTicker', 'MiniDayTicker'),
  historicalTrades: many('PublicTrade'),
  aggTrades: many('AggregateTrade'),
  klines: many('Kline'),
  uiKlines: many('Kline'),
  ticker: oneOrMany('Ticker', 'MiniTicker'),
  tickerTradingDay: oneOrMany('Ticker', 'MiniTicker'),
  placeOrder: placed,
  testOrder: one('Empty', 'OrderRates'),
  queryOrder: one('Order'),
  cancelOrder: one('CanceledOrder', 'CanceledOrderList'),
  openOrders: many('Order'),
  cancelOpenOrders: many('CanceledOrder', 'CanceledOrderList'),
  replaceOrder: one('ReplacedOrder'),
  amendOrder: one('AmendedOrder'),
  myFilters: one('RelevantFilters'),
  myAllocations: one('EmptyList'),
  placeOldOco: one('PlacedOrderList'),
  placeOco: one('PlacedOrderList'),
  placeOto: one('PlacedOrderList'),
  placeOtoco: one('PlacedOrderList'),
  cancelOrderList: one('CanceledOrderList'),
  allOrders: many('Order'),
  myTrades: many('AccountTrade'),
  myPreventedMatches: many('PreventedMatch'),
  amendments: many('Amendment'),
  orderList: one('OrderList'),
  allOrderLists: many('OrderList'),
  openOrderLists: many('OrderList'),
  account: one('Account'),
  commission: one('Commission'),
  orderCounts: many('RateLimitCount'),
  startListenKey: one('ListenKey'),
  keepListenKeyAlive: one('Empty'),
  closeListenKey: one('Empty'),
  systemStatus: one('SystemStatus'),
  accountStatus: one('AccountStatus'),
  tradingStatus: one('TradingStatus'),
  distributions: one('Distributions'),
  tradeFee: many('TradeFee'),
  tradeFeeAlias: many('TradeFee'),
  tradingVolume: one('TradingVolume'),
  coins: many('Coin'),
  marginPairs: one('EmptyList'),
  isolatedMarginPairs: one('EmptyList'),
}
