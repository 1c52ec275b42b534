/** What an operator below admin can make the control journal keep. */
import { expect, test } from 'vitest'
import { ACT_MS, ACTS_AT_ONCE, ActRates } from '../../../src/control/act-rates.ts'
import type { Operator } from '../../../src/control/operators.ts'
import { ActBench } from './plain-control-plane.ts'

const carol: Operator = { name: 'carol', role: 'support' }
const dora: Operator = { name: 'dora', role: 'support' }
const owner: Operator = { name: 'owner', role: 'admin' }

function ratesAt() {
  const clock = { nowMs: 1_000_000 }
  const rates = new ActRates(() => clock.nowMs)
  const carry = (by: Operator, facts = 1) => {
    rates.check(by)
    rates.count(by, facts)
  }
  return { clock, carry }
}

test('so many at once, then one a minute; others and admins have their own', () => {
  const { clock, carry } = ratesAt()
  for (let i = 0; i < ACTS_AT_ONCE; i++) carry(carol)
  expect(() => carry(carol)).toThrow(
    'carol has changed something 1000 times; ask again in 60 seconds.',
  )
  carry(dora)
  for (let i = 0; i < 3 * ACTS_AT_ONCE; i++) carry(owner)
  clock.nowMs += ACT_MS - 1
  expect(() => carry(carol)).toThrow('ask again in 1 seconds.')
  clock.nowMs++
  carry(carol)
  expect(() => carry(carol)).toThrow('ask again in 60 seconds.')
  clock.nowMs += ACTS_AT_ONCE * ACT_MS
  for (let i = 0; i < ACTS_AT_ONCE; i++) carry(carol)
  expect(() => carry(carol)).toThrow('ask again in 60 seconds.')
})

test('an act with many facts counts as several', () => {
  const { carry } = ratesAt()
  for (let i = 0; i < ACTS_AT_ONCE / 2; i++) carry(carol, 65)
  expect(() => carry(carol)).toThrow('ask again in 60 seconds.')
})

test('an operator below admin fills no journal', async () => {
  const bench = await ActBench.make()
  const { journaled } = bench.controlPlane
  const before = journaled.length
  for (let i = 0; i < 2 * ACTS_AT_ONCE; i++) {
    await bench.executor.act('cancel-orders', { account: 'alice' }, carol).catch(() => {})
  }
  expect(journaled.length - before).toBe(ACTS_AT_ONCE)
  await expect(bench.executor.act('halt', { symbol: 'BTCUSDT' }, carol)).rejects.toThrow(
    'carol has changed something',
  )
  await bench.ask('halt BTCUSDT')
})

test('an act that finds all as it should be is neither journaled nor counted', async () => {
  const bench = await ActBench.make()
  await bench.ask('account-freeze alice')
  const before = bench.controlPlane.journaled.length
  for (let i = 0; i <= ACTS_AT_ONCE; i++) {
    await bench.executor.act('account-freeze', { account: 'alice' }, carol)
    await bench.executor.act('resume', {}, carol)
  }
  const venue = '[accounts.bob]\nmaker = "0.001"\n'
  await bench.executor.act('venue-apply', { venue, 'dry-run': 'on' })
  expect(bench.controlPlane.journaled).toHaveLength(before)
  expect((await bench.executor.act('halt', {}, carol)).said).toBe('Now halted: BTCUSDT.')
})
