/**
 * One account's orders: makes the requests that place, replace and cancel them, notifies the check of
 * each, and knows which are open by the answers and by the user data stream.
 */

import {
  type Cancel,
  type EndReport,
  isEnded,
  type OrderNotes,
  type Placement,
} from './checks/order-check.ts'
import type { AccountKey } from './keys.ts'
import type { Answer, Request } from './target.ts'

export interface Work {
  /** What is measured together. */
  readonly action: string
  readonly request: Request
  /** Called once, with whatever came of it. */
  readonly settle: (answer: Answer) => void
}

/** Parameters of an order, without those that it adds. */
export interface Terms {
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly [param: string]: string | number
}

/** `unknown` may be open: its answer was lost. */
export type OrderState = 'sent' | 'open' | 'canceling' | 'unknown' | 'ended'
export interface PlacedOrder {
  readonly clientOrderId: string
  readonly symbol: string
  state: OrderState
}

const ORDER_PATH = '/api/v3/order'
const REPLACE_PATH = '/api/v3/order/cancelReplace'
/** The answer may be an error, and yet the request may have taken effect. */
const UNKNOWN_CODES = new Set([-1006, -1007])
const NO_SUCH_ORDER = -2011

interface ReplaceBody {
  readonly cancelResult?: string
  readonly newOrderResult?: string
  readonly cancelResponse?: Cancel & { readonly code?: number }
  readonly newOrderResponse?: Placement
  /** Where the same stands when it is an error. */
  readonly data?: Omit<ReplaceBody, 'data'>
}

export class AccountOrders {
  readonly key: AccountKey
  private readonly check: OrderNotes
  private readonly nextId: () => string
  private readonly orders = new Map<string, PlacedOrder>()

  constructor(key: AccountKey, check: OrderNotes, nextId: () => string) {
    this.key = key
    this.check = check
    this.nextId = nextId
  }

  /** Orders that are open, or may be. */
  leftOpen(): readonly PlacedOrder[] {
    return [...this.orders.values()]
  }

  report({ c, C, x, X }: EndReport): void {
    const order = this.orders.get(x === 'CANCELED' && C !== '' ? C : c)
    if (order !== undefined && isEnded({ X })) this.end(order)
  }

  /** `action` names what is measured. */
  place(action: string, terms: Terms): { order: PlacedOrder; work: Work } {
    const order = this.open(terms.symbol)
    const params = { ...terms, newClientOrderId: order.clientOrderId, newOrderRespType: 'FULL' }
    const request = { method: 'POST', path: ORDER_PATH, params, key: this.key } as const
    const settle = (answer: Answer) => this.placed(order, answer)
    return { order, work: { action, request, settle } }
  }

  cancel(order: PlacedOrder): Work {
    const { symbol, clientOrderId } = order
    const params = { symbol, origClientOrderId: clientOrderId }
    order.state = 'canceling'
    this.check.canceling(clientOrderId)
    return {
      action: 'cancel',
      request: { method: 'DELETE', path: ORDER_PATH, params, key: this.key },
      settle: (answer) => this.canceled(order, answer.status === 200, answer.body, answer),
    }
  }

  /** Cancels the old one and places the new one; nothing is placed when it cannot be canceled. */
  replace(action: string, old: PlacedOrder, terms: Terms): { order: PlacedOrder; work: Work } {
    const order = this.open(terms.symbol)
    const params = {
      ...terms,
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrigClientOrderId: old.clientOrderId,
      newClientOrderId: order.clientOrderId,
      newOrderRespType: 'FULL',
    }
    old.state = 'canceling'
    this.check.canceling(old.clientOrderId)
    const request = { method: 'POST', path: REPLACE_PATH, params, key: this.key } as const
    const settle = (answer: Answer) => {
      const { data, ...body } = (answer.body ?? {}) as ReplaceBody
      const { cancelResult, cancelResponse, newOrderResult, newOrderResponse } = data ?? body
      this.canceled(old, cancelResult === 'SUCCESS', cancelResponse, answer)
      const isPlaced = newOrderResult === 'SUCCESS'
      this.placed(order, isPlaced ? { ...answer, status: 200, body: newOrderResponse } : answer)
    }
    return { order, work: { action, request, settle } }
  }

  private open(symbol: string): PlacedOrder {
    const order: PlacedOrder = { clientOrderId: this.nextId(), symbol, state: 'sent' }
    this.orders.set(order.clientOrderId, order)
    this.check.sent(order.clientOrderId)
    return order
  }

  private placed(order: PlacedOrder, answer: Answer): void {
    const { clientOrderId } = order
    if (answer.status === 200) {
      const placement = answer.body as Placement
      this.check.accepted(placement)
      if (isEnded({ X: placement.status })) this.end(order)
      else if (order.state === 'sent') order.state = 'open'
    } else if (isUnknown(answer)) {
      this.check.lost(clientOrderId)
      if (order.state === 'sent') order.state = 'unknown'
    } else {
      this.check.refused(clientOrderId)
      this.end(order)
    }
  }

  /** `body` is the answer's part of the cancel alone. */
  private canceled(order: PlacedOrder, isCanceled: boolean, body: unknown, answer: Answer): void {
    const { clientOrderId } = order
    if (isCanceled) {
      this.check.canceled(clientOrderId, body as Cancel)
      this.end(order)
      return
    }
    const { code } = (body ?? {}) as { code?: number }
    if (code === NO_SUCH_ORDER) {
      this.check.gone(clientOrderId)
      this.end(order)
      return
    }
    this.check.notCanceled(clientOrderId)
    if (order.state === 'canceling') order.state = isUnknown(answer) ? 'unknown' : 'open'
  }

  private end(order: PlacedOrder): void {
    order.state = 'ended'
    this.orders.delete(order.clientOrderId)
  }
}

const isUnknown = ({ status, code }: Answer): boolean =>
  status === 0 || status >= 500 || UNKNOWN_CODES.has(code)
