/**
 * Canceling an order and placing another in one command (rest-api.md, cancelReplace). The new order's parameters
 * and filters are judged before anything is sent, and so is the order count: where it is used up,
 * nothing is done, or only the cancel. On the reserve of the disk, and for an order whose worth only a closed
 * market hides, only the cancel is done.
 */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { CancelReplaceMode } from '../../base/codes.ts'
import { OrderId } from '../../base/units.ts'
import { CancelOrder, Rejected, ReplaceOrder, ReplaceResult } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type AnyRows, Rows } from '../answers/answer.ts'
import { errorRows } from '../answers/errors.ts'
import { failedReplacement, HalfResult, replacedOrder } from '../answers/replacement.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { Param, RareParam, RateLimitExceededMode } from '../parameters.ts'
import { CanceledOrders } from '../rows/canceled-orders.ts'
import { PlacedOrder } from '../rows/placed-order.ts'
import { type CancelTarget, writeCancelOrder } from './cancel-order.ts'
import { refusalOf } from './engine-refusal.ts'
import { draftOrder, type OrderDraft } from './order-draft.ts'
import { ownerOf, placementFault } from './owner.ts'
import { defaultForm, refuse, replyStyle, writePlacement } from './place-order.ts'

export function replaceOrder(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const draft = draftOrder(request, context)
  if (draft instanceof Fault && draft.id === 'MARKET_CLOSED') {
    cancelWhereClosed(draft, request, context, responder)
    return
  }
  const fault = draft instanceof Fault ? draft : replacementFault(request, draft.spec)
  if (draft instanceof Fault || fault !== undefined) {
    refuse(responder, fault as Fault)
    return
  }
  const refused = context.newOrderFault()
  if (refused !== undefined) {
    sendCancel(draft.spec, refused, request, context, responder)
    return
  }
  const limited = request.charge?.refusal()
  const exceededMode = params.number(RareParam.orderRateLimitExceededMode)
  if (limited === undefined) sendReplacement(draft, request, context, responder)
  else if (exceededMode !== RateLimitExceededMode.CANCEL_ONLY) refuse(responder, limited)
  else sendCancel(draft.spec, limited, request, context, responder)
}

/** Cancels work in every status. What the new order is worth was not checked, and does not matter there. */
function cancelWhereClosed(
  closed: Fault,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string) as SymbolSpec
  const fault = replacementFault(request, spec)
  if (fault === undefined) sendCancel(spec, closed, request, context, responder)
  else refuse(responder, fault)
}

function replacementFault(request: Request, spec: SymbolSpec): Fault | undefined {
  if (!spec.features.cancelReplace) return new Fault('REPLACE_NOT_SUPPORTED')
  return placementFault(ownerOf(request), spec)
}

function targetOf(request: Request, context: Context): CancelTarget {
  const { params } = request
  const orderId = params.unit(RareParam.cancelOrderId, OrderId)
  return {
    account: ownerOf(request).id,
    // Ids count from 1, and a command's 0 stands for none; no order has an id below.
    orderId: orderId === 0 ? OrderId(-1) : orderId,
    origClientOrderId: params.text(RareParam.cancelOrigClientOrderId),
    clientOrderId: params.text(RareParam.cancelNewClientOrderId) ?? context.newClientOrderId(),
    restrictions: params.number(Param.cancelRestrictions) ?? 0,
    expiresMs: request.expiresMs,
  }
}

const modeOf = ({ params }: Request): CancelReplaceMode =>
  params.numbers[RareParam.cancelReplaceMode] as CancelReplaceMode

function sendReplacement(
  draft: OrderDraft,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const { spec } = draft
  const slot = context.command(spec.id, ReplaceOrder.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { orderId, origClientOrderId, clientOrderId, restrictions } = targetOf(request, context)
  const { buffer } = slot
  const newId = draft.clientOrderId ?? context.newClientOrderId()
  writePlacement(slot, request, draft, newId)
  ReplaceOrder.setCancelOrderId(buffer, slot.at, orderId ?? OrderId(0))
  ReplaceOrder.setCancelRestrictions(buffer, slot.at, restrictions)
  ReplaceOrder.setMode(buffer, slot.at, modeOf(request))
  packClientOrderId(
    origClientOrderId ?? '',
    buffer.i32,
    ReplaceOrder.cancelOrigClientOrderIdAt(slot.at),
  )
  packClientOrderId(clientOrderId, buffer.i32, ReplaceOrder.cancelClientOrderIdAt(slot.at))
  const placed = new PlacedOrder(replyStyle(request, context, spec, defaultForm(draft)), newId)
  const canceled = new CanceledOrders({ spec, microseconds: request.microseconds })
  const collector = new Replacement(spec, canceled, placed, responder)
  slot.submit(ReplaceOrder.type, ReplaceOrder.bytes, collector, request.charge)
}

function sendCancel(
  spec: SymbolSpec,
  limited: Fault,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const slot = context.command(spec.id)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  writeCancelOrder(slot, targetOf(request, context))
  const canceled = new CanceledOrders({ spec, microseconds: request.microseconds })
  const collector = new CancelAlone(spec, canceled, limited, modeOf(request), responder)
  request.charge?.waive()
  slot.submit(CancelOrder.type, CancelOrder.bytes, collector, request.charge)
}

/** One half of the outcome. */
interface Half {
  readonly result: HalfResult
  readonly response: AnyRows | null
}

const succeeded = (response: AnyRows): Half => ({ result: HalfResult.SUCCESS, response })
const refused = ({ id, detail }: Fault): Half => ({
  result: HalfResult.FAILURE,
  response: errorRows(id, detail),
})
const notAttempted: Half = { result: HalfResult.NOT_ATTEMPTED, response: null }

const form = { microseconds: false }
const outcomeOf = (cancel: Half, order: Half) => ({
  cancelResult: cancel.result,
  newOrderResult: order.result,
  cancelResponse: cancel.response,
  newOrderResponse: order.response,
})
const failure = (cancel: Half, order: Half): AnyRows =>
  new Rows(failedReplacement, outcomeOf(cancel, order), form)

class Replacement implements Collector {
  private readonly spec: SymbolSpec
  private readonly canceled: CanceledOrders
  private readonly placed: PlacedOrder
  private readonly responder: Responder
  /** Why both halves were refused before either was tried; 0 when they were not. */
  private rejectReason = 0
  private cancelReason = 0
  private orderReason = 0

  constructor(
    spec: SymbolSpec,
    canceled: CanceledOrders,
    placed: PlacedOrder,
    responder: Responder,
  ) {
    this.spec = spec
    this.canceled = canceled
    this.placed = placed
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.rejectReason = Rejected.reason(buffer, at)
    else if (type === ReplaceResult.type) {
      this.cancelReason = ReplaceResult.cancelReason(buffer, at)
      this.orderReason = ReplaceResult.orderReason(buffer, at)
    } else {
      this.canceled.add(buffer, at)
      this.placed.add(buffer, at)
    }
  }

  done(): void {
    if (this.rejectReason !== 0) {
      refuse(this.responder, refusalOf(this.spec, this.rejectReason))
      return
    }
    const cancel = this.half(this.cancelReason, this.canceled)
    const order = this.half(this.orderReason, this.placed)
    const successes = [cancel, order].filter(({ result }) => result === HalfResult.SUCCESS).length
    if (successes === 2) {
      this.responder.reply(new Rows(replacedOrder, outcomeOf(cancel, order), form))
    } else {
      const id = successes === 1 ? 'REPLACE_FAILED_PARTLY' : 'REPLACE_FAILED'
      this.responder.error(id, [], failure(cancel, order))
    }
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }

  /** `reason`: 0 when it succeeded, -1 when it was not attempted. */
  private half(reason: number, done: { answer(): AnyRows }): Half {
    if (reason === 0) return succeeded(done.answer())
    return reason < 0 ? notAttempted : refused(refusalOf(this.spec, reason))
  }
}

/** The cancel of a replacement whose order is refused: by the order count, or on the reserve of the disk. */
class CancelAlone implements Collector {
  private readonly spec: SymbolSpec
  private readonly canceled: CanceledOrders
  private readonly limited: Fault
  private readonly mode: CancelReplaceMode
  private readonly responder: Responder
  private rejectReason = 0

  constructor(
    spec: SymbolSpec,
    canceled: CanceledOrders,
    limited: Fault,
    mode: CancelReplaceMode,
    responder: Responder,
  ) {
    this.spec = spec
    this.canceled = canceled
    this.limited = limited
    this.mode = mode
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Rejected.type) {
      this.rejectReason = Rejected.reason(buffer, at)
    } else this.canceled.add(buffer, at)
  }

  /** The table's statuses: 429 where the order count alone decides, else as when the engine refuses. */
  done(): void {
    const stops = this.mode === CancelReplaceMode.STOP_ON_FAILURE
    const isCounted = stops && this.limited.id === 'TOO_MANY_ORDERS'
    if (this.rejectReason === 0) {
      const outcome = failure(succeeded(this.canceled.answer()), refused(this.limited))
      const id = isCounted ? 'REPLACE_ONLY_CANCELED' : 'REPLACE_FAILED_PARTLY'
      this.responder.error(id, [], outcome)
      return
    }
    const cancel = refused(refusalOf(this.spec, this.rejectReason))
    const outcome = failure(cancel, stops ? notAttempted : refused(this.limited))
    this.responder.error(isCounted ? 'REPLACE_FAILED_TO_CANCEL' : 'REPLACE_FAILED', [], outcome)
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }
}
