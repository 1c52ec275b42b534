/** Operators' decisions about the machine's clock, and what a correction makes of what was noted. */
import { beforeEach, expect, test } from 'vitest'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { AccountId, AssetId, Ms, SymbolId } from '../../../src/base/units.ts'
import { Registry } from '../../../src/control/registry.ts'
import { ActionBench } from './plain-control-plane.ts'

const DAY_MS = 86_400_000
let bench: ActionBench

beforeEach(async () => {
  bench = await ActionBench.make()
})

test('a doubted clock is accepted, and no other', async () => {
  await expect(bench.ask('clock-accept')).rejects.toThrow("The machine's clock is not doubted.")
  const { controlPlane } = bench
  const nowMs = Date.UTC(2026, 10, 28)
  const doubt = { aheadMs: 400 * DAY_MS }
  controlPlane.machine = { machineMs: nowMs + 400 * DAY_MS, nowMs, doubt }
  const preview = await bench.executor.preview('clock-accept', {})
  expect(preview?.does).toBe("Believe the machine's clock, which is 400.0 days ahead")
  expect(preview?.note).toContain('2028-01-02T00:00:00.000Z')
  expect(controlPlane.done).toEqual([])
  expect((await bench.ask('clock-accept')).said).toBe('It is 2026-11-28T00:00:00.000Z.')
  expect(controlPlane.done).toContain('accept')
  const { rows } = await bench.ask('status')
  expect(rows).toContainEqual({
    what: "machine's clock ahead by",
    value: 400 * DAY_MS,
    unit: 'ms: doubted',
  })
})

test('the status has the difference from the quorum', async () => {
  bench.controlPlane.quorumAheadMs = -12
  const { rows } = await bench.ask('status')
  expect(rows).toContainEqual({ what: 'clock ahead of the quorum by', value: -12, unit: 'ms' })
})

test('a journal that is more than a minute ahead is corrected, once all its blocks are there', async () => {
  const { controlPlane } = bench
  controlPlane.journalAheadMs = 60_000
  await expect(bench.ask('clock-correct')).rejects.toThrow('60 s ahead of the clock: wait for it.')
  controlPlane.journalAheadMs = 60_001
  controlPlane.hasRemovedBlocks = true
  await expect(bench.ask('clock-correct')).rejects.toThrow(
    'Old blocks of the journals were removed',
  )
  controlPlane.hasRemovedBlocks = false
  const preview = await bench.executor.preview('clock-correct', {})
  expect(preview?.does).toContain('Take the journal back by 60 s, to ')
  expect(controlPlane.done).toEqual([])
  expect((await bench.ask('clock-correct')).said).toBe('The journal is corrected by 60 s.')
  expect(controlPlane.done).toContain('start again')
  const [correction] = bench.registry.corrections
  expect(correction!.toMs - correction!.fromMs).toBe(60_001)
})

test('what was noted later is of the moment of the correction, and a start sees no gap', () => {
  const registry = new Registry()
  registry.apply({ fact: 'asset', id: AssetId(0), name: 'BTC' })
  const money = { account: AccountId(1), asset: AssetId(0), atoms: '5' }
  registry.apply({ fact: 'deposit', ...money, timeMs: Ms(500) })
  registry.apply({ fact: 'deposit', ...money, category: 'rebate', timeMs: Ms(9_000) })
  registry.apply({ fact: 'lock', ...money, timeMs: Ms(9_500) })
  const key = { fact: 'key', kind: 'HMAC', account: AccountId(1), sealedSecret: '' } as const
  const rights = { apiKey: 'k'.repeat(64), canRead: true, canTrade: true }
  registry.apply({ ...key, ...rights, createdMs: Ms(9_000) })
  expect(registry.lastMs).toBe(9_500)
  registry.apply({ fact: 'correction', fromMs: Ms(1_000), toMs: Ms(10_000) })
  expect(registry.corrections).toEqual([{ fromMs: 1_000, toMs: 10_000 }])
  expect(registry.lastMs).toBe(1_000)
  expect(registry.deposits.map(({ timeMs }) => timeMs)).toEqual([1_000])
  expect(registry.externalLocks.map(({ timeMs }) => timeMs)).toEqual([1_000])
  expect([...registry.keys.values()].map(({ createdMs }) => createdMs)).toEqual([1_000])
})

test('a schedule goes on from the correction', () => {
  const registry = new Registry()
  const phases = [{ seconds: 8 * 3_600, status: SymbolStatus.TRADING }]
  const made = Ms(Date.UTC(2028, 0, 1))
  registry.apply({
    fact: 'schedule',
    name: 'week',
    timeZone: 'UTC',
    symbols: [],
    phases,
    holidays: [],
    days: [1],
    fromMs: made,
  })
  const nowMs = Date.UTC(2026, 10, 28)
  expect(registry.schedules.nextMs).toBeGreaterThan(made)
  registry.apply({ fact: 'held', symbol: SymbolId(0), held: false, aheadMs: made })
  registry.apply({ fact: 'correction', fromMs: Ms(nowMs), toMs: made })
  expect(registry.schedules.nextMs).toBe(Date.UTC(2026, 10, 30, 8))
  expect(registry.schedules.aheadOf(SymbolId(0))).toBe(0)
})

test('a symbol has its status since the correction', () => {
  const { registry } = bench
  const transition = (dueMs: number) =>
    ({
      fact: 'transition',
      schedule: 'week',
      dueMs: Ms(dueMs),
      status: SymbolStatus.HALT,
      symbols: [SymbolId(0)],
    }) as const
  registry.apply(transition(9_000))
  registry.apply({ fact: 'correction', fromMs: Ms(1_000), toMs: Ms(10_000) })
  expect(registry.symbols[0]?.statusMs).toBe(1_000)
  registry.apply(transition(900))
  registry.apply({ fact: 'correction', fromMs: Ms(1_000), toMs: Ms(10_000) })
  expect(registry.symbols[0]?.statusMs).toBe(900)
})
