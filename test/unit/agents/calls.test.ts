/** When calls end, and how often their indicative prices come (agents/calls.ts). */
import { beforeEach, expect, test } from 'vitest'
import { Calls, INDICATIVE_AGAIN_MS, INDICATIVE_MS } from '../../../src/agents/calls.ts'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { Ms } from '../../../src/base/units.ts'
import { Counter } from '../../../src/core/matching/counters.ts'
import type { Engine } from '../../../src/core/matching/engine.ts'

/** The parts of an engine that calls look at. */
class FakeEngine {
  phaseEndsMs = Ms(0)
  isUnfinished = false
  readonly state = { phase: SymbolStatus.AUCTION_MATCH as SymbolStatus }
  readonly counters = new Float64Array(16)
  ordersMet = 0
  readonly indicatedMs: number[] = []
  hasEnded = false

  indicate(nowMs: Ms): number {
    this.indicatedMs.push(nowMs)
    return this.ordersMet
  }

  endPhase(): void {
    this.hasEnded = true
  }

  change(): void {
    this.counters[Counter.sequence]! += 1
  }
}

let engine: FakeEngine
let calls: Calls
beforeEach(() => {
  engine = new FakeEngine()
  calls = callsOf(engine)
})

function callsOf(...engines: readonly FakeEngine[]): Calls {
  const found = new Calls([undefined, ...(engines as unknown as Engine[])])
  found.find()
  return found
}

/** Calls at each ms, as a matcher that is never idle does. */
function run(fromMs: number, toMs: number): void {
  for (let nowMs = fromMs; nowMs < toMs; nowMs++) calls.indicate(Ms(nowMs))
}

test('a book that changes all the time has a price every INDICATIVE_MS', () => {
  for (let nowMs = 1_000; nowMs < 11_000; nowMs++) {
    engine.change()
    calls.indicate(Ms(nowMs))
  }
  expect(engine.indicatedMs).toHaveLength(10_000 / INDICATIVE_MS)
})

test('one that does not change has it again at times, for who came since', () => {
  run(1_000, 1_000 + 4 * INDICATIVE_AGAIN_MS)
  expect(engine.indicatedMs).toHaveLength(4)
})

test('the more orders cross, the more seldom it comes', () => {
  engine.ordersMet = 1_000_000
  for (let nowMs = 1_000; nowMs < 11_000; nowMs++) {
    engine.change()
    calls.indicate(Ms(nowMs))
  }
  expect(engine.indicatedMs).toEqual([1_000, 3_000, 5_000, 7_000, 9_000])
})

test('of many symbols one has its turn at a time', () => {
  const engines = Array.from({ length: 5 }, () => new FakeEngine())
  calls = callsOf(...engines)
  for (let i = 0; i < 5; i++) expect(calls.indicate(Ms(1_000))).toBe(1)
  expect(calls.indicate(Ms(1_000))).toBe(0)
  expect(engines.map(({ indicatedMs }) => indicatedMs.length)).toEqual([1, 1, 1, 1, 1])
})

test('none comes while trades of the auction are made, nor of another phase', () => {
  engine.isUnfinished = true
  expect(calls.indicate(Ms(1_000))).toBe(0)
  engine.isUnfinished = false
  engine.state.phase = SymbolStatus.PRE_TRADING
  expect(calls.indicate(Ms(1_000))).toBe(0)
  calls.find()
  expect(calls.areAny).toBe(false)
  expect(calls.waitMs(Ms(1_000))).toBe(Number.POSITIVE_INFINITY)
})

test('a phase ends when its time has come, and the matcher may idle until then', () => {
  engine.phaseEndsMs = Ms(1_700)
  calls.indicate(Ms(1_500))
  expect(calls.waitMs(Ms(1_500))).toBe(200)
  expect(calls.end(Ms(1_699))).toBe(false)
  expect(engine.hasEnded).toBe(false)
  expect(calls.end(Ms(1_700))).toBe(true)
  expect(engine.hasEnded).toBe(true)
})

test('the matcher may idle until the next price is due', () => {
  expect(calls.waitMs(Ms(1_000))).toBe(0)
  calls.indicate(Ms(1_000))
  expect(calls.waitMs(Ms(1_000))).toBe(INDICATIVE_AGAIN_MS)
  engine.change()
  expect(calls.waitMs(Ms(1_000))).toBe(INDICATIVE_MS)
})
