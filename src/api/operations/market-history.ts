/** Market data from the archive, with the weights of rest-api.md. */

import { many, oneOrMany } from '../answers/by-name.ts'
import {
  aggregateTrades,
  historicalBlockTrades,
  historicalTrades,
  klines,
  rollingTickers,
  tradingDayTickers,
} from '../handlers/market-history.ts'
import { Param, slotOf, TICKER_TYPE } from '../parameters.ts'
import type { RawParams } from '../params.ts'
import { may, must, type Operation, type ParamRow } from './operation.ts'

export const tickerType: ParamRow = { slot: slotOf('type'), mandatory: false, kind: TICKER_TYPE }

/** Symbols asked for, by a text that may be anything. */
export function symbolCount(params: RawParams): number {
  const list = params.text(Param.symbols)
  return list === undefined ? 1 : list.split(',').length
}

export const perSymbol =
  (weight: number, cap: number) =>
  (params: RawParams): number =>
    Math.min(symbolCount(params) * weight, cap)

const database = {
  method: 'GET',
  security: 'NONE',
  signed: false,
  effect: 'NONE',
  orderCount: 0,
  sources: ['DATABASE'],
} as const

const oneOrMore = {
  oneOf: [Param.symbol, Param.symbols],
  exclusive: [[Param.symbol, Param.symbols]],
} as const

const klineParams: Operation['params'] = [
  ...must('symbol', 'interval'),
  ...may('startTime', 'endTime', 'timeZone', 'limit'),
]

export const marketHistoryOperations: readonly Operation[] = [
  {
    ...database,
    id: 'historicalTrades',
    path: '/api/v3/historicalTrades',
    wsMethod: 'trades.historical',
    weight: 25,
    params: [...must('symbol'), ...may('limit', 'fromId')],
    answer: many('PublicTrade'),
    handler: historicalTrades,
  },
  {
    ...database,
    id: 'historicalBlockTrades',
    path: '/api/v3/historicalBlockTrades',
    wsMethod: 'blockTrades.historical',
    weight: 25,
    params: [...must('symbol', 'fromId'), ...may('limit')],
    answer: many('BlockTrade'),
    handler: historicalBlockTrades,
  },
  {
    ...database,
    id: 'aggTrades',
    path: '/api/v3/aggTrades',
    wsMethod: 'trades.aggregate',
    weight: 4,
    params: [...must('symbol'), ...may('fromId', 'startTime', 'endTime', 'limit')],
    answer: many('AggregateTrade'),
    handler: aggregateTrades,
  },
  {
    ...database,
    id: 'klines',
    path: '/api/v3/klines',
    wsMethod: 'klines',
    weight: 1,
    params: klineParams,
    answer: many('Kline'),
    handler: klines,
  },
  {
    ...database,
    id: 'uiKlines',
    path: '/api/v3/uiKlines',
    wsMethod: 'uiKlines',
    weight: 2,
    params: klineParams,
    answer: many('Kline'),
    handler: klines,
  },
  {
    ...database,
    ...oneOrMore,
    id: 'ticker',
    path: '/api/v3/ticker',
    wsMethod: 'ticker',
    weight: perSymbol(2, 100),
    weightWhenRefused: 2,
    params: [...may('symbol', 'symbols', 'windowSize', 'symbolStatus'), tickerType],
    answer: oneOrMany('Ticker', 'MiniTicker'),
    handler: rollingTickers,
  },
  {
    ...database,
    ...oneOrMore,
    id: 'tickerTradingDay',
    path: '/api/v3/ticker/tradingDay',
    wsMethod: 'ticker.tradingDay',
    weight: perSymbol(4, 200),
    weightWhenRefused: 4,
    params: [...may('symbol', 'symbols', 'timeZone', 'symbolStatus'), tickerType],
    answer: oneOrMany('Ticker', 'MiniTicker'),
    handler: tradingDayTickers,
  },
]
