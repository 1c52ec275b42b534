/** Lowering an open order's quantity, which keeps its priority (faqs/order_amend_keep_priority.md). */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { type Lots, OrderId, OrderListId } from '../../base/units.ts'
import { AmendOrder, Rejected } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'
import type { Params } from '../params.ts'
import { AmendedOrder } from '../rows/amended-order.ts'
import { amendRefusalOf } from './engine-refusal.ts'
import { lotsOf } from './order-filters.ts'
import { ownerOf } from './owner.ts'
import { refuse } from './place-order.ts'

export function amendOrder(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  const lots = spec === undefined ? new Fault('INVALID_SYMBOL') : amendableLots(request, spec)
  if (spec === undefined || lots instanceof Fault) {
    refuse(responder, lots as Fault)
    return
  }
  const slot = context.command(spec.id, AmendOrder.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const orderId = params.unit(Param.orderId, OrderId)
  const origClientOrderId = params.text(Param.origClientOrderId) ?? ''
  const clientOrderId = params.text(Param.newClientOrderId) ?? context.newClientOrderId()
  const { buffer } = slot
  AmendOrder.setAccount(buffer, slot.at, ownerOf(request).id)
  AmendOrder.setSpare(buffer, slot.at, 0)
  AmendOrder.setOrderId(buffer, slot.at, orderId ?? OrderId(0))
  AmendOrder.setLots(buffer, slot.at, lots)
  AmendOrder.setExpiresMs(buffer, slot.at, request.expiresMs)
  packClientOrderId(origClientOrderId, buffer.i32, AmendOrder.origClientOrderIdAt(slot.at))
  packClientOrderId(clientOrderId, buffer.i32, AmendOrder.clientOrderIdAt(slot.at))
  const isAskedFor = (id: number, clientId: string) =>
    orderId === undefined ? clientId === origClientOrderId : id === orderId
  const amended = new AmendedOrder({ spec, microseconds: request.microseconds }, isAskedFor)
  const addList = async (orderListId: OrderListId) => {
    const list = await context.history.orderList({ account: ownerOf(request).id, orderListId })
    if (list !== undefined) amended.setList(list)
  }
  slot.submit(
    AmendOrder.type,
    AmendOrder.bytes,
    new Amending(spec, amended, addList, responder),
    request.charge,
  )
}

/** The new quantity in lots, or why it is refused. */
function amendableLots(request: Request, spec: SymbolSpec): Lots | Fault {
  const { params } = request
  const lots = lotsOfQuantity(spec, params)
  if (lots instanceof Fault) return lots
  if (!spec.features.amend) return new Fault('AMEND_NOT_SUPPORTED')
  if (ownerOf(request).frozen) return new Fault('AMEND_FROZEN')
  // Ids count from 1, and a command's 0 stands for none.
  return params.unit(Param.orderId, OrderId) === 0 ? new Fault('AMEND_UNKNOWN_ORDER') : lots
}

function lotsOfQuantity(spec: SymbolSpec, params: Params): Lots | Fault {
  const units = params.units(RareParam.newQty)!
  return units === 0 ? new Fault('INVALID_QUANTITY') : lotsOf(spec, units, false, RareParam.newQty)
}

class Amending implements Collector {
  private readonly spec: SymbolSpec
  private readonly amended: AmendedOrder
  private readonly addList: (orderListId: OrderListId) => Promise<void>
  private readonly responder: Responder
  private rejectReason = 0

  /** `addList`: gives the answer the list that its events do not contain. */
  constructor(
    spec: SymbolSpec,
    amended: AmendedOrder,
    addList: (orderListId: OrderListId) => Promise<void>,
    responder: Responder,
  ) {
    this.spec = spec
    this.amended = amended
    this.addList = addList
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Rejected.type) {
      this.rejectReason = Rejected.reason(buffer, at)
    } else this.amended.add(buffer, at)
  }

  done(): void {
    if (this.rejectReason !== 0) {
      refuse(this.responder, amendRefusalOf(this.spec, this.rejectReason))
      return
    }
    const listId = this.amended.missingListId
    if (listId < 0) this.reply()
    // The order is amended whether or not the archive has its list.
    else this.addList(OrderListId(listId)).then(this.reply, this.reply)
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }

  private readonly reply = (): void => this.responder.reply(this.amended.answer())
}
