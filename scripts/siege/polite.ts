/**
 * The polite clients: a market maker who quotes, cancels and is traded with at a steady pace within
 * its limits, and a reader who queries market data and comes back on new connections.
 */
import { Prng } from '../../src/base/prng.ts'
import type { Acknowledged, OrderTold } from '../exchange/acknowledged.ts'
import { Repeated } from '../exchange/repeated.ts'
import type { AccountKey } from '../load/keys.ts'
import { Measure, type OutcomeKind } from '../load/measure.ts'
import { type Answer, isLimit, type Request, Target } from '../load/target.ts'
import { SlowMoments } from './slow-moments.ts'

export const POLITE_SYMBOL = 'BTCUSDT'
const CONNECTIONS = 16
export const TIMEOUT_MS = 10_000
/** Eight orders and cancels a second; an account may enter ten orders. */
const MAKER_MS = 125
const READER_MS = 100
/** A request of a client that comes for the first time, every so many of the reader's. */
const ARRIVAL_EVERY = 10
const TAKE_EVERY = 10
const QUERY_EVERY = 5
/** Requests before that warm up both sides, and are not measured; attacks begin then. */
export const WARM_UP_MS = 2_000
const OPEN_WANTED = 24
const MIDDLE = 30_000
const LEVELS = 200
const QUANTITY = '0.00100'
/** Codes of answers after which the order may exist. */
const UNKNOWN_CODES = new Set([-1006, -1007])

export interface PoliteKeys {
  readonly maker: AccountKey
  readonly taker: AccountKey
}

interface Parts {
  readonly url: string
  readonly keys: PoliteKeys
  readonly acknowledged: Readonly<Record<keyof PoliteKeys, Acknowledged>>
  readonly seconds: number
  readonly seed: number
}

export class Polite {
  readonly measure: Measure
  readonly slow = new SlowMoments()
  private readonly parts: Parts
  private readonly target: Target
  private readonly prng: Prng
  private readonly prefix: string
  private beganMs = 0
  private readonly open: number[] = []
  private readonly repeated = new Repeated((error) => {
    throw error
  })
  private makerTurn = 0
  private readerTurn = 0

  constructor(parts: Parts) {
    this.parts = parts
    this.target = new Target(parts.url, CONNECTIONS, TIMEOUT_MS)
    this.prng = new Prng(parts.seed)
    this.prefix = `p${Date.now().toString(36)}-`
    this.measure = new Measure(parts.seconds * 1000)
  }

  begin(): void {
    this.beganMs = performance.now()
    this.repeated.rate(1000 / MAKER_MS, (dueMs) => this.make(dueMs - this.beganMs))
    this.repeated.rate(1000 / READER_MS, (dueMs) => this.read(dueMs - this.beganMs))
  }

  /** Stops asking; resolves when the last answer has come or is given up. */
  async end(): Promise<void> {
    await this.repeated.end()
    await this.target.close()
  }

  private nowMs(): number {
    return performance.now() - this.beganMs
  }

  private make(dueMs: number): Promise<void> {
    const turn = ++this.makerTurn
    if (turn % TAKE_EVERY === 0) return this.place(dueMs, 'taker')
    const oldest = this.open[0]
    if (turn % QUERY_EVERY === 0 && oldest !== undefined) return this.query(dueMs, oldest)
    if (this.open.length > OPEN_WANTED) return this.cancel(dueMs, this.open.shift()!)
    return this.place(dueMs, 'maker')
  }

  private async place(dueMs: number, who: keyof PoliteKeys): Promise<void> {
    const side = this.prng.chance(0.5) ? 'BUY' : 'SELL'
    const away = who === 'maker' ? (1 + this.prng.below(LEVELS)) / 2 : LEVELS
    const newClientOrderId = `${this.prefix}${who}-${this.makerTurn}`
    // The maker stays on its side of the middle, the taker crosses all that the maker quotes.
    const isBelow = (side === 'BUY') === (who === 'maker')
    const price = isBelow ? MIDDLE - away : MIDDLE + away
    const timeInForce = who === 'maker' ? 'GTC' : 'IOC'
    const terms = { type: 'LIMIT', timeInForce, price: price.toFixed(2) }
    const params = { symbol: POLITE_SYMBOL, side, quantity: QUANTITY, ...terms }
    const answer = await this.send(dueMs, who === 'taker' ? 'take' : 'place', {
      method: 'POST',
      path: '/api/v3/order',
      params: { ...params, newClientOrderId, newOrderRespType: 'FULL' },
      key: this.parts.keys[who],
    })
    const acknowledged = this.parts.acknowledged[who]
    if (answer.status === 200) {
      const order = answer.body as OrderTold
      acknowledged.placed(order)
      if (order.status === 'NEW') this.open.push(order.orderId)
    } else if (answer.code !== 0 && !UNKNOWN_CODES.has(answer.code)) {
      acknowledged.refused(newClientOrderId)
    }
  }

  private async cancel(dueMs: number, orderId: number): Promise<void> {
    const { maker: key } = this.parts.keys
    const params = { symbol: POLITE_SYMBOL, orderId }
    const request = { method: 'DELETE', path: '/api/v3/order', params, key } as const
    const { status } = await this.send(dueMs, 'cancel', request)
    if (status === 200) this.parts.acknowledged.maker.canceled(orderId)
  }

  private async query(dueMs: number, orderId: number): Promise<void> {
    const { maker: key } = this.parts.keys
    const params = { symbol: POLITE_SYMBOL, orderId }
    await this.send(dueMs, 'query', { method: 'GET', path: '/api/v3/order', params, key })
  }

  private async read(dueMs: number): Promise<void> {
    const turn = ++this.readerTurn
    if (turn % ARRIVAL_EVERY === 0) {
      const target = new Target(this.parts.url, 1, TIMEOUT_MS)
      await this.send(dueMs, 'arrive', { method: 'GET', path: '/api/v3/ping' }, target)
      await target.close()
      return
    }
    const request: Request =
      turn % 2 === 0
        ? { method: 'GET', path: '/api/v3/depth', params: { symbol: POLITE_SYMBOL, limit: 100 } }
        : { method: 'GET', path: '/api/v3/ticker/bookTicker', params: { symbol: POLITE_SYMBOL } }
    await this.send(dueMs, 'read', request)
  }

  private async send(
    dueMs: number,
    action: string,
    request: Request,
    target: Target = this.target,
  ): Promise<Answer> {
    const isMeasured = dueMs >= WARM_UP_MS
    if (isMeasured) this.measure.sent(dueMs, this.nowMs())
    const answer = await target.send(request)
    if (!isMeasured) return answer
    const outcome = answer.failure || [answer.status, answer.code || ''].join(' ').trim()
    const nowMs = this.nowMs()
    this.measure.done(action, outcome, kindOf(answer), dueMs, nowMs)
    // Attacks begin after the warm-up.
    this.slow.add(action, dueMs - WARM_UP_MS, nowMs - dueMs)
    return answer
  }
}

function kindOf({ status }: Answer): OutcomeKind {
  if (status === 200) return 'answered'
  if (status === 0 || status >= 500) return 'failed'
  return isLimit(status) ? 'limited' : 'refused'
}
