/** What an operator below admin can make the control journal keep. */
import { expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import type { ActionRow } from '../../../src/control/action.ts'
import { loggedArguments } from '../../../src/control/action-log.ts'
import { ACT_MS, ACTS_AT_ONCE, ActionRates } from '../../../src/control/action-rates.ts'
import { actions } from '../../../src/control/commands.ts'
import type { Operator } from '../../../src/control/operators.ts'
import { ActionBench } from './plain-control-plane.ts'

const READS = 2
const DAYS = 90
const DAY_MS = 86_400_000
/** A name is short (actions/operators.ts). */
const OPERATOR_CHARS_MAX = 64
const LONG = 'x'.repeat(10_000)
/** Bound of the noted actions; what they change is bounded by the facts that count as one action. */
const NOTED_BYTES_MAX = 128 << 20

const carol: Operator = { name: 'carol', role: 'support' }
const dora: Operator = { name: 'dora', role: 'support' }
const owner: Operator = { name: 'owner', role: 'admin' }

function ratesAt() {
  const clock = { nowMs: 1_000_000 }
  const rates = new ActionRates(() => clock.nowMs)
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
    'carol has changed something 1000 times; try again in 60 seconds.',
  )
  carry(dora)
  for (let i = 0; i < 3 * ACTS_AT_ONCE; i++) carry(owner)
  clock.nowMs += ACT_MS - 1
  expect(() => carry(carol)).toThrow('try again in 1 seconds.')
  clock.nowMs++
  carry(carol)
  expect(() => carry(carol)).toThrow('try again in 60 seconds.')
  clock.nowMs += ACTS_AT_ONCE * ACT_MS
  for (let i = 0; i < ACTS_AT_ONCE; i++) carry(carol)
  expect(() => carry(carol)).toThrow('try again in 60 seconds.')
})

test('an action with many facts counts as several', () => {
  const { carry } = ratesAt()
  for (let i = 0; i < ACTS_AT_ONCE / 2; i++) carry(carol, 65)
  expect(() => carry(carol)).toThrow('try again in 60 seconds.')
})

test('an operator below admin fills no journal', async () => {
  const bench = await ActionBench.make()
  const { journaled, asked } = bench.controlPlane
  asked.orders.push({ symbolId: 0, account: 1, orderId: 5, time: 1 })
  const before = journaled.length
  for (let i = 0; i < 2 * ACTS_AT_ONCE; i++) {
    await bench.executor
      .act('cancel-orders', { account: 'alice', all: true }, carol)
      .catch(() => {})
  }
  expect(journaled.length - before).toBe(ACTS_AT_ONCE)
  await expect(bench.executor.act('halt', { symbol: 'BTCUSDT' }, carol)).rejects.toThrow(
    'carol has changed something',
  )
  await bench.ask('halt BTCUSDT')
})

test('an action that finds all as it should be is neither journaled nor counted', async () => {
  const bench = await ActionBench.make()
  await bench.ask('account-freeze alice')
  const before = bench.controlPlane.journaled.length
  for (let i = 0; i <= ACTS_AT_ONCE; i++) {
    await bench.executor.act('account-freeze', { account: 'alice' }, carol)
    await bench.executor.act('resume', { all: true }, carol)
  }
  const venue = '[accounts.bob]\nmaker = "0.001"\n'
  await bench.executor.preview('venue-apply', { venue })
  expect(bench.controlPlane.journaled).toHaveLength(before)
  expect((await bench.executor.act('halt', { all: true }, carol)).said).toBe('Now halted: BTCUSDT.')
})

test('cancels are carried out, and neither journaled nor counted where nothing is open', async () => {
  const bench = await ActionBench.make()
  await bench.ask('account-freeze alice')
  const { journaled, done } = bench.controlPlane
  const [before, doneBefore] = [journaled.length, done.length]
  for (let i = 0; i <= ACTS_AT_ONCE; i++) {
    await bench.executor.act('cancel-orders', { account: 'alice', all: true }, carol)
    await bench.executor.act('cancel-orders', { symbol: 'BTCUSDT', all: true }, carol)
    await bench.executor.act('account-freeze', { account: 'alice', 'cancel-orders': 'on' }, carol)
  }
  expect(journaled).toHaveLength(before)
  const cancels = done.slice(doneBefore).filter((text) => text.startsWith('cancel '))
  expect(cancels).toHaveLength(3 * (ACTS_AT_ONCE + 1))
})

test('what an operator below admin only reads is never journaled', async () => {
  const bench = await ActionBench.make()
  const reads = actions.filter(({ role, params }) => {
    return role === 'watch' && !params.some(({ required }) => required)
  })
  const before = bench.controlPlane.journaled.length
  for (const { name } of reads) {
    for (let i = 0; i < READS; i++) await bench.executor.act(name, {}, carol)
  }
  expect(reads.length).toBeGreaterThan(5)
  expect(bench.controlPlane.journaled).toHaveLength(before)
})

test('all that an operator below admin can note in 90 days has a bound', () => {
  const { clock, carry } = ratesAt()
  const endMs = clock.nowMs + DAYS * DAY_MS
  let noted = 0
  for (; clock.nowMs < endMs; clock.nowMs += ACT_MS / 2) {
    try {
      for (;;) {
        carry(carol)
        noted++
      }
    } catch {
      // It has to wait.
    }
  }
  expect(noted).toBeLessThanOrEqual(ACTS_AT_ONCE + (DAYS * DAY_MS) / ACT_MS)
  const supporting = actions.filter(({ role }) => role === 'support')
  const longest = Math.max(...supporting.map((row) => Buffer.byteLength(longestNote(row))))
  expect(noted * longest).toBeLessThan(NOTED_BYTES_MAX)
})

/** Returns what an action notes of itself, with the longest arguments. */
function longestNote({ name, params }: ActionRow): string {
  const given = loggedArguments(Object.fromEntries(params.map((param) => [param.name, LONG])))
  const by = 'x'.repeat(OPERATOR_CHARS_MAX)
  return JSON.stringify({ fact: 'act', name, by, timeMs: Ms(Number.MAX_SAFE_INTEGER), given })
}
