/** What the archive answers: all orders and all trades of an account (supplement 2a.1). */
import type { Context, Request, Responder } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { Param } from '../parameters.ts'
import type { Params } from '../params.ts'
import { accountTrade } from '../render/account-trade.ts'
import { orderRecord } from '../render/order-record.ts'
import { ownerOf } from './owner.ts'

const LIMIT_DEFAULT = 500
const LIMIT_MAX = 1000
const WINDOW_MS_MAX = 24 * 60 * 60 * 1000

const { orderId, startTime, endTime, fromId } = Param

export function allOrders(request: Request, context: Context, responder: Responder): void {
  const { params, microseconds } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  const refusal = spec === undefined ? 'INVALID_SYMBOL' : windowError(params)
  if (spec === undefined || refusal !== undefined) {
    responder.error(refusal as ErrorId)
    return
  }
  context.history
    .allOrders({
      account: ownerOf(request).id,
      symbolId: spec.id,
      limit: limitOf(params),
      ...sent(params, { orderId, startTime, endTime }),
    })
    .then(
      (rows) => {
        responder.reply(`[${rows.map((row) => orderRecord(spec, row, microseconds)).join()}]`)
      },
      () => responder.error('TIMEOUT'),
    )
}

/** What may be sent beside symbol and limit, alone or together. */
const tradeCombinations: readonly (readonly Param[])[] = [
  [],
  [orderId],
  [startTime],
  [endTime],
  [fromId],
  [startTime, endTime],
  [orderId, fromId],
]
const combining: readonly Param[] = [orderId, startTime, endTime, fromId]

export function myTrades(request: Request, context: Context, responder: Responder): void {
  const { params, microseconds } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  const refusal = combinationError(params) ?? windowError(params)
  if (refusal !== undefined || spec === undefined) {
    responder.error(refusal ?? 'INVALID_SYMBOL')
    return
  }
  context.history
    .myTrades({
      account: ownerOf(request).id,
      symbolId: spec.id,
      limit: limitOf(params),
      ...sent(params, { orderId, startTime, endTime, fromId }),
    })
    .then(
      (rows) => {
        responder.reply(`[${rows.map((row) => accountTrade(spec, row, microseconds)).join()}]`)
      },
      () => responder.error('TIMEOUT'),
    )
}

const limitOf = (params: Params): number =>
  Math.min(params.number(Param.limit) ?? LIMIT_DEFAULT, LIMIT_MAX)

/** The parameters that were sent, under their names. */
function sent<Name extends string>(
  params: Params,
  wanted: Readonly<Record<Name, Param>>,
): { [name in Name]?: number } {
  const values: { [name in Name]?: number } = {}
  for (const name of Object.keys(wanted) as Name[]) {
    const value = params.number(wanted[name])
    if (value !== undefined) values[name] = value
  }
  return values
}

function combinationError(params: Params): ErrorId | undefined {
  const asked = combining.filter((slot) => params.has(slot))
  const allowed = tradeCombinations.some(
    (slots) => slots.length === asked.length && slots.every((slot) => asked.includes(slot)),
  )
  return allowed ? undefined : 'BAD_COMBINATION'
}

function windowError(params: Params): ErrorId | undefined {
  const start = params.number(startTime)
  const end = params.number(endTime)
  const tooWide = start !== undefined && end !== undefined && end - start > WINDOW_MS_MAX
  return tooWide ? 'MORE_THAN_24_HOURS' : undefined
}
