/** Requests that are wrong before the exchange reads what they ask: keys, signatures, encodings. */
import { createHmac } from 'node:crypto'
import type { DemoKey, ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { Frame } from '../frame-log.ts'

export interface RawAnswer {
  readonly status: number
  readonly body: Frame
}

export class RawRequests {
  private readonly exchange: ExchangeProcess
  private readonly key: DemoKey

  constructor(exchange: ExchangeProcess, account: string) {
    this.exchange = exchange
    this.key = exchange.keys()[account] as DemoKey
  }

  /** The query exactly as it stands. */
  async send(
    method: string,
    pathAndQuery: string,
    headers: Record<string, string> = { 'X-MBX-APIKEY': this.key.apiKey },
  ): Promise<RawAnswer> {
    const response = await fetch(`${this.exchange.url}${pathAndQuery}`, { method, headers })
    return { status: response.status, body: (await response.json()) as Frame }
  }

  /** GET account with this query, signed; only the signature is added. */
  account(query: string, headers?: Record<string, string>): Promise<RawAnswer> {
    const path = `/api/v3/account?${query}&signature=${this.sign(query)}`
    return this.send('GET', path, headers)
  }

  private sign(payload: string): string {
    return createHmac('sha256', this.key.secretKey).update(payload).digest('hex')
  }
}
