/** Which template shows a row of an answer, or a list of its rows. */
import {
  account,
  closedListenKey,
  commission,
  keptListenKey,
  listenKey,
  orderRates,
} from '../answers/account.ts'
import type { RowOf, Table } from '../answers/element.ts'
import { errorTables } from '../answers/errors.ts'
import {
  exchangeInfo,
  executionRules,
  priceRange,
  relevantFilters,
} from '../answers/exchange-info.ts'
import { rateLimitCount } from '../answers/limits.ts'
import {
  aggregateTrade,
  averagePrice,
  blockTrade,
  bookTicker,
  dayTicker,
  depth,
  kline,
  miniDayTicker,
  miniTicker,
  pong,
  priceTicker,
  publicTrade,
  referenceCalculation,
  referencePrice,
  serverTime,
  ticker,
} from '../answers/market.ts'
import {
  bestBidAskFrame,
  depthFrame,
  topLevelsFrame,
  tradesFrame,
} from '../answers/market-streams.ts'
import { canceledOrderList, orderList, placedOrderList } from '../answers/order-lists.ts'
import {
  accountTrade,
  allocation,
  amendedOrder,
  amendment,
  canceledOrder,
  openOrder,
  order,
  orderAck,
  orderFull,
  orderResult,
  preventedMatch,
  testedOrder,
} from '../answers/orders.ts'
import { failedReplacement, replacedOrder } from '../answers/replacement.ts'
import {
  loggedOn,
  loggedOut,
  responseFrame,
  sessionStatus,
  subscription,
  unsubscribed,
} from '../answers/session.ts'
import {
  accountPosition,
  balanceChange,
  eventStreamTerminated,
  executionReport,
  listStatus,
  serverShutdown,
} from '../answers/user-events.ts'
import type { Template } from './fields.ts'
import { streamTemplates } from './stream-templates.ts'
import {
  events,
  general,
  market,
  account as ofAccount,
  orders,
  priceRangeTemplate,
  sessions,
} from './templates.ts'

/** Of one row. */
export const rowTemplates: ReadonlyMap<Table, Template> = new Map<Table, Template>([
  ...errorTables.map((table): [Table, Template] => [table, general.error]),
  [pong, general.ping],
  [serverTime, general.serverTime],
  [exchangeInfo, general.exchangeInfo],
  [executionRules, general.executionRules],
  [priceRange, priceRangeTemplate],
  [relevantFilters, general.myFilters],
  [depth, market.depth],
  [averagePrice, market.averagePrice],
  [referencePrice, market.referencePrice],
  [referenceCalculation, market.referenceCalculation],
  [dayTicker, market.dayTicker],
  [miniDayTicker, market.miniDayTicker],
  [priceTicker, market.priceTicker],
  [bookTicker, market.bookTicker],
  [ticker, market.ticker],
  [miniTicker, market.miniTicker],
  [orderAck, orders.ack],
  [orderResult, orders.result],
  [orderFull, orders.full],
  [testedOrder, orders.test],
  [orderRates, orders.testRates],
  [order, orders.order],
  [canceledOrder, orders.canceled],
  [replacedOrder, orders.replaced],
  [failedReplacement, orders.replaced],
  [canceledOrderList, orders.listCanceled],
  [orderList, orders.list],
  [amendedOrder, orders.amended],
  [account, ofAccount.account],
  [commission, ofAccount.commission],
  [listenKey, ofAccount.listenKeyStarted],
  [keptListenKey, ofAccount.listenKeyKept],
  [closedListenKey, ofAccount.listenKeyClosed],
  [responseFrame, sessions.response],
  [loggedOn, sessions.loggedOn],
  [sessionStatus, sessions.status],
  [loggedOut, sessions.loggedOut],
  [subscription, sessions.subscribed],
  [unsubscribed, sessions.unsubscribed],
  [executionReport, events.executionReport],
  [listStatus, events.listStatus],
  [accountPosition, events.accountPosition],
  [eventStreamTerminated, events.terminated],
  [serverShutdown, events.serverShutdown],
  [tradesFrame, streamTemplates.trades],
  [bestBidAskFrame, streamTemplates.bestBidAsk],
  [topLevelsFrame, streamTemplates.topLevels],
  [depthFrame, streamTemplates.depthChanges],
])

export const listTemplates: ReadonlyMap<Table, Template> = new Map<Table, Template>([
  [publicTrade, market.trades],
  [aggregateTrade, market.aggregateTrades],
  [kline, market.klines],
  [blockTrade, market.blockTrades],
  [dayTicker, market.dayTickers],
  [miniDayTicker, market.miniDayTickers],
  [priceTicker, market.priceTickers],
  [bookTicker, market.bookTickers],
  [ticker, market.tickers],
  [miniTicker, market.miniTickers],
  [order, orders.orders],
  [openOrder, orders.orders],
  [subscription, sessions.subscriptions],
  [orderList, orders.lists],
  [amendment, orders.amendments],
  [accountTrade, ofAccount.trades],
  [rateLimitCount, ofAccount.orderCounts],
  [preventedMatch, ofAccount.preventedMatches],
  [allocation, ofAccount.allocations],
])

/** By the answer of the orders of a placed list. */
const placedLists = new Map<Table, Template>([
  [orderAck, orders.listAck],
  [orderResult, orders.listResult],
  [orderFull, orders.listFull],
])
/** The answer of the orders of a placed list, by its template. */
export const reportTables = new Map(Array.from(placedLists, ([table, list]) => [list, table]))

/** Returns the template of a row; undefined where the schema has none. */
export function templateOf(table: Table, row: object): Template | undefined {
  if (table === balanceChange) {
    const { kind } = row as RowOf<typeof balanceChange.elements>
    return kind === 0 ? events.balanceUpdate : events.externalLock
  }
  if (table !== placedOrderList) return rowTemplates.get(table)
  const { orderReports } = row as RowOf<typeof placedOrderList.elements>
  return orderReports === null ? undefined : placedLists.get(orderReports.answer)
}
