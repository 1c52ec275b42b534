/** What the archive answers of an account's orders, trades and prevented matches. */
import { product } from '../../base/int64.ts'
import { baseAtomsOf } from '../../base/notional.ts'
import { Ms, OrderId } from '../../base/units.ts'
import type { HistoryQuery, ListForm, ListName, ListRow } from '../../history/queries.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type Answer, type AnyRows, Encoded, Rows } from '../answers/answer.ts'
import type { Elements, Form, RowOf } from '../answers/element.ts'
import { listRows } from '../answers/history-lists.ts'
import { amendment, preventedMatch } from '../answers/orders.ts'
import type { Context, Request, Responder } from '../context.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam } from '../parameters.ts'
import type { Params } from '../params.ts'
import { ownerOf } from './owner.ts'

const LIMIT_DEFAULT = 500
const LIMIT_MAX = 1000
const WINDOW_MS_MAX = 24 * 60 * 60 * 1000

const { orderId, startTime, endTime, fromId, limit } = Param
const { fromAllocationId, fromExecutionId, preventedMatchId, fromPreventedMatchId } = RareParam

/** Any of orderId, startTime and endTime may be sent together. */
export function allOrders(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = symbolOf(request, context)
  if (spec === undefined) responder.error('INVALID_SYMBOL')
  else if (isTooWide(params)) responder.error('MORE_THAN_24_HOURS')
  else {
    const query = {
      ...ownedBy(request, spec),
      ...orderIdOf(params),
      ...timesOf(params),
    }
    answerList(responder, listOf(request, context, 'allOrders', query, { spec }))
  }
}

/** What may be sent beside symbol and limit. */
const tradeCombinations: readonly (readonly Param[])[] = [
  [],
  [orderId],
  [startTime],
  [endTime],
  [fromId],
  [startTime, endTime],
  [orderId, fromId],
]

export function myTrades(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = symbolOf(request, context)
  if (!isOneOf(tradeCombinations, params, [orderId, startTime, endTime, fromId])) {
    responder.error('BAD_COMBINATION')
  } else if (isTooWide(params)) responder.error('MORE_THAN_24_HOURS')
  else if (spec === undefined) responder.error('INVALID_SYMBOL')
  else {
    const asked = { ...orderIdOf(params), ...timesOf(params), ...sent(params, { fromId }) }
    const query = { ...ownedBy(request, spec), ...asked }
    const form = { spec, assets: context.assets }
    answerList(responder, listOf(request, context, 'myTrades', query, form))
  }
}

/** What may be sent beside symbol: a limit only where there may be more than one. */
const preventedCombinations: readonly (readonly Param[])[] = [
  [preventedMatchId],
  [orderId],
  [orderId, fromPreventedMatchId],
  [orderId, fromPreventedMatchId, limit],
]

export function myPreventedMatches(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = symbolOf(request, context)
  const slots = [preventedMatchId, orderId, fromPreventedMatchId, limit]
  if (!isOneOf(preventedCombinations, params, slots)) responder.error('BAD_COMBINATION')
  else if (spec === undefined) responder.error('INVALID_SYMBOL')
  else {
    const asked = {
      ...orderIdOf(params),
      ...sent(params, { preventedMatchId, fromPreventedMatchId }),
    }
    const query = { ...ownedBy(request, spec), ...asked }
    const { symbols } = context
    const rows = context.history.preventedMatches(query).then((found) =>
      found.map((row) => {
        const makerSpec = symbols[row.makerSymbolId]!
        const priceUnits = product(row.priceTicks, makerSpec.tickUnits)
        const makerPreventedAtoms = baseAtomsOf(row.makerPreventedLots, makerSpec.atomsPerLot)
        return { ...row, makerSymbol: makerSpec.name, priceUnits, makerPreventedAtoms }
      }),
    )
    answerRows(responder, rows, preventedMatch, { spec, microseconds: request.microseconds })
  }
}

/** What may be sent beside symbol and limit. */
const allocationCombinations: readonly (readonly Param[])[] = [
  [],
  [startTime],
  [endTime],
  [startTime, endTime],
  [fromAllocationId],
  [orderId],
  [orderId, fromAllocationId],
]

export function myAllocations(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = symbolOf(request, context)
  const slots = [orderId, startTime, endTime, fromAllocationId]
  if (!isOneOf(allocationCombinations, params, slots)) responder.error('BAD_COMBINATION')
  else if (isTooWide(params)) responder.error('MORE_THAN_24_HOURS')
  else if (spec === undefined) responder.error('INVALID_SYMBOL')
  else {
    const asked = {
      ...orderIdOf(params),
      ...timesOf(params),
      ...sent(params, { fromAllocationId }),
    }
    const query = { ...ownedBy(request, spec), ...asked }
    const form = { spec, assets: context.assets }
    answerList(responder, listOf(request, context, 'allocations', query, form))
  }
}

export function amendments(request: Request, context: Context, responder: Responder): void {
  const { params, microseconds } = request
  const spec = symbolOf(request, context)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const asked = { orderId: OrderId(params.numbers[orderId]!), ...sent(params, { fromExecutionId }) }
  const rows = context.history.amendments({ ...ownedBy(request, spec), ...asked })
  answerRows(responder, rows, amendment, { spec, microseconds })
}

const symbolOf = ({ params }: Request, context: Context): SymbolSpec | undefined =>
  context.symbolNamed(params.text(Param.symbol) as string)

const ownedBy = (request: Request, spec: SymbolSpec) => ({
  account: ownerOf(request).id,
  symbolId: spec.id,
  limit: limitOf(request.params),
})

export const limitOf = (params: Params): number =>
  Math.min(params.number(limit) ?? LIMIT_DEFAULT, LIMIT_MAX)

const orderIdOf = (params: Params): { readonly orderId?: OrderId } => {
  const id = params.unit(orderId, OrderId)
  return id === undefined ? {} : { orderId: id }
}

/** The bounds of time that were sent, under their names. */
export function timesOf(params: Params): { startTime?: Ms; endTime?: Ms } {
  const [start, end] = [params.unit(startTime, Ms), params.unit(endTime, Ms)]
  return {
    ...(start === undefined ? {} : { startTime: start }),
    ...(end === undefined ? {} : { endTime: end }),
  }
}

/** The parameters that were sent, under their names. */
export function sent<Name extends string>(
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

/** Whether what was sent of `slots` is one of the combinations, no more and no less. */
function isOneOf(
  combinations: readonly (readonly Param[])[],
  params: Params,
  slots: readonly Param[],
): boolean {
  const asked = slots.filter((slot) => params.has(slot))
  return combinations.some(
    (allowed) => allowed.length === asked.length && allowed.every((slot) => asked.includes(slot)),
  )
}

/** More than 24 hours from startTime to endTime. */
export function isTooWide(params: Params): boolean {
  const start = params.number(startTime)
  const end = params.number(endTime)
  return start !== undefined && end !== undefined && end - start > WINDOW_MS_MAX
}

/** Resolves to a list that may be long: encoded where its rows are, if the request names an encoder. */
export async function listOf<Name extends ListName>(
  { encoding, microseconds }: Request,
  { history }: Context,
  name: Name,
  query: HistoryQuery<Name>,
  shown: Omit<ListForm, 'encoding' | 'microseconds'>,
): Promise<AnyRows | Encoded> {
  const form = { ...shown, microseconds }
  if (encoding === undefined) {
    const read = history[name] as (query: HistoryQuery<Name>) => Promise<readonly ListRow<Name>[]>
    return listRows(name, await read(query), form)
  }
  return new Encoded(encoding, await history.list(name, query, { ...form, encoding }))
}

/** Responds with the list, or with the error. */
export function answerList(responder: Responder, list: Promise<AnyRows | Encoded>): void {
  list.then(
    (answer) => responder.reply(answer),
    (failure: unknown) => responder.error(historyError(failure)),
  )
}

/** Responds with a few rows as an array, or with the error. */
export function answerRows<E extends Elements>(
  responder: Responder,
  rows: Promise<readonly RowOf<E>[]>,
  answer: Answer<E>,
  form: Form,
): void {
  rows.then(
    (all) => responder.reply(new Rows(answer, all, form)),
    (failure: unknown) => responder.error(historyError(failure)),
  )
}
