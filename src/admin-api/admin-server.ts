/**
 * The admin server: `/healthz` returns 200 while the process lives and the disk has refused no journal,
 * `/readyz` 200 while the exchange accepts orders, or at least cancels, and 503 before and after. Both say
 * what is short of the disk, and what is degraded, in sentences: archive or snapshots, without which orders
 * are accepted all the same. `/counters` the counters (shared/counters.ts), `/metrics` the same and more
 * for Prometheus (metrics.ts), `/actions`, `/whoami`, `/figures` and
 * `/history` what operators do and see (action-requests.ts), `/reference-prices` the feed (price-feed.ts), `/` the operator's screen for browsers. Always on the
 * loopback address, and for no page but its own (guard.ts). Only what operators do and see needs the
 * token: it moves money, and a monitor must not need it. A stranger's connection ends with its refusal, and
 * none of strangers, monitors and operators can take the others' connections (connections.ts).
 */
import * as http from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { fileFault } from '../base/file-fault.ts'
import type { PageFile } from '../base/page-files.ts'
import type { CounterReading } from '../shared/counters.ts'
import { type DiskReading, diskWarning, REFUSING_TEXT } from '../shared/disk.ts'
import { CONTENT_TYPE } from '../telemetry/exposition.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { ActionRequests, Answer } from './action-requests.ts'
import { AdminConnections, type Room } from './connections.ts'
import { guardRefusal } from './guard.ts'
import { PriceFeeds } from './price-feed.ts'
import { sendFile } from './screen.ts'

/** What the admin server serves once the exchange runs. */
export interface HealthParts {
  readonly readCounters: () => readonly CounterReading[]
  /** Undefined with `--metrics off`. */
  readonly metrics: Pick<Metrics, 'text'> | undefined
  readonly actions: Pick<ActionRequests, 'knows' | 'answer' | 'feedRefusal' | 'feed'>
  /** Left out where nothing watches a disk. */
  readonly readDisk?: () => DiskReading
}

/** A program on this machine sends its headers at once, and soon its arguments. */
const TIMES = { headersTimeout: 2_000, requestTimeout: 10_000, connectionsCheckingInterval: 500 }
const MONITORED: readonly string[] = ['/healthz', '/readyz', '/counters', '/metrics']
const NOT_STARTED = 'The exchange has not started yet.'
const FULL = 'The admin server is full: actions of 32 connections are under way.'
const FEEDS_FULL = 'Four feeds of prices are busy.'
const NO_HANDSHAKE = 'The request is no handshake of a WebSocket, version 13.'
const FEED = '/reference-prices'
const READ = /^\/(whoami$|figures$|history(\?|$))/
/** Paths of actions and of a feed's prices; `/acts` is the former name of actions. */
const ACTIONS = /^\/((actions|acts)(\/|$)|reference-prices$)/
/** Bytes of a refused request that are read, at most, so that its client reads the refusal. */
const REFUSED_BYTES_MAX = 256 * 1024

/** Sends a text as it is, any other value as JSON. */
type ServerAnswer = readonly [...Answer, type?: string]

export class AdminServer {
  private _isReady = false
  private failure: string | undefined = undefined
  /** By part of the exchange: why it is not what it should be. */
  private readonly _degraded = new Map<string, string>()
  private parts: HealthParts | undefined = undefined
  private readonly screen: readonly PageFile[]
  private readonly rooms: AdminConnections
  private readonly feeds = new PriceFeeds({
    answer: (request, text) => this.answerToFeed(request, text),
    begin: (socket) => this.rooms.begin(socket, 'feed'),
    end: (socket) => this.rooms.end(socket),
  })
  private readonly server = http.createServer(TIMES, (request, response) => {
    const { socket } = request
    const room = this.roomOf(request)
    if (!this.rooms.begin(socket, room)) return close(response, [503, { error: FULL }])
    // A client that went away misses its answer.
    void this.serve(request, response, room).finally(() => this.rooms.end(socket))
  })

  /**
   * `screen` holds the files of the operator's screen; none where it was not built. Calls `displaced` for
   * each connection closed to make room for another.
   */
  constructor(screen: readonly PageFile[] = [], displaced: () => void = () => {}) {
    this.screen = screen
    this.rooms = new AdminConnections(displaced)
    this.server.on('connection', (socket) => this.rooms.enter(socket))
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head))
  }

  /** Rejects with the socket's error, EADDRINUSE among them. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve)
    })
  }

  ready(parts: HealthParts): void {
    this._isReady = true
    this.parts = parts
  }

  get isReady(): boolean {
    return this._isReady
  }

  unready(): void {
    this._isReady = false
  }

  /** The exchange has left, and another one will be ready: what this one's parts were is over. */
  forget(): void {
    this._isReady = false
    this._degraded.clear()
  }

  /** Makes health fail and refuses actions from now on; `why` is one sentence. */
  fail(why: string): void {
    this._isReady = false
    this.failure = why
  }

  /** Says why a part of the exchange is not what it should be, in a sentence; undefined when it is. */
  degrade(part: string, why: string | undefined): void {
    if (why === undefined) this._degraded.delete(part)
    else this._degraded.set(part, why)
  }

  get degraded(): readonly string[] {
    return [...this._degraded.values()]
  }

  /** Names of the degraded parts. */
  get degradedParts(): readonly string[] {
    return [...this._degraded.keys()]
  }

  /** Whether `fail` was called. */
  get hasFailed(): boolean {
    return this.failure !== undefined
  }

  async close(): Promise<void> {
    if (!this.server.listening) return
    this.server.closeAllConnections()
    this.feeds.close()
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  /** Opens a feed of prices. What asks for another protocol, as some clients do of every server, is answered in HTTP/1.1. */
  private upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {})
    const isFeed = request.url === FEED && request.headers.upgrade?.toLowerCase() === 'websocket'
    const refusal = isFeed ? this.openFeed(request, socket, head) : undefined
    if (isFeed && refusal === undefined) return
    const response = new http.ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Socket)
    response.on('finish', () => socket.end())
    if (refusal === undefined) this.server.emit('request', request, response)
    else close(response, refusal)
  }

  /** Returns why there is none, if so. */
  private openFeed(
    request: http.IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): ServerAnswer | undefined {
    const guarded = guardRefusal(request)
    if (guarded !== undefined) return [403, { error: guarded }]
    if (this.failure !== undefined) return [503, { error: this.failure }]
    if (this.parts === undefined) return [503, { error: NOT_STARTED }]
    const refusal = this.parts.actions.feedRefusal(request)
    if (refusal !== undefined) return refusal
    if (!this.rooms.begin(socket, 'feed')) return [503, { error: FEEDS_FULL }]
    this.rooms.end(socket)
    return this.feeds.serve(request, socket, head) ? undefined : [400, { error: NO_HANDSHAKE }]
  }

  private async answerToFeed(request: http.IncomingMessage, text: string): Promise<unknown> {
    if (this.failure !== undefined) return { error: this.failure }
    try {
      return await this.parts?.actions.feed(request, text)
    } catch (error) {
      return { error: `The prices are not set: ${(error as Error).message}` }
    }
  }

  private roomOf(request: http.IncomingMessage): Room {
    if (guardRefusal(request) !== undefined) return 'stranger'
    if (MONITORED.includes(request.url ?? '')) return 'monitor'
    return this.parts?.actions.knows(request) === true ? 'operator' : 'stranger'
  }

  private async serve(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    room: Room,
  ): Promise<void> {
    const isGuarded = guardRefusal(request) === undefined
    if (isGuarded && sendFile(this.screen, request, response)) return
    if (room !== 'stranger') return send(response, await this.answerTo(request))
    await discard(request)
    close(response, await this.answerTo(request))
  }

  private async answerTo(request: http.IncomingMessage): Promise<ServerAnswer> {
    const refusal = guardRefusal(request)
    if (refusal !== undefined) return [403, { error: refusal }]
    const { url = '' } = request
    const ready = {
      ready: this._isReady,
      failure: this.failure,
      ...(this._degraded.size > 0 && { degraded: this.degraded }),
      ...this.diskState(),
    }
    if (url === '/healthz') return [this.failure === undefined ? 200 : 503, ready]
    if (url === '/readyz') return [this._isReady ? 200 : 503, ready]
    if (url === '/counters') return [200, this.parts?.readCounters() ?? []]
    if (url === '/metrics') return this.readMetrics()
    const isAction = ACTIONS.test(url)
    if (!isAction && !READ.test(url)) return [404, {}]
    if (isAction && this.failure !== undefined) return [503, { error: this.failure }]
    if (this.parts === undefined) return [503, { error: NOT_STARTED }]
    try {
      return await this.parts.actions.answer(request)
    } catch (error) {
      const what = isAction ? 'The action failed' : 'Figures cannot be read'
      return [500, { error: `${what}: ${(error as Error).message}` }]
    }
  }

  /** Nothing while there is room. Cancels need the exchange in rotation: it stays ready. */
  private diskState(): { readonly restriction?: string; readonly disk?: string } {
    const reading = this.parts?.readDisk?.()
    const disk = reading && diskWarning(reading)
    if (disk === undefined) return {}
    return reading?.isRefusing ? { restriction: REFUSING_TEXT, disk } : { disk }
  }

  private readMetrics(): ServerAnswer {
    if (this.parts === undefined) return [503, { error: NOT_STARTED }]
    if (this.parts.metrics === undefined) return [404, { error: 'Metrics are off.' }]
    try {
      return [200, this.parts.metrics.text(), CONTENT_TYPE]
    } catch (error) {
      return [500, { error: `Metrics cannot be read: ${fileFault(error)}.` }]
    }
  }
}

function send(response: http.ServerResponse, [status, answer, type]: ServerAnswer): void {
  response.writeHead(status, { 'Content-Type': type ?? 'application/json' })
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
}

/** The connection ends with this answer. */
function close(response: http.ServerResponse, answer: ServerAnswer): void {
  response.setHeader('Connection', 'close')
  send(response, answer)
}

/** Reads a body to its end; closes the connection of a longer one. */
async function discard(request: http.IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > REFUSED_BYTES_MAX) return
    }
  } catch {
    // The client went away.
  }
}
