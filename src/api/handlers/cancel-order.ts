/** Canceling one order, one list, or all of a symbol. */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { type AccountId, type Ms, OrderId, OrderListId } from '../../base/units.ts'
import {
  CancelOpenOrders,
  CancelOrder,
  CancelOrderList,
  Rejected,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { MixedRows } from '../answers/answer.ts'
import type { Collector, CommandSlot, Context, Request, Responder } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'
import { CanceledOrders } from '../rows/canceled-orders.ts'
import { refusalOf } from './engine-refusal.ts'
import { ownerOf } from './owner.ts'
import { refuse } from './place-order.ts'

/** Which order to cancel, and how. */
export interface CancelTarget {
  readonly account: AccountId
  readonly orderId: OrderId | undefined
  readonly origClientOrderId: string | undefined
  /** The cancel's own id. */
  readonly clientOrderId: string
  /** CancelRestrictions. */
  readonly restrictions: number
  readonly expiresMs: Ms
}

export function cancelOrder(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const orderId = params.unit(Param.orderId, OrderId)
  const origClientOrderId = params.text(Param.origClientOrderId)
  if (orderId === undefined && origClientOrderId === undefined) {
    responder.error('CANCEL_WITHOUT_ID')
    return
  }
  const spec = cancelableSymbol(request, context, responder)
  if (spec === undefined) return
  // Ids count from 1, and a command's 0 stands for none.
  const slot = orderId === 0 ? undefined : context.command(spec.id)
  if (slot === undefined) {
    responder.error(orderId === 0 ? 'UNKNOWN_ORDER' : 'SERVER_BUSY')
    return
  }
  writeCancelOrder(slot, {
    account: ownerOf(request).id,
    orderId,
    origClientOrderId,
    clientOrderId: cancelId(request, context),
    restrictions: params.number(Param.cancelRestrictions) ?? 0,
    expiresMs: request.expiresMs,
  })
  const collector = new Canceling(spec, request.microseconds, responder, false)
  slot.submit(CancelOrder.type, CancelOrder.bytes, collector, request.charge)
}

export function cancelOpenOrders(request: Request, context: Context, responder: Responder): void {
  const spec = cancelableSymbol(request, context, responder)
  if (spec === undefined) return
  const slot = context.command(spec.id)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer } = slot
  CancelOpenOrders.setAccount(buffer, slot.at, ownerOf(request).id)
  CancelOpenOrders.setSpare(buffer, slot.at, 0)
  CancelOpenOrders.setExpiresMs(buffer, slot.at, request.expiresMs)
  packClientOrderId(
    context.newClientOrderId(),
    buffer.i32,
    CancelOpenOrders.clientOrderIdAt(slot.at),
  )
  const collector = new Canceling(spec, request.microseconds, responder, true)
  slot.submit(CancelOpenOrders.type, CancelOpenOrders.bytes, collector, request.charge)
}

export function cancelOrderList(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = cancelableSymbol(request, context, responder)
  if (spec === undefined) return
  const slot = context.command(spec.id, CancelOrderList.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer } = slot
  const listId = params.text(RareParam.listClientOrderId) ?? ''
  CancelOrderList.setAccount(buffer, slot.at, ownerOf(request).id)
  CancelOrderList.setSpare(buffer, slot.at, 0)
  CancelOrderList.setOrderListId(
    buffer,
    slot.at,
    params.unit(RareParam.orderListId, OrderListId) ?? OrderListId(-1),
  )
  CancelOrderList.setExpiresMs(buffer, slot.at, request.expiresMs)
  packClientOrderId(listId, buffer.i32, CancelOrderList.listClientOrderIdAt(slot.at))
  packClientOrderId(
    cancelId(request, context),
    buffer.i32,
    CancelOrderList.clientOrderIdAt(slot.at),
  )
  const collector = new Canceling(spec, request.microseconds, responder, false)
  slot.submit(CancelOrderList.type, CancelOrderList.bytes, collector, request.charge)
}

const cancelId = ({ params }: Request, context: Context): string =>
  params.text(Param.newClientOrderId) ?? context.newClientOrderId()

/** The symbol on which the account may cancel; undefined after a refusal. */
function cancelableSymbol(
  request: Request,
  context: Context,
  responder: Responder,
): SymbolSpec | undefined {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  const isFrozen = ownerOf(request).frozen
  if (spec === undefined) responder.error('INVALID_SYMBOL')
  else if (isFrozen) responder.error('CANCEL_FROZEN')
  return isFrozen ? undefined : spec
}

export function writeCancelOrder({ buffer, at }: CommandSlot, target: CancelTarget): void {
  CancelOrder.setAccount(buffer, at, target.account)
  CancelOrder.setRestrictions(buffer, at, target.restrictions)
  CancelOrder.setOrderId(buffer, at, target.orderId ?? OrderId(0))
  CancelOrder.setExpiresMs(buffer, at, target.expiresMs)
  packClientOrderId(target.origClientOrderId ?? '', buffer.i32, CancelOrder.origClientOrderIdAt(at))
  packClientOrderId(target.clientOrderId, buffer.i32, CancelOrder.clientOrderIdAt(at))
}

/** Responds with one record or list report, or with a list of them. */
class Canceling implements Collector {
  private readonly spec: SymbolSpec
  private readonly canceled: CanceledOrders
  private readonly responder: Responder
  private readonly asArray: boolean
  private rejectReason = 0

  constructor(spec: SymbolSpec, microseconds: boolean, responder: Responder, asArray: boolean) {
    this.spec = spec
    this.canceled = new CanceledOrders({ spec, microseconds })
    this.responder = responder
    this.asArray = asArray
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Rejected.type) {
      this.rejectReason = Rejected.reason(buffer, at)
    } else this.canceled.add(buffer, at)
  }

  done(): void {
    const canceled = this.canceled
    if (this.rejectReason !== 0) refuse(this.responder, refusalOf(this.spec, this.rejectReason))
    else this.responder.reply(this.asArray ? new MixedRows(canceled.reports) : canceled.answer())
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }
}
