/**
 * When schedules change statuses, beside a twin that reads a clock minute by minute: a transition is made at
 * the first moment at which the zone's clocks show its time, or a later one of its day.
 */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { Ms, SymbolId } from '../../../../src/base/units.ts'
import {
  dateOf,
  dateText,
  isTimeZone,
  Schedule,
  type ScheduleSpec,
} from '../../../../src/control/schedule/schedule.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WEEK = [0, 1, 2, 3, 4, 5, 6]
const { PRE_TRADING, AUCTION_MATCH, TRADING, POST_TRADING, END_OF_DAY } = SymbolStatus

type At = readonly [time: string, status: SymbolStatus]
function spec(timeZone: string, phases: readonly At[], more: Partial<ScheduleSpec> = {}) {
  const timed = phases.map(([time, status]) => {
    const [hours, minutes] = time.split(':').map(Number)
    return { seconds: (hours! * 60 + minutes!) * 60, status }
  })
  const usual = { name: 'day', symbols: [SymbolId(0)], days: WEEK, holidays: [] }
  return { ...usual, timeZone, phases: timed, ...more }
}
const ms = (text: string) => Ms(Date.parse(text))
const textOf = (dueMs: number) => new Date(dueMs).toISOString()

function transitions(of: ScheduleSpec, from: string, until: string): [string, SymbolStatus][] {
  const made: [string, SymbolStatus][] = []
  for (const { dueMs, status } of new Schedule(of).after(ms(from))) {
    if (dueMs > ms(until)) break
    made.push([textOf(dueMs), status])
  }
  return made
}

/** Reads the zone's clock every minute. */
function twin(of: ScheduleSpec, from: string, until: string): [string, SymbolStatus][] {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: of.timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const readAt = (timeMs: number) => clock.format(timeMs).replace(',', '')
  const made: [string, SymbolStatus][] = []
  const due: { at: string; status: SymbolStatus }[] = []
  for (let date = ms(from) / DAY_MS - 2; date <= ms(until) / DAY_MS + 2; date++) {
    const whole = Math.floor(date)
    const half = of.halfDays?.find((day) => day.date === whole)
    const weekday = new Date(whole * DAY_MS).getUTCDay()
    const own = of.ownDays?.find(({ days }) => days.includes(weekday))
    const isUsual = own !== undefined || of.days.includes(weekday)
    if (half === undefined && (!isUsual || of.holidays.includes(whole))) continue
    for (const { seconds, status } of half?.phases ?? own?.phases ?? of.phases) {
      const time = new Date(seconds * 1_000).toISOString().slice(11, 16)
      due.push({ at: `${dateText(whole)} ${time}`, status })
    }
  }
  for (let timeMs = ms(from) - 3 * DAY_MS; timeMs <= ms(until); timeMs += MINUTE_MS) {
    const shown = readAt(timeMs)
    let last: SymbolStatus | undefined
    while (due.length > 0 && due[0]!.at <= shown) last = due.shift()!.status
    if (last !== undefined && timeMs > ms(from)) made.push([textOf(timeMs), last])
  }
  return made
}

const exchangeDay: readonly At[] = [
  ['08:00', PRE_TRADING],
  ['09:00', AUCTION_MATCH],
  ['09:05', TRADING],
  ['17:30', POST_TRADING],
  ['20:00', END_OF_DAY],
]

describe('a business week', () => {
  test('has its days, and none of the holidays', () => {
    const berlin = spec(
      'Europe/Berlin',
      [
        ['09:00', TRADING],
        ['17:30', END_OF_DAY],
      ],
      {
        days: [1, 2, 3, 4, 5],
        holidays: [dateOf('2026-12-25')!],
      },
    )
    expect(transitions(berlin, '2026-12-24T12:00:00Z', '2026-12-28T12:00:00Z')).toEqual([
      ['2026-12-24T16:30:00.000Z', END_OF_DAY],
      ['2026-12-28T08:00:00.000Z', TRADING],
    ])
  })

  test('has half days with times of their own, on any weekday', () => {
    const early: readonly At[] = [
      ['10:00', TRADING],
      ['14:00', AUCTION_MATCH],
      ['14:05', POST_TRADING],
    ]
    const halfDays = ['2026-12-24', '2026-12-26'].map((day) => ({
      date: dateOf(day)!,
      phases: spec('UTC', early).phases,
    }))
    const days = { days: [1, 2, 3, 4, 5], holidays: [dateOf('2026-12-25')!], halfDays }
    const berlin = spec('Europe/Berlin', exchangeDay, days)
    const span = ['2026-12-23T19:30:00Z', '2026-12-28T07:30:00Z'] as const
    const found = transitions(berlin, ...span)
    expect(found).toEqual(twin(berlin, ...span))
    expect(found).toEqual([
      ['2026-12-24T09:00:00.000Z', TRADING],
      ['2026-12-24T13:00:00.000Z', AUCTION_MATCH],
      ['2026-12-24T13:05:00.000Z', POST_TRADING],
      ['2026-12-26T09:00:00.000Z', TRADING],
      ['2026-12-26T13:00:00.000Z', AUCTION_MATCH],
      ['2026-12-26T13:05:00.000Z', POST_TRADING],
      ['2026-12-28T07:00:00.000Z', PRE_TRADING],
    ])
    const missed = new Schedule(berlin).missed(ms('2026-12-24T12:00:00Z'), ms(span[1]))
    expect(missed.map(({ status }) => status)).toEqual([AUCTION_MATCH, POST_TRADING, PRE_TRADING])
  })

  test('none comes where all days are holidays', () => {
    const dates = Array.from({ length: 1_000 }, (_, at) => dateOf('2026-01-01')! + at)
    const never = spec('UTC', [['09:00', TRADING]], { days: [4], holidays: dates })
    const [next] = transitions(never, '2026-01-02T00:00:00Z', '2030-01-01T00:00:00Z')
    expect(next).toEqual(['2028-09-28T09:00:00.000Z', TRADING])
    expect(new Schedule(never).lastUntil(ms('2026-06-01T00:00:00Z'))?.dueMs).toBe(
      ms('2025-12-25T09:00:00Z'),
    )
  })
})

describe('clocks that are set', () => {
  test.each<[name: string, timeZone: string, phases: At[], day: string, made: string[]]>([
    [
      'forward: a skipped time is the moment of the skip',
      'Europe/Berlin',
      [
        ['01:59', PRE_TRADING],
        ['02:30', AUCTION_MATCH],
        ['03:30', TRADING],
      ],
      '2026-03-29',
      ['00:59', '01:00', '01:30'],
    ],
    [
      'forward: of two times that fall together the last one counts',
      'Europe/Berlin',
      [
        ['02:10', PRE_TRADING],
        ['02:30', AUCTION_MATCH],
        ['03:00', TRADING],
      ],
      '2026-03-29',
      ['01:00'],
    ],
    [
      'back: a time that comes twice is the first',
      'Europe/Berlin',
      [
        ['02:30', PRE_TRADING],
        ['03:00', TRADING],
      ],
      '2026-10-25',
      ['00:30', '02:00'],
    ],
    [
      'by half an hour',
      'Australia/Lord_Howe',
      [
        ['02:15', PRE_TRADING],
        ['12:00', TRADING],
      ],
      '2026-10-04',
      [],
    ],
    [
      'at midnight',
      'America/Santiago',
      [
        ['00:30', PRE_TRADING],
        ['12:00', TRADING],
      ],
      '2026-09-06',
      ['04:00', '15:00'],
    ],
  ])('%s', (_, timeZone, phases, day, made) => {
    const schedule = spec(timeZone, phases)
    const [from, until] = [`${day}T00:00:00Z`, `${day}T22:00:00Z`]
    const found = transitions(schedule, from, until)
    expect(found).toEqual(twin(schedule, from, until))
    if (made.length > 0) expect(found.map(([at]) => at.slice(11, 16))).toEqual(made)
  })

  test('a date that a zone leaves out', () => {
    const apia = spec('Pacific/Apia', [
      ['00:00', PRE_TRADING],
      ['09:00', TRADING],
    ])
    const span = ['2011-12-28T00:00:00Z', '2012-01-02T00:00:00Z'] as const
    expect(transitions(apia, ...span)).toEqual(twin(apia, ...span))
  })

  test('days in many zones, and the days on which their clocks are set', () => {
    const zones = ['America/New_York', 'Asia/Tokyo', 'Africa/Casablanca', 'America/St_Johns', 'UTC']
    for (const zone of zones) {
      const schedule = spec(zone, exchangeDay, { days: [1, 2, 3, 4, 5] })
      const span = ['2026-03-01T00:00:00Z', '2026-04-05T00:00:00Z'] as const
      expect(transitions(schedule, ...span), zone).toEqual(twin(schedule, ...span))
    }
  })

  test('random times around each change', () => {
    const random = new Prng(45)
    const changes = [
      ['Europe/Berlin', '2026-03-29'],
      ['Europe/Berlin', '2026-10-25'],
      ['America/New_York', '2026-03-08'],
      ['America/New_York', '2026-11-01'],
      ['Australia/Lord_Howe', '2026-04-05'],
      ['Asia/Beirut', '2026-03-29'],
    ] as const
    for (const [zone, day] of changes) {
      for (let round = 0; round < 3; round++) {
        const minutes = Array.from({ length: 8 }, () => random.below(240))
        const distinct = [...new Set(minutes)].sort((a, b) => a - b)
        const phases = distinct.map((minute, at) => ({
          seconds: minute * 60,
          status: WEEK[at % 7],
        }))
        const schedule = spec(zone, [], { phases: phases as ScheduleSpec['phases'] })
        const from = textOf(ms(`${day}T00:00:00Z`) - DAY_MS)
        const until = textOf(ms(`${day}T00:00:00Z`) + 2 * DAY_MS)
        const found = transitions(schedule, from, until)
        expect(found, `${zone} ${day} ${distinct}`).toEqual(twin(schedule, from, until))
        const last = new Schedule(schedule).lastUntil(ms(until))!
        expect([textOf(last.dueMs), last.status]).toEqual(found.at(-1))
      }
    }
  })
})

describe('what was missed', () => {
  const schedule = new Schedule(spec('Europe/Berlin', exchangeDay, { days: [1, 2, 3, 4, 5] }))
  test.each([
    ['within a day: all of it', '2026-11-26T07:30:00Z', '2026-11-26T08:30:00Z', [5, 1]],
    [
      'over days: the rest, and the last',
      '2026-11-20T18:30:00Z',
      '2026-11-26T08:00:00Z',
      [3, 0, 5],
    ],
    ['over a weekend', '2026-11-18T16:30:00Z', '2026-11-22T08:00:00Z', [3, 0, 5, 1, 2, 3]],
    ['over days, from a night', '2026-11-18T22:00:00Z', '2026-11-26T08:00:00Z', [0, 5]],
    ['none', '2026-11-26T09:30:00Z', '2026-11-26T10:00:00Z', []],
    ['up to the moment itself', '2026-11-26T08:00:00Z', '2026-11-26T08:05:00Z', [1]],
  ])('%s', (_, after, until, made) => {
    expect(schedule.missed(ms(after), ms(until)).map(({ status }) => status)).toEqual(made)
  })
})

test('dates and zones are read strictly', () => {
  expect(dateText(dateOf('2028-02-29')!)).toBe('2028-02-29')
  for (const text of ['2026-02-29', '2026-2-3', '26-01-01', '2026-13-01', '']) {
    expect(dateOf(text), text).toBeUndefined()
  }
  expect(['Europe/Berlin', 'UTC'].every(isTimeZone)).toBe(true)
  expect(['Europe/Atlantis', '', 'x'.repeat(1_000)].some(isTimeZone)).toBe(false)
})

describe('weekdays of their own times', () => {
  const at = (hours: number, status: SymbolStatus) => ({ seconds: hours * 3_600, status })
  const week: Partial<ScheduleSpec> = {
    days: [],
    ownDays: [
      { days: [0], phases: [at(17, TRADING)] },
      { days: [5], phases: [at(17, POST_TRADING)] },
    ],
  }

  test('a week opens on Sunday and closes on Friday', () => {
    const of = spec('America/New_York', [], week)
    expect(transitions(of, '2026-03-05T00:00Z', '2026-03-15T00:00Z')).toEqual([
      ['2026-03-06T22:00:00.000Z', POST_TRADING],
      // The clocks have changed on the night before.
      ['2026-03-08T21:00:00.000Z', TRADING],
      ['2026-03-13T21:00:00.000Z', POST_TRADING],
    ])
    expect(new Schedule(of).lastUntil(ms('2026-03-12T00:00Z'))?.status).toBe(TRADING)
    const missed = new Schedule(of).missed(ms('2026-03-07T00:00Z'), ms('2026-03-10T00:00Z'))
    expect(missed.map(({ status }) => status)).toEqual([TRADING])
  })

  test('are changes of the twin, beside usual days and holidays', () => {
    const holidays = [dateOf('2026-10-30')!]
    const usual: readonly At[] = [
      ['09:00', TRADING],
      ['17:00', POST_TRADING],
    ]
    const mixed = { ...week, days: [1, 2, 3, 4], holidays }
    for (const zone of ['Europe/Berlin', 'America/New_York', 'UTC']) {
      const of = spec(zone, usual, mixed)
      const span = ['2026-10-20T00:00Z', '2026-11-05T00:00Z'] as const
      expect(transitions(of, ...span)).toEqual(twin(of, ...span))
    }
  })
})
