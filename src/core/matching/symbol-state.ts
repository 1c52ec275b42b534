/**
 * State of one symbol's engine: the book, which names every open order by its slot, what only some of
 * them have (details.ts), order lists, counters. Its methods are the ways in which open orders come,
 * change and go. Engine and recovery (event-applier.ts) use the same ones, so that both come to one
 * state. Decides nothing, writes no event, moves no money. Writer: the matcher of the symbol.
 */

import { unreachable } from '../../base/assert.ts'
import {
  DETAILED,
  isAfterTrading,
  isDetailed,
  isStopType,
  OrderPhase,
  PhaseCause,
  Side,
  SymbolStatus,
  sideOf,
  typeOf,
} from '../../base/codes.ts'
import { multiplyDivideUp } from '../../base/fixed.ts'
import { type Int64, minus, most, plus, product } from '../../base/int64.ts'
import { INTERRUPTIONS_KEPT } from '../../base/limits.ts'
import { baseAtomsOf, Notional } from '../../base/notional.ts'
import {
  type AccountId,
  Atoms,
  Lots,
  Ms,
  type OrderId,
  QuoteAtoms,
  TickLots,
  Ticks,
} from '../../base/units.ts'
import { MINUTE_MS } from '../../market/intervals.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { appliesToMarket } from '../../market/market-notional.ts'
import type { AveragePrice } from '../../market/percent-price.ts'
import type { OrderBook } from '../book/order-book.ts'
import { ReferencePrice } from '../views/reference-price.ts'
import { TradeSums } from '../views/trade-sums.ts'
import { BlockTrades } from './block-trades.ts'
import { Countdowns } from './countdowns.ts'
import { COUNTERS, Counter, setWide, wideOf } from './counters.ts'
import { Details, NO_LIST } from './details.ts'
import { ExecutionQueue } from './execution-queue.ts'
import { Open, type OpenCounts } from './open-counts.ts'
import { OrderImage } from './order-image.gen.ts'
import { type OrderList, OrderLists } from './order-lists.ts'
import type { OrderSummary } from './order-summary.ts'
import { Protections } from './protections.ts'
import { Triggers, trailedTicks } from './triggers.ts'

/** An order that joins the book. */
export interface RestingOrder {
  /** 0 while it is plain: a plain order gets its slot when it rests. */
  readonly slot: number
  readonly account: AccountId
  readonly terms: number
  readonly orderId: OrderId
  readonly priceTicks: Ticks
  readonly filledLots: Lots
  readonly filledAtoms: QuoteAtoms
  readonly createdMs: Ms
  readonly idWords: Int32Array
  readonly idAt: number
  /** OrderBook.clientOrderHash of its id, where it is known. */
  readonly idHash?: number
}

/** A detailed order, which has its slot from the beginning. */
export interface OpeningOrder {
  slot: number
  readonly account: AccountId
  readonly terms: number
  readonly orderId: OrderId
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly createdMs: Ms
  readonly idWords: Int32Array
  readonly idAt: number
}

/** An order at work, with the money that it holds. */
export interface PayingOrder {
  readonly isMarketType: boolean
  readonly priceTicks: Ticks
  readonly leftLots: Lots
  heldAtoms: Atoms
}

/** A stop, as far as what it holds depends on it. */
export interface PricedStop {
  readonly terms: number
  readonly priceTicks: Ticks
  readonly stopTicks: Ticks
  readonly trailingDelta: number
  readonly lots: Lots
}

export interface PhaseChange {
  readonly phase: SymbolStatus
  readonly nextPhase: SymbolStatus
  /** 0 when the phase does not end by itself. */
  readonly endsMs: Ms
  /** 0, as the window, when nothing interrupts trading. */
  readonly bandBasisPoints: number
  readonly windowMs: number
  readonly cause: PhaseCause
  readonly resumptions: number
  /** -1 of a change that layout 6 journaled. */
  readonly extensions: number
}

/** What the end of an auction has come to: the last one in which something traded. */
export interface Auctioned {
  /** 0 before the first. */
  readonly priceTicks: Ticks
  readonly lots: Int64
  readonly surplus: Int64
  readonly timeMs: Ms
}

export class SymbolState {
  /** By `Counter`. */
  readonly counters = new Float64Array(COUNTERS)
  readonly book: OrderBook
  readonly details: Details
  readonly triggers: Triggers
  readonly lists = new OrderLists()
  readonly countdowns = new Countdowns()
  readonly protections = new Protections()
  readonly reference: ReferencePrice
  readonly blockTrades = new BlockTrades()
  /** Allocations so far, and so the id of the next: they count from 0. */
  allocations = 0
  readonly queue: ExecutionQueue
  readonly counts: OpenCounts
  readonly shown = new ShownLots()
  /** Trades of the minutes that PERCENT_PRICE averages for pegged orders; undefined where nothing asks for them. */
  recent: TradeSums | undefined = undefined
  readonly notional: Notional
  /** Time of the batch or event at hand. */
  timeMs = Ms(0)
  /** The clock's own time. Expiry is judged by it; it is below `timeMs` after the clock was put back. */
  clockMs = Ms(0)
  /**
   * Whether the execution did anything that something may follow from: a leg of a list was touched, or a
   * watched price was met. Plain executions check nothing else (bench `engine`).
   */
  mayHaveConsequences = false
  /** The symbol's phase: TRADING until an event names one, whatever status is wanted. */
  phase: SymbolStatus = SymbolStatus.TRADING
  /** Whether orders match and queued executions run: in TRADING, while no auction is under way. */
  isTrading = true
  /** Whether a price may be too far from the anchor. */
  isBanded = false
  /** Whether it trades, at any price. */
  isUnbounded = true
  /** Rises with each change of the phase, and with what a journal or a snapshot lets rest. */
  epoch = 0
  /** Prices of the execution at hand that stops have not seen. */
  private readonly prices: Ticks[] = []
  private readonly symbol: string
  private readonly atomsPerLot: number

  constructor(spec: SymbolSpec, book: OrderBook, counts: OpenCounts) {
    this.book = book
    this.symbol = spec.name
    this.counts = counts
    this.details = new Details(book)
    this.triggers = new Triggers(this.details, book)
    this.queue = new ExecutionQueue(book)
    this.notional = new Notional(spec)
    this.reference = new ReferencePrice(spec.tickUnits)
    this.atomsPerLot = spec.atomsPerLot
  }

  /** The phase and what ends it, from an event; prices are measured from the last one again. */
  changePhase({ phase, nextPhase, endsMs, bandBasisPoints, windowMs, ...more }: PhaseChange): void {
    const { counters } = this
    // Snapshots of layout 6 lack what follows from its changes since, so journals must not come to it either.
    const isOlder = more.extensions < 0
    const closeTicks = this.closeTicksAt(phase)
    if (closeTicks !== 0) {
      counters[Counter.closeTicks] = closeTicks
      counters[Counter.closeMs] = this.timeMs
      if (!isOlder) counters[Counter.closeTradeId] = counters[Counter.tradeId]!
    }
    const ended = this.endedAuction
    if (ended !== undefined && !isOlder) {
      counters[Counter.auctionedTicks] = ended.priceTicks
      counters[Counter.auctionedMs] = ended.timeMs
      setWide(counters, Counter.auctionedLots, ended.lots)
      setWide(counters, Counter.auctionedSurplus, ended.surplus)
    }
    if (more.cause === PhaseCause.VOLATILITY && !isOlder) this.noteInterruption()
    counters[Counter.phase] = phase + 1
    counters[Counter.nextPhase] = nextPhase
    counters[Counter.endsMs] = endsMs
    counters[Counter.bandBasisPoints] = bandBasisPoints
    counters[Counter.windowMs] = windowMs
    counters[Counter.resumptions] = more.resumptions
    counters[Counter.extensions] = Math.max(0, more.extensions)
    counters[Counter.auctionTicks] = 0
    counters[Counter.isAuctionBound] = 0
    setWide(counters, Counter.tradedLots, 0)
    setWide(counters, Counter.surplus, 0)
    counters[Counter.anchorTicks] = 0
    counters[Counter.anchorMs] = 0
    this.epoch++
    this.phaseCounted()
  }

  /**
   * The official close if the phase is this from now on: the last price, where the day's trading ends and
   * something traded since it ended last; else 0. A symbol that is listed after trading has a close, too.
   */
  closeTicksAt(phase: SymbolStatus): Ticks {
    const { counters } = this
    const before = (counters[Counter.phase]! - 1) as SymbolStatus
    const isEnding = isAfterTrading(phase) && !isAfterTrading(before)
    const hasTraded = counters[Counter.tradeId] !== counters[Counter.closeTradeId]
    return isEnding && hasTraded ? this.lastPriceTicks : Ticks(0)
  }

  /** What the auction has come to whose trades end with the next change of the phase, if any were made. */
  get endedAuction(): Auctioned | undefined {
    const { counters, auctionTicks, timeMs } = this
    const lots = wideOf(counters, Counter.tradedLots)
    if (auctionTicks === 0 || lots === 0) return undefined
    return { priceTicks: auctionTicks, lots, surplus: wideOf(counters, Counter.surplus), timeMs }
  }

  /** The last auction in which something traded. */
  get auctioned(): Auctioned {
    const { counters } = this
    return {
      priceTicks: Ticks(counters[Counter.auctionedTicks]!),
      lots: wideOf(counters, Counter.auctionedLots),
      surplus: wideOf(counters, Counter.auctionedSurplus),
      timeMs: Ms(counters[Counter.auctionedMs]!),
    }
  }

  private noteInterruption(): void {
    const from = Counter.interruptedMs
    this.counters.copyWithin(from + 1, from, from + INTERRUPTIONS_KEPT - 1)
    this.counters[from] = this.timeMs
  }

  /** Whether so many interruptions began less than `withinMs` ago. */
  hasInterrupted(times: number, withinMs: number): boolean {
    const beganMs = this.counters[Counter.interruptedMs + times - 1]!
    return beganMs !== 0 && this.timeMs - beganMs < withinMs
  }

  /** An auction's price and cut are fixed: its trades follow. */
  beginAuction(priceTicks: Ticks, surplus: Int64, nextPhase: SymbolStatus, isBound: boolean): void {
    const { counters } = this
    counters[Counter.auctionTicks] = priceTicks
    counters[Counter.nextPhase] = nextPhase
    counters[Counter.endsMs] = 0
    counters[Counter.isAuctionBound] = isBound ? 1 : 0
    setWide(counters, Counter.tradedLots, 0)
    setWide(counters, Counter.surplus, surplus)
  }

  auctionTraded(lots: Lots): void {
    const { counters } = this
    const traded = plus<Int64>(wideOf(counters, Counter.tradedLots), lots)
    setWide(counters, Counter.tradedLots, traded)
  }

  /** Takes the phase from the counters. */
  phaseCounted(): void {
    const phase = this.counters[Counter.phase]!
    if (phase !== 0) this.phase = (phase - 1) as SymbolStatus
    this.isTrading = this.phase === SymbolStatus.TRADING
    this.isBanded = this.counters[Counter.windowMs] !== 0
    this.isUnbounded = this.isTrading && !this.isBanded
    this.book.mayCross = phase !== 0 && !this.isTrading
  }

  /** Price of the auction whose trades are being made; 0 while none are. */
  get auctionTicks(): Ticks {
    return Ticks(this.counters[Counter.auctionTicks]!)
  }

  /** Whether buyers and sellers accept each other's prices. */
  get isCrossed(): boolean {
    const { bestBidTicks, bestAskTicks } = this.book
    return bestAskTicks !== 0 && bestBidTicks >= bestAskTicks
  }

  /** What prices are measured from now; 0 before the first trade. */
  get anchorTicks(): Ticks {
    return this.isAnchorOld ? this.lastPriceTicks : Ticks(this.counters[Counter.anchorTicks]!)
  }

  private get isAnchorOld(): boolean {
    const { counters, timeMs } = this
    if (counters[Counter.anchorTicks] === 0) return true
    return timeMs - counters[Counter.anchorMs]! >= counters[Counter.windowMs]!
  }

  /** A trade was made at this price: the first of a window is what the window's are measured from. */
  private noteAnchor(priceTicks: Ticks): void {
    if (!this.isAnchorOld) return
    this.counters[Counter.anchorTicks] = priceTicks
    this.counters[Counter.anchorMs] = this.timeMs
  }

  count(counter: number): number {
    const next = this.counters[counter]! + 1
    this.counters[counter] = next
    return next
  }

  /** Price of the last trade; 0 before the first. */
  get lastPriceTicks(): Ticks {
    return Ticks(this.counters[Counter.lastPriceTicks]!)
  }

  /** A trade was made at this price. */
  priced(priceTicks: Ticks): void {
    this.counters[Counter.lastPriceTicks] = priceTicks
    if (this.isBanded) this.noteAnchor(priceTicks)
    if (this.reference.isMean) this.reference.traded(priceTicks, this.timeMs)
  }

  /** The execution at hand has traded at this price, which stops see when the execution ends. */
  tradedAt(priceTicks: Ticks): void {
    this.priced(priceTicks)
    if (!this.triggers.isWatching) return
    this.mayHaveConsequences = true
    if (this.prices.at(-1) !== priceTicks) this.prices.push(priceTicks)
  }

  /**
   * Keeps what an average of the symbol's filters needs, from now on: pegged orders, and those that fills of others
   * pay for, pass them here.
   */
  keepAverage({ bounds, features, notionalRules }: SymbolSpec): void {
    const rules = [
      ...(features.pegInstructions ? bounds.percentPrices : []),
      ...(features.opo ? notionalRules.filter(appliesToMarket) : []),
    ]
    const minutes = Math.max(0, ...rules.map(({ avgPriceMins }) => avgPriceMins))
    if (minutes === 0) this.recent = undefined
    else {
      this.recent ??= new TradeSums(minutes * MINUTE_MS)
      this.recent.widen(minutes * MINUTE_MS)
    }
  }

  /** As Tape.averagePrice, of the trades since there is such a filter. */
  averagePrice(minutes: number): AveragePrice | undefined {
    const { lastPriceTicks, timeMs } = this
    if (lastPriceTicks === 0) return undefined
    const average = this.recent?.since(Ms(timeMs - minutes * MINUTE_MS))
    const isLast = minutes === 0 || average === undefined || average.lots === 0n
    return isLast ? { tickLots: BigInt(lastPriceTicks), lots: 1n } : average
  }

  noteTrade(priceTicks: Ticks, lots: Lots): void {
    this.recent?.add(this.timeMs, TickLots(product(priceTicks, lots)), lots)
  }

  /** The execution has ended: what it released and what its prices wake queue for separate executions. */
  endTurn(): void {
    for (const priceTicks of this.prices) this.wakeAt(priceTicks)
    this.prices.length = 0
    this.queue.endTurn()
  }

  /** Stops see a price. In recovery, at once: one that ends before the execution does is not open in its own. */
  wakeAt(priceTicks: Ticks): void {
    const { triggers, queue, book } = this
    if (!triggers.isWatching) return
    for (const slot of triggers.wake(priceTicks, this.timeMs)) queue.woke(book.orderId[slot]!)
  }

  /** Atoms that an order locks: quote for BUY, base for SELL. */
  heldFor(side: number, priceTicks: Ticks, lots: Lots): Atoms {
    return side === Side.BUY
      ? this.notional.up(priceTicks, lots)
      : baseAtomsOf(lots, this.atomsPerLot)
  }

  /** Atoms that an order of `openLots` at a limit no longer needs once `lots` of them are gone. */
  freedBy(side: number, priceTicks: Ticks, openLots: Lots, lots: Lots): Atoms {
    if (side === Side.SELL || this.notional.isExact) return this.heldFor(side, priceTicks, lots)
    return minus(
      this.notional.up(priceTicks, openLots),
      this.notional.up(priceTicks, Lots(openLots - lots)),
    )
  }

  /**
   * What a stop holds while it waits: a BUY of a market type at its stop price, or, trailing without
   * one, at the price that would wake it now; nothing while no price is known.
   */
  costOfStop(order: PricedStop): Atoms {
    const side = sideOf(order.terms)
    if (side === Side.SELL || order.priceTicks !== 0) {
      return this.heldFor(side, order.priceTicks, order.lots)
    }
    const ticks = order.stopTicks || trailedTicks(side, this.lastPriceTicks, order.trailingDelta)
    return this.heldFor(side, ticks, order.lots)
  }

  /**
   * Quote atoms that a BUY taker no longer needs after a fill of `lots`, beyond the `quoteAtoms` that
   * it pays: its price improvement, and what it held only for rounding. Called before the fill.
   */
  freedByTaker(order: PayingOrder, lots: Lots, quoteAtoms: QuoteAtoms): QuoteAtoms {
    if (!order.isMarketType) {
      return QuoteAtoms(
        minus(this.freedBy(Side.BUY, order.priceTicks, order.leftLots, lots), quoteAtoms),
      )
    }
    order.heldAtoms = minus(order.heldAtoms, quoteAtoms)
    if (lots < order.leftLots) return QuoteAtoms(0)
    const freed = QuoteAtoms(order.heldAtoms)
    order.heldAtoms = Atoms(0)
    return freed
  }

  /** As `freedByTaker`, for a BUY maker in `slot`, which held its own price. */
  freedByMaker(slot: number, lots: Lots, quoteAtoms: QuoteAtoms): QuoteAtoms {
    if (this.notional.isExact) return QuoteAtoms(0)
    const { book } = this
    const openLots = Lots(book.openLots[slot]! + this.hiddenOf(slot))
    return QuoteAtoms(
      minus(this.freedBy(Side.BUY, book.priceTicksOf(slot), openLots, lots), quoteAtoms),
    )
  }

  /** As `freedByTaker`, for a BUY order in `slot`, which may trade below its own price. */
  freedByResting(slot: number, lots: Lots, quoteAtoms: QuoteAtoms): QuoteAtoms {
    const { book } = this
    const openLots = Lots(book.openLots[slot]! + this.hiddenOf(slot))
    return QuoteAtoms(
      minus(this.freedBy(Side.BUY, book.priceTicksOf(slot), openLots, lots), quoteAtoms),
    )
  }

  /** Whether an open order of the account has the client order id at idWords[idAt]. */
  hasClientOrder(account: AccountId, idWords: Int32Array, idAt: number): boolean {
    return this.book.findClientOrder(account, idWords, idAt) !== 0
  }

  /** Lots of a resting order that are open but not shown. */
  hiddenOf(slot: number): Lots {
    return isDetailed(this.book.terms[slot]!) ? this.details.hiddenLots.of(slot) : Lots(0)
  }

  /** Original quantity of an open order, as amended. */
  lotsOf(slot: number): Lots {
    const { book, details } = this
    const lots = Lots(book.openLots[slot]! + book.filledLots[slot]!)
    if (!isDetailed(book.terms[slot]!)) return lots
    return Lots(lots + details.hiddenLots.of(slot) + details.preventedLots.of(slot))
  }

  /** Whether an open order waits, for its price or for another order. */
  isWaiting(slot: number): boolean {
    return this.details.phase.of(slot) !== OrderPhase.WORKING
  }

  /** What an open order needs to hold by itself. */
  needOf(slot: number): Atoms {
    const { details, book } = this
    if (this.isWaiting(slot)) return details.costAtoms.of(slot)
    const lots = Lots(book.openLots[slot]! + this.hiddenOf(slot))
    return this.heldFor(book.sideOf(slot), book.priceTicksOf(slot), lots)
  }

  /** What the other of its pair needs by itself; 0 where there is none. */
  siblingNeed(slot: number): Atoms {
    const sibling = this.siblingOf(slot)
    return sibling === 0 ? Atoms(0) : this.needOf(sibling)
  }

  /** What an order holds together with the other of its pair: what the one needs that needs more. */
  pairNeed(slot: number): Atoms {
    return most(this.needOf(slot), this.siblingNeed(slot))
  }

  /** What an order gives back when it ends: what the other of its pair does not need. */
  releasable(slot: number): Atoms {
    return minus(this.pairNeed(slot), this.siblingNeed(slot))
  }

  listOf(slot: number): OrderList | undefined {
    const orderListId = this.details.orderListId.of(slot)
    return orderListId === NO_LIST ? undefined : this.lists.find(orderListId)
  }

  /** The open leg that shares its hold with this one; 0 for none. */
  siblingOf(slot: number): number {
    const list = this.listOf(slot)
    if (list === undefined) return 0
    const sibling = list.siblingOf(this.details.leg.of(slot))
    return sibling < 0 ? 0 : this.book.findOrder(list.orderIds[sibling]!)
  }

  /**
   * Opens a detailed order, which is at work or begins to wait, and sets its slot. The caller sets the
   * columns that differ from those of a plain order. Throws NoRoomError when the book was larger then.
   */
  open(order: OpeningOrder, phase: OrderPhase): number {
    const { book, details } = this
    const { account, terms, orderId, createdMs } = order
    // The slot beyond ordersMax is the order at work's.
    const isFull = phase !== OrderPhase.WORKING && book.orderCount >= book.ordersMax
    const side = sideOf(terms)
    const slot = isFull ? 0 : book.add(side, order.priceTicks, order.lots, orderId, account)
    if (slot === 0) throw new NoRoomError(this.symbol, book.ordersMax)
    order.slot = slot
    book.terms[slot] = terms | DETAILED
    book.setTimes(slot, createdMs, createdMs)
    book.setClientOrderId(slot, order.idWords, order.idAt)
    details.add(slot)
    details.phase.set(slot, phase)
    if (phase === OrderPhase.WORKING) details.workingMs.set(slot, createdMs)
    return slot
  }

  /** Rests an order of a journal or a snapshot. Throws NoRoomError when the book was larger then. */
  recoverRest(order: RestingOrder, shownLots: Lots): void {
    const { book } = this
    const side = sideOf(order.terms)
    const hasRoom =
      order.slot === 0
        ? book.canRest(side, order.priceTicks)
        : book.orderCount <= book.ordersMax && book.hasLevel(side, order.priceTicks)
    if (!hasRoom) throw new NoRoomError(this.symbol, book.ordersMax)
    this.epoch++
    this.rest(order, shownLots)
  }

  /** What is left of an order joins the book, showing `shownLots`. */
  rest(order: RestingOrder, shownLots: Lots): void {
    const { book, counts } = this
    const { account, terms } = order
    let { slot } = order
    if (slot !== 0) {
      book.join(slot, shownLots)
      book.setUpdatedMs(slot, this.timeMs)
    } else {
      slot = book.rest(sideOf(terms), order.priceTicks, shownLots, order.orderId, account)
      if (slot === 0) unreachable('there is room for what rests')
      book.setTimes(slot, order.createdMs, this.timeMs)
      book.setClientOrderId(slot, order.idWords, order.idAt, order.idHash)
    }
    book.terms[slot] = terms
    book.filledLots[slot] = order.filledLots
    book.filledAtoms.set(slot, order.filledAtoms)
    this.shown.rested(shownLots)
    counts.add(account, Open.ORDERS, 1)
    if (!isDetailed(terms)) return
    const icebergLots = this.details.icebergLots.of(slot)
    if (icebergLots === 0) return
    this.shown.slices = Lots(this.shown.slices + icebergLots)
    counts.add(account, Open.ICEBERG_ORDERS, 1)
  }

  /**
   * Takes `lots` off a maker, which leaves the book once it is filled whole; an iceberg shows its
   * next slice instead. Returns that slice, or 0.
   */
  fill(slot: number, lots: Lots): Lots {
    const { book, details } = this
    const isSliceFilled = lots === book.openLots[slot]
    if (isSliceFilled && isDetailed(book.terms[slot]!)) {
      const hidden = details.hiddenLots.of(slot)
      if (hidden !== 0) {
        const slice = Lots(Math.min(hidden, details.icebergLots.of(slot)))
        details.hiddenLots.set(slot, Lots(hidden - slice))
        book.replenish(slot, slice)
        return slice
      }
      this.uncountResting(slot)
      this.forget(slot)
    } else if (isSliceFilled) this.counts.add(book.account[slot]!, Open.ORDERS, -1)
    book.fill(slot, lots)
    return Lots(0)
  }

  /**
   * Takes lots off a detailed order that continues, hidden ones first; one that waits needs less then.
   * Returns what its level lost.
   */
  reduce(slot: number, lots: Lots): Lots {
    const { book, details } = this
    if (this.isWaiting(slot)) {
      if (details.costAtoms.of(slot) !== 0) {
        details.costAtoms.set(slot, this.loweredCost(slot, Lots(book.openLots[slot]! - lots)))
      }
      book.reduce(slot, lots)
      return Lots(0)
    }
    const fromHidden = Math.min(lots, details.hiddenLots.of(slot))
    const fromShown = Lots(lots - fromHidden)
    details.hiddenLots.set(slot, Lots(details.hiddenLots.of(slot) - fromHidden))
    book.reduce(slot, fromShown)
    return fromShown
  }

  /** What a waiting order holds for `lots`; one that trails without a stop price a share, since its price has moved. */
  private loweredCost(slot: number, lots: Lots): Atoms {
    const { book, details } = this
    const side = book.sideOf(slot)
    const ticks = book.priceTicksOf(slot) || details.stopTicks.of(slot)
    if (side === Side.SELL || ticks !== 0) return this.heldFor(side, ticks, lots)
    return Atoms(multiplyDivideUp(details.costAtoms.of(slot), lots, book.openLots[slot]!))
  }

  /** An open order ends: one that rests, waits or is at work. */
  leave(slot: number): void {
    const { book } = this
    if (!isDetailed(book.terms[slot]!)) this.counts.add(book.account[slot]!, Open.ORDERS, -1)
    else {
      if (this.isWaiting(slot)) this.stopWaiting(slot)
      else if (book.isResting(slot)) this.uncountResting(slot)
      this.forget(slot)
    }
    book.remove(slot)
  }

  /** An order whose phase is not WORKING begins to wait; a stop to watch the price. */
  startWaiting(slot: number): void {
    this.countWaiting(slot, 1)
    this.watch(slot)
  }

  /** An order that waited is at work now. */
  startWorking(slot: number): void {
    const { details } = this
    this.stopWaiting(slot)
    details.phase.set(slot, OrderPhase.WORKING)
    details.costAtoms.set(slot, Atoms(0))
    details.workingMs.set(slot, this.timeMs)
  }

  /** The price of a pegged order is fixed as it begins to work: it stands aside. */
  fixPrice(slot: number, priceTicks: Ticks, pegLimitTicks: Ticks): void {
    this.book.reprice(slot, priceTicks)
    this.details.pegLimitTicks.set(slot, pegLimitTicks)
  }

  /** A pending order holds more. */
  fund(slot: number, heldAtoms: Atoms): void {
    const { costAtoms } = this.details
    costAtoms.set(slot, plus(costAtoms.of(slot), heldAtoms))
  }

  /** A pending stop goes live: it waits for its price. */
  release(slot: number): void {
    this.details.phase.set(slot, OrderPhase.UNTRIGGERED)
    this.book.setUpdatedMs(slot, this.timeMs)
    this.watch(slot)
  }

  /** Something happened to a leg of the list. */
  listChanged(list: OrderList): void {
    this.mayHaveConsequences = true
    this.lists.changed(list)
  }

  addList(list: OrderList): void {
    this.lists.add(list)
    this.counts.add(list.account, Open.LISTS, 1)
  }

  /** Forgets a list none of whose legs is open. */
  removeList(list: OrderList): void {
    this.lists.remove(list)
    this.counts.add(list.account, Open.LISTS, -1)
  }

  /** An order that rests becomes detailed: something happens that its terms cannot hold. */
  detail(slot: number): void {
    const { book, details } = this
    if (isDetailed(book.terms[slot]!)) return
    book.terms[slot] = book.terms[slot]! | DETAILED
    details.add(slot)
    details.workingMs.set(slot, book.createdMsOf(slot))
  }

  /** Copies what events have of an open order. */
  copyOrder(slot: number, into: OrderSummary): void {
    OrderImage.copy(this.book, slot, into)
    into.slot = slot
    into.lots = this.lotsOf(slot)
    into.preventedLots = this.details.preventedLots.of(slot)
  }

  private watch(slot: number): void {
    if (this.details.phase.of(slot) !== OrderPhase.UNTRIGGERED) return
    this.triggers.add(slot, this.lastPriceTicks, this.timeMs)
  }

  private stopWaiting(slot: number): void {
    this.triggers.remove(slot)
    this.countWaiting(slot, -1)
  }

  /** A detailed order leaves: its list changes with it. */
  private forget(slot: number): void {
    const list = this.listOf(slot)
    if (list !== undefined) {
      list.openLegs &= ~(1 << this.details.leg.of(slot))
      this.listChanged(list)
    }
    this.details.remove(slot)
  }

  private uncountResting(slot: number): void {
    const account = this.book.account[slot]!
    this.counts.add(account, Open.ORDERS, -1)
    const icebergLots = this.details.icebergLots.of(slot)
    if (icebergLots === 0) return
    this.shown.slices = Lots(this.shown.slices - icebergLots)
    this.counts.add(account, Open.ICEBERG_ORDERS, -1)
  }

  private countWaiting(slot: number, change: number): void {
    const { book, counts } = this
    const account = book.account[slot]!
    counts.add(account, Open.ORDERS, change)
    if (isStopType(typeOf(book.terms[slot]!))) counts.add(account, Open.ALGO_ORDERS, change)
    if (this.details.icebergLots.of(slot) !== 0) counts.add(account, Open.ICEBERG_ORDERS, change)
  }
}

/**
 * What the levels of one book can show at most, kept so that an order that rests need not look its level
 * up (bench `engine`): no order shows more than the largest did when it came to rest. The same after a
 * recovery or above it.
 */
class ShownLots {
  /**
   * What all resting icebergs show at a time, together. A level may come to show at most that much more
   * without a new order.
   */
  slices = Lots(0)
  /** The most that any order showed when it came to rest. */
  private largest = Lots(0)

  /** An order comes to rest. */
  rested(shownLots: Lots): void {
    if (shownLots > this.largest) this.largest = shownLots
  }

  /** Whether, of so many orders, a level might show more than `levelLotsMax` with `lots` more. */
  mayExceed(levelLotsMax: number, orderCount: number, lots: Lots): boolean {
    return orderCount * this.largest + this.slices + lots > levelLotsMax
  }
}

/** A journal or a snapshot has more on one symbol than the book of this start has room for. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
  readonly symbol: string
  readonly ordersMax: number

  constructor(symbol: string, ordersMax: number) {
    super(`The book of ${symbol} has no room for what was open on it.`)
    this.symbol = symbol
    this.ordersMax = ordersMax
  }
}
