/** Placing and testing orders. */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { isDetailed, OrderType, Side, sideOf, typeOf, withSession } from '../../base/codes.ts'
import { Placement, PlaceOrder, Rejected } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { orderRates } from '../answers/account.ts'
import { Rows } from '../answers/answer.ts'
import { testedOrder } from '../answers/orders.ts'
import type { Collector, CommandSlot, Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { NewOrderRespType, Param } from '../parameters.ts'
import { orderRatesRow } from '../rows/commission.ts'
import { PlacedOrder, type ReplyStyle } from '../rows/placed-order.ts'
import { refusalOf } from './engine-refusal.ts'
import { draftOrder, draftRouted, type OrderDraft } from './order-draft.ts'
import { ownerOf, placementFault } from './owner.ts'

export function placeOrder(request: Request, context: Context, responder: Responder): void {
  place(draftOrder(request, context), request, context, responder)
}

/** Smart order routing (faqs/sor_faq.md). */
export function routeOrder(request: Request, context: Context, responder: Responder): void {
  place(draftRouted(request, context), request, context, responder)
}

function place(
  draft: OrderDraft | Fault,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const fault = draft instanceof Fault ? draft : placementFault(ownerOf(request), draft.spec)
  if (draft instanceof Fault || fault !== undefined) {
    refuse(responder, fault as Fault)
    return
  }
  const { spec } = draft
  const slot = context.command(spec.id, PlaceOrder.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const clientOrderId = draft.clientOrderId ?? context.newClientOrderId()
  writePlacement(slot, request, draft, clientOrderId)
  const style = replyStyle(request, context, spec, defaultForm(draft))
  const order = new PlacedOrder(style, clientOrderId)
  const collector = new Placing(spec, order, responder)
  slot.submit(PlaceOrder.type, PlaceOrder.bytes, collector, request.charge)
}

/** Runs the same checks and sends nothing to the engine. */
export function testOrder(request: Request, context: Context, responder: Responder): void {
  test(draftOrder(request, context), request, context, responder)
}

export function testRoutedOrder(request: Request, context: Context, responder: Responder): void {
  test(draftRouted(request, context), request, context, responder)
}

function test(
  draft: OrderDraft | Fault,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  if (draft instanceof Fault) {
    refuse(responder, draft)
    return
  }
  const asksForRates = request.params.flag(Param.computeCommissionRates, false)
  const isBuyer = sideOf(draft.terms) === Side.BUY
  if (!asksForRates) {
    responder.reply(new Rows(testedOrder, {}, request))
    return
  }
  const row = orderRatesRow(context, draft.spec, ownerOf(request), isBuyer)
  responder.reply(new Rows(orderRates, row, request))
}

export const refuse = (responder: Responder, { id, detail }: Fault): void =>
  responder.error(id, detail)

/** LIMIT and MARKET are answered in full, all others acknowledged (rest-api.md, New order). */
export function defaultForm({ terms }: OrderDraft): number {
  const type = typeOf(terms)
  const isFull = type === OrderType.LIMIT || type === OrderType.MARKET
  return isFull ? NewOrderRespType.FULL : NewOrderRespType.ACK
}

/** `form`: the NewOrderRespType of a request that sends none. */
export const replyStyle = (
  request: Request,
  context: Context,
  spec: SymbolSpec,
  form: number,
): ReplyStyle => ({
  spec,
  assets: context.assets,
  symbols: context.symbols,
  form: request.params.number(Param.newOrderRespType) ?? form,
  tradeGroupId: ownerOf(request).tradeGroupId,
  microseconds: request.microseconds,
})

/**
 * The fields that PlaceOrder and ReplaceOrder begin with. The generated writer takes a record object;
 * this one is on the hot path and makes none.
 */
export function writePlacement(
  { buffer, at }: CommandSlot,
  request: Request,
  order: OrderDraft,
  clientOrderId: string,
): void {
  PlaceOrder.setAccount(buffer, at, ownerOf(request).id)
  PlaceOrder.setTerms(buffer, at, withSession(order.terms, request.session))
  PlaceOrder.setPriceTicks(buffer, at, order.priceTicks)
  PlaceOrder.setLots(buffer, at, order.lots)
  PlaceOrder.setQuoteAtoms(buffer, at, order.quoteAtoms)
  PlaceOrder.setExpiresMs(buffer, at, request.expiresMs)
  packClientOrderId(clientOrderId, buffer.i32, PlaceOrder.clientOrderIdAt(at))
  if (isDetailed(order.terms)) Placement.writeExtras(buffer, at, order.extras)
}

class Placing implements Collector {
  private readonly spec: SymbolSpec
  private readonly order: PlacedOrder
  private readonly responder: Responder
  private rejectReason = 0

  constructor(spec: SymbolSpec, order: PlacedOrder, responder: Responder) {
    this.spec = spec
    this.order = order
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Rejected.type) {
      this.rejectReason = Rejected.reason(buffer, at)
    } else this.order.add(buffer, at)
  }

  done(): void {
    if (this.rejectReason === 0) this.responder.reply(this.order.answer())
    else refuse(this.responder, refusalOf(this.spec, this.rejectReason))
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }
}
