/**
 * The open orders of one symbol, or of all: each symbol's matcher is queried page by page, and the answers
 * are joined, oldest order first. An order that is open from the first page of
 * its symbol to the last is in the answer exactly once.
 */

import { type AccountId, OrderId } from '../../base/units.ts'
import { QueryEnd, QueryOpenOrders, Rejected } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import { openOrder } from '../answers/orders.ts'
import type {
  BulkQuery,
  BulkQueryPermit,
  Collector,
  Context,
  Request,
  Responder,
} from '../context.ts'
import { type ErrorId, errorOfReject } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { Param } from '../parameters.ts'
import type { ViewedOrder } from '../rows/viewed-order.ts'
import { OpenRows, wasPrevented, withPreventedMatch } from './open-rows.ts'
import { ownerOf } from './owner.ts'

/** Orders on a page: 60 KiB of the reply ring, if all are detailed. */
export const PAGE_ORDERS = 256
/** Symbols that one request queries at once. */
export const SYMBOLS_AT_ONCE = 4

export function openOrders(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(Param.symbol)
  const only = name === undefined ? undefined : context.symbolNamed(name)
  if (name !== undefined && only === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const symbols = only === undefined ? [...context.symbols] : [only]
  context.runBulkQuery(new OpenOrders(symbols, ownerOf(request).id, request, context, responder))
}

/** Queries the symbols and responds once: with all orders, or with the first failure. */
class OpenOrders implements BulkQuery {
  readonly account: AccountId
  readonly context: Context
  private readonly symbols: readonly SymbolSpec[]
  private readonly responder: Responder
  private readonly microseconds: boolean
  private readonly parts: ViewedOrder[][] = []
  /** Symbols that were queried, and those of them that have not answered in full. */
  private begun = 0
  private awaited = 0
  /** Awaited symbols that found no room for their next page: they wait for another one to answer. */
  private parked: OpenOrdersOfSymbol[] = []
  private hasFailed = false
  private isOver = false
  private permit!: BulkQueryPermit

  constructor(
    symbols: readonly SymbolSpec[],
    account: AccountId,
    request: Request,
    context: Context,
    responder: Responder,
  ) {
    this.symbols = symbols
    this.account = account
    this.microseconds = request.microseconds
    this.context = context
    this.responder = responder
  }

  begin(permit: BulkQueryPermit): void {
    this.permit = permit
    this.goOn()
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }

  isReading(): boolean {
    return this.responder.isReading()
  }

  /** Takes room for the rows of a page; false when the answer has failed. */
  hold(rows: number): boolean {
    if (!this.hasFailed && !this.permit.hold(rows)) this.fail('SERVER_BUSY')
    return !this.hasFailed
  }

  /** A symbol has answered in full, unless it failed. */
  answered(index: number, orders: ViewedOrder[], failure?: ErrorId): void {
    this.parts[index] = orders
    this.awaited--
    if (failure !== undefined) this.fail(failure)
    const parked = this.parked
    this.parked = []
    for (const symbol of parked) symbol.ask()
    this.goOn()
  }

  /** A symbol found no room for its next page. Returns false when no other one makes room. */
  park(symbol: OpenOrdersOfSymbol): boolean {
    if (this.awaited - this.parked.length <= 1) return false
    this.parked.push(symbol)
    return true
  }

  private goOn(): void {
    const symbols = this.symbols
    while (!this.hasFailed && this.awaited < SYMBOLS_AT_ONCE && this.begun < symbols.length) {
      const index = this.begun++
      this.awaited++
      new OpenOrdersOfSymbol(symbols[index]!, index, this).ask()
    }
    if (this.awaited > 0 || this.isOver) return
    this.isOver = true
    if (!this.hasFailed) this.reply()
    this.permit.end()
  }

  private reply(): void {
    const all = this.parts.flat().sort((a, b) => a.createdMs - b.createdMs)
    this.responder.reply(new Rows(openOrder, all, { microseconds: this.microseconds }))
  }

  private fail(id: ErrorId): void {
    if (this.hasFailed) return
    this.hasFailed = true
    this.responder.error(id)
  }
}

/** The pages of one symbol. */
class OpenOrdersOfSymbol implements Collector {
  private readonly spec: SymbolSpec
  private readonly index: number
  private readonly answer: OpenOrders
  private readonly orders: ViewedOrder[] = []
  private page: OpenRows
  private refusal: ErrorId | undefined = undefined
  private isWhole = false
  private afterOrderId = 0
  private untilOrderId = 0

  constructor(spec: SymbolSpec, index: number, answer: OpenOrders) {
    this.spec = spec
    this.page = new OpenRows(spec)
    this.index = index
    this.answer = answer
  }

  /** Queries the next page. */
  ask(): void {
    const { context, account } = this.answer
    const slot = context.query(this.spec.id)
    if (slot === undefined) {
      if (!this.answer.park(this)) this.failed('SERVER_BUSY')
      return
    }
    const { buffer } = slot
    QueryOpenOrders.setAccount(buffer, slot.at, account)
    QueryOpenOrders.setLimit(buffer, slot.at, PAGE_ORDERS)
    QueryOpenOrders.setAfterOrderId(buffer, slot.at, OrderId(this.afterOrderId))
    QueryOpenOrders.setUntilOrderId(buffer, slot.at, OrderId(this.untilOrderId))
    slot.submit(QueryOpenOrders.type, QueryOpenOrders.bytes, this, undefined)
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) {
      this.refusal = errorOfReject(Rejected.reason(buffer, at))
    } else if (type === QueryEnd.type) {
      this.isWhole = QueryEnd.isWhole(buffer, at) === 1
      this.untilOrderId = QueryEnd.untilOrderId(buffer, at)
    } else this.page.add(buffer, at)
  }

  done(): void {
    const { rows } = this.page
    this.page = new OpenRows(this.spec)
    if (this.refusal !== undefined || !this.answer.hold(rows.length)) this.end(this.refusal)
    else if (rows.some(wasPrevented)) void this.completeRows(rows)
    else this.takePage(rows)
  }

  failed(id: ErrorId): void {
    this.end(id)
  }

  private async completeRows(rows: readonly ViewedOrder[]): Promise<void> {
    const { history } = this.answer.context
    let complete: readonly ViewedOrder[]
    try {
      complete = await Promise.all(rows.map((row) => withPreventedMatch(row, history)))
    } catch (failure) {
      this.end(historyError(failure))
      return
    }
    this.takePage(complete)
  }

  private takePage(rows: readonly ViewedOrder[]): void {
    this.orders.push(...rows)
    this.afterOrderId = rows.at(-1)?.orderId ?? this.afterOrderId
    if (this.isWhole) this.end()
    else this.ask()
  }

  private end(failure?: ErrorId): void {
    this.answer.answered(this.index, this.orders, failure)
  }
}
