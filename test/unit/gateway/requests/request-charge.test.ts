/** What one request's orders are charged to: once, by its first command, unless they are waived. */
import { expect, test } from 'vitest'
import { Fault } from '../../../../src/api/errors.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import type { RateLimits, Refusal } from '../../../../src/gateway/limits/rate-limits.ts'
import { Receipt, type Receipts } from '../../../../src/gateway/requests/receipts.ts'
import { RequestCharge } from '../../../../src/gateway/requests/request-charge.ts'

const refusal: Refusal = {
  fault: new Fault('TOO_MANY_ORDERS', 10, 1, 'SECOND'),
  untilMs: Ms(1_000),
}

/** A charge of two orders, with what the limits and the request were told. */
function chargeOf(options: { isFull?: boolean; enabled?: boolean; orders?: number } = {}) {
  const { isFull = false, enabled = true, orders = 2 } = options
  const told: string[] = []
  const rateLimits: Partial<RateLimits> = {
    orderRefusal: () => (isFull ? refusal : undefined),
    chargeOrders: (account: number, count: number) => {
      told.push(`account ${account} pays ${count}`)
      return isFull ? refusal : undefined
    },
    ordersThisSecond: 3,
    ordersThisDay: 4,
  }
  Object.assign(rateLimits, { enabled })
  const receipts: Partial<Receipts> = { sent: (_, id) => told.push(`timed as ${id}`) }
  const request = {
    ...{ account: AccountId(7), orders, nowMs: Ms(0) },
    charged: (second: number, day: number) => told.push(`charged ${second} ${day}`),
    refused: () => told.push('refused'),
    wouldRefuse: () => told.push('would refuse'),
  }
  const parts = { rateLimits: rateLimits as RateLimits, receipts: receipts as Receipts }
  const make = (receipt?: Receipt) => new RequestCharge(parts, request, receipt)
  return { told, make }
}

test('the first command pays, what follows is free', () => {
  const { told, make } = chargeOf()
  const charge = make()
  expect([charge.pay(), charge.pay()]).toEqual([true, true])
  expect(told).toEqual(['account 7 pays 2', 'charged 3 4'])
})

test('two requests are charged apart', () => {
  const { told, make } = chargeOf()
  const [one, other] = [make(), make()]
  one.waive()
  expect([one.pay(), other.pay()]).toEqual([true, true])
  expect(told).toEqual(['account 7 pays 2', 'charged 3 4'])
})

test('where there is no room, the request is answered', () => {
  const { told, make } = chargeOf({ isFull: true })
  expect(make().pay()).toBe(false)
  expect(told).toEqual(['account 7 pays 2', 'refused'])
})

test('a request may ask beforehand, and then waive its orders', () => {
  const { told, make } = chargeOf({ isFull: true })
  const charge = make()
  expect(charge.refusal()).toBe(refusal.fault)
  charge.waive()
  expect([charge.refusal(), charge.pay()]).toEqual([undefined, true])
  expect(told).toEqual(['would refuse'])
})

test.each([{ enabled: false }, { orders: 0 }])('nothing is due with %o', (options) => {
  const { told, make } = chargeOf(options)
  expect(make().pay()).toBe(true)
  expect(told).toEqual([])
})

test('one command is timed, where a receipt is wanted', () => {
  const { told, make } = chargeOf()
  expect(make().isTimed).toBe(false)
  const charge = make(new Receipt(true, 0))
  expect(charge.isTimed).toBe(true)
  charge.sent(5)
  charge.sent(6)
  expect([charge.isTimed, told]).toEqual([false, ['timed as 5']])
})
