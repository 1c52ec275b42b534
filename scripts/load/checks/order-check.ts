/**
 * Compares every answer about an order with what the account's user data stream has of it, whichever of
 * the two comes first: an order that was accepted is reported with the same id, an answer's fills are
 * the reports' fills, a refused order is never reported as accepted, a canceled one is reported as
 * canceled with the same quantity. And holds the reports of each order to each other.
 */
import { Findings } from './findings.ts'

/** An executionReport, as far as it is read here. */
export interface Report {
  readonly s: string
  /** Client order id; of the cancel, in which case C is the order's. */
  readonly c: string
  readonly C: string
  readonly i: number
  /** What happened, and the order's status. */
  readonly x: string
  readonly X: string
  /** Quantities: of the order, of this fill, filled in all. */
  readonly q: string
  readonly l: string
  readonly z: string
  /** Price of this fill, quote filled in all. */
  readonly L: string
  readonly Z: string
  readonly n: string
  readonly N: string | null
  readonly t: number
  /** Whether the order rested. */
  readonly m: boolean
}

/** What the report of an order's end has of it. */
export type EndReport = Pick<Report, 'c' | 'C' | 'x' | 'X'>

interface Fill {
  readonly price: string
  readonly qty: string
  readonly commission: string
  readonly commissionAsset: string
  readonly tradeId: number
}
/** The answer to an order that was accepted, newOrderRespType FULL. */
export interface Placement {
  readonly orderId: number
  readonly clientOrderId: string
  readonly status: string
  readonly executedQty: string
  readonly cummulativeQuoteQty: string
  readonly fills?: readonly Fill[]
}
/** The answer to a cancel. */
export interface Cancel {
  readonly orderId: number
  readonly status: string
  readonly executedQty: string
}

/** What is known of one order until both sides have sent all. */
interface Order {
  readonly clientOrderId: string
  isRefused: boolean
  /** Its answer was lost, so that it may stand or not. */
  isUnknown: boolean
  placement: Placement | undefined
  cancel: Cancel | undefined
  isPlacementChecked: boolean
  /** Cancels that were sent and not answered. */
  canceling: number
  /** A cancel's answer was that there is no such order any more. */
  isGone: boolean
  /** Id in the reports; 0 before the first. */
  orderId: number
  status: string
  /** What it filled as it came, before it rested. */
  readonly taken: Report[]
  filled: bigint
  filledQuote: bigint
}

/** Enough to notice a report that comes after the end. */
const OVER_KEPT = 100_000
const ENDED = new Set(['FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH', 'REJECTED'])
/** Whether an order of this status has ended. */
export const isEnded = ({ X }: Pick<Report, 'X'>): boolean => ENDED.has(X)

/** Orders and trades that the streams reported. */
export interface OrderCounts {
  accepted: number
  rejected: number
  /** Fills of orders that took, and of orders that rested. */
  tradesTaken: number
  tradesMade: number
  canceled: number
  expired: number
}

export const noteNames = [
  ...(['sent', 'accepted', 'refused', 'lost'] as const),
  ...(['canceling', 'canceled', 'gone', 'notCanceled'] as const),
] as const
export type NoteName = (typeof noteNames)[number]
/** What actors tell of their orders. */
export type OrderNotes = Pick<OrderCheck, NoteName>
export type OrderNote = {
  [Name in NoteName]: readonly [Name, ...Parameters<OrderCheck[Name]>]
}[NoteName]

export class OrderCheck {
  readonly counts: OrderCounts = {
    accepted: 0,
    rejected: 0,
    tradesTaken: 0,
    tradesMade: 0,
    canceled: 0,
    expired: 0,
  }
  private readonly answers = new Findings('answers agree with the user data streams')
  private readonly reports = new Findings('reports of each order agree with each other')
  private readonly orders = new Map<string, Order>()
  /** The last orders that both sides have ended, by client order id. */
  private readonly over = new Set<string>()

  /** How many orders are not settled: something is still to be sent about them. */
  get unsettled(): number {
    let count = 0
    for (const order of this.orders.values()) if (!isSettled(order)) count++
    return count
  }

  /** An order is about to be sent. */
  sent(clientOrderId: string): void {
    this.orders.set(clientOrderId, {
      clientOrderId,
      isRefused: false,
      isUnknown: false,
      placement: undefined,
      cancel: undefined,
      isPlacementChecked: false,
      canceling: 0,
      isGone: false,
      orderId: 0,
      status: '',
      taken: [],
      filled: 0n,
      filledQuote: 0n,
    })
  }

  accepted(placement: Placement): void {
    const order = this.orders.get(placement.clientOrderId)
    if (order === undefined) {
      this.answers.failed(`an answer names ${placement.clientOrderId}, which was not sent`)
      return
    }
    order.placement = placement
    this.compare(order, false)
  }

  refused(clientOrderId: string): void {
    const order = this.orders.get(clientOrderId)
    if (order === undefined) return
    order.isRefused = true
    if (order.status !== '' && order.status !== 'REJECTED') {
      this.answers.failed(`${clientOrderId} was refused, and reported as ${order.status}`)
    } else this.answers.agreed()
    this.forgetIfOver(order)
  }

  /** Whether it was accepted is unknown. */
  lost(clientOrderId: string): void {
    const order = this.orders.get(clientOrderId)
    if (order !== undefined) order.isUnknown = true
  }

  /** A cancel is about to be sent; one of the next three is called with the outcome. */
  canceling(clientOrderId: string): void {
    const order = this.orders.get(clientOrderId)
    if (order !== undefined) order.canceling++
  }

  canceled(clientOrderId: string, cancel: Cancel): void {
    const order = this.cancelAnswered(clientOrderId)
    if (order === undefined) {
      this.answers.failed(`${clientOrderId} was canceled after it had ended`)
      return
    }
    order.cancel = cancel
    this.compare(order, false)
  }

  /** The cancel's answer was that there is no such order. */
  gone(clientOrderId: string): void {
    const order = this.cancelAnswered(clientOrderId)
    if (order === undefined) return
    // One whose answer was lost may never have stood.
    order.isGone = !order.isUnknown || order.orderId !== 0
    this.compare(order, false)
  }

  /** The cancel was refused for another reason, or its answer was lost. */
  notCanceled(clientOrderId: string): void {
    const order = this.cancelAnswered(clientOrderId)
    if (order !== undefined) this.forgetIfOver(order)
  }

  /** Reports of orders that were not sent by this load are not looked at. Returns whether this one was. */
  report(report: Report): boolean {
    const clientOrderId = report.x === 'CANCELED' && report.C !== '' ? report.C : report.c
    const order = this.orders.get(clientOrderId)
    if (order === undefined) {
      const isOver = this.over.has(clientOrderId)
      // What was refused may be reported as that, before its answer or after.
      if (isOver && report.x === 'REJECTED') this.counts.rejected++
      else if (isOver) this.reports.failed(`${clientOrderId} (${report.x}): it had ended`)
      return isOver
    }
    this.count(report)
    this.reports.compared(this.follow(order, report))
    this.compare(order, false)
    return true
  }

  /** A report that has not arrived by now never will. */
  end(): void {
    for (const order of this.orders.values()) if (!isSettled(order)) this.compare(order, true)
  }

  results() {
    return [this.answers.result(), this.reports.result()]
  }

  /** Applies the report to the order; returns what is wrong with it. */
  private follow(order: Order, report: Report): string | undefined {
    const { clientOrderId, status } = order
    const where = `${clientOrderId} (${report.x})`
    const last = atoms(report.l)
    const filled = report.x === 'TRADE' ? order.filled + last : order.filled
    const wasFirst = order.orderId === 0
    order.status = report.X
    order.filled = atoms(report.z)
    order.filledQuote = atoms(report.Z)
    if (wasFirst) order.orderId = report.i
    if (report.x === 'TRADE' && !report.m) order.taken.push(report)
    if (wasFirst !== (report.x === 'NEW' || report.x === 'REJECTED')) return `${where}: out of turn`
    if (order.orderId !== report.i) return `${where}: its id became ${report.i}`
    if (ENDED.has(status)) return `${where}: it had ended as ${status}`
    if (order.filled !== filled) return `${where}: ${report.z} filled, which is not the sum`
    const isFull = order.filled === atoms(report.q)
    if (isFull !== (report.X === 'FILLED')) return `${where}: ${report.X} with ${report.z} filled`
    return undefined
  }

  /** Compares as soon as both sides have sent enough; at the end whatever they sent. */
  private compare(order: Order, isLast: boolean): void {
    const { placement, cancel } = order
    if (placement !== undefined && !order.isPlacementChecked) {
      const isTold = order.orderId !== 0 && order.taken.length >= (placement.fills ?? []).length
      const isOver = !ENDED.has(placement.status) || ENDED.has(order.status)
      if ((isTold && isOver) || isLast) {
        order.isPlacementChecked = true
        this.answers.compared(placementDifference(order, placement))
      }
    }
    if (cancel !== undefined && (ENDED.has(order.status) || isLast)) {
      this.answers.compared(cancelDifference(order, cancel))
      order.cancel = undefined
    }
    if (isLast && placement === undefined && !order.isRefused && !order.isUnknown) {
      this.answers.failed(`${order.clientOrderId} was never answered`)
    }
    if (isLast && order.isGone && !ENDED.has(order.status)) {
      this.answers.failed(`${order.clientOrderId} was unknown to a cancel, but never ended`)
    }
    this.forgetIfOver(order)
  }

  private cancelAnswered(clientOrderId: string): Order | undefined {
    const order = this.orders.get(clientOrderId)
    if (order !== undefined) order.canceling--
    return order
  }

  private forgetIfOver(order: Order): void {
    const { clientOrderId, status, isRefused, canceling } = order
    if (!isSettled(order) || canceling > 0 || !(ENDED.has(status) || isRefused)) return
    this.orders.delete(clientOrderId)
    this.over.add(clientOrderId)
    if (this.over.size <= OVER_KEPT) return
    const [oldest] = this.over
    this.over.delete(oldest!)
  }

  private count({ x, m }: Report): void {
    if (x === 'NEW') this.counts.accepted++
    else if (x === 'REJECTED') this.counts.rejected++
    else if (x === 'CANCELED') this.counts.canceled++
    else if (x === 'TRADE') this.counts[m ? 'tradesMade' : 'tradesTaken']++
    else if (x === 'EXPIRED' || x === 'TRADE_PREVENTION') this.counts.expired++
  }
}

/** Both sides have sent what there is to compare so far. */
function isSettled(order: Order): boolean {
  if (order.isRefused) return true
  const isGoneUntold = order.isGone && !ENDED.has(order.status)
  return (
    (order.isPlacementChecked || order.isUnknown) && order.cancel === undefined && !isGoneUntold
  )
}

function placementDifference(order: Order, placement: Placement): string | undefined {
  const { clientOrderId, taken } = order
  const { orderId, executedQty, cummulativeQuoteQty, fills = [] } = placement
  if (order.orderId === 0) return `${clientOrderId} was accepted, but never reported`
  if (order.orderId !== orderId) {
    return `${clientOrderId} is order ${orderId} by its answer, ${order.orderId} by the stream`
  }
  if (ENDED.has(placement.status) && order.status !== placement.status) {
    return `${clientOrderId} is ${placement.status} by its answer, ${order.status} by the stream`
  }
  const told = taken.map(({ L, l, n, N, t }) => `${t}: ${l} at ${L}, ${n} ${N ?? ''}`)
  const answered = fills.map(
    ({ tradeId, qty, price, commission, commissionAsset }) =>
      `${tradeId}: ${qty} at ${price}, ${commission} ${commissionAsset}`,
  )
  const differs = answered.findIndex((fill, index) => fill !== told[index])
  if (differs >= 0) {
    return (
      `${clientOrderId} filled ${answered[differs]} by its answer, ` +
      `${told[differs] ?? 'nothing'} by the stream`
    )
  }
  const last = taken.at(-1)
  const [filled, quote] = last === undefined ? ['0', '0'] : [last.z, last.Z]
  if (atoms(filled) !== atoms(executedQty) || atoms(quote) !== atoms(cummulativeQuoteQty)) {
    return (
      `${clientOrderId} filled ${executedQty} for ${cummulativeQuoteQty} by its answer, ` +
      `${filled} for ${quote} by the stream`
    )
  }
  return undefined
}

function cancelDifference(order: Order, cancel: Cancel): string | undefined {
  const { clientOrderId, status, filled, orderId } = order
  const isSame = orderId === cancel.orderId && status === cancel.status
  if (isSame && filled === atoms(cancel.executedQty)) return undefined
  return (
    `${clientOrderId} is ${cancel.status} with ${cancel.executedQty} filled by its answer, ` +
    `${status} by the stream`
  )
}

const DECIMALS = 8

/** Decimal text as an integer of 1e-8. */
function atoms(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
}
