/**
 * A transport without a socket and an encoding that is not JSON: every operation of the tables answers
 * through the pipeline, and neither costs it a change.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleRequests } from '../../../scripts/api-pages/example-requests.ts'
import { type AnyRows, Encoded, MixedRows, type Reply } from '../../../src/api/answers/answer.ts'
import { type ShapeName, schemas } from '../../../src/api/answers/by-name.ts'
import type { Table } from '../../../src/api/answers/element.ts'
import { errorRows } from '../../../src/api/answers/errors.ts'
import { plainRows } from '../../../src/api/answers/plain.ts'
import type { Responder } from '../../../src/api/context.ts'
import { type ErrorId, errorStatus } from '../../../src/api/errors.ts'
import { type Operation, operations } from '../../../src/api/operations/index.ts'
import { RawParams } from '../../../src/api/params.ts'
import { expectShape } from '../../fixtures/answer-shapes.ts'
import { decodeCbor, encodeCbor } from '../../fixtures/cbor.ts'
import { OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

interface Taken {
  readonly status: number
  readonly bytes: Buffer
  /** The tables of its rows. */
  readonly tables: readonly Table[]
}

/** The whole transport. */
class MemoryCall implements Responder {
  private readonly take: (taken: Taken) => void

  constructor(take: (taken: Taken) => void) {
    this.take = take
  }

  reply(answer: Reply): void {
    if (answer instanceof Encoded) throw new Error('rows were wanted')
    this.send(200, answer instanceof MixedRows ? answer.parts : [answer], plainRows(answer))
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows): void {
    const rows = errorRows(id, detail, data)
    this.send(errorStatus(id), [rows], plainRows(rows))
  }

  isReading(): boolean {
    return true
  }

  private send(status: number, shown: readonly AnyRows[], value: unknown): void {
    this.take({ status, bytes: encodeCbor(value), tables: shown.map(({ answer }) => answer) })
  }
}

let exchange: OneThreadExchange
beforeAll(async () => {
  exchange = await OneThreadExchange.start()
})
afterAll(() => exchange.close())

function ask(operation: Operation, params: Readonly<Record<string, string>>): Promise<Taken> {
  const { pipeline } = exchange.gateways[0]!
  const owner = operation.security === 'NONE' ? undefined : exchange.accounts[1]
  const raw = new RawParams()
  for (const [name, text] of Object.entries(params)) raw.add(name, text)
  return new Promise((resolve) => {
    pipeline.serveInner(operation, raw, owner, new MemoryCall(resolve))
  })
}

/** The shapes that the documents give the operation's answers. An empty list has no rows of any. */
const shapesOf = ({ answer }: Operation): readonly object[] =>
  [...JSON.stringify(answer).matchAll(/schemas\/(\w+)/g)].map(([, name]) =>
    name === 'EmptyList' ? schemas.Empty : schemas[name as ShapeName],
  )

/** The archive of the test is empty. */
const unknown = ['orderList -2018']

test('every operation answers, in the order of the documents', async () => {
  const refused: string[] = []
  let listenKey = ''
  for (const [name, params] of Object.entries(exampleRequests)) {
    const operation = operations.find(({ id }) => id === name)!
    const needsKey = params.listenKey !== undefined
    const { status, bytes, tables } = await ask(operation, needsKey ? { listenKey } : params)
    const body = decodeCbor(bytes)
    if (status !== 200) refused.push(`${name} ${(body as { code: number }).code}`)
    const shapes = status === 200 ? shapesOf(operation) : [schemas.Error]
    for (const { schema } of tables) expect(shapes, name).toContainEqual(schema)
    expectShape(operation.method, operation.path, status, body)
    if (name === 'startListenKey') ({ listenKey } = body as { listenKey: string })
  }
  expect(Object.keys(exampleRequests).sort()).toEqual(operations.map(({ id }) => id).sort())
  expect(refused).toEqual(unknown)
})
