/** Placing order lists: OCO in its old form and its new one, OTO, OTOCO, OPO, OPOCO (rest-api.md, order lists). */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { OrderListKind, withSession } from '../../base/codes.ts'
import {
  ExtrasBlock,
  LEGS_MAX,
  OrderAccepted,
  OrderListChanged,
  OrderListRejected,
  PlaceOrderList,
  Rejected,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { Rows } from '../answers/answer.ts'
import { placedOrderList } from '../answers/order-lists.ts'
import type { Collector, CommandSlot, Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { NewOrderRespType, RareParam } from '../parameters.ts'
import { type ListState, listStateOf } from '../rows/order-list.ts'
import { PlacedOrder, placedRows, type ReplyStyle } from '../rows/placed-order.ts'
import { refusalOf } from './engine-refusal.ts'
import { draftList, type OrderDraft } from './order-draft.ts'
import {
  type ListShape,
  ocoShape,
  oldOcoShape,
  opocoShape,
  opoShape,
  otocoShape,
  otoShape,
} from './order-list-legs.ts'
import { ownerOf, placementFault } from './owner.ts'
import { refuse, replyStyle } from './place-order.ts'

type Place = (request: Request, context: Context, responder: Responder) => void

const placing =
  (kind: OrderListKind, shape: ListShape): Place =>
  (request, context, responder) => {
    const asked = shape(request.params)
    const legs = asked instanceof Fault ? asked : draftList(kind, asked, request, context)
    const fault = legs instanceof Fault ? legs : placementFault(ownerOf(request), legs[0]!.spec)
    if (legs instanceof Fault || fault !== undefined) refuse(responder, fault as Fault)
    else send(kind, legs, request, context, responder)
  }

export const placeOldOco = placing(OrderListKind.OCO, oldOcoShape)
export const placeOco = placing(OrderListKind.OCO, ocoShape)
export const placeOto = placing(OrderListKind.OTO, otoShape)
export const placeOtoco = placing(OrderListKind.OTOCO, otocoShape)
export const placeOpo = placing(OrderListKind.OPO, opoShape)
export const placeOpoco = placing(OrderListKind.OPOCO, opocoShape)

function send(
  kind: OrderListKind,
  legs: readonly OrderDraft[],
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const { spec } = legs[0]!
  const slot = context.command(spec.id, PlaceOrderList.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { params } = request
  const { buffer } = slot
  PlaceOrderList.setAccount(buffer, slot.at, ownerOf(request).id)
  PlaceOrderList.setKind(buffer, slot.at, kind)
  PlaceOrderList.setExpiresMs(buffer, slot.at, request.expiresMs)
  const listId = params.text(RareParam.listClientOrderId) ?? context.newClientOrderId()
  packClientOrderId(listId, buffer.i32, PlaceOrderList.listClientOrderIdAt(slot.at))
  const style = replyStyle(request, context, spec, NewOrderRespType.FULL)
  const orders = legs.map((order, index) => {
    const id = order.clientOrderId ?? context.newClientOrderId()
    const terms = withSession(order.terms, request.session)
    writeLeg(slot, index, { ...order, terms }, id)
    return new PlacedOrder(style, id)
  })
  for (let leg = legs.length; leg < LEGS_MAX; leg++) PlaceOrderList.clearLeg(buffer, slot.at, leg)
  const collector = new PlacingList(style, orders, responder)
  slot.submit(PlaceOrderList.type, PlaceOrderList.bytes, collector, request.charge)
}

function writeLeg({ buffer, at }: CommandSlot, leg: number, order: OrderDraft, id: string): void {
  PlaceOrderList.setLegTerms(buffer, at, leg, order.terms)
  PlaceOrderList.setLegSpare(buffer, at, leg, 0)
  PlaceOrderList.setLegPriceTicks(buffer, at, leg, order.priceTicks)
  PlaceOrderList.setLegLots(buffer, at, leg, order.lots)
  packClientOrderId(id, buffer.i32, PlaceOrderList.legClientOrderIdAt(at, leg))
  ExtrasBlock.write(buffer, PlaceOrderList.legExtrasBlockAt(at, leg), order.extras)
}

class PlacingList implements Collector {
  private readonly style: ReplyStyle
  private readonly orders: readonly PlacedOrder[]
  private readonly responder: Responder
  /** Legs accepted so far, in order. */
  private accepted = 0
  private list: ListState | undefined = undefined
  private rejectReason = 0

  constructor(style: ReplyStyle, orders: readonly PlacedOrder[], responder: Responder) {
    this.style = style
    this.orders = orders
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === OrderListRejected.type) {
      this.rejectReason = OrderListRejected.reason(buffer, at)
    } else if (type === Rejected.type) this.rejectReason = Rejected.reason(buffer, at)
    else if (type === OrderListChanged.type) this.listChanged(buffer, at)
    else if (this.accepted < this.orders.length) {
      if (type === OrderAccepted.type) this.orders[this.accepted++]!.add(buffer, at)
    } else for (const order of this.orders) order.add(buffer, at)
  }

  done(): void {
    if (this.rejectReason !== 0) {
      refuse(this.responder, refusalOf(this.style.spec, this.rejectReason))
      return
    }
    const style = this.style
    const row = { ...this.list!, orderReports: placedRows(style, this.orders) }
    this.responder.reply(new Rows(placedOrderList, row, style))
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }

  /** Lists of makers may change in the same execution. */
  private listChanged(buffer: RecordBuffer, at: number): void {
    const list = listStateOf(buffer, at)
    if (list.orderListId === this.orders[0]!.details?.orderListId) this.list = list
  }
}
