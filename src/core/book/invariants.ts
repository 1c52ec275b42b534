/**
 * Checks that every part of a book agrees with every other, by reading all of it. For tests and the
 * simulation: it never writes, and a book at rest passes it after any sequence of calls.
 */
import { assert } from '#base/assert.ts'
import { CLIENT_ORDER_ID_WORDS, isNoClientOrderId } from '#base/client-order-id.ts'
import { Side } from '#base/codes.ts'
import type { Book } from './book.ts'
import { GROUP_BITS, Head, RecordWord } from './memory-map.ts'

const { SHIFT, NEXT, PREVIOUS, LEVEL, ACCOUNT_PREVIOUS } = RecordWord
const { PRICE, COUNT, LOTS_SHIFT, LOTS } = RecordWord

/** Throws an AssertionError that names what does not hold. */
export function checkBook(book: Book): void {
  const levels = [...checkSide(book, Side.BUY), ...checkSide(book, Side.SELL)]
  const slots = levels.flatMap((level) => checkLevel(book, level))
  assert(levels.length === book.levelCount, 'every level is reached from a best price')
  assert(slots.length === book.orderCount, 'every order is reached from its level')
  assert(new Set(slots).size === slots.length, 'every order stands once')
  const { bestBidTicks, bestAskTicks } = book
  const bestTicks = [Head.BEST_BID, Head.BEST_ASK].map(
    (word) => book.records[(book.head[word]! << SHIFT) | PRICE],
  )
  assert(bestTicks[0] === bestBidTicks, 'the best bid is the price of its level')
  assert(bestTicks[1] === bestAskTicks, 'the best ask is the price of its level')
  assert(bestAskTicks === 0 || bestBidTicks < bestAskTicks, 'the sides do not cross')
  for (const slot of slots) checkOrder(book, slot)
  checkAccounts(book)
  checkGroups(book, levels)
  checkFreeSlots(book)
  checkTables(book)
}

/** The side's levels, best first, by the links that matching follows. */
function checkSide(book: Book, side: Side): number[] {
  const found: number[] = []
  const { levels } = book
  let level = book.head[Head.BEST_BID + side]!
  let last = side === Side.BUY ? Number.POSITIVE_INFINITY : 0
  while (level !== 0) {
    const priceTicks = levels.records[(level << SHIFT) + PRICE]!
    const worse = side === Side.BUY ? priceTicks < last : priceTicks > last
    assert(worse, 'levels follow each other from best to worst')
    assert(levels.find(priceTicks) === level, 'a level is found by its price')
    const back = side === Side.BUY ? levels.higher(level) : levels.lower(level)
    const isBest = found.length === 0
    const other = book.head[Head.BEST_BID + (side ^ 1)]!
    assert(back === (isBest ? other : found.at(-1)), 'neighbouring levels know each other')
    found.push(level)
    last = priceTicks
    level = side === Side.BUY ? levels.lower(level) : levels.higher(level)
  }
  return found
}

/** The level's orders, oldest first: a ring that the level itself closes. */
function checkLevel(book: Book, level: number): number[] {
  const { records } = book
  const slots: number[] = []
  let openLots = 0
  let previous = level
  const at = level << SHIFT
  for (let slot = records[at + NEXT]!; slot !== level; slot = records[(slot << SHIFT) + NEXT]!) {
    assert(records[(slot << SHIFT) + PREVIOUS] === previous, 'an order knows the one before it')
    assert(records[(slot << SHIFT) + LEVEL] === level, 'an order knows its level')
    assert(book.openLots[slot]! > 0, 'a resting order is open')
    openLots += book.openLots[slot]!
    slots.push(slot)
    assert(slots.length <= book.orderCount, 'a level ends')
    previous = slot
  }
  assert(slots.length > 0, 'a level has orders')
  assert(records[at + PREVIOUS] === previous, 'a level knows its last order')
  assert(records[at + COUNT] === slots.length, 'a level counts its orders')
  const levelLots = book.levels.lots[(level << LOTS_SHIFT) + LOTS]
  assert(levelLots === openLots, 'a level sums its lots')
  return slots
}

function checkOrder(book: Book, slot: number): void {
  const isBid = book.priceTicksOf(slot) <= book.bestBidTicks
  assert(isBid === (book.sideOf(slot) === Side.BUY), 'an order stands on its side')
  assert(book.findOrder(book.orderId[slot]!) === slot, 'an order is found by its id')
  const words = slot * CLIENT_ORDER_ID_WORDS
  if (book.orders.hasClientOrderId(slot)) {
    const found = book.findClientOrder(book.account[slot]!, book.clientOrderId, words)
    assert(found === slot, 'an order is found by its client order id')
  } else {
    assert(
      isNoClientOrderId(book.clientOrderId, words),
      'an order without client order id has none',
    )
  }
}

function checkAccounts(book: Book): void {
  let orders = 0
  for (let account = 0; account < book.shape.accountsMax; account++) {
    let previous = 0
    for (let slot = book.firstOfAccount(account); slot !== 0; slot = book.nextOfAccount(slot)) {
      assert(book.account[slot] === account, 'a ring has the orders of one account')
      const back = book.records[(slot << SHIFT) + ACCOUNT_PREVIOUS]!
      const isFirst = back > book.ordersMax
      assert(isFirst ? previous === 0 : back === previous, 'an order knows the one before it')
      previous = slot
      orders++
      assert(orders <= book.orderCount, 'the ring of an account ends')
    }
  }
  assert(orders === book.orderCount, 'every order is in the ring of its account')
}

/** The bitmap has exactly the groups of the levels, by walking it in both directions. */
function checkGroups(book: Book, levels: readonly number[]): void {
  const { groups, records } = book.levels
  const expected = new Set(levels.map((level) => records[(level << SHIFT) + PRICE]! >>> GROUP_BITS))
  const ascending = [...expected].sort((a, b) => a - b)
  const beyond = (book.shape.priceTicksMax >>> GROUP_BITS) + 1
  let at = groups.has(0) ? 0 : groups.above(0)
  for (const group of ascending) {
    assert(at === group, 'the bitmap has the groups of all levels, upwards')
    at = groups.above(at)
  }
  assert(at === -1, 'the bitmap has no other group')
  at = groups.has(beyond - 1) ? beyond - 1 : groups.below(beyond - 1)
  for (const group of ascending.reverse()) {
    assert(at === group, 'the bitmap has the groups of all levels, downwards')
    at = groups.below(at)
  }
}

/** Every slot that was ever used is an order's or free. */
function checkFreeSlots(book: Book): void {
  const { head } = book
  let orders = 0
  for (let slot = head[Head.ORDER_FREE]!; slot !== 0; orders++) {
    slot = book.records[(slot << SHIFT) + NEXT]!
  }
  assert(orders + book.orderCount === head[Head.ORDER_FRESH], 'no order slot is lost')
  let levels = 0
  for (let level = head[Head.LEVEL_FREE]!; level !== 0; levels++) {
    level = book.records[(level << SHIFT) + NEXT]!
  }
  assert(levels + book.levelCount === head[Head.LEVEL_FRESH], 'no level slot is lost')
  const none = book.records.subarray(0, 1 << SHIFT)
  assert(
    none.every((word) => word === 0),
    'record 0 stays none',
  )
}

/** No table holds an entry too many; that each order and level is found was checked before. */
function checkTables(book: Book): void {
  const { orders, levels, clients } = book
  const taken = (slots: Int32Array) => slots.reduce((sum, slot) => sum + (slot === 0 ? 0 : 1), 0)
  assert(taken(orders.table.slots) === book.orderCount, 'the order index has no other entry')
  assert(taken(levels.table.slots) === book.levelCount, 'the price index has no other entry')
  let withId = 0
  for (const slot of orders.table.slots) {
    if (slot !== 0 && orders.hasClientOrderId(slot)) withId++
  }
  assert(taken(clients.table.slots) === withId, 'the client id index has no other entry')
}
