/**
 * The open orders of one symbol, or of all: each symbol's matcher is asked, and the answers are joined,
 * oldest order first (spec, General rules 3).
 */

import type { OrderRow } from '#base/account-history.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import { QueryOpenOrders } from '#layout/records.gen.ts'
import type { Collector, Context, HistoryQueries, Request, Responder } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { Param } from '../parameters.ts'
import { orderRecord } from '../render/order-record.ts'
import { OpenRows, wasPrevented, withPreventedMatch } from './open-rows.ts'
import { ownerOf } from './owner.ts'

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
      new OpenOrdersOfSymbol(spec, place, request.microseconds, context.history, answer),
    )
  })
  answer.allAsked()
}

interface Told {
  readonly createdMs: number
  readonly record: string
}

/** Waits for every symbol's part, and answers once: with all of them, or with the first failure. */
class OpenOrders {
  readonly #parts: (readonly Told[])[]
  readonly #responder: Responder
  #awaited: number
  #failed = false

  constructor(symbolCount: number, responder: Responder) {
    this.#parts = new Array<readonly Told[]>(symbolCount).fill([])
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

  part(place: number, orders: readonly Told[]): void {
    this.#parts[place] = orders
    this.#awaited--
    if (this.#awaited > 0 || this.#failed) return
    const all = this.#parts.flat().sort((a, b) => a.createdMs - b.createdMs)
    this.#responder.reply(`[${all.map(({ record }) => record).join()}]`)
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
  readonly #history: HistoryQueries
  readonly #answer: OpenOrders
  readonly #open = new OpenRows()

  constructor(
    spec: SymbolSpec,
    place: number,
    microseconds: boolean,
    history: HistoryQueries,
    answer: OpenOrders,
  ) {
    this.#spec = spec
    this.#place = place
    this.#microseconds = microseconds
    this.#history = history
    this.#answer = answer
  }

  record(buffer: RecordBuffer, at: number): void {
    this.#open.add(buffer, at)
  }

  done(): void {
    if (this.#open.rows.some(wasPrevented)) void this.#completeRows()
    else this.#answerRows(this.#open.rows)
  }

  failed(id: ErrorId): void {
    this.#answer.fail(id)
  }

  async #completeRows(): Promise<void> {
    try {
      const { rows } = this.#open
      const complete = rows.map((row) => withPreventedMatch(row, this.#spec, this.#history))
      this.#answerRows(await Promise.all(complete))
    } catch (failure) {
      this.#answer.fail(historyError(failure))
    }
  }

  #answerRows(rows: readonly OrderRow[]): void {
    const orders = rows.map((row) => ({
      createdMs: row.createdMs,
      record: orderRecord(this.#spec, row, this.#microseconds),
    }))
    this.#answer.part(this.#place, orders)
  }
}
