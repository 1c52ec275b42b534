/** Sums of effects beside bigints that are simply added. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { int64ToBigint } from '../../../../src/base/int64.ts'
import { AccountId, AssetId, Atoms, Ms } from '../../../../src/base/units.ts'
import { BALANCE_WORDS, Balances } from '../../../../src/core/ledger/balances.ts'
import { EffectSums } from '../../../../src/core/ledger/effect-sums.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'

const ACCOUNTS = 3
const ASSETS = 2

const atoms = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.maxSafeInteger(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
)
const effect = fc.record({
  account: fc.integer({ min: 0, max: ACCOUNTS - 1 }),
  asset: fc.integer({ min: 0, max: ASSETS - 1 }),
  free: atoms,
  locked: atoms,
  timeMs: fc.integer({ min: 1, max: 9 }).map(Ms),
})
type Effect = typeof effect extends fc.Arbitrary<infer Value> ? Value : never

const newBalances = () =>
  new Balances(new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS)), ACCOUNTS, ASSETS)

function add(sums: EffectSums, effects: readonly Effect[]): void {
  for (const { account, asset, free, locked, timeMs } of effects) {
    sums.timeMs = timeMs
    sums.addRecovered(AccountId(account), AssetId(asset), Atoms(free), Atoms(locked))
  }
}

function shown(balances: Balances): unknown {
  const words = new Int32Array(BALANCE_WORDS)
  return Array.from({ length: ACCOUNTS }, (_, account) => ({
    changedMs: balances.changedMs(AccountId(account)),
    cells: Array.from({ length: ASSETS }, (_, asset) => {
      balances.read(AccountId(account), AssetId(asset), words)
      return [int64ToBigint(words, 1), int64ToBigint(words, 3)]
    }),
  }))
}

/** What is expected of all effects on top of a first credit of 7 to account 1, asset 0. */
function plain(effects: readonly Effect[]): unknown {
  return Array.from({ length: ACCOUNTS }, (_, account) => ({
    changedMs: Math.max(
      0,
      ...effects.filter((it) => it.account === account).map((it) => it.timeMs),
    ),
    cells: Array.from({ length: ASSETS }, (_, asset) => {
      const own = effects.filter((it) => it.account === account && it.asset === asset)
      const sum = (of: (it: Effect) => number) => own.reduce((all, it) => all + BigInt(of(it)), 0n)
      const first = account === 1 && asset === 0 ? 7n : 0n
      return [first + sum((it) => it.free), sum((it) => it.locked)]
    }),
  }))
}

test('sums are exact, whatever was added before and after a snapshot', () => {
  const property = (before: readonly Effect[], after: readonly Effect[]) => {
    const earlier = new EffectSums(ACCOUNTS, ASSETS)
    add(earlier, before)
    const image = new ImageWriter()
    earlier.write(image)
    const sums = new EffectSums(ACCOUNTS, ASSETS)
    const reader = new ImageReader(image.bytes())
    sums.read(reader)
    expect(reader.isRead).toBe(true)
    add(sums, after)
    const balances = newBalances()
    balances.credit(AccountId(1), AssetId(0), Atoms(7))
    sums.settle(balances)
    expect(shown(balances)).toEqual(plain([...before, ...after]))
  }
  fc.assert(fc.property(fc.array(effect), fc.array(effect), property))
})
