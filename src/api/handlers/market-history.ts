/** Market data from the archive: old trades, klines, and tickers of windows and trading days. */

import { Ms } from '../../base/units.ts'
import type { BarRow } from '../../history/market-history.ts'
import type { HistoryQuery, ListName } from '../../history/queries.ts'
import { DAY_MS, Interval, intervalOpen, MINUTE_MS, SECOND_MS } from '../../market/intervals.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import { miniTicker, ticker } from '../answers/market.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam, TIME_ZONE_FIRST_MINUTES, TickerType } from '../parameters.ts'
import type { Params } from '../params.ts'
import { type WindowRow, windowRow } from '../rows/market.ts'
import { answerList, limitOf, listOf, sent, timesOf } from './history.ts'
import { selectFewSymbols } from './select-symbols.ts'

const { fromId } = Param

/** The bounds that were sent, under their names. */
const bounds = (params: Params) => ({ ...sent(params, { fromId }), ...timesOf(params) })

export function historicalTrades(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  answerListOf(request, context, responder, 'publicTrades', ({ id }) => ({
    symbolId: id,
    limit: limitOf(params),
    ...sent(params, { fromId }),
  }))
}

export function historicalBlockTrades(
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const { params } = request
  answerListOf(request, context, responder, 'blockTrades', ({ id }) => ({
    symbolId: id,
    fromId: params.number(fromId)!,
    limit: limitOf(params),
  }))
}

export function aggregateTrades(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  answerListOf(request, context, responder, 'aggregateTrades', ({ id }) => ({
    symbolId: id,
    limit: limitOf(params),
    ...bounds(params),
  }))
}

export function klines(request: Request, context: Context, responder: Responder): void {
  const { params, nowMs } = request
  answerListOf(request, context, responder, 'klines', ({ id }) => ({
    symbolId: id,
    interval: params.number(RareParam.interval) as Interval,
    offsetMs: zoneOffsetMs(params),
    limit: limitOf(params),
    nowMs,
    ...bounds(params),
  }))
}

/** From the start of the minute that holds the window's beginning. */
export function rollingTickers(request: Request, context: Context, responder: Responder): void {
  const { params, nowMs } = request
  const windowMs = params.number(RareParam.windowSize) ?? DAY_MS
  const openMs = Ms(Math.floor((nowMs - windowMs) / MINUTE_MS) * MINUTE_MS)
  tickers(request, context, responder, { openMs, closeMs: nowMs })
}

/** The day that is under way in the time zone, to its last millisecond. */
export function tradingDayTickers(request: Request, context: Context, responder: Responder): void {
  const { params, nowMs } = request
  const openMs = intervalOpen(Interval['1d'], nowMs, zoneOffsetMs(params))
  tickers(request, context, responder, { openMs, closeMs: Ms(openMs + DAY_MS - 1) })
}

function zoneOffsetMs(params: Params): number {
  const minutes = params.number(RareParam.timeZone)
  return minutes === undefined ? 0 : (minutes + TIME_ZONE_FIRST_MINUTES) * MINUTE_MS
}

/** Responds with a list of the symbol that the request names. */
function answerListOf<Name extends ListName>(
  request: Request,
  context: Context,
  responder: Responder,
  name: Name,
  queryOf: (spec: SymbolSpec) => HistoryQuery<Name>,
): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) responder.error('INVALID_SYMBOL')
  else answerList(responder, listOf(request, context, name, queryOf(spec), { spec }))
}

/** One object for `symbol`, an array for `symbols`. */
function tickers(
  request: Request,
  context: Context,
  responder: Responder,
  { openMs, closeMs }: Pick<WindowRow, 'openMs' | 'closeMs'>,
): void {
  const { params, nowMs } = request
  const symbols = selectFewSymbols(params, context)
  if (symbols instanceof Fault) {
    responder.error(symbols.id, symbols.detail)
    return
  }
  const isMini = params.number(Param.type) === TickerType.MINI
  const toMs = Ms((Math.floor(nowMs / SECOND_MS) + 1) * SECOND_MS)
  const ask = (spec: SymbolSpec): Promise<BarRow> =>
    context.history.window({ symbolId: spec.id, fromMs: openMs, toMs })
  Promise.all(symbols.map(ask)).then(
    (bars) => {
      const all = bars.map((bar, index) => windowRow(symbols[index]!, bar, openMs, closeMs))
      const rows = params.has(Param.symbol) ? all[0]! : all
      responder.reply(
        isMini ? new Rows(miniTicker, rows, request) : new Rows(ticker, rows, request),
      )
    },
    (error: unknown) => responder.error(historyError(error)),
  )
}
