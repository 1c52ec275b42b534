/**
 * One exchange and one client, which sends one request at a time and writes down what comes back: answers
 * with their headers, and frames. Texts are kept byte for byte, except what masks.ts lists.
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import type { Operation } from '../../src/api/operations/index.ts'
import { Masks } from './masks.ts'
import { type Answered, RecordedSocket } from './recorded-socket.ts'

/** Noon of a Wednesday, UTC: a time of every recording, whenever it is made. */
const BEGIN_MS = Date.UTC(2026, 5, 17, 12)
/** One matcher and one gateway: what several do at a time has no order. */
const FLAGS = ['--matchers', '1', '--gateways', '1']
const ROOM = '1000000'
/** More than any recording uses: weights are counted and shown, and refuse nothing. */
const roomy = {
  'weight-limit': ROOM,
  'raw-requests-limit': ROOM,
  'connections-limit': ROOM,
  'orders-per-second': ROOM,
}
/** How often trading indicators are counted again. */
const INDICATORS_MS = 30_000
/** Ten rounds of the indexer. */
const SETTLING_MS = 1_000
/** Times in answers are the clock's, so these headers are not; the others are recorded. */
const UNRECORDED = new Set(['date', 'connection'])

export type Params = Readonly<Record<string, string | number>>
/** How requests come: by REST, or by the WebSocket API. */
export type Entrance = 'REST' | 'SOCKET'
export const ENTRANCES: readonly Entrance[] = ['REST', 'SOCKET']

/** What a request has beside its operation and parameters; all of it is written down. */
export interface Manner {
  /** Whose key signs; none without one. */
  readonly as?: DemoKey | undefined
  /** Replaces what signing would send; undefined leaves the parameter out. */
  readonly replaced?: Readonly<Record<string, string | undefined>>
  /** The key that is named, where that is not the one that signs; '' for none. */
  readonly apiKey?: string
  /** Over REST. */
  readonly headers?: Readonly<Record<string, string>>
  readonly isHead?: boolean
  readonly inBody?: boolean
  /** Behind the query, as it stands; or in the frame's params. */
  readonly more?: string
}

export class Stage {
  readonly exchange: ExchangeProcess
  readonly clock: ExchangeClock
  private readonly lines: string[]
  private readonly masks: Masks
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  private readonly sockets: RecordedSocket[] = []
  private api: RecordedSocket | undefined = undefined
  private asked = 0

  private constructor(exchange: ExchangeProcess, clock: ExchangeClock, lines: string[]) {
    this.exchange = exchange
    this.clock = clock
    this.lines = lines
    this.masks = new Masks()
  }

  /** Starts an exchange with these flags beside or instead of its own, and records into `lines`. */
  static async open(flags: readonly string[], lines: string[]): Promise<Stage> {
    const clock = new ExchangeClock()
    await clock.advance(BEGIN_MS - clock.nowMs())
    const usual = { limits: 'on', ...roomy }
    const missing = Object.entries(usual).filter(([flag]) => !flags.includes(`--${flag}`))
    const all = [...FLAGS, ...missing.flatMap(([flag, text]) => [`--${flag}`, text]), ...flags]
    return new Stage(await ExchangeProcess.start(all, clock), clock, lines)
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.close()
    this.agent.destroy()
    await this.exchange.remove()
  }

  note(text: string): void {
    this.lines.push(this.masks.of(text))
  }

  key(account: string): DemoKey {
    return this.exchange.keys()[account]!
  }

  /** Sends the operation's request and records the answer. */
  ask(
    entrance: Entrance,
    operation: Operation,
    params: Params,
    manner: Manner = {},
  ): Promise<Answered> {
    return entrance === 'REST'
      ? this.askRest(operation, params, manner)
      : this.askSocket(operation.wsMethod!, params, manner)
  }

  private async askRest(operation: Operation, params: Params, manner: Manner): Promise<Answered> {
    const { as, isHead, inBody, more = '' } = manner
    const isSigned = as !== undefined && operation.signed
    const text = queryOf(isSigned ? { ...params, timestamp: this.clock.nowMs() } : params)
    const replaced = queryOf(definedOf(manner.replaced))
    const signed = joined(without(text, manner.replaced), replaced, more)
    const mayBeSigned = isSigned && !Object.hasOwn(manner.replaced ?? {}, 'signature')
    const signature = mayBeSigned ? `signature=${signatureOf(signed, as)}` : ''
    const query = joined(signed, signature)
    const apiKey = manner.apiKey ?? as?.apiKey ?? ''
    const method = isHead ? 'HEAD' : operation.method
    const where = inBody ? ' in the body' : ''
    const headers = { ...manner.headers, ...(apiKey !== '' && { 'X-MBX-APIKEY': apiKey }) }
    const shown = manner.headers === undefined ? '' : ` ${JSON.stringify(manner.headers)}`
    this.note(`${method} ${operation.path}?${signed}${where} by ${as?.account ?? 'none'}${shown}`)
    const path = inBody || query === '' ? operation.path : `${operation.path}?${query}`
    return this.http(method, path, headers, inBody ? query : '')
  }

  /** Sends any request and records the answer. */
  http(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body = '',
  ): Promise<Answered> {
    const { port } = this.exchange
    const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const options = {
      host: '127.0.0.1',
      port,
      agent: this.agent,
      method,
      path,
      headers: { ...headers, ...length },
    }
    return new Promise((resolve, reject) => {
      const request = http.request(options, async (response) => {
        let text = ''
        for await (const chunk of response.setEncoding('utf8')) text += chunk
        const status = response.statusCode!
        this.note(`  ${status} ${headersOf(response.rawHeaders)}`)
        if (text !== '') this.note(`  ${text}`)
        resolve({ status, body: parsed(text) })
      })
      request.once('error', reject)
      request.end(body)
    })
  }

  private async askSocket(method: string, params: Params, manner: Manner): Promise<Answered> {
    const { as, replaced = {}, more = '' } = manner
    const given = as === undefined ? params : this.signed(params, as, manner)
    const names = Object.entries(given).filter(([name]) => !Object.hasOwn(replaced, name))
    const members = [...names, ...Object.entries(definedOf(replaced))]
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',')
    this.api ??= await this.socket('/ws-api/v3')
    const shown = JSON.stringify({ ...params, ...replaced })
    this.note(`${method} ${shown}${more} by ${as?.account ?? 'none'}`)
    const begin = `{"id":${++this.asked},"method":"${method}","params":{${members}${more}}}`
    return this.api.ask(begin)
  }

  /** With key, time and signature, over the sorted names, as the WebSocket API wants. */
  signed(params: Params, as: DemoKey, { replaced = {}, apiKey }: Manner = {}): Params {
    const named = apiKey === '' ? {} : { apiKey: apiKey ?? as.apiKey }
    const all: Params = { ...params, ...named, timestamp: this.clock.nowMs() }
    const kept = Object.entries({ ...all, ...replaced }).filter(([, value]) => value !== undefined)
    const payload = kept
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    return { ...all, signature: signatureOf(payload, as) }
  }

  /**
   * Lets the archive take in all there is, ends the interval of trading indicators and lets it count that
   * too: no message tells when it has. Requests that follow in the next half minute find the same.
   */
  async settle(): Promise<void> {
    await pause(SETTLING_MS)
    await this.clock.advance(INDICATORS_MS - (this.clock.nowMs() % INDICATORS_MS))
    await pause(SETTLING_MS)
  }

  /** Opens a WebSocket, whose frames are recorded when they are taken. */
  async socket(path: string): Promise<RecordedSocket> {
    const socket = await RecordedSocket.open(this.exchange.wsUrl + path, (text) => this.note(text))
    this.sockets.push(socket)
    return socket
  }

  /** Carries an operator's action out and records the answer. */
  async act(name: string, given: object): Promise<void> {
    const token = readFileSync(path.join(this.exchange.data, 'operator-token'), 'utf8').trim()
    const response = await fetch(`http://127.0.0.1:${this.exchange.adminPort}/actions/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(given),
    })
    this.note(`act ${name} ${JSON.stringify(given)}`)
    this.note(`  ${response.status} ${await response.text()}`)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const signatureOf = (text: string, { secretKey }: DemoKey): string =>
  createHmac('sha256', secretKey).update(text).digest('hex')

const queryOf = (params: Params): string =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()

const definedOf = (replaced: Manner['replaced'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(replaced).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )

const without = (query: string, replaced: Manner['replaced'] = {}): string =>
  query
    .split('&')
    .filter((pair) => !Object.hasOwn(replaced, pair.slice(0, pair.indexOf('='))))
    .join('&')

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('&')

/** All headers in their order. */
function headersOf(raw: readonly string[]): string {
  const pairs: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    if (!UNRECORDED.has(raw[i]!.toLowerCase())) pairs.push(`${raw[i]}: ${raw[i + 1]}`)
  }
  return pairs.join('; ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
