/**
 * Several orders, cancels or replacements in one request. Each part is served as a request for one of them: its checks,
 * weight, command and outcome are its own, and a part that is refused stops no other. The answer has the outcomes in the
 * order of the parts, each as the operation for one answers it, or as its error.
 */
import { type AnyRows, MixedRows, type Reply } from '../answers/answer.ts'
import { errorRows } from '../answers/errors.ts'
import type { Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { RareParam } from '../parameters.ts'
import { RawParams } from '../params.ts'
import { readList } from './read-list.ts'

const PARTS_MAX = 20

export function serveBatch(request: Request, context: Context, responder: Responder): void {
  const orders = readList(request.params.text(RareParam.orders) as string)
  if (orders === undefined || orders.length === 0 || orders.length > PARTS_MAX) {
    responder.error('INVALID_PARAMETER', ['orders'])
    return
  }
  const batch = new Batch(orders.length, responder)
  for (const [index, order] of orders.entries()) {
    request.servePart(partParams(order), context, batch.responderOf(index))
  }
}

/** The members of one object as parameters, with the texts that a query would have. */
function partParams(order: unknown): RawParams | Fault {
  if (typeof order !== 'object' || order === null || Array.isArray(order)) {
    return new Fault('INVALID_PARAMETER', 'orders')
  }
  const raw = new RawParams()
  for (const [name, value] of Object.entries(order)) {
    if (value === null) return new Fault('MANDATORY_PARAMETER', name)
    const fault = raw.add(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    if (fault !== undefined) return fault
  }
  return raw
}

/** The outcomes, which come in any order. */
class Batch {
  private readonly outcomes: AnyRows[]
  private readonly responder: Responder
  private waiting: number

  constructor(parts: number, responder: Responder) {
    this.outcomes = new Array(parts)
    this.waiting = parts
    this.responder = responder
  }

  responderOf(index: number): Responder {
    const end = (outcome: AnyRows) => {
      this.outcomes[index] = outcome
      this.waiting--
      if (this.waiting === 0) this.responder.reply(new MixedRows(this.outcomes))
    }
    return {
      reply: (answer: Reply) => end(answer as AnyRows),
      error: (id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows) =>
        end(errorRows(id, detail, data)),
      isReading: () => this.responder.isReading(),
    }
  }
}
