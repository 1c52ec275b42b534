/**
 * One symbol's state in a snapshot: all that its engine continues with, in an order from which the same
 * state comes again, whatever slots its orders had and however much room there is now. Taken
 * between two blocks, when no execution runs. What follows from the orders is not in it: open counts, who
 * waits, and an account's orders by age, which no response shows.
 */
import { assert } from '../../base/assert.ts'
import { isDetailed, type OrderPhase, Side } from '../../base/codes.ts'
import { OrderId } from '../../base/units.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import { ListImage } from '../../layout/images.gen.ts'
import { TradeSums } from '../views/trade-sums.ts'
import { COUNTERS, Counter, OLDER_COUNTERS } from './counters.ts'
import { OrderImage } from './order-image.gen.ts'
import { OrderList, type OrderLists } from './order-lists.ts'
import type { SymbolState } from './symbol-state.ts'

export function writeSymbol(state: SymbolState, image: ImageWriter): void {
  const { book, details } = state
  image.word(book.orderCount)
  for (const side of [Side.BUY, Side.SELL]) {
    for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) {
      writeOrder(state, slot, image)
    }
  }
  for (const slot of details.sorted()) if (state.isWaiting(slot)) writeOrder(state, slot, image)
  writeLists(state.lists, image)
  writeQueue(state, image)
  for (let counter = 0; counter < COUNTERS; counter++) image.double(state.counters[counter]!)
  state.countdowns.write(image)
  state.protections.write(image)
  state.reference.write(image)
  state.blockTrades.write(image)
  ;(state.recent ?? new TradeSums(0)).write(image)
  image.double(state.allocations)
}

/** Into a state that has met nothing yet. `layout` is that of the snapshot, this one's when left out. */
export function readSymbol(
  state: SymbolState,
  image: ImageReader,
  layout = Number.POSITIVE_INFINITY,
): void {
  assert(state.counters[Counter.sequence] === 0, 'a snapshot is read into an empty state')
  // The counters come last: while no last price is known, a trailing stop that begins to watch keeps
  // what it has tracked.
  state.book.mayCross = true
  for (let left = image.word(); left > 0; left--) readOrder(state, image, layout)
  readLists(state, image)
  readQueue(state, image)
  for (let counter = 0; counter < COUNTERS; counter++) {
    // A snapshot of an earlier layout ends here.
    if (image.isRead && OLDER_COUNTERS.includes(counter)) break
    state.counters[counter] = image.double()
  }
  state.phaseCounted()
  if (!image.isRead) {
    state.countdowns.read(image)
    state.protections.read(image)
  }
  if (!image.isRead) state.reference.read(image)
  if (!image.isRead) state.blockTrades.read(image)
  if (!image.isRead) (state.recent ?? new TradeSums(0)).read(image)
  if (!image.isRead) state.allocations = image.double()
  assert(image.isRead, 'the image of a symbol is read whole')
}

/** Resting ones come best first, so that each joins the end of its level; then those that wait, by id. */
function writeOrder({ book, details }: SymbolState, slot: number, image: ImageWriter): void {
  OrderImage.write(book, slot, image)
  if (!isDetailed(book.terms[slot]!)) return
  image.word(details.phase.of(slot))
  details.writeImage(slot, image)
}

function readOrder(state: SymbolState, image: ImageReader, layout: number): void {
  const order = new OrderImage()
  order.read(image)
  order.lots = order.openLots
  state.timeMs = order.updatedMs
  if (isDetailed(order.terms)) {
    const slot = state.open(order, image.word() as OrderPhase)
    state.details.readImage(slot, image, layout)
    if (state.isWaiting(slot)) {
      state.book.setUpdatedMs(slot, state.timeMs)
      state.startWaiting(slot)
      return
    }
  }
  state.recoverRest(order, order.openLots)
}

function writeLists(lists: OrderLists, image: ImageWriter): void {
  const { all } = lists
  image.word(all.length)
  for (const list of all) {
    ListImage.write(image, list)
    for (const orderId of list.orderIds) image.double(orderId)
    image.words(list.clientOrderIds, 0, list.clientOrderIds.length)
  }
}

/** The executions that a cascade still has to run, where the journals end in the middle of one. */
function writeQueue({ queue }: SymbolState, image: ImageWriter): void {
  const orderIds = queue.open()
  image.word(orderIds.length)
  for (const orderId of orderIds) image.double(orderId)
}

/** A stop in the queue was woken, so it watches the price no more. */
function readQueue({ queue, book, triggers }: SymbolState, image: ImageReader): void {
  for (let left = image.word(); left > 0; left--) {
    const orderId = OrderId(image.double())
    queue.restore(orderId)
    triggers.remove(book.findOrder(orderId))
  }
}

function readLists(state: SymbolState, image: ImageReader): void {
  for (let left = image.word(); left > 0; left--) {
    const read = ListImage.read(image)
    const orderIds = Array.from({ length: read.legs }, () => OrderId(image.double()))
    const list = new OrderList(read.orderListId, read.account, read.kind, orderIds)
    list.openLegs = read.openLegs
    list.setListClientOrderId(read.listClientOrderId, 0)
    image.words(list.clientOrderIds, 0, list.clientOrderIds.length)
    state.addList(list)
  }
}
