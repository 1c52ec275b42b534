// An account of the demo that trades BTCUSDT over REST, and says what it does.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { plain } from './narrator.mjs'

export const SYMBOL = 'BTCUSDT'

/** What the exchange refused, with its code. */
export class Refusal extends Error {
  constructor({ code, msg }, status) {
    super(`${code} ${msg}`)
    this.code = code
    this.status = status
  }
}

export class Trader {
  #url
  #key
  #narrator

  constructor(url, key, narrator) {
    this.#url = url
    this.#key = key
    this.#narrator = narrator
  }

  /** Sends a signed request. Returns the body and the headers of its response, or throws Refusal. */
  async ask(method, path, params = {}, headers = {}) {
    const query = new URLSearchParams({ ...params, timestamp: Date.now() })
    const signature = createHmac('sha256', this.#key.secretKey).update(`${query}`).digest('hex')
    const response = await fetch(`${this.#url}${path}?${query}&signature=${signature}`, {
      method,
      headers: { 'X-MBX-APIKEY': this.#key.apiKey, ...headers },
    })
    const body = await response.json()
    if (!response.ok) throw new Refusal(body, response.status)
    return { body, headers: response.headers }
  }

  /** Places an order and says what came of it. */
  async place(side, type, params) {
    const limit = type === 'LIMIT' ? { timeInForce: 'GTC' } : {}
    const order = { symbol: SYMBOL, side, type, ...limit, ...params, newOrderRespType: 'FULL' }
    const { body } = await this.ask('POST', '/api/v3/order', order)
    this.#say(`${wordsOf(order)} → ${outcomeOf(body)}`)
    return body
  }

  async cancel(orderId) {
    const { body } = await this.ask('DELETE', '/api/v3/order', { symbol: SYMBOL, orderId })
    this.#say(`cancels order ${orderId} → ${body.status}`)
    return body
  }

  async order(orderId) {
    const { body } = await this.ask('GET', '/api/v3/order', { symbol: SYMBOL, orderId })
    return body
  }

  /** Reads an order, when it has this status or after five seconds, and says how it stands. */
  async look(orderId, status) {
    let order = await this.order(orderId)
    for (let tries = 0; status !== undefined && order.status !== status && tries < 50; tries++) {
      await sleep(100)
      order = await this.order(orderId)
    }
    const filled = `${plain(order.executedQty)} of ${plain(order.origQty)} filled`
    this.#say(`order ${orderId} is ${order.status}, ${filled}`)
    return order
  }

  async balance(asset) {
    const { body } = await this.ask('GET', '/api/v3/account')
    return body.balances.find((row) => row.asset === asset)
  }

  #say(what) {
    this.#narrator.line(this.#key.account, what)
  }
}

/** An order in a line: SELL LIMIT 0.1 at 50000. */
function wordsOf({ side, type, quantity, price, ...more }) {
  const parts = [side, type]
  if (more.timeInForce !== undefined && more.timeInForce !== 'GTC') parts.push(more.timeInForce)
  parts.push(quantity)
  if (price !== undefined) parts.push(`at ${price}`)
  for (const name of ['stopPrice', 'trailingDelta', 'icebergQty', 'selfTradePreventionMode']) {
    if (more[name] !== undefined) parts.push(`${name}=${more[name]}`)
  }
  return parts.join(' ')
}

function outcomeOf({ orderId, status, fills = [] }) {
  const trades = fills.map(({ qty, price }) => `${plain(qty)} at ${plain(price)}`)
  return `order ${orderId} ${status}${trades.length > 0 ? `: ${trades.join(', ')}` : ''}`
}
