/** Networks that a client has chosen to share its neighbour's set of the address table. */
import { expect, test } from 'vitest'
import { Ms } from '../../../../src/base/units.ts'
import { limitBytes, RateLimits } from '../../../../src/gateway/limits/rate-limits.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'
import { limitSettings } from '../../../fixtures/one-thread-exchange.ts'

const ACCOUNTS_MAX = 4
const now = Ms(86_400_000 * 19_675)
const client = new Uint8Array([10, 0, 0, 1]).buffer
const KNOWN_SALT = 0x9e3779b97f4a7c15n
const SALTS = [0x2545f4914f6cdd1dn, 0xd1342543de82ef95n, 0xff51afd7ed558ccdn]
const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)

/** The salt is the last cell (address-table.ts); 0 has it drawn. */
function memory(salt: bigint): SharedArrayBuffer {
  const cells = new SharedArrayBuffer(limitBytes(ACCOUNTS_MAX))
  new BigUint64Array(cells)[cells.byteLength / 8 - 1] = salt
  return cells
}
const limitsOver = (cells: SharedArrayBuffer) =>
  new RateLimits(cells, ACCOUNTS_MAX, limitSettings([]), counters)

/** Networks that fall into the set of `client` under the salt that the attacker knows. */
const neighbours = () => {
  const setOf = (key: bigint) => BigInt.asUintN(64, key * KNOWN_SALT) >> 55n
  const wanted = setOf(0xffff_0000_0000n + 0x0a00_0001n)
  const found: ArrayBuffer[] = []
  for (let key = 0x2001_0db8_0000_0000n; found.length < 200; key++) {
    const bytes = new DataView(new ArrayBuffer(16))
    bytes.setBigUint64(0, key)
    if (setOf(key) === wanted) found.push(bytes.buffer)
  }
  return found
}

test('networks that share a set under one salt do not under another', () => {
  const chosen = neighbours()
  const left = (salt: bigint) => {
    const limits = limitsOver(memory(salt))
    limits.chargeRequest(limits.addressOf(client, now), 100, now)
    for (const it of chosen) limits.chargeRequest(limits.addressOf(it, now), 200, now)
    limits.readWeight(limits.addressOf(client, now), now)
    return limits.weightUsed
  }
  expect(left(KNOWN_SALT)).toBe(0)
  for (const salt of SALTS) expect(left(salt)).toBe(100)
})

test('each start draws a salt, and its gateways share it', () => {
  const draws = Array.from({ length: 3 }, () => {
    const cells = memory(0n)
    const one = limitsOver(cells).addressOf(client, now)
    expect(limitsOver(cells).addressOf(client, now)).toBe(one)
    const salt = new BigUint64Array(cells)[cells.byteLength / 8 - 1]!
    expect(salt & 1n).toBe(1n)
    return salt
  })
  expect(new Set(draws).size).toBe(3)
})
