/** Canceling one order, or all of a symbol (supplement 2a.1). */
import { packClientOrderId } from '#base/client-order-id.ts'
import type { SymbolSpec } from '#base/listing.ts'
import { type RecordBuffer, recordType } from '#layout/record-buffer.ts'
import { CancelOpenOrders, CancelOrder, OrderClosed, Rejected } from '#layout/records.gen.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import { type ErrorId, errorOfReject } from '../errors.ts'
import { Param } from '../parameters.ts'
import { cancelRecord } from '../render/order-record.ts'
import { ownerOf } from './owner.ts'

export function cancelOrder(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const orderId = params.number(Param.orderId)
  const origClientOrderId = params.text(Param.origClientOrderId)
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (orderId === undefined && origClientOrderId === undefined) {
    responder.error('CANCEL_WITHOUT_ID')
    return
  }
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  // Ids count from 1, and a command's 0 stands for none.
  if (orderId === 0) {
    responder.error('UNKNOWN_ORDER')
    return
  }
  const slot = context.command(spec.id)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { i32, f64 } = slot.buffer
  const word = slot.at >> 2
  const double = slot.at >> 3
  i32[word + CancelOrder.account] = ownerOf(request).id
  i32[word + CancelOrder.restrictions] = params.number(Param.cancelRestrictions) ?? 0
  f64[double + CancelOrder.orderId] = orderId ?? 0
  f64[double + CancelOrder.expiresMs] = request.expiresMs
  packClientOrderId(origClientOrderId ?? '', i32, word + CancelOrder.origClientOrderId)
  const clientOrderId = params.text(Param.newClientOrderId) ?? context.newClientOrderId()
  packClientOrderId(clientOrderId, i32, word + CancelOrder.clientOrderId)
  slot.submit(
    CancelOrder.type,
    CancelOrder.bytes,
    new CanceledOrders(spec, request.microseconds, responder, false),
  )
}

export function cancelOpenOrders(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const slot = context.command(spec.id)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { i32, f64 } = slot.buffer
  const word = slot.at >> 2
  i32[word + CancelOpenOrders.account] = ownerOf(request).id
  i32[word + CancelOpenOrders.spare] = 0
  f64[(slot.at >> 3) + CancelOpenOrders.expiresMs] = request.expiresMs
  packClientOrderId(context.newClientOrderId(), i32, word + CancelOpenOrders.clientOrderId)
  slot.submit(
    CancelOpenOrders.type,
    CancelOpenOrders.bytes,
    new CanceledOrders(spec, request.microseconds, responder, true),
  )
}

/** Gathers cancel records: one, or an array of them. */
class CanceledOrders implements Collector {
  readonly #spec: SymbolSpec
  readonly #microseconds: boolean
  readonly #responder: Responder
  readonly #asArray: boolean
  #records = ''
  #rejectReason = 0

  constructor(spec: SymbolSpec, microseconds: boolean, responder: Responder, asArray: boolean) {
    this.#spec = spec
    this.#microseconds = microseconds
    this.#responder = responder
    this.#asArray = asArray
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.#rejectReason = buffer.i32[(at >> 2) + Rejected.reason]!
    if (type !== OrderClosed.type) return
    if (this.#records !== '') this.#records += ','
    this.#records += cancelRecord(this.#spec, buffer, at, this.#microseconds)
  }

  done(): void {
    if (this.#rejectReason !== 0) this.#responder.error(errorOfReject(this.#rejectReason))
    else this.#responder.reply(this.#asArray ? `[${this.#records}]` : this.#records)
  }

  failed(id: ErrorId): void {
    this.#responder.error(id)
  }
}
