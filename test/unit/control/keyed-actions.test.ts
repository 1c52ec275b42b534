/** Actions with a key: carried out once, however often they are sent. */
import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { KEY_KEPT_MS, KEYS_KEPT } from '../../../src/control/keyed-actions.ts'
import { OWNER } from '../../../src/control/operators.ts'
import { ActionBench } from './plain-control-plane.ts'

/** Atoms of the deposit that the bench begins with. */
const FIRST = '200000000'

let bench: ActionBench
let clock: ManualClock
let time: ManualTime
beforeEach(async () => {
  clock = new ManualClock(Ms(1_000))
  time = new ManualTime(clock)
  bench = await ActionBench.make(time)
})

const deposits = () =>
  bench.controlPlane.facts.filter((it) => it.fact === 'deposit' && it.atoms !== FIRST).length
const deposit = (key: string, amount = '1', by = OWNER) =>
  bench.executor.act('deposit', { account: 'alice', asset: 'BTC', amount }, by, key)

test('the same key gives the same outcome', async () => {
  const first = await deposit('a')
  expect(await deposit('a')).toEqual(first)
  expect(deposits()).toBe(1)
  await deposit('b')
  expect(deposits()).toBe(2)
})

test('a key that is sent again while the action is under way waits for it', async () => {
  expect(await Promise.all([deposit('a'), deposit('a'), deposit('a')])).toHaveLength(3)
  expect(deposits()).toBe(1)
})

test('the order of the arguments does not matter, their values do', async () => {
  await deposit('a')
  const turned = { amount: '1', asset: 'BTC', account: 'alice' }
  await bench.executor.act('deposit', turned, OWNER, 'a')
  expect(deposits()).toBe(1)
  await expect(deposit('a', '3')).rejects.toThrow('used for another action, or other arguments')
  const withdrawal = bench.executor.act('withdraw', turned, OWNER, 'a')
  await expect(withdrawal).rejects.toThrow('used for another action')
  expect(deposits()).toBe(1)
})

test('each operator has keys of its own', async () => {
  await deposit('a')
  await deposit('a', '3', { name: 'carol', role: 'admin' })
  expect(deposits()).toBe(2)
})

test('a refused action may be sent again with its key', async () => {
  const open = () =>
    bench.executor.act('deposit', { account: 'bob', asset: 'BTC', amount: '1' }, OWNER, 'a')
  await expect(open()).rejects.toThrow('bob')
  await bench.ask('account-open bob')
  await open()
  expect(deposits()).toBe(1)
})

test('what failed after it was journaled is not carried out again', async () => {
  let snapshots = 0
  bench.controlPlane.snapshot = async () => {
    snapshots++
    throw new Error('The disk is gone.')
  }
  const snapshot = () => bench.executor.act('snapshot', {}, OWNER, 'a')
  await expect(snapshot()).rejects.toThrow('The disk is gone.')
  await expect(snapshot()).rejects.toThrow('The disk is gone.')
  expect(snapshots).toBe(1)
})

test('reading actions keep no outcome', async () => {
  const log = () => bench.executor.act('log', {}, OWNER, 'a')
  const before = (await log()).rows.length
  await deposit('b')
  expect((await log()).rows.length).toBe(before + 1)
})

test(`a key is known for ${KEY_KEPT_MS} ms`, async () => {
  await deposit('a')
  clock.advance(KEY_KEPT_MS)
  await deposit('a')
  expect(deposits()).toBe(1)
  clock.advance(1)
  await deposit('a')
  expect(deposits()).toBe(2)
})

test(`the last ${KEYS_KEPT} keys are known`, async () => {
  bench.registry.log.keyed = () => undefined
  for (let n = 0; n <= KEYS_KEPT; n++) await deposit(`k${n}`, '0.0001')
  await deposit('k1', '0.0001')
  expect(deposits()).toBe(KEYS_KEPT + 1)
  await deposit('k0', '0.0001')
  expect(deposits()).toBe(KEYS_KEPT + 2)
})

describe('after a restart', () => {
  function restart(): void {
    const { texts } = bench.controlPlane
    bench = ActionBench.recovered(texts, time)
  }

  test('the key is known, and its arguments', async () => {
    await deposit('a')
    restart()
    const { said } = await deposit('a')
    expect(said).toContain('deposit was carried out with this key at 1970-01-01T00:00:01.000Z')
    await expect(deposit('a', '3')).rejects.toThrow('other arguments')
    expect(deposits()).toBe(0)
  })

  test('only as long as without one', async () => {
    await deposit('a')
    clock.advance(KEY_KEPT_MS + 1)
    restart()
    await deposit('a')
    expect(deposits()).toBe(1)
  })
})
