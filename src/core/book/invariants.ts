/**
 * Checks that every part of a book agrees with every other, by reading all of it. For tests and the
 * simulation: it changes nothing that a book shows, and a book at rest passes it after any sequence of calls.
 */
import { assert } from '../../base/assert.ts'
import { isNoClientOrderId } from '../../base/client-order-id.ts'
import { Side } from '../../base/codes.ts'
import { AccountId } from '../../base/units.ts'
import type { Book } from './book.ts'
import type { Chains } from './chains.ts'
import { GROUP_BITS, Head, RECORD_WORDS, RecordWord } from './memory-map.ts'
import type { SlotIndex } from './slot-index.ts'

const { NEXT, PREVIOUS, KEY, ACCOUNT_PREVIOUS, COUNT, LOTS } = RecordWord

/** Throws an AssertionError that names what does not hold. */
export function checkBook(book: Book): void {
  checkGroups(book)
  const levels = [...checkSide(book, Side.BUY), ...checkSide(book, Side.SELL)]
  const slots = levels.flatMap((level) => checkLevel(book, level))
  assert(levels.length === book.levelCount, 'every level is reached from a best price')
  assert(slots.length === book.restingCount, 'every resting order is reached from its level')
  assert(new Set(slots).size === slots.length, 'every order stands once')
  const { bestBidTicks, bestAskTicks, mayCross } = book
  const isApart = bestAskTicks === 0 || bestBidTicks < bestAskTicks
  assert(mayCross || isApart, 'the sides do not cross')
  for (const slot of slots) checkOrder(book, slot)
  const aside = checkAccounts(book)
  for (const slot of aside) checkIndexed(book, slot)
  checkFreeSlots(book)
  checkIndexes(book, levels, [...slots, ...aside])
}

/** The side's levels, best first, as matching finds them. */
function checkSide(book: Book, side: Side): number[] {
  const found: number[] = []
  const { levels } = book
  let level = book.head[Head.BEST_BID + side]!
  const bestKey = levels.records[level | KEY]!
  assert(book.head[Head.BEST_BID_KEY + side] === bestKey, 'the best key is that of its level')
  assert(level === 0 || bestKey > 0 === (side === Side.SELL), 'the best level is of its side')
  while (level !== 0) {
    const key = levels.records[level | KEY]!
    assert(levels.find(key) === level, 'a level is found by its key')
    found.push(level)
    level = levels.above(key)
    const next = levels.records[level | KEY]!
    assert(level === 0 || next > key, 'levels follow each other from best to worst')
  }
  return found
}

/** The level's orders, oldest first: a ring that the level itself closes. */
function checkLevel(book: Book, level: number): number[] {
  const { records } = book
  const slots: number[] = []
  let openLots = 0
  let previous = level
  for (let slot = records[level | NEXT]!; slot !== level; slot = records[slot | NEXT]!) {
    assert(records[slot | PREVIOUS] === previous, 'an order knows the one before it')
    const key = records[slot | KEY]
    assert(key === records[level | KEY], 'an order knows the key of its level')
    assert(book.openLots[slot]! > 0, 'a resting order is open')
    openLots += book.openLots[slot]!
    slots.push(slot)
    assert(slots.length <= book.orderCount, 'a level ends')
    previous = slot
  }
  assert(slots.length > 0, 'a level has orders')
  assert(records[level | PREVIOUS] === previous, 'a level knows its last order')
  assert(records[level | COUNT] === slots.length, 'a level counts its orders')
  const levelLots = book.levels.lots[(level >> 1) | LOTS]
  assert(levelLots === openLots, 'a level sums its lots')
  return slots
}

function checkOrder(book: Book, slot: number): void {
  const isBuy = book.sideOf(slot) === Side.BUY
  const priceTicks = book.priceTicksOf(slot)
  const isBehindBest = isBuy ? priceTicks <= book.bestBidTicks : priceTicks >= book.bestAskTicks
  assert(isBehindBest, 'an order stands on its side')
  checkIndexed(book, slot)
}

function checkIndexed(book: Book, slot: number): void {
  assert(book.findOrder(book.orderId[slot]!) === slot, 'an order is found by its id')
  const words = book.clientOrderIdAt(slot)
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

/** Returns the orders that stand aside. */
function checkAccounts(book: Book): number[] {
  const aside: number[] = []
  let orders = 0
  for (let account = 0; account < book.shape.accountsMax; account++) {
    let previous = 0
    for (
      let slot = book.firstOfAccount(AccountId(account));
      slot !== 0;
      slot = book.nextOfAccount(slot)
    ) {
      assert(book.account[slot] === account, 'a ring has the orders of one account')
      const back = book.records[slot | ACCOUNT_PREVIOUS]!
      const isFirst = back > book.orders.slotMax
      assert(isFirst ? previous === 0 : back === previous, 'an order knows the one before it')
      previous = slot
      orders++
      if (!book.isResting(slot)) aside.push(slot)
      assert(orders <= book.orderCount, 'the ring of an account ends')
    }
  }
  assert(orders === book.orderCount, 'every order is in the ring of its account')
  assert(orders - aside.length === book.restingCount, 'the book counts the orders that rest')
  return aside
}

/** The groups of all levels are in the bitmap. Others may be, until a search comes to them. */
function checkGroups(book: Book): void {
  const { levels } = book
  const { groups, groupsBelow, homes, records, taken } = levels
  for (const [home, first] of homes.entries()) {
    if ((taken[home >>> 5]! & (1 << (home & 31))) === 0) continue
    assert(first !== 0, 'a home that is taken has a level')
    for (const level of chain(levels.chains, first)) {
      const group = (records[level | KEY]! >> GROUP_BITS) + groupsBelow
      assert(groups.has(group), 'the bitmap has the groups of all levels')
    }
  }
}

/** Every slot that was ever used is an order's or free. */
function checkFreeSlots(book: Book): void {
  const { head } = book
  let orders = 0
  for (let slot = head[Head.ORDER_FREE]!; slot !== 0; orders++) {
    slot = book.records[slot | NEXT]!
  }
  assert(orders + book.orderCount === head[Head.ORDER_FRESH], 'no order slot is lost')
  let levels = 0
  for (let level = head[Head.LEVEL_FREE]!; level !== 0; levels++) {
    level = book.records[level | NEXT]!
  }
  assert(levels + book.levelCount === head[Head.LEVEL_FRESH], 'no level slot is lost')
  const none = book.records.subarray(0, RECORD_WORDS)
  assert(
    none.every((word) => word === 0),
    'record 0 stays none',
  )
}

/** No index holds an entry too many; that each order and level is found was checked before. */
function checkIndexes(book: Book, found: readonly number[], slots: readonly number[]): void {
  const { orders, levels, clients } = book
  assert(entries(orders.index) === book.orderCount, 'the order index has no other entry')
  const withId = slots.filter((slot) => orders.hasClientOrderId(slot)).length
  assert(entries(clients.index) === withId, 'the client id index has no other entry')
  const { homes, taken, shared, chains } = levels
  let count = 0
  for (const [home, first] of homes.entries()) {
    const bit = 1 << (home & 31)
    const isShared = (shared[home >>> 5]! & bit) !== 0
    if ((taken[home >>> 5]! & bit) === 0) assert(!isShared, 'a home that is shared is taken')
    else {
      const length = [...chain(chains, first)].length
      assert(isShared === length > 1, 'a home says whether it is shared')
      count += length
    }
  }
  assert(count === found.length, 'the homes of levels have no other entry')
}

function entries(index: SlotIndex): number {
  let count = 0
  for (const [home, first] of index.homes.entries()) {
    let slot = first
    for (; slot > 0; slot = index.next(slot)) count++
    assert(slot === (first === 0 ? 0 : ~home), 'a chain ends with its home')
  }
  return count
}

function* chain(index: Chains, first: number): Generator<number> {
  for (let record = first; record !== 0; record = index.next(record)) yield record
}
