import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BookCheck } from '../../../scripts/load/checks/book-check.ts'
import { type DepthDiff, LocalBook } from '../../../scripts/load/checks/local-book.ts'
import { StreamCheck } from '../../../scripts/load/checks/stream-check.ts'

const empty = { lastUpdateId: 10, bids: [], asks: [] }
const diff = (U: number, u: number, b: DepthDiff['b'] = [], a: DepthDiff['a'] = []) => ({
  U,
  u,
  b,
  a,
})

describe('a local book', () => {
  test.each([
    [diff(11, 10), 'a diff from 11 to 10'],
    [diff(12, 13), 'a gap between 10 and 12'],
    [diff(11, 12), undefined],
    [diff(9, 11), undefined],
    [diff(3, 10), undefined],
  ])('%j: %s', (given, wrong) => {
    expect(new LocalBook(empty).apply(given)).toBe(wrong)
  })

  test('has a middle when it has two sides', () => {
    const book = new LocalBook({ ...empty, bids: [['99.0', '1']] })
    expect(book.middle).toBeUndefined()
    book.apply(diff(11, 11, [['98', '1']], [['101', '2.5']]))
    expect(book.middle).toBe(100)
    book.apply(diff(12, 12, [['99.00', '0.000']], []))
    expect(book.middle).toBe(99.5)
  })

  test('is the map of its last quantities', () => {
    const level = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 3 }))
    const side = fc.array(level, { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side), { maxLength: 10 }), (steps) => {
        const book = new LocalBook(empty)
        const plain = { bids: new Map<number, number>(), asks: new Map<number, number>() }
        const texts = (levels: readonly (readonly [number, number])[]) =>
          levels.map(([price, quantity]) => [String(price), quantity.toFixed(2)] as const)
        steps.forEach(([bids, asks], index) => {
          book.apply(diff(11 + index, 11 + index, texts(bids), texts(asks)))
          for (const [price, quantity] of bids) plain.bids.set(price, quantity)
          for (const [price, quantity] of asks) plain.asks.set(price, quantity)
        })
        const rows = (levels: Map<number, number>) =>
          texts([...levels].filter(([, quantity]) => quantity > 0))
        const whole = { lastUpdateId: 0, bids: rows(plain.bids), asks: rows(plain.asks) }
        expect(book.differenceFrom(new LocalBook(whole), 100)).toBeUndefined()
      }),
    )
  })

  test('differences are told by their place', () => {
    const [a, b] = [['5', '1'] as const, ['4', '1'] as const]
    const kept = new LocalBook({ ...empty, bids: [a, b] })
    const fresh = new LocalBook({ ...empty, bids: [a] })
    expect(kept.differenceFrom(fresh, 1)).toBeUndefined()
    expect(kept.differenceFrom(fresh, 2)).toBe(
      'bid 2 is 1 at 4 by the diffs, none by a fresh snapshot',
    )
  })
})

describe('the check of a book', () => {
  const snapshots = (...ids: number[]) => {
    const left = ids.map((lastUpdateId) => ({ lastUpdateId, bids: [], asks: [] }))
    return async () => (left.length > 1 ? left.shift()! : left[0]!)
  }
  const failures = (check: BookCheck) => check.results().flatMap((result) => result.failures)

  test('begins with a snapshot that the diffs reach back to, and compares a fresh one', async () => {
    const check = new BookCheck('A', snapshots(10, 12, 15))
    check.diff(diff(12, 13))
    await check.begin()
    check.diff(diff(14, 15))
    await check.end()
    expect(failures(check)).toEqual([])
  })

  test('a gap between diffs is noticed', async () => {
    const check = new BookCheck('A', snapshots(10))
    await check.begin()
    check.diff(diff(11, 11))
    check.diff(diff(13, 13))
    expect(failures(check)).toEqual(['A: a gap between 11 and 13'])
  })

  test('a book that is not what a fresh snapshot says is noticed', async () => {
    const check = new BookCheck('A', snapshots(10))
    await check.begin()
    check.diff(diff(10, 11, [['5', '1']]))
    await check.end()
    expect(failures(check)).toHaveLength(1)
  })
})

describe('frames of market streams', () => {
  const failures = (frames: readonly (readonly [string, object])[]) => {
    const check = new StreamCheck()
    for (const [stream, data] of frames) check.frame(1, { stream, data: { ...data } })
    return check.results()[0]!.failures
  }

  test.each([
    ['a@trade', { t: 5 }, { t: 6 }, true],
    ['a@trade', { t: 5 }, { t: 7 }, false],
    ['a@aggTrade', { a: 5 }, { a: 5 }, false],
    ['a@depth@100ms', { U: 5, u: 9 }, { U: 10, u: 10 }, true],
    ['a@depth', { U: 5, u: 9 }, { U: 9, u: 10 }, false],
    ['a@depth', { U: 5, u: 9 }, { U: 10, u: 9 }, false],
    ['a@bookTicker', { u: 5 }, { u: 9 }, true],
    ['a@bookTicker', { u: 5 }, { u: 5 }, false],
    ['a@kline_1m', { E: 5 }, { E: 5 }, true],
  ])('%s %j then %j: %s', (stream, first, second, follows) => {
    expect(
      failures([
        [stream, first],
        [stream, second],
      ]).length === 0,
    ).toBe(follows)
  })
})
