/**
 * The sockets of one gateway: an HTTP route for each operation's row, WebSocket addresses, and other
 * paths. It decides nothing: requests go to rest.ts and plain-requests.ts, connections to
 * ws-streams.ts and ws-api.ts.
 */
import type { HttpRequest, HttpResponse, WebSocketBehavior } from 'uWebSockets.js'
import {
  deprecatedSbeEncoders,
  type Encoder,
  jsonEncoder,
  sbeEncoders,
} from '../api/answers/encoders.ts'
import { Fault } from '../api/errors.ts'
import type { Operation } from '../api/operations/index.ts'
import type { SbeVersion } from '../api/sbe/sbe.ts'
import type { ClockParts } from '../base/participants.ts'
import { elapsedMs } from '../base/time.ts'
import { Ms } from '../base/units.ts'
import type { ReloadMessage } from '../shared/control-message.ts'
import { GatewayCounter } from '../shared/counters.ts'
import type { ConsoleParts } from './http/console-requests.ts'
import type { HttpParts } from './http/http-parts.ts'
import { PlainRequests } from './http/plain-requests.ts'
import { schemaState } from './http/response-format.ts'
import { serveRest } from './http/rest.ts'
import type { Routes } from './http/routes.ts'
import { microsecondsOf } from './http/time-unit.ts'
import { LONG_BYTES, UNLIMITED } from './limits/address-guard.ts'
import type { Forwarded } from './limits/client-address.ts'
import { addressKey } from './limits/quota.ts'
import type { SocketCounts } from './limits/socket-counts.ts'
import type { Port } from './port.ts'
import { type Connection, Ending, PING_MS, type SocketData } from './websocket/connection.ts'
import { ApiConnection, type ApiParts, CONNECTION_WEIGHT } from './websocket/ws-api.ts'
import { MessageStreamConnection } from './websocket/ws-message-streams.ts'
import { StreamConnection, type StreamParts } from './websocket/ws-streams.ts'

/** A longer frame is refused. */
const FRAME_BYTES_MAX = 64 * 1024
/** Beyond it uWebSockets.js closes without a close frame. */
const FRAME_BYTES_READ_MAX = 2 * FRAME_BYTES_MAX
/** A stream's reader that is further behind than this is closed, not gapped. */
const BACKPRESSURE_BYTES_MAX = 1024 * 1024
/** None: the exchange closes connections by its own pings (websocket/connection.ts), on its own time. */
const IDLE_SECONDS = 0
/** Time until a retry for a client with too many open WebSockets. */
const FULL_RETRY_MS = 1_000

/** A connection that a rule of the sandbox resets is read no more for so long. */
const UNREAD_MS = 50

/** Half the time of a Buffer and its text, for a frame of an order. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const shortOfMemory = new Fault('SERVER_BUSY')
const tooManySockets = new Fault('TOO_MANY_REQUESTS')
const cutOff = new Fault('CUT_OFF')
const badTimeUnit = new Fault('INVALID_TIME_UNIT')
const noSbe = new Fault('SBE_DISABLED')
const badSchema = new Fault('INVALID_SBE_SCHEMA')
const SCHEMA_NUMBER = /^\d{1,10}$/
const badFormat = new Fault('INVALID_PARAMETER', 'responseFormat')

export interface ServerOptions {
  readonly port: Port
  /** For streams in SBE alone. */
  readonly sbePort: Port | undefined
  readonly socketCounts: SocketCounts
  /** WebSockets that one address may have open. */
  readonly socketsPerAddress: number
  readonly operations: readonly Operation[]
  /** What it answers in once SBE is switched on. */
  readonly newestSbe: SbeVersion | undefined
  readonly console: ConsoleParts
  /** Called when a WebSocket's client has read something, or is gone. */
  readonly clientRead: () => void
  readonly api: ApiParts & HttpParts
  readonly streams: StreamParts
}

/** What an attempt to connect says of the connection. */
interface Handshake {
  readonly address: string
  readonly query: string
  /** Of X-MBX-APIKEY; '' without. */
  readonly apiKey: string
  readonly peer: ArrayBuffer
}

/** The weight of an attempt to connect, beyond the attempt itself, and its connection; why there is none. */
interface Opening {
  readonly over: 'streams' | 'sessions'
  readonly weight: number
  readonly open: (handshake: Handshake) => Connection | Fault
}

const STREAM_ADDRESSES = ['/ws', '/ws/*', '/stream', '/stream/']
/** Of addresses of streams in SBE on the port of everything else. */
const SBE_PREFIX = '/sbe'

const route = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'del' } as const

export class Server {
  private readonly options: ServerOptions
  private readonly plain: PlainRequests
  private readonly routeAll: (routes: Routes) => void
  private readonly routeSbe: (routes: Routes) => void
  private readonly _connections = new Set<Connection>()
  /** Monotonic. */
  private lastPingMs = 0
  private bansSeen = 0
  /** WebSockets that were ever opened. */
  private opened = 0

  constructor(options: ServerOptions) {
    this.options = options
    this.plain = new PlainRequests(options.api, options.console)
    this.routeAll = (routes) => this.addRoutes(routes)
    this.routeSbe = (routes) => this.addSbeRoutes(routes)
    options.port.add(this.routeAll)
    options.sbePort?.add(this.routeSbe)
  }

  private addRoutes(routes: Routes): void {
    const { operations } = this.options
    routes.filter((response, change) => this.countSocket(response, change))
    for (const operation of operations) this.route(routes, operation)
    this.plain.route(routes, operations)
    const streams = this.behavior({
      over: 'streams',
      weight: 0,
      open: (handshake) => this.openStream(handshake),
    })
    for (const address of STREAM_ADDRESSES) routes.ws(address, streams)
    this.addMessageRoutes(routes, SBE_PREFIX)
    const api = this.behavior({
      over: 'sessions',
      weight: CONNECTION_WEIGHT,
      open: (handshake) => this.openApi(handshake),
    })
    for (const address of ['/ws-api/v3', '/ws-api/v3/']) routes.ws(address, api)
    routes.any('/*', (response, request) => this.plain.serveNotFound(response, request))
  }

  /** Those of the port for streams in SBE, whose addresses are as those of JSON. */
  private addSbeRoutes(routes: Routes): void {
    routes.filter((response, change) => this.countSocket(response, change))
    this.addMessageRoutes(routes, '')
    routes.any('/*', (response, request) => this.plain.serveNotFound(response, request))
  }

  private addMessageRoutes(routes: Routes, prefix: string): void {
    const messages = this.behavior({
      over: 'streams',
      weight: 0,
      open: ({ address, ...handshake }) =>
        this.openMessages({ ...handshake, address: address.slice(prefix.length) }),
    })
    for (const address of STREAM_ADDRESSES) routes.ws(prefix + address, messages)
  }

  /** Sends a frame to all subscribers of a topic. */
  publish(topic: string, frame: Uint8Array, isBinary: boolean): void {
    const { port, sbePort } = this.options
    port.publish(topic, frame, isBinary)
    if (isBinary) sbePort?.publish(topic, frame, isBinary)
  }

  /** Resolves when new requests count by these addresses, and new connections get the certificate of its file. */
  async reload({ hasTls, trustedProxies, exemptAddresses, sbe }: ReloadMessage): Promise<void> {
    const { port, sbePort } = this.options
    if (hasTls) {
      await port.replace(this.routeAll)
      await sbePort?.replace(this.routeSbe)
    }
    const { clients, rateLimits } = this.options.api
    clients.trust(trustedProxies)
    rateLimits.exempt(exemptAddresses)
    this.switchSbe(sbe === 'on')
  }

  /** Streams in SBE end where it is switched off; sessions refuse each request. */
  private switchSbe(isOn: boolean): void {
    const { api, newestSbe } = this.options
    api.sbe.newest = isOn ? newestSbe : undefined
    if (isOn) return
    for (const connection of [...this._connections]) {
      if (connection instanceof MessageStreamConnection) connection.end(Ending.SBE_OFF)
    }
  }

  /** The open WebSockets. */
  get connections(): ReadonlySet<Connection> {
    return this._connections
  }

  /**
   * Serves all sockets of another server of the same settings from now on. Clients notice nothing. Requests that are
   * under way there get their answers.
   */
  takeOver(before: Server, parts: ClockParts): void {
    const { port, sbePort } = this.options
    port.takeOver(before.options.port)
    sbePort?.takeOver(before.options.sbePort!)
    this.options.socketCounts.takeOver(before.options.socketCounts)
    this.opened = before.opened
    this.lastPingMs = before.lastPingMs
    for (const connection of before._connections) {
      const data = this.renewed(connection).takeOver(connection, parts)
      if (data !== undefined) this.noteOpen(data)
    }
    before._connections.clear()
  }

  private renewed(connection: Connection): Connection {
    const { api, streams } = this.options
    if (connection instanceof ApiConnection) return connection.renewed(api)
    return (connection as StreamConnection).renewed(streams)
  }

  /** Who takes part in the virtual clock. */
  get clockParts(): ClockParts {
    return new Map([...this._connections].flatMap((connection) => connection.clockParts))
  }

  /** Tells every WebSocket that the exchange is about to stop. */
  announceShutdown(nowMs: Ms): void {
    for (const connection of [...this._connections]) connection.announceShutdown(nowMs)
  }

  /** Cancels the orders that end with sessions, which place no more. */
  endOrders(): void {
    for (const connection of this._connections) connection.endOrders()
  }

  /** Ends what an API key, which may have changed, no longer allows. */
  keyChanged(apiKey: string): void {
    for (const connection of [...this._connections]) connection.keyChanged(apiKey)
  }

  /** Ends the sessions and subscriptions of a revoked API key. */
  revokeKey(apiKey: string): void {
    for (const connection of [...this._connections]) connection.revoke(apiKey)
  }

  /** Ends the streams of listen keys that are no longer active. */
  checkKeys(): void {
    for (const connection of [...this._connections]) connection.checkKeys()
  }

  /** Rules of the sandbox have changed: connections that they may touch are fed by themselves. */
  checkFaults(): void {
    for (const connection of [...this._connections]) connection.checkFaults()
  }

  /** Starts streams of a new symbol for clients that had subscribed before. */
  openStreams(symbol: string): void {
    for (const connection of this._connections) connection.openStreams(symbol)
  }

  /** Closes connections to streams; their clients reconnect and resynchronize. */
  closeStreams(): void {
    this.endAll(Ending.EVENTS_MISSED)
  }

  /** The leader is cut off: streams end, and sessions learn that they should go to another member. */
  leaveClients(nowMs: Ms): void {
    for (const connection of [...this._connections]) connection.leave(nowMs)
  }

  /** Once a second of the wall: due pings. */
  ping(): void {
    const passedMs = elapsedMs(this.options.api.clock.wall)
    if (passedMs - this.lastPingMs < PING_MS) return
    this.lastPingMs = passedMs
    for (const connection of [...this._connections]) connection.ping()
  }

  /** Once a second: expired listen keys, connections whose day is over, banned addresses. */
  tend(): void {
    const { clock } = this.options.api
    this.checkKeys()
    const passedMs = elapsedMs(clock)
    for (const connection of [...this._connections]) connection.endIfOld(passedMs)
    this.closeBanned(clock.nowMs())
  }

  /** Returns when a `tend` next ends a connection or one of its streams, monotonic ms; Infinity when none is to end. */
  endsMs(): number {
    if (this.options.api.rateLimits.guard.bansBegun !== this.bansSeen) return 0
    let endsMs = Number.POSITIVE_INFINITY
    for (const connection of this._connections) endsMs = Math.min(endsMs, connection.endsMs)
    return endsMs
  }

  async listen(): Promise<void> {
    await this.options.port.listen()
    await this.options.sbePort?.listen()
  }

  /** Refuses new connections from now on; existing ones continue. */
  stopListening(): void {
    this.options.port.stopListening()
    this.options.sbePort?.stopListening()
  }

  close(): void {
    this.stopListening()
    this.endAll(Ending.STOPPING)
    this.options.port.close()
    this.options.sbePort?.close()
  }

  /** Closes WebSocket API connections of banned addresses; streams continue. */
  private closeBanned(nowMs: Ms): void {
    const { bansBegun } = this.options.api.rateLimits.guard
    if (bansBegun === this.bansSeen) return
    this.bansSeen = bansBegun
    for (const connection of [...this._connections]) connection.closeIfBanned(nowMs)
  }

  /** A connection was accepted, before any TLS handshake, or is gone: then its address is unknown. */
  private countSocket(response: HttpResponse, change: number): void {
    const { socketCounts, api } = this.options
    const hasRoom = socketCounts.count(change)
    if (change !== 1) return
    const { rateLimits, clients, clock, counters } = api
    const peer = response.getRemoteAddress()
    const nowMs = clock.nowMs()
    const isWelcome =
      hasRoom &&
      (clients.isTrusted(peer) || rateLimits.guard.accept(rateLimits.addressOf(peer, nowMs), nowMs))
    if (isWelcome) {
      this.spoil(response, peer)
      return
    }
    counters.add(GatewayCounter.socketsRefused, 1)
    response.close()
  }

  /** A rule of the sandbox may have the connection read no more, and end later. */
  private spoil(response: HttpResponse, peer: ArrayBuffer): void {
    const { faults, clock } = this.options.api
    let isGone = false
    const end = () => {
      if (isGone) return
      isGone = true
      response.close()
    }
    const address = peer.slice(0)
    // What is sent and not read makes the end a reset.
    const reset = () => void clock.wall.after(UNREAD_MS, end)
    const client = { address, key: addressKey(address) }
    if (faults?.spoilsConnection(client, reset, end) !== true) return
    if (isGone) return
    response.onAborted(() => {
      isGone = true
    })
    response.pause()
  }

  private endAll(ending: Ending): void {
    for (const connection of [...this._connections]) connection.end(ending)
  }

  private route(routes: Routes, operation: Operation): void {
    const { api } = this.options
    const serve = (isHead: boolean) => (response: HttpResponse, request: HttpRequest) => {
      api.forwarding.glance(response, request)
      serveRest(api, operation, response, request, isHead)
    }
    routes.add(route[operation.method], operation.path, serve(false))
    if (operation.method === 'GET') routes.add('head', operation.path, serve(true))
  }

  private behavior({ over, weight, open }: Opening): WebSocketBehavior<SocketData> {
    const { counters } = this.options.api
    return {
      maxPayloadLength: FRAME_BYTES_READ_MAX,
      maxBackpressure: BACKPRESSURE_BYTES_MAX,
      closeOnBackpressureLimit: 1,
      idleTimeout: IDLE_SECONDS,
      maxLifetime: 0,
      sendPingsAutomatically: false,
      upgrade: (response, request, socketContext) => {
        this.options.api.forwarding.look(response, request)
        const from = this.options.api.clients.forwarded(response, request)
        const peer = from?.address ?? response.getRemoteAddress().slice(0)
        if (!this.admit(response, peer, weight, from)) return
        const handshake = {
          address: request.getUrl(),
          query: request.getQuery() ?? '',
          apiKey: request.getHeader('x-mbx-apikey'),
          peer,
        }
        const headers = ['key', 'protocol', 'extensions'] as const
        const [key, protocol, extensions] = headers.map((name) =>
          request.getHeader(`sec-websocket-${name}`),
        )
        this.meetRules(response, over, peer, from, () => {
          const connection = open(handshake)
          if (connection instanceof Fault) {
            this.plain.fail(response, from, connection, '')
            return
          }
          const data = { connection, address: peer, isCounted: false }
          response.upgrade<SocketData>(data, key!, protocol!, extensions!, socketContext)
        })
      },
      open: (socket) => {
        const data = socket.getUserData()
        const { connection, address } = data
        connection.number = ++this.opened
        this.noteOpen(data)
        connection.open(socket, addressKey(address))
      },
      message: (socket, message) => {
        const { connection, address } = socket.getUserData()
        const bytes = message.byteLength
        if (!this.admitsFrame(address, bytes)) connection.cut()
        else if (bytes > FRAME_BYTES_MAX) connection.end(Ending.MESSAGE_TOO_BIG)
        else connection.messaged(decoder.decode(message))
      },
      // Also for published frames, which uWebSockets.js reports nowhere else.
      dropped: (socket) => socket.getUserData().connection.dropped(),
      drain: () => this.options.clientRead(),
      ping: (socket) => socket.getUserData().connection.pinged(),
      pong: (socket, payload) => {
        socket.getUserData().connection.ponged(Buffer.from(payload).toString())
      },
      close: (socket) => {
        const { connection, address, isCounted } = socket.getUserData()
        const { rateLimits, clock } = this.options.api
        this.options.socketCounts.left()
        // It may be exempt since, or no longer.
        if (isCounted) rateLimits.guard.closed(rateLimits.rowOf(address, clock.nowMs()))
        this._connections.delete(connection)
        counters.add(GatewayCounter.connections, -1)
        connection.closed()
        this.options.clientRead()
      },
    }
  }

  private noteOpen(data: SocketData): void {
    const { rateLimits, clock, counters } = this.options.api
    const nowMs = clock.nowMs()
    const counted = rateLimits.addressOf(data.address, nowMs)
    data.isCounted = counted !== UNLIMITED
    rateLimits.guard.opened(counted, nowMs)
    this._connections.add(data.connection)
    counters.add(GatewayCounter.connections, 1)
  }

  /** Calls `open` once rules of the sandbox let the handshake pass; else the client gets what they have for it. */
  private meetRules(
    response: HttpResponse,
    over: Opening['over'],
    address: ArrayBuffer,
    from: Forwarded | undefined,
    open: () => void,
  ): void {
    const { faults } = this.options.api
    if (faults === undefined) {
      open()
      return
    }
    let isGone = false
    let isLate = false
    const ended = (end: () => void) => {
      if (isGone) return
      isGone = true
      if (isLate) response.cork(end)
      else end()
    }
    faults.meet(
      over,
      { address, key: addressKey(address) },
      {
        carryOut: () => () => ended(open),
        fail: (error) => ended(() => this.plain.failMade(response, from, error)),
        cut: () => ended(() => response.close()),
      },
    )
    if (isGone) return
    isLate = true
    response.onAborted(() => {
      isGone = true
    })
  }

  /** Counts a frame. Returns false when its address has sent too many bytes. */
  private admitsFrame(peer: ArrayBuffer, bytes: number): boolean {
    if (bytes <= LONG_BYTES) return true
    const { rateLimits, clock, counters } = this.options.api
    const nowMs = clock.nowMs()
    const address = rateLimits.addressOf(peer, nowMs)
    if (rateLimits.guard.frameArrived(address, bytes, nowMs)) return true
    counters.add(GatewayCounter.framesRefused, 1)
    return false
  }

  /** Charges an attempt to connect; a refusal carries the time to wait. */
  private admit(
    response: HttpResponse,
    peer: ArrayBuffer,
    weight: number,
    from: Forwarded | undefined,
  ): boolean {
    const { socketsPerAddress, api } = this.options
    const { rateLimits, clock, memory, leadership } = api
    const nowMs = clock.nowMs()
    if (leadership.isCutOff) {
      this.plain.fail(response, from, cutOff, '')
      return false
    }
    if (memory.refuses()) {
      const refusal = { fault: shortOfMemory, untilMs: Ms(nowMs + FULL_RETRY_MS) }
      this.plain.refuse(response, from, refusal, nowMs)
      return false
    }
    if (!rateLimits.enabled) return true
    const address = rateLimits.addressOf(peer, nowMs)
    const isFull =
      address !== UNLIMITED && rateLimits.guard.webSockets(address) >= socketsPerAddress
    const refusal =
      (isFull ? { fault: tooManySockets, untilMs: Ms(nowMs + FULL_RETRY_MS) } : undefined) ??
      rateLimits.chargeConnection(address, nowMs) ??
      (weight > 0 ? rateLimits.chargeRequest(address, weight, nowMs, 'CONNECTIONS') : undefined)
    if (refusal === undefined) return true
    if (from === undefined && this.plain.isShutOut(address, nowMs)) response.close()
    else this.plain.refuse(response, from, refusal, nowMs)
    return false
  }

  private openStream({ address, query }: Handshake): Connection | Fault {
    const microseconds = microsecondsOf(parameter(query, 'timeUnit'))
    if (microseconds === undefined) return badTimeUnit
    const { names, isCombined } = streamsOf(address, query)
    return new StreamConnection(this.options.streams, names, isCombined, microseconds)
  }

  private openMessages({ address, query, apiKey, peer }: Handshake): Connection | Fault {
    const { api, streams } = this.options
    if (api.sbe.newest === undefined) return noSbe
    const key = streams.streamKeyOf(apiKey, peer)
    if (key instanceof Fault) return key
    const { names, isCombined } = streamsOf(address, query)
    return new MessageStreamConnection(streams, names, isCombined, key)
  }

  private openApi({ query, peer }: Handshake): Connection | Fault {
    const { api } = this.options
    const encoder = encoderOf(query, api.sbe.newest)
    if (encoder instanceof Fault) return encoder
    const microseconds = microsecondsOf(parameter(query, 'timeUnit'))
    if (microseconds === undefined) return badTimeUnit
    const showsLimits = parameter(query, 'returnRateLimits') !== 'false'
    return new ApiConnection(api, peer, encoder, microseconds, showsLimits)
  }
}

/** Returns what an address of streams names. */
function streamsOf(address: string, query: string) {
  const isCombined = address.startsWith('/stream')
  const listed = isCombined ? parameter(query, 'streams') : address.slice('/ws/'.length)
  const names = decoded(listed)
    .split('/')
    .filter((name) => name !== '')
  return { names, isCombined }
}

/** Returns how a session's frames are written; why none are. */
function encoderOf(query: string, newest: SbeVersion | undefined): Encoder | Fault {
  const formats = query.split('&').filter((pair) => pair.startsWith('responseFormat='))
  if (formats.every((pair) => pair === 'responseFormat=json')) return jsonEncoder
  const isMessages = formats.length === 1 && formats[0] === 'responseFormat=sbe'
  return isMessages ? messageEncoder(query, newest) : badFormat
}

function messageEncoder(query: string, newest: SbeVersion | undefined): Encoder | Fault {
  if (newest === undefined) return noSbe
  const [id = '', version = ''] = ['sbeSchemaId', 'sbeSchemaVersion'].map((name) =>
    parameter(query, name),
  )
  if (!SCHEMA_NUMBER.test(id) || !SCHEMA_NUMBER.test(version)) return badSchema
  const state = schemaState(Number(id), Number(version), newest)
  if (state === 'newest') return sbeEncoders[newest]
  return state === 'deprecated' ? deprecatedSbeEncoders[newest] : badSchema
}

/** Returns a parameter of a URL as it stands there; '' when it is absent. */
function parameter(query: string, name: string): string {
  const pair = query.split('&').find((candidate) => candidate.startsWith(`${name}=`))
  return pair === undefined ? '' : pair.slice(name.length + 1)
}

/** Returns percent-decoded text; undecodable text as it is, which then names nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
