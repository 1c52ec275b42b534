/**
 * The signed-in account: balances, open orders, and receipts. Loaded by REST and kept current by the
 * user data stream; after a lost connection everything is loaded again.
 */
import { signal } from '@preact/signals'
import { parseUnits } from '../book/decimals.ts'
import type { OwnLevel } from '../ladder/ladder-rows.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { type Params, socketAddress } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import { measureClock } from '../net/server-clock.ts'
import { Socket } from '../net/socket.ts'
import { requestFrame } from '../view/frames.ts'
import {
  type AccountAnswer,
  type BalanceRow,
  isOpen,
  type OrderEvent,
  type OrderRow,
  orderOfEvent,
} from './account-rows.ts'
import { type Receipt, readReceipt, withReceipt } from './receipts.ts'
import type { Session } from './session.ts'

/** `neutral` is neither a success nor a refusal. */
export type Tone = 'good' | 'bad' | 'neutral'

/** A sentence for the user about the last act. */
export interface Notice {
  readonly text: string
  /** What an order did, in figures; '' when there is nothing to tell. */
  readonly outcome: string
  readonly tone: Tone
  /** Counts up, so that the same sentence is said again. */
  readonly number: number
}

interface PositionEvent {
  readonly B: readonly { readonly a: string; readonly f: string; readonly l: string }[]
}

interface StreamFrame {
  readonly id?: number
  readonly status?: number
  readonly error?: { readonly code: number; readonly msg: string }
  readonly event?: { readonly e: string }
}

const RETRY_MS = 1_000

export class Account {
  readonly session = signal<Session | undefined>(undefined)
  readonly balances = signal<ReadonlyMap<string, BalanceRow>>(new Map())
  readonly orders = signal<ReadonlyMap<number, OrderRow>>(new Map())
  readonly rates = signal<AccountAnswer['commissionRates'] | undefined>(undefined)
  readonly receipts = signal<readonly Receipt[]>([])
  readonly notice = signal<Notice>({ text: '', outcome: '', tone: 'good', number: 0 })
  /** Order requests that have no answer yet. */
  readonly inFlight = signal(0)
  /** The newest fill or expiry, in words. */
  readonly news = signal('')
  /** Counts up with each event, for lists that are read by REST. */
  readonly changes = signal(0)
  #socket: Socket | undefined
  #requestId = 0
  #subscriptionId = 0
  #ownVersion = 0

  /** Signs in. Throws ApiError when the exchange refuses the key. */
  async signIn(session: Session): Promise<void> {
    await measureClock()
    this.#takeAccount(await session.read<AccountAnswer>('/api/v3/account'))
    this.session.value = session
    this.#socket = new Socket({
      address: () => socketAddress('/ws-api/v3'),
      opened: () => void this.#subscribe(session),
      message: (text) => this.#take(JSON.parse(text) as StreamFrame),
      changed: () => {},
      probe: () => JSON.stringify({ id: ++this.#requestId, method: 'ping' }),
    })
  }

  signOut(): void {
    this.#socket?.close()
    this.#socket = undefined
    this.session.value = undefined
    this.balances.value = new Map()
    this.receipts.value = []
    this.rates.value = undefined
    this.#setOrders(new Map())
    this.say('', 'neutral')
    this.news.value = ''
  }

  say(text: string, tone: Tone, outcome = ''): void {
    this.notice.value = { text, outcome, tone, number: this.notice.value.number + 1 }
  }

  /** Sends a signed order request and keeps its receipt. Throws ApiError. */
  async request<Body extends Partial<OrderRow>>(
    session: Session,
    what: string,
    method: string,
    path: string,
    params: Params,
  ): Promise<Body> {
    this.inFlight.value++
    try {
      const { body, headers } = await session.call<Body>(method, path, params)
      this.#keepReceipt(headers, what, body.orderId)
      return body
    } finally {
      this.inFlight.value--
    }
  }

  /** Changes or ends an order. Says what the exchange said; returns whether it did as asked. */
  async act(what: string, method: string, path: string, params: Params): Promise<boolean> {
    const { value: session } = this.session
    if (session === undefined) return false
    try {
      const body = await this.request(session, what, method, path, params)
      if (session === this.session.value) this.say(`${what}: ${body.status ?? 'done'}`, 'good')
      return true
    } catch (error) {
      if (session !== this.session.value) return false
      const isUnknown = error instanceof ApiError && error.isUnknown
      const unknown = `${what}: outcome unknown. The open orders are read again.`
      this.say(isUnknown ? unknown : refusalText(error as Error), 'bad')
      if (isUnknown) void this.#load()
      return false
    }
  }

  /** Own open orders of a symbol, in the ladder's units. */
  ownLevels(symbol: MarketSymbol): { readonly version: number; readonly orders: OwnLevel[] } {
    const orders: OwnLevel[] = []
    for (const order of this.orders.value.values()) {
      if (order.symbol !== symbol.symbol || Number(order.price) === 0) continue
      if (order.status !== 'NEW' && order.status !== 'PARTIALLY_FILLED') continue
      const units = (text: string) => parseUnits(text, symbol.quantityScale)
      orders.push({
        price: parseUnits(order.price, symbol.priceScale),
        quantity: units(order.origQty) - units(order.executedQty),
        isBid: order.side === 'BUY',
      })
    }
    return { version: this.#ownVersion, orders }
  }

  #keepReceipt(headers: Headers, what: string, orderId: number | undefined): void {
    const receipt = readReceipt(headers.get('x-ringbook-stages'), what, orderId)
    if (receipt === undefined) return
    this.receipts.value = withReceipt(this.receipts.value, receipt)
  }

  async #subscribe(session: Session): Promise<void> {
    this.#subscriptionId = ++this.#requestId
    this.#socket?.send(await session.subscription(this.#subscriptionId))
  }

  #take({ id, status, error, event }: StreamFrame): void {
    if (event !== undefined) this.#takeEvent(event)
    else if (error !== undefined) this.say(`${error.msg} (${error.code})`, 'bad')
    // The subscription's response: everything before it is loaded, everything after it is sent.
    else if (status === 200 && id === this.#subscriptionId) void this.#load()
  }

  #takeEvent(event: { readonly e: string }): void {
    if (event.e === 'executionReport') this.#takeReport(event as OrderEvent & { e: string })
    else if (event.e === 'outboundAccountPosition') {
      const { B } = event as PositionEvent & { e: string }
      const rows = B.map(({ a, f, l }): [string, BalanceRow] => [
        a,
        { asset: a, free: f, locked: l },
      ])
      this.balances.value = new Map([...this.balances.value, ...rows])
    }
    this.changes.value++
  }

  #takeReport(event: OrderEvent): void {
    const order = orderOfEvent(event)
    if (order.orderId < 0) return
    const orders = new Map(this.orders.value)
    if (isOpen(order)) orders.set(order.orderId, order)
    else orders.delete(order.orderId)
    this.#setOrders(orders)
    if (event.x === 'TRADE') this.news.value = fillText(event)
    else if (event.x === 'EXPIRED') this.news.value = `Order ${order.orderId} expired`
  }

  #setOrders(orders: ReadonlyMap<number, OrderRow>): void {
    this.orders.value = orders
    this.#ownVersion++
    requestFrame()
  }

  async #load(): Promise<void> {
    const { value: session } = this.session
    if (session === undefined) return
    try {
      const orders = await session.read<readonly OrderRow[]>('/api/v3/openOrders')
      const account = await session.read<AccountAnswer>('/api/v3/account')
      if (session !== this.session.value) return
      this.#setOrders(new Map(orders.map((order) => [order.orderId, order])))
      this.#takeAccount(account)
      this.changes.value++
    } catch {
      setTimeout(() => void this.#load(), RETRY_MS)
    }
  }

  #takeAccount({ balances, commissionRates }: AccountAnswer): void {
    this.rates.value = commissionRates
    this.balances.value = new Map(balances.map((row) => [row.asset, row]))
  }
}

const fillText = ({ S, l, s, L, i }: OrderEvent): string =>
  `${S === 'BUY' ? 'Bought' : 'Sold'} ${Number(l)} of ${s} at ${Number(L)}, order ${i}`

/** What the exchange said, in its words, with its code. */
export function refusalText(error: Error): string {
  if (!(error instanceof ApiError) || error.code === 0) return error.message
  return `${error.message} (${error.code})`
}
