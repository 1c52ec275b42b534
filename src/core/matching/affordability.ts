/**
 * Whether an account could pay now what a command enters. A matcher checks it for commands that may wait instead
 * (agents/deferred-commands.ts). It decides nothing else: admission.ts refuses what is refused for other
 * reasons, so an order that fails both may wait first.
 */
import { CancelReplaceMode, isDetailed, OrderListKind } from '../../base/codes.ts'
import { isMore, most, plus } from '../../base/int64.ts'
import { Atoms } from '../../base/units.ts'
import { PlaceOrder, PlaceOrderList, ReplaceOrder } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { Admission } from './admission.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { ADMITTED } from './decision.ts'
import type { OpenOrders } from './open-orders.ts'
import type { OrderFunds } from './order-funds.ts'
import type { SymbolState } from './symbol-state.ts'

export interface AffordabilityParts {
  readonly state: SymbolState
  readonly admission: Admission
  readonly funds: OrderFunds
}

export class Affordability {
  private readonly parts: AffordabilityParts
  private readonly open: OpenOrders
  private readonly orders: readonly ArrivingOrder[]

  constructor(parts: AffordabilityParts, open: OpenOrders, orders: readonly ArrivingOrder[]) {
    this.parts = parts
    this.open = open
    this.orders = orders
  }

  /** False of a command that enters no order, and of a quote, which waits for no funds. Between two commands; overwrites the arriving orders. */
  isLackingFor(commands: RecordBuffer, at: number): boolean {
    const [order, other] = this.orders as readonly [ArrivingOrder, ArrivingOrder]
    switch (recordType(commands, at)) {
      case PlaceOrder.type:
        order.read(commands, at)
        return this.isLacking(order, this.costOf(order))
      case PlaceOrderList.type: {
        order.readLeg(commands, at, 0)
        other.readLeg(commands, at, 1)
        const isPair = PlaceOrderList.kind(commands, at) === OrderListKind.OCO
        const otherCost = isPair ? this.costOf(other) : Atoms(0)
        return this.isLacking(order, most(this.costOf(order), otherCost))
      }
      case ReplaceOrder.type:
        order.read(commands, at)
        return this.isReplacementLacking(order, commands, at)
      default:
        return false
    }
  }

  /** What the cancel gives back pays too. */
  private isReplacementLacking(order: ArrivingOrder, commands: RecordBuffer, at: number): boolean {
    const { state } = this.parts
    const { book } = state
    const idAt = ReplaceOrder.cancelOrigClientOrderIdAt(at)
    const orderId = ReplaceOrder.cancelOrderId(commands, at)
    const slot = this.open.find(order.account, orderId, commands.i32, idAt)
    const restrictions = ReplaceOrder.cancelRestrictions(commands, at)
    if (this.open.judgeCancel(slot, restrictions, commands.i32, idAt) !== ADMITTED) {
      const isTried = ReplaceOrder.mode(commands, at) === CancelReplaceMode.ALLOW_FAILURE
      return isTried && this.isLacking(order, this.costOf(order))
    }
    const isSameSide = book.sideOf(slot) === order.side
    // What it meets, and so what it costs, is known once the other one is gone.
    if (order.awaitsPeg || (order.isMarketType && !isSameSide)) return true
    return this.isLacking(order, this.costOf(order), isSameSide ? this.freedBy(slot) : Atoms(0))
  }

  private freedBy(slot: number): Atoms {
    const { state } = this.parts
    const { book } = state
    if (isDetailed(book.terms[slot]!)) return state.pairNeed(slot)
    return state.heldFor(book.sideOf(slot), book.priceTicksOf(slot), book.openLots[slot]!)
  }

  private costOf(order: ArrivingOrder): Atoms {
    const { state, admission } = this.parts
    if (order.isStop) return state.costOfStop(order)
    if (!order.isMarketType && !order.awaitsPeg)
      return state.heldFor(order.side, order.priceTicks, order.lots)
    const { verdict, heldAtoms } = admission.decideWorking(order)
    return verdict === ADMITTED ? heldAtoms : Atoms(0)
  }

  private isLacking({ account, side }: ArrivingOrder, atoms: Atoms, freed = Atoms(0)): boolean {
    return isMore(atoms, plus(this.parts.funds.available(account, side), freed))
  }
}
