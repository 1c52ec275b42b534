/** The faucet: credits up to the operator's limits, journaled as deposits, and never past them. */
import { beforeEach, expect, test } from 'vitest'
import { parseAmountLimits } from '../../../src/base/amount-limits.ts'
import { AccountId } from '../../../src/base/units.ts'
import { Faucet } from '../../../src/control/faucet.ts'
import { ActionBench } from './plain-control-plane.ts'

const ALICE = AccountId(1)
let bench: ActionBench
let faucet: Faucet
beforeEach(async () => {
  // With BTC, USDT and alice, who has 2 BTC.
  bench = await ActionBench.make()
  faucet = new Faucet('BTC=5,USDT=1000.5', bench.executor, bench.registry)
})
const ask = (asset: string, amount?: string) =>
  faucet.answer({ ask: 'faucet', account: ALICE, asset, amount })

test('an amount, then all that the limit leaves, then nothing', async () => {
  expect(await ask('USDT', '1000')).toEqual({
    credited: { asset: 'USDT', amount: '1000.00000000' },
  })
  expect(await ask('USDT')).toEqual({ credited: { asset: 'USDT', amount: '0.50000000' } })
  const full = { refused: 'The faucet fills an account up to 1000.5 USDT.' }
  expect([await ask('USDT'), await ask('USDT', '0.00000001')]).toEqual([full, full])
  const [deposit, action] = bench.controlPlane.journaled.slice(-2)
  expect(deposit).toMatchObject({ fact: 'deposit', account: ALICE, atoms: '50000000' })
  expect(action).toMatchObject({ fact: 'act', name: 'deposit', by: 'faucet' })
})

test('what the account owns already counts, and two requests never pass the limit together', async () => {
  expect(await ask('BTC', '3.1')).toHaveProperty('refused')
  const both = await Promise.all([ask('BTC', '2'), ask('BTC', '2')])
  expect(both.map((answer) => 'credited' in answer)).toEqual([true, false])
  expect(await ask('BTC')).toEqual({ credited: { asset: 'BTC', amount: '1.00000000' } })
})

test('what is locked counts as well as what is free', async () => {
  bench.controlPlane.locked.set('1/0', 200_000_000n)
  expect(await ask('BTC')).toEqual({ credited: { asset: 'BTC', amount: '1.00000000' } })
})

test.each([
  ['ETH', undefined, 'The faucet has no ETH.'],
  ['BTC', '0', 'amount must be positive.'],
  ['BTC', '-1', 'amount must be positive.'],
  ['BTC', '0.000000001', 'amount must be a decimal of at most 8 places.'],
  ['BTC', 'x', 'amount must be a decimal of at most 8 places.'],
])('%s %s is refused', async (asset, amount, refused) => {
  const journaled = bench.controlPlane.journaled.length
  expect(await ask(asset, amount)).toEqual({ refused })
  expect(bench.controlPlane.journaled).toHaveLength(journaled)
})

test('the setting', () => {
  const limits = parseAmountLimits('USDT=10, *=0.5')
  expect([limits?.of('USDT'), limits?.of('BTC')]).toEqual(['10', '0.5'])
  expect(parseAmountLimits('none')?.of('BTC')).toBeUndefined()
  for (const wrong of ['', 'USDT', 'USDT=', 'USDT=-1', 'USDT=1,USDT=2', '=1', 'USDT=1e5']) {
    expect(parseAmountLimits(wrong)).toBeUndefined()
  }
})
