/** Sums of effects beside bigints that are simply added. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { int64ToBigint } from '../../../../src/base/int64.ts'
import { AccountId, AssetId, Atoms, Ms } from '../../../../src/base/units.ts'
import { BALANCE_WORDS, Balances } from '../../../../src/core/ledger/balances.ts'
import { EffectSums } from '../../../../src/core/ledger/effect-sums.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'

/** The first and the last of pages of 1,024, among others. */
const ACCOUNT_IDS = [0, 1, 1023, 1024, 2048]
const ACCOUNTS = 2049
const ASSETS = 2

const atoms = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.maxSafeInteger(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
)
const effect = fc.record({
  account: fc.constantFrom(...ACCOUNT_IDS),
  asset: fc.integer({ min: 0, max: ASSETS - 1 }),
  free: atoms,
  locked: atoms,
})
type Effect = typeof effect extends fc.Arbitrary<infer Value> ? Value : never

const newBalances = () =>
  new Balances(new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS)), ACCOUNTS, ASSETS)

const block = fc.record({
  timeMs: fc.integer({ min: 1, max: 9 }).map(Ms),
  // Effects that are taken back in the same block, among others.
  effects: fc.array(effect).chain((effects) => {
    const back = effects.map((it) => ({ ...it, free: -it.free, locked: -it.locked }))
    return fc.shuffledSubarray(back).map((some) => [...effects, ...some])
  }),
})
type Block = typeof block extends fc.Arbitrary<infer Value> ? Value : never

function add(sums: EffectSums, blocks: readonly Block[]): void {
  for (const { effects, timeMs } of blocks) {
    sums.beginBlock(timeMs)
    for (const { account, asset, free, locked } of effects) {
      sums.addRecovered(AccountId(account), AssetId(asset), Atoms(free), Atoms(locked))
    }
    sums.endBlock()
  }
}

function shown(balances: Balances): unknown {
  const words = new Int32Array(BALANCE_WORDS)
  return ACCOUNT_IDS.map((account) => ({
    changedMs: balances.changedMs(AccountId(account)),
    cells: Array.from({ length: ASSETS }, (_, asset) => {
      balances.read(AccountId(account), AssetId(asset), words)
      return [int64ToBigint(words, 1), int64ToBigint(words, 3)]
    }),
  }))
}

const sumOf = (effects: readonly Effect[], of: (it: Effect) => number) =>
  effects.reduce((all, it) => all + BigInt(of(it)), 0n)

const sumsOf = (effects: readonly Effect[], account: number) =>
  Array.from({ length: ASSETS }, (_, asset) => {
    const own = effects.filter((it) => it.account === account && it.asset === asset)
    return [sumOf(own, (it) => it.free), sumOf(own, (it) => it.locked)] as const
  })

/** What is expected of all blocks on top of a first credit of 7 to account 1, asset 0. */
function plain(blocks: readonly Block[]): unknown {
  return ACCOUNT_IDS.map((account) => {
    const changing = blocks.filter(({ effects }) =>
      sumsOf(effects, account).some(([free, locked]) => free !== 0n || locked !== 0n),
    )
    const cells = sumsOf(
      blocks.flatMap(({ effects }) => effects),
      account,
    ).map(([free, locked], asset) => [account === 1 && asset === 0 ? free + 7n : free, locked])
    return { changedMs: Math.max(0, ...changing.map(({ timeMs }) => timeMs)), cells }
  })
}

test('sums and times of changes are exact, whatever was added before and after a snapshot', () => {
  const property = (before: readonly Block[], after: readonly Block[]) => {
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
  fc.assert(fc.property(fc.array(block), fc.array(block), property))
})

test('takes memory for the balances that there are, not for all that there may be', () => {
  const before = process.memoryUsage().arrayBuffers
  const sums = new EffectSums(65_536, 64)
  for (const asset of [0, 63]) {
    sums.beginBlock(Ms(1))
    sums.addRecovered(AccountId(65_535), AssetId(asset), Atoms(1), Atoms(0))
    sums.endBlock()
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20)
})
