/** What a client receives of its command, judged by what the engine wrote for it. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../../src/base/assert.ts'
import { namesOf, OrderStatus, QuoteOutcomeKind, RejectReason } from '../../../src/base/codes.ts'
import { Lots } from '../../../src/base/units.ts'
import type { SymbolSpec } from '../../../src/market/listing.ts'
import type { Command } from '../commands.ts'
import type { NamedRecord } from '../records.ts'
import { type CommandNamed, quantityOf } from './requests.ts'

/** An answer as JSON, from either transport. */
export interface Answer {
  readonly status: number
  readonly result: unknown
  /** 0 when it is no error. */
  readonly code: number
}

type Json = Readonly<Record<string, unknown>>

export const UNKNOWN = -1007
const statuses = namesOf(OrderStatus)
const quoteOutcomes = namesOf(QuoteOutcomeKind)

/** Reads a frame of the WebSocket API. */
export function frameAnswer(frame: Json): Answer {
  const error = frame.error as { code: number } | undefined
  const result = frame.result ?? (error as Json | undefined)
  return { status: Number(frame.status), result, code: error?.code ?? 0 }
}

/** Reads a response of REST. */
export function httpAnswer(status: number, body: string): Answer {
  const result: unknown = JSON.parse(body)
  const code = status === 200 ? 0 : Number((result as Json).code)
  return { status, result, code }
}

export const isUnknown = ({ code }: Answer): boolean => code === UNKNOWN

/** Judges the answer to a command that was executed; `due` is all that the engine wrote for it. */
export function checkAnswer(
  spec: SymbolSpec,
  command: Command,
  due: readonly NamedRecord[],
  answer: Answer,
): void {
  const refused = due.find(({ name }) => name === 'Rejected' || name === 'OrderListRejected')
  if (refused !== undefined) {
    const isNone =
      command.name === 'CancelOrdersWhere' && refused.reason === RejectReason.UNKNOWN_ORDER
    const isAsked = command.name === 'QueryOrder' && refused.reason === RejectReason.NO_SUCH_ORDER
    if (isNone) deepStrictEqual(answer.result, { canceled: 0, lists: 0, symbols: [] })
    // What is no longer open is queried from the archive.
    else if (!isAsked) assert(answer.code < 0, 'what was refused is answered so')
    return
  }
  const result = answer.result as Json
  if (command.name === 'ReplaceOrder') checkReplaced(spec, due, answer)
  else if (command.name === 'QueryOrder' && answer.code < 0) return
  else {
    strictEqual(answer.status, 200, `it was done: ${JSON.stringify(answer.result)}`)
    if (command.name === 'PlaceOrder') checkPlaced(spec, due, result)
    if (command.name === 'QueryOrder') checkState(spec, due, result)
    if (command.name === 'QueryOpenOrders') checkOpen(spec, due, answer.result as Json[])
    if (command.name === 'CancelOrder') checkCanceled(due, result)
    if (command.name === 'CancelOrdersWhere') checkCanceledWhere(spec, due, result)
    if (command.name === 'AmendOrder') checkAmended(spec, due, result)
    if (command.name === 'PlaceOrderList') checkListed(due, result)
    if (command.name === 'QuoteOrders') checkQuoteResult(spec, command.record, due, result)
    if (command.name === 'SetCountdown') {
      const { deadlineMs } = due.find(({ name }) => name === 'CountdownChanged')!
      strictEqual(result.cancelTime ?? 0, deadlineMs)
    }
  }
}

function checkPlaced(spec: SymbolSpec, due: readonly NamedRecord[], result: Json): void {
  const accepted = due.find(({ name }) => name === 'OrderAccepted')!
  const { orderId, clientOrderId } = accepted
  strictEqual(result.orderId, orderId)
  strictEqual(result.clientOrderId, clientOrderId)
  const trades = due.filter((it) => it.name === 'Trade' && it.takerOrderId === orderId)
  const filledLots = Number(trades.at(-1)?.takerFilledLots ?? 0)
  strictEqual(result.executedQty, quantityOf(spec, Lots(filledLots)))
  strictEqual((result.fills as unknown[]).length, trades.length)
  deepStrictEqual(
    (result.fills as Json[]).map(({ tradeId }) => tradeId),
    trades.map(({ tradeId }) => tradeId),
  )
  const closed = due.find((it) => it.name === 'OrderClosed' && it.orderId === orderId)
  if (closed !== undefined) strictEqual(result.status, statuses[Number(closed.status)])
}

function checkState(spec: SymbolSpec, due: readonly NamedRecord[], result: Json): void {
  const state = due.find(({ name }) => name === 'OrderState')!
  strictEqual(result.orderId, state.orderId)
  strictEqual(result.executedQty, quantityOf(spec, Lots(Number(state.filledLots))))
  strictEqual(result.clientOrderId, state.clientOrderId)
}

function checkOpen(spec: SymbolSpec, due: readonly NamedRecord[], rows: readonly Json[]): void {
  const states = due.filter(({ name }) => name === 'OrderState')
  const told = rows.map(({ orderId, executedQty }) => `${orderId} ${executedQty}`)
  const known = states.map(
    ({ orderId, filledLots }) => `${orderId} ${quantityOf(spec, Lots(Number(filledLots)))}`,
  )
  deepStrictEqual(told.sort(), known.sort())
}

function checkCanceled(due: readonly NamedRecord[], result: Json): void {
  const closed = due.filter(({ name }) => name === 'OrderClosed').map(({ orderId }) => orderId)
  const reports = (result.orderReports as Json[] | undefined) ?? [result]
  for (const { orderId } of reports) assert(closed.includes(orderId as number), 'it was canceled')
}

function checkCanceledWhere(
  { name: symbol }: SymbolSpec,
  due: readonly NamedRecord[],
  result: Json,
): void {
  const countOf = (wanted: string) => due.filter(({ name }) => name === wanted).length
  const counts = { canceled: countOf('OrderClosed'), lists: countOf('OrderListChanged') }
  deepStrictEqual(result, { ...counts, symbols: [{ symbol, ...counts }] })
}

function checkAmended(spec: SymbolSpec, due: readonly NamedRecord[], result: Json): void {
  const order = result.amendedOrder as Json
  // With a leg of a pair the other one is amended too.
  const isOf = (it: NamedRecord) => it.name === 'OrderAmended' && it.orderId === order.orderId
  const amended = due.find(isOf)
  assert(amended !== undefined, 'it was amended')
  strictEqual(order.qty, quantityOf(spec, Lots(Number(amended.lots))))
}

function checkListed(due: readonly NamedRecord[], result: Json): void {
  const accepted = due.filter(({ name }) => name === 'OrderAccepted').map(({ orderId }) => orderId)
  const orders = result.orders as Json[]
  deepStrictEqual(
    orders.map(({ orderId }) => orderId),
    accepted.slice(0, orders.length),
  )
}

function checkQuoteResult(
  spec: SymbolSpec,
  { bids, asks }: CommandNamed<'QuoteOrders'>['record'],
  due: readonly NamedRecord[],
  result: Json,
): void {
  const done = due.find(({ name }) => name === 'QuoteResult')!
  strictEqual(result.canceled, done.canceled)
  const sides = [result.bids, result.asks] as Json[][]
  deepStrictEqual(
    sides.map(({ length }) => length),
    [bids, asks],
  )
  const standing = Array.from({ length: Number(done.levels) }, (_, i) => ({
    outcome: Number(done[`level${i}.outcome`]),
    orderId: done[`level${i}.orderId`],
  })).filter(({ outcome }) => outcome !== QuoteOutcomeKind.REFUSED)
  const told = sides.flat().filter(({ outcome }) => outcome !== 'REFUSED')
  deepStrictEqual(
    told.map(({ outcome, orderId, executedQty }) => [outcome, orderId, executedQty]),
    standing.map(({ outcome, orderId }) => {
      const trades = due.filter((it) => it.name === 'Trade' && it.takerOrderId === orderId)
      const filledLots = Lots(Number(trades.at(-1)?.takerFilledLots ?? 0))
      return [quoteOutcomes[outcome], orderId, quantityOf(spec, filledLots)]
    }),
  )
}

function checkReplaced(spec: SymbolSpec, due: readonly NamedRecord[], answer: Answer): void {
  const done = due.find(({ name }) => name === 'ReplaceResult')
  if (done === undefined) {
    strictEqual(
      answer.code,
      -2021,
      'a new order that was refused is told with the cancel that was done',
    )
    return
  }
  const isWhole = done.cancelReason === 0 && done.orderReason === 0
  strictEqual(answer.code === 0, isWhole, 'a replacement succeeds as a whole or not')
  if (!isWhole) return
  const { newOrderResponse } = answer.result as { newOrderResponse: Json }
  const closing = due.findIndex(({ name }) => name === 'OrderClosed')
  checkPlaced(spec, due.slice(closing), newOrderResponse)
}
