/** What operators set of chains and networks of coins: what is journaled, what is refused, and what stays. */
import { beforeEach, expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { ActionError } from '../../../src/control/action.ts'
import { demoFacts } from '../../../src/control/demo.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { Vault } from '../../../src/control/vault.ts'
import { CHAINS_MAX, NETWORKS_MAX } from '../../../src/market/network.ts'
import { ActionBench } from './plain-control-plane.ts'
import { nothing } from './wallet-rows.ts'

const ETH = 'chain-list ETH --form ethereum --block-seconds 12'

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
})
const restarted = () => {
  const registry = new Registry()
  for (const text of bench.controlPlane.texts) registry.apply(JSON.parse(text) as Fact)
  return registry
}
const refusalOf = (text: string) =>
  bench.ask(text).then(
    () => expect.unreachable(),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ActionError)
      return (error as Error).message
    },
  )

test('a chain stays as it was listed, and its networks as they were set last', async () => {
  expect((await bench.ask(ETH)).said).toBe('Chain ETH is listed.')
  await bench.ask('chain-list XRP --form tron --block-seconds 3.5 --memo on')
  expect((await bench.ask('coin-network-list USDT ETH --fee 4 --confirmations 6')).said).toBe(
    'USDT moves on the chain ETH.',
  )
  await bench.ask('coin-network-list USDT XRP --unlock-confirmations 3')
  const set = 'coin-network-set USDT ETH --fee 2.5 --withdraw-min 0.1 --day-max 0 --title ERC20'
  expect((await bench.ask(set)).said).toBe('The network of USDT on ETH is set.')
  const [eth, xrp] = bench.registry.chains
  expect(eth).toMatchObject({ id: 0, name: 'ETH', addressForm: 'ethereum', blockMs: 12_000 })
  expect(eth?.genesisMs).toBe(1_000)
  expect(eth?.seed).not.toBe(xrp?.seed)
  expect(xrp).toMatchObject({ id: 1, hasMemo: true, blockMs: 3_500 })
  expect(bench.registry.networks).toMatchObject([
    { chain: 0, isDefault: true, minConfirm: 6, unLockConfirm: 6, withdrawFee: 250_000_000 },
    { chain: 1, isDefault: false, minConfirm: 1, unLockConfirm: 3, memoRegex: '^[0-9]{1,10}$' },
  ])
  expect(bench.registry.networks[0]).toMatchObject({ title: 'ERC20', withdrawMin: 10_000_000 })
  const { chains, networks } = restarted()
  expect({ chains, networks }).toEqual({
    chains: bench.registry.chains,
    networks: bench.registry.networks,
  })
  expect(await refusalOf(ETH)).toBe('The chain ETH is listed already.')
  const rows = [
    { chain: 'ETH', form: 'ethereum', memo: 'off', blockSeconds: 12, height: 9, stopped: '' },
    { chain: 'XRP', form: 'tron', memo: 'on', blockSeconds: 3.5, height: 9, transfers: 2 },
  ]
  const chain = { height: 9, stoppedMs: 0, delayBlocks: 0, transfers: 2 }
  bench.controlPlane.asked.walletResult = () => ({ value: { ...nothing, chain } })
  expect((await bench.ask('chains')).rows).toMatchObject(rows)
  expect((await bench.ask('coin-networks USDT')).rows).toHaveLength(2)
  expect((await bench.ask('coin-networks BTC')).rows).toEqual([])
})

test('a coin has one default network', async () => {
  await bench.ask(ETH)
  await bench.ask('chain-list TRX --form tron --block-seconds 3')
  for (const place of ['USDT ETH', 'BTC ETH', 'USDT TRX']) {
    await bench.ask(`coin-network-list ${place}`)
  }
  const defaults = () => bench.registry.networks.map(({ isDefault }) => isDefault)
  expect(defaults()).toEqual([true, true, false])
  await bench.ask('coin-network-set USDT TRX --default on')
  expect(defaults()).toEqual([false, true, true])
  expect(restarted().networks).toEqual(bench.registry.networks)
  expect(await refusalOf('coin-network-set USDT TRX --default off')).toMatch('A coin has a default')
})

test('a suspension of one way leaves the other', async () => {
  await bench.ask(ETH)
  await bench.ask('coin-network-list USDT ETH --deposit-text Hello')
  const network = () => bench.registry.networks[0]
  const suspend = 'coin-network-suspend USDT ETH --only withdrawals --text Later'
  expect((await bench.ask(suspend)).said).toBe('Withdrawals of USDT on ETH are suspended.')
  expect(network()).toMatchObject({
    depositEnabled: true,
    withdrawEnabled: false,
    depositText: 'Hello',
    withdrawText: 'Later',
  })
  await bench.ask('coin-network-suspend USDT ETH')
  expect(network()).toMatchObject({ depositEnabled: false, withdrawEnabled: false })
  expect((await bench.ask('coin-network-resume USDT ETH --only deposits')).said).toBe(
    'Deposits of USDT on ETH are resumed.',
  )
  expect(network()).toMatchObject({ depositEnabled: true, withdrawEnabled: false })
  await bench.ask('coin-network-resume USDT ETH')
  expect(network()).toMatchObject({ withdrawEnabled: true, withdrawText: '' })
})

test('a form shows what is set', async () => {
  await bench.ask(ETH)
  await bench.ask('coin-network-list USDT ETH --approval-above 1000')
  const present = bench.executor.present('coin-network-set', { coin: 'USDT', chain: 'ETH' })
  expect(present).toMatchObject({
    title: 'ETH',
    'approval-above': '1000.00000000',
    'day-max': '0.00000000',
    'unlock-confirmations': '1',
    withdrawals: 'on',
  })
  const before = bench.registry.networks[0]
  await bench.executor.act('coin-network-set', { coin: 'USDT', chain: 'ETH', ...present })
  expect(bench.registry.networks[0]).toEqual(before)
})

test.each([
  ['chain-list eth --form tron --block-seconds 3', 'chain must be capital letters and digits'],
  ['chain-list TRX --form other --block-seconds 3', 'form must be "bitcoin", "ethereum"'],
  ['chain-list TRX --form tron --block-seconds 0.09', 'block-seconds must be 0.1 to 86400.'],
  ['chain-list TRX --form tron --block-seconds 86401', 'block-seconds must be 0.1 to 86400.'],
  ['coin-network-list USDT SOL', 'There is no chain SOL.'],
  ['coin-network-list ADA ETH', 'There is no asset ADA.'],
  ['coin-network-set BTC ETH', 'ETH does not carry BTC (coin-network-list).'],
  ['coin-network-list USDT ETH', 'The network of USDT on ETH is listed already.'],
  ['coin-network-set USDT ETH --confirmations 0', 'confirmations must be a whole number from 1'],
  ['coin-network-set USDT ETH --fee -1', 'fee must be positive.'],
  ['coin-network-set USDT ETH --multiple 0', 'amounts are multiples of at least 0.00000001'],
  ['coin-network-set USDT ETH --address-regex ^(a+)+$', 'the pattern repeats a group'],
  [
    'coin-network-set USDT ETH --confirmations 5 --unlock-confirmations 4',
    'it unlocks after 5 to 10000 confirmations',
  ],
])('%s is refused: %s', async (text, why) => {
  await bench.ask(ETH)
  await bench.ask('coin-network-list USDT ETH')
  const before = bench.controlPlane.texts.length
  expect(await refusalOf(text)).toMatch(why)
  expect(bench.controlPlane.texts).toHaveLength(before)
})

test('there is room for so many of both', async () => {
  await bench.ask(ETH)
  await bench.ask('coin-network-list USDT ETH')
  const { chains, networks } = bench.registry
  while (chains.length < CHAINS_MAX) chains.push({ ...chains[0]!, name: 'OTHER' })
  expect(await refusalOf('chain-list TRX --form tron --block-seconds 3')).toBe(
    'There is room for 64 chains.',
  )
  while (networks.length < NETWORKS_MAX) networks.push({ ...networks[0]! })
  expect(await refusalOf('coin-network-list BTC ETH')).toBe('There is room for 1024 networks.')
})

test('the demo has the networks of four chains', () => {
  const registry = new Registry()
  for (const fact of demoFacts(new Vault(Buffer.alloc(32, 1)), Ms(5)).facts) registry.apply(fact)
  expect(registry.chains.map(({ name }) => name)).toEqual(['BTC', 'ETH', 'TRX', 'SOL'])
  const shown = registry.networks.map(({ asset, chain, isDefault }) =>
    [registry.assets[asset]!.name, registry.chains[chain]!.name, isDefault].join(' '),
  )
  expect(shown).toEqual([
    'BTC BTC true',
    'ETH ETH true',
    'USDT ETH true',
    'USDT TRX false',
    'SOL SOL true',
    'USDT SOL false',
  ])
})
