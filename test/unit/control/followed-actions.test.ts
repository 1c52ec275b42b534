/** Actions of a leader's operators, at a member that follows, and its own operators' actions. */
import { expect, test } from 'vitest'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { ASSETS_MAX } from '../../../src/base/limits.ts'
import { AccountId, AssetId, Ms, SymbolId } from '../../../src/base/units.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { JOURNAL_LAYOUT } from '../../../src/journal/block.ts'
import { ActionBench } from './plain-control-plane.ts'

const ALICE = AccountId(1)
const BTC = AssetId(0)

/** A leader, and a follower that has all its facts so far. */
async function makeBoth() {
  const [leader, follower] = [await ActionBench.make(), await ActionBench.make()]
  follower.controlPlane.leader = 'http://leader'
  const follow = async (action: string) => {
    const { texts } = leader.controlPlane
    const from = texts.length
    await leader.ask(action)
    await follower.executor.follow(texts.slice(from))
  }
  return { leader, follower, follow }
}

test.each([
  'deposit alice BTC 1.5',
  'withdraw alice BTC 2 --yes on',
  'lock alice BTC 1',
  'account-open bob --maker 0.002',
  'key-create alice',
  'asset-list DOGE',
  'halt BTCUSDT',
  'maintenance on',
  'operator-add carol support',
])('%s is applied and journaled as the leader did', async (action) => {
  const { leader, follower, follow } = await makeBoth()
  await follow(action)
  expect(follower.controlPlane.texts.at(-2)).toBe(leader.controlPlane.texts.at(-2))
  expect(follower.controlPlane.texts.at(-1)).toBe(leader.controlPlane.texts.at(-1))
  expect(follower.controlPlane.view.balance(ALICE, BTC)).toEqual(
    leader.controlPlane.view.balance(ALICE, BTC),
  )
  const { accounts, assets, symbols, operators, keys } = follower.registry
  const own = leader.registry
  expect([accounts, assets, symbols]).toEqual([own.accounts, own.assets, own.symbols])
  expect([operators.size, keys.size]).toEqual([own.operators.size, own.keys.size])
})

test('a text is journaled as it came', async () => {
  const { follower } = await makeBoth()
  const text = '{"fact":"journals","2":0,"count":3}'
  await follower.executor.follow([text])
  expect(follower.controlPlane.texts.at(-1)).toBe(text)
  expect(follower.registry.journals).toBe(3)
})

test.each([
  ['deposit alice BTC 1', 'This member follows http://leader.'],
  ['cancel-orders alice BTCUSDT', 'This member follows http://leader.'],
  ['halt BTCUSDT', 'This member follows http://leader.'],
])('%s is refused, and changes nothing', async (action, why) => {
  const { follower } = await makeBoth()
  const before = follower.controlPlane.texts.length
  await expect(follower.ask(action)).rejects.toThrow(why)
  expect(follower.controlPlane.texts.length).toBe(before)
  expect(follower.controlPlane.done).toEqual([])
})

test.each([
  'accounts',
  'snapshot',
  'backup /tmp/copy',
  'reload',
  'stop',
])("%s is carried out, and not journaled: the control journal is the leader's", async (action) => {
  const { follower } = await makeBoth()
  const journaled = follower.controlPlane.texts.length
  await expect(follower.ask(action)).resolves.toBeDefined()
  expect(follower.controlPlane.texts).toHaveLength(journaled)
})

test('what does not apply is refused', async () => {
  const { follower } = await makeBoth()
  const withdrawal = { account: ALICE, asset: BTC, atoms: '900000000', timeMs: 1 }
  const facts = [JSON.stringify({ fact: 'withdrawal', ...withdrawal })]
  await expect(follower.executor.follow(facts)).rejects.toThrow(/not enough/)
})

test('symbols are of the matchers that the leader had at its start, or at their listing', () => {
  const registry = new Registry()
  const listed = (id: number): Fact => ({
    fact: 'symbol',
    id: SymbolId(id),
    name: `S${id}`,
    base: 'A',
    quote: 'B',
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '100', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.01', maxQty: '1000', stepSize: '0.01' },
    ],
    preventionModes: [0],
    preventionDefault: 0,
  })
  const action: Fact = { fact: 'act', name: 'symbol-list', by: 'owner', timeMs: Ms(1), given: {} }
  const facts: readonly Fact[] = [
    { fact: 'asset', id: AssetId(0), name: 'A' },
    { fact: 'asset', id: AssetId(1), name: 'B' },
    listed(0),
    action,
    { fact: 'start', epoch: 1, timeMs: Ms(1), layout: JOURNAL_LAYOUT, matchers: 3, owners: [2] },
    // In force from the next start on.
    { fact: 'placement', symbol: 0, matcher: 1 },
    action,
    listed(1),
    { fact: 'placement', symbol: 1, matcher: 0 },
    action,
    listed(2),
    action,
  ]
  for (const fact of facts) registry.apply(fact)
  expect(registry.matchers).toBe(3)
  expect([0, 1, 2].map((id) => registry.ownerOf(SymbolId(id), 3))).toEqual([2, 0, 2])
  registry.apply({ fact: 'start', epoch: 2, timeMs: Ms(2), layout: JOURNAL_LAYOUT })
  expect([0, 1, 2].map((id) => registry.ownerOf(SymbolId(id), 3))).toEqual([1, 0, 2])
})

test('facts that do not apply together change nothing, and give back what they took', async () => {
  const { follower } = await makeBoth()
  const { registry, controlPlane } = follower
  const journaled = controlPlane.texts.length
  const before = controlPlane.view.balance(ALICE, BTC)
  const taken = { account: ALICE, asset: BTC, atoms: '100', timeMs: Ms(1) }
  const facts: readonly Fact[] = [
    { fact: 'asset', id: AssetId(registry.assets.length), name: 'DOGE' },
    { fact: 'withdrawal', ...taken },
    { fact: 'asset', id: AssetId(ASSETS_MAX), name: 'SHIB' },
  ]
  await expect(
    follower.executor.follow(facts.map((fact) => JSON.stringify(fact))),
  ).rejects.toThrow()
  expect(registry.assets.map(({ name }) => name)).toEqual(['BTC', 'USDT'])
  expect(registry.deposited(BTC)).toBe(200_000_000n)
  expect(controlPlane.view.balance(ALICE, BTC)).toEqual(before)
  expect(controlPlane.texts).toHaveLength(journaled)
})
