/**
 * Executes the commands of book-commands.ts on a book, through its face and nothing else, and hashes
 * what came of them: every fill (maker's order id, taker's order id, price, lots), and at the end
 * every resting order in priority. Every right execution of the same commands has the same hash.
 */
import { AccountId, Lots, OrderId, Ticks } from '../../src/base/units.ts'
import type { OrderBook } from '../../src/core/book/order-book.ts'

const COMMAND_WORDS = 4
const CANCEL = 2

export class BookRun {
  private readonly book: OrderBook
  private hash = 0
  fills = 0
  /** Places so far: the order id of the last one. */
  placed = 0

  constructor(book: OrderBook) {
    this.book = book
  }

  /** Commands `from` to `to` - 1. */
  execute(words: Int32Array, from: number, to: number): void {
    const end = to * COMMAND_WORDS
    for (let at = from * COMMAND_WORDS; at < end; at += COMMAND_WORDS) this.executeAt(words, at)
  }

  /** The command that starts at word `at`. */
  executeAt(words: Int32Array, at: number): void {
    const kind = words[at]!
    if (kind === CANCEL) this.cancel(words[at + 1]!)
    else this.place(kind, Ticks(words[at + 1]!), Lots(words[at + 2]!), words[at + 3]!)
  }

  /** The hash of all fills so far and of the book as it stands, 32 bits. */
  outcome(): number {
    const book = this.book
    let hash = this.hash
    for (let side = 0; side < 2; side++) {
      for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) {
        hash = mix(hash, book.orderId[slot]!)
        hash = mix(hash, book.priceTicksOf(slot))
        hash = mix(hash, book.openLots[slot]!)
      }
    }
    return hash >>> 0
  }

  /** Takes what rests off the book: the commands can be executed again. */
  clear(): void {
    const book = this.book
    for (let side = 0; side < 2; side++) {
      for (let slot = book.bestOrder(side); slot !== 0; slot = book.bestOrder(side)) {
        book.remove(slot)
      }
    }
    this.hash = 0
    this.fills = 0
    this.placed = 0
  }

  private cancel(orderId: number): void {
    const slot = this.book.findOrder(OrderId(orderId))
    if (slot !== 0) this.book.remove(slot)
  }

  private place(side: number, limitTicks: Ticks, lots: Lots, account: number): void {
    const book = this.book
    const orderId = ++this.placed
    let open = lots
    while (open > 0 && book.meets(side, limitTicks)) {
      const maker = book.bestOrder(side ^ 1)
      const makerOpen = book.openLots[maker]!
      const fill = Math.min(makerOpen, open)
      this.hashFill(book.orderId[maker]!, orderId, book.priceTicksOf(maker), Lots(fill))
      book.fill(maker, Lots(fill))
      open = Lots(open - fill)
    }
    if (open > 0) book.rest(side, limitTicks, open, OrderId(orderId), AccountId(account))
  }

  private hashFill(makerId: number, takerId: number, ticks: Ticks, lots: Lots): void {
    this.fills++
    this.hash = mix(mix(mix(mix(this.hash, makerId), takerId), ticks), lots)
  }
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
