/**
 * The market makers' client of the exchange: signed REST requests over kept connections, like any client's.
 * It uses a separate address where the system has one, so that no other client shares its limits.
 */

import { createHmac } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import type { Clock } from '../base/time.ts'

/** A key of an account of the market makers. */
export interface LiquidityKey {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

/** Status 0 when no response arrived. */
export interface ClientAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** The error's code and message; 0 and '' without one. */
  readonly code: number
  readonly msg: string
  /** Seconds; 0 when the response has none. */
  readonly retryAfter: number
}

/** What carries a request to an exchange of this process; rejects when its connection would end. */
export type Carry = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
) => Promise<{
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}>

export type RequestParams = Readonly<Record<string, string | number>>

const LOOPBACK = '127.0.0.1'
const OWN_LOOPBACK = '127.0.0.2'
const TIMEOUT_MS = 10_000
const KEPT = { keepAlive: true, maxSockets: 32 }

export class ExchangeClient {
  private readonly host: string
  private readonly port: number
  private readonly clock: Clock
  private agent: http.Agent
  private readonly request: typeof http.request
  private readonly carry: Carry

  /**
   * `host` is the address that the exchange listens on, which may be all addresses of the machine.
   * `certificate` (PEM) is the exchange's own, of any name and any issuer; undefined for requests in
   * the clear. `carry` stands instead of connections to the address.
   */
  constructor(host: string, port: number, clock: Clock, certificate?: string, carry?: Carry) {
    this.carry = carry ?? ((...call) => this.carryOver(...call))
    this.clock = clock
    this.agent =
      certificate === undefined
        ? new http.Agent(KEPT)
        : new https.Agent({ ...KEPT, ...trusting(certificate) })
    this.request = certificate === undefined ? http.request : https.request
    this.host = host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host
    this.port = port
  }

  /** Sends a request, signed when there is a key. Never rejects. */
  send(
    method: string,
    path: string,
    params: RequestParams,
    key?: LiquidityKey,
  ): Promise<ClientAnswer> {
    const query = key === undefined ? queryOf(params) : signed(params, key, this.clock.nowMs())
    const headers = key === undefined ? {} : { 'x-mbx-apikey': key.apiKey }
    return this.carry(method, `${path}?${query}`, headers).then(answerOf, noAnswer)
  }

  private carryOver(...[method, path, headers]: Parameters<Carry>): ReturnType<Carry> {
    const isOwn = process.platform === 'linux' && this.host === LOOPBACK
    return new Promise((resolve, reject) => {
      const request = this.request(
        {
          host: this.host,
          port: this.port,
          method,
          path,
          headers,
          agent: this.agent,
          timeout: TIMEOUT_MS,
          ...(isOwn ? { localAddress: OWN_LOOPBACK } : {}),
        },
        (response) => {
          let body = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            body += chunk
          })
          response.on('error', reject)
          const { statusCode: status = 0, headers } = response
          const retryAfter = headers['retry-after']
          response.on('end', () =>
            resolve({ status, headers: { 'retry-after': retryAfter }, body }),
          )
        },
      )
      request.on('timeout', () => request.destroy(new Error('no answer in time')))
      request.on('error', reject)
      request.end()
    })
  }

  /**
   * New connections accept this certificate alone: OpenSSL confuses two of one name. Requests under way
   * end on the connections that they have.
   */
  trust(certificate: string): void {
    const last = this.agent
    this.agent = new https.Agent({ ...KEPT, ...trusting(certificate) })
    // Its connections close as soon as they are free.
    last.maxFreeSockets = 0
    for (const sockets of Object.values(last.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy()
    }
  }

  close(): void {
    this.agent.destroy()
  }
}

/** Returns options of TLS that trust only the PEM's certificates, even without their issuer. */
const trusting = (certificate: string): https.AgentOptions => ({
  ca: certificate,
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
})

const noAnswer = ({ message }: Error): ClientAnswer => ({
  status: 0,
  body: {},
  code: 0,
  msg: message,
  retryAfter: 0,
})

function answerOf({ status, headers, body: text }: Awaited<ReturnType<Carry>>): ClientAnswer {
  const retryAfter = Number(headers['retry-after'] ?? 0)
  try {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    const [code, msg] = status === 200 ? [0, ''] : [Number(body.code ?? 0), String(body.msg)]
    return { status, body, code, msg, retryAfter }
  } catch {
    return { status, body: {}, code: 0, msg: 'no JSON', retryAfter }
  }
}

function signed(params: RequestParams, { secretKey }: LiquidityKey, timestamp: number): string {
  const query = queryOf({ ...params, timestamp })
  return `${query}&signature=${createHmac('sha256', secretKey).update(query).digest('hex')}`
}

const queryOf = (params: RequestParams): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
