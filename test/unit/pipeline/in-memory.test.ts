/**
 * A transport without a socket, and an encoding that is not JSON: operations, errors, methods of a session, streams and
 * events of accounts are encoded from their rows, and none of them costs a change.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleRequests } from '../../../scripts/api-pages/example-requests.ts'
import {
  type AnyRows,
  Encoded,
  MixedRows,
  type Reply,
  Rows,
} from '../../../src/api/answers/answer.ts'
import { type ShapeName, schemas } from '../../../src/api/answers/by-name.ts'
import type { Table } from '../../../src/api/answers/element.ts'
import type { Encoder } from '../../../src/api/answers/encoders.ts'
import { plainRows } from '../../../src/api/answers/plain.ts'
import { combinedFrame } from '../../../src/api/answers/session.ts'
import { noShared } from '../../../src/api/check.ts'
import { type Operation, operations } from '../../../src/api/operations/index.ts'
import { RawParams } from '../../../src/api/params.ts'
import { Ms } from '../../../src/base/units.ts'
import { badKeyFormat } from '../../../src/gateway/authentication/authenticator.ts'
import {
  Session,
  type SessionMethod,
  type SessionParts,
  sessionMethods,
} from '../../../src/gateway/sessions/session.ts'
import type { Fanout } from '../../../src/gateway/streams/fanout.ts'
import { Framing } from '../../../src/gateway/streams/framing.ts'
import type { Topics } from '../../../src/gateway/streams/topics.ts'
import { ClientRequest, type Pipeline } from '../../../src/pipeline/pipeline.ts'
import {
  type CheckedRequest,
  type Failure,
  Refused,
  type Row,
  type Transport,
  type TransportKind,
} from '../../../src/pipeline/request.ts'
import { expectShape } from '../../fixtures/answer-shapes.ts'
import { decodeCbor, encodeCbor } from '../../fixtures/cbor.ts'
import { keyOf, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

interface Taken {
  readonly status: number
  readonly body: unknown
  /** The tables of its rows. */
  readonly tables: readonly Table[]
}

const cbor: Encoder = {
  name: 'CBOR',
  mediaType: 'application/cbor',
  lists: undefined,
  encode: (reply) => (reply instanceof Encoded ? reply.bytes : encodeCbor(plainRows(reply))),
}
const memory: TransportKind = {
  over: 'memory',
  limiter: 'CONNECTIONS',
  params: noShared,
  noKey: badKeyFormat,
  encoder: cbor,
}
const decoded = (bytes: Uint8Array): unknown => decodeCbor(Buffer.from(bytes))

/** The whole transport. Its client has logged on, and signs nothing. */
class MemoryCall implements Transport {
  readonly kind = memory
  readonly microseconds = false
  readonly fault = undefined
  readonly apiKey: string
  readonly logon = { sinceMs: Ms(0) }
  readonly peer = 'memory'
  readonly textChars = 0
  private readonly raw = new RawParams()
  private readonly row: Row
  private readonly take: (taken: Taken) => void

  constructor(row: Row, params: Readonly<Record<string, string>>, take: (taken: Taken) => void) {
    this.row = row
    this.apiKey = row.security === 'NONE' ? '' : keyOf(1).apiKey
    this.take = take
    for (const [name, text] of Object.entries(params)) this.raw.add(name, text)
    if (row.signed) this.raw.add('timestamp', String(exchange.nowMs()))
  }

  read(): RawParams {
    return this.raw
  }

  remoteAddress(): ArrayBuffer {
    return new ArrayBuffer(4)
  }

  addSigned(): void {}

  answerOwn(request: CheckedRequest): void {
    ;(this.row as SessionMethod).answer(session, request)
  }

  succeed(_request: object, answer: Reply): number {
    if (answer instanceof Encoded) throw new Error('rows were wanted')
    return this.send(200, answer, answer instanceof MixedRows ? answer.parts : [answer])
  }

  fail(_request: object, error: Failure): number {
    if (!(error instanceof Refused)) throw new Error('there is no sandbox')
    return this.send(error.status, error.rows(), [error.rows()])
  }

  private send(status: number, answer: Reply, shown: readonly AnyRows[]): number {
    const bytes = cbor.encode(answer)
    this.take({ status, body: decoded(bytes), tables: shown.map((rows) => rows.answer) })
    return bytes.length
  }
}

/** What a transport uses of a gateway. */
type GatewayParts = Pick<SessionParts, 'userStreams' | 'sessionOrders'> & {
  readonly pipeline: Pipeline
  readonly topics: Topics
  readonly fanout: Fanout
}

let exchange: OneThreadExchange
let gateway: GatewayParts
let session: Session
const events: unknown[] = []
beforeAll(async () => {
  exchange = await OneThreadExchange.start()
  gateway = exchange.gateways[0] as unknown as GatewayParts
  session = new Session({
    userStreams: gateway.userStreams,
    sessionOrders: gateway.sessionOrders,
    connectedMs: exchange.nowMs(),
    microseconds: false,
    showsLimits: false,
    send: (event) => events.push(decoded(cbor.encode(event))),
    expectFrames: () => {},
    grants: { grantsOf: () => [], nameOf: () => '' },
    rateLimits: { takeSession: () => true, giveSession: () => {} },
    clock: undefined,
  })
})
afterAll(() => exchange.close())

function ask(row: Row, params: Readonly<Record<string, string>> = {}): Promise<Taken> {
  const operation = operations.find((one) => one === row)
  return new Promise((resolve) => {
    const call = new MemoryCall(row, params, resolve)
    gateway.pipeline.serve(new ClientRequest(gateway.pipeline, call, row, operation))
  })
}
const operationNamed = (name: string): Operation => operations.find(({ id }) => id === name)!

/** The shapes that the documents give the operation's answers. An empty list has no rows of any. */
const shapesOf = ({ answer }: Operation): readonly object[] =>
  [...JSON.stringify(answer).matchAll(/schemas\/(\w+)/g)].map(([, name]) =>
    name === 'EmptyList' ? schemas.Empty : schemas[name as ShapeName],
  )

/** The archive of the test is empty, no symbol has a reference price, no coin a network, no account another below it. */
const unknown = [
  'referencePrice -2043',
  'referencePriceCalculation -2043',
  ...['routeOrder -2010', 'testRoutedOrder -2010', 'orderList -2018'],
  'depositAddress -4042',
  'withdraw -2015',
  ...['subAccountAssets', 'subAccountWorths', 'subAccountStatus'].map((name) => `${name} -4003`),
  ...[
    'subAccountTransfer',
    'universalTransfer',
    'subAccountTransfers',
    'subAccountDepositAddress',
    'subAccountDeposits',
    'subAddress',
    'subDeposits',
    'spotTransfers',
  ].map((name) => `${name} -4003`),
]

test('every operation answers, in the order of the documents', async () => {
  const refused: string[] = []
  let listenKey = ''
  for (const [name, params] of Object.entries(exampleRequests)) {
    const operation = operationNamed(name)
    const needsKey = params.listenKey !== undefined
    const { status, body, tables } = await ask(operation, needsKey ? { listenKey } : params)
    if (status !== 200) refused.push(`${name} ${(body as { code: number }).code}`)
    const shapes = status === 200 ? shapesOf(operation) : [schemas.Error]
    for (const { schema } of tables) expect(shapes, name).toContainEqual(schema)
    expectShape(operation.method, operation.path, status, body)
    if (name === 'startListenKey') ({ listenKey } = body as { listenKey: string })
  }
  expect(Object.keys(exampleRequests).sort()).toEqual(operations.map(({ id }) => id).sort())
  expect(refused).toEqual(unknown)
})

test.each([
  ['depth', { symbol: 'NONE' }, 400, { code: -1121, msg: 'Invalid symbol.' }],
  [
    'ping',
    { a: '1' },
    400,
    { code: -1101, msg: "Too many parameters; expected '0' and received '1'." },
  ],
  [
    'cancelOrder',
    { symbol: 'BTCUSDT', orderId: '99' },
    400,
    { code: -2011, msg: 'Unknown order sent.' },
  ],
])('%s %o is refused', async (name, params, status, body) => {
  expect(await ask(operationNamed(name), params)).toMatchObject({ status, body })
})

test('streams, methods of the session and its events are as sockets have them', async () => {
  const frames: unknown[] = []
  let encoded = 0
  const encode = (reply: Reply) => {
    encoded++
    return cbor.encode(reply)
  }
  const framing = new Framing(
    'memory',
    { ...cbor, encode },
    (name, payload) => new Rows(combinedFrame, { name, payload }, payload.form),
  )
  const groups = [1, 2].map(() =>
    gateway.fanout.joinAlone((_, frame) => frames.push(decoded(frame))),
  )
  const [topic] = groups.map((group) => gateway.topics.enter('btcusdt@trade', framing, group)!)
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', 1)
  const market = await exchange.socket('/stream?streams=btcusdt@trade')
  const own = await exchange.socket(`/ws/${body.listenKey}`)
  const subscribed = await ask(sessionMethods.get('userDataStream.subscribe')!)
  expect(subscribed).toMatchObject({ status: 200, body: { subscriptionId: 0 } })

  await exchange.limitOrder(1, 'SELL', '100', '1')
  await exchange.limitOrder(2, 'BUY', '100', '1')
  const frame = await market.next()
  expect([frames, encoded]).toEqual([[frame, frame], 1])
  const seen = [await own.next(), await own.next(), await own.next(), await own.next()]
  expect(events).toEqual(seen.map((event) => ({ subscriptionId: 0, event })))

  await ask(sessionMethods.get('userDataStream.unsubscribe')!)
  expect(events.at(-1)).toMatchObject({ event: { e: 'eventStreamTerminated' } })
  for (const group of groups) {
    gateway.topics.leave(topic!, framing, group)
    gateway.fanout.leave(group)
  }
})
