/**
 * Sends requests to handlers and keeps the answer. Requests pass the same parsing and checks as real ones;
 * key, time and signature are not checked. Each answer is held to its shape in the OpenAPI document, and to
 * its plain twin.
 */
import { type FakeContext, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import type { AnyRows, Reply } from '../../src/api/answers/answer.ts'
import { errorRows } from '../../src/api/answers/errors.ts'
import { textOf } from '../../src/api/answers/json.ts'
import type { ArrivalLimit } from '../../src/api/answers/limits.ts'
import { plainRows } from '../../src/api/answers/plain.ts'
import { checkParams, checkSyntax, noShared } from '../../src/api/check.ts'
import type { Request, Responder } from '../../src/api/context.ts'
import { type ErrorId, errorStatus, Fault } from '../../src/api/errors.ts'
import { type Operation, operations } from '../../src/api/operations/index.ts'
import { type Params, RawParams } from '../../src/api/params.ts'
import { hasMessages } from '../../src/api/sbe/operations.ts'
import { sbeOf, sbeVersions } from '../../src/api/sbe/sbe.ts'
import { Ms } from '../../src/base/units.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { AccountSpec } from '../../src/market/listing.ts'
import { expectShape } from '../fixtures/answer-shapes.ts'
import { expectDecoded, expectTwin, readMessage } from '../fixtures/sbe.ts'

/** What a request got: a JSON body with its HTTP status. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** Remembers the one answer, and insists that there is no second. */
export class FakeResponder implements Responder {
  answer: Answer | undefined
  private readonly operation: Operation

  constructor(operation: Operation) {
    this.operation = operation
  }

  isReading(): boolean {
    return true
  }

  reply(answer: Reply): void {
    const body = textOf(answer)
    // Callers of the process get these. Members stand in the same order.
    const twin = JSON.stringify(plainRows(answer))
    if (twin !== body) throw new Error(`the twin of ${body} is ${twin}`)
    this.settle({ status: 200, body }, answer)
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows): void {
    const rows = errorRows(id, detail, data)
    this.settle({ status: errorStatus(id), body: textOf(rows) }, rows)
  }

  private settle(answer: Answer, rows: Reply): void {
    if (this.answer !== undefined) throw new Error('answered twice')
    this.answer = answer
    const { method, path } = this.operation
    const json = JSON.parse(answer.body)
    expectShape(method, path, answer.status, json)
    if (!hasMessages(this.operation)) return
    for (const version of sbeVersions) {
      expectTwin(readMessage(expectDecoded(sbeOf(version, rows))), json)
    }
  }
}

export interface RequestOptions {
  readonly account?: AccountSpec
  readonly key?: Request['key']
  readonly body?: string
  readonly microseconds?: boolean
  readonly limiter?: ArrivalLimit
  readonly session?: number
}

export function operationNamed(id: string): Operation {
  const operation = operations.find((row) => row.id === id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return operation
}

/** Sends one request through checks and handler; its answer may come when commands are answered. */
export function send(
  context: FakeContext,
  operationId: string,
  query: string,
  options: RequestOptions = {},
): FakeResponder {
  const operation = operationNamed(operationId)
  const responder = new FakeResponder(operation)
  serve(context, operation, RawParams.parse(query, options.body ?? ''), responder, options)
  return responder
}

function serve(
  context: FakeContext,
  operation: Operation,
  raw: RawParams | Fault,
  responder: Responder,
  options: RequestOptions,
): void {
  const { account = trader, microseconds = false, limiter = 'RAW_REQUESTS' } = options
  const params = raw instanceof Fault ? raw : checkSyntax(raw)
  const fault = params instanceof Fault ? params : checkParams(operation, params, noShared)
  if (fault !== undefined) {
    responder.error(fault.id, fault.detail)
    return
  }
  const request: Request = {
    params: params as Params,
    key: options.key,
    account: operation.security === 'NONE' ? undefined : account,
    nowMs: NOW_MS,
    expiresMs: Ms(operation.security === 'TRADE' || operation.signed ? NOW_MS + 5000 : 0),
    microseconds,
    encoding: undefined,
    limiter,
    session: options.session ?? 0,
    charge: operation.security === 'TRADE' ? context.charge : undefined,
    servePart: (part, _, to) => serve(context, operation.each!, part, to, options),
  }
  operation.handler(request, context, responder)
}

/** Replies to the oldest waiting command with the records that `write` puts down. */
export function answerCommand(
  context: FakeContext,
  ...writers: readonly ((buffer: RecordBuffer) => void)[]
): void {
  const command = context.sent.shift()
  if (command === undefined) throw new Error('no command was sent')
  const buffer = RecordBuffer.allocate(1024)
  for (const write of writers) {
    write(buffer)
    command.collector.record(buffer, 0)
  }
  command.collector.done()
}
