/** Placing and testing orders (supplement 2a.1, 2a.2). */
import { packClientOrderId } from '#base/client-order-id.ts'
import { RejectReason, Side, sideOf } from '#base/codes.ts'
import type { AccountSpec, SymbolSpec } from '#base/listing.ts'
import { type RecordBuffer, recordType } from '#layout/record-buffer.ts'
import { PlaceOrder, Rejected } from '#layout/records.gen.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import { type ErrorId, errorOfReject, Fault } from '../errors.ts'
import { Param } from '../parameters.ts'
import { orderCommissions } from '../render/commission.ts'
import { OrderReply } from '../render/order-reply.ts'
import { notionalFilterName } from './filters.ts'
import { draftOrder, type OrderDraft } from './order-draft.ts'
import { ownerOf } from './owner.ts'

export function placeOrder(request: Request, context: Context, responder: Responder): void {
  const account = ownerOf(request)
  const draft = draftOrder(request.params, context, request.nowMs)
  if (draft instanceof Fault) {
    responder.error(draft.id, draft.detail)
    return
  }
  const slot = context.command(draft.spec.id)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const clientOrderId = request.params.text(Param.newClientOrderId) ?? context.newClientOrderId()
  writePlaceOrder(slot.buffer, slot.at, draft, account.id, request.expiresMs, clientOrderId)
  const reply = new OrderReply(
    draft.spec,
    clientOrderId,
    draft.form,
    account.tradeGroupId,
    request.microseconds,
  )
  slot.submit(PlaceOrder.type, PlaceOrder.bytes, new PlacedOrder(draft.spec, reply, responder))
}

/** Runs the same checks and sends nothing to the engine. */
export function testOrder(request: Request, context: Context, responder: Responder): void {
  const draft = draftOrder(request.params, context, request.nowMs)
  if (draft instanceof Fault) responder.error(draft.id, draft.detail)
  else if (!request.params.flag(Param.computeCommissionRates, false)) responder.reply('{}')
  else {
    const isBuyer = sideOf(draft.terms) === Side.BUY
    responder.reply(orderCommissions(context, draft.spec, ownerOf(request), isBuyer))
  }
}

/** The generated writer takes a record object; this one is on the hot path and makes none. */
function writePlaceOrder(
  { i32, f64 }: RecordBuffer,
  at: number,
  draft: OrderDraft,
  account: AccountSpec['id'],
  expiresMs: number,
  clientOrderId: string,
): void {
  const word = at >> 2
  const double = at >> 3
  i32[word + PlaceOrder.account] = account
  i32[word + PlaceOrder.terms] = draft.terms
  f64[double + PlaceOrder.priceTicks] = draft.priceTicks
  f64[double + PlaceOrder.lots] = draft.lots
  f64[double + PlaceOrder.quoteAtoms] = draft.quoteAtoms
  f64[double + PlaceOrder.expiresMs] = expiresMs
  packClientOrderId(clientOrderId, i32, word + PlaceOrder.clientOrderId)
}

class PlacedOrder implements Collector {
  readonly #spec: SymbolSpec
  readonly #reply: OrderReply
  readonly #responder: Responder
  #rejectReason = 0

  constructor(spec: SymbolSpec, reply: OrderReply, responder: Responder) {
    this.#spec = spec
    this.#reply = reply
    this.#responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Rejected.type) {
      this.#rejectReason = buffer.i32[(at >> 2) + Rejected.reason]!
    } else this.#reply.add(buffer, at)
  }

  done(): void {
    if (this.#rejectReason === 0) this.#responder.reply(this.#reply.text())
    else {
      this.#responder.error(
        errorOfReject(this.#rejectReason),
        rejectDetail(this.#spec, this.#rejectReason),
      )
    }
  }

  failed(id: ErrorId): void {
    this.#responder.error(id)
  }
}

/** The filter's name, for the filters that only the engine can judge. */
function rejectDetail(spec: SymbolSpec, reason: number): readonly string[] {
  if (reason === RejectReason.MARKET_QUANTITY_TOO_LARGE) return ['MARKET_LOT_SIZE']
  const ofNotional =
    reason === RejectReason.NOTIONAL_TOO_LARGE || reason === RejectReason.MARKET_NOTIONAL_TOO_SMALL
  return ofNotional ? [notionalFilterName(spec)] : []
}
