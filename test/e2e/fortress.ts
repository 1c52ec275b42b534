/** Watches over an exchange under attack: what must not change, and what a refusal looks like. */
import { expect } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import type { RawAnswer } from './raw-http.ts'

export const SYMBOL = 'BTCUSDT'
export const HOST = 'Host: 127.0.0.1\r\n'

export class Fortress {
  readonly exchange: ExchangeProcess
  readonly key: DemoKey
  readonly client: SignedClient
  private before: unknown

  private constructor(exchange: ExchangeProcess) {
    this.exchange = exchange
    this.key = exchange.keys().trader1 as DemoKey
    this.client = new SignedClient(exchange.url, this.key)
  }

  /** A running exchange with an order on either side of one book. */
  static async build(): Promise<Fortress> {
    const fortress = new Fortress(await ExchangeProcess.start(FEW_THREADS))
    const order = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
    for (const [side, price] of [
      ['BUY', '40000'],
      ['SELL', '60000'],
    ] as const) {
      const answer = await fortress.client.send('POST', '/api/v3/order', { ...order, side, price })
      expect(answer.status).toBe(200)
    }
    fortress.before = await fortress.state()
    return fortress
  }

  /** The process answers, and book, open orders and balances are as they were built. */
  async expectUnharmed(): Promise<void> {
    expect(await this.state()).toEqual(this.before)
  }

  /** The query is the body: POST takes parameters from there. */
  post(query: string): string {
    const head = `POST /api/v3/order HTTP/1.1\r\n${HOST}X-MBX-APIKEY: ${this.key.apiKey}\r\n`
    return `${head}Content-Length: ${Buffer.byteLength(query)}\r\n\r\n${query}`
  }

  async remove(): Promise<void> {
    await this.exchange.remove()
  }

  private async state(): Promise<unknown> {
    const depth = await eventually('a book with both orders', async () => {
      const response = await fetch(`${this.exchange.url}/api/v3/depth?symbol=${SYMBOL}`)
      const found = (await response.json()) as { bids: object[]; asks: object[] }
      return found.bids.length > 0 && found.asks.length > 0 ? found : undefined
    })
    const open = await this.client.send('GET', '/api/v3/openOrders')
    const account = await this.client.send('GET', '/api/v3/account')
    return { depth, open: open.body, balances: account.body.balances }
  }
}

/** An order that would stand if left alone. */
export const goodOrder = {
  symbol: SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '45000',
}

/** Refused in the protocol's words, or in HTTP's where it never became a request. */
export function expectRefusal(answer: RawAnswer, sent: string): void {
  // The HTTP server's own word for bytes that are not HTTP/1.1; the exchange never sees them.
  if (answer.status === 505) return
  expect(answer.status, sent).toBeGreaterThanOrEqual(400)
  expect(answer.status, sent).toBeLessThan(500)
  if (answer.body.startsWith('{'))
    expect(JSON.parse(answer.body), sent).toEqual({
      code: expect.any(Number),
      msg: expect.any(String),
    })
}
