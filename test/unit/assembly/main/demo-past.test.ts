/** The past of a new demo: which symbols have one, and where it ends. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { pastFacts } from '../../../../src/assembly/main/demo-past.ts'
import { Ms } from '../../../../src/base/units.ts'
import { parseConfig } from '../../../../src/config/config.ts'
import { demoFacts } from '../../../../src/control/demo.ts'
import { Vault } from '../../../../src/control/vault.ts'
import { PAST_DAYS, PAST_LOTS_MAX } from '../../../../src/market/seeded-klines.ts'
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts'

const folder = temporaryFolder()
const vault = Vault.open(path.join(folder, 'secret.key'), true)
const nowMs = Ms(Date.parse('2026-03-01T12:34:56.789Z'))
const { facts } = demoFacts(vault, nowMs)

const pasts = (flags: readonly string[] = [], first = facts, atMs = nowMs) =>
  pastFacts(parseConfig(flags, {}, () => '').config!, first, atMs)

/** A demo whose market makers go by a table. */
function pastsBy(table: string) {
  const file = path.join(folder, 'liquidity.toml')
  writeFileSync(file, table)
  return pasts(['--liquidity-file', file])
}

test('of each symbol ends with the last whole minute, at the price of its market maker', () => {
  const found = pasts()
  const fromMs = Ms(Date.parse('2026-03-01T12:34Z') - PAST_DAYS * 86_400_000)
  for (const past of found) expect(past).toMatchObject({ fact: 'klines', fromMs, days: PAST_DAYS })
  expect(found.map((past) => 'closeTicks' in past && [past.symbol, past.closeTicks])).toEqual([
    ...[
      [0, 6_000_000],
      [1, 300_000],
      [2, 15_000],
      [3, 5_000],
      [4, 60_000],
      [5, 5_000],
    ],
  ])
  const seeds = found.map((past) => 'seed' in past && past.seed)
  expect(new Set(seeds).size).toBe(6)
  expect(pasts()).toEqual(found)
  expect(pasts(['--liquidity-seed', '2'])).not.toEqual(found)
})

test('goes by the table of the market makers', () => {
  const low = '[BTCUSDT]\nprice = 0.004\nseed = 7\n[ETHUSDT]\nreplay = "/dev/null"\n'
  expect(pastsBy(`${low}[SOLUSDT]\nprice = 1e9`)).toEqual([
    expect.objectContaining({ symbol: 0, seed: 7, closeTicks: 1, lots: PAST_LOTS_MAX }),
    expect.objectContaining({ symbol: 2, closeTicks: 1_000_000 }),
  ])
})

test('is only of a demo with market makers, whose clock is right', () => {
  expect(pasts(['--liquidity', 'off'])).toEqual([])
  const venue = facts.filter(({ fact }) => fact !== 'demo')
  expect(pasts(['--liquidity', 'on'], venue)).toEqual([])
  expect(pasts([], facts, Ms(86_400_000 - 1))).toEqual([])
  expect(pasts([], facts, Ms(86_400_000))).toMatchObject(Array(6).fill({ fromMs: 0, days: 1 }))
})
