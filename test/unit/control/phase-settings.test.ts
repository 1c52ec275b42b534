/** What operators set of calls and interruptions: what is journaled, what is refused, and what stays. */
import { beforeEach, expect, test } from 'vitest'
import { CorridorEnd } from '../../../src/base/codes.ts'
import { ActionError } from '../../../src/control/action.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { noPhases } from '../../../src/market/listing.ts'
import { ActionBench } from './plain-control-plane.ts'

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
})
const phases = () => bench.registry.symbols[0]!.phases

test('settings are kept by every other action, and by the control journal', async () => {
  expect(phases()).toEqual(noPhases)
  await bench.ask('symbol-phases BTCUSDT --random-end 30 --auction-rate 0.0005')
  const { said } = await bench.ask(
    'symbol-phases BTCUSDT --interruption 0.05 --window 300 --call 120 --rests off',
  )
  expect(said).toBe('Phases of BTCUSDT are set. Warning: rests is read as on.')
  const set = phases()
  expect(set).toEqual({
    ...noPhases,
    randomEndMs: 30_000,
    auctionRate: 50_000,
    seed: expect.any(Number),
    interruptionBasisPoints: 500,
    interruptionWindowMs: 300_000,
    interruptionCallMs: 120_000,
  })
  for (const text of ['halt BTCUSDT', 'resume BTCUSDT', 'symbol-features BTCUSDT --oco off']) {
    await bench.ask(text)
  }
  const restarted = new Registry()
  for (const text of bench.controlPlane.texts) restarted.apply(JSON.parse(text) as Fact)
  expect([phases(), restarted.symbols[0]!.phases]).toEqual([set, set])
})

test('the seed is drawn once, and shown to nobody', async () => {
  await bench.ask('symbol-phases BTCUSDT --random-end 5')
  const { seed } = phases()
  expect(seed).toBeGreaterThan(0)
  expect(seed).toBeLessThan(2 ** 32)
  await bench.ask('symbol-phases BTCUSDT --random-end 0')
  await bench.ask('symbol-phases BTCUSDT --random-end 7')
  expect(phases().seed).toBe(seed)
  const shown = [bench.executor.present('symbol-phases', { symbol: 'BTCUSDT' })]
  const { rows } = await bench.ask('log')
  expect(JSON.stringify([shown, rows, await bench.ask('symbols')])).not.toContain(String(seed))
})

test.each([
  ['--random-end 3601', 'random-end must be a whole number from 0 to 3600.'],
  ['--auction-rate 0.51', 'auction-rate must be at most 0.50000000, half of a trade.'],
  ['--auction-rate most', 'auction-rate must be a share of at most 8 decimals, such as 0.001.'],
  ['--interruption 0.05', 'An interruption needs a window and a call, in seconds.'],
  ['--interruption 0.00001', 'interruption must be a share of at most 4 decimals'],
  ['--hourly-calls 9', 'hourly-calls must be a whole number from 0 to 8.'],
  ['--extensions 1', 'Extensions need the seconds of one (--extension).'],
  ['--corridor-ends never', 'corridor-ends must be "bound" or "operator".'],
  ['--interruption 1.1', 'interruption must be a share of at most 4 decimals'],
  ['--window 86401', 'window must be a whole number from 0 to 86400.'],
])('is refused: %s', async (words, sentence) => {
  await expect(bench.ask(`symbol-phases BTCUSDT ${words}`)).rejects.toThrow(sentence)
  await expect(bench.ask(`symbol-phases BTCUSDT ${words}`)).rejects.toThrow(ActionError)
  expect(phases()).toEqual(noPhases)
})

test('a venue file sets them, and applied again changes nothing', async () => {
  const venue = `
[symbols.BTCUSDT]
base = "BTC"
quote = "USDT"
random-end = 30
auction-rate = "usual"
interruption = 0.05
window = 300
call = 120
`
  expect((await bench.executor.act('venue-apply', { venue })).said).toBe('1 change made.')
  expect(phases()).toMatchObject({ randomEndMs: 30_000, interruptionBasisPoints: 500 })
  expect((await bench.executor.act('venue-apply', { venue })).said).toBe(
    'The venue is as the file says.',
  )
})

test('corridors are set, and a call that waits is resumed', async () => {
  await bench.ask(
    'symbol-phases BTCUSDT --corridor 0.05 --corridor-static 0.1 --extension 60 --extensions 2 --corridor-ends operator',
  )
  expect(phases()).toMatchObject({
    corridorBasisPoints: 500,
    staticCorridorBasisPoints: 1_000,
    extensionMs: 60_000,
    extensionsMax: 2,
    corridorEnd: CorridorEnd.OPERATOR,
    resumptions: 0,
  })
  await bench.ask('symbol-phases BTCUSDT --hourly-calls 8')
  await bench.ask('symbol-status BTCUSDT TRADING')
  expect(phases()).toMatchObject({ hourlyInterruptions: 8, extensionsMax: 2, resumptions: 1 })
})

test('a halted symbol resumes through a call', async () => {
  await bench.ask('halt BTCUSDT')
  const { said } = await bench.ask('resume BTCUSDT --through AUCTION_MATCH')
  expect(said).toBe('BTCUSDT is AUCTION_MATCH.')
})
