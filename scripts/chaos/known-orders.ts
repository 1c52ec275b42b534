/**
 * What clients know of their orders: applied from what they received, and from nothing else. Beside
 * each order stands what an unanswered request may have done to it.
 */
import { units } from '../exchange/amounts.ts'
import type { ClientRequest, Exchanged, Json } from './client-log.ts'

export interface OrderState {
  readonly status: string
  readonly origQty: bigint
  readonly executedQty: bigint
  readonly quoteQty: bigint
}

export interface KnownOrder extends OrderState {
  readonly account: string
  readonly symbol: string
  readonly orderId: number
  readonly clientOrderId: string
  readonly orderListId: number
  readonly side: string
  readonly price: bigint
  readonly stopPrice: bigint
}

export interface KnownFill {
  readonly account: string
  readonly symbol: string
  readonly tradeId: number
  readonly price: bigint
  readonly qty: bigint
  readonly commission: bigint
}

const UNKNOWN = -1007
const OPEN = ['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW']
export const isOpen = ({ status }: Pick<OrderState, 'status'>): boolean => OPEN.includes(status)

export const orderKey = (symbol: string, orderId: number): string => `${symbol} ${orderId}`

/** An order as any answer shows it. */
export function orderFrom(account: string, order: Json): KnownOrder {
  return {
    account,
    symbol: String(order.symbol),
    orderId: Number(order.orderId),
    clientOrderId: String(order.origClientOrderId ?? order.clientOrderId),
    orderListId: Number(order.orderListId),
    side: String(order.side),
    status: String(order.status),
    price: units(String(order.price)),
    stopPrice: units(String(order.stopPrice ?? '0')),
    origQty: units(String(order.origQty ?? order.qty)),
    executedQty: units(String(order.executedQty)),
    // An answer to an amendment does not have it.
    quoteQty: units(String(order.cummulativeQuoteQty ?? '0')),
  }
}

export interface AnswerCounts {
  orders: number
  cancels: number
  fills: number
  amendments: number
  lists: number
  refusals: number
}

export class KnownOrders {
  /** By orderKey: what was reported last. */
  readonly orders = new Map<string, KnownOrder>()
  readonly fills: KnownFill[] = []
  /** By list id: the keys of its legs. */
  readonly lists = new Map<number, { account: string; legs: readonly string[] }>()
  readonly refused: ClientRequest[] = []
  readonly unanswered: ClientRequest[] = []
  readonly counts: AnswerCounts = {
    orders: 0,
    cancels: 0,
    fills: 0,
    amendments: 0,
    lists: 0,
    refusals: 0,
  }

  apply({ request, answer }: Exchanged): void {
    // An unknown outcome is no answer.
    if (answer === undefined || answer.body.code === UNKNOWN) this.unanswered.push(request)
    else if (answer.status === 200) this.accepted(request, answer.body)
    else this.noteRefusal(request, answer.body)
  }

  /** What an account received about an order. */
  told(account: string, told: Json): void {
    const order = orderFrom(account, told)
    const key = orderKey(order.symbol, order.orderId)
    const before = this.orders.get(key)
    const { quoteQty } = 'cummulativeQuoteQty' in told ? order : (before ?? order)
    this.orders.set(key, { ...order, quoteQty })
  }

  private accepted(request: ClientRequest, body: Json): void {
    const { account, kind } = request
    const { counts } = this
    if (kind === 'place') this.placed(account, body)
    else if (kind === 'replace') {
      this.cancelled(account, body.cancelResponse as Json)
      this.placed(account, body.newOrderResponse as Json)
    } else if (kind === 'amend') {
      counts.amendments++
      this.told(account, body.amendedOrder as Json)
    } else if (kind === 'cancel') this.cancelled(account, body)
    else this.listed(account, body, kind === 'list')
  }

  private placed(account: string, order: Json): void {
    this.counts.orders++
    this.told(account, order)
    for (const fill of (order.fills ?? []) as Record<string, string>[]) {
      this.counts.fills++
      this.fills.push({
        account,
        symbol: String(order.symbol),
        tradeId: Number(fill.tradeId),
        price: units(fill.price!),
        qty: units(fill.qty!),
        commission: units(fill.commission!),
      })
    }
  }

  private cancelled(account: string, order: Json): void {
    this.counts.cancels++
    this.told(account, order)
  }

  private listed(account: string, body: Json, isNew: boolean): void {
    if (isNew) this.counts.lists++
    else this.counts.cancels++
    const reports = body.orderReports as Json[]
    for (const report of reports) this.told(account, report)
    // A cancel reports on those legs alone that were open.
    if (!isNew) return
    const legs = reports.map(({ symbol, orderId }) => orderKey(String(symbol), Number(orderId)))
    this.lists.set(Number(body.orderListId), { account, legs })
  }

  private noteRefusal(request: ClientRequest, body: Json): void {
    this.counts.refusals++
    this.refused.push(request)
    // A replacement may have cancelled all the same.
    const data = body.data as Json | undefined
    if (data?.cancelResult === 'SUCCESS') {
      this.cancelled(request.account, data.cancelResponse as Json)
    }
  }
}
