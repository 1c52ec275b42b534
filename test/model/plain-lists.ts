/**
 * What the legs of a list do to each other (rest-api.md, order lists): the plain twin of OCO, OTO and OTOCO, and
 * of the two that pay for their pending orders (faqs/opo.md).
 * What happens to a leg reaches the others here, and nowhere else.
 */
import {
  ExpiryReason,
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderPhase,
  OrderStatus,
  OrderType,
  Side,
} from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import { type Closing, isExpiry, type PlainMarket } from './plain-market.ts'
import type { PlainList, PlainOrder } from './plain-order.ts'

export class PlainLists {
  private readonly market: PlainMarket
  /** Lists to which something happened in this execution, in order, and whether it was more than a new id. */
  private readonly changed = new Map<PlainList, boolean>()
  /** Pending legs whose working order was filled in this execution. */
  private released: PlainOrder[] = []

  constructor(market: PlainMarket) {
    this.market = market
  }

  listOf(order: PlainOrder): PlainList | undefined {
    return this.market.state.lists.find((list) => list.orderListId === order.orderListId)
  }

  /** Its open legs, by orderId. */
  legs(list: PlainList): PlainOrder[] {
    return this.market.state.orders.filter((order) => order.orderListId === list.orderListId)
  }

  /** The other leg of a pair in which one order can be filled, while it is open. */
  sibling(order: PlainOrder): PlainOrder | undefined {
    const list = this.listOf(order)
    if (list === undefined) return undefined
    const pair = pairOf(list)
    if (!pair.includes(order.orderId)) return undefined
    return this.legs(list).find((it) => it !== order && pair.includes(it.orderId))
  }

  /** Something happened to the list that its owner receives at the end of the execution. */
  touch(order: PlainOrder, isMoreThanId = true): void {
    const list = this.listOf(order)
    if (list === undefined) return
    this.changed.set(list, isMoreThanId || this.changed.get(list) === true)
  }

  /** Ends an order and, for the reason that gives, what depends on it. */
  close(order: PlainOrder, status: number, how: Closing = {}): void {
    const sibling = this.sibling(order)
    this.market.close(order, status, how)
    this.touch(order)
    if (sibling !== undefined && isExpiry(status)) this.expireSibling(sibling)
    for (const pending of this.pendingOn(order)) {
      if (isExpiry(status)) {
        this.market.close(pending, OrderStatus.EXPIRED, {
          reason: ExpiryReason.OTO_PHASE_ONE_EXPIRED,
        })
      } else this.market.close(pending, status, pick(how))
    }
  }

  expireSibling(sibling: PlainOrder): void {
    const reason = ExpiryReason.OCO_TRIGGER
    this.market.close(sibling, OrderStatus.EXPIRED, { reason })
    this.touch(sibling)
  }

  /** The order received base atoms less a fee in them, which are locked for what waits for it. */
  received(order: PlainOrder, base: bigint, fee: bigint): void {
    if (!order.isPaying) return
    const { market } = this
    const pending = this.pendingOn(order)[0]!
    const isDiscountAsset = market.world.exchange.discountAssetId === market.spec.base.id
    const isFeeFree = !isDiscountAsset && market.hold(pending, base)
    const held = isFeeFree ? base : base - fee
    if (held === 0n) return
    if (!isFeeFree) market.hold(pending, held)
    market.say('OrderFunded', {
      account: pending.account,
      terms: pending.terms,
      orderId: pending.orderId,
      heldAtoms: int64(held),
    })
  }

  /** Cancels the order, and every other open leg of its list. */
  cancel(order: PlainOrder, clientOrderId: string): void {
    const list = this.listOf(order)
    for (const leg of list === undefined ? [order] : this.legs(list)) {
      this.market.close(leg, OrderStatus.CANCELED, { clientOrderId })
      this.touch(leg)
    }
  }

  /** Some of the order changed hands: the other leg of its pair ends. */
  began(order: PlainOrder): void {
    const sibling = this.sibling(order)
    if (sibling !== undefined) this.expireSibling(sibling)
  }

  /** After a trade of the order, which may have filled it. */
  traded(order: PlainOrder): void {
    this.began(order)
    if (order.open > 0n) return
    this.touch(order)
    this.released.push(...this.pendingOn(order))
  }

  /** How many lists have an event at the end of the execution. */
  get changedCount(): number {
    return this.changed.size
  }

  takeReleased(): PlainOrder[] {
    const released = this.released
    this.released = []
    return released
  }

  /** The end of an execution: what became of each list that it touched. */
  sayChanged(): void {
    for (const [list, isMoreThanId] of this.changed) {
      if (this.legs(list).length === 0) {
        this.say(list, ListStatusType.ALL_DONE, ListOrderStatus.ALL_DONE)
        const { state } = this.market
        state.lists = state.lists.filter((it) => it !== list)
      } else {
        const type = isMoreThanId ? ListStatusType.EXEC_STARTED : ListStatusType.UPDATED
        this.say(list, type, ListOrderStatus.EXECUTING)
      }
    }
    this.changed.clear()
  }

  say(list: PlainList, statusType: number, orderStatus: number): void {
    const [first, second, third] = list.legs
    this.market.say('OrderListChanged', {
      account: list.account,
      kind: list.kind,
      statusType,
      orderStatus,
      orderListId: list.orderListId,
      legs: list.legs.length,
      orderId1: first!.orderId,
      orderId2: second!.orderId,
      orderId3: third?.orderId ?? 0,
      listClientOrderId: list.clientOrderId,
      clientOrderId1: first!.clientOrderId,
      clientOrderId2: second!.clientOrderId,
      clientOrderId3: third?.clientOrderId ?? '',
    })
  }

  /** The legs that wait for this one to be filled. */
  private pendingOn(order: PlainOrder): PlainOrder[] {
    const list = this.listOf(order)
    if (list === undefined || list.kind === OrderListKind.OCO) return []
    if (order.orderId !== list.legs[0]!.orderId) return []
    return this.legs(list).filter(({ phase }) => phase === OrderPhase.PENDING)
  }
}

/** The cancel's id is that of all that it ends. */
const pick = ({ clientOrderId }: Closing): Closing =>
  clientOrderId === undefined ? {} : { clientOrderId }

/** Whether its pending orders sell what its working order buys. */
export const isPaid = ({ kind }: Pick<PlainList, 'kind'>): boolean =>
  kind === OrderListKind.OPO || kind === OrderListKind.OPOCO

export const hasThree = (kind: number): boolean =>
  kind === OrderListKind.OTOCO || kind === OrderListKind.OPOCO

/** The ids of the legs that exclude each other. */
export function pairOf({ kind, legs }: PlainList): number[] {
  const ids = legs.map(({ orderId }) => orderId)
  if (kind === OrderListKind.OTO || kind === OrderListKind.OPO) return []
  return kind === OrderListKind.OCO ? ids : ids.slice(1)
}

/**
 * Whether the prices of a pair stand around the last one: SELL other > last > stop-loss, BUY the
 * other way round. Without a last price they must stand so to each other.
 */
export function arePricesRelated(stopLoss: PlainOrder, other: PlainOrder, last: bigint): boolean {
  const sign = stopLoss.side === Side.SELL ? 1n : -1n
  const profit = other.type === OrderType.LIMIT_MAKER ? other.price : other.stop
  const loss = stopLoss.stop
  if (last === 0n) return profit === 0n || loss === 0n || sign * (profit - loss) > 0n
  const isProfitRight = profit === 0n || sign * (profit - last) > 0n
  const isLossRight = loss === 0n || sign * (last - loss) > 0n
  return isProfitRight && isLossRight
}
