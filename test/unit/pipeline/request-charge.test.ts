/** What one request's orders are charged to: once, by its first command, unless they are waived. */
import { expect, test } from 'vitest'
import { jsonEncoder } from '../../../src/api/answers/encoders.ts'
import { Fault } from '../../../src/api/errors.ts'
import { operations } from '../../../src/api/operations/index.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import type { ApiKey } from '../../../src/gateway/authentication/key-ring.ts'
import type { RateLimits, Refusal } from '../../../src/gateway/limits/rate-limits.ts'
import type { UnreadBytes } from '../../../src/gateway/limits/unread.ts'
import { usualAccount } from '../../../src/market/listing.ts'
import { ClientRequest, Pipeline, type PipelineParts } from '../../../src/pipeline/pipeline.ts'
import { Receipt, type Receipts } from '../../../src/pipeline/receipts.ts'
import type { Refused, Transport, TransportKind } from '../../../src/pipeline/request.ts'
import type { Outcomes } from '../../../src/shared/outcomes.ts'

const refusal: Refusal = {
  fault: new Fault('TOO_MANY_ORDERS', 10, 1, 'SECOND'),
  untilMs: Ms(1_000),
}

/** Notes its calls. */
class NotingCall implements Partial<Transport> {
  readonly kind = { limiter: 'RAW_REQUESTS', encoder: jsonEncoder } as TransportKind
  private readonly told: string[]

  constructor(told: string[]) {
    this.told = told
  }

  succeed(): number {
    this.told.push('answered')
    return 0
  }

  fail(_request: object, { id }: Refused): number {
    this.told.push(`refused ${id}`)
    return 0
  }

  limitReached(): void {
    this.told.push('limit reached')
  }
}

interface Options {
  readonly isFull?: boolean
  readonly enabled?: boolean
  readonly operation?: 'placeOco' | 'cancelOrder'
  readonly receipt?: Receipt
}

/** A checked request, and the calls of limits and transport. */
function requestOf(options: Options = {}) {
  const { isFull = false, enabled = true, operation = 'placeOco', receipt } = options
  const told: string[] = []
  const rateLimits: Partial<RateLimits> = {
    orderRefusal: () => (isFull ? refusal : undefined),
    orderRefused: () => undefined,
    chargeOrders: ({ id }, count) => {
      told.push(`account ${id} pays ${count}`)
      return isFull ? refusal : undefined
    },
    settleWeight: () => {},
    ordersThisSecond: 3,
    ordersThisDay: 4,
  }
  Object.assign(rateLimits, { enabled, guard: { answered: () => {} } })
  const receipts: Partial<Receipts> = {
    open: () => receipt,
    sent: (_, id) => told.push(`timed as ${id}`),
  }
  const outcomes: Partial<Outcomes> = { answered: () => {}, refused: () => {} }
  const parts: Partial<PipelineParts> = {
    rateLimits: rateLimits as RateLimits,
    receipts: receipts as Receipts,
    outcomes: outcomes as Outcomes,
    unread: { give: () => {} } as unknown as UnreadBytes,
  }
  const row = operations.find(({ id }) => id === operation)!
  const pipeline = new Pipeline(parts as PipelineParts)
  const call: Partial<Transport> = new NotingCall(told)
  const account = { ...usualAccount, id: AccountId(7), name: 'owner' }
  const request = new ClientRequest(pipeline, call as Transport, row, row)
  request.known({ account } as unknown as ApiKey, Ms(0))
  request.checked()
  return { told, request, charge: request.charge! }
}

test('the first command pays, what follows is free', () => {
  const { told, request, charge } = requestOf()
  expect([charge.pay(), charge.pay()]).toEqual([true, true])
  expect(told).toEqual(['account 7 pays 2'])
  expect([request.ordersThisSecond, request.ordersThisDay]).toEqual([3, 4])
})

test('where there is no room, the request is answered', () => {
  const { told, request, charge } = requestOf({ isFull: true })
  expect(charge.pay()).toBe(false)
  expect(told).toEqual(['account 7 pays 2', 'refused TOO_MANY_ORDERS', 'limit reached'])
  expect([request.isOverOrders, request.retryMs]).toEqual([true, 1_000])
})

test('a request may ask beforehand, and then waive its orders', () => {
  const { told, request, charge } = requestOf({ isFull: true })
  expect(charge.refusal()).toBe(refusal.fault)
  charge.waive()
  expect([charge.refusal(), charge.pay()]).toEqual([undefined, true])
  expect(told).toEqual(['limit reached'])
  expect([request.isOverOrders, request.isLimited]).toEqual([true, false])
})

test.each<Options>([
  { enabled: false },
  { operation: 'cancelOrder' },
])('nothing is due with %o', (options) => {
  const { told, charge } = requestOf(options)
  expect(charge.pay()).toBe(true)
  expect(told).toEqual([])
})

test('one command is timed, where a receipt is wanted', () => {
  expect(requestOf().charge.isTimed).toBe(false)
  const { told, charge } = requestOf({ receipt: new Receipt(true, 0) })
  expect(charge.isTimed).toBe(true)
  charge.sent(5)
  charge.sent(6)
  expect([charge.isTimed, told]).toEqual([false, ['timed as 5']])
})
