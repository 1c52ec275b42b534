/**
 * The open order lists of one symbol (rest-api.md, order lists): which orders are a list's legs, which of them
 * are still open, and which lists an execution has changed. Legs stand in `Details` while they are open.
 * Writer: the engine of the symbol.
 */
import { CLIENT_ORDER_ID_WORDS, isNoClientOrderId } from '../../base/client-order-id.ts'
import { hasPendingPair, OrderListKind } from '../../base/codes.ts'
import type { AccountId, OrderId, OrderListId } from '../../base/units.ts'
import { LEGS_MAX } from '../../layout/accessors.gen.ts'

export class OrderList {
  readonly orderListId: OrderListId
  readonly account: AccountId
  readonly kind: number
  /** By leg. */
  readonly orderIds: readonly OrderId[]
  /** Eight words each: the list's id, then its legs'. */
  readonly listClientOrderId = new Int32Array(CLIENT_ORDER_ID_WORDS)
  readonly clientOrderIds = new Int32Array(LEGS_MAX * CLIENT_ORDER_ID_WORDS)
  /** A bit for each leg. */
  openLegs: number
  /** Whether it is among those that the execution has changed. */
  isChanged = false

  constructor(
    orderListId: OrderListId,
    account: AccountId,
    kind: number,
    orderIds: readonly OrderId[],
  ) {
    this.orderListId = orderListId
    this.account = account
    this.kind = kind
    this.orderIds = orderIds
    this.openLegs = (1 << orderIds.length) - 1
  }

  get legs(): number {
    return this.orderIds.length
  }

  isOpen(leg: number): boolean {
    return (this.openLegs & (1 << leg)) !== 0
  }

  /** Returns the other leg of an OCO pair, -1 when there is none or it has ended. */
  siblingOf(leg: number): number {
    let sibling = -1
    if (this.kind === OrderListKind.OCO) sibling = 1 - leg
    else if (hasPendingPair(this.kind) && leg > 0) sibling = 3 - leg
    return sibling >= 0 && this.isOpen(sibling) ? sibling : -1
  }

  /** Whether other legs wait for this one to be filled. */
  isWorkingLeg(leg: number): boolean {
    return leg === 0 && this.kind !== OrderListKind.OCO
  }

  setListClientOrderId(words: Int32Array, at: number): void {
    this.listClientOrderId.set(words.subarray(at, at + CLIENT_ORDER_ID_WORDS))
  }

  setClientOrderId(leg: number, words: Int32Array, at: number): void {
    const own = leg * CLIENT_ORDER_ID_WORDS
    this.clientOrderIds.set(words.subarray(at, at + CLIENT_ORDER_ID_WORDS), own)
  }

  /** Whether it has the client id at words[at], or none was given. */
  isAgreeing(words: Int32Array, at: number): boolean {
    const isOwn = this.listClientOrderId.every((word, index) => word === words[at + index])
    return isOwn || isNoClientOrderId(words, at)
  }
}

export class OrderLists {
  private readonly lists = new Map<OrderListId, OrderList>()
  /** By account and list client id. */
  private readonly byClientId = new Map<string, OrderList>()
  private changedLists: OrderList[] = []

  /** By id. */
  get all(): readonly OrderList[] {
    return [...this.lists.values()].sort((a, b) => a.orderListId - b.orderListId)
  }

  /** The list has its client id. */
  add(list: OrderList): void {
    this.lists.set(list.orderListId, list)
    this.byClientId.set(clientKey(list.account, list.listClientOrderId, 0), list)
  }

  remove(list: OrderList): void {
    this.lists.delete(list.orderListId)
    this.byClientId.delete(clientKey(list.account, list.listClientOrderId, 0))
  }

  find(orderListId: OrderListId): OrderList | undefined {
    return this.lists.get(orderListId)
  }

  /** The account's open list of that client id. */
  findClientId(account: AccountId, words: Int32Array, at: number): OrderList | undefined {
    return this.byClientId.get(clientKey(account, words, at))
  }

  /** Something happened to one of its legs. */
  changed(list: OrderList): void {
    if (list.isChanged) return
    list.isChanged = true
    this.changedLists.push(list)
  }

  get hasChanged(): boolean {
    return this.changedLists.length !== 0
  }

  /** What was changed since the last call, in that order. */
  takeChanged(): readonly OrderList[] {
    const changed = this.changedLists
    this.changedLists = []
    for (const list of changed) list.isChanged = false
    return changed
  }
}

function clientKey(account: AccountId, words: Int32Array, at: number): string {
  return `${account}:${words.subarray(at, at + CLIENT_ORDER_ID_WORDS).join()}`
}
