/**
 * A client of one account: a connection to the WebSocket API with its user stream, and REST beside it.
 * It signs what it sends, keeps what it received, and queries what it did not receive.
 */
import { strictEqual } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { assert } from '../../../src/base/assert.ts'
import { Lots } from '../../../src/base/units.ts'
import type { SymbolSpec } from '../../../src/market/listing.ts'
import type { PlainSymbol } from '../../model/plain-exchange.ts'
import type { NamedRecord } from '../records.ts'
import { type Answer, frameAnswer, httpAnswer } from './answers.ts'
import type { FalseExchange, FalseSocket, FalseSockets } from './false-sockets.ts'
import { apiKeyOf, secretOf } from './founding.ts'
import { type ClientCommand, type ClientRequest, type Fields, quantityOf } from './requests.ts'

type Json = Readonly<Record<string, unknown>>

/** A request on its way, and what becomes of it. */
export class Ask {
  readonly account: number
  readonly spec: SymbolSpec
  readonly command: ClientCommand
  readonly gateway: number
  readonly sentMs: number
  /** Journaled events of the symbol when it was sent. */
  readonly knownEvents: number
  /** Whether a command of it reached a ring. */
  isCommanded = false
  /** All that the engine wrote for it, once it was executed. */
  due: readonly NamedRecord[] | undefined
  isPublished = false
  /** When it was sent, in time that never steps. */
  passedMs = 0
  /** Whether events were missed while it waited. */
  mayBeUnknown = false

  constructor(
    account: number,
    spec: SymbolSpec,
    command: ClientCommand,
    gateway: number,
    sentMs: number,
    knownEvents: number,
  ) {
    this.account = account
    this.spec = spec
    this.command = command
    this.gateway = gateway
    this.sentMs = sentMs
    this.knownEvents = knownEvents
  }
}

/** One request: a single command, or a batch of them. */
export interface Sent {
  readonly asks: readonly Ask[]
  readonly isBatch: boolean
}

/** What a request was answered, by command. */
function partsOf({ asks, isBatch }: Sent, answer: Answer): readonly Answer[] {
  if (!isBatch || answer.code !== 0) return asks.map(() => answer)
  const parts = answer.result as readonly Json[]
  strictEqual(parts.length, asks.length, 'each part of a batch has its answer')
  return parts.map((result) => {
    const { code } = result as { readonly code?: number }
    return { status: code === undefined ? 200 : 400, result, code: code ?? 0 }
  })
}

/** An order as its owner's stream has it. */
interface ReportedOrder {
  readonly status: string
  readonly filled: string
}

const OPEN = ['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW']

export class Trader {
  readonly account: number
  socket: FalseSocket | undefined
  gateway = -1
  /** Whether its orders are to end with its connection. */
  bindsOrders = false
  /** The session of its connection, once an order of it was seen; 0 before. */
  session = 0
  /** Placements whose answer was lost. */
  unresolved: Ask[] = []
  private readonly frames = new Map<number, Sent>()
  private readonly http: (readonly [Sent, FalseExchange])[] = []
  /** By `symbol/orderId`. */
  private readonly orders = new Map<string, ReportedOrder>()
  private readonly positions = new Map<string, readonly [free: string, locked: string]>()
  /** By symbol name: the highest order id when the stream began; undefined before. */
  private streamedFrom: ReadonlyMap<string, number> | undefined = undefined
  private requestId = 0

  constructor(account: number) {
    this.account = account
  }

  /** Connects and listens to its own events; what it knew of them is old. */
  connect(sockets: FalseSockets, gateway: number, timestamp: number, bindsOrders: boolean): void {
    this.socket = sockets.connect('/ws-api/v3')
    this.gateway = gateway
    this.bindsOrders = bindsOrders
    this.session = 0
    this.streamedFrom = undefined
    this.orders.clear()
    this.positions.clear()
    this.requestId = 0
    const params = this.signed({}, timestamp, 5000)
    this.say('userDataStream.subscribe.signature', params)
    if (bindsOrders) this.say('session.cancelOnDisconnect', { enabled: 'true' })
  }

  /** The connection is lost, with every answer that was on its way. */
  disconnect(): void {
    this.socket?.lose()
    this.socket = undefined
    this.session = 0
    for (const sent of this.frames.values()) this.lost(sent)
    this.frames.clear()
  }

  /** Everything that was on its way is lost: the exchange is gone. */
  forget(): void {
    this.socket = undefined
    this.session = 0
    for (const sent of this.sent) this.lost(sent)
    this.frames.clear()
    this.http.length = 0
  }

  /** Requests that wait for their answers. */
  private get sent(): readonly Sent[] {
    return [...this.frames.values(), ...this.http.map(([sent]) => sent)]
  }

  /** Their commands. */
  get asks(): readonly Ask[] {
    return this.sent.flatMap(({ asks }) => asks)
  }

  sendFrame(sent: Sent, request: ClientRequest, recvWindow: number): void {
    const { fields, isPublic } = request
    const params = isPublic ? fields : this.signed(fields, sent.asks[0]!.sentMs, recvWindow)
    this.frames.set(this.requestId + 1, sent)
    this.say(request.wsMethod, params)
  }

  sendHttp(sent: Sent, request: ClientRequest, recvWindow: number, sockets: FalseSockets): void {
    this.http.push([sent, this.send(request, sent.asks[0]!.sentMs, recvWindow, sockets)])
  }

  /** Sends a request over HTTP, and waits for nothing. */
  send(
    { method, path, fields, isPublic }: ClientRequest,
    sentMs: number,
    recvWindow: number,
    sockets: FalseSockets,
  ): FalseExchange {
    const timing = { timestamp: String(sentMs), recvWindow: String(recvWindow) }
    const query = Object.entries(isPublic ? fields : { ...fields, ...timing })
      .map(([name, text]) => `${name}=${encodeURIComponent(text)}`)
      .join('&')
    const signed = isPublic ? query : `${query}&signature=${sign(this.account, query)}`
    return sockets.request(method, path, signed, apiKeyOf(this.account))
  }

  /** Gives up one request over HTTP before it is answered. */
  abort(): boolean {
    const waiting = this.http.find(([, { answer }]) => answer === undefined)
    if (waiting === undefined) return false
    const [sent, http] = waiting
    this.http.splice(this.http.indexOf(waiting), 1)
    http.lose()
    this.lost(sent)
    return true
  }

  /** Takes in what came; each answer goes to `judge`. `highest` order ids are by symbol name. */
  read(
    judge: (ask: Ask, answer: Answer) => void,
    highest: () => ReadonlyMap<string, number>,
  ): void {
    for (const waiting of [...this.http]) {
      const [sent, { answer }] = waiting
      if (answer === undefined) continue
      this.http.splice(this.http.indexOf(waiting), 1)
      judgeAll(sent, httpAnswer(answer.status, answer.body), judge)
    }
    const { socket } = this
    if (socket === undefined) return
    for (const text of socket.frames.splice(0)) this.frame(JSON.parse(text), judge, highest)
    if (!socket.isOpen) this.disconnect()
  }

  /** At rest, what the stream has sent is current. */
  check(
    symbols: readonly PlainSymbol[],
    shown: (asset: string) => readonly [string, string],
  ): void {
    const from = this.streamedFrom
    if (from === undefined || this.socket === undefined) return
    const open = new Map<string, string>()
    for (const { spec, state } of symbols) {
      for (const { orderId, account, filled } of state.orders) {
        if (account !== this.account) continue
        const key = `${spec.name}/${orderId}`
        open.set(key, quantityOf(spec, Lots(Number(filled))))
        if (orderId <= from.get(spec.name)!) continue
        assert(this.orders.has(key), `the stream tells of every order: ${key}`)
      }
    }
    for (const [key, { status, filled }] of this.orders) {
      strictEqual(OPEN.includes(status), open.has(key), `${key} is ${status}`)
      if (open.has(key)) strictEqual(filled, open.get(key), `filled of ${key}`)
    }
    for (const [asset, [free, locked]] of this.positions) {
      const now = shown(asset)
      strictEqual(free, now[0], `${asset} free, as the stream tells it`)
      strictEqual(locked, now[1], `${asset} locked, as the stream tells it`)
    }
  }

  private lost({ asks }: Sent): void {
    for (const ask of asks) {
      const { name, record } = ask.command
      if (name === 'PlaceOrder' && record.clientOrderId !== '') this.unresolved.push(ask)
    }
  }

  private say(method: string, params: Fields): void {
    const id = ++this.requestId
    this.socket!.say(JSON.stringify({ id, method, params }))
  }

  private signed(fields: Fields, timestamp: number, recvWindow: number): Fields {
    const params: Fields = {
      ...fields,
      apiKey: apiKeyOf(this.account),
      recvWindow: String(recvWindow),
      timestamp: String(timestamp),
    }
    const payload = Object.keys(params)
      .sort()
      .map((name) => `${name}=${params[name]}`)
      .join('&')
    return { ...params, signature: sign(this.account, payload) }
  }

  private frame(
    frame: Json,
    judge: (ask: Ask, answer: Answer) => void,
    highest: () => ReadonlyMap<string, number>,
  ): void {
    if (frame.event !== undefined) {
      this.event(frame.event as Json)
      return
    }
    const id = Number(frame.id)
    const sent = this.frames.get(id)
    if (sent === undefined) {
      const isFirst = id === 1
      assert(
        isFirst || (id === 2 && this.bindsOrders),
        'every answer was asked for, and given once',
      )
      strictEqual(frame.status, 200, 'who is known may listen, and bind its orders')
      if (isFirst) this.streamedFrom = highest()
      return
    }
    this.frames.delete(id)
    judgeAll(sent, frameAnswer(frame), judge)
  }

  private event(event: Json): void {
    if (event.e === 'executionReport') {
      const report = { status: String(event.X), filled: String(event.z) }
      this.orders.set(`${event.s}/${event.i}`, report)
    } else if (event.e === 'outboundAccountPosition') {
      for (const { a, f, l } of event.B as Record<string, string>[]) {
        this.positions.set(a!, [f!, l!])
      }
    }
  }
}

function judgeAll(sent: Sent, answer: Answer, judge: (ask: Ask, answer: Answer) => void): void {
  for (const [i, part] of partsOf(sent, answer).entries()) judge(sent.asks[i]!, part)
}

const sign = (account: number, payload: string): string =>
  createHmac('sha256', secretOf(account)).update(payload).digest('hex')
