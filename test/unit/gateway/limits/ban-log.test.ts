/** What an operator learns of bans: the limit that caused them, in counters and in one line a minute. */
import { expect, test } from 'vitest'
import { Ms } from '../../../../src/base/units.ts'
import { ORDER_REFUSALS_MAX } from '../../../../src/gateway/limits/address-guard.ts'
import { BAN_LOG_MS, BanLog } from '../../../../src/gateway/limits/ban-log.ts'
import { limitBytes, RateLimits } from '../../../../src/gateway/limits/rate-limits.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../../src/shared/counters.ts'
import { limitSettings } from '../../../fixtures/one-thread-exchange.ts'

const now = Ms(60_000 * 28_000_000)

test('a ban is counted and logged by the limit that caused it', () => {
  const lines: object[] = []
  const banLog = new BanLog((fields) => lines.push(fields))
  const cells = new SharedArrayBuffer(countersBytes(1, 1))
  const limits = new RateLimits(
    new SharedArrayBuffer(limitBytes(1)),
    1,
    limitSettings(['--ban-after', '1', '--weight-limit', '10', '--raw-requests-limit', '5']),
    ThreadCounters.ofGateway(cells, 0),
    banLog,
  )
  const bans = () =>
    ['bansOfWeight', 'bansOfRawRequests', 'bansOfOrders', 'addressesBanned'].map(
      (name) => readCounters(cells, 1, 1).find((it) => it.name === name)!.value,
    )
  const host = (last: number) => limits.addressOf(Uint8Array.of(10, 0, 0, last), now)
  const repeat = (times: number, call: () => unknown) => {
    for (let i = 0; i < times; i++) call()
  }

  repeat(3, () => limits.chargeRequest(host(1), 11, now, 'CONNECTIONS'))
  expect(bans()).toEqual([1, 0, 0, 1])
  repeat(7, () => limits.chargeRequest(host(2), 1, now))
  expect(bans()).toEqual([1, 1, 0, 2])
  repeat(ORDER_REFUSALS_MAX + 1, () => limits.orderRefused(host(3), now))
  expect(bans()).toEqual([1, 1, 1, 3])
  // Requests of banned addresses begin no further ban.
  for (const last of [1, 2, 3]) repeat(5, () => limits.chargeRequest(host(last), 1, now))
  expect(bans()).toEqual([1, 1, 1, 3])

  expect(lines).toEqual([])
  banLog.tend(5_000)
  expect(lines).toEqual([{ bansBy: { requestWeight: 1, rawRequests: 1, orders: 1 } }])
})

test('one line a minute tells of all bans since the last', () => {
  const lines: object[] = []
  const banLog = new BanLog((fields) => lines.push(fields))
  banLog.tend(0)
  banLog.began('orders')
  banLog.tend(0)
  banLog.began('requestWeight')
  banLog.began('requestWeight')
  banLog.tend(BAN_LOG_MS - 1)
  expect(lines).toHaveLength(1)
  banLog.tend(BAN_LOG_MS)
  expect(lines[1]).toEqual({ bansBy: { requestWeight: 2, rawRequests: 0, orders: 0 } })
  // Nothing is left to tell.
  banLog.tend(10 * BAN_LOG_MS)
  expect(lines).toHaveLength(2)
})
