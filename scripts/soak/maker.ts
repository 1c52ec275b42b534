/**
 * An account that places, amends, replaces and cancels orders on one symbol, over REST or over the
 * WebSocket API, and remembers what it received.
 */
import type { Prng } from '../../src/base/prng.ts'
import { type Market, quantityFor } from '../../src/liquidity/market.ts'
import { Acknowledged, type OrderTold } from '../exchange/acknowledged.ts'
import type { WsClient } from '../exchange/ws-client.ts'
import type { AccountKey } from '../load/keys.ts'
import type { Answer, Target } from '../load/target.ts'
import type { Tally } from './tally.ts'

/** Orders that it leaves open. */
const OPEN_WANTED = 12
/** How far from the middle orders rest, 1/100 %. */
const AWAY_BPS = 60
const BPS = 10_000
/** Notional of an order, in times the symbol's least. */
const NOTIONAL = 4
/** Codes of answers after which the request may have taken effect. */
const UNKNOWN_CODES = new Set([-1006, -1007])

type Params = Readonly<Record<string, string | number>>
type Method = 'POST' | 'PUT' | 'DELETE'

/** Each over both ways. */
const operations = {
  place: { method: 'POST', path: '/api/v3/order', wsMethod: 'order.place' },
  cancel: { method: 'DELETE', path: '/api/v3/order', wsMethod: 'order.cancel' },
  amend: {
    method: 'PUT',
    path: '/api/v3/order/amend/keepPriority',
    wsMethod: 'order.amend.keepPriority',
  },
  replace: {
    method: 'POST',
    path: '/api/v3/order/cancelReplace',
    wsMethod: 'order.cancelReplace',
  },
} as const satisfies Record<string, { method: Method; path: string; wsMethod: string }>
type Operation = keyof typeof operations

interface OpenOrder {
  readonly orderId: number
  readonly quantity: number
  isAmended: boolean
}

export interface MakerParts {
  readonly key: AccountKey
  readonly market: Market
  /** The middle of the symbol's book. */
  readonly middle: () => number
  readonly target: Target
  /** Undefined: over REST. */
  readonly ws: WsClient | undefined
  readonly tally: Tally
  readonly prng: Prng
}

export class SoakMaker {
  readonly acknowledged = new Acknowledged()
  private readonly parts: MakerParts
  private readonly prefix: string
  private open: OpenOrder[] = []
  private count = 0

  constructor(parts: MakerParts) {
    this.parts = parts
    this.prefix = `s${Date.now().toString(36)}-`
  }

  get key(): AccountKey {
    return this.parts.key
  }

  get symbol(): string {
    return this.parts.market.symbol
  }

  /** Sends one request, which was due at this moment. */
  async act(dueMs: number): Promise<void> {
    const { prng } = this.parts
    const chance = prng.unit()
    const oldest = this.open[0]
    if (oldest === undefined || this.open.length < OPEN_WANTED / 2) return this.place(dueMs, 'GTC')
    if (chance < 0.1) return this.place(dueMs, 'IOC')
    if (chance < 0.25) return this.amend(dueMs)
    if (chance < 0.35) return this.replace(dueMs, oldest)
    if (this.open.length < OPEN_WANTED && chance < 0.7) return this.place(dueMs, 'GTC')
    return this.cancel(dueMs, oldest)
  }

  private terms(timeInForce: 'GTC' | 'IOC') {
    const { market, middle, prng } = this.parts
    const side = prng.chance(0.5) ? 'BUY' : 'SELL'
    const away = ((1 + prng.unit() * AWAY_BPS) / BPS) * middle()
    const isBelow = (side === 'BUY') === (timeInForce === 'GTC')
    const price = middle() + (isBelow ? -away : away)
    const quantity = quantityFor(market, market.minNotional * NOTIONAL, price)
    const newClientOrderId = `${this.prefix}${++this.count}`
    const text = market.prices.near(price)
    const common = {
      symbol: market.symbol,
      side,
      type: 'LIMIT',
      timeInForce,
      price: text,
      quantity,
    }
    return { ...common, newClientOrderId, newOrderRespType: 'FULL' }
  }

  private async place(dueMs: number, timeInForce: 'GTC' | 'IOC'): Promise<void> {
    const terms = this.terms(timeInForce)
    const answer = await this.send(dueMs, 'place', terms)
    if (answer.status === 200) this.placed(answer.body, Number(terms.quantity))
    else if (isRefusal(answer)) this.acknowledged.refused(terms.newClientOrderId)
  }

  private placed(body: unknown, quantity: number): void {
    const { orderId, clientOrderId, status, executedQty, fills = [] } = body as OrderTold
    const told = fills.map(({ tradeId, price, qty }) => ({ tradeId, price, qty }))
    this.acknowledged.placed({ orderId, clientOrderId, status, executedQty, fills: told })
    if (status === 'NEW' || status === 'PARTIALLY_FILLED') {
      this.open.push({ orderId, quantity, isAmended: false })
    }
  }

  private async amend(dueMs: number): Promise<void> {
    const order = this.open.find(({ isAmended }) => !isAmended)
    if (order === undefined) return this.place(dueMs, 'GTC')
    order.isAmended = true
    const { quantities } = this.parts.market
    const newQty = quantities.above(order.quantity * 0.75)
    const answer = await this.send(dueMs, 'amend', this.named(order, { newQty }))
    if (isRefusal(answer)) this.forget(order)
  }

  private async cancel(dueMs: number, order: OpenOrder): Promise<void> {
    this.forget(order)
    const answer = await this.send(dueMs, 'cancel', this.named(order))
    if (answer.status === 200) this.acknowledged.canceled(order.orderId)
  }

  private async replace(dueMs: number, order: OpenOrder): Promise<void> {
    this.forget(order)
    const terms = this.terms('GTC')
    const { orderId: cancelOrderId } = order
    const params = { ...terms, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId }
    const answer = await this.send(dueMs, 'replace', params)
    if (answer.status !== 200) return
    const { newOrderResponse } = answer.body as { newOrderResponse: unknown }
    this.acknowledged.canceled(order.orderId)
    this.placed(newOrderResponse, Number(terms.quantity))
  }

  private named({ orderId }: OpenOrder, more: Params = {}): Params {
    return { symbol: this.symbol, orderId, ...more }
  }

  private forget(order: OpenOrder): void {
    this.open = this.open.filter((each) => each !== order)
  }

  private async send(dueMs: number, name: Operation, params: Params): Promise<Answer> {
    const { target, ws, key, tally } = this.parts
    const { method, path, wsMethod } = operations[name]
    const sentMs = performance.now()
    const answer = await (ws === undefined
      ? target.send({ method, path, params, key })
      : ws.send(wsMethod, params))
    tally.answered(name, answer)
    tally.order(dueMs, sentMs, performance.now())
    return answer
  }
}

/** By the answer nothing happened. */
const isRefusal = ({ status, code }: Answer): boolean =>
  status !== 200 && code !== 0 && status < 500 && !UNKNOWN_CODES.has(code)
