/**
 * An owner's resting orders that one of its orders would meet: its account's, or its trade group's, on the
 * other side. Calls look for them, because their books are crossed: the best order there may be any owner's. An order
 * that may interrupt trading looks for them beforehand, since it rests in the call.
 * They are found through the open orders of the owner's accounts, so what others rest costs nothing.
 *
 * An account that had nothing across is not looked through again until it could have: what its best prices
 * were is kept while the phase stays, and only ever too wide.
 */
import { Side } from '../../base/codes.ts'
import { MATCH_WEIGHT_MAX, OWN_ORDERS_LOOKED_MAX } from '../../base/limits.ts'
import type { AccountId, OrderId, Ticks } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import { expiresTaker } from './sweep.ts'
import type { SymbolState } from './symbol-state.ts'

/** The side and the worst price of the order that looks. */
interface Looking {
  readonly account: AccountId
  readonly side: number
  readonly priceTicks: Ticks
}

/** Prices that an account's resting orders do not pass. */
interface Best {
  bidTicks: number
  askTicks: number
}

export class OwnOrders {
  /** Ids of what `find` found, in no order before `arrange`. */
  readonly ids: OrderId[] = []
  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly accounts: AccountTable
  private readonly best = new Map<AccountId, Best>()
  private epoch = 0
  private looked = 0

  constructor(state: SymbolState, accounts: AccountTable) {
    this.state = state
    this.book = state.book
    this.accounts = accounts
  }

  /**
   * Finds what the order would meet up to its price, but not `within` a better one. Returns false when that is
   * too much to look through.
   */
  find(order: Looking, within?: Ticks): boolean {
    this.ids.length = 0
    const { bestBidTicks, bestAskTicks } = this.book
    const { side, priceTicks } = order
    const bestTicks = side === Side.BUY ? bestAskTicks : bestBidTicks
    if (bestTicks === 0 || !meets(side, priceTicks, bestTicks)) return true
    if (this.epoch !== this.state.epoch) {
      this.best.clear()
      this.epoch = this.state.epoch
    }
    this.looked = 0
    for (const account of this.accounts.ownersOf(order.account)) {
      if (++this.looked > OWN_ORDERS_LOOKED_MAX) return false
      const best = this.best.get(account)
      const acrossTicks = side === Side.BUY ? best?.askTicks : best?.bidTicks
      const mayMeet = acrossTicks === undefined || meets(side, priceTicks, acrossTicks)
      if (mayMeet && !this.look(account, order, within)) return false
    }
    return true
  }

  /** What prevention of all that was found weighs in an execution: an order that it ends meets one. */
  weightFor(mode: number): number {
    const met = expiresTaker(mode) ? Math.min(1, this.ids.length) : this.ids.length
    return met * MATCH_WEIGHT_MAX
  }

  /**
   * Brings in order what an order of the side and the mode meets: best price first, of one price the oldest first.
   * An order that its first match ends meets that alone, however much was found; others were weighed.
   */
  arrange(side: number, mode: number): void {
    const { book, ids } = this
    if (ids.length < 2) return
    const sign = side === Side.BUY ? 1 : -1
    const ticksOf = (orderId: OrderId) => book.priceTicksOf(book.findOrder(orderId))
    const compare = (a: OrderId, b: OrderId) => sign * (ticksOf(a) - ticksOf(b)) || a - b
    if (!expiresTaker(mode)) {
      ids.sort(compare)
      return
    }
    ids[0] = ids.reduce((best, id) => (compare(best, id) < 0 ? best : id))
    ids.length = 1
  }

  /** An order came to rest where orders are looked for: in a call, or beside a band. */
  rested({ account, side, priceTicks }: Looking): void {
    const best = this.best.get(account)
    if (best === undefined) return
    if (side === Side.BUY) best.bidTicks = Math.max(best.bidTicks, priceTicks)
    else best.askTicks = Math.min(best.askTicks, priceTicks)
  }

  /** Looks through an account's open orders. */
  private look(account: AccountId, { side, priceTicks }: Looking, within?: Ticks): boolean {
    const { book, ids } = this
    const best = { bidTicks: 0, askTicks: Number.POSITIVE_INFINITY }
    for (let slot = book.firstOfAccount(account); slot !== 0; slot = book.nextOfAccount(slot)) {
      if (++this.looked > OWN_ORDERS_LOOKED_MAX) return false
      if (!book.isResting(slot)) continue
      const ticks = book.priceTicksOf(slot)
      const isBid = book.sideOf(slot) === Side.BUY
      if (isBid) best.bidTicks = Math.max(best.bidTicks, ticks)
      else best.askTicks = Math.min(best.askTicks, ticks)
      const isAcross = isBid === (side === Side.SELL)
      const isMet = isAcross && meets(side, priceTicks, ticks)
      const isWithin = within !== undefined && meets(side, within, ticks)
      if (isMet && !isWithin) ids.push(book.orderId[slot]!)
    }
    this.best.set(account, best)
    return true
  }
}

const meets = (side: number, priceTicks: number, otherTicks: number): boolean =>
  side === Side.BUY ? otherTicks > 0 && otherTicks <= priceTicks : otherTicks >= priceTicks
