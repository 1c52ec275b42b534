/**
 * A book as a tape: short lines that do something to it or say what it must look like.
 *
 * ```
 * buy 5 @ 100 by 1        order 1, 2, 3… in turn; it does not match
 * sell 5 @ 100 by 1 full  the same, and the book must have no room for it
 * fill 2 of 1             two lots of order 1
 * cancel 1
 * bids 100:5/2 99:1/1     price:lots/orders of all levels, best first; `-` for none
 * asks -
 * queue buy 1 3 2         order ids in price-time priority
 * account 1 has 1 2       its open orders, oldest first; `-` for none
 * order 1 open 3 filled 2
 * order 1 gone
 * ```
 */
import { expect } from 'vitest'
import { AccountId, Lots, OrderId, Ticks } from '../../src/base/units.ts'
import type { OrderBook } from '../../src/core/book/order-book.ts'

const sideNamed = (name: string | undefined): number => (name === 'buy' || name === 'bids' ? 0 : 1)

/** Runs the lines; `check` is called after each. */
export function play(book: OrderBook, tape: string, check: () => void): void {
  let orderId = 0
  for (const line of tape.split('\n').map((text) => text.trim())) {
    if (line === '') continue
    const [verb = '', ...words] = line.split(/ +/)
    if (verb === 'buy' || verb === 'sell') rest(book, line, verb, words, ++orderId)
    else if (verb === 'fill')
      book.fill(book.findOrder(OrderId(Number(words[2]))), Lots(Number(words[0])))
    else if (verb === 'cancel') book.remove(book.findOrder(OrderId(Number(words[0]))))
    else expect(shown(book, verb, words), line).toBe(line)
    check()
  }
}

function rest(book: OrderBook, line: string, side: string, words: string[], orderId: number): void {
  const [lots, , price, , account, full] = words
  expect(book.canRest(sideNamed(side), Ticks(Number(price))), line).toBe(full === undefined)
  const slot = book.rest(
    sideNamed(side),
    Ticks(Number(price)),
    Lots(Number(lots)),
    OrderId(orderId),
    AccountId(Number(account)),
  )
  expect(slot === 0, line).toBe(full !== undefined)
}

/** The line as the book has it. */
function shown(book: OrderBook, verb: string, [subject = '']: string[]): string {
  const list = (items: readonly (string | number)[]) => items.join(' ') || '-'
  if (verb === 'bids' || verb === 'asks') return `${verb} ${list(levelsOf(book, sideNamed(verb)))}`
  if (verb === 'queue') return `queue ${subject} ${list(queueOf(book, sideNamed(subject)))}`
  if (verb === 'account') return `account ${subject} has ${list(ordersOf(book, Number(subject)))}`
  if (verb !== 'order') return 'no such verb'
  const slot = book.findOrder(OrderId(Number(subject)))
  if (slot === 0) return `order ${subject} gone`
  return `order ${subject} open ${book.openLots[slot]} filled ${book.filledLots[slot]}`
}

export function levelsOf(book: OrderBook, side: number): string[] {
  const levels: string[] = []
  book.forEachLevel(side, (priceTicks, lots, orders) => {
    levels.push(`${priceTicks}:${lots}/${orders}`)
  })
  return levels
}

/** Order ids of a side in price-time priority. */
export function queueOf(book: OrderBook, side: number): number[] {
  const ids: number[] = []
  for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) {
    ids.push(book.orderId[slot]!)
  }
  return ids
}

/** Order ids of an account, oldest first. */
export function ordersOf(book: OrderBook, account: number): number[] {
  const ids: number[] = []
  for (
    let slot = book.firstOfAccount(AccountId(account));
    slot !== 0;
    slot = book.nextOfAccount(slot)
  ) {
    ids.push(book.orderId[slot]!)
  }
  return ids
}
