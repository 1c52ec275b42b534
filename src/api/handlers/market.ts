/** Market data and the exchange itself, answered from this thread's memory in the same turn. */
import { Bar } from '../../history/bar.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type Answer, Rows } from '../answers/answer.ts'
import type { Elements, RowOf } from '../answers/element.ts'
import { averagePrice as averagePriceAnswer, bookTicker, priceTicker } from '../answers/market.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { Param, TickerType } from '../parameters.ts'
import type { Params } from '../params.ts'
import { timeOf } from '../render/decimals.ts'
import { exchangeInfoText, relevantFiltersText } from '../render/exchange-info.ts'
import { AVERAGE_PRICE_MINUTES, depthText, tradesText } from '../render/market.ts'
import { dayTicker } from '../render/ticker.ts'
import { hasStatus, selectSymbols } from './select-symbols.ts'

const DEPTH_LIMIT_DEFAULT = 100
const DEPTH_LIMIT_MAX = 5000
const TRADES_LIMIT_DEFAULT = 500
const TRADES_LIMIT_MAX = 1000

export function ping(_request: Request, _context: Context, responder: Responder): void {
  responder.reply('{}')
}

export function time(request: Request, _context: Context, responder: Responder): void {
  responder.reply(`{"serverTime":${timeOf(request.nowMs, request.microseconds)}}`)
}

export function systemStatus(_request: Request, context: Context, responder: Responder): void {
  const isNormal = !context.isUnderMaintenance()
  responder.reply(
    isNormal ? '{"status":0,"msg":"normal"}' : '{"status":1,"msg":"system_maintenance"}',
  )
}

/** For lists of what this exchange does not have. */
export function emptyList(_request: Request, _context: Context, responder: Responder): void {
  responder.reply('[]')
}

/** Orders are never routed elsewhere, so that nothing is ever allocated from there. */
export function allocations(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) responder.error('INVALID_SYMBOL')
  else responder.reply('[]')
}

export function relevantFilters(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) responder.error('INVALID_SYMBOL')
  else responder.reply(relevantFiltersText(context, spec))
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
  const fold = context.depth(spec.id)
  const limit = Math.min(params.number(Param.limit) ?? DEPTH_LIMIT_DEFAULT, DEPTH_LIMIT_MAX)
  if (fold.synced) responder.reply(depthText(fold, limit))
  else responder.error('SERVER_BUSY')
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
  if (tape.seeded) responder.reply(tradesText(tape, limit, request.microseconds))
  else responder.error('SERVER_BUSY')
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
  responder.replyWith(new Rows(averagePriceAnswer, row, request))
}

/** A symbol that never traded shows a price of zero. */
export function priceTickers(request: Request, context: Context, responder: Responder): void {
  tickerRows(request, context, responder, priceTicker, (spec) => ({
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
  tickerRows(request, context, responder, bookTicker, ({ id }) => context.depth(id))
}

/** Best prices and the last 24 hours, to the millisecond. */
export function dayTickers(request: Request, context: Context, responder: Responder): void {
  const { params, nowMs, microseconds } = request
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
  const type = params.number(Param.type) ?? TickerType.FULL
  const bar = new Bar()
  tickers(request, context, responder, (spec) => {
    const window = context.dayWindow(spec.id)
    window.readDay(nowMs, bar)
    const span = { bar: bar.row(), openMs: window.dayOpenMs(nowMs), closeMs: nowMs }
    const around = {
      closeTicks: window.beforeTicks(nowMs),
      lastLots: context.tape(spec.id).lastLots,
    }
    return dayTicker(spec, span, around, context.depth(spec.id), type, microseconds)
  })
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
  responder.reply(exchangeInfoText(context, shown, showSets, request))
}

/** One row for `symbol`, otherwise a list. */
function tickerRows<E extends Elements>(
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
  responder.replyWith(new Rows(answer, rows, request))
}

/** The same of text. */
function tickers(
  request: Request,
  context: Context,
  responder: Responder,
  render: (spec: SymbolSpec) => string,
): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) responder.error(symbols.id, symbols.detail)
  else if (request.params.has(Param.symbol)) responder.reply(render(symbols[0] as SymbolSpec))
  else responder.reply(`[${symbols.map(render).join()}]`)
}

const PERMISSION = /^(?:SPOT|MARGIN|LEVERAGED|TRD_GRP_\d{3})$/

/** One permission or a JSON array of them; SPOT is what every symbol here needs. */
function permissionsOf(params: Params): readonly string[] {
  const text = params.text(Param.permissions)
  if (text === undefined) return ['SPOT']
  return text.startsWith('[') ? (text.match(/\w+/g) ?? []) : [text]
}
