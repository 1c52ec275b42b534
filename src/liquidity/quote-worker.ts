/**
 * Carries out the market makers' decisions in one symbol. It waits as the exchange demands: as long as a
 * limit states, and a while after any other refusal. It reports each trouble once: what an operator decided as
 * information, anything else as a warning.
 */
import type {
  ClientAnswer,
  ExchangeClient,
  LiquidityKey,
  RequestParams,
} from './exchange-client.ts'
import { type Market, marketOf, type SymbolInfo } from './market.ts'
import type { OwnOrder, QuoteAction, Side, Taking } from './quote-planner.ts'
import type { Stop } from './stop.ts'

const ORDER = '/api/v3/order'
const ABSENT_MS = 1_000
const CLOSED_MS = 5_000
const KEY_MS = 30_000
const TOO_MANY_ORDERS = -1015
/** The key is invalid, or lacks the right. */
const KEY_CODES = new Set([-1002, -1022, -2014, -2015])
const CLOSED = /^Market is closed|^This symbol is not permitted/
const CROSSED = /would immediately match/
/** The exchange is drained. */
const DRAINED = /^This service is no longer available/
/** The disk has only its reserve left. */
const NO_NEW_ORDERS = /^This server takes no new orders/
/** The account may not trade, or is frozen. */
const DISABLED = /^This action is disabled on this account|^This account may not place or cancel/

export interface QuoteWorkerParts {
  readonly client: ExchangeClient
  readonly symbol: string
  readonly maker: LiquidityKey
  readonly taker: LiquidityKey
  readonly stop: Stop
  readonly warn: (sentence: string) => void
  readonly say: (sentence: string) => void
}

export class QuoteWorker {
  private readonly parts: QuoteWorkerParts
  private trouble = ''
  /** Why the maker's last action was refused; '' when it was not. */
  private refusal = ''
  private _isPaused = false

  constructor(parts: QuoteWorkerParts) {
    this.parts = parts
  }

  /** Whether the maker's last order was refused because an operator froze the account. */
  get isDisabled(): boolean {
    return DISABLED.test(this.refusal)
  }

  /** Whether the exchange took no new orders when it was last sent one. */
  get isPaused(): boolean {
    return this._isPaused
  }

  /** Whether the maker's last quote was refused because an order of another account is in its way. */
  get isCrossed(): boolean {
    return CROSSED.test(this.refusal)
  }

  /** Waits for the symbol and returns the exchange's description; undefined when it must stop. */
  async market(): Promise<Market | undefined> {
    const { symbol, stop } = this.parts
    while (!stop.isWanted) {
      const { status, body } = await this.ask('GET', '/api/v3/exchangeInfo', { symbol })
      if (status === 200) return marketOf((body.symbols as readonly SymbolInfo[])[0]!)
      await stop.wait(ABSENT_MS)
    }
    return undefined
  }

  /** Returns the last traded price; undefined before the first trade. */
  async lastPrice(): Promise<number | undefined> {
    const { symbol } = this.parts
    const { body } = await this.ask('GET', '/api/v3/ticker/price', { symbol })
    const price = Number(body.price ?? 0)
    return price > 0 ? price : undefined
  }

  /** Returns the maker's open orders; undefined when the query failed. */
  async openOrders(): Promise<readonly OwnOrder[] | undefined> {
    const { symbol, maker } = this.parts
    const { status, body } = await this.ask('GET', '/api/v3/openOrders', { symbol }, maker)
    if (status !== 200) return undefined
    const rows = body as unknown as readonly {
      readonly orderId: number
      readonly side: Side
      readonly price: string
    }[]
    return rows.map(({ orderId, side, price }) => ({ orderId, side, price: Number(price) }))
  }

  /** Places a quote, which never takes. Returns the id of the resting order; 0 when there is none. */
  quote(action: QuoteAction): Promise<number> {
    return this.order(action, { type: 'LIMIT_MAKER' }, 'STOP_ON_FAILURE')
  }

  /** Places an order of the recording, which may take. Returns as `quote`. */
  record(action: QuoteAction): Promise<number> {
    return this.order(action, { type: 'LIMIT', timeInForce: 'GTC' }, 'ALLOW_FAILURE')
  }

  /** Takes, and returns the traded amount in the quote asset. */
  async take({ side, price, quantity }: Taking): Promise<number> {
    const { symbol, taker } = this.parts
    const terms = { symbol, side, type: 'LIMIT', timeInForce: 'IOC', price, quantity }
    const params = { ...terms, newOrderRespType: 'RESULT' }
    const { body } = await this.ask('POST', ORDER, params, taker)
    return Number(body.cummulativeQuoteQty ?? 0)
  }

  /** Cancels all quotes, also while it stops. */
  async cancelAll(): Promise<void> {
    const { client, symbol, maker } = this.parts
    await client.send('DELETE', '/api/v3/openOrders', { symbol }, maker)
  }

  private async order(action: QuoteAction, terms: RequestParams, mode: string): Promise<number> {
    const { symbol, maker } = this.parts
    if (action.action === 'cancel') {
      await this.ask('DELETE', ORDER, { symbol, orderId: action.orderId }, maker)
      return 0
    }
    const { side, price, quantity } = action
    const params = { symbol, side, price, quantity, ...terms, newOrderRespType: 'RESULT' }
    if (action.action === 'place')
      return standingId((await this.ask('POST', ORDER, params, maker)).body)
    const replacing = { ...params, cancelReplaceMode: mode, cancelOrderId: action.orderId }
    const { body } = await this.ask('POST', `${ORDER}/cancelReplace`, replacing, maker)
    const outcome = (body.data ?? body) as { readonly newOrderResponse?: ClientAnswer['body'] }
    return standingId(outcome.newOrderResponse ?? {})
  }

  private async ask(
    method: string,
    path: string,
    params: RequestParams,
    key?: LiquidityKey,
  ): Promise<ClientAnswer> {
    const { client, stop, warn, say, symbol } = this.parts
    const answer = await client.send(method, path, params, key)
    const reason = refusalOf(answer)
    if (key === this.parts.maker && method !== 'GET') this.refusal = reason
    if (method === 'POST') this._isPaused = NO_NEW_ORDERS.test(reason)
    const pauseMs = pauseAfter(answer, reason)
    if (pauseMs === 0) {
      if (answer.status === 200) this.trouble = ''
      return answer
    }
    const isDecided = [CLOSED, DISABLED, DRAINED].some((it) => it.test(reason))
    const why = whyPaused(answer, reason)
    // The exchange has warned of its disk already.
    if (why !== this.trouble && !stop.isWanted && !this._isPaused) {
      this.trouble = why
      const report = isDecided ? say : warn
      report(`Market maker paused on ${symbol}: ${why}.`)
    }
    await stop.wait(pauseMs)
    return answer
  }
}

/** Whether the order in the response is open. */
const standingId = ({ orderId, status }: ClientAnswer['body']): number =>
  status === 'NEW' || status === 'PARTIALLY_FILLED' ? Number(orderId) : 0

/** Returns why a request was refused, of a replacement by its parts; '' when it was not. */
function refusalOf({ msg, body }: ClientAnswer): string {
  const { cancelResponse, newOrderResponse } = (body.data ?? {}) as Record<string, { msg?: string }>
  return cancelResponse?.msg ?? newOrderResponse?.msg ?? msg
}

/** Returns why quotes are paused, as the end of a sentence. */
function whyPaused({ status }: ClientAnswer, reason: string): string {
  if (CLOSED.test(reason)) return 'halted'
  if (DRAINED.test(reason)) return 'the exchange is drained'
  if (DISABLED.test(reason)) return 'its account is frozen or may not trade'
  if (status === 0) return 'the exchange does not answer'
  return reason === '' ? `the exchange responded ${status}` : reason.replace(/\.$/, '')
}

/** Returns the ms to wait after a response; 0 to continue. */
function pauseAfter({ status, code, retryAfter }: ClientAnswer, reason: string): number {
  if (status === 429 || status === 418 || code === TOO_MANY_ORDERS) {
    return Math.max(ABSENT_MS, 1000 * retryAfter)
  }
  if (NO_NEW_ORDERS.test(reason)) return CLOSED_MS
  if (status === 0 || status >= 500) return ABSENT_MS
  if (KEY_CODES.has(code)) return KEY_MS
  return DISABLED.test(reason) || CLOSED.test(reason) ? CLOSED_MS : 0
}
