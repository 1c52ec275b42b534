/**
 * Weeks of false time in which operators halt, hold, advance and resume at random, clocks of New York are set, and
 * the process is killed, beside a twin: two symbols, the list of all changes of the year, and three rules.
 */
import { expect, test, vi } from 'vitest'
import { namesOf, SymbolStatus } from '../../../../src/base/codes.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { Ms } from '../../../../src/base/units.ts'
import type { Fact, HeldFact } from '../../../../src/control/facts.ts'
import { Registry } from '../../../../src/control/registry.ts'
import { Schedule, type Transition } from '../../../../src/control/schedule/schedule.ts'
import { ScheduleRunner } from '../../../../src/control/schedule/schedule-runner.ts'
import { Schedules } from '../../../../src/control/schedule/schedules.ts'
import { dueFacts } from '../../../../src/control/schedule/transitions.ts'
import { ActionBench } from '../plain-control-plane.ts'

const HOUR_MS = 3_600_000
const STRIDE_MS = 300_000
const STEPS = 250
const statusNames = namesOf(SymbolStatus)
const NAMES = ['BTCUSDT', 'USDTBTC']
const START = Ms(Date.parse('2026-02-25T03:00:00Z'))
const given = {
  schedule: 'day',
  symbols: NAMES.join(),
  zone: 'America/New_York',
  days: 'MON-FRI',
  phases:
    '01:30=PRE_TRADING,02:30=AUCTION_MATCH,02:45=TRADING,16:00=POST_TRADING,18:00=CANCEL_ONLY,20:00=BREAK',
  holidays: '2026-03-06,2026-03-10 02:30=AUCTION_MATCH 02:45=TRADING 13:00=POST_TRADING',
}

/** What one symbol is by the rules of docs/phases.md. */
class PlainSymbol {
  status: SymbolStatus = SymbolStatus.TRADING
  /** An operator has set it to CANCEL_ONLY. */
  isRestricted = false
  isHeld = false
  aheadMs = 0

  get isStopped(): boolean {
    return this.status === SymbolStatus.HALT || this.isRestricted
  }

  set(status: SymbolStatus, isRestricted = false): void {
    Object.assign(this, { status, isRestricted })
  }
}

class PlainDay {
  readonly symbols = [new PlainSymbol(), new PlainSymbol()]
  madeMs = 0
  private readonly changes: readonly Transition[]

  constructor(changes: readonly Transition[]) {
    this.changes = changes
  }

  lastUntil(timeMs: number): Transition {
    return this.changes.findLast(({ dueMs }) => dueMs <= timeMs)!
  }

  make(change: Transition): void {
    this.madeMs = change.dueMs
    this.reach(change)
  }

  private reach({ dueMs, status }: Transition): void {
    for (const symbol of this.symbols) {
      const isPassedBy = symbol.isStopped || symbol.isHeld
      if (!isPassedBy && symbol.aheadMs < dueMs && symbol.status !== status) symbol.set(status)
    }
  }

  pass(timeMs: number): void {
    for (const change of this.changes) {
      if (change.dueMs > this.madeMs && change.dueMs <= timeMs) this.make(change)
    }
  }

  /** Returns what is made of what was missed: the rest of the day that had begun, and the last day. */
  start(timeMs: number): readonly Transition[] {
    const dates = [this.lastUntil(this.madeMs).date, this.lastUntil(timeMs).date]
    const missed = this.changes.filter(
      ({ dueMs, date }) => dueMs > this.madeMs && dueMs <= timeMs && dates.includes(date),
    )
    for (const change of missed) this.make(change)
    return missed
  }

  /** Returns whether the action is one that is not refused. */
  act(action: string, index: number, nowMs: number): boolean {
    const symbol = this.symbols[index]!
    const { isStopped } = symbol
    if (action === 'halt') {
      const { TRADING, PRE_TRADING, AUCTION_MATCH } = SymbolStatus
      const taking: readonly SymbolStatus[] = [TRADING, PRE_TRADING, AUCTION_MATCH]
      if (!taking.includes(symbol.status)) return false
      symbol.set(SymbolStatus.HALT)
    } else if (action === 'resume') {
      if (!isStopped) return false
      const present = this.lastUntil(Math.max(nowMs, symbol.aheadMs)).status
      symbol.set(symbol.isHeld ? SymbolStatus.TRADING : present)
    } else if (action === 'phase-hold') symbol.isHeld = true
    else if (action === 'phase-release') {
      if (!symbol.isHeld) return true
      Object.assign(symbol, { isHeld: false, aheadMs: 0 })
      if (!isStopped) symbol.set(this.lastUntil(nowMs).status)
    } else if (action === 'symbol-status') {
      symbol.set(SymbolStatus.END_OF_DAY)
      symbol.aheadMs = 0
    } else if (action === 'cancel-only') {
      symbol.set(SymbolStatus.CANCEL_ONLY, true)
      symbol.aheadMs = 0
    } else if (action === 'schedule-set') {
      this.madeMs = nowMs
      for (const each of this.symbols) each.aheadMs = 0
      this.reach(this.lastUntil(nowMs))
    } else {
      if (isStopped) return false
      const fromMs = Math.max(this.madeMs, symbol.aheadMs)
      const next = this.changes.find(({ dueMs }) => dueMs > fromMs)!
      symbol.set(next.status)
      symbol.aheadMs = next.dueMs
    }
    return true
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const ACTIONS = [
  ...['halt', 'resume', 'resume', 'phase-hold', 'phase-release', 'phase-release'],
  ...['phase-advance', 'phase-advance', 'phase-advance', 'phase-advance'],
  ...['symbol-status', 'cancel-only', 'schedule-set'],
]
function callOf(
  action: string,
  symbol: string,
): [name: string, given: Readonly<Record<string, unknown>>] {
  if (action === 'schedule-set') return [action, { schedule: 'day' }]
  if (action === 'cancel-only') return ['symbol-status', { symbol, status: 'CANCEL_ONLY' }]
  return [action, action === 'symbol-status' ? { symbol, status: 'END_OF_DAY' } : { symbol }]
}

/** Returns where the exchange and the twin differ; '' where they never do. */
async function simulate(seed: number): Promise<string> {
  const random = new Prng(seed)
  const time = new ManualTime(new ManualClock(START))
  const bench = await ActionBench.make(time)
  await bench.ask('symbol-list USDT BTC --like BTCUSDT')
  await bench.executor.act('schedule-set', given)
  const { spec } = bench.registry.schedules.named('day')!
  const changes: Transition[] = []
  for (const change of new Schedule(spec).after(Ms(START - 7 * 24 * HOUR_MS))) {
    changes.push(change)
    if (changes.length === 500) break
  }
  const twin = new PlainDay(changes)
  twin.madeMs = twin.lastUntil(START).dueMs
  for (const symbol of twin.symbols) symbol.status = twin.lastUntil(START).status
  const runnerOf = () =>
    new ScheduleRunner({
      registry: bench.registry,
      executor: bench.executor,
      time,
      whyNoActions: () => undefined,
      warn: () => {},
    })
  let runner = runnerOf()
  bench.controlPlane.scheduleChanged = () => runner.wake()
  for (let step = 0; step < STEPS; step++) {
    const kind = random.below(10)
    if (kind < 6) {
      for (let left = random.below(5 * HOUR_MS); left > 0; left -= STRIDE_MS) {
        time.advance(Math.min(left, STRIDE_MS))
        await settled()
        twin.pass(time.nowMs())
      }
    } else if (kind < 9) {
      const action = ACTIONS[random.below(ACTIONS.length)]!
      const index = random.below(NAMES.length)
      const isTaken = await bench.executor.act(...callOf(action, NAMES[index]!)).then(
        () => true,
        () => false,
      )
      await settled()
      if (isTaken !== twin.act(action, index, time.nowMs())) return `${step}: ${action} ${isTaken}`
    } else {
      runner.stop()
      time.advance(random.below(80 * HOUR_MS))
      const journaled = new Registry()
      for (const text of bench.controlPlane.texts) journaled.apply(JSON.parse(text) as Fact)
      expect(journaled.symbols).toEqual(bench.registry.symbols)
      const expected = twin.start(time.nowMs())
      for (const { dueMs, status } of expected) {
        const missed = dueFacts(bench.registry, time.nowMs())
        expect(missed).toMatchObject([{ dueMs, status }])
        for (const fact of missed) bench.registry.apply(fact)
        bench.controlPlane.journal(missed)
      }
      expect(dueFacts(bench.registry, time.nowMs())).toEqual([])
      runner = runnerOf()
      await settled()
    }
    const shown = bench.registry.symbols.map(({ status }) => statusNames[status])
    const expected = twin.symbols.map(({ status }) => statusNames[status])
    if (shown.join() !== expected.join()) return `${step}: ${shown} is not ${expected}`
  }
  return ''
}

test.each([1, 2, 3, 4])('the exchange does what the twin says, seed %i', async (seed) => {
  expect(await simulate(seed)).toBe('')
})

/** Facts of one kind leave what was made ahead of its time as it was. */
const keepsAhead = (kind: Fact['fact'], isMeant = (_: HeldFact) => true) => {
  const { apply } = Schedules.prototype
  return vi.spyOn(Schedules.prototype, 'apply').mockImplementation(function (
    this: Schedules,
    fact,
  ) {
    const ahead: Map<number, Ms> = Reflect.get(this, 'ahead')
    const before = new Map(ahead)
    apply.call(this, fact)
    if (fact.fact !== kind || !isMeant(fact as HeldFact)) return
    for (const [id, ms] of before) ahead.set(id, ms)
  })
}

test.each<[string, () => { mockRestore(): void }]>([
  ['what was made ahead outlives its schedule', () => keepsAhead('schedule')],
  ['what was made ahead outlives a status', () => keepsAhead('held', ({ held }) => !held)],
])('a planted defect is found: %s', async (_, plant) => {
  const planted = plant()
  const found = await Promise.all([5, 6, 7, 8, 9, 10, 11, 12].map(simulate))
  planted.mockRestore()
  expect(found.filter((where) => where !== '').length).toBeGreaterThan(0)
})

test.each<[string, Schedules['reaches']]>([
  [
    'a change ends a halt',
    function (this: Schedules, { id }, dueMs) {
      return !this.isHeld(id) && this.aheadOf(id) < dueMs
    },
  ],
  [
    'a change ends a hold',
    function (this: Schedules, { id, status }, dueMs) {
      return status !== SymbolStatus.HALT && this.aheadOf(id) < dueMs
    },
  ],
  [
    'a change ends what an operator restricted',
    function (this: Schedules, { id, status }, dueMs) {
      return status !== SymbolStatus.HALT && !this.isHeld(id) && this.aheadOf(id) < dueMs
    },
  ],
  [
    'what was made ahead is made again',
    function (this: Schedules, { id, status }) {
      return status !== SymbolStatus.HALT && !this.isHeld(id)
    },
  ],
])('a planted defect is found: %s', async (_, reaches) => {
  const planted = vi.spyOn(Schedules.prototype, 'reaches').mockImplementation(reaches)
  const found = await Promise.all([5, 6, 7, 8, 9, 10, 11, 12].map(simulate))
  planted.mockRestore()
  expect(found.filter((where) => where !== '').length).toBeGreaterThan(0)
})
