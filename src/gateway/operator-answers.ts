/**
 * Responds to operators' queries from what one gateway has: open orders by a query of the matcher, client
 * operations for an account, and the gateway's connections. Runs on the gateway's thread; limits of
 * clients do not apply.
 */
import { type Reply, Rows } from '../api/answers/answer.ts'
import { openOrder } from '../api/answers/orders.ts'
import { plainRows } from '../api/answers/plain.ts'
import type { Collector, Context, Responder } from '../api/context.ts'
import { type ErrorId, errorMessage, errorOfReject } from '../api/errors.ts'
import { OpenRows, withPreventedMatch } from '../api/handlers/open-rows.ts'
import { operations } from '../api/operations/index.ts'
import { RawParams } from '../api/params.ts'
import { type Clock, elapsedMs } from '../base/time.ts'
import { OrderId } from '../base/units.ts'
import { QueryEnd, QueryOpenOrders, Rejected } from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../layout/record-buffer.ts'
import type { AccountSpec, SymbolSpec } from '../market/listing.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type {
  OpenOrdersQuery,
  OperationQuery,
  OperatorQuery,
  OperatorQueryAnswer,
  SessionRow,
  SessionsQuery,
} from '../shared/operator-query.ts'
import { makeBlockTrade } from './block-trade.ts'
import type { EventTape } from './event-tape.ts'
import { placeHouseOrder } from './house-order.ts'
import { setReferencePrice } from './reference-prices.ts'
import { askWallet } from './wallet-queries.ts'
import { type Connection, Ending } from './websocket/connection.ts'

export interface AnswerParts {
  readonly context: Context
  readonly pipeline: Pipeline
  readonly tape: EventTape
  readonly clock: Clock
  readonly accountOf: (id: number) => AccountSpec | undefined
  /** In the order of their numbers. */
  readonly connections: () => Iterable<Connection>
}

export class OperatorAnswers {
  private readonly parts: AnswerParts

  constructor(parts: AnswerParts) {
    this.parts = parts
  }

  /** Resolves to the answer, or to why there is none. */
  answer(query: OperatorQuery): Promise<OperatorQueryAnswer> {
    switch (query.ask) {
      case 'openOrders':
        return this.openOrders(query)
      case 'operation':
        return this.operation(query)
      case 'sessions':
        return Promise.resolve({ value: this.sessions(query) })
      case 'closeSession':
        return Promise.resolve({ value: this.close(query.session) })
      case 'events':
        return this.parts.tape.read(query)
      case 'blockTrade':
        return makeBlockTrade(query, this.parts.context)
      case 'wallet':
      case 'chainSend':
      case 'decideWithdrawal':
      case 'changeChain':
        return askWallet(query, this.parts.context)
      case 'houseOrder':
        return placeHouseOrder(query, this.parts.context)
      case 'referencePrice':
        return setReferencePrice(query, this.parts.context)
    }
  }

  /** Resolves to records as clients get them. */
  private async openOrders(query: OpenOrdersQuery): Promise<OperatorQueryAnswer> {
    const { context } = this.parts
    const spec = context.symbols[query.symbolId]
    if (spec === undefined) return refusalOf('INVALID_SYMBOL')
    const page = await new OpenPage(query, spec).read(context)
    if (!(page instanceof OpenRows)) return page
    const rows = await Promise.all(
      page.rows.map((row) => withPreventedMatch(row, context.history).catch(() => row)),
    )
    const shown = plainRows(new Rows(openOrder, rows, { microseconds: false }))
    return { value: shown as readonly unknown[] }
  }

  private operation({ operation, account, params }: OperationQuery): Promise<OperatorQueryAnswer> {
    const { pipeline, accountOf } = this.parts
    const row = operations.find(({ id }) => id === operation)!
    const raw = new RawParams()
    for (const [name, text] of Object.entries(params)) raw.add(name, text)
    return new Promise((resolve) => {
      const owner = account === undefined ? undefined : accountOf(account)
      pipeline.serveInner(row, raw, owner, new OperatorCall(resolve))
    })
  }

  private sessions({ after, limit, account }: SessionsQuery): readonly SessionRow[] {
    const passedMs = elapsedMs(this.parts.clock)
    const rows: SessionRow[] = []
    for (const connection of this.parts.connections()) {
      if (rows.length === limit) break
      if (connection.number <= after) continue
      const row = connection.describe(passedMs)
      if (account === undefined || row.accounts.includes(account)) rows.push(row)
    }
    return rows
  }

  private close(session: number): boolean {
    for (const connection of this.parts.connections()) {
      if (connection.number !== session) continue
      connection.end(Ending.OPERATOR)
      return true
    }
    return false
  }
}

/** An operation that an operator requests. */
class OperatorCall implements Responder {
  private readonly resolve: (answer: OperatorQueryAnswer) => void

  constructor(resolve: (answer: OperatorQueryAnswer) => void) {
    this.resolve = resolve
  }

  reply(answer: Reply): void {
    this.resolve({ value: plainRows(answer) })
  }

  error(id: ErrorId, detail?: readonly (string | number)[]): void {
    this.resolve(refusalOf(id, detail))
  }

  isReading(): boolean {
    return true
  }
}

/** Collects one page of open orders. */
class OpenPage implements Collector {
  private readonly query: OpenOrdersQuery
  private readonly rows: OpenRows
  private refusal: ErrorId | undefined = undefined
  private resolve: (page: OpenRows | OperatorQueryAnswer) => void = () => {}

  constructor(query: OpenOrdersQuery, spec: SymbolSpec) {
    this.query = query
    this.rows = new OpenRows(spec)
  }

  read(context: Context): Promise<OpenRows | OperatorQueryAnswer> {
    const { account, symbolId, afterOrderId, limit } = this.query
    const slot = context.query(symbolId)
    if (slot === undefined) return Promise.resolve(refusalOf('SERVER_BUSY'))
    const { buffer, at } = slot
    QueryOpenOrders.setAccount(buffer, at, account)
    QueryOpenOrders.setLimit(buffer, at, limit)
    QueryOpenOrders.setAfterOrderId(buffer, at, afterOrderId)
    QueryOpenOrders.setUntilOrderId(buffer, at, OrderId(0))
    return new Promise((resolve) => {
      this.resolve = resolve
      slot.submit(QueryOpenOrders.type, QueryOpenOrders.bytes, this, undefined)
    })
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.refusal = errorOfReject(Rejected.reason(buffer, at))
    else if (type !== QueryEnd.type) this.rows.add(buffer, at)
  }

  done(): void {
    this.resolve(this.refusal === undefined ? this.rows : refusalOf(this.refusal))
  }

  failed(id: ErrorId): void {
    this.resolve(refusalOf(id))
  }
}

function refusalOf(id: ErrorId, detail: readonly (string | number)[] = []): OperatorQueryAnswer {
  return { refused: errorMessage(id, detail) }
}
