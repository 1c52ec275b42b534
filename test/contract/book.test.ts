/** One suite for every book: the fast one, checked inside and out after each step, and the plain one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateBookCommands } from '../../bench/workloads/book-commands.ts'
import { BookRun } from '../../bench/workloads/book-run.ts'
import { packClientOrderId } from '../../src/base/client-order-id.ts'
import { AccountId, Lots, Ms, OrderId, Ticks } from '../../src/base/units.ts'
import { Book } from '../../src/core/book/book.ts'
import { checkBook } from '../../src/core/book/invariants.ts'
import { type BookShape, levelsMaxOf, type OrderBook } from '../../src/core/book/order-book.ts'
import { NaiveBook } from '../model/naive-book.ts'
import { levelsOf, ordersOf, play, queueOf } from './book-tape.ts'

const shape: BookShape = { priceTicksMax: 100_000, ordersMax: 6, accountsMax: 4 }

interface Subject {
  readonly book: OrderBook
  check(): void
}

function fast(of: BookShape): Subject {
  const book = new Book(new SharedArrayBuffer(Book.bytesFor(of)), of)
  return { book, check: () => checkBook(book) }
}

const plain = (of: BookShape): Subject => ({ book: new NaiveBook(of), check: () => {} })

const tapes: Record<string, string> = {
  'an empty book': `
    bids -
    asks -
    queue buy -
    account 1 has -
    order 1 gone`,
  'orders queue by price, then by time': `
    buy 5 @ 100 by 1
    buy 3 @ 101 by 2
    buy 2 @ 100 by 1
    sell 4 @ 103 by 2
    sell 1 @ 102 by 1
    bids 101:3/1 100:7/2
    asks 102:1/1 103:4/1
    queue buy 2 1 3
    queue sell 5 4
    account 1 has 1 3 5
    account 2 has 2 4`,
  'a fill in part keeps its place': `
    sell 5 @ 100 by 1
    sell 5 @ 100 by 2
    fill 2 of 1
    queue sell 1 2
    asks 100:8/2
    order 1 open 3 filled 2
    fill 3 of 1
    order 1 gone
    asks 100:5/1
    account 1 has -`,
  'the last order takes its level with it': `
    buy 1 @ 7 by 0
    buy 1 @ 9 by 0
    cancel 2
    bids 7:1/1
    fill 1 of 1
    bids -
    asks -`,
  'cancels at the front, in the middle and at the end of a level': `
    buy 1 @ 50 by 1
    buy 2 @ 50 by 2
    buy 3 @ 50 by 1
    buy 4 @ 50 by 2
    cancel 2
    queue buy 1 3 4
    cancel 1
    queue buy 3 4
    cancel 4
    queue buy 3
    buy 5 @ 50 by 3
    queue buy 3 5
    bids 50:8/2
    account 1 has 3
    account 3 has 5`,
  'levels at the ends of the range and far apart': `
    buy 1 @ 1 by 1
    sell 1 @ 100000 by 1
    sell 2 @ 99999 by 1
    buy 2 @ 50000 by 1
    queue buy 4 1
    queue sell 3 2
    cancel 3
    cancel 4
    bids 1:1/1
    asks 100000:1/1`,
  'both sides among sixteen neighbouring ticks': `
    buy 1 @ 33 by 1
    sell 1 @ 46 by 1
    buy 1 @ 39 by 1
    sell 1 @ 40 by 1
    buy 1 @ 36 by 1
    sell 1 @ 43 by 1
    queue buy 3 5 1
    queue sell 4 6 2
    cancel 3
    cancel 4
    bids 36:1/1 33:1/1
    asks 43:1/1 46:1/1`,
  'a full book has no room, at any price, until an order leaves': `
    buy 1 @ 1 by 1
    buy 1 @ 1 by 1
    buy 1 @ 2 by 1
    buy 1 @ 3 by 1
    buy 1 @ 4 by 1
    buy 1 @ 5 by 1
    buy 1 @ 5 by 1 full
    sell 1 @ 9 by 1 full
    cancel 3
    sell 1 @ 9 by 1
    queue buy 6 5 4 1 2
    queue sell 9`,
}

describe.each([
  ['the fast book', fast],
  ['the plain book', plain],
])('%s', (_, open) => {
  test.each(Object.entries(tapes))('%s', (_name, tape) => {
    const { book, check } = open(shape)
    play(book, tape, check)
  })

  test('has no more levels than its shape allows', () => {
    const wide = { ...shape, ordersMax: 10_000 }
    const { book } = open(wide)
    const levelsMax = levelsMaxOf(wide.ordersMax)
    for (let level = 1; level <= levelsMax; level++) {
      expect(book.rest(0, Ticks(level * 10), Lots(1), OrderId(level), AccountId(0))).not.toBe(0)
    }
    expect(book.canRest(0, Ticks(5))).toBe(false)
    expect(book.rest(0, Ticks(5), Lots(1), OrderId(levelsMax + 1), AccountId(0))).toBe(0)
    expect(book.canRest(1, Ticks(10))).toBe(false)
    expect(book.rest(0, Ticks(10), Lots(1), OrderId(levelsMax + 2), AccountId(0))).not.toBe(0)
    expect(book.levelCount).toBe(levelsMax)
  })

  test('keeps the times of an order, and forgets them with it', () => {
    const { book } = open(shape)
    const slot = book.rest(0, Ticks(5), Lots(1), OrderId(1), AccountId(0))
    for (const [created, updated] of [
      [0, 0],
      [1_763_000_000_123, 1_763_000_999_999],
      [4_294_967_295, 4_294_967_296],
      [2 ** 47 - 1, 2 ** 47 - 2],
    ] as const) {
      book.setTimes(slot, Ms(created), Ms(updated))
      expect([book.createdMsOf(slot), book.updatedMsOf(slot)]).toEqual([created, updated])
      book.setUpdatedMs(slot, Ms(created))
      expect([book.createdMsOf(slot), book.updatedMsOf(slot)]).toEqual([created, created])
    }
    book.remove(slot)
    for (let orderId = 2; orderId <= 7; orderId++) {
      const next = book.rest(0, Ticks(5), Lots(1), OrderId(orderId), AccountId(0))
      expect([book.createdMsOf(next), book.updatedMsOf(next)]).toEqual([0, 0])
    }
  })

  test('finds orders by account and client order id', () => {
    const { book, check } = open(shape)
    const words = new Int32Array(24)
    packClientOrderId('mine', words, 0)
    packClientOrderId('a-much-longer-id-of-36-letters------', words, 8)
    packClientOrderId('other', words, 16)
    const first = book.rest(0, Ticks(5), Lots(1), OrderId(1), AccountId(1))
    const second = book.rest(0, Ticks(6), Lots(1), OrderId(2), AccountId(2))
    const third = book.rest(0, Ticks(7), Lots(1), OrderId(3), AccountId(1))
    const found = (account: number, id: number) =>
      book.findClientOrder(AccountId(account), words, id * 8)
    book.setClientOrderId(first, words, 0)
    book.setClientOrderId(second, words, 0)
    book.setClientOrderId(third, words, 8)
    check()
    expect([found(1, 0), found(2, 0), found(3, 0)]).toEqual([first, second, 0])
    expect([found(1, 1), found(2, 1), found(1, 2)]).toEqual([third, 0, 0])
    const thirdAt = book.clientOrderIdAt(third)
    expect([...book.clientOrderId.subarray(thirdAt, thirdAt + 8)]).toEqual([
      ...words.subarray(8, 16),
    ])
    book.fill(first, Lots(1))
    check()
    expect([found(1, 0), found(2, 0)]).toEqual([0, second])
    for (let orderId = 4; orderId <= 7; orderId++)
      book.rest(0, Ticks(5), Lots(1), OrderId(orderId), AccountId(1))
    check()
    expect([found(1, 0), found(1, 1)]).toEqual([0, third])
  })

  test('executes the commands of the benchmark as the fast book does', () => {
    const of = { priceTicksMax: 1_000_000, ordersMax: 512, accountsMax: 8 }
    const options = { count: 4000, seed: 7, shape: of, accounts: 7, restingTarget: 100 }
    const { words } = generateBookCommands(options)
    const subject = open(of)
    const run = new BookRun(subject.book)
    run.execute(words, 0, 4000)
    const reference = new BookRun(fast(of).book)
    reference.execute(words, 0, 4000)
    expect(run.fills).toBeGreaterThan(500)
    expect([run.fills, run.outcome()]).toEqual([reference.fills, reference.outcome()])
    subject.check()
  })
})

/** What is chosen for one step; choices out of range are applied into it. */
const step = fc.record({
  act: fc.constantFrom(
    ...['place', 'place', 'place', 'cancel', 'fill', 'name', 'replenish', 'reduce', 'rename'],
    ...['add', 'join'],
  ),
  side: fc.integer({ min: 0, max: 1 }),
  price: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100_000 })),
  lots: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 2 ** 43 })),
  account: fc.integer({ min: 0, max: 3 }),
  pick: fc.nat(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A place that would cross the other side takes from it first, as a matcher does. */
function place(book: OrderBook, { side, price, lots, account }: Step, orderId: number): number[] {
  const makers: number[] = []
  let open = lots
  while (open > 0) {
    const best = side === 0 ? book.bestAskTicks : book.bestBidTicks
    if (best === 0 || (side === 0 ? best > price : best < price)) break
    const maker = book.bestOrder(1 - side)
    const fill = Math.min(open, book.openLots[maker]!)
    makers.push(book.orderId[maker]!, fill)
    book.fill(maker, Lots(fill))
    open -= fill
  }
  if (open > 0)
    makers.push(
      book.rest(side, Ticks(price), Lots(open), OrderId(orderId), AccountId(account)) === 0
        ? -1
        : 0,
    )
  return makers
}

/** Ids of open orders that rest on no level, by account and age. */
const asideOf = (book: OrderBook): number[] =>
  [0, 1, 2, 3]
    .flatMap((account) => ordersOf(book, account))
    .filter((orderId) => !book.isResting(book.findOrder(OrderId(orderId))))

/** An order that stands aside joins its level, unless it would cross or finds no room. */
function join(book: OrderBook, { pick, lots }: Step): unknown {
  const aside = asideOf(book)
  const slot = aside.length === 0 ? 0 : book.findOrder(OrderId(aside[pick % aside.length]!))
  if (slot === 0 || book.meets(book.sideOf(slot), book.priceTicksOf(slot))) return 'none'
  if (!book.hasLevel(book.sideOf(slot), book.priceTicksOf(slot))) return 'no level'
  book.join(slot, Lots(lots))
  return book.orderId[slot]
}

function perform(book: OrderBook, choice: Step, orderId: number, idWords: Int32Array): unknown {
  if (choice.act === 'place') return place(book, choice, orderId)
  const { side, price, lots, account } = choice
  if (choice.act === 'add')
    return book.add(side, Ticks(price), Lots(lots), OrderId(orderId), AccountId(account)) !== 0
  if (choice.act === 'join') return join(book, choice)
  const isForAll = choice.act !== 'fill' && choice.act !== 'replenish'
  const resting = [...queueOf(book, 0), ...queueOf(book, 1)]
  const open = isForAll ? [...resting, ...asideOf(book)] : resting
  if (open.length === 0) return 'none'
  const slot = book.findOrder(OrderId(open[choice.pick % open.length]!))
  if (choice.act === 'cancel') return book.remove(slot)
  if (choice.act === 'fill')
    return book.fill(slot, Lots(Math.min(choice.lots, book.openLots[slot]!)))
  if (choice.act === 'replenish') return book.replenish(slot, Lots(choice.lots))
  if (choice.act === 'reduce') return book.reduce(slot, Lots(choice.lots % book.openLots[slot]!))
  const isNamed = book.clientOrderId[book.clientOrderIdAt(slot)] !== 0
  if (isNamed !== (choice.act === 'rename')) return 'named'
  packClientOrderId(`order-${choice.pick % 5}`, idWords, 0)
  const owner = book.account[slot]!
  if (book.findClientOrder(owner, idWords, 0) !== 0) return 'taken'
  if (isNamed) book.renameClientOrder(slot, idWords, 0)
  else book.setClientOrderId(slot, idWords, 0)
  return book.orderId[slot]
}

/** All that the face shows, by order id, since slots may differ. */
function view(book: OrderBook, idWords: Int32Array): unknown {
  const named = [0, 1, 2, 3].map((account) =>
    [0, 1, 2, 3, 4].map((name) => {
      packClientOrderId(`order-${name}`, idWords, 0)
      const slot = book.findClientOrder(AccountId(account), idWords, 0)
      return slot === 0 ? 0 : book.orderId[slot]
    }),
  )
  const orders = [...queueOf(book, 0), ...queueOf(book, 1), ...asideOf(book)].map((orderId) => {
    const slot = book.findOrder(OrderId(orderId))
    const { openLots, filledLots, account } = book
    return [orderId, book.sideOf(slot), book.priceTicksOf(slot), account[slot]].concat(
      openLots[slot]!,
      filledLots[slot]!,
      book.levelLots(book.sideOf(slot), book.priceTicksOf(slot)),
      book.levelOrders(1 - book.sideOf(slot), book.priceTicksOf(slot)),
    )
  })
  return {
    best: [book.bestBidTicks, book.bestAskTicks, book.levelCount],
    counts: [book.orderCount, book.restingCount],
    meets: [0, 1].map((side) => [1, 20, 40, 50_000].map((ticks) => book.meets(side, Ticks(ticks)))),
    levels: [levelsOf(book, 0), levelsOf(book, 1)],
    accounts: [0, 1, 2, 3].map((account) => ordersOf(book, account)),
    orders,
    named,
  }
}

test.each([
  6, 40,
])('the fast book is the plain book, step by step, with room for %i orders', (ordersMax) => {
  const of = { ...shape, ordersMax }
  const idWords = new Int32Array(8)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const subject = fast(of)
      const model = new NaiveBook(of)
      for (const [index, choice] of steps.entries()) {
        const answer = perform(subject.book, choice, index + 1, idWords)
        expect(answer).toEqual(perform(model, choice, index + 1, idWords))
        expect(view(subject.book, idWords)).toEqual(view(model, idWords))
        subject.check()
      }
    }),
    { numRuns: 60 },
  )
})
