/** Groups of symbols for smart order routing: what is journaled, what is refused, and which matcher they have. */
import { beforeEach, expect, test } from 'vitest'
import { SymbolId } from '../../../src/base/units.ts'
import { groupTexts } from '../../../src/control/actions/groups.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { JOURNAL_LAYOUT } from '../../../src/layout/conversions.ts'
import { ActionBench } from './plain-control-plane.ts'

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
  for (const text of [
    ...['asset-list USDC', 'asset-list USDP', 'asset-list ETH'],
    ...['symbol-list BTC USDC --like BTCUSDT', 'symbol-list BTC USDP --like BTCUSDT'],
    ...['symbol-list ETH USDT --like BTCUSDT', 'account-open router'],
  ]) {
    await bench.ask(text)
  }
})
const group = (words: string) => bench.ask(`sor-group BTC ${words}`)
const symbolId = (name: string) => bench.registry.symbols.find((it) => it.name === name)!.id

test('a group is in force from the next start on, and goes with its first symbol', async () => {
  const { registry } = bench
  const ids = ['BTCUSDC', 'BTCUSDT'].map(symbolId)
  const { said } = await group('--symbols BTCUSDC,BTCUSDT --account router')
  expect(said).toContain('Orders of BTC are routed over BTCUSDC, BTCUSDT.')
  expect(registry.startedGroups).toEqual([])
  expect(ids.map((id) => registry.matcherOf(id, 2))).toEqual([ids[0]! % 2, ids[0]! % 2])
  const facts = bench.controlPlane.texts.map((text) => JSON.parse(text) as Fact)
  const restarted = new Registry()
  for (const fact of facts) restarted.apply(fact)
  restarted.apply({ fact: 'start', epoch: 9, timeMs: restarted.lastMs, layout: JOURNAL_LAYOUT })
  const account = registry.accounts.find(({ name }) => name === 'router')!.id
  const base = registry.assets.find(({ name }) => name === 'BTC')!
  expect(restarted.startedGroups).toEqual([{ base, symbols: ids, account }])
  await group('--symbols none')
  expect(registry.groups.size).toBe(0)
  expect(registry.leadingOf(SymbolId(ids[1]!))).toBe(ids[1])
})

test('one that waits for a start waits on when another member leads, and begins with its matchers', async () => {
  const { registry } = bench
  await group('--symbols BTCUSDC,BTCUSDT --account router')
  const takeOver = (owners: readonly number[]) => {
    const { lastMs: timeMs } = registry
    registry.apply({
      fact: 'start',
      epoch: 9,
      timeMs,
      layout: JOURNAL_LAYOUT,
      owners,
      isTakeOver: true,
    })
  }
  const owners = registry.symbols.map(() => 1)
  takeOver(owners)
  expect(registry.startedGroups).toEqual([])
  registry.startGroups()
  expect(registry.startedGroups).toEqual(registry.joinableGroups)
  expect(registry.startedGroups).toHaveLength(1)
  // Its symbols are not together yet.
  takeOver(owners.with(symbolId('BTCUSDC'), 0))
  registry.startGroups()
  expect(registry.startedGroups).toEqual([])
})

test('a symbol has its group as it is in force, and as it will be', async () => {
  const textOf = (name: string) => groupTexts(bench.registry)[symbolId(name)]
  const start = () =>
    bench.registry.apply({
      fact: 'start',
      epoch: 9,
      timeMs: bench.registry.lastMs,
      layout: JOURNAL_LAYOUT,
    })
  expect(groupTexts(bench.registry)).toEqual([])
  await group('--symbols BTCUSDC,BTCUSDT --account router')
  expect(['BTCUSDC', 'ETHUSDT'].map(textOf)).toEqual(['BTC at the next start', ''])
  start()
  expect(textOf('BTCUSDC')).toBe('BTC')
  await group('--symbols BTCUSDT,BTCUSDP --account router')
  const names = ['BTCUSDC', 'BTCUSDT', 'BTCUSDP']
  const texts = ['BTC until the next start', 'BTC', 'BTC at the next start']
  expect(names.map(textOf)).toEqual(texts)
})

test('a form shows what is set', async () => {
  const present = () => bench.executor.present('sor-group', { base: 'BTC' })
  expect(present()).toEqual({ symbols: 'none' })
  await group('--symbols BTCUSDC,BTCUSDP --account router')
  expect(present()).toEqual({ symbols: 'BTCUSDC,BTCUSDP', account: 'router' })
})

test.each([
  ['--symbols BTCUSDT --account router', 'A group has at least two symbols.'],
  ['--symbols BTCUSDT,ETHUSDT --account router', 'The base asset of ETHUSDT is not BTC.'],
  ['--symbols BTCUSDT,BTCUSDT --account router', 'A symbol is named twice.'],
  ['--symbols BTCUSDT,BTCUSDC', 'A group needs its account (--account).'],
  ['--symbols BTCUSDT,BTCUSDC --account nobody', 'There is no account nobody.'],
  [
    '--symbols BTCUSDT,BTCUSDC --account 0',
    'The account exchange collects commissions; name another one.',
  ],
])('%s is refused', async (words, sentence) => {
  await expect(group(words)).rejects.toThrow(sentence)
})

test('closed accounts and delisted symbols are refused', async () => {
  await bench.ask('symbol-delist BTCUSDP')
  await expect(group('--symbols BTCUSDT,BTCUSDP --account router')).rejects.toThrow(
    'BTCUSDP is delisted.',
  )
  await bench.ask('account-close router')
  await expect(group('--symbols BTCUSDT,BTCUSDC --account router')).rejects.toThrow(
    'The account router is closed.',
  )
})

test('a venue file has it, and a symbol behind the first is not pinned', async () => {
  const venue = '[sors.BTC]\nsymbols = ["BTCUSDT", "BTCUSDC"]\naccount = "router"\n'
  const apply = () => bench.executor.act('venue-apply', { venue })
  expect((await apply()).rows).toEqual([
    { place: 'sors.BTC', change: 'Orders of BTC are routed over BTCUSDT, BTCUSDC.' },
  ])
  expect((await apply()).rows).toEqual([])
  await expect(bench.ask('place BTCUSDC 0')).rejects.toThrow(
    'BTCUSDC goes with BTCUSDT, the first symbol of its group.',
  )
})
