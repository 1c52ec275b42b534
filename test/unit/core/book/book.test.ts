/** What the contract suite cannot see: memory, misuse, and that the invariants find what is broken. */
import { describe, expect, test } from 'vitest'
import { AssertionError } from '../../../../src/base/assert.ts'
import { PRICE_TICKS_MAX } from '../../../../src/base/limits.ts'
import { Prng } from '../../../../src/base/prng.ts'
import { AccountId, Lots, OrderId, Ticks } from '../../../../src/base/units.ts'
import { Book, type BookShape } from '../../../../src/core/book/book.ts'
import { checkBook } from '../../../../src/core/book/invariants.ts'
import { Head, mapMemory, RecordWord } from '../../../../src/core/book/memory-map.ts'

const shape: BookShape = { priceTicksMax: 1000, ordersMax: 20, accountsMax: 3 }
const large: BookShape = { priceTicksMax: 100_000_000, ordersMax: 393_216, accountsMax: 4096 }

function open(of = shape): { book: Book; memory: SharedArrayBuffer } {
  const memory = new SharedArrayBuffer(Book.bytesFor(of))
  return { book: new Book(memory, of), memory }
}

/** Two bids on one level, one on another, and an ask. */
function fill(book: Book): void {
  book.rest(0, Ticks(100), Lots(5), OrderId(1), AccountId(1))
  book.rest(0, Ticks(100), Lots(6), OrderId(2), AccountId(2))
  book.rest(0, Ticks(97), Lots(7), OrderId(3), AccountId(1))
  book.rest(1, Ticks(120), Lots(8), OrderId(4), AccountId(0))
}

describe('memory', () => {
  test('is at most 122 bytes for each order, indexes included', () => {
    expect(Book.bytesFor(large) / large.ordersMax).toBeLessThanOrEqual(122)
  })

  test('is all that the regions of the map take, without overlaps', () => {
    const regions = Object.values(mapMemory(large)).filter((value) => typeof value === 'object')
    regions.sort((a, b) => a.at - b.at)
    for (const [index, { at, bytes }] of regions.entries()) {
      expect(at % 64).toBe(0)
      expect(at + bytes).toBeLessThanOrEqual(regions[index + 1]?.at ?? Book.bytesFor(large))
    }
  })

  test('is not touched by construction', () => {
    const { memory } = open()
    expect(new Int32Array(memory, 0, memory.byteLength >> 2).every((word) => word === 0)).toBe(true)
  })

  test('is the whole book: another one over it continues', () => {
    const { book, memory } = open()
    fill(book)
    const other = new Book(memory, shape)
    checkBook(other)
    expect([other.bestBidTicks, other.bestAskTicks, other.orderCount]).toEqual([100, 120, 4])
    other.remove(other.findOrder(OrderId(1)))
    expect(other.orderId[other.bestOrder(0)]).toBe(2)
    checkBook(other)
  })

  test('of a smaller book is refused', () => {
    expect(() => new Book(new SharedArrayBuffer(64), shape)).toThrow(AssertionError)
    const beyond = { ...shape, priceTicksMax: 2 ** 31 }
    expect(() => open(beyond)).toThrow(AssertionError)
  })
})

describe('levels', () => {
  const widest: BookShape = { priceTicksMax: PRICE_TICKS_MAX, ordersMax: 1024, accountsMax: 1 }

  test('reach from the lowest price to the highest, on either side', () => {
    for (const side of [0, 1]) {
      const { book } = open(widest)
      for (const [index, ticks] of [1, PRICE_TICKS_MAX, 63, 64, 65].entries()) {
        expect(book.canRest(side, Ticks(ticks))).toBe(true)
        book.rest(side, Ticks(ticks), Lots(ticks), OrderId(index + 1), AccountId(0))
        checkBook(book)
      }
      const ascending = [1, 63, 64, 65, PRICE_TICKS_MAX]
      const prices: number[] = []
      book.forEachLevel(side, (ticks, lots) => prices.push(lots, ticks))
      const expected = side === 0 ? ascending.reverse() : ascending
      expect(prices).toEqual(expected.flatMap((ticks) => [ticks, ticks]))
      expect([book.bestBidTicks, book.bestAskTicks]).toEqual(side === 0 ? [2 ** 31 - 1, 0] : [0, 1])
    }
  })

  test('that share rows and homes are found until the last has left', () => {
    const { book } = open(widest)
    const random = new Prng(5)
    const resting: number[] = []
    for (let orderId = 1; orderId <= 6000; orderId++) {
      const slot = book.rest(
        1,
        Ticks(1 + 64 * random.below(2 ** 24)),
        Lots(1),
        OrderId(orderId),
        AccountId(0),
      )
      if (slot !== 0) resting.push(slot)
      if (resting.length > 600) book.remove(resting.splice(random.below(600), 1)[0]!)
      if (orderId % 200 === 0) checkBook(book)
    }
    for (let left = book.orderCount; left > 0; left--) {
      const best = book.bestAskTicks
      book.remove(book.bestOrder(1))
      expect(book.bestAskTicks > best || left === 1).toBe(true)
    }
    checkBook(book)
    expect([book.bestAskTicks, book.levelCount]).toEqual([0, 0])
  })
})

describe('misuse is a programmer error', () => {
  test.each([
    ['a price of zero', 0, 0, 1, 0],
    ['a price past the range', 0, 1001, 1, 0],
    ['no quantity', 0, 50, 0, 0],
    ['a negative account', 0, 50, 1, -1],
    ['an account past the shape', 0, 50, 1, 3],
    ['a BUY at the best ask', 0, 120, 1, 0],
    ['a BUY above the best ask', 0, 121, 1, 0],
    ['a SELL at the best bid', 1, 100, 1, 0],
    ['a SELL below the best bid', 1, 98, 1, 0],
  ])('%s', (_, side, priceTicks, lots, account) => {
    const { book } = open()
    fill(book)
    expect(() =>
      book.rest(side, Ticks(priceTicks), Lots(lots), OrderId(9), AccountId(account)),
    ).toThrow(AssertionError)
    checkBook(book)
    expect(book.orderCount).toBe(4)
  })

  test('a fill of more than is open, or of nothing', () => {
    const { book } = open()
    fill(book)
    expect(() => book.fill(book.findOrder(OrderId(1)), Lots(6))).toThrow(AssertionError)
    expect(() => book.fill(book.findOrder(OrderId(1)), Lots(0))).toThrow(AssertionError)
    checkBook(book)
  })
})

describe('the invariants find', () => {
  const { NEXT, PREVIOUS, KEY, ACCOUNT_PREVIOUS, CHAIN, COUNT } = RecordWord
  const breakages: Record<string, (book: Book, level: number) => void> = {
    'a lost order count': (book) => book.head[Head.ORDER_COUNT]!--,
    'a lost level count': (book) => book.head[Head.LEVEL_COUNT]!++,
    'a wrong best level': (book) => {
      book.head[Head.BEST_BID] = book.levels.above(-100)
    },
    'a wrong best price': (book) => book.head[Head.BEST_BID_KEY]!--,
    'a cut queue': (book, level) => {
      book.records[book.findOrder(OrderId(1)) | NEXT] = level
    },
    'a broken way back': (book) => {
      book.records[book.findOrder(OrderId(2)) | PREVIOUS] = book.findOrder(OrderId(3))
    },
    'an order of another level': (book) => {
      book.records[book.findOrder(OrderId(2)) | KEY]!++
    },
    'a wrong count of a level': (book, level) => book.records[level | COUNT]!++,
    'a broken ring of an account': (book) => {
      book.records[book.findOrder(OrderId(3)) | ACCOUNT_PREVIOUS] = book.findOrder(OrderId(2))
    },
    'a level that its home has lost': (book) => book.levels.taken.fill(0),
    'a home that is taken without a level': (book) => book.levels.taken.fill(-1),
    'a home that is not shared': (book) => book.levels.shared.fill(-1),
    'a chain of levels that continues': (book, level) => {
      book.records[level | CHAIN] = book.levels.above(-100)
    },
    'wrong lots of a level': (book) => {
      book.openLots[book.findOrder(OrderId(1))] = Lots(4)
    },
    'an order lost by the index': (book) => book.orders.index.homes.fill(0),
    'a group too few': (book) =>
      book.levels.groups.deleteIf(1, (120 >> 6) + book.levels.groupsBelow),
    'a leaked slot': (book) => book.head[Head.ORDER_FRESH]!++,
    'an order on the wrong side': (book) => {
      book.terms[book.findOrder(OrderId(3))] = 1
    },
    'another account': (book) => {
      book.account[book.findOrder(OrderId(1))] = AccountId(2)
    },
    'a record 0 that is used': (book) => {
      book.records[NEXT] = 1
    },
  }

  test.each(Object.entries(breakages))('%s', (_, harm) => {
    const { book } = open()
    fill(book)
    checkBook(book)
    harm(book, book.levels.find(-100))
    expect(() => checkBook(book)).toThrow(AssertionError)
  })
})
