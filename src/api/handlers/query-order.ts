/**
 * Orders as they stand. Open ones are asked of the engine by a command that leaves no event, so that
 * the answer is never behind; closed ones of the archive (spec, General rules 6).
 */
import { packClientOrderId } from '#base/client-order-id.ts'
import { OrderStatus, RejectReason } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import { type RecordBuffer, recordType } from '#layout/record-buffer.ts'
import { OrderState, QueryOpenOrders, QueryOrder, Rejected } from '#layout/records.gen.ts'
import type { Collector, Context, OrderRow, Request, Responder } from '../context.ts'
import { type ErrorId, errorOfReject } from '../errors.ts'
import { Param } from '../parameters.ts'
import { orderRecord, rowOfOrderState } from '../render/order-record.ts'
import { ownerOf } from './owner.ts'

/** Orders that never traded are put away after this long (supplement 1, Condition of 2026). */
export const ARCHIVED_AFTER_MS = 90 * 24 * 60 * 60 * 1000

interface OrderQuestion {
  readonly spec: SymbolSpec
  readonly account: number
  readonly orderId: number | undefined
  readonly clientOrderId: string | undefined
}

export function queryOrder(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const question: OrderQuestion = {
    spec,
    account: ownerOf(request).id,
    orderId: params.number(Param.orderId),
    clientOrderId: params.text(Param.origClientOrderId),
  }
  // Ids count from 1, and a command's 0 stands for none.
  if (question.orderId === 0) {
    responder.error('NO_SUCH_ORDER')
    return
  }
  const slot = context.command(spec.id)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { i32, f64 } = slot.buffer
  const word = slot.at >> 2
  i32[word + QueryOrder.account] = question.account
  i32[word + QueryOrder.spare] = 0
  f64[(slot.at >> 3) + QueryOrder.orderId] = question.orderId ?? 0
  // With both ids the order is looked for by its own; whether the other agrees is judged after.
  const soughtText = question.orderId === undefined ? question.clientOrderId : ''
  packClientOrderId(soughtText as string, i32, word + QueryOrder.clientOrderId)
  slot.submit(
    QueryOrder.type,
    QueryOrder.bytes,
    new QueriedOrder(question, request, context, responder),
  )
}

class QueriedOrder implements Collector {
  readonly #question: OrderQuestion
  readonly #request: Request
  readonly #context: Context
  readonly #responder: Responder
  #row: OrderRow | undefined
  #rejectReason = 0

  constructor(question: OrderQuestion, request: Request, context: Context, responder: Responder) {
    this.#question = question
    this.#request = request
    this.#context = context
    this.#responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === OrderState.type) this.#row = rowOfOrderState(buffer, at)
    if (type === Rejected.type) this.#rejectReason = buffer.i32[(at >> 2) + Rejected.reason]!
  }

  done(): void {
    if (this.#row !== undefined) {
      if (this.#goesBy(this.#row)) this.#answer(this.#row)
      else this.#responder.error('CLIENT_ORDER_ID_MISMATCH')
    } else if (this.#rejectReason !== RejectReason.NO_SUCH_ORDER) {
      this.#responder.error(errorOfReject(this.#rejectReason))
    } else {
      this.#askArchive().then(
        (found) => {
          if (typeof found === 'string') this.#responder.error(found)
          else this.#answer(found)
        },
        () => this.#responder.error('TIMEOUT'),
      )
    }
  }

  failed(id: ErrorId): void {
    this.#responder.error(id)
  }

  #answer(row: OrderRow): void {
    this.#responder.reply(orderRecord(this.#question.spec, row, this.#request.microseconds))
  }

  #goesBy(row: OrderRow): boolean {
    const { clientOrderId } = this.#question
    return clientOrderId === undefined || clientOrderId === row.clientOrderId
  }

  async #askArchive(): Promise<OrderRow | ErrorId> {
    const { spec, account, orderId, clientOrderId } = this.#question
    const { history } = this.#context
    const of = { account, symbolId: spec.id }
    const sought = orderId === undefined ? { clientOrderId: clientOrderId as string } : { orderId }
    const row = await history.order({ ...of, ...sought })
    if (row === undefined) return 'NO_SUCH_ORDER'
    if (orderId !== undefined && clientOrderId !== undefined && !this.#goesBy(row)) {
      // A canceled order goes by its cancel's id, but is still found by the one it had before.
      const namesake = await history.order({ ...of, clientOrderId })
      if (namesake?.orderId !== orderId) return 'CLIENT_ORDER_ID_MISMATCH'
    }
    return isArchived(row, this.#request.nowMs) ? 'ORDER_ARCHIVED' : row
  }
}

function isArchived(row: OrderRow, nowMs: number): boolean {
  const { CANCELED, EXPIRED, EXPIRED_IN_MATCH } = OrderStatus
  const ended = row.status === CANCELED || row.status === EXPIRED || row.status === EXPIRED_IN_MATCH
  return ended && row.filledLots === 0 && nowMs - row.updatedMs > ARCHIVED_AFTER_MS
}

/** Of one symbol, or of all: each symbol's matcher is asked, and the answers are joined in order. */
export function openOrders(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(Param.symbol)
  const only = name === undefined ? undefined : context.symbolNamed(name)
  if (name !== undefined && only === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const symbols = only === undefined ? context.symbols : [only]
  const answer = new OpenOrders(symbols.length, responder)
  const account = ownerOf(request).id
  symbols.forEach((spec, place) => {
    const slot = answer.failing ? undefined : context.command(spec.id)
    if (slot === undefined) {
      answer.fail('SERVER_BUSY')
      return
    }
    const word = slot.at >> 2
    slot.buffer.i32[word + QueryOpenOrders.account] = account
    slot.buffer.i32[word + QueryOpenOrders.spare] = 0
    slot.submit(
      QueryOpenOrders.type,
      QueryOpenOrders.bytes,
      new OpenOrdersOfSymbol(spec, place, request.microseconds, answer),
    )
  })
  answer.allAsked()
}

/** Waits for every symbol's part, and answers once: with all of them, or with the first failure. */
class OpenOrders {
  readonly #parts: string[]
  readonly #responder: Responder
  #awaited: number
  #failed = false

  constructor(symbolCount: number, responder: Responder) {
    this.#parts = new Array<string>(symbolCount).fill('')
    this.#awaited = symbolCount
    this.#responder = responder
  }

  get failing(): boolean {
    return this.#failed
  }

  /** An exchange without symbols has nobody to wait for. */
  allAsked(): void {
    if (this.#parts.length === 0) this.#responder.reply('[]')
  }

  part(place: number, records: string): void {
    this.#parts[place] = records
    this.#awaited--
    if (this.#awaited === 0 && !this.#failed) {
      this.#responder.reply(`[${this.#parts.filter((part) => part !== '').join()}]`)
    }
  }

  fail(id: ErrorId): void {
    if (this.#failed) return
    this.#failed = true
    this.#responder.error(id)
  }
}

class OpenOrdersOfSymbol implements Collector {
  readonly #spec: SymbolSpec
  readonly #place: number
  readonly #microseconds: boolean
  readonly #answer: OpenOrders
  #records = ''

  constructor(spec: SymbolSpec, place: number, microseconds: boolean, answer: OpenOrders) {
    this.#spec = spec
    this.#place = place
    this.#microseconds = microseconds
    this.#answer = answer
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) !== OrderState.type) return
    if (this.#records !== '') this.#records += ','
    this.#records += orderRecord(this.#spec, rowOfOrderState(buffer, at), this.#microseconds)
  }

  done(): void {
    this.#answer.part(this.#place, this.#records)
  }

  failed(id: ErrorId): void {
    this.#answer.fail(id)
  }
}
