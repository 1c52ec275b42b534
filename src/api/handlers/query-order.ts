/**
 * An order as it stands. An open one is read from the engine by a command that leaves no event, so that
 * the answer is never behind; a closed one of the archive.
 */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { OrderStatus, RejectReason } from '../../base/codes.ts'
import { type AccountId, type Ms, OrderId } from '../../base/units.ts'
import type { OrderRow } from '../../history/account-history.ts'
import { QueryOrder, Rejected } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import { order } from '../answers/orders.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import { type ErrorId, errorOfReject } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { Param } from '../parameters.ts'
import type { ViewedOrder } from '../rows/viewed-order.ts'
import { OpenRows, wasPrevented, withPreventedMatch } from './open-rows.ts'
import { ownerOf } from './owner.ts'

/** Orders that never traded are put away after this long (errors.md, -2026). */
export const ARCHIVED_AFTER_MS = 90 * 24 * 60 * 60 * 1000

interface SoughtOrder {
  readonly spec: SymbolSpec
  readonly account: AccountId
  readonly orderId: OrderId | undefined
  readonly clientOrderId: string | undefined
}

export function queryOrder(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const query: SoughtOrder = {
    spec,
    account: ownerOf(request).id,
    orderId: params.unit(Param.orderId, OrderId),
    clientOrderId: params.text(Param.origClientOrderId),
  }
  // Ids count from 1, and a command's 0 stands for none.
  if (query.orderId === 0) {
    responder.error('NO_SUCH_ORDER')
    return
  }
  const slot = context.query(spec.id)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer } = slot
  QueryOrder.setAccount(buffer, slot.at, query.account)
  QueryOrder.setSpare(buffer, slot.at, 0)
  QueryOrder.setOrderId(buffer, slot.at, query.orderId ?? OrderId(0))
  // With both ids the order is looked for by its own; whether the other agrees is judged after.
  const soughtText = query.orderId === undefined ? query.clientOrderId : ''
  packClientOrderId(soughtText as string, buffer.i32, QueryOrder.clientOrderIdAt(slot.at))
  slot.submit(
    QueryOrder.type,
    QueryOrder.bytes,
    new QueriedOrder(query, request, context, responder),
    undefined,
  )
}

class QueriedOrder implements Collector {
  private readonly query: SoughtOrder
  private readonly request: Request
  private readonly context: Context
  private readonly responder: Responder
  private readonly open: OpenRows
  private rejectReason = 0

  constructor(query: SoughtOrder, request: Request, context: Context, responder: Responder) {
    this.query = query
    this.open = new OpenRows(query.spec)
    this.request = request
    this.context = context
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Rejected.type) {
      this.rejectReason = Rejected.reason(buffer, at)
    } else this.open.add(buffer, at)
  }

  done(): void {
    const [row] = this.open.rows
    if (row !== undefined) {
      if (this.goesBy(row)) this.answerOpen(row)
      else this.responder.error('CLIENT_ORDER_ID_MISMATCH')
    } else if (this.rejectReason !== RejectReason.NO_SUCH_ORDER) {
      this.responder.error(errorOfReject(this.rejectReason))
    } else {
      this.askArchive().then(
        (found) => {
          if (typeof found === 'string') this.responder.error(found)
          else this.answer(found)
        },
        (failure: unknown) => this.responder.error(historyError(failure)),
      )
    }
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }

  private answerOpen(row: ViewedOrder): void {
    if (!wasPrevented(row)) {
      this.answer(row)
      return
    }
    withPreventedMatch(row, this.context.history).then(
      (complete) => this.answer(complete),
      (failure: unknown) => this.responder.error(historyError(failure)),
    )
  }

  private answer(row: OrderRow): void {
    const { spec } = this.query
    const { microseconds } = this.request
    this.responder.reply(new Rows(order, row, { spec, microseconds }))
  }

  private goesBy(row: OrderRow): boolean {
    const { clientOrderId } = this.query
    return clientOrderId === undefined || clientOrderId === row.clientOrderId
  }

  private async askArchive(): Promise<OrderRow | ErrorId> {
    const { spec, account, orderId, clientOrderId } = this.query
    const { history } = this.context
    const of = { account, symbolId: spec.id }
    const sought = orderId === undefined ? { clientOrderId: clientOrderId as string } : { orderId }
    const row = await history.order({ ...of, ...sought })
    if (row === undefined) return 'NO_SUCH_ORDER'
    if (orderId !== undefined && clientOrderId !== undefined && !this.goesBy(row)) {
      // A canceled order goes by its cancel's id, but is still found by the one it had before.
      const same = await history.order({ ...of, orderId, clientOrderId })
      if (same === undefined) return 'CLIENT_ORDER_ID_MISMATCH'
    }
    return isArchived(row, this.request.nowMs) ? 'ORDER_ARCHIVED' : row
  }
}

function isArchived(row: OrderRow, nowMs: Ms): boolean {
  const { CANCELED, EXPIRED, EXPIRED_IN_MATCH } = OrderStatus
  const ended = row.status === CANCELED || row.status === EXPIRED || row.status === EXPIRED_IN_MATCH
  return ended && row.filledLots === 0 && nowMs - row.updatedMs > ARCHIVED_AFTER_MS
}
