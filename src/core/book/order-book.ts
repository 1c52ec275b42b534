/**
 * What one symbol's book offers to its matching engine. Two books have this interface: `Book`, the
 * fast one that runs, and the plain twin that the tests compare it with.
 *
 * The book holds all open orders of its symbol, and a slot names each for as long as it is open: a
 * number that the book chooses; 0 means none. An order rests on a level, or stands *aside*: it waits for
 * its price or for another order, or is at work. Levels, depth and priority know nothing of orders aside.
 * The columns of an order stay readable after it has left, until the next `rest` or `add`.
 */
import type {
  AccountId,
  Doubles,
  Int64s,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  Ticks,
  Words,
} from '../../base/units.ts'

/** The bounds of one book. Everything is reserved for them at construction; nothing grows. */
export interface BookShape {
  /** Largest price, at most 2^30. Every price from 1 to it can rest, with no window to fall out of. */
  readonly priceTicksMax: number
  /** Orders that can be open at a time, resting or waiting; one more may be at work. */
  readonly ordersMax: number
  /** Accounts are numbered 0 to accountsMax - 1. */
  readonly accountsMax: number
}

/** Price levels that a book of `ordersMax` can hold: one for every 8 orders, small books one for each. */
export function levelsMaxOf(ordersMax: number): number {
  return Math.max(Math.min(ordersMax, 1024), Math.ceil(ordersMax / 8))
}

export interface OrderBook {
  readonly ordersMax: number
  /**
   * Salts the hashes of client order ids (base/client-id-hash.ts) and of prices. Nothing that the book
   * decides depends on it.
   */
  readonly idSalt: number
  /** Slots are multiples of 2 to this power, so that a table by slot can be dense. */
  readonly slotShift: number
  /** Open orders, resting or aside. */
  readonly orderCount: number
  /** Open orders that rest on a level. */
  readonly restingCount: number
  readonly levelCount: number
  /** Whether the sides may cross: set by the engine outside continuous trading. */
  mayCross: boolean
  /** Highest price of a resting BUY; 0 when there is none. */
  readonly bestBidTicks: Ticks
  /** Lowest price of a resting SELL; 0 when there is none. */
  readonly bestAskTicks: Ticks
  /** Whether an order at this price would meet the best of the other side. */
  meets(side: number, priceTicks: Ticks): boolean

  /** Columns by slot. The book writes the first four and clears the others; the engine may fill these. */
  readonly orderId: Doubles<OrderId>
  readonly account: Words<AccountId>
  readonly openLots: Doubles<Lots>
  readonly filledLots: Doubles<Lots>
  /** Cumulative quote of the order's fills; written by the engine alone. */
  readonly filledAtoms: Int64s<QuoteAtoms>
  /** base/codes.ts, packTerms. `rest` writes the side, bit 0; the rest is the engine's. */
  readonly terms: Int32Array
  /** Eight words for each slot, at `clientOrderIdAt`, the first 0 for none; the book alone writes. */
  readonly clientOrderId: Int32Array

  /**
   * Puts an order at the end of its price level. Returns its slot, or 0 when the book has no room for
   * another order or level. Unless `mayCross`, the price does not cross the other side: the caller has matched first.
   */
  rest(side: number, priceTicks: Ticks, lots: Lots, orderId: OrderId, account: AccountId): number
  /** Whether `rest` would find room for one more order at this price. */
  canRest(side: number, priceTicks: Ticks): boolean
  /** Whether the side has a level at this price, or room for one more. */
  hasLevel(side: number, priceTicks: Ticks): boolean
  /**
   * Opens an order that stands aside; `priceTicks` is 0 for none. Returns its slot, or 0 when
   * `ordersMax` orders and the one at work are open.
   */
  add(side: number, priceTicks: Ticks, lots: Lots, orderId: OrderId, account: AccountId): number
  /** An order that stands aside has this price from here on. */
  reprice(slot: number, priceTicks: Ticks): void
  /** An order that stands aside joins the end of its price level with `lots`. There is room for it. */
  join(slot: number, lots: Lots): void
  /** Whether an open order is on a level. */
  isResting(slot: number): boolean
  /** Takes `lots`, at most what is open, off an order; one that is filled whole leaves the book. */
  fill(slot: number, lots: Lots): void
  /** Fills what is open of an order; the next `lots` of it join the end of its level. */
  replenish(slot: number, lots: Lots): void
  /** Takes `lots`, less than what is open, off an order without filling it; it keeps its place. */
  reduce(slot: number, lots: Lots): void
  /** Takes an order, resting or aside, off the book. */
  remove(slot: number): void

  /** The oldest order at a side's best price; 0 when the side is empty. */
  bestOrder(side: number): number
  /** The one after it in price-time priority on its side, across levels; 0 after the last. */
  nextOrder(slot: number): number
  findOrder(orderId: OrderId): number

  /** Where the words of an order's client order id start. */
  clientOrderIdAt(slot: number): number
  /** Returns the hash of an account's client order id. A caller that has it passes it on. */
  clientOrderHash(account: AccountId, words: Int32Array, at: number): number
  /** Gives an order its client order id, words[at .. at + 7], not none: at most once for each order. */
  setClientOrderId(slot: number, words: Int32Array, at: number, hash?: number): void
  /** Gives an order that has one another client order id. */
  renameClientOrder(slot: number, words: Int32Array, at: number): void
  /** The account's open order of that client order id; 0 when there is none. */
  findClientOrder(account: AccountId, words: Int32Array, at: number, hash?: number): number

  /** The account's open orders, oldest first. */
  firstOfAccount(account: AccountId): number
  nextOfAccount(slot: number): number

  priceTicksOf(slot: number): Ticks
  sideOf(slot: number): number
  /** Times in ms since the Unix epoch, 0 to 2^47 - 1; both 0 after `rest`. */
  createdMsOf(slot: number): Ms
  updatedMsOf(slot: number): Ms
  setUpdatedMs(slot: number, timeMs: Ms): void
  setTimes(slot: number, createdMs: Ms, updatedMs: Ms): void

  /** Open quantity at a price: exact up to 2^53 - 1; 0 where that side has no level. */
  levelLots(side: number, priceTicks: Ticks): Lots
  levelOrders(side: number, priceTicks: Ticks): number
  /**
   * Visits at most `limit` of a side's levels, best first, beyond `afterTicks` unless that is 0; returns
   * how many. The visitor must not change the book.
   */
  forEachLevel(
    side: number,
    visit: (priceTicks: Ticks, lots: Lots, orderCount: number) => void,
    afterTicks?: Ticks,
    limit?: number,
  ): number
}
