/**
 * Responds to operators' questions from what one gateway has: open orders by a query of the matcher, client
 * operations for an account, and the gateway's connections. Runs on the gateway's thread; limits of
 * clients do not apply.
 */
import { checkParams, checkSyntax } from '../api/check.ts'
import type { Collector, Context, Request, Responder } from '../api/context.ts'
import { type ErrorId, errorBody, errorOfReject, Fault } from '../api/errors.ts'
import { OpenRows, withPreventedMatch } from '../api/handlers/open-rows.ts'
import { operations } from '../api/operations/index.ts'
import { RawParams } from '../api/params.ts'
import { textOf } from '../api/render/json-bytes.ts'
import { orderRecord } from '../api/render/order-record.ts'
import { type Clock, elapsedMs } from '../base/clock.ts'
import { Ms, OrderId } from '../base/units.ts'
import { QueryEnd, QueryOpenOrders, Rejected } from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../layout/record-buffer.ts'
import type { AccountSpec } from '../market/listing.ts'
import type {
  OpenOrdersQuestion,
  OperationQuestion,
  Question,
  QuestionAnswer,
  SessionRow,
  SessionsQuestion,
} from '../market/question.ts'
import { type Connection, Ending } from './websocket/connection.ts'

export interface AnswerParts {
  readonly context: Context
  readonly clock: Clock
  readonly accountOf: (id: number) => AccountSpec | undefined
  /** In the order of their numbers. */
  readonly connections: () => Iterable<Connection>
}

export class OperatorAnswers {
  readonly #parts: AnswerParts

  constructor(parts: AnswerParts) {
    this.#parts = parts
  }

  /** Resolves to the answer, or to why there is none. */
  answer(question: Question): Promise<QuestionAnswer> {
    switch (question.ask) {
      case 'openOrders':
        return this.#openOrders(question)
      case 'operation':
        return this.#operation(question)
      case 'sessions':
        return Promise.resolve({ value: this.#sessions(question) })
      case 'closeSession':
        return Promise.resolve({ value: this.#close(question.session) })
    }
  }

  /** Resolves to records as clients get them. */
  async #openOrders(question: OpenOrdersQuestion): Promise<QuestionAnswer> {
    const { context } = this.#parts
    const spec = context.symbols[question.symbolId]
    if (spec === undefined) return refusalOf('INVALID_SYMBOL')
    const page = await new OpenPage(question).read(context)
    if (!(page instanceof OpenRows)) return page
    const rows = await Promise.all(
      page.rows.map((row) => withPreventedMatch(row, spec, context.history).catch(() => row)),
    )
    return { value: rows.map((row) => JSON.parse(orderRecord(spec, row, false))) }
  }

  #operation({ operation, account, params }: OperationQuestion): Promise<QuestionAnswer> {
    const { context, clock } = this.#parts
    const row = operations.find(({ id }) => id === operation)!
    const raw = new RawParams()
    for (const [name, text] of Object.entries(params)) raw.add(name, text)
    const checked = checkSyntax(raw)
    const fault = checked instanceof Fault ? checked : checkParams(row, checked)
    if (checked instanceof Fault || fault !== undefined) {
      const { id, detail } = (fault ?? checked) as Fault
      return Promise.resolve(refusalOf(id, detail))
    }
    const request: Request = {
      params: checked,
      account: account === undefined ? undefined : this.#parts.accountOf(account),
      nowMs: clock.nowMs(),
      expiresMs: Ms(0),
      microseconds: false,
      overWebSocket: false,
      session: 0,
      charge: undefined,
    }
    return new Promise((resolve) => {
      const responder: Responder = {
        reply: (json) => resolve({ value: JSON.parse(json) }),
        replyWith: (answer) => resolve({ value: JSON.parse(textOf(answer)) }),
        error: (id, detail) => resolve(refusalOf(id, detail)),
        isReading: () => true,
      }
      row.handler(request, context, responder)
    })
  }

  #sessions({ after, limit, account }: SessionsQuestion): readonly SessionRow[] {
    const passedMs = elapsedMs(this.#parts.clock)
    const rows: SessionRow[] = []
    for (const connection of this.#parts.connections()) {
      if (rows.length === limit) break
      if (connection.number <= after) continue
      const row = connection.describe(passedMs)
      if (account === undefined || row.accounts.includes(account)) rows.push(row)
    }
    return rows
  }

  #close(session: number): boolean {
    for (const connection of this.#parts.connections()) {
      if (connection.number !== session) continue
      connection.end(Ending.OPERATOR)
      return true
    }
    return false
  }
}

/** Collects one page of open orders. */
class OpenPage implements Collector {
  readonly #question: OpenOrdersQuestion
  readonly #rows = new OpenRows()
  #refusal: ErrorId | undefined
  #resolve: (page: OpenRows | QuestionAnswer) => void = () => {}

  constructor(question: OpenOrdersQuestion) {
    this.#question = question
  }

  read(context: Context): Promise<OpenRows | QuestionAnswer> {
    const { account, symbolId, afterOrderId, limit } = this.#question
    const slot = context.query(symbolId)
    if (slot === undefined) return Promise.resolve(refusalOf('SERVER_BUSY'))
    const { buffer, at } = slot
    QueryOpenOrders.setAccount(buffer, at, account)
    QueryOpenOrders.setLimit(buffer, at, limit)
    QueryOpenOrders.setAfterOrderId(buffer, at, afterOrderId)
    QueryOpenOrders.setUntilOrderId(buffer, at, OrderId(0))
    return new Promise((resolve) => {
      this.#resolve = resolve
      slot.submit(QueryOpenOrders.type, QueryOpenOrders.bytes, this, undefined)
    })
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.#refusal = errorOfReject(Rejected.reason(buffer, at))
    else if (type !== QueryEnd.type) this.#rows.add(buffer, at)
  }

  done(): void {
    this.#resolve(this.#refusal === undefined ? this.#rows : refusalOf(this.#refusal))
  }

  failed(id: ErrorId): void {
    this.#resolve(refusalOf(id))
  }
}

function refusalOf(id: ErrorId, detail: readonly (string | number)[] = []): QuestionAnswer {
  return { refused: (JSON.parse(errorBody(id, detail)) as { msg: string }).msg }
}
