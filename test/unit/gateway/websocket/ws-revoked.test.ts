/** A session whose key is taken away while it lasts, on a connection without a socket. */
import type { WebSocket } from 'uWebSockets.js'
import { beforeEach, expect, test } from 'vitest'
import { jsonEncoder } from '../../../../src/api/answers/encoders.ts'
import { parseAddressRanges } from '../../../../src/base/address-range.ts'
import { RealTime } from '../../../../src/base/real-time.ts'
import { AccountId } from '../../../../src/base/units.ts'
import { Authenticator } from '../../../../src/gateway/authentication/authenticator.ts'
import { KeyRing } from '../../../../src/gateway/authentication/key-ring.ts'
import { Pending } from '../../../../src/gateway/engine-link/pending.ts'
import { Quota } from '../../../../src/gateway/limits/quota.ts'
import { limitBytes, RateLimits } from '../../../../src/gateway/limits/rate-limits.ts'
import { SignatureBudget } from '../../../../src/gateway/limits/signature-budget.ts'
import { UnreadBytes } from '../../../../src/gateway/limits/unread.ts'
import { Outbox } from '../../../../src/gateway/streams/outbox.ts'
import { UserStreams } from '../../../../src/gateway/streams/user-streams.ts'
import type { SocketData } from '../../../../src/gateway/websocket/connection.ts'
import { ApiConnection, type ApiParts } from '../../../../src/gateway/websocket/ws-api.ts'
import { usualAccount } from '../../../../src/market/listing.ts'
import { Leadership } from '../../../../src/pipeline/leadership.ts'
import { Overload } from '../../../../src/pipeline/overload.ts'
import { Pipeline } from '../../../../src/pipeline/pipeline.ts'
import { Receipts } from '../../../../src/pipeline/receipts.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'
import { Outcomes, outcomesBytes } from '../../../../src/shared/outcomes.ts'
import { ROLE_BYTES, RoleCells } from '../../../../src/shared/role.ts'
import { StampReader, stampsBytes } from '../../../../src/shared/stamps.ts'
import { TradingLocks } from '../../../../src/shared/trading-locks.ts'
import { type Json, limitSettings } from '../../../fixtures/one-thread-exchange.ts'
import { signingKey } from '../test-keys.ts'

const realTime = new RealTime()

const owner = { ...usualAccount, id: AccountId(1), name: 'owner' }
const { spec, sign } = signingKey('ED25519')
const revoked = { ...spec, canRead: false, canTrade: false }

let keys: KeyRing
let connection: ApiConnection
let frames: Json[]

beforeEach(() => {
  keys = new KeyRing([spec], [owner])
  const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
  const limits = limitSettings(['--limits', 'off'])
  const stamps = new SharedArrayBuffer(stampsBytes(1))
  const rateLimits = new RateLimits(new SharedArrayBuffer(limitBytes(2)), 2, limits, counters)
  const locks = new TradingLocks(new SharedArrayBuffer(TradingLocks.bytesFor(2)))
  const parts: Partial<ApiParts> = {
    authenticator: new Authenticator(keys, new SignatureBudget(rateLimits.guard, counters)),
    locks,
    rateLimits,
    counters,
    context: { symbolNamed: () => undefined } as unknown as ApiParts['context'],
    receipts: new Receipts(realTime, new StampReader(stamps), undefined, { observe: () => {} }),
    clock: realTime,
    isStopping: () => false,
    outcomes: new Outcomes(new SharedArrayBuffer(outcomesBytes(1)), 0),
    leadership: new Leadership(new RoleCells(new SharedArrayBuffer(ROLE_BYTES), new RealTime())),
    overload: new Overload(
      new Pending(),
      1,
      { deferredOrders: () => 0, newOrderFault: () => undefined },
      counters,
    ),
    outbox: new Outbox(),
    unread: new UnreadBytes(new Quota(0, 0), counters),
    userStreams: new UserStreams({
      symbols: [],
      assets: [],
      matchers: 1,
      balance: (_, asset) => ({ asset, free: 0, locked: 0 }),
      clock: realTime,
    }),
  }
  const here = Uint8Array.of(127, 0, 0, 1).buffer
  Object.assign(parts, { pipeline: new Pipeline(parts as ApiParts) })
  connection = new ApiConnection(parts as ApiParts, here, jsonEncoder, false, true)
  frames = []
  // What a socket answers that has sent the frame.
  const send = (text: string | Uint8Array) => {
    frames.push(JSON.parse(Buffer.from(text).toString()))
    return 1
  }
  connection.open({ send } as unknown as WebSocket<SocketData>, '')
})

/** The frames that a request brings. */
function ask(method: string, params: object = {}): Json[] {
  frames.length = 0
  connection.received(JSON.stringify({ id: 1, method, params }))
  return [...frames]
}

function logOn(): void {
  const timestamp = Date.now()
  const signature = sign(`apiKey=${spec.apiKey}&timestamp=${timestamp}`)
  const [answer] = ask('session.logon', { apiKey: spec.apiKey, timestamp, signature })
  expect(answer).toMatchObject({ status: 200 })
}

const refusal = {
  id: null,
  status: 401,
  error: { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' },
}

test.each([
  ['is revoked', revoked],
  ['may no longer be used from there', { ...spec, addresses: parseAddressRanges('10.0.0.0/8')! }],
])('ends with its next request once its key %s', (_, changed) => {
  logOn()
  ask('userDataStream.subscribe')
  keys.put(changed)
  expect(ask('session.subscriptions')).toMatchObject([{ id: 1, status: 200 }])
  expect(ask('account.status', { timestamp: Date.now() })).toEqual([
    refusal,
    { subscriptionId: 0, event: { e: 'eventStreamTerminated', E: expect.any(Number) } },
  ])
  expect(ask('session.status')).toMatchObject([{ result: { apiKey: null } }])
  const [after] = ask('account.status', { timestamp: Date.now() })
  expect(after).toMatchObject({ id: 1, status: 400, error: { code: -1102 } })
})

test('does not end for a key that a request names', () => {
  logOn()
  keys.put({ ...revoked, apiKey: 'o'.repeat(64) })
  const params = { apiKey: 'o'.repeat(64), timestamp: Date.now(), signature: 'x' }
  expect(ask('account.status', params)).toMatchObject([{ id: 1, status: 401 }])
  expect(ask('session.status')).toMatchObject([{ result: { apiKey: spec.apiKey } }])
})

test('does not end for what its key may not do', () => {
  logOn()
  keys.put({ ...spec, canTrade: false })
  const params = { symbol: 'BTCUSDT', timestamp: Date.now() }
  expect(ask('openOrders.cancelAll', params)).toMatchObject([{ id: 1, status: 401 }])
  expect(ask('session.status')).toMatchObject([{ result: { apiKey: spec.apiKey } }])
})
