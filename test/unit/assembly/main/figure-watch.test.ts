/** Marks on plots: what operators did, symbols that stopped trading, starts. */
import { expect, test } from 'vitest'
import { FigureWatch } from '../../../../src/assembly/main/figure-watch.ts'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { Ms, SymbolId } from '../../../../src/base/units.ts'
import { ActionLog } from '../../../../src/control/action-log.ts'
import { countersBytes, SymbolCounter, ThreadCounters } from '../../../../src/shared/counters.ts'
import { KeptFigures, type KeptValues, keptNames } from '../../../../src/telemetry/kept-figures.ts'

const counters = new SharedArrayBuffer(countersBytes(1, 1, 3))
const setPhase = (symbol: number, status: SymbolStatus) =>
  ThreadCounters.ofSymbol(counters, SymbolId(symbol)).set(SymbolCounter.phase, status + 1)

test('each is marked once, at its second', () => {
  let nowMs = 1_800_000_000_000
  const log = new ActionLog()
  const act = (name: string) =>
    log.add({ fact: 'act', name, by: 'alice', timeMs: Ms(0), given: {} })
  act('before')
  setPhase(0, SymbolStatus.TRADING)
  setPhase(1, SymbolStatus.HALT)
  setPhase(2, SymbolStatus.TRADING)
  const values = Object.fromEntries(keptNames.map((name) => [name, 1])) as KeptValues
  const kept = new KeptFigures({ nowMs: () => Ms(nowMs) }, () => {})
  const symbolNames = () => ['A', 'B', 'C']
  const sampler = { read: () => values }
  const watch = new FigureWatch({ kept, sampler, counters, symbolNames, log })
  const look = () => {
    nowMs += 1_000
    watch.look()
  }
  look()
  act('halt')
  setPhase(0, SymbolStatus.HALT)
  setPhase(2, SymbolStatus.BREAK)
  look()
  setPhase(0, SymbolStatus.TRADING)
  look()
  setPhase(0, SymbolStatus.AUCTION_MATCH)
  for (let at = 0; at < 20; at++) act(`bulk-${at}`)
  look()
  look()
  const { marks } = kept.read(60)
  expect(marks.map(({ text }) => text)).toEqual([
    'The exchange started.',
    'halt by alice',
    'A and 1 more stopped trading.',
    ...Array.from({ length: 8 }, (_, at) => `bulk-${12 + at} by alice`),
    'A stopped trading.',
  ])
  expect(kept.read(60).series.orders.filter((value) => value === 1)).toHaveLength(5)
})
