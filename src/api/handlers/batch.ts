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

/** Strings, and the numbers of a JSON text that is valid. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Reads a JSON array. Its numbers become strings, so that they keep their digits. */
function readList(text: string): readonly unknown[] | undefined {
  try {
    // Only in a valid text does every string end, so that the pattern takes linear time.
    JSON.parse(text)
    const quoted = text.replace(STRING_OR_NUMBER, (one) => (one[0] === '"' ? one : `"${one}"`))
    const list = JSON.parse(quoted) as unknown
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
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
