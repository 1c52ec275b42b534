/**
 * The open orders of one symbol, or of all: each symbol's matcher is asked, and the answers are joined,
 * oldest order first (spec, General rules 3).
 */

import type { OrderRow } from '#base/account-history.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import { QueryOpenOrders } from '#layout/records.gen.ts'
import type {
  Collector,
  CommandSlot,
  Context,
  HistoryQueries,
  Request,
  Responder,
} from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { Param } from '../parameters.ts'
import { orderRecord } from '../render/order-record.ts'
import { OpenRows, wasPrevented, withPreventedMatch } from './open-rows.ts'
import { ownerOf } from './owner.ts'

/** Parts of one query that are awaited together. */
const SYMBOLS_AT_ONCE = 8

export function openOrders(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(Param.symbol)
  const only = name === undefined ? undefined : context.symbolNamed(name)
  if (name !== undefined && only === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const symbols = only === undefined ? context.symbols : [only]
  new OpenOrders(symbols, request, context, responder).ask()
}

interface Told {
  readonly createdMs: number
  readonly record: string
}

/**
 * Asks for every symbol's part, a few at a time, so that one query never takes the room of all queries.
 * Answers once: with all parts, or with the first failure.
 */
class OpenOrders {
  readonly #symbols: readonly SymbolSpec[]
  readonly #request: Request
  readonly #context: Context
  readonly #responder: Responder
  readonly #account: number
  readonly #parts: (readonly Told[])[]
  #asked = 0
  #answered = 0
  #failed = false

  constructor(
    symbols: readonly SymbolSpec[],
    request: Request,
    context: Context,
    responder: Responder,
  ) {
    // A symbol that is listed while parts are awaited is not asked for.
    this.#symbols = [...symbols]
    this.#request = request
    this.#context = context
    this.#responder = responder
    this.#account = ownerOf(request).id
    this.#parts = new Array<readonly Told[]>(symbols.length).fill([])
  }

  /** Asks for the next parts. Without room it waits for its own parts, and fails if it has none. */
  ask(): void {
    while (this.#asked < this.#symbols.length && this.#waiting < SYMBOLS_AT_ONCE) {
      const slot = this.#context.query(this.#symbols[this.#asked]!.id)
      if (slot === undefined) {
        if (this.#waiting === 0) this.fail('SERVER_BUSY')
        return
      }
      this.#submit(slot, this.#asked++)
    }
    if (this.#symbols.length === 0) this.#responder.reply('[]')
  }

  part(place: number, orders: readonly Told[]): void {
    this.#parts[place] = orders
    this.#answered++
    if (this.#failed) return
    if (this.#answered < this.#symbols.length) {
      this.ask()
      return
    }
    const all = this.#parts.flat().sort((a, b) => a.createdMs - b.createdMs)
    this.#responder.reply(`[${all.map(({ record }) => record).join()}]`)
  }

  fail(id: ErrorId): void {
    if (this.#failed) return
    this.#failed = true
    this.#responder.error(id)
  }

  get #waiting(): number {
    return this.#asked - this.#answered
  }

  #submit(slot: CommandSlot, place: number): void {
    const word = slot.at >> 2
    slot.buffer.i32[word + QueryOpenOrders.account] = this.#account
    slot.buffer.i32[word + QueryOpenOrders.spare] = 0
    const spec = this.#symbols[place]!
    const { microseconds } = this.#request
    slot.submit(
      QueryOpenOrders.type,
      QueryOpenOrders.bytes,
      new OpenOrdersOfSymbol(spec, place, microseconds, this.#context.history, this),
    )
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
