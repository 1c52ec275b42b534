/** Market data and the exchange itself, answered from this thread's memory in the same tick. */

import { ReferenceCalculation } from '../../base/codes.ts'
import type { DepthView } from '../../core/views/depth.ts'
import { Bar } from '../../history/bar.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type Answer, Rows } from '../answers/answer.ts'
import type { Elements, RowOf } from '../answers/element.ts'
import {
  exchangeInfo as exchangeInfoAnswer,
  executionRules as executionRulesAnswer,
  relevantFilters as relevantFiltersAnswer,
} from '../answers/exchange-info.ts'
import {
  AVERAGE_PRICE_MINUTES,
  auction as auctionAnswer,
  averagePrice as averagePriceAnswer,
  bookTicker,
  dayTicker,
  depth as depthAnswer,
  empty,
  miniDayTicker,
  pong,
  priceTicker,
  publicTrade,
  referenceCalculation as referenceCalculationAnswer,
  referencePrice as referencePriceAnswer,
  serverTime,
  systemStatus as systemStatusAnswer,
} from '../answers/market.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { Param, TickerType } from '../parameters.ts'
import type { Params } from '../params.ts'
import { auctionRowOf } from '../rows/auction.ts'
import { exchangeInfoRow, executionRulesRow, relevantFiltersRow } from '../rows/exchange-info.ts'
import { BookRow, dayRow, windowRow } from '../rows/market.ts'
import { hasStatus, selectSymbols } from './select-symbols.ts'

const DEPTH_LIMIT_DEFAULT = 100
const DEPTH_LIMIT_MAX = 5000
const TRADES_LIMIT_DEFAULT = 500
const TRADES_LIMIT_MAX = 1000

export function ping(request: Request, _context: Context, responder: Responder): void {
  responder.reply(new Rows(pong, {}, request))
}

export function time(request: Request, _context: Context, responder: Responder): void {
  responder.reply(new Rows(serverTime, request, request))
}

export function systemStatus(request: Request, context: Context, responder: Responder): void {
  const status = context.isUnderMaintenance() ? 1 : 0
  responder.reply(new Rows(systemStatusAnswer, { status }, request))
}

/** For lists of what this exchange does not have. */
export function emptyList(request: Request, _context: Context, responder: Responder): void {
  responder.reply(new Rows(empty, [], request))
}

export function relevantFilters(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) responder.error('INVALID_SYMBOL')
  else {
    const row = relevantFiltersRow(context, spec)
    responder.reply(new Rows(relevantFiltersAnswer, row, request))
  }
}

export function depth(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  if (!hasStatus(spec, params)) {
    responder.error('SYMBOL_STATUS_MISMATCH')
    return
  }
  const view = context.depth(spec.id)
  const limit = Math.min(params.number(Param.limit) ?? DEPTH_LIMIT_DEFAULT, DEPTH_LIMIT_MAX)
  if (!view.synced) {
    responder.error('SERVER_BUSY')
    return
  }
  const { microseconds } = request
  responder.reply(new Rows(depthAnswer, bookRow(view, limit), { spec, microseconds }))
}

/** The last row of each book: it is queried more often than it changes. */
const lastBooks = new WeakMap<DepthView, BookRow>()

function bookRow(view: DepthView, limit: number): BookRow {
  const last = lastBooks.get(view)
  if (last?.updateId === view.updateId && last.limit === limit) return last
  const row = new BookRow(view, limit)
  lastBooks.set(view, row)
  return row
}

export function trades(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const limit = Math.min(params.number(Param.limit) ?? TRADES_LIMIT_DEFAULT, TRADES_LIMIT_MAX)
  const tape = context.tape(spec.id)
  if (!tape.seeded) {
    responder.error('SERVER_BUSY')
    return
  }
  const { microseconds } = request
  responder.reply(new Rows(publicTrade, tape.recent(limit), { spec, microseconds }))
}

export function averagePrice(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const tape = context.tape(spec.id)
  if (!tape.seeded) {
    responder.error('SERVER_BUSY')
    return
  }
  const minutes = AVERAGE_PRICE_MINUTES
  const priceUnits = tape.averagePriceUnits(minutes, request.nowMs)
  const row = { minutes, priceUnits, lastTimeMs: tape.lastTimeMs }
  responder.reply(new Rows(averagePriceAnswer, row, request))
}

/** An extension: the auction of a symbol, under way and last. */
export function auction(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const row = auctionRowOf(spec, context.auction(spec.id))
  responder.reply(new Rows(auctionAnswer, row, request))
}

export function referencePrice(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const reference = context.reference(spec.id)
  if (!context.depth(spec.id).synced) responder.error('SERVER_BUSY')
  else if (!reference.hasPriced) responder.error('NO_REFERENCE_PRICE')
  else {
    const { nowMs: timeMs } = request
    const row = { spec, priceUnits: reference.unitsAt(timeMs), timeMs }
    responder.reply(new Rows(referencePriceAnswer, row, request))
  }
}

/** As the symbol's matcher calculates it, which may be a moment behind an operator's wish. */
export function referencePriceCalculation(
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) {
    responder.error(symbols.id, symbols.detail)
    return
  }
  const [spec] = symbols as readonly [SymbolSpec]
  const { calculation, ...settings } = context.reference(spec.id).settings
  if (calculation === ReferenceCalculation.NONE) {
    responder.error('NO_REFERENCE_PRICE')
    return
  }
  const { bucketCount, bucketWidthMs, externalId } = settings
  const isMean = calculation === ReferenceCalculation.ARITHMETIC_MEAN
  const row = isMean
    ? { spec, calculation: 'ARITHMETIC_MEAN' as const, bucketCount, bucketWidthMs }
    : { spec, calculation: 'EXTERNAL' as const, externalId }
  responder.reply(new Rows(referenceCalculationAnswer, row, request))
}

/** A symbol that never traded shows a price of zero. */
export function priceTickers(request: Request, context: Context, responder: Responder): void {
  tickers(request, context, responder, priceTicker, (spec) => ({
    spec,
    lastTicks: context.tape(spec.id).lastPriceTicks,
  }))
}

export function bookTickers(request: Request, context: Context, responder: Responder): void {
  const symbols = selectSymbols(request.params, context)
  const unsynced =
    !(symbols instanceof Fault) && symbols.some(({ id }) => !context.depth(id).synced)
  if (unsynced) {
    responder.error('SERVER_BUSY')
    return
  }
  tickers(request, context, responder, bookTicker, ({ id }) => context.depth(id))
}

/** Best prices and the last 24 hours, to the millisecond. */
export function dayTickers(request: Request, context: Context, responder: Responder): void {
  const { params, nowMs } = request
  const symbols = selectSymbols(params, context)
  const isReady = ({ id }: SymbolSpec) => {
    const window = context.dayWindow(id)
    return (
      context.depth(id).synced && window.seeded && window.knows(nowMs) && context.tape(id).seeded
    )
  }
  if (!(symbols instanceof Fault) && !symbols.every(isReady)) {
    responder.error('SERVER_BUSY')
    return
  }
  const isMini = params.number(Param.type) === TickerType.MINI
  const bar = new Bar()
  const rowOf = (spec: SymbolSpec) => {
    const window = context.dayWindow(spec.id)
    window.readDay(nowMs, bar)
    const row = windowRow(spec, bar.row(), window.dayOpenMs(nowMs), nowMs)
    const { lastLots } = context.tape(spec.id)
    return dayRow(row, window.beforeTicks(nowMs), lastLots, context.depth(spec.id))
  }
  if (isMini) tickers(request, context, responder, miniDayTicker, rowOf)
  else tickers(request, context, responder, dayTicker, rowOf)
}

export function exchangeInfo(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const symbols = selectSymbols(params, context)
  if (symbols instanceof Fault) {
    responder.error(symbols.id, symbols.detail)
    return
  }
  const permissions = permissionsOf(params)
  if (permissions.some((permission) => !PERMISSION.test(permission))) {
    responder.error('INVALID_PARAMETER', ['permissions'])
    return
  }
  const shown = permissions.includes('SPOT') ? symbols : []
  const showSets = params.flag(Param.showPermissionSets, true)
  const row = exchangeInfoRow(context, shown, showSets, request)
  responder.reply(new Rows(exchangeInfoAnswer, row, request))
}

export function executionRules(request: Request, context: Context, responder: Responder): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) responder.error(symbols.id, symbols.detail)
  else responder.reply(new Rows(executionRulesAnswer, executionRulesRow(symbols), request))
}

/** One row for `symbol`, otherwise a list. */
function tickers<E extends Elements>(
  request: Request,
  context: Context,
  responder: Responder,
  answer: Answer<E>,
  rowOf: (symbol: SymbolSpec) => RowOf<E>,
): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) {
    responder.error(symbols.id, symbols.detail)
    return
  }
  const rows = request.params.has(Param.symbol) ? rowOf(symbols[0]!) : symbols.map(rowOf)
  responder.reply(new Rows(answer, rows, request))
}

const PERMISSION = /^(?:SPOT|MARGIN|LEVERAGED|TRD_GRP_\d{3})$/

/** One permission or a JSON array of them; SPOT is what every symbol here needs. */
function permissionsOf(params: Params): readonly string[] {
  const text = params.text(Param.permissions)
  if (text === undefined) return ['SPOT']
  return text.startsWith('[') ? (text.match(/\w+/g) ?? []) : [text]
}
