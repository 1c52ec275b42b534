/** Lives of orders from two sides: any order of messages agrees, any change of one side does not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OrderCheck, type Report } from '../../../scripts/load/checks/order-check.ts'
import { Lots } from '../../../src/base/units.ts'

interface Life {
  /** Lots that it took on arrival, one number for each fill, and that it made later. */
  readonly taken: readonly Lots[]
  readonly made: readonly Lots[]
  readonly end: 'rests' | 'canceled' | 'expired' | 'refused'
}

const life: fc.Arbitrary<Life> = fc.record({
  taken: fc.array(fc.integer({ min: 1, max: 9 }).map(Lots), { maxLength: 3 }),
  made: fc.array(fc.integer({ min: 1, max: 9 }).map(Lots), { maxLength: 3 }),
  end: fc.constantFrom('rests', 'canceled', 'expired', 'refused'),
})

/** More than it ever fills, so that it stays open. */
const QUANTITY = 56
/** Less than that, and more than it ever fills, which is 54. */
const NEVER_FILLED = 55
const PRICE = 7
const text = (value: number) => `${value}.00000000`

const reportOf = (given: Partial<Report>): Report => ({
  s: 'BTCUSDT',
  c: 'one',
  C: '',
  i: 17,
  x: 'NEW',
  X: 'NEW',
  q: text(QUANTITY),
  l: text(0),
  z: text(0),
  L: text(0),
  Z: text(0),
  n: '0',
  N: null,
  t: -1,
  m: false,
  ...given,
})

/** What each side sends of the life, in the order in which it sends it. */
function tell({ taken, made, end }: Life) {
  if (end === 'refused') {
    const none: Report[] = []
    return { reports: none, answers: ['refused'] as const, placement: undefined, cancel: undefined }
  }
  const rests = end !== 'expired'
  const reports: Report[] = [reportOf({})]
  let filled = 0
  const fills: (readonly [lots: Lots, isMade: boolean])[] = taken.map((lots) => [lots, false])
  if (rests) fills.push(...made.map((lots) => [lots, true] as const))
  for (const [index, [lots, m]] of fills.entries()) {
    filled += lots
    reports.push(
      reportOf({
        x: 'TRADE',
        X: 'PARTIALLY_FILLED',
        l: text(lots),
        z: text(filled),
        L: text(PRICE),
        Z: text(filled * PRICE),
        n: text(0),
        N: 'BNB',
        t: 100 + index,
        m,
      }),
    )
  }
  const state = { z: text(filled), Z: text(filled * PRICE) }
  if (end === 'canceled') {
    reports.push(reportOf({ x: 'CANCELED', X: 'CANCELED', c: 'cancel', C: 'one', ...state }))
  }
  if (end === 'expired') reports.push(reportOf({ x: 'EXPIRED', X: 'EXPIRED', ...state }))
  const arrived = taken.reduce((sum, lots) => sum + lots, 0)
  const placement = {
    orderId: 17,
    clientOrderId: 'one',
    status: end === 'expired' ? 'EXPIRED' : arrived > 0 ? 'PARTIALLY_FILLED' : 'NEW',
    executedQty: text(arrived),
    cummulativeQuoteQty: text(arrived * PRICE),
    fills: taken.map((lots, index) => ({
      price: text(PRICE),
      qty: text(lots),
      commission: text(0),
      commissionAsset: 'BNB',
      tradeId: 100 + index,
    })),
  }
  const cancel = { orderId: 17, status: 'CANCELED', executedQty: text(filled) }
  const answers = end === 'canceled' ? (['placed', 'canceled'] as const) : (['placed'] as const)
  return { reports, answers, placement, cancel }
}

type Told = ReturnType<typeof tell>

/** Sends both sides, interleaved by `turns`. */
function run(told: Told, turns: readonly boolean[]): OrderCheck {
  const check = new OrderCheck()
  check.sent('one')
  const reports = [...told.reports]
  const answers: string[] = [...told.answers]
  if (answers.includes('canceled')) check.canceling('one')
  for (let i = 0; reports.length + answers.length > 0; i++) {
    const isReport = answers.length === 0 || (reports.length > 0 && turns[i % turns.length])
    if (isReport) {
      check.report(reports.shift()!)
      continue
    }
    const answer = answers.shift()
    if (answer === 'refused') check.refused('one')
    else if (answer === 'placed') check.accepted(told.placement!)
    else check.canceled('one', told.cancel!)
  }
  return check
}

const failed = (check: OrderCheck) =>
  check.results().reduce((sum, { failed: count }) => sum + count, 0)
const turns = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })

describe('answers and reports', () => {
  test('agree in whatever order they come', () => {
    fc.assert(
      fc.property(life, turns, (of, order) => {
        const check = run(tell(of), order)
        expect(check.unsettled).toBe(0)
        check.end()
        expect(check.results().flatMap(({ failures }) => failures)).toEqual([])
        expect(check.results()[0]!.compared).toBeGreaterThan(0)
      }),
    )
  })

  test('a report that is missing, or says another thing, is noticed', () => {
    const change = fc.constantFrom('drop', 'quantity', 'id', 'status', 'double')
    fc.assert(
      fc.property(life, turns, change, fc.nat(), (of, order, how, at) => {
        fc.pre(of.end !== 'refused')
        const told = tell(of)
        // Fills of a resting order have no answer.
        const checked = told.reports.filter(({ m, x }) => !m || x === 'CANCELED')
        const victim = checked[at % checked.length]!
        const index = told.reports.indexOf(victim)
        const other: Record<string, Report[]> = {
          drop: [],
          quantity: [{ ...victim, z: text(NEVER_FILLED) }],
          id: [{ ...victim, i: 18 }],
          status: [{ ...victim, X: 'FILLED' }],
          double: [victim, victim],
        }
        told.reports.splice(index, 1, ...other[how]!)
        const check = run(told, order)
        check.end()
        expect(failed(check)).toBeGreaterThan(0)
      }),
    )
  })

  test('an answer that says another thing is noticed', () => {
    const change = fc.constantFrom('orderId', 'executedQty', 'cummulativeQuoteQty', 'fill')
    fc.assert(
      fc.property(life, turns, change, (of, order, how) => {
        fc.pre(of.end !== 'refused' && of.taken.length > 0)
        const told = tell(of)
        const { placement } = told
        const fills = placement!.fills.map((fill) => ({ ...fill, tradeId: fill.tradeId + 1 }))
        const other = {
          orderId: { orderId: 18 },
          executedQty: { executedQty: text(NEVER_FILLED) },
          cummulativeQuoteQty: { cummulativeQuoteQty: text(1) },
          fill: { fills },
        }[how]
        const check = run({ ...told, placement: { ...placement!, ...other } } as Told, order)
        check.end()
        expect(failed(check)).toBeGreaterThan(0)
      }),
    )
  })

  const wrongs: readonly (readonly [string, (check: OrderCheck) => void])[] = [
    ['a refused order that is reported', (it) => [it.refused('one'), it.report(reportOf({}))]],
    ['a reported order that is refused', (it) => [it.report(reportOf({})), it.refused('one')]],
    ['an order that is never answered', () => {}],
    [
      'a cancel that was told of no order, of one that stands',
      (it) => {
        it.canceling('one')
        it.report(reportOf({}))
        it.accepted(tell({ taken: [], made: [], end: 'rests' }).placement!)
        it.gone('one')
      },
    ],
  ]
  test.each(wrongs)('%s is noticed', (_, play) => {
    const check = new OrderCheck()
    check.sent('one')
    play(check)
    check.end()
    expect(failed(check)).toBe(1)
  })

  const rights: readonly (readonly [string, (check: OrderCheck) => void])[] = [
    [
      'a refused order that is reported as that',
      (it) => {
        it.refused('one')
        it.report(reportOf({ x: 'REJECTED', X: 'REJECTED' }))
      },
    ],
    ['an order whose answer was lost, and which never stood', (it) => [it.lost('one')]],
    [
      'the same, when a cancel is told of no order',
      (it) => {
        it.lost('one')
        it.canceling('one')
        it.gone('one')
      },
    ],
    [
      'an order whose answer was lost, and which stands',
      (it) => [it.lost('one'), it.report(reportOf({}))],
    ],
    [
      'a report of an order of another account',
      (it) => [it.refused('one'), it.report(reportOf({ c: 'two' }))],
    ],
  ]
  test.each(rights)('%s is right', (_, play) => {
    const check = new OrderCheck()
    check.sent('one')
    play(check)
    expect(check.unsettled).toBe(0)
    check.end()
    expect(failed(check)).toBe(0)
  })
})
