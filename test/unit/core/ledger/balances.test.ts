import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bigintToInt64, int64, int64ToBigint } from '../../../../src/base/int64.ts'
import { AccountId, AssetId, Atoms } from '../../../../src/base/units.ts'
import { BALANCE_WORDS, Balances, CHANGE_WORDS } from '../../../../src/core/ledger/balances.ts'

const EXACT_MAX = Number.MAX_SAFE_INTEGER

function open(accounts = 2, assets = 2): Balances {
  const memory = new SharedArrayBuffer(Balances.bytesFor(accounts, assets))
  return new Balances(memory, accounts, assets)
}

function read(balances: Balances, account: number, asset: number) {
  const words = new Int32Array(BALANCE_WORDS)
  balances.read(AccountId(account), AssetId(asset), words)
  return { version: words[0]!, free: int64ToBigint(words, 1), locked: int64ToBigint(words, 3) }
}

test('a balance never touched is zero, version 0', () => {
  expect(read(open(), 1, 1)).toEqual({ version: 0, free: 0n, locked: 0n })
})

test('each account and asset has a cell of its own', () => {
  const balances = open(3, 2)
  for (let account = 0; account < 3; account++) {
    for (let asset = 0; asset < 2; asset++)
      balances.credit(AccountId(account), AssetId(asset), Atoms(account * 10 + asset))
  }
  for (let account = 0; account < 3; account++) {
    for (let asset = 0; asset < 2; asset++) {
      expect(read(balances, account, asset).free).toBe(BigInt(account * 10 + asset))
    }
  }
  expect(balances.total(AssetId(1))).toBe(1n + 11n + 21n)
})

test('a total is exact beyond what a number holds', () => {
  const balances = open(3, 2)
  balances.move(AccountId(0), AssetId(1), 2n ** 62n + 1n, 2n ** 62n - 1n, 0n)
  balances.move(AccountId(1), AssetId(1), -5n, 2n ** 33n + 7n, 0n)
  balances.credit(AccountId(2), AssetId(0), Atoms(9))
  expect(balances.total(AssetId(1))).toBe(2n ** 63n + 2n ** 33n + 2n)
  expect(balances.total(AssetId(0))).toBe(9n)
})

test('the version rises with every change, also of what is locked alone', () => {
  const balances = open()
  const [account, asset] = [AccountId(1), AssetId(0)]
  const changes: (() => void)[] = [
    () => balances.settle(account, asset, Atoms(0), Atoms(5), Atoms(0)),
    () => balances.settle(account, asset, Atoms(5), Atoms(0), Atoms(0)),
    () => balances.settleWords(account, asset, Int32Array.of(0, 0, 1, 0, 0, 0)),
    () => balances.move(account, asset, 0n, -6n, 0n),
  ]
  const versions = changes.map((change) => {
    change()
    return read(balances, 1, 0).version
  })
  expect(versions).toEqual([2, 4, 6, 8])
})

describe('hold', () => {
  test.each([
    ['all of it', 100, [100], [true], 0],
    ['more than there is', 100, [101], [false], 100],
    ['bit by bit', 100, [60, 40, 1], [true, true, false], 0],
    ['what the first left', 100, [60, 50, 40], [true, false, true], 0],
    ['nothing of nothing', 0, [0, 1], [true, false], 0],
  ])('%s', (_, free, asked, answers, left) => {
    const balances = open()
    balances.credit(AccountId(1), AssetId(0), Atoms(free))
    const { version } = read(balances, 1, 0)
    expect(asked.map((atoms) => balances.hold(AccountId(1), AssetId(0), Atoms(atoms)))).toEqual(
      answers,
    )
    expect(balances.available(AccountId(1), AssetId(0))).toBe(left)
    expect(read(balances, 1, 0), 'a hold is not seen').toEqual({
      version,
      free: BigInt(free),
      locked: 0n,
    })
  })

  test('is exact where the balance is past 2^53', () => {
    const balances = open()
    balances.credit(AccountId(1), AssetId(0), 2n ** 60n + 5n)
    for (let i = 0; i < 128; i++)
      expect(balances.hold(AccountId(1), AssetId(0), Atoms(EXACT_MAX))).toBe(true)
    expect(balances.available(AccountId(1), AssetId(0))).toBe(128 + 5)
    expect(balances.hold(AccountId(1), AssetId(0), Atoms(134))).toBe(false)
    expect(balances.hold(AccountId(1), AssetId(0), Atoms(133))).toBe(true)
  })
})

test('settle changes both at once, gives back what was held, and raises the version by two', () => {
  const balances = open()
  balances.credit(AccountId(1), AssetId(0), Atoms(100))
  balances.hold(AccountId(1), AssetId(0), Atoms(70))
  const { version } = read(balances, 1, 0)
  balances.settle(AccountId(1), AssetId(0), Atoms(-70), Atoms(50), Atoms(70))
  expect(read(balances, 1, 0)).toEqual({ version: version + 2, free: 30n, locked: 50n })
  expect(balances.available(AccountId(1), AssetId(0))).toBe(30)
})

test('sums of any changes are exact, in numbers and in words', () => {
  const amount = fc.bigInt(-(2n ** 53n) + 1n, 2n ** 53n - 1n)
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount, fc.boolean()), { maxLength: 40 }), (changes) => {
      const balances = open()
      let free = 0n
      let locked = 0n
      for (const [freeChange, lockedChange, inWords] of changes) {
        if (inWords) {
          const words = new Int32Array(CHANGE_WORDS)
          bigintToInt64(words, 0, freeChange)
          bigintToInt64(words, 2, lockedChange)
          balances.settleWords(AccountId(1), AssetId(1), words)
        } else
          balances.addRecovered(
            AccountId(1),
            AssetId(1),
            Atoms(Number(freeChange)),
            Atoms(Number(lockedChange)),
          )
        free += freeChange
        locked += lockedChange
        expect(read(balances, 1, 1)).toMatchObject({ free, locked })
      }
    }),
  )
})

test('the first negative balance is found, free or locked', () => {
  const balances = open(3, 2)
  expect(balances.firstNegative()).toBeUndefined()
  balances.addRecovered(AccountId(2), AssetId(1), Atoms(0), Atoms(-1))
  expect(balances.firstNegative()).toEqual({ account: 2, asset: 1 })
  balances.addRecovered(AccountId(1), AssetId(0), Atoms(-1), Atoms(0))
  expect(balances.firstNegative()).toEqual({ account: 1, asset: 0 })
  expect(balances.firstNegative(1)).toEqual({ account: 1, asset: 0 })
  balances.addRecovered(AccountId(1), AssetId(0), Atoms(1), Atoms(0))
  expect(balances.firstNegative(1)).toBeUndefined()
})

describe('what an operator takes', () => {
  test('is held exactly, of what no order was promised, however much it is', () => {
    const balances = open()
    balances.credit(AccountId(1), AssetId(0), 2n ** 60n)
    balances.hold(AccountId(1), AssetId(0), Atoms(5))
    expect(balances.hold(AccountId(1), AssetId(0), Atoms(2n ** 60n - 4n))).toBe(false)
    expect(balances.hold(AccountId(1), AssetId(0), Atoms(2n ** 60n - 5n))).toBe(true)
    expect(balances.hold(AccountId(1), AssetId(0), Atoms(1))).toBe(false)
    balances.move(AccountId(1), AssetId(0), -(2n ** 60n - 5n), 0n, 2n ** 60n - 5n)
    expect(read(balances, 1, 0).free).toBe(5n)
    expect(balances.available(AccountId(1), AssetId(0))).toBe(0)
  })

  test('any order of holds and moves comes to what plain sums say', () => {
    const amounts = fc.bigInt({ min: 1n, max: 2n ** 61n })
    const step = fc.tuple(fc.constantFrom('deposit', 'withdraw', 'lock', 'unlock'), amounts)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const balances = open()
        let free = 0n
        let locked = 0n
        for (const [what, atoms] of steps) {
          if (what === 'deposit' && free + locked + atoms < 2n ** 62n) {
            balances.move(AccountId(0), AssetId(1), atoms, 0n, 0n)
            free += atoms
          } else if (what === 'unlock' && atoms <= locked) {
            balances.move(AccountId(0), AssetId(1), atoms, -atoms, 0n)
            free += atoms
            locked -= atoms
          } else if (what === 'withdraw' || what === 'lock') {
            expect(balances.hold(AccountId(0), AssetId(1), Atoms(int64(atoms)))).toBe(atoms <= free)
            if (atoms > free) continue
            balances.move(AccountId(0), AssetId(1), -atoms, what === 'lock' ? atoms : 0n, atoms)
            free -= atoms
            if (what === 'lock') locked += atoms
          }
        }
        expect(read(balances, 0, 1)).toMatchObject({ free, locked })
      }),
    )
  })
})
