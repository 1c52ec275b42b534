/** The browser's copy of a book, beside a plain one that knows every level at every update. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BookSide,
  type Diff,
  type Level,
  LocalBook,
  type Snapshot,
  WAITING_MAX,
} from '../../../src/console/book/local-book.ts'

type Sides = Readonly<Record<'bids' | 'asks', ReadonlyMap<number, number>>>

/** The exchange's book after each update, as maps. */
class PlainBook {
  readonly history: Sides[] = [{ bids: new Map(), asks: new Map() }]
  readonly diffs: Diff[] = []

  /** One event of several updates; each sets one level. */
  change(updates: readonly (readonly [isBid: boolean, price: number, quantity: number])[]): void {
    const firstUpdateId = this.history.length
    const changed = { bids: new Map<number, number>(), asks: new Map<number, number>() }
    for (const [isBid, offset, quantity] of updates) {
      const side = isBid ? 'bids' : 'asks'
      const price = isBid ? 1_000 - offset : 1_001 + offset
      const { bids, asks } = this.history.at(-1)!
      const next = { bids: new Map(bids), asks: new Map(asks) }
      if (quantity === 0) next[side].delete(price)
      else next[side].set(price, quantity)
      changed[side].set(price, quantity)
      this.history.push(next)
    }
    const lastUpdateId = this.history.length - 1
    const [bids, asks] = [[...changed.bids], [...changed.asks]]
    this.diffs.push({ firstUpdateId, lastUpdateId, bids, asks })
  }

  snapshot(lastUpdateId: number, levelsMax: number): Snapshot {
    const { bids, asks } = this.history[lastUpdateId]!
    const sorted = (side: ReadonlyMap<number, number>, sign: number): Level[] =>
      [...side].sort(([a], [b]) => sign * (b - a)).slice(0, levelsMax)
    return { lastUpdateId, bids: sorted(bids, 1), asks: sorted(asks, -1) }
  }
}

const levelsOf = (side: BookSide): Level[] =>
  side.prices.map((price, at): Level => [price, side.quantities[at]!]).reverse()

/** The copy is a prefix of the exchange's levels at the same update, and as long as it can know. */
function expectRight(book: LocalBook, plain: PlainBook): void {
  const whole = plain.snapshot(book.lastUpdateId, Number.POSITIVE_INFINITY)
  for (const side of ['bids', 'asks'] as const) {
    const known = levelsOf(book[side])
    expect(known).toEqual(whole[side].slice(0, known.length))
  }
}

const updates = fc.array(
  fc.array(fc.tuple(fc.boolean(), fc.nat(30), fc.nat(4)), { minLength: 1, maxLength: 6 }),
  { minLength: 4, maxLength: 60 },
)

test('a copy that is live is the exchange, whenever snapshots come and whatever is lost', () => {
  const steps = fc.array(fc.record({ lost: fc.nat(9), snapshotAge: fc.nat(20), asks: fc.nat(3) }))
  fc.assert(
    fc.property(updates, steps, fc.integer({ min: 3, max: 40 }), (events, plans, levelsMax) => {
      const plain = new PlainBook()
      const book = new LocalBook()
      for (const [index, event] of events.entries()) {
        plain.change(event)
        const plan = plans[index % Math.max(1, plans.length)]
        if (plan?.lost !== 0) book.takeDiff(plain.diffs.at(-1)!)
        if (plan?.asks === 0 || book.wantsSnapshot) {
          const newest = plain.history.length - 1
          const age = Math.min(newest, plan?.snapshotAge ?? 0)
          book.takeSnapshot(plain.snapshot(newest - age, levelsMax), levelsMax)
        }
        if (book.isLive) expectRight(book, plain)
      }
    }),
    { numRuns: 300 },
  )
})

describe('joining', () => {
  const diff = (first: number, last: number, bids: readonly Level[] = []): Diff => ({
    firstUpdateId: first,
    lastUpdateId: last,
    bids,
    asks: [],
  })
  const snapshot = (lastUpdateId: number): Snapshot => ({ lastUpdateId, bids: [[10, 1]], asks: [] })

  test.each<[name: string, diffs: Diff[], snapshotAt: number, isLive: boolean, bids: Level[]]>([
    ['without diffs', [], 5, true, [[10, 1]]],
    ['drops diffs that the snapshot has', [diff(1, 5, [[10, 9]])], 5, true, [[10, 1]]],
    ['applies one that begins within it', [diff(4, 7, [[10, 3]])], 5, true, [[10, 3]]],
    ['applies the next one', [diff(6, 6, [[10, 0]])], 5, true, []],
    ['waits for a newer snapshot', [diff(8, 9)], 5, false, []],
    ['ends at a gap between diffs', [diff(6, 6), diff(8, 9)], 5, false, []],
  ])('%s', (_, diffs, snapshotAt, isLive, bids) => {
    const book = new LocalBook()
    for (const it of diffs) expect(book.takeDiff(it)).toBe(false)
    expect(book.takeSnapshot(snapshot(snapshotAt), 10)).toBe(isLive)
    expect(levelsOf(book.bids)).toEqual(bids)
  })

  test('a gap ends it, and a snapshot brings it back', () => {
    const book = new LocalBook()
    book.takeSnapshot(snapshot(5), 10)
    expect(book.takeDiff(diff(7, 8, [[9, 2]]))).toBe(false)
    expect([book.isLive, book.gaps, levelsOf(book.bids)]).toEqual([false, 1, []])
    expect(book.takeSnapshot(snapshot(7), 10)).toBe(true)
    expect(levelsOf(book.bids)).toEqual([
      [10, 1],
      [9, 2],
    ])
  })

  test('an older snapshot does not set it back', () => {
    const book = new LocalBook()
    book.takeSnapshot(snapshot(5), 10)
    book.takeDiff(diff(6, 6, [[10, 4]]))
    expect(book.takeSnapshot(snapshot(5), 10)).toBe(true)
    expect([book.lastUpdateId, levelsOf(book.bids)]).toEqual([6, [[10, 4]]])
  })

  test('so many diffs wait for a snapshot', () => {
    const book = new LocalBook()
    for (let id = 1; id <= WAITING_MAX + 2; id++) book.takeDiff(diff(id, id))
    expect(book.takeSnapshot(snapshot(1), 10)).toBe(false)
    expect(book.takeSnapshot(snapshot(2), 10)).toBe(true)
    expect(book.lastUpdateId).toBe(WAITING_MAX + 2)
  })
})

test('what lies beyond a full snapshot is not shown, and a thin copy asks for another', () => {
  const book = new LocalBook()
  const bids = Array.from({ length: 8 }, (_, i): Level => [100 - i, 1])
  book.takeSnapshot({ lastUpdateId: 1, bids, asks: [] }, 8)
  expect(book.wantsSnapshot).toBe(false)
  book.takeDiff({ firstUpdateId: 2, lastUpdateId: 2, bids: [[50, 7]], asks: [] })
  expect(book.bids.quantityAt(50)).toBe(0)
  const gone = bids.slice(0, 7).map(([price]): Level => [price, 0])
  book.takeDiff({ firstUpdateId: 3, lastUpdateId: 3, bids: gone, asks: [] })
  expect([book.isLive, book.wantsSnapshot, book.bids.size]).toEqual([true, true, 1])
})
