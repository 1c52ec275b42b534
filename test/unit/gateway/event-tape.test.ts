/** What the tape of events keeps, to whom it reports that events were missed, and that queries wait and end. */
import { expect, test } from 'vitest'
import type { Report } from '../../../src/api/rows/execution-reports.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, Ms, SymbolId } from '../../../src/base/units.ts'
import {
  EventTape,
  TAPE_EVENTS_MAX,
  TAPE_PAGE_MAX,
  TAPE_WAITING_MAX,
} from '../../../src/gateway/event-tape.ts'
import type { ReportTap } from '../../../src/gateway/streams/user-streams.ts'
import type { EventPage, EventsQuery } from '../../../src/shared/operator-query.ts'
import { listedSymbol } from '../core/views/listed-symbol.ts'

const spec = listedSymbol()

function taped() {
  const time = new ManualTime(new ManualClock(Ms(1_000)))
  let tap: ReportTap = () => {}
  const reportAll = (given: ReportTap) => {
    tap = given
  }
  const tape = new EventTape({ reportAll }, { wall: time })
  const record = (orderId: number, account = 1) => {
    const report = { orderId, clientOrderId: `c${orderId}`, renamedFrom: '', timeMs: Ms(5) }
    const codes = { terms: 0, execution: 0, status: 0, rejectReason: 0, orderListId: -1 }
    const amounts = { lots: 1, priceTicks: 1, filledLots: 0, filledAtoms: 0, quoteAtoms: 0 }
    tap(AccountId(account), spec, { ...report, ...codes, ...amounts } as unknown as Report)
  }
  const ask = (more: Partial<EventsQuery> = {}) =>
    tape.read({
      ask: 'events',
      after: undefined,
      limit: 10_000,
      waitMs: 0,
      account: undefined,
      symbolId: undefined,
      ...more,
    })
  const page = async (more: Partial<EventsQuery>) => (await ask(more)).value as EventPage
  const place = async () => (await page({})).more
  return { time, tape, record, ask, page, place }
}
const ids = ({ rows }: EventPage) => rows.map(({ orderId }) => orderId)

test('pages follow each other, each at most so long, and a filter leaves the place behind all', async () => {
  const { record, page, place } = taped()
  const begin = await place()
  for (let id = 1; id <= TAPE_PAGE_MAX + 5; id++) record(id, 1 + (id % 2))
  const first = await page({ after: begin })
  expect(ids(first)).toHaveLength(TAPE_PAGE_MAX)
  expect(ids(await page({ after: first.more }))).toEqual([1_001, 1_002, 1_003, 1_004, 1_005])
  const odd = await page({ after: begin, account: AccountId(2), limit: 3 })
  expect(ids(odd)).toEqual([1, 3, 5])
  expect(ids(await page({ after: odd.more, limit: 2 }))).toEqual([6, 7])
  expect(ids(await page({ after: begin, symbolId: SymbolId(spec.id + 1) }))).toEqual([])
})

test('nothing is recorded before the first question', async () => {
  const { record, page, place } = taped()
  record(1)
  const begin = await place()
  record(2)
  expect(ids(await page({ after: begin }))).toEqual([2])
})

test('the last 10,000 are kept: none is lost within them, and who is further behind is told', async () => {
  const { record, page, place, ask } = taped()
  const begin = await place()
  for (let id = 1; id <= TAPE_EVENTS_MAX; id++) record(id)
  const seen: number[] = []
  for (let after = begin; seen.length < TAPE_EVENTS_MAX; ) {
    const { rows, more } = await page({ after })
    seen.push(...rows.map(({ orderId }) => orderId))
    after = more
  }
  expect(seen).toEqual(Array.from({ length: TAPE_EVENTS_MAX }, (_, at) => at + 1))
  record(TAPE_EVENTS_MAX + 1)
  expect((await ask({ after: begin })).refused).toContain('Events were missed: 10000 are kept.')
  for (let id = 2; id <= 3 * TAPE_EVENTS_MAX; id++) record(TAPE_EVENTS_MAX + id)
  const late = await place()
  record(7)
  expect(ids(await page({ after: late }))).toEqual([7])
})

test('a question waits for an event that it wants, for so long, and not when the gateway stops', async () => {
  const { time, tape, record, page, place } = taped()
  const begin = await place()
  const wanted = page({ after: begin, waitMs: 500, account: AccountId(2) })
  record(1, 1)
  record(2, 2)
  expect(ids(await wanted)).toEqual([2])
  const after = await place()
  const late = page({ after, waitMs: 500 })
  time.advance(500)
  expect(ids(await late)).toEqual([])
  const last = page({ after, waitMs: 500 })
  tape.endAll()
  expect(ids(await last)).toEqual([])
})

test('so many questions wait; a missed record and another start are said', async () => {
  const { tape, ask, place } = taped()
  const begin = await place()
  const waiting = Array.from({ length: TAPE_WAITING_MAX }, () => ask({ after: begin, waitMs: 9 }))
  expect((await ask({ after: begin, waitMs: 9 })).refused).toBe(
    'Too many programs wait for events.',
  )
  tape.missed()
  for (const each of waiting) expect((await each).refused).toContain('Events were missed')
  expect((await ask({ after: begin })).refused).toContain('Events were missed')
  expect((await ask({ after: 'x:1' })).refused).toContain('of another start')
  expect((await ask({ after: `${begin.split(':')[0]}:x` })).refused).toContain('missed')
})
