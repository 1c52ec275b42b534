/** Market data and the exchange itself, with the weights of rest-api.md. */

import { many, one, oneOrMany } from '../answers/by-name.ts'
import {
  auction,
  averagePrice,
  bookTickers,
  dayTickers,
  depth,
  exchangeInfo,
  executionRules,
  ping,
  priceTickers,
  referencePrice,
  referencePriceCalculation,
  time,
  trades,
} from '../handlers/market.ts'
import { Param } from '../parameters.ts'
import type { RawParams } from '../params.ts'
import { perSymbol, symbolCount, tickerType } from './market-history.ts'
import { may, must, type Operation } from './operation.ts'

/** Largest limit of each weight. */
const DEPTH_WEIGHTS: readonly (readonly [limitMax: number, weight: number])[] = [
  [100, 5],
  [500, 25],
  [1000, 50],
  [Number.POSITIVE_INFINITY, 250],
]

function depthWeight(params: RawParams): number {
  const limit = Number(params.text(Param.limit) ?? 0)
  return DEPTH_WEIGHTS.find(([limitMax]) => limit <= limitMax)?.[1] ?? 5
}

const rulesWeightByCount = perSymbol(2, 40)
const rulesWeight = (params: RawParams): number =>
  params.has(Param.symbol) || params.has(Param.symbols) ? rulesWeightByCount(params) : 40

/** Largest number of symbols of each weight; all of them when none is named. */
const DAY_TICKER_WEIGHTS: readonly (readonly [symbolsMax: number, weight: number])[] = [
  [20, 1],
  [100, 20],
  [Number.POSITIVE_INFINITY, 40],
]

function dayTickerWeight(params: RawParams): number {
  if (!params.has(Param.symbol) && !params.has(Param.symbols)) return 40
  const count = symbolCount(params)
  return DAY_TICKER_WEIGHTS.find(([symbolsMax]) => count <= symbolsMax)?.[1] ?? 40
}

const tickerWeight = (params: RawParams): number => (params.has(Param.symbol) ? 1 : 2)

const open = {
  method: 'GET',
  security: 'NONE',
  signed: false,
  effect: 'NONE',
  orderCount: 0,
} as const
const memory = { ...open, sources: ['MEMORY'] } as const
/** What operations that refuse every request have in common. */
export const neverAnswered = {}
const eitherSymbol: Operation['exclusive'] = [[Param.symbol, Param.symbols]]

export const marketOperations: readonly Operation[] = [
  {
    ...memory,
    id: 'ping',
    path: '/api/v3/ping',
    wsMethod: 'ping',
    weight: 1,
    params: [],
    answer: one('Empty'),
    handler: ping,
  },
  {
    ...memory,
    id: 'time',
    path: '/api/v3/time',
    wsMethod: 'time',
    weight: 1,
    params: [],
    answer: one('ServerTime'),
    handler: time,
  },
  {
    ...memory,
    id: 'exchangeInfo',
    path: '/api/v3/exchangeInfo',
    wsMethod: 'exchangeInfo',
    weight: 20,
    params: may('symbol', 'symbols', 'permissions', 'showPermissionSets', 'symbolStatus'),
    exclusive: [
      [Param.symbol, Param.symbols],
      [Param.symbol, Param.permissions],
      [Param.symbols, Param.permissions],
      [Param.symbol, Param.symbolStatus],
      [Param.symbols, Param.symbolStatus],
    ],
    answer: one('ExchangeInfo'),
    handler: exchangeInfo,
  },
  {
    ...memory,
    id: 'executionRules',
    path: '/api/v3/executionRules',
    wsMethod: 'executionRules',
    weight: rulesWeight,
    weightWhenRefused: 2,
    params: may('symbol', 'symbols', 'symbolStatus'),
    exclusive: [
      [Param.symbol, Param.symbols],
      [Param.symbol, Param.symbolStatus],
      [Param.symbols, Param.symbolStatus],
    ],
    answer: one('ExecutionRules'),
    handler: executionRules,
  },
  {
    ...memory,
    id: 'depth',
    path: '/api/v3/depth',
    wsMethod: 'depth',
    weight: depthWeight,
    weightWhenRefused: 5,
    params: [...must('symbol'), ...may('limit', 'symbolStatus')],
    answer: one('Depth'),
    handler: depth,
  },
  {
    ...memory,
    id: 'trades',
    path: '/api/v3/trades',
    wsMethod: 'trades.recent',
    weight: 25,
    params: [...must('symbol'), ...may('limit')],
    answer: many('PublicTrade'),
    handler: trades,
  },
  {
    ...memory,
    id: 'avgPrice',
    path: '/api/v3/avgPrice',
    wsMethod: 'avgPrice',
    weight: 1,
    params: must('symbol'),
    answer: one('AveragePrice'),
    handler: averagePrice,
  },
  {
    ...memory,
    id: 'auction',
    path: '/api/v3/auction',
    wsMethod: 'auction',
    weight: 1,
    params: must('symbol'),
    answer: one('Auction'),
    handler: auction,
  },
  {
    ...memory,
    id: 'referencePrice',
    path: '/api/v3/referencePrice',
    wsMethod: 'referencePrice',
    weight: 2,
    params: must('symbol'),
    answer: one('ReferencePrice'),
    handler: referencePrice,
  },
  {
    ...memory,
    id: 'referencePriceCalculation',
    path: '/api/v3/referencePrice/calculation',
    wsMethod: 'referencePrice.calculation',
    weight: 2,
    params: [...must('symbol'), ...may('symbolStatus')],
    answer: one('ReferenceCalculation'),
    handler: referencePriceCalculation,
  },
  {
    ...memory,
    id: 'tickerPrice',
    path: '/api/v3/ticker/price',
    wsMethod: 'ticker.price',
    weight: tickerWeight,
    weightWhenRefused: 1,
    params: may('symbol', 'symbols', 'symbolStatus'),
    exclusive: eitherSymbol,
    answer: oneOrMany('PriceTicker'),
    handler: priceTickers,
  },
  {
    ...memory,
    id: 'tickerBook',
    path: '/api/v3/ticker/bookTicker',
    wsMethod: 'ticker.book',
    weight: tickerWeight,
    weightWhenRefused: 1,
    params: may('symbol', 'symbols', 'symbolStatus'),
    exclusive: eitherSymbol,
    answer: oneOrMany('BookTicker'),
    handler: bookTickers,
  },
  {
    ...memory,
    id: 'ticker24hr',
    path: '/api/v3/ticker/24hr',
    wsMethod: 'ticker.24hr',
    weight: dayTickerWeight,
    weightWhenRefused: 1,
    params: [...may('symbol', 'symbols', 'symbolStatus'), tickerType],
    exclusive: eitherSymbol,
    answer: oneOrMany('DayTicker', 'MiniDayTicker'),
    handler: dayTickers,
  },
]
