/**
 * One client of one account, which sends one request after another until the connection breaks:
 * orders of several types, lists, cancels, amendments and replacements, all under its own ids.
 */
import { Prng } from '../../src/base/prng.ts'
import { Ticks } from '../../src/base/units.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import {
  type ClientLog,
  type ClientRequest,
  type Json,
  type Params,
  type RequestKind,
  sendLogged,
} from './client-log.ts'
import type { KnownOrder } from './known-orders.ts'

export interface Market {
  readonly symbol: string
  readonly base: string
  readonly quote: string
  /** Around which is traded, in ticks of the price. */
  readonly middle: number
  readonly priceDecimals: number
  /** Quantities are whole multiples of it: every amount fits the 8 decimals of the wire. */
  readonly step: number
  readonly stepDecimals: number
}

/** Both matchers have a book that shares assets with the other's. */
export const markets: readonly Market[] = [
  market('BTC', 'USDT', 5_000_000, 2, 0.001, 3),
  market('ETH', 'USDT', 250_000, 2, 0.01, 2),
  market('ETH', 'BTC', 5_000, 5, 1, 0),
]

function market(
  base: string,
  quote: string,
  middle: number,
  priceDecimals: number,
  step: number,
  stepDecimals: number,
): Market {
  return { symbol: base + quote, base, quote, middle, priceDecimals, step, stepDecimals }
}

/** Further from the middle than any order of a lane. */
const QUIET_TICKS = 1_000

/** Returns a bid that meets no other order, so many ticks below all lanes' orders. */
export function quietOrder(newClientOrderId: string, ticks: number, timeInForce = 'GTC'): Params {
  const { symbol, middle, priceDecimals, step } = markets[0]!
  const price = ((middle - QUIET_TICKS - ticks) / 10 ** priceDecimals).toFixed(priceDecimals)
  const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce, quantity: step, price }
  return { ...order, newClientOrderId, newOrderRespType: 'FULL' }
}

/** An own open order or list, which it may cancel or change. */
export interface Open {
  readonly symbol: string
  readonly orderId: number
  readonly clientOrderId: string
  readonly orderListId: number
  readonly origQty: string
}

export interface LaneOptions {
  readonly url: string
  /** The exchange's time; the machine's when left out. */
  readonly nowMs?: () => number
  readonly key: { readonly account: string; readonly apiKey: string; readonly secretKey: string }
  readonly prng: Prng
  readonly log: ClientLog
  /** Marks its client order ids. */
  readonly name: string
  readonly open: readonly Open[]
  /** Called after each answer was logged. */
  readonly answered: () => void
  /** Whether it continues; always, when left out. */
  readonly isWanted?: () => boolean
}

const LANES_PER_ACCOUNT = 3

/** Returns lanes of each account, which share its open orders. `name` begins theirs. */
export function lanesOf(
  keys: readonly LaneOptions['key'][],
  open: ReadonlyMap<string, readonly KnownOrder[]>,
  prng: Prng,
  name: string,
  common: Omit<LaneOptions, 'key' | 'prng' | 'name' | 'open'>,
): Lane[] {
  return keys.flatMap((key) =>
    Array.from({ length: LANES_PER_ACCOUNT }, (_, lane) => {
      const own = (open.get(key.account) ?? [])
        .filter(({ orderId }) => orderId % LANES_PER_ACCOUNT === lane)
        .map((order) => ({ ...order, origQty: String(Number(order.origQty) / 1e8) }))
      return new Lane({
        ...common,
        key,
        prng: new Prng(prng.uint32()),
        name: `${name}-${lane}`,
        open: own,
      })
    }),
  )
}

/** Beyond so many it cancels rather than places. */
const OPEN_MAX = 14
/** Codes of an exchange that stops, and of one that does not lead. */
const TAKES_NOTHING: readonly unknown[] = [-1016, -1001]
const SPREAD_TICKS = 12
const QUANTITY_STEPS = 9

export class Lane {
  private readonly options: LaneOptions
  private readonly client: SignedClient
  private readonly open: Open[]
  private pending = new AbortController()
  private ids = 0

  constructor(options: LaneOptions) {
    this.options = options
    this.client = new SignedClient(options.url, options.key, options.nowMs)
    this.open = [...options.open]
  }

  /** Returns when the connection breaks, or nothing is taken any more; throws what else goes wrong. */
  async run(): Promise<void> {
    const { isWanted = () => true } = this.options
    while (isWanted()) {
      const request = this.next()
      if (!(await this.ask(request))) return
    }
  }

  /** Gives up the request under way; `run` then returns. */
  giveUp(): void {
    this.pending.abort()
  }

  /** False when there was no answer. */
  private async ask(request: ClientRequest): Promise<boolean> {
    const { log, answered } = this.options
    this.pending = new AbortController()
    const { signal } = this.pending
    const answer = await sendLogged(log, this.client, request, signal)
    if (answer === undefined) return false
    if (answer.status === 200) this.learn(answer.body)
    answered()
    return !TAKES_NOTHING.includes(answer.body.code)
  }

  private next(): ClientRequest {
    const { prng } = this.options
    const isFull = this.open.length >= OPEN_MAX
    const chance = isFull ? 100 : prng.below(100)
    if (chance < 52) return this.placement()
    if (chance < 60) return this.pairOfOrders()
    if (chance < 64) return this.orderThenOrder()
    const [target] = this.open.splice(prng.below(this.open.length), 1)
    if (target === undefined) return this.placement()
    return this.change(target, isFull || chance < 84)
  }

  private change(target: Open, isCancel: boolean): ClientRequest {
    const { prng } = this.options
    const { symbol, orderId, orderListId, clientOrderId } = target
    if (orderListId >= 0) {
      return this.request('cancelList', 'DELETE', 'orderList', { symbol, orderListId })
    }
    const market = markets.find((it) => it.symbol === symbol)!
    if (!isCancel && prng.chance(0.5)) {
      const newQty = (Number(target.origQty) - market.step).toFixed(market.stepDecimals)
      const params = { symbol, orderId, newQty, newClientOrderId: clientOrderId }
      if (Number(newQty) > 0)
        return this.request('amend', 'PUT', 'order/amend/keepPriority', params)
    }
    if (isCancel) {
      const params = { symbol, orderId, newClientOrderId: this.id() }
      return this.request('cancel', 'DELETE', 'order', params)
    }
    const replaced = { cancelOrderId: orderId, cancelReplaceMode: 'STOP_ON_FAILURE' }
    const params = { ...replaced, ...this.limit(market) }
    return this.request('replace', 'POST', 'order/cancelReplace', params)
  }

  private placement(): ClientRequest {
    const { prng } = this.options
    const market = prng.pick(markets)
    const { symbol } = market
    const chance = prng.below(10)
    const shared = this.limit(market)
    if (chance < 6) return this.request('place', 'POST', 'order', shared)
    if (chance < 8) {
      const params = { ...shared, timeInForce: prng.pick(['IOC', 'FOK']) }
      return this.request('place', 'POST', 'order', params)
    }
    const order = { symbol, side: prng.pick(['BUY', 'SELL']), quantity: this.quantity(market) }
    const named = { ...order, newClientOrderId: this.id(), newOrderRespType: 'FULL' }
    if (chance === 8) return this.request('place', 'POST', 'order', { ...named, type: 'MARKET' })
    const stop = { ...named, type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC' }
    const away = (order.side === 'BUY' ? 1 : -1) * prng.between(5, SPREAD_TICKS)
    const stopPrice = this.price(market, Ticks(away))
    return this.request('place', 'POST', 'order', { ...stop, stopPrice, price: stopPrice })
  }

  private limit(market: Market): Params {
    const { prng } = this.options
    return {
      symbol: market.symbol,
      side: prng.pick(['BUY', 'SELL']),
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: this.quantity(market),
      price: this.price(market, Ticks(prng.between(-SPREAD_TICKS, SPREAD_TICKS))),
      newClientOrderId: this.id(),
      newOrderRespType: 'FULL',
    }
  }

  private pairOfOrders(): ClientRequest {
    const { prng } = this.options
    const market = prng.pick(markets)
    const below = this.price(market, Ticks(-prng.between(2, 4 * SPREAD_TICKS)))
    const above = this.price(market, Ticks(prng.between(2, 4 * SPREAD_TICKS)))
    const isSell = prng.chance(0.5)
    const [rests, stops] = isSell ? ['above', 'below'] : ['below', 'above']
    const [restsAt, stopsAt] = isSell ? [above, below] : [below, above]
    return this.list('oco', {
      symbol: market.symbol,
      side: isSell ? 'SELL' : 'BUY',
      quantity: this.quantity(market),
      [`${rests}Type`]: 'LIMIT_MAKER',
      [`${rests}Price`]: restsAt,
      [`${rests}ClientOrderId`]: this.id(),
      [`${stops}Type`]: 'STOP_LOSS_LIMIT',
      [`${stops}StopPrice`]: stopsAt,
      [`${stops}Price`]: stopsAt,
      [`${stops}TimeInForce`]: 'GTC',
      [`${stops}ClientOrderId`]: this.id(),
    })
  }

  private orderThenOrder(): ClientRequest {
    const { prng } = this.options
    const market = prng.pick(markets)
    const side = prng.pick(['BUY', 'SELL'])
    return this.list('oto', {
      symbol: market.symbol,
      workingType: 'LIMIT',
      workingTimeInForce: 'GTC',
      workingSide: side,
      workingQuantity: this.quantity(market),
      workingPrice: this.price(market, Ticks(prng.between(-SPREAD_TICKS, SPREAD_TICKS))),
      workingClientOrderId: this.id(),
      pendingType: 'LIMIT',
      pendingTimeInForce: 'GTC',
      pendingSide: side === 'BUY' ? 'SELL' : 'BUY',
      pendingQuantity: this.quantity(market),
      pendingPrice: this.price(market, Ticks(prng.between(-SPREAD_TICKS, SPREAD_TICKS))),
      pendingClientOrderId: this.id(),
    })
  }

  private list(kind: string, params: Params): ClientRequest {
    const named = { ...params, listClientOrderId: this.id(), newOrderRespType: 'RESULT' }
    return this.request('list', 'POST', `orderList/${kind}`, named)
  }

  private request(kind: RequestKind, method: string, path: string, params: Params): ClientRequest {
    const { account } = this.options.key
    return { kind, account, method, path: `/api/v3/${path}`, params }
  }

  private quantity({ step, stepDecimals }: Market): string {
    return (step * this.options.prng.between(1, QUANTITY_STEPS)).toFixed(stepDecimals)
  }

  private price({ middle, priceDecimals }: Market, ticks: Ticks): string {
    return ((middle + ticks) / 10 ** priceDecimals).toFixed(priceDecimals)
  }

  private id(): string {
    return `${this.options.name}-${++this.ids}`
  }

  /** Remembers what is open by an answer. */
  private learn(body: Json): void {
    const reports = (body.orderReports ?? [
      body.newOrderResponse ?? body.amendedOrder ?? body,
    ]) as Json[]
    const [report] = reports
    const status = report?.status
    if (status !== 'NEW' && status !== 'PARTIALLY_FILLED') return
    const { symbol, orderId, clientOrderId, orderListId, origQty, qty } = report as Json
    this.open.push({
      symbol: String(symbol),
      orderId: Number(orderId),
      clientOrderId: String(clientOrderId),
      orderListId: Number(orderListId),
      origQty: String(origQty ?? qty),
    })
  }
}
