/** Schedules as operators set them and as they are carried out, over days of false time. */
import { beforeEach, describe, expect, test } from 'vitest'
import { namesOf, SymbolStatus } from '../../../../src/base/codes.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Ms } from '../../../../src/base/units.ts'
import { ActionError } from '../../../../src/control/action.ts'
import type { Fact, TransitionFact } from '../../../../src/control/facts.ts'
import { Registry } from '../../../../src/control/registry.ts'
import { HOLIDAYS_MAX, SCHEDULES_MAX } from '../../../../src/control/schedule/schedule.ts'
import { ScheduleRunner } from '../../../../src/control/schedule/schedule-runner.ts'
import { dueFacts } from '../../../../src/control/schedule/transitions.ts'
import { ActionBench } from '../plain-control-plane.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const STRIDE_MS = 60_000
const statusNames = namesOf(SymbolStatus)
/** A Thursday; Friday is a holiday. */
const START = '2026-03-26T06:00:00Z'
const DAY = {
  schedule: 'day',
  symbols: 'BTCUSDT,USDTBTC',
  zone: 'Europe/Berlin',
  days: 'MON-FRI',
  phases: '08:00 PRE_TRADING,09:00 AUCTION_MATCH,09:05 TRADING,17:30 POST_TRADING,20:00 END_OF_DAY',
  holidays: '2026-03-27',
}

let time: ManualTime
let bench: ActionBench
let runner: ScheduleRunner
let warned: string[]
beforeEach(async () => {
  time = new ManualTime(new ManualClock(Ms(Date.parse(START))))
  bench = await ActionBench.make(time)
  await bench.ask('symbol-list USDT BTC --like BTCUSDT')
  warned = []
  runner = run(bench.registry)
  bench.controlPlane.scheduleChanged = () => runner.wake()
})

const run = (registry: Registry) =>
  new ScheduleRunner({
    registry,
    executor: bench.executor,
    time,
    whyNoActions: () => bench.controlPlane.whyNoActions(),
    warn: (sentence) => warned.push(sentence),
  })
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
/** In strides, so that a week has few of them. */
async function play(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STRIDE_MS) {
    time.advance(Math.min(STRIDE_MS, left))
    await settled()
  }
}
const statusOf = (symbol = 0) => statusNames[bench.registry.symbols[symbol]!.status]
const set = (more: object = {}) => bench.executor.act('schedule-set', { ...DAY, ...more })
const made = () =>
  bench.controlPlane.facts
    .filter((fact): fact is TransitionFact => fact.fact === 'transition')
    .map(textOf)
function textOf({ dueMs, status, symbols }: TransitionFact): string {
  const at = new Date(dueMs).toISOString().slice(5, 16)
  return `${at} ${statusNames[status]} ${symbols.length}`
}

/** What a start makes of the control journal. */
function restarted(): Registry {
  const registry = new Registry()
  for (const text of bench.controlPlane.texts) registry.apply(JSON.parse(text) as Fact)
  return registry
}

test('a week passes: each change once, at its time, and clocks are set on Sunday', async () => {
  await set()
  const before = made().length
  await play(5 * DAY_MS)
  expect(made().slice(before)).toEqual([
    '03-26T07:00 PRE_TRADING 2',
    '03-26T08:00 AUCTION_MATCH 2',
    '03-26T08:05 TRADING 2',
    '03-26T16:30 POST_TRADING 2',
    '03-26T19:00 END_OF_DAY 2',
    '03-30T06:00 PRE_TRADING 2',
    '03-30T07:00 AUCTION_MATCH 2',
    '03-30T07:05 TRADING 2',
    '03-30T15:30 POST_TRADING 2',
    '03-30T18:00 END_OF_DAY 2',
    '03-31T06:00 PRE_TRADING 2',
  ])
  expect(bench.controlPlane.enforced).toEqual(bench.controlPlane.facts)
  expect(bench.registry.log.newest(1)).toMatchObject([{ by: 'schedule', name: 'schedule-run' }])
  runner.stop()
  await play(DAY_MS)
  expect(statusOf()).toBe('PRE_TRADING')
})

describe('what was due while nothing ran', () => {
  /** The changes that a start makes, each in force before the next is asked for. */
  function missed(registry: Registry): string[] {
    const found: string[] = []
    for (;;) {
      const [due] = dueFacts(registry, time.nowMs())
      if (due === undefined) return found
      found.push(textOf(due))
      registry.apply(due)
      expect(registry.symbols[0]).toMatchObject({ status: due.status, statusMs: due.dueMs })
    }
  }

  test('is made at the start, in its order, once: the rest of the day and the last day', async () => {
    await set()
    await play(2.2 * HOUR_MS)
    expect(statusOf()).toBe('TRADING')
    runner.stop()
    await play(5 * DAY_MS + HOUR_MS)
    const registry = restarted()
    expect(registry.symbols[0]!.status).toBe(SymbolStatus.TRADING)
    expect(missed(registry)).toEqual([
      '03-26T16:30 POST_TRADING 2',
      '03-26T19:00 END_OF_DAY 2',
      '03-31T06:00 PRE_TRADING 2',
      '03-31T07:00 AUCTION_MATCH 2',
      '03-31T07:05 TRADING 2',
    ])
    expect(registry.schedules.due(time.nowMs())).toEqual([])
  })

  test('has no rest of a day that had not begun', async () => {
    await set()
    runner.stop()
    await play(4 * DAY_MS + 2.2 * HOUR_MS)
    expect(missed(restarted())).toEqual([
      '03-30T06:00 PRE_TRADING 2',
      '03-30T07:00 AUCTION_MATCH 2',
      '03-30T07:05 TRADING 2',
    ])
  })

  test('is at most two days of it, after years', async () => {
    await set({ holidays: '' })
    await play(2.2 * HOUR_MS)
    runner.stop()
    time.clock.wallMs = Ms(time.clock.wallMs + 3_650 * DAY_MS)
    const made = missed(restarted())
    expect(made.length).toBeLessThanOrEqual(10)
    expect(made[0]).toBe('03-26T16:30 POST_TRADING 2')
  })

  test('a clock that jumps over days makes the last day, step by step', async () => {
    await set()
    const before = made().length
    time.advance(4 * DAY_MS + 2 * HOUR_MS)
    await settled()
    expect(made().slice(before)).toEqual([
      '03-30T06:00 PRE_TRADING 2',
      '03-30T07:00 AUCTION_MATCH 2',
      '03-30T07:05 TRADING 2',
    ])
    time.clock.wallMs = Ms(Date.parse('2026-03-30T06:30:00Z'))
    await play(HOUR_MS)
    expect(made().slice(before)).toHaveLength(3)
  })
})

describe('an operator', () => {
  test('sets a schedule, which is in force at once; a dry run changes nothing', async () => {
    await play(2.2 * HOUR_MS)
    const facts = bench.controlPlane.facts.length
    const preview = await bench.executor.preview('schedule-set', { ...DAY, zone: 'UTC' })
    expect(preview).toMatchObject({ does: 'Set the schedule day' })
    expect(preview?.note).toBe('12 coming changes shown. 2 symbols change now.')
    expect(preview?.rows[0]).toEqual({
      time: '2026-03-26T09:00:00.000Z',
      day: '2026-03-26',
      status: 'AUCTION_MATCH',
    })
    expect(bench.controlPlane.facts).toHaveLength(facts)
    expect(bench.registry.schedules.all).toEqual([])

    await set({ zone: 'UTC' })
    expect(statusOf()).toBe('PRE_TRADING')
    // What is not given stays.
    await bench.executor.act('schedule-set', { schedule: 'day', zone: 'Europe/Berlin' })
    expect(statusOf()).toBe('TRADING')
    const { rows } = await bench.ask('schedule-show')
    expect(rows).toEqual([
      {
        schedule: 'day',
        symbols: 'BTCUSDT,USDTBTC',
        held: '',
        zone: 'Europe/Berlin',
        days: 'MON,TUE,WED,THU,FRI',
        holidays: 1,
        halfDays: 0,
        phases: DAY.phases.replaceAll(',', ', '),
        next: '2026-03-26T16:30:00.000Z POST_TRADING',
      },
    ])
    expect((await bench.ask('schedule-next day 2')).rows.map(({ status }) => status)).toEqual([
      'POST_TRADING',
      'END_OF_DAY',
    ])
    await set({ phases: DAY.phases.replaceAll(' ', '=') })
    const present = bench.executor.present('schedule-set', { schedule: 'day' })
    expect(
      await bench.executor.preview('schedule-set', { schedule: 'day', ...present }),
    ).toBeDefined()

    await bench.ask('schedule-remove day')
    expect(bench.registry.schedules.all).toEqual([])
    expect(restarted().schedules.all).toEqual([])
    await play(DAY_MS)
    expect(statusOf()).toBe('TRADING')
  })

  test('sets a half day, which a dry run, a form and a copy of the settings have', async () => {
    const holidays = '2026-03-26 09:05=TRADING 14:00=POST_TRADING,2026-03-27'
    const preview = await bench.executor.preview('schedule-set', { ...DAY, holidays })
    expect(preview?.rows.slice(0, 3).map(({ time, status }) => `${time} ${status}`)).toEqual([
      '2026-03-26T08:05:00.000Z TRADING',
      '2026-03-26T13:00:00.000Z POST_TRADING',
      '2026-03-30T06:00:00.000Z PRE_TRADING',
    ])
    await set({ holidays })
    const present = bench.executor.present('schedule-set', { schedule: 'day' })
    expect(present).toMatchObject({ holidays })
    const { spec } = bench.registry.schedules.named('day')!
    await set({ holidays: present.holidays })
    expect(bench.registry.schedules.named('day')!.spec).toEqual(spec)
    await bench.executor.act('schedule-set', { schedule: 'day', zone: 'Europe/Berlin' })
    expect(bench.registry.schedules.named('day')!.spec).toEqual(spec)
    expect(restarted().schedules.named('day')!.spec).toEqual(spec)
    expect((await bench.ask('schedule-show')).rows[0]).toMatchObject({ holidays: 1, halfDays: 1 })
    await play(8 * HOUR_MS)
    expect(statusOf()).toBe('POST_TRADING')
    await set({ holidays: '' })
    expect(bench.registry.schedules.named('day')!.spec).not.toHaveProperty('halfDays')
    expect(statusOf()).toBe('TRADING')
  })

  test('holds a symbol, and releases it into what is due by then', async () => {
    await set()
    await bench.ask('phase-hold BTCUSDT')
    expect((await bench.ask('phase-hold BTCUSDT')).said).toBe('BTCUSDT is held already.')
    await play(2.2 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['END_OF_DAY', 'TRADING'])
    expect((await bench.ask('schedule-show')).rows[0]).toMatchObject({ held: 'BTCUSDT' })
    expect(bench.registry.schedules.readings()).toEqual([
      {
        name: 'day',
        timeZone: 'Europe/Berlin',
        symbols: 2,
        held: 1,
        next: { timeMs: Date.parse('2026-03-26T16:30:00Z'), status: 'POST_TRADING' },
      },
    ])
    expect(restarted().schedules.isHeld(bench.registry.symbols[0]!.id)).toBe(true)
    await bench.ask('phase-release BTCUSDT')
    expect(statusOf()).toBe('TRADING')
    await play(9 * HOUR_MS)
    expect(statusOf()).toBe('POST_TRADING')
  })

  test('advances a symbol; what was made ahead is not made again', async () => {
    await set()
    await bench.ask('phase-advance BTCUSDT')
    await bench.ask('phase-advance BTCUSDT')
    expect([statusOf(0), statusOf(1)]).toEqual(['AUCTION_MATCH', 'END_OF_DAY'])
    await play(1.5 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['AUCTION_MATCH', 'PRE_TRADING'])
    await play(0.6 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['TRADING', 'TRADING'])
  })

  test.each<[what: string, later: () => Promise<unknown>, status: string]>([
    ['the schedule is set again', () => set({ zone: 'Europe/Berlin' }), 'TRADING'],
    [
      'another schedule takes the symbol',
      async () => {
        await bench.ask('schedule-remove day')
        await set({ schedule: 'other', phases: '08:00 BREAK,23:00 TRADING' })
      },
      'BREAK',
    ],
    ['the status is set by hand', () => bench.ask('symbol-status BTCUSDT PRE_TRADING'), 'TRADING'],
  ])('what was made ahead is over once %s, and after a restart', async (_, later, status) => {
    await set()
    // To POST_TRADING, which is due in the afternoon.
    for (let i = 0; i < 4; i++) await bench.ask('phase-advance BTCUSDT')
    expect([statusOf(0), statusOf(1)]).toEqual(['POST_TRADING', 'END_OF_DAY'])
    await later()
    const id = bench.registry.symbols[0]!.id
    expect(bench.registry.schedules.aheadOf(id)).toBe(0)
    const registry = restarted()
    expect(registry.schedules.aheadOf(id)).toBe(0)
    expect(registry.symbols).toEqual(bench.registry.symbols)
    await play(2.2 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual([status, status])
  })

  test('a symbol that was advanced and resumes through a call trades when that is due', async () => {
    await set()
    for (let i = 0; i < 3; i++) await bench.ask('phase-advance BTCUSDT')
    await bench.ask('halt BTCUSDT')
    await bench.ask('resume BTCUSDT --through AUCTION_MATCH')
    expect([statusOf(0), statusOf(1)]).toEqual(['AUCTION_MATCH', 'END_OF_DAY'])
    await play(2.2 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['TRADING', 'TRADING'])
  })

  test('a schedule that is set brings a symbol back that was advanced', async () => {
    await set()
    await bench.ask('phase-advance BTCUSDT')
    expect([statusOf(0), statusOf(1)]).toEqual(['PRE_TRADING', 'END_OF_DAY'])
    const again = { schedule: 'day', zone: 'Europe/Berlin' }
    const preview = await bench.executor.preview('schedule-set', again)
    expect(preview?.note).toContain('1 symbol change now.')
    await bench.executor.act('schedule-set', again)
    expect([statusOf(0), statusOf(1)]).toEqual(['END_OF_DAY', 'END_OF_DAY'])
  })

  test('what was made ahead does not reach its symbol at its very moment, and what comes next does', async () => {
    await set()
    await bench.ask('phase-advance BTCUSDT')
    const { schedules, symbols } = bench.registry
    const [spec] = symbols
    const aheadMs = schedules.aheadOf(spec!.id)
    expect(aheadMs).toBeGreaterThan(0)
    expect([0, 1].map((ms) => schedules.reaches(spec!, Ms(aheadMs + ms)))).toEqual([false, true])
  })

  test('advances a symbol without a schedule through a business day', async () => {
    const seen: (string | undefined)[] = []
    for (let i = 0; i < 5; i++) {
      await bench.ask('phase-advance BTCUSDT')
      seen.push(statusOf())
    }
    expect(seen.join(' ')).toBe('POST_TRADING END_OF_DAY PRE_TRADING AUCTION_MATCH TRADING')
  })

  test('halts a symbol: no schedule ends that, and it resumes into its status', async () => {
    await set()
    await play(2.2 * HOUR_MS)
    await bench.ask('halt BTCUSDT')
    await play(9 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['HALT', 'POST_TRADING'])
    await expect(bench.ask('phase-advance BTCUSDT')).rejects.toThrow('BTCUSDT is HALT')
    expect((await bench.ask('resume BTCUSDT')).said).toBe('BTCUSDT is POST_TRADING.')
  })

  test('sets CANCEL_ONLY: no schedule ends that, but what a schedule sets goes on', async () => {
    const cancelOnly = DAY.phases.replace('POST_TRADING', 'CANCEL_ONLY')
    await set({ phases: cancelOnly })
    await play(2.2 * HOUR_MS)
    await bench.ask('symbol-status BTCUSDT CANCEL_ONLY')
    await play(9 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['CANCEL_ONLY', 'CANCEL_ONLY'])
    await expect(bench.ask('resume USDTBTC')).rejects.toThrow('USDTBTC is CANCEL_ONLY, not HALT')
    await expect(bench.ask('phase-advance BTCUSDT')).rejects.toThrow('BTCUSDT is CANCEL_ONLY')
    await play(3 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['CANCEL_ONLY', 'END_OF_DAY'])
    expect(restarted().schedules.isStopped(bench.registry.symbols[0]!)).toBe(true)
    expect(bench.registry.schedules.copy().isStopped(bench.registry.symbols[0]!)).toBe(true)
    await set({ phases: cancelOnly })
    expect(statusOf(0)).toBe('CANCEL_ONLY')
    expect((await bench.ask('resume BTCUSDT')).said).toBe('BTCUSDT is END_OF_DAY.')
    await bench.ask('phase-advance USDTBTC')
    await play(4 * DAY_MS)
    expect(statusOf(0)).toBe(statusOf(1))
  })

  test('keeps a status that a schedule has set', async () => {
    await set({ phases: '09:00 TRADING,10:00 CANCEL_ONLY,12:00 END_OF_DAY' })
    await play(3.5 * HOUR_MS)
    await bench.ask('symbol-status BTCUSDT CANCEL_ONLY')
    await play(2 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['CANCEL_ONLY', 'END_OF_DAY'])
  })

  test('keeps CANCEL_ONLY of a listing', async () => {
    await bench.ask('asset-list ETH')
    await bench.ask('symbol-list ETH BTC --like BTCUSDT --status CANCEL_ONLY')
    await set({ symbols: 'ETHBTC', phases: '08:00 TRADING' })
    expect(statusOf(2)).toBe('CANCEL_ONLY')
    await bench.ask('resume ETHBTC')
    expect(statusOf(2)).toBe('TRADING')
  })

  test.each(['PRE_TRADING', 'AUCTION_MATCH'])('halts a symbol in %s', async (status) => {
    await bench.ask(`symbol-status BTCUSDT ${status}`)
    await bench.ask('halt BTCUSDT')
    await bench.ask(`symbol-status USDTBTC ${status}`)
    await bench.ask('halt --all on')
    expect([statusOf(0), statusOf(1)]).toEqual(['HALT', 'HALT'])
    await bench.ask('symbol-status BTCUSDT END_OF_DAY')
    await expect(bench.ask('halt BTCUSDT')).rejects.toThrow(
      'BTCUSDT is END_OF_DAY, and takes no orders.',
    )
  })

  test('delists a symbol: it is passed by', async () => {
    await set()
    await bench.ask('symbol-delist BTCUSDT')
    await play(2.2 * HOUR_MS)
    expect([statusOf(0), statusOf(1)]).toEqual(['BREAK', 'TRADING'])
  })

  test.each<[string, object]>([
    ['zone must be a time zone such as Europe/Berlin, not Mars/Base.', { zone: 'Mars/Base' }],
    ['A schedule needs phases ("09:00 TRADING").', { phases: '' }],
    ['phases: "9:00 TRADING" is not like "09:00 TRADING".', { phases: '9:00 TRADING' }],
    ['phases: "24:00 TRADING" is not like "09:00 TRADING".', { phases: '24:00 TRADING' }],
    [
      'phases must be in the order of their times: 09:00 BREAK.',
      { phases: '09:00 TRADING,09:00 BREAK' },
    ],
    ['phases: OPEN is not a status to schedule: ', { phases: '09:00 OPEN' }],
    ['phases: HALT is not a status to schedule: ', { phases: '09:00 HALT' }],
    ['days: FUN must be ', { days: 'MON-FUN' }],
    ['days must name a weekday.', { days: '' }],
    ['days: MON-TUE comes twice.', { days: 'MON 09:00=TRADING,MON-TUE 10:00=TRADING' }],
    ['holidays: 2026-02-30 is not like 2026-12-25.', { holidays: '2026-02-30' }],
    ['holidays: "14:00" is not like "09:00 TRADING".', { holidays: '2026-12-24 14:00' }],
    ['holidays: HALT is not a status to schedule: ', { holidays: '2026-12-24 14:00=HALT' }],
    [
      'holidays must be in the order of their times: 09:00=TRADING.',
      { holidays: '2026-12-24 14:00=BREAK 09:00=TRADING' },
    ],
    ['holidays: 2026-12-24 comes twice.', { holidays: '2026-12-24,2026-12-24 14:00=BREAK' }],
    [
      'A schedule has at most 64 phases a day.',
      { holidays: `2026-12-24${' 09:00=TRADING'.repeat(65)}` },
    ],
    ['There is no symbol XYZ', { symbols: 'XYZ' }],
    ['schedule-set takes symbols or "all", not both.', { all: 'on' }],
    ['A schedule has at most 64 phases a day.', { phases: `${'09:00 TRADING,'.repeat(64)}x` }],
    ['A schedule has at most 1000 holidays.', { holidays: 'x,'.repeat(HOLIDAYS_MAX) }],
    ['BTCUSDT is in the schedule day.', { schedule: 'other' }],
  ])('is refused: %s', async (sentence, more) => {
    await set()
    const facts = bench.controlPlane.facts.length
    await expect(set(more)).rejects.toThrow(sentence)
    await expect(set(more)).rejects.toThrow(ActionError)
    expect(bench.controlPlane.facts).toHaveLength(facts)
  })

  test('sets as many schedules as there is room for', async () => {
    for (let i = 0; i < SCHEDULES_MAX; i++) await set({ schedule: `s${i}`, symbols: '' })
    await expect(set({ schedule: 'more', symbols: '' })).rejects.toThrow(
      `There is room for ${SCHEDULES_MAX} schedules, not for another.`,
    )
    await set({ schedule: 's0' })
  })
})

test('a member that follows makes no change; the one that leads makes what is due', async () => {
  await set()
  bench.controlPlane.leader = 'another'
  await play(2.2 * HOUR_MS)
  expect(statusOf()).toBe('END_OF_DAY')
  bench.controlPlane.leader = undefined
  await play(STRIDE_MS)
  expect(statusOf()).toBe('TRADING')
  expect(warned).toEqual([])
})

test('a refusal is told, and tried again later', async () => {
  await set()
  await bench.ask('drain')
  await play(HOUR_MS + 3 * STRIDE_MS)
  expect(warned.length).toBeGreaterThan(1)
  expect(warned[0]).toBe(
    "a schedule's change was not made: The exchange is drained: only stop is possible now.",
  )
})

test('a venue file sets schedules, and applied again changes nothing', async () => {
  const venue = `
[schedules.day]
symbols = ["BTCUSDT"]
zone = "America/New_York"
days = ["MON-FRI"]
phases = ["09:30 TRADING", "16:00 END_OF_DAY"]
holidays = ["2026-12-25", "2026-12-24 09:30=TRADING 13:00=END_OF_DAY"]
`
  const { said, rows } = await bench.executor.act('venue-apply', { venue })
  expect([said, rows]).toEqual([
    '1 change made.',
    [{ place: 'schedules.day', change: 'The schedule day is set.' }],
  ])
  expect(statusOf()).toBe('END_OF_DAY')
  expect((await bench.executor.act('venue-apply', { venue })).said).toBe(
    'The venue is as the file says.',
  )
  expect(restarted().symbols[0]!.status).toBe(SymbolStatus.END_OF_DAY)
})
