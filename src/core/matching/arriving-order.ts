/**
 * An order that an engine is executing, from its command to the moment it rests, waits, is filled or
 * ends; a waiting order becomes one again when it is executed next. An engine has one for each leg of the
 * largest list, overwritten each time: nothing is allocated. Its id and creation are decided when it is
 * accepted; then a detailed order gets its slot.
 */
import {
  isDetailed,
  isMarketType,
  isStopType,
  OrderType,
  preventionOf,
  Side,
  sideOf,
  typeOf,
} from '../../base/codes.ts'
import { PRICE_TICKS_MAX } from '../../base/limits.ts'
import { type AccountId, Atoms, Lots, OrderId, QuoteAtoms, Ticks } from '../../base/units.ts'
import { ExtrasBlock, Placement, PlaceOrderList, QuoteLevel } from '../../layout/accessors.gen.ts'
import { RecordBuffer } from '../../layout/record-buffer.ts'
import type { OrderBook } from '../book/order-book.ts'
import { Decision } from './decision.ts'
import type { Details } from './details.ts'
import { OrderSummary } from './order-summary.ts'
import type { SymbolState } from './symbol-state.ts'

const noCommands = RecordBuffer.allocate(0)

export class ArrivingOrder extends OrderSummary {
  /** What was decided of it last. */
  readonly decision = new Decision()
  side: number = Side.BUY
  type: OrderType = OrderType.LIMIT
  /** Whether it takes whatever price the book offers. */
  isMarketType = false
  isStop = false
  prevention = 0
  /** The worst price that it may trade at: `reachTicks`, or the end of the band around the anchor. */
  limitTicks = Ticks(0)
  /** The same without the band: `acceptedTicks`, or the end of the symbol's price range; beyond all prices for none. */
  reachTicks = Ticks(0)
  /** Whether the band is narrower than the price range and what it accepts. */
  isBanded = false
  /** Whether the price range is narrower than what it accepts. */
  isRanged = false
  /** Whether its price is that of a peg, which is not fixed yet. */
  awaitsPeg = false
  /** OrderBook.clientOrderHash of its id, once admission has looked for a duplicate. */
  idHash = 0
  /** What it may still trade. */
  leftLots = Lots(0)
  /** What a market BUY at work still holds, quote atoms. */
  heldAtoms = Atoms(0)
  /** Whether pending orders of its list sell what it buys. */
  isPaying = false
  /** What follows is only kept for an order whose terms say detailed: what decisions depend on. */
  stopTicks = Ticks(0)
  icebergLots = Lots(0)
  trailingDelta = 0
  pegPriceType = 0
  pegLevels = 0
  /** As the column: the client's own limit once the price is that of the peg. */
  pegLimitTicks = Ticks(-1)
  /** Where its command has all that it wants besides its terms: an ExtrasBlock. */
  private commands = noCommands
  private extrasAt = 0

  /** Reads a PlaceOrder, or the beginning of a ReplaceOrder. */
  read(commands: RecordBuffer, at: number): void {
    this.begin(Placement.account(commands, at), Placement.terms(commands, at))
    this.lots = Placement.lots(commands, at)
    this.quoteAtoms = Placement.quoteAtoms(commands, at)
    this.price(Placement.priceTicks(commands, at))
    this.idWords = commands.i32
    this.idAt = Placement.clientOrderIdAt(at)
    if (isDetailed(this.terms)) this.readExtras(commands, Placement.extrasBlockAt(at))
  }

  /** Reads a leg, from 0, of a PlaceOrderList. */
  readLeg(commands: RecordBuffer, at: number, leg: number): void {
    this.begin(PlaceOrderList.account(commands, at), PlaceOrderList.legTerms(commands, at, leg))
    this.lots = PlaceOrderList.legLots(commands, at, leg)
    this.quoteAtoms = QuoteAtoms(0)
    this.price(PlaceOrderList.legPriceTicks(commands, at, leg))
    this.idWords = commands.i32
    this.idAt = PlaceOrderList.legClientOrderIdAt(at, leg)
    this.readExtras(commands, PlaceOrderList.legExtrasBlockAt(at, leg))
  }

  /** Reads the QuoteLevel at byte `levelAt`. */
  readLevel(commands: RecordBuffer, levelAt: number, account: AccountId, terms: number): void {
    this.begin(account, terms)
    this.lots = QuoteLevel.lots(commands, levelAt)
    this.quoteAtoms = QuoteAtoms(0)
    this.price(QuoteLevel.priceTicks(commands, levelAt))
    this.idWords = commands.i32
    this.idAt = QuoteLevel.clientOrderIdAt(levelAt)
  }

  /** As a limit order of the other's side at this price: for its bounds alone (group-book.ts). */
  limitBy({ account, terms, side }: ArrivingOrder, priceTicks: Ticks): void {
    this.begin(account, terms)
    this.side = side
    this.type = OrderType.LIMIT
    this.isMarketType = false
    this.price(priceTicks)
  }

  /** An order of a group's account that is filled whole by what it meets, at its price. */
  readSource(
    account: AccountId,
    terms: number,
    priceTicks: Ticks,
    lots: Lots,
    idWords: Int32Array,
  ): void {
    this.begin(account, terms)
    this.lots = lots
    this.leftLots = lots
    this.quoteAtoms = QuoteAtoms(0)
    this.price(priceTicks)
    this.idWords = idWords
    this.idAt = 0
  }

  /** Takes up an order that waited. */
  readSlot(book: OrderBook, details: Details, slot: number): void {
    this.begin(book.account[slot]!, book.terms[slot]!)
    this.slot = slot
    this.orderId = book.orderId[slot]!
    this.lots = book.openLots[slot]!
    this.quoteAtoms = QuoteAtoms(0)
    this.price(book.priceTicksOf(slot))
    this.leftLots = this.lots
    this.createdMs = book.createdMsOf(slot)
    this.idWords = book.clientOrderId
    this.idAt = book.clientOrderIdAt(slot)
    this.stopTicks = details.stopTicks.of(slot)
    this.icebergLots = details.icebergLots.of(slot)
    this.trailingDelta = details.trailingDelta.of(slot)
    this.peg(
      details.pegPriceType.of(slot),
      details.pegLevels.of(slot),
      details.pegLimitTicks.of(slot),
    )
  }

  /** Writes what its command has besides its terms into the columns of its slot. */
  writeDetails(details: Details): void {
    details.takeExtras(this.slot, this.commands, this.extrasAt)
    details.pegLimitTicks.set(this.slot, this.pegLimitTicks)
  }

  /** The price of the peg is this one, for good. */
  fixPrice(priceTicks: Ticks): void {
    this.pegLimitTicks = this.priceTicks
    this.awaitsPeg = false
    this.price(priceTicks)
  }

  /** Whether an order of the other side at this price is within its limit. */
  crosses(makerTicks: Ticks): boolean {
    return this.side === Side.BUY ? makerTicks <= this.limitTicks : makerTicks >= this.limitTicks
  }

  /** Whether an order of the other side at this price is within all bounds but the band. */
  reaches(makerTicks: Ticks): boolean {
    return this.side === Side.BUY ? makerTicks <= this.reachTicks : makerTicks >= this.reachTicks
  }

  /** Whether it accepts the price, and the price range does not. */
  isOutOfRange(makerTicks: Ticks): boolean {
    const { side, acceptedTicks } = this
    const isAccepted = side === Side.BUY ? makerTicks <= acceptedTicks : makerTicks >= acceptedTicks
    return isAccepted && !this.reaches(makerTicks)
  }

  /** The worst price that it accepts: priceTicks, or no bound for a market type. */
  get acceptedTicks(): Ticks {
    if (!this.isMarketType) return this.priceTicks
    return Ticks(this.side === Side.BUY ? PRICE_TICKS_MAX : 0)
  }

  /** The band: it may trade at the prices from `lowTicks` to `highTicks` alone. */
  keepWithin(lowTicks: number, highTicks: number): void {
    this.limitTicks = this.within(lowTicks, highTicks)
    this.isBanded = this.limitTicks !== this.acceptedTicks
  }

  /**
   * The price range, after the band: it trades at the prices from `lowTicks` to `highTicks`, and ends at the first
   * other one that it meets: at `bestTicks`, if that is better than the range allows.
   */
  keepWithinRange(lowTicks: number, highTicks: number, bestTicks: Ticks): void {
    const isBuy = this.side === Side.BUY
    const isBeyond = bestTicks !== 0 && (isBuy ? bestTicks < lowTicks : bestTicks > highTicks)
    const nowhere = Ticks(isBuy ? 0 : Number.MAX_SAFE_INTEGER)
    this.reachTicks = isBeyond ? nowhere : this.within(lowTicks, highTicks)
    this.isRanged = this.reachTicks !== this.acceptedTicks
    const isNarrower = isBuy
      ? this.reachTicks <= this.limitTicks
      : this.reachTicks >= this.limitTicks
    if (!isNarrower) return
    this.limitTicks = this.reachTicks
    this.isBanded = false
  }

  private within(lowTicks: number, highTicks: number): Ticks {
    const { acceptedTicks } = this
    return Ticks(
      this.side === Side.BUY
        ? Math.min(acceptedTicks, highTicks)
        : Math.max(acceptedTicks, lowTicks),
    )
  }

  /** Takes up the order that rests in `slot`, with all that it has open, as the taker of an auction. */
  readResting(state: SymbolState, slot: number): void {
    const { book, details } = state
    this.readSlot(book, details, slot)
    state.copyOrder(slot, this)
    this.leftLots = Lots(book.openLots[slot]! + state.hiddenOf(slot))
  }

  private readExtras(commands: RecordBuffer, at: number): void {
    this.commands = commands
    this.extrasAt = at
    this.stopTicks = ExtrasBlock.stopTicks(commands, at)
    this.icebergLots = ExtrasBlock.icebergLots(commands, at)
    this.trailingDelta = ExtrasBlock.trailingDelta(commands, at)
    this.peg(ExtrasBlock.pegPriceType(commands, at), ExtrasBlock.pegLevels(commands, at), Ticks(-1))
  }

  private peg(priceType: number, levels: number, limitTicks: Ticks): void {
    this.pegPriceType = priceType
    this.pegLevels = levels
    this.pegLimitTicks = limitTicks
    this.awaitsPeg = priceType !== 0 && limitTicks < 0
  }

  private begin(account: AccountId, terms: number): void {
    this.account = account
    this.terms = terms
    this.side = sideOf(terms)
    this.type = typeOf(terms)
    this.isMarketType = isMarketType(this.type)
    this.isStop = isStopType(this.type)
    this.prevention = preventionOf(terms)
    this.orderId = OrderId(0)
    this.filledLots = Lots(0)
    this.filledAtoms = QuoteAtoms(0)
    this.preventedLots = Lots(0)
    this.slot = 0
    this.isPaying = false
    this.icebergLots = Lots(0)
    this.awaitsPeg = false
  }

  private price(priceTicks: Ticks): void {
    this.priceTicks = priceTicks
    this.isBanded = false
    this.isRanged = false
    if (!this.isMarketType) this.limitTicks = priceTicks
    else this.limitTicks = Ticks(this.side === Side.BUY ? PRICE_TICKS_MAX : 0)
    this.reachTicks = this.limitTicks
  }
}
