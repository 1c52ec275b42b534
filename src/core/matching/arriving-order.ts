/**
 * The order that an engine is executing, from its command to the moment it rests, is filled or ends.
 * One object for each engine, filled anew for each PlaceOrder: nothing is allocated.
 */
import { OrderType, preventionOf, Side, sideOf, typeOf } from '#base/codes.ts'
import { PRICE_TICKS_MAX } from '#base/limits.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import { PlaceOrder } from '#layout/records.gen.ts'

export class ArrivingOrder {
  account = 0
  terms = 0
  side: number = Side.BUY
  type: number = OrderType.LIMIT
  prevention = 0
  /** Decided when it is accepted. */
  orderId = 0
  /** 0 for MARKET. */
  priceTicks = 0
  /** The worst price that it accepts: priceTicks, or no bound for MARKET. */
  limitTicks = 0
  /** Original quantity; of a MARKET order by quote amount, what the sweep computed. */
  lots = 0
  quoteAtoms = 0
  /** What it may still trade. */
  leftLots = 0
  filledLots = 0
  filledAtoms = 0
  /** Where its client order id stands. */
  idWords: Int32Array = new Int32Array(0)
  idAt = 0

  read(commands: RecordBuffer, at: number): void {
    const word = at >> 2
    const double = at >> 3
    const { i32, f64 } = commands
    this.account = i32[word + PlaceOrder.account]!
    const terms = i32[word + PlaceOrder.terms]!
    this.terms = terms
    this.side = sideOf(terms)
    this.type = typeOf(terms)
    this.prevention = preventionOf(terms)
    this.orderId = 0
    this.priceTicks = f64[double + PlaceOrder.priceTicks]!
    this.lots = f64[double + PlaceOrder.lots]!
    this.quoteAtoms = f64[double + PlaceOrder.quoteAtoms]!
    this.filledLots = 0
    this.filledAtoms = 0
    this.idWords = i32
    this.idAt = word + PlaceOrder.clientOrderId
    if (this.type !== OrderType.MARKET) this.limitTicks = this.priceTicks
    else this.limitTicks = this.side === Side.BUY ? PRICE_TICKS_MAX : 0
  }

  /** Whether an order of the other side at this price is within its limit. */
  crosses(makerTicks: number): boolean {
    return this.side === Side.BUY ? makerTicks <= this.limitTicks : makerTicks >= this.limitTicks
  }
}
