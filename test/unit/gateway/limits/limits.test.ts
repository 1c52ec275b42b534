/**
 * What random tapes beside plain maps (limits-twin) do not have: addresses by the thousand, the usual settings, clocks
 * that step, and the documents' examples. What the wire shows is in limits-wire.
 */
import { describe, expect, test } from 'vitest'
import type { ArrivalLimit } from '../../../../src/api/answers/limits.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import { ORDER_REFUSALS_MAX, UNLIMITED } from '../../../../src/gateway/limits/address-guard.ts'
import {
  limitersOf,
  publishedLimits,
  retryAfterSeconds,
} from '../../../../src/gateway/limits/limiters.ts'
import { copyLimits, limitBytes, RateLimits } from '../../../../src/gateway/limits/rate-limits.ts'
import type { AccountLimits } from '../../../../src/market/listing.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'
import { limitSettings } from '../../../fixtures/one-thread-exchange.ts'

const ACCOUNTS_MAX = 4
const DAY_MS = 86_400_000
/** The beginning of a day. */
const now = Ms(DAY_MS * 19_675)
const ipv4 = (...bytes: number[]) => new Uint8Array(bytes).buffer
const ipv6 = (...bytes: number[]) => new Uint8Array(16).map((_, i) => bytes[i] ?? 0).buffer
const mapped = (...bytes: number[]) => ipv6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...bytes)
const client = ipv4(10, 0, 0, 1)

/** The salt of the address table is the last cell: so each run has the same sets and tags. */
function memory(): SharedArrayBuffer {
  const cells = new SharedArrayBuffer(limitBytes(ACCOUNTS_MAX))
  new BigUint64Array(cells)[cells.byteLength / 8 - 1] = 0x9e3779b97f4a7c15n
  return cells
}
const counterCells = new SharedArrayBuffer(countersBytes(1, 1))
const counters = ThreadCounters.ofGateway(counterCells, 0)
const counter = (name: string) =>
  readCounters(counterCells, 1, 1).find((it) => it.name === name)!.value
const fresh = (flags: readonly string[] = [], cells = memory()) =>
  new RateLimits(cells, ACCOUNTS_MAX, limitSettings(flags), counters)

const TOO_MUCH_WEIGHT = { fault: { id: 'TOO_MUCH_WEIGHT' } }

describe('addresses', () => {
  test.each([
    ['IPv4 and the same mapped', ipv4(1, 2, 3, 4), mapped(1, 2, 3, 4), true],
    ['two of IPv4', ipv4(1, 2, 3, 4), ipv4(1, 2, 3, 5), false],
    ['one /64 network', ipv6(32, 1, 2, 3, 4, 5, 6, 7, 1), ipv6(32, 1, 2, 3, 4, 5, 6, 7, 2), true],
    ['two /64 networks', ipv6(32, 1, 2, 3, 4, 5, 6, 7), ipv6(32, 1, 2, 3, 4, 5, 6, 8), false],
    ['high bits', ipv6(255, 255, 255, 255, 255, 255, 255, 255), ipv6(127), false],
    [
      'loopback of IPv6 and none',
      ipv6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
      ipv6(),
      true,
    ],
  ])('%s', (_, a, b, same) => {
    const limits = fresh()
    expect(limits.addressOf(a, now) === limits.addressOf(b, now)).toBe(same)
  })

  test('more than the table holds take the place of those that were quiet longest', () => {
    const limits = fresh(['--ban-after', '1'])
    const busy = limits.addressOf(client, now)
    limits.chargeRequest(busy, 100, Ms(now + 300_000))
    const offender = limits.addressOf(ipv4(9, 9, 9, 9), now)
    for (let i = 0; i < 2; i++) limits.chargeRequest(offender, 6_001, now)
    const forgotten = counter('addressesForgotten')
    for (let i = 0; i < 50_000; i++) {
      const address = limits.addressOf(ipv4(10, 1 + (i >> 16), (i >> 8) & 255, i & 255), now)
      limits.chargeRequest(address, 1, now)
      if (limits.weightUsed !== 1) expect(limits.weightUsed, `of address ${i}`).toBe(1)
    }
    expect(counter('addressesForgotten') - forgotten).toBeGreaterThan(40_000)
    limits.chargeRequest(limits.addressOf(client, now), 1, Ms(now + 300_000))
    expect(limits.weightUsed).toBe(101)
    const again = limits.addressOf(ipv4(9, 9, 9, 9), now)
    expect(limits.chargeRequest(again, 1, now)).toMatchObject({ fault: { id: 'ADDRESS_BANNED' } })
  })

  test('whose place was taken do not charge who took it', () => {
    const limits = fresh()
    const handles = Array.from({ length: 10_000 }, (_, i) =>
      limits.addressOf(ipv4(10, 1, i >> 8, i & 255), Ms(now + i * 300_000)),
    )
    const later = Ms(now + 10_000 * 300_000)
    limits.chargeRequest(handles[0]!, 50, later)
    for (const handle of handles.slice(-500)) {
      limits.chargeRequest(handle, 1, later)
      expect(limits.weightUsed).toBe(1)
    }
  })

  test.each([
    ['127.0.0.1', ipv4(127, 0, 0, 1), true],
    ['127.0.0.1', mapped(127, 0, 0, 1), true],
    ['127.0.0.1', client, false],
    ['192.168.0.0/16, 10.0.0.0/8', client, true],
    ['fd00::/8', ipv6(0xfd, 1), true],
    ['fd00::/8', ipv6(0xfe, 1), false],
    ['', client, false],
  ])('exempt by "%s", case %#', (ranges, address, exempt) => {
    const limits = fresh(['--exempt-addresses', ranges])
    const handle = limits.addressOf(address, now)
    expect(handle === UNLIMITED).toBe(exempt)
    for (let i = 0; i < 20; i++) limits.chargeRequest(handle, 6_000, now)
    expect(limits.chargeRequest(handle, 6_000, now) === undefined).toBe(exempt)
    expect(limits.chargeConnection(handle, now)).toBeUndefined()
    // The header of an exempt address shows what the request itself weighs.
    if (exempt) expect(limits.weightUsed).toBe(6_000)
  })

  test('are unlimited when limits are off', () => {
    const limits = fresh(['--limits', 'off'])
    const address = limits.addressOf(client, now)
    expect(limits.chargeRequest(address, 9_999, now)).toBeUndefined()
    expect(limits.weightUsed).toBe(9_999)
    limits.settleWeight(address, 9_999, 0, now)
    expect(limits.weightUsed).toBe(0)
    expect(limits.orderRefusal({ id: AccountId(1) }, 1_000_000, now)).toBeUndefined()
  })
})

describe('weight of what succeeds', () => {
  test("across a minute's border lowers nothing, and the header shows the new minute", () => {
    const limits = fresh()
    const address = limits.addressOf(client, now)
    limits.chargeRequest(address, 4, Ms(now + 59_999))
    limits.chargeRequest(address, 20, Ms(now + 60_000))
    limits.settleWeight(address, 4, 0, Ms(now + 59_999))
    expect(limits.weightUsed).toBe(20)
    limits.chargeRequest(address, 1, Ms(now + 60_000))
    expect(limits.weightUsed).toBe(21)
  })

  test('charged by a clock that is behind is added to the minute that has begun', () => {
    const limits = fresh()
    const address = limits.addressOf(client, now)
    limits.chargeRequest(address, 4, Ms(now + 60_000))
    limits.chargeRequest(address, 5, Ms(now + 59_999))
    expect(limits.weightUsed).toBe(9)
    limits.chargeRequest(address, 1, Ms(now + 60_000))
    expect(limits.weightUsed).toBe(10)
  })

  test('after the clock was set back is counted from zero', () => {
    const limits = fresh()
    const address = limits.addressOf(client, now)
    limits.chargeRequest(address, 6_000, Ms(now + DAY_MS))
    expect(limits.chargeRequest(address, 5, now)).toBeUndefined()
    expect(limits.weightUsed).toBe(5)
  })

  test('is charged all the same when every order is to cost its weight', () => {
    const limits = fresh(['--order-weight', 'every'])
    const address = limits.addressOf(client, now)
    limits.chargeRequest(address, 4, now)
    limits.settleSuccess(address, 4, 0, now)
    expect(limits.weightUsed).toBe(4)
  })
})

describe('a ban', () => {
  /** The refusal that so many requests in a row end with. */
  const insist = (limits: RateLimits, times: number, atMs: Ms) => {
    const address = limits.addressOf(client, atMs)
    let refusal = limits.chargeRequest(address, 6_001, atMs)
    for (let i = 1; i < times; i++) refusal = limits.chargeRequest(address, 6_001, atMs)
    return refusal
  }
  const banUntil = (untilMs: Ms) => ({
    fault: { id: 'ADDRESS_BANNED', detail: [untilMs] },
    untilMs,
  })

  test('comes with the tenth request after the first refusal, and ends', () => {
    const limits = fresh()
    const banned = counter('addressesBanned')
    const address = limits.addressOf(client, now)
    limits.chargeRequest(address, 17, now)
    expect(insist(limits, 10, now)).toMatchObject(TOO_MUCH_WEIGHT)
    expect(insist(limits, 1, Ms(now + 1))).toEqual(banUntil(Ms(now + 121_000)))
    expect(counter('addressesBanned')).toBe(banned + 1)
    expect(limits.weightUsed).toBe(17)
    const second = Ms(now + 1_000)
    expect(limits.chargeRequest(address, 1, second)).toEqual(banUntil(Ms(now + 121_000)))
    expect(limits.chargeRequest(address, 1, second, 'CONNECTIONS')).toEqual(
      banUntil(Ms(now + 121_000)),
    )
    expect(limits.chargeConnection(address, second)).toBeUndefined()
    expect(limits.chargeRequest(address, 1, Ms(now + 120_999))).toEqual(banUntil(Ms(now + 121_000)))
    expect(limits.chargeRequest(address, 1, Ms(now + 121_000))).toBeUndefined()
  })

  test('comes of more than 100 orders in a minute that are refused for their count', () => {
    const limits = fresh()
    const address = limits.addressOf(client, now)
    const strike = (atMs: Ms) => limits.orderRefused(address, atMs)
    for (let i = 0; i < ORDER_REFUSALS_MAX; i++) expect(strike(now)).toBeUndefined()
    // Another minute, in which going on counts from the beginning.
    for (let i = 0; i < ORDER_REFUSALS_MAX; i++) expect(strike(Ms(now + 60_000))).toBeUndefined()
    expect(limits.isBanned(address, Ms(now + 60_000))).toBe(false)
    expect(strike(Ms(now + 60_000))).toEqual(banUntil(Ms(now + 180_000)))
    expect(limits.isBanned(address, Ms(now + 60_000))).toBe(true)
    const other = limits.addressOf(ipv4(10, 0, 0, 3), Ms(now + 60_000))
    expect(limits.isBanned(other, Ms(now + 60_000))).toBe(false)
    expect(limits.isBanned(address, Ms(now + 180_000))).toBe(false)
    expect(limits.orderRefused(UNLIMITED, now)).toBeUndefined()
  })

  test('is twice as long each time, up to three days', () => {
    const limits = fresh()
    let atMs = now
    const seconds: number[] = []
    for (let i = 0; i < 14; i++) {
      const { untilMs } = insist(limits, 11, atMs)!
      seconds.push((untilMs - atMs) / 1000)
      atMs = untilMs
    }
    const expected = Array.from({ length: 14 }, (_, i) => Math.min(120 * 2 ** i, 259_200))
    expect(seconds).toEqual(expected)
    // An offender is forgotten after more than three days without a ban.
    const remembered = atMs + 3 * DAY_MS
    const { untilMs } = insist(limits, 11, Ms(remembered))!
    expect(untilMs).toBe(remembered + 3 * DAY_MS)
    const forgiven = untilMs + 3 * DAY_MS + 1_000
    expect(insist(limits, 11, Ms(forgiven))!.untilMs).toBe(forgiven + 120_000)
  })
})

describe('accounts', () => {
  const counts = (limits: RateLimits, account: number, atMs: Ms) => {
    const [day, second] = limits.orderCounts({ id: AccountId(account) }, atMs)
    return [second.count, day.count]
  }

  test('have their own limits, to the last order, weight and session', () => {
    const limits = fresh()
    const own = { ordersPerSecond: 2, ordersPerDay: 3, weight: 50, sessions: 1, bansNone: true }
    const account = { id: AccountId(2), limits: own as AccountLimits }
    const address = limits.addressOf(client, now)
    expect(limits.chargeOrders(account, 2, now)).toBeUndefined()
    const perSecond = { fault: { id: 'TOO_MANY_ORDERS', detail: [2, 1, 'SECOND'] } }
    const perDay = { fault: { id: 'TOO_MANY_ORDERS', detail: [3, 1, 'DAY'] } }
    expect(limits.chargeOrders(account, 1, now)).toMatchObject(perSecond)
    expect(limits.chargeOrders(account, 1, Ms(now + 1_000))).toBeUndefined()
    expect(limits.chargeOrders(account, 1, Ms(now + 2_000))).toMatchObject(perDay)
    for (let i = 0; i <= ORDER_REFUSALS_MAX; i++) {
      expect(limits.orderRefused(address, now, account)).toBeUndefined()
    }
    expect(limits.isBanned(address, now)).toBe(false)

    expect(limits.chargeRequest(address, 50, now)).toBeUndefined()
    expect(limits.chargeAccount(account, address, 50, now)).toBeUndefined()
    expect(limits.weightUsed).toBe(50)
    limits.readWeight(address, now)
    expect(limits.weightUsed).toBe(0)
    expect(limits.chargeRequest(address, 1, now)).toBeUndefined()
    const weight = { fault: { id: 'TOO_MUCH_WEIGHT', detail: [50, 1, 'MINUTE'] } }
    expect(limits.chargeAccount(account, address, 1, now)).toMatchObject(weight)
    expect(limits.weightUsed).toBe(50)
    limits.readWeight(address, now)
    expect(limits.weightUsed).toBe(1)
    limits.settleWeight(address, 50, 1, now, account)
    expect(limits.weightUsed).toBe(1)

    expect([limits.takeSession(account), limits.takeSession(account)]).toEqual([true, false])
    limits.giveSession(account)
    expect(limits.takeSession(account)).toBe(true)
  })

  test('keep counts in a copy, and no sessions, whose connections end', () => {
    const [from, to] = [memory(), memory()]
    const account = { id: AccountId(ACCOUNTS_MAX - 1), limits: { sessions: 1, weight: 5 } }
    const before = fresh([], from)
    before.takeSession(account)
    before.chargeOrders(account, 3, now)
    copyLimits(to, from)
    const after = fresh([], to)
    expect(counts(after, account.id, now)).toEqual([3, 3])
    expect([before.takeSession(account), after.takeSession(account)]).toEqual([false, true])
  })

  /** Every line: hh:mm:ss (of day 1 or 2), what happens, the count shown after it. */
  type Step = readonly [time: string, happening: 'place' | 'taker' | 'maker' | '', count: number]
  const examples: readonly (readonly [name: string, steps: readonly Step[]])[] = [
    [
      'taker',
      [
        ['00:00:00', '', 0],
        ['00:00:01', 'place', 1],
        ['00:00:02', 'place', 2],
        ['00:00:02', 'taker', 1],
        ['00:00:03', 'place', 2],
        ['00:00:04', '', 2],
        ['00:00:04', '', 2],
        ['00:00:05', 'place', 3],
        ['00:00:05', 'taker', 2],
      ],
    ],
    [
      'maker',
      [
        ['00:00:00', '', 0],
        ['00:00:01', 'place', 1],
        ['00:00:01', 'place', 2],
        ['00:00:02', 'place', 3],
        ['00:00:02', 'place', 4],
        ['00:00:02', 'place', 5],
        ['00:00:03', 'maker', 0],
        ['00:00:04', 'place', 1],
        ['00:00:04', 'place', 2],
        ['00:00:05', '', 2],
        ['00:00:05', '', 2],
        ['00:00:05', 'maker', 0],
        ['00:00:06', 'place', 1],
      ],
    ],
    [
      'canceled and expired',
      [
        ['00:00:00', '', 0],
        ['00:00:01', 'place', 1],
        ['00:00:02', '', 1],
        ['00:00:02', 'place', 2],
        ['00:00:03', 'place', 3],
        ['00:00:03', 'taker', 2],
        ['00:00:05', 'place', 3],
        ['00:00:06', 'place', 4],
        ['00:00:06', '', 4],
        ['00:00:07', '', 4],
        ['00:00:07', 'place', 5],
      ],
    ],
  ]
  const msOf = (time: string) => {
    const [hours, minutes, seconds] = time.split(':').map(Number)
    return now + ((hours! * 60 + minutes!) * 60 + seconds!) * 1000
  }

  test.each(examples)('are credited as in the example of %s', (_, steps) => {
    const limits = fresh()
    for (const [time, happening, count] of steps) {
      const atMs = Ms(msOf(time))
      if (happening === 'place')
        expect(limits.chargeOrders({ id: AccountId(1) }, 1, atMs)).toBeUndefined()
      else if (happening !== '') limits.creditFill(AccountId(1), happening === 'maker', atMs)
      expect(counts(limits, 1, atMs)[1], `${time} ${happening}`).toBe(count)
    }
  })
})

test('each way in publishes the limits that hold there', () => {
  const limiters = limitersOf(limitSettings(['--weight-limit', '50']))
  const types = (arrival: ArrivalLimit) =>
    publishedLimits(limiters, arrival).map(
      ({ rateLimitType, intervalNum, interval, limit }) =>
        `${rateLimitType} ${limit} per ${intervalNum} ${interval}`,
    )
  const both = [
    'REQUEST_WEIGHT 50 per 1 MINUTE',
    'ORDERS 10 per 1 SECOND',
    'ORDERS 160000 per 1 DAY',
  ]
  expect(types('RAW_REQUESTS')).toEqual([...both, 'RAW_REQUESTS 61000 per 5 MINUTE'])
  expect(types('CONNECTIONS')).toEqual([...both, 'CONNECTIONS 300 per 5 MINUTE'])
})

test.each([
  [60_000, 0, 60],
  [60_000, 59_001, 1],
  [60_000, 58_999, 2],
  [1_000, 999, 1],
  [1_000, 1_000, 1],
])('until %i ms it is %i ms: the wait is %i s', (untilMs, nowMs, seconds) => {
  expect(retryAfterSeconds(Ms(untilMs), Ms(nowMs))).toBe(seconds)
})
