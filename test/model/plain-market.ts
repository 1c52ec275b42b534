/**
 * One symbol of the plain twin: what it remembers, what the others may know of it, and the plain acts
 * on its orders that everything else is made of: hold, release, say, close.
 */

import {
  DETAILED,
  ExpiryReason,
  OrderPhase,
  OrderStatus,
  OrderType,
  Side,
  SymbolStatus,
} from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import { type Lots, Ticks } from '../../src/base/units.ts'
import type { AccountSpec, ExchangeSpec, SymbolSpec } from '../../src/market/listing.ts'
import { type Asked, type Fields, PlainAnswer } from './plain-answer.ts'
import type { PlainLedger } from './plain-ledger.ts'
import {
  detailsOf,
  emptyState,
  faceOf,
  inSection,
  isMarketType,
  type PlainOrder,
  type PlainState,
  trailsFreely,
} from './plain-order.ts'
import { referenceAt, tradedReference } from './plain-reference.ts'
import { type Arrival, greater, lesser, reaches } from './plain-sizing.ts'

/** What all symbols of one exchange share. */
export interface PlainWorld {
  readonly ledger: PlainLedger
  readonly accounts: AccountSpec[]
  readonly exchange: ExchangeSpec
  /** Orders that may rest on one symbol. */
  readonly ordersMax: number
  /** What one execution has room for (Tried.weight), and what one price level may show. */
  readonly executionMatchesMax: number
  readonly levelLotsMax: bigint
  /** Every symbol, in the order of their ids. */
  readonly markets: PlainMarket[]
  /** By symbol id: the price of the last trade as its matcher has published it; 0 before. */
  readonly publishedTicks: number[]
  /** The highest id of an order list that was given. */
  orderListId: number
}

export class PlainMarket {
  state: PlainState = emptyState()
  spec: SymbolSpec
  readonly world: PlainWorld
  readonly matcher: number
  answer = new PlainAnswer(0, { gateway: -1, correlation: 0 })
  timeMs = 0
  prevented: PlainPrevention | undefined
  /** What the clock shows: requests expire by it. */
  clockMs = 0

  constructor(spec: SymbolSpec, matcher: number, world: PlainWorld) {
    this.spec = spec
    this.matcher = matcher
    this.world = world
    world.markets[spec.id] = this
  }

  /** What an order may meet; a quote leaves its orders less. */
  narrowedTo: number | undefined
  get matchesMax(): number {
    return this.narrowedTo ?? this.world.executionMatchesMax
  }

  get last(): bigint {
    return BigInt(this.state.lastPriceTicks)
  }

  /** The phase: TRADING until an event changes it. */
  get phase(): number {
    return this.state.phase ?? SymbolStatus.TRADING
  }

  get isTrading(): boolean {
    return this.phase === SymbolStatus.TRADING
  }

  /** The worst price that the order may trade at; undefined for none. */
  limitOf(order: PlainOrder): bigint | undefined {
    const reach = this.reachOf(order)
    const { bandBasisPoints, windowMs, windowTicks } = this.state
    const anchor = this.isWindowOver ? this.last : BigInt(windowTicks)
    if (windowMs === 0 || anchor === 0n || order.type === OrderType.LIMIT_MAKER) return reach
    const points = BigInt(bandBasisPoints)
    const high = (anchor * (10_000n + points)) / 10_000n
    const low = (anchor * (10_000n - points) + 9_999n) / 10_000n
    return tighter(order.side, reach, order.side === Side.BUY ? high : low)
  }

  /** The same without the band around the anchor: by its price, and by the symbol's price range. */
  reachOf({ side, price, type }: PlainOrder): bigint | undefined {
    const accepted = price > 0n ? price : undefined
    const { tickUnits, priceRange } = this.spec
    const reference = referenceAt(this.state.reference, tickUnits, this.timeMs)
    if (reference === undefined || type === OrderType.LIMIT_MAKER || !this.isTrading)
      return accepted
    const [up, down] =
      side === Side.BUY
        ? [priceRange.bidUp, priceRange.bidDown]
        : [priceRange.askUp, priceRange.askDown]
    const one = BigInt(tickUnits) * 10_000n
    const high = up === 0 ? 2n ** 64n : (reference * BigInt(up)) / one
    const low = (reference * BigInt(down) + one - 1n) / one
    const [best] = this.queue(1 - side)
    // Better than allowed: it may trade with nobody.
    if (side === Side.BUY && best !== undefined && best.price < low) return -1n
    if (side === Side.SELL && best !== undefined && best.price > high) return 2n ** 64n
    if (side === Side.BUY && up === 0) return accepted
    return tighter(side, accepted, side === Side.BUY ? high : low)
  }

  private get isWindowOver(): boolean {
    const { windowMs, windowTicks, windowBeganMs } = this.state
    return windowTicks === 0 || this.timeMs - windowBeganMs >= windowMs
  }

  /** A trade was made at this price. */
  tradedAt(price: bigint): void {
    const { state, timeMs } = this
    state.lastPriceTicks = Ticks(Number(price))
    state.reference = tradedReference(state.reference, price, timeMs)
    if (state.windowMs === 0 || !this.isWindowOver) return
    state.windowTicks = Number(price)
    state.windowBeganMs = timeMs
  }

  begin(asked: Asked, timeMs: number): void {
    this.answer = new PlainAnswer(this.spec.id, asked)
    this.timeMs = timeMs
  }

  isLate(expiresMs: number): boolean {
    return expiresMs !== 0 && this.clockMs > expiresMs
  }

  /** Whether the account may add orders: placed, triggered or released. */
  mayAdd(account: number): boolean {
    const { canTrade, frozen } = this.world.accounts[account]!
    return canTrade && !frozen
  }

  isTripped(account: number): boolean {
    return this.state.protections.some((it) => it.account === account && it.status === 2)
  }

  /** A resting order of the account was filled. */
  filled(account: number, atoms: bigint): void {
    const { state, timeMs } = this
    state.protections = state.protections.map((it) => {
      if (it.account !== account || it.status !== 0) return it
      const fills = [...it.fills, { timeMs, atoms }]
      // Fills of one share of the window count with the last of them.
      const shareMs = Math.max(1, it.windowMs / 256)
      const share = (ms: number) => Math.floor(ms / shareMs)
      const momentMs = (ms: number) =>
        Math.max(...fills.filter((of) => share(of.timeMs) === share(ms)).map((of) => of.timeMs))
      const within = fills.filter((of) => momentMs(of.timeMs) > timeMs - it.windowMs)
      const sum = within.reduce((all, of) => all + of.atoms, 0n)
      const hasFills = it.maxFills > 0 && within.length >= it.maxFills
      const isReached = hasFills || (it.maxNotional > 0 && sum >= BigInt(it.maxNotional))
      return { ...it, fills, status: isReached ? 1 : 0 }
    })
  }

  ofAccount(account: number): PlainOrder[] {
    return this.state.orders.filter((order) => order.account === account)
  }

  /** Whether the ids name the order: one of them at least, and both if both are given. */
  find(account: number, orderId: number, clientOrderId: string): PlainOrder | undefined {
    if (orderId === 0 && clientOrderId === '') return undefined
    return this.ofAccount(account).find(
      (it) =>
        (orderId === 0 || it.orderId === orderId) &&
        (clientOrderId === '' || it.clientOrderId === clientOrderId),
    )
  }

  resting(): PlainOrder[] {
    return this.state.orders.filter((order) => order.shown > 0n)
  }

  /** Resting orders of a side in the order in which they are met. */
  queue(side: number): PlainOrder[] {
    const sign = side === Side.BUY ? -1 : 1
    return this.resting()
      .filter((order) => order.side === side)
      .sort((a, b) => sign * Number(a.price - b.price) || a.place - b.place)
  }

  /** The owner's orders on the other side up to the price: best price first, of one price the oldest first. */
  ownAcross({ account, side, price }: PlainOrder): PlainOrder[] {
    const sign = side === Side.BUY ? 1 : -1
    return this.queue(1 - side)
      .filter((it) => this.isOwn(account, it.account) && reaches(side, price, it.price))
      .sort((a, b) => sign * Number(a.price - b.price) || a.orderId - b.orderId)
  }

  isOwn(a: number, b: number): boolean {
    const { accounts } = this.world
    const group = accounts[a]!.tradeGroupId
    return a === b || (group !== -1 && group === accounts[b]!.tradeGroupId)
  }

  arrival(order: PlainOrder): Arrival {
    return {
      account: order.account,
      side: order.side,
      mode: order.mode,
      isPaying: order.isPaying,
      limit: this.limitOf(order),
      pays: (ticks, lots) => this.rounded(ticks, lots, true),
      isOwn: (maker) => this.isOwn(order.account, maker.account),
    }
  }

  /** The asset that an order of this side pays with. */
  pays(side: number): number {
    return side === Side.BUY ? this.spec.quote.id : this.spec.base.id
  }

  /** What a fill pays. */
  paid(ticks: bigint, lots: bigint): bigint {
    return this.rounded(ticks, lots, false)
  }

  /** Price × quantity in whole atoms of the quote asset. */
  rounded(ticks: bigint, lots: bigint, isUp: boolean): bigint {
    const parts = BigInt(this.spec.tickLotParts)
    const exact = ticks * lots * BigInt(this.spec.atomsPerTickLot)
    return (exact + (isUp ? parts - 1n : 0n)) / parts
  }

  /** What an open order must keep locked. */
  need(order: PlainOrder): bigint {
    if (order.phase === OrderPhase.PENDING) return 0n
    const isWorking = order.phase === OrderPhase.WORKING
    if (isWorking && (isMarketType(order.type) || order.isRefused)) return order.cost
    if (order.phase === OrderPhase.UNTRIGGERED && trailsFreely(order)) return order.cost
    return order.side === Side.BUY
      ? this.rounded(order.holdPrice, order.open, true)
      : order.open * BigInt(this.spec.atomsPerLot)
  }

  /** What could be locked for the order now. */
  spendable({ account, side }: PlainOrder): bigint {
    return this.world.ledger.spendable(this.matcher, account, this.pays(side))
  }

  /** Locks (negative: unlocks) for the order. False, with nothing changed, when that cannot be paid. */
  hold(order: PlainOrder, atoms: bigint): boolean {
    const { ledger } = this.world
    const asset = this.pays(order.side)
    if (atoms < 0n) ledger.unlock(this.matcher, order.account, asset, -atoms)
    else if (!ledger.lock(this.matcher, order.account, asset, atoms)) return false
    order.purse.atoms += atoms
    return true
  }

  /** Unlocks what neither the order nor who shares its purse needs any more; answers how much. */
  release(order: PlainOrder): bigint {
    let needed = 0n
    for (const other of this.state.orders) {
      if (other.purse === order.purse) needed = greater(needed, this.need(other))
    }
    const released = greater(order.purse.atoms - needed, 0n)
    this.hold(order, -released)
    return released
  }

  /** Adds the event of the symbol's next sequence. */
  say(name: string, fields: Fields): void {
    const { timeMs } = this
    this.answer.event(name, { timeMs, sequence: ++this.state.sequence, ...fields })
  }

  /** The match that was prevented last, as the order sees it that lost by it. */
  prevention({ orderId }: PlainOrder): Fields {
    const { taker, maker, takerLots, makerLots, ...match } = this.prevented!
    const isTaker = orderId === taker
    return inSection('prevention', {
      ...match,
      counterOrderId: isTaker ? maker : taker,
      lastPreventedLots: isTaker ? takerLots : makerLots,
    })
  }

  /** From here on the order has more to it than its terms. */
  makeDetailed(order: PlainOrder): void {
    order.terms |= DETAILED
  }

  /** Joins the end of its level, as much as it shows. */
  show(order: PlainOrder): Fields {
    const { icebergLots, open } = order
    order.shown = icebergLots > 0n && icebergLots < open ? icebergLots : open
    order.place = ++this.state.place
    return {
      account: order.account,
      terms: order.terms,
      orderId: order.orderId,
      priceTicks: Number(order.price),
      restedLots: Number(order.shown),
      updateId: ++this.state.updateId,
    }
  }

  remove(order: PlainOrder): void {
    this.state.orders = this.state.orders.filter((it) => it !== order)
  }

  /** Ends an order that is not filled whole. `prevented`: what it loses to prevention by that. */
  close(order: PlainOrder, status: number, how: Closing = {}): void {
    const { reason = ExpiryReason.NONE, clientOrderId, prevented = 0n } = how
    this.remove(order)
    const released = this.release(order)
    if (order.shown > 0n) this.state.updateId++
    order.prevented += prevented
    this.say('OrderClosed', {
      ...faceOf(order),
      status,
      reason,
      filledLots: Number(order.filled),
      filledAtoms: int64(order.filledAtoms),
      preventedLots: Number(order.prevented),
      createdMs: order.createdMs,
      restedLots: Number(order.shown),
      updateId: this.state.updateId,
      releasedAtoms: int64(released),
      clientOrderId: clientOrderId ?? order.clientOrderId,
      origClientOrderId: order.clientOrderId,
      ...(status === OrderStatus.EXPIRED_IN_MATCH ? this.prevention(order) : {}),
      ...detailsOf(order),
    })
  }
}

/** The price that lets an order of the side trade with fewer. */
const tighter = (side: number, accepted: bigint | undefined, bound: bigint): bigint => {
  if (accepted === undefined) return bound
  return side === Side.BUY ? lesser(accepted, bound) : greater(accepted, bound)
}

/** A match that was prevented: ids and lots of both orders, and what PreventionSection has of it. */
export interface PlainPrevention {
  readonly taker: number
  readonly maker: number
  readonly takerLots: Lots
  readonly makerLots: Lots
  readonly preventedMatchId: number
  readonly tradeGroupId: number
  readonly matchLots: Lots
  readonly priceTicks: Ticks
}

export interface Closing {
  readonly reason?: number
  readonly clientOrderId?: string
  readonly prevented?: bigint
}

export const isExpiry = (status: number): boolean => status !== OrderStatus.CANCELED
