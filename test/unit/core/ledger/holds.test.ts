import fc from 'fast-check'
import { expect, test } from 'vitest'
import { int64ToBigint } from '../../../../src/base/int64.ts'
import { AccountId, AssetId, Atoms, Ms } from '../../../../src/base/units.ts'
import { BALANCE_WORDS, Balances } from '../../../../src/core/ledger/balances.ts'
import { Holds } from '../../../../src/core/ledger/holds.ts'
import { PlainLedger } from '../../../model/plain-ledger.ts'

const ACCOUNTS = 3
const ASSETS = 2

function open() {
  const memory = new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS))
  const balances = new Balances(memory, ACCOUNTS, ASSETS)
  const matchers = [0, 1].map(() => new Holds(balances, ACCOUNTS, ASSETS))
  return { balances, first: matchers[0]!, second: matchers[1]!, matchers }
}

function read(balances: Balances, account: number, asset: number): [free: bigint, locked: bigint] {
  const words = new Int32Array(BALANCE_WORDS)
  balances.read(AccountId(account), AssetId(asset), words)
  return [int64ToBigint(words, 1), int64ToBigint(words, 3)]
}

test('what one matcher promised no other can, and no reader sees it before it settles', () => {
  const { balances, first, second } = open()
  balances.credit(AccountId(1), AssetId(0), Atoms(100))
  expect(first.hold(AccountId(1), AssetId(0), Atoms(70))).toBe(true)
  expect(second.hold(AccountId(1), AssetId(0), Atoms(31))).toBe(false)
  expect(read(balances, 1, 0)).toEqual([100n, 0n])
  first.settle(true)
  expect(read(balances, 1, 0)).toEqual([30n, 70n])
  expect(second.available(AccountId(1), AssetId(0))).toBe(30)
})

test('an account is marked with the time of its last change, whichever matcher made it', () => {
  const { balances, first, second } = open()
  balances.credit(AccountId(1), AssetId(0), Atoms(100))
  first.hold(AccountId(1), AssetId(0), Atoms(1))
  expect(balances.changedMs(AccountId(1))).toBe(0)
  first.settle(true, Ms(1000))
  second.credit(AccountId(1), AssetId(1), Atoms(5))
  second.settle(false, Ms(999))
  expect(balances.changedMs(AccountId(1))).toBe(1000)
  second.settle(true, Ms(1001))
  first.release(AccountId(1), AssetId(0), Atoms(1))
  first.hold(AccountId(1), AssetId(0), Atoms(1))
  first.settle(true, Ms(1002))
  expect(balances.changedMs(AccountId(1))).toBe(1000)
  second.credit(AccountId(1), AssetId(1), Atoms(2 ** 52))
  second.credit(AccountId(1), AssetId(1), Atoms(2 ** 52))
  second.settle(true, Ms(1_700_000_000_000))
  first.hold(AccountId(1), AssetId(1), Atoms(2 ** 52))
  first.hold(AccountId(1), AssetId(1), Atoms(2 ** 52))
  first.release(AccountId(1), AssetId(1), Atoms(2 ** 53 - 2))
  first.release(AccountId(1), AssetId(1), Atoms(2))
  first.settle(true, Ms(1_700_000_000_001))
  expect([0, 1, 2].map((id) => balances.changedMs(AccountId(id)))).toEqual([
    0, 1_700_000_000_000, 0,
  ])
})

test('a batch may spend what it credited or released itself; others only once it settled', () => {
  const { balances, first, second } = open()
  first.credit(AccountId(1), AssetId(0), Atoms(50))
  expect(second.hold(AccountId(1), AssetId(0), Atoms(1))).toBe(false)
  expect(first.hold(AccountId(1), AssetId(0), Atoms(40))).toBe(true)
  first.release(AccountId(1), AssetId(0), Atoms(40))
  expect(first.available(AccountId(1), AssetId(0))).toBe(50)
  first.settle(true)
  expect(second.hold(AccountId(1), AssetId(0), Atoms(50))).toBe(true)
  expect(read(balances, 1, 0)).toEqual([50n, 0n])
})

test('what is journaled but not flushed is shown, and spent by its own matcher only', () => {
  const { balances, first, second } = open()
  first.credit(AccountId(1), AssetId(0), Atoms(50))
  first.settle(false)
  expect(read(balances, 1, 0)).toEqual([50n, 0n])
  expect(second.hold(AccountId(1), AssetId(0), Atoms(1))).toBe(false)
  expect(first.hold(AccountId(1), AssetId(0), Atoms(30))).toBe(true)
  first.settle(false)
  expect(read(balances, 1, 0)).toEqual([20n, 30n])
  first.settle(true)
  expect(read(balances, 1, 0)).toEqual([20n, 30n])
  expect(second.hold(AccountId(1), AssetId(0), Atoms(20))).toBe(true)
})

test('a refused hold changes nothing', () => {
  const { balances, first } = open()
  balances.credit(AccountId(1), AssetId(0), Atoms(10))
  first.credit(AccountId(1), AssetId(0), Atoms(5))
  expect(first.hold(AccountId(1), AssetId(0), Atoms(16))).toBe(false)
  expect(first.available(AccountId(1), AssetId(0))).toBe(15)
  first.settle(true)
  expect(read(balances, 1, 0)).toEqual([15n, 0n])
})

test('one batch may move more of a balance than fits a number', () => {
  const { balances, first } = open()
  const most = Number.MAX_SAFE_INTEGER
  for (let i = 0; i < 1000; i++) first.credit(AccountId(1), AssetId(0), Atoms(most))
  for (let i = 0; i < 999; i++) expect(first.hold(AccountId(1), AssetId(0), Atoms(most))).toBe(true)
  expect(first.available(AccountId(1), AssetId(0))).toBe(most)
  expect(first.hold(AccountId(1), AssetId(0), Atoms(most))).toBe(true)
  expect(first.hold(AccountId(1), AssetId(0), Atoms(1))).toBe(false)
  first.settle(true)
  expect(read(balances, 1, 0)).toEqual([0n, BigInt(most) * 1000n])
})

/** Acts on one balance; amounts are small, or near what a number carries. */
const act = fc.record({
  matcher: fc.nat(1),
  account: fc.integer({ min: 1, max: ACCOUNTS - 1 }),
  asset: fc.nat(ASSETS - 1),
  kind: fc.constantFrom('hold', 'release', 'spend', 'credit', 'commit', 'settle'),
  atoms: fc.oneof(fc.nat(100), fc.integer({ min: 2 ** 52, max: Number.MAX_SAFE_INTEGER })),
})

test('two matchers agree with the plain ledger, whatever they do', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      const { balances, matchers } = open()
      const plain = new PlainLedger(2)
      for (let account = 1; account < ACCOUNTS; account++) {
        balances.credit(AccountId(account), AssetId(0), 2n ** 55n)
        plain.deposit(account, 0, 2n ** 55n)
      }
      for (const { matcher, account, asset, kind, atoms } of acts) {
        const holds = matchers[matcher]!
        const wide = BigInt(atoms)
        if (kind === 'hold') {
          const isHeld = plain.lock(matcher, account, asset, wide)
          expect(holds.hold(AccountId(account), AssetId(asset), Atoms(atoms))).toBe(isHeld)
        } else if (kind === 'settle') {
          holds.settle(true)
          plain.settle(matcher)
        } else if (kind === 'commit') {
          holds.settle(false)
          plain.commit(matcher)
        } else if (kind === 'credit') {
          holds.credit(AccountId(account), AssetId(asset), Atoms(atoms))
          plain.earn(matcher, account, asset, wide)
        } else if (kind === 'release') {
          holds.release(AccountId(account), AssetId(asset), Atoms(atoms))
          plain.unlock(matcher, account, asset, wide)
        } else {
          holds.spend(AccountId(account), AssetId(asset), Atoms(atoms))
          plain.pay(matcher, account, asset, wide)
        }
        const { free, locked } = plain.shown(account, asset)
        expect(read(balances, account, asset)).toEqual([free, locked])
      }
    }),
  )
})
