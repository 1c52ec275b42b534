/** What is counted of an address besides its limits, by two gateways with false time. */
import { beforeEach, describe, expect, test } from 'vitest'
import { Ms } from '../../../../src/base/units.ts'
import {
  BAD_SIGNATURES_MAX,
  ORDER_REFUSALS_MAX,
  REFUSALS_MAX,
  UNLIMITED,
} from '../../../../src/gateway/limits/address-guard.ts'
import { addressKey } from '../../../../src/gateway/limits/quota.ts'
import { limitBytes, RateLimits } from '../../../../src/gateway/limits/rate-limits.ts'
import {
  BAD_PER_KEY_MAX,
  SignatureBudget,
} from '../../../../src/gateway/limits/signature-budget.ts'
import { SocketCounts } from '../../../../src/gateway/limits/socket-counts.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'
import { limitSettings } from '../../../fixtures/one-thread-exchange.ts'

const MINUTE_MS = 60_000
const now = Ms(MINUTE_MS * 28_000_000)
const counterCells = new SharedArrayBuffer(countersBytes(1, 1))
const counters = ThreadCounters.ofGateway(counterCells, 0)
const counter = (name: string) =>
  readCounters(counterCells, 1, 1).find((it) => it.name === name)!.value

let gateways: RateLimits[]
const begin = (...flags: string[]) => {
  const memory = new SharedArrayBuffer(limitBytes(1))
  gateways = [0, 1].map(() => new RateLimits(memory, 1, limitSettings(flags), counters))
}
beforeEach(() => begin('--accepts-per-address', '10'))

const ipv6 = (network: number, host: number) =>
  Uint8Array.from({ length: 16 }, (_, i) =>
    i === 0 ? 32 : i === 7 ? network : i === 15 ? host : 1,
  )
const at = (address: Uint8Array, gateway = 0) => gateways[gateway]!.addressOf(address, now)
const here = Uint8Array.of(10, 0, 0, 1)
const there = Uint8Array.of(10, 0, 0, 2)
const accept = (address: Uint8Array, gateway = 0, nowMs = now) =>
  gateways[gateway]!.guard.accept(at(address, gateway), nowMs)

describe('connections that an address opens in ten seconds', () => {
  test('are bounded over all gateways, and others are not concerned', () => {
    for (let i = 0; i < 10; i++) expect(accept(here, i % 2)).toBe(true)
    expect([accept(here, 0), accept(here, 1), accept(there)]).toEqual([false, false, true])
    expect(accept(here, 1, Ms(now + 10_000))).toBe(true)
  })

  test('are those of a /64 network of IPv6', () => {
    for (let i = 0; i < 10; i++) expect(accept(ipv6(1, i))).toBe(true)
    expect([accept(ipv6(1, 99)), accept(ipv6(2, 0))]).toEqual([false, true])
  })

  test('have less room while WebSockets of the address are open', () => {
    const { guard } = gateways[0]!
    for (let i = 0; i < 4; i++) {
      expect(accept(here)).toBe(true)
      guard.opened(at(here), now)
    }
    expect(gateways[1]!.guard.webSockets(at(here, 1))).toBe(4)
    for (let i = 0; i < 6; i++) expect(accept(here)).toBe(true)
    expect(accept(here)).toBe(false)
    guard.closed(at(here))
    expect([accept(here), accept(here)]).toEqual([true, false])
  })

  test('are not bounded where the address is not limited', () => {
    begin('--accepts-per-address', '1', '--exempt-addresses', '10.0.0.1')
    for (let i = 0; i < 20; i++) expect(accept(here)).toBe(true)
    expect([accept(there), accept(there)]).toEqual([true, false])
  })
})

test('an address that continues after a thousand refusals is closed at accept for the minute', () => {
  const before = counter('addressesShutOut')
  for (let i = 0; i <= REFUSALS_MAX; i++) {
    expect(gateways[0]!.guard.isShutOut(at(here), now)).toBe(false)
    gateways[0]!.guard.refused(at(here), now)
  }
  expect([accept(here, 1), accept(there, 1)]).toEqual([false, true])
  expect(counter('addressesShutOut')).toBe(before + 1)
  expect(accept(here, 1, Ms(now + MINUTE_MS))).toBe(true)
})

test('limits and bans count as refusals, and a banned address is shut out in the end', () => {
  begin('--weight-limit', '1', '--ban-after', '2')
  const [limits] = gateways as [RateLimits]
  expect(limits.chargeRequest(at(here), 1, now, 'CONNECTIONS')).toBeUndefined()
  const faults = []
  for (let i = 0; i <= REFUSALS_MAX; i++) {
    faults.push(limits.chargeRequest(at(here), 1, now, 'CONNECTIONS')!.fault.id)
  }
  expect(faults.slice(0, 4)).toEqual([
    'TOO_MUCH_WEIGHT',
    'TOO_MUCH_WEIGHT',
    'ADDRESS_BANNED',
    'ADDRESS_BANNED',
  ])
  expect(limits.isBanned(at(here), now)).toBe(true)
  expect(limits.guard.bansBegun).toBe(1)
  expect(accept(here)).toBe(false)
})

test('more than a hundred orders that are refused -1015 in a minute bring a ban', () => {
  const [limits] = gateways as [RateLimits]
  for (let i = 0; i < ORDER_REFUSALS_MAX; i++) {
    expect(limits.orderRefused(at(here), now)).toBeUndefined()
  }
  expect(limits.orderRefused(at(here), now)).toMatchObject({ fault: { id: 'ADDRESS_BANNED' } })
  expect(limits.orderRefused(UNLIMITED, now)).toBeUndefined()
  expect(limits.orderRefused(at(there), now)).toBeUndefined()
})

describe('signatures that cost a check', () => {
  const budget = () => new SignatureBudget(gateways[0]!.guard, counters)

  test('are checked until too many of an address were bad', () => {
    const checks = budget()
    for (let i = 0; i < BAD_SIGNATURES_MAX; i++) {
      expect(checks.mayCheck('key', at(here), now)).toBe(true)
      checks.wasBad('key', at(here), now)
    }
    expect(checks.mayCheck('key', at(here), now)).toBe(false)
    expect(checks.mayCheck('another', at(here), now)).toBe(false)
    expect(checks.mayCheck('key', at(there), now)).toBe(true)
    expect(checks.mayCheck('key', at(here), Ms(now + MINUTE_MS))).toBe(true)
  })

  test('of a key under attack are checked once for each address, so its owner gets in', () => {
    const checks = budget()
    for (let i = 0; i < BAD_PER_KEY_MAX; i++) checks.wasBad('key', UNLIMITED, now)
    checks.wasBad('another', at(here), now)
    expect(checks.mayCheck('key', at(here), now)).toBe(false)
    expect(checks.mayCheck('another', at(here), now)).toBe(true)
    for (let i = 0; i < 5; i++) expect(checks.mayCheck('key', at(there), now)).toBe(true)
    const later = Ms(now + MINUTE_MS)
    expect(checks.mayCheck('key', at(here), later)).toBe(true)
    // The attack was of the minute before.
    checks.wasBad('key', at(here), later)
    expect(checks.mayCheck('key', at(here), later)).toBe(true)
  })
})

test('what a client keeps is counted by its network of IPv6, or its address of IPv4', () => {
  const keyOf = (bytes: Uint8Array) => addressKey(Uint8Array.from(bytes).buffer)
  expect(keyOf(ipv6(1, 1))).toBe(keyOf(ipv6(1, 2)))
  expect(keyOf(ipv6(1, 1))).not.toBe(keyOf(ipv6(2, 1)))
  const mapped = Uint8Array.of(...new Uint8Array(10), 255, 255, ...here)
  expect(keyOf(mapped)).toBe(keyOf(here))
  expect(keyOf(here)).not.toBe(keyOf(there))
})

test('sockets are bounded at each gateway and in all', () => {
  const [first, second] = gateways.map(({ guard }) => new SocketCounts(guard, 3, 4))
  expect([first!.count(1), first!.count(1), first!.count(1), first!.count(1)]).toEqual([
    ...[true, true, true, false],
  ])
  first!.count(-1)
  expect([second!.count(1), second!.count(1)]).toEqual([true, false])
  second!.count(-1)
  first!.left()
  expect(second!.count(1)).toBe(true)
})
