/**
 * The plain twin of smart order routing (faqs/sor_faq.md): books are arrays of orders, prices and amounts bigint, and
 * an order takes the best price of all books again and again. It predicts fills, prevention and what is left; money
 * follows from the fills. Shares nothing with src/core.
 */
import { SelfTradePrevention, Side } from '../../src/base/codes.ts'

/** An order that rests, in the order of meeting. */
export interface PlainMaker {
  readonly orderId: number
  readonly account: number
  /** In 10^-8 of the quote asset. */
  readonly price: bigint
  /** In base atoms: what is shown, all that is open, and what an iceberg shows at a time. */
  shown: bigint
  open: bigint
  readonly slice: bigint
}

/** What one symbol of the group offers to the order. */
export interface PlainBook {
  readonly symbolId: number
  /** Whether it trades. */
  readonly isTrading: boolean
  /** Base atoms of its step. */
  readonly step: bigint
  /** Of the side that the order meets, best first. */
  readonly makers: PlainMaker[]
  /** Bounds of prices by the symbol's own rules, in 10^-8. */
  readonly low: bigint
  readonly high: bigint
  /** What the group's account may spend for this symbol. */
  readonly budget: bigint
}

export interface PlainRouted {
  readonly account: number
  readonly side: number
  readonly mode: number
  /** In 10^-8; undefined of a MARKET order. */
  readonly limit: bigint | undefined
  /** Base atoms. */
  readonly quantity: bigint
}

export interface PlainFill {
  readonly symbolId: number
  readonly makerId: number
  readonly price: bigint
  readonly quantity: bigint
}

export interface PlainRoute {
  readonly fills: PlainFill[]
  /** Own orders that were met, in this order, by symbol and id. */
  readonly prevented: { readonly symbolId: number; readonly makerId: number }[]
  /** What the order neither traded nor lost; 0 where prevention ended it. */
  left: bigint
}

interface Rules {
  /** The group's account: its orders in other symbols are passed by, with what is behind them. */
  readonly account: number
  isOwn(a: number, b: number): boolean
}

const ATOM = 10n ** 8n

/** `books`: the order's own symbol first, then the group's order. */
export function route(order: PlainRouted, books: readonly PlainBook[], rules: Rules): PlainRoute {
  const result: PlainRoute = { fills: [], prevented: [], left: order.quantity }
  const own = books[0]!
  const closed = new Set<PlainBook>(books.filter(({ isTrading }) => !isTrading))
  const spent = new Map<PlainBook, bigint>()
  // A seller is paid from one purse, whatever book its order is in.
  const purseOf = (book: PlainBook) => (order.side === Side.BUY ? book : own)
  while (result.left > 0n) {
    const book = bestOf(order, books, closed)
    if (book === undefined) return result
    const maker = book.makers[0]!
    const isOwn =
      order.mode !== SelfTradePrevention.NONE && rules.isOwn(order.account, maker.account)
    const step = leastCommon(own.step, book.step)
    if (isOwn) {
      const { EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH } = SelfTradePrevention
      const isEnd = order.mode === EXPIRE_TAKER || order.mode === EXPIRE_BOTH
      const common = floor(lesser(result.left, maker.open), step)
      if (!isEnd && order.mode !== EXPIRE_MAKER && common === 0n) {
        closed.add(book)
        continue
      }
      result.prevented.push({ symbolId: book.symbolId, makerId: maker.orderId })
      if (isEnd) {
        result.left = 0n
        return result
      }
      if (order.mode === EXPIRE_MAKER) {
        book.makers.shift()
        continue
      }
      result.left -= common
      if (common < maker.open) closed.add(book)
      else book.makers.shift()
      continue
    }
    let quantity = floor(lesser(result.left, maker.shown), step)
    if (book !== own) {
      const purse = purseOf(book)
      const purseLeft = purse.budget - (spent.get(purse) ?? 0n)
      // As much as it can pay for, rounded up.
      quantity = lesser(quantity, floor((purseLeft * ATOM) / maker.price, step))
      if (maker.account === rules.account) quantity = 0n
      if (quantity > 0n) {
        const cost = (maker.price * quantity + ATOM - 1n) / ATOM
        spent.set(purse, (spent.get(purse) ?? 0n) + cost)
      }
    }
    if (quantity <= 0n) {
      closed.add(book)
      continue
    }
    const { symbolId } = book
    result.fills.push({ symbolId, makerId: maker.orderId, price: maker.price, quantity })
    result.left -= quantity
    fill(book, maker, quantity)
  }
  return result
}

/** The book with the best price that the order accepts; the first of equal ones. */
function bestOf(
  { side, limit }: PlainRouted,
  books: readonly PlainBook[],
  closed: ReadonlySet<PlainBook>,
): PlainBook | undefined {
  const sign = side === Side.BUY ? 1n : -1n
  const isMet = ({ price }: PlainMaker) => limit === undefined || sign * price <= sign * limit
  const isAllowed = ({ low, high }: PlainBook, { price }: PlainMaker) =>
    price >= low && price <= high
  const offering = books.filter((book) => {
    const [maker] = book.makers
    return !closed.has(book) && maker !== undefined && isMet(maker) && isAllowed(book, maker)
  })
  const prices = offering.map((book) => sign * book.makers[0]!.price)
  const best = prices.reduce((least, price) => (price < least ? price : least), 2n ** 80n)
  return offering[prices.indexOf(best)]
}

/** An iceberg's next slice joins the end of its level. */
function fill(book: PlainBook, maker: PlainMaker, quantity: bigint): void {
  const { makers } = book
  maker.shown -= quantity
  maker.open -= quantity
  if (maker.shown > 0n) return
  makers.shift()
  if (maker.open === 0n) return
  maker.shown = lesser(maker.slice, maker.open)
  const behind = makers.findIndex(({ price }) => price !== maker.price)
  makers.splice(behind < 0 ? makers.length : behind, 0, maker)
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const floor = (amount: bigint, step: bigint): bigint => amount - (amount % step)
function leastCommon(a: bigint, b: bigint): bigint {
  const divisor = (x: bigint, y: bigint): bigint => (y === 0n ? x : divisor(y, x % y))
  return (a / divisor(a, b)) * b
}
