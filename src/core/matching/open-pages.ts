/**
 * Pages of an account's open orders, by order id. A page is a function of the book and of what the query
 * names: the open orders with ids after `afterOrderId` and up to `untilOrderId`, the lowest first. So an
 * order that is open from the first page to the last is on exactly one of them.
 *
 * To collect and sort the ids of 100,000 orders takes milliseconds, so the ids of a query that continues
 * are kept. They stay right: an id up to `untilOrderId` is given to no order that comes later.
 */
import { type AccountId, OrderId } from '../../base/units.ts'
import type { OpenOrders } from './open-orders.ts'

/** Queries of more than one page whose ids are kept; a further one drops the oldest. */
const KEPT_MAX = 4

export interface OpenPage {
  readonly account: AccountId
  readonly afterOrderId: OrderId
  readonly untilOrderId: OrderId
  readonly limit: number
}

interface KeptIds {
  readonly account: AccountId
  readonly untilOrderId: OrderId
  readonly ids: Float64Array
}

export class OpenPages {
  private readonly open: OpenOrders
  private kept: readonly KeptIds[] = []

  constructor(open: OpenOrders) {
    this.open = open
  }

  /** Visits the orders of the page; returns whether no page follows. */
  visit(page: OpenPage, visitor: (slot: number) => void): boolean {
    const { account, untilOrderId } = page
    const open = this.open
    const kept = this.kept.find((it) => it.account === account && it.untilOrderId === untilOrderId)
    const ids = kept?.ids ?? upTo(open.idsOf(account), untilOrderId)
    let left = page.limit
    let index = countUpTo(ids, page.afterOrderId)
    for (; index < ids.length; index++) {
      const slot = open.take(account, OrderId(ids[index]!))
      if (slot === 0) continue
      if (left === 0) break
      visitor(slot)
      left--
    }
    const isWhole = index === ids.length
    if (isWhole) this.kept = this.kept.filter((it) => it !== kept)
    else if (kept === undefined) {
      const added: KeptIds = { account, untilOrderId, ids: ids.slice() }
      this.kept = [...this.kept.slice(1 - KEPT_MAX), added]
    }
    return isWhole
  }
}

const upTo = (ids: Float64Array, orderId: OrderId): Float64Array =>
  ids.subarray(0, countUpTo(ids, orderId))

/** How many of the ascending ids are not above `orderId`. */
function countUpTo(ids: Float64Array, orderId: OrderId): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! <= orderId) low = middle + 1
    else high = middle
  }
  return low
}
