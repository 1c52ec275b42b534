/** What operators move is in the ledger as it is in the journal: nothing stays held afterwards. */
import { expect, test } from 'vitest'
import { int64ToBigint } from '../../../src/base/int64.ts'
import { AccountId, AssetId, Ms } from '../../../src/base/units.ts'
import { BALANCE_WORDS } from '../../../src/core/ledger/balances.ts'
import { controlPlaneOf, newBalances } from './matchers-plane.ts'

const account = AccountId(1)
const asset = AssetId(2)

function bench() {
  const balances = newBalances()
  const plane = controlPlaneOf(() => {}, { balances })
  const move = (fact: 'deposit' | 'withdrawal' | 'lock', atoms: bigint) =>
    plane.enforce([{ fact, account, asset, atoms: String(atoms), timeMs: Ms(1) }])
  const state = () => {
    const words = new Int32Array(BALANCE_WORDS)
    balances.read(account, asset, words)
    const [free, locked] = [int64ToBigint(words, 1), int64ToBigint(words, 3)]
    return { free, locked, available: BigInt(balances.available(account, asset)) }
  }
  return { plane, move, state }
}

test('a withdrawal ends its hold', async () => {
  const { plane, move, state } = bench()
  await move('deposit', 100n)
  expect(plane.hold(account, asset, 70n)).toBe(true)
  expect(state()).toEqual({ free: 100n, locked: 0n, available: 30n })
  await move('withdrawal', 70n)
  expect(state()).toEqual({ free: 30n, locked: 0n, available: 30n })
})

test('a lock ends its hold, and what is unlocked may be spent at once', async () => {
  const { plane, move, state } = bench()
  await move('deposit', 100n)
  expect(plane.hold(account, asset, 60n)).toBe(true)
  await move('lock', 60n)
  expect(state()).toEqual({ free: 40n, locked: 60n, available: 40n })
  await move('lock', -50n)
  expect(state()).toEqual({ free: 90n, locked: 10n, available: 90n })
  expect(plane.hold(account, asset, 91n)).toBe(false)
  expect(plane.hold(account, asset, 90n)).toBe(true)
})

test('a refused act gives its hold back', async () => {
  const { plane, move, state } = bench()
  await move('deposit', 2n ** 62n)
  expect(plane.hold(account, asset, 2n ** 62n)).toBe(true)
  plane.release(account, asset, 2n ** 62n)
  expect(state()).toMatchObject({ free: 2n ** 62n, available: 2n ** 62n })
})
