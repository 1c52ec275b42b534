/** Market data and the exchange itself, answered from this thread's memory in the same turn. */
import type { SymbolStatus } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { Param, paramNames } from '../parameters.ts'
import type { Params } from '../params.ts'
import { timeOf } from '../render/decimals.ts'
import { exchangeInfoText, relevantFiltersText } from '../render/exchange-info.ts'
import {
  averagePriceText,
  bookTicker,
  depthText,
  priceTicker,
  tradesText,
} from '../render/market.ts'

const DEPTH_LIMIT_DEFAULT = 100
const DEPTH_LIMIT_MAX = 5000
const SYMBOLS_MAX = 100
const TRADES_LIMIT_DEFAULT = 500
const TRADES_LIMIT_MAX = 1000

export function ping(_request: Request, _context: Context, responder: Responder): void {
  responder.reply('{}')
}

export function time(request: Request, _context: Context, responder: Responder): void {
  responder.reply(`{"serverTime":${timeOf(request.nowMs, request.microseconds)}}`)
}

export function systemStatus(_request: Request, _context: Context, responder: Responder): void {
  responder.reply('{"status":0,"msg":"normal"}')
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
  responder.reply(tradesText(context.tape(spec.id), limit, request.microseconds))
}

export function averagePrice(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  responder.reply(averagePriceText(context.tape(spec.id), request.nowMs, request.microseconds))
}

export function priceTickers(request: Request, context: Context, responder: Responder): void {
  tickers(request, context, responder, (spec) => priceTicker(context.tape(spec.id)))
}

export function bookTickers(request: Request, context: Context, responder: Responder): void {
  const symbols = selectSymbols(request.params, context)
  const unsynced =
    !(symbols instanceof Fault) && symbols.some(({ id }) => !context.depth(id).synced)
  if (unsynced) responder.error('SERVER_BUSY')
  else tickers(request, context, responder, (spec) => bookTicker(context.depth(spec.id)))
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

/** One object for `symbol`, otherwise an array. */
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

/**
 * The symbols that `symbol`, `symbols` and `symbolStatus` select; all when none was sent. A single
 * one of another status is a fault, of several it is left out (supplement 1, Condition of 1220).
 */
function selectSymbols(params: Params, context: Context): readonly SymbolSpec[] | Fault {
  const name = params.text(Param.symbol)
  if (name !== undefined) {
    const spec = context.symbolNamed(name)
    if (spec === undefined) return new Fault('INVALID_SYMBOL')
    return hasStatus(spec, params) ? [spec] : new Fault('SYMBOL_STATUS_MISMATCH')
  }
  const list = params.text(Param.symbols)
  const specs = list === undefined ? context.symbols : listedSymbols(list, context)
  return specs instanceof Fault ? specs : specs.filter((spec) => hasStatus(spec, params))
}

/** `text` has passed the parameter's legal range, and so is a JSON array of strings. */
function listedSymbols(text: string, context: Context): readonly SymbolSpec[] | Fault {
  const names = JSON.parse(text) as readonly string[]
  if (names.length > SYMBOLS_MAX) {
    return new Fault('TOO_MANY_VALUES', paramNames[Param.symbols]!, SYMBOLS_MAX)
  }
  if (new Set(names).size < names.length) return new Fault('DUPLICATE_SYMBOLS')
  const specs: SymbolSpec[] = []
  for (const name of names) {
    const spec = context.symbolNamed(name)
    if (spec === undefined) return new Fault('INVALID_SYMBOL')
    specs.push(spec)
  }
  return specs
}

function hasStatus(spec: SymbolSpec, params: Params): boolean {
  const status = params.number(Param.symbolStatus)
  return status === undefined || spec.status === (status as SymbolStatus)
}

const PERMISSION = /^(?:SPOT|MARGIN|LEVERAGED|TRD_GRP_\d{3})$/

/** One permission or a JSON array of them; SPOT is what every symbol here needs. */
function permissionsOf(params: Params): readonly string[] {
  const text = params.text(Param.permissions)
  if (text === undefined) return ['SPOT']
  return text.startsWith('[') ? (text.match(/\w+/g) ?? []) : [text]
}
