/**
 * Stands in for uWebSockets.js below one gateway: requests and frames come from the simulation, and
 * what the gateway writes waits until the simulation reads it. A connection may be lost at any time,
 * and a reader may be so slow that it is closed, as the real thing does it.
 */

import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  WebSocket,
  WebSocketBehavior,
} from 'uWebSockets.js'
import { assert } from '../../../src/base/assert.ts'
import type { Time } from '../../../src/base/time.ts'
import type { Sockets } from '../../../src/gateway/port.ts'
import type { SocketData } from '../../../src/gateway/websocket/connection.ts'

type Handler = (response: HttpResponse, request: HttpRequest) => void
type Behavior = WebSocketBehavior<SocketData>

const SENT = 1
const DROPPED = 2
const address = new Uint8Array([127, 0, 0, 1]).buffer

/** What a client is answered over HTTP. */
export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export class FalseSockets implements Sockets {
  isListening = false
  private readonly routes = new Map<string, Handler>()
  private readonly behaviors = new Map<string, Behavior>()
  private readonly open = new Set<FalseSocket>()
  private readonly time: Time

  constructor(time: Time) {
    this.time = time
  }

  readonly App = (): TemplatedApp => {
    const route = (method: string) => (path: string, handler: Handler) => {
      this.routes.set(`${method} ${path}`, handler)
    }
    return {
      get: route('GET'),
      head: route('HEAD'),
      post: route('POST'),
      put: route('PUT'),
      del: route('DELETE'),
      options: route('OPTIONS'),
      any: route('ANY'),
      filter: () => {},
      ws: (pattern: string, behavior: Behavior) => this.behaviors.set(pattern, behavior),
      listen: (_host: string, _port: number, done: (socket: us_listen_socket) => void) => {
        this.isListening = true
        done({} as us_listen_socket)
      },
      publish: (topic: string, frame: string) => {
        for (const socket of this.open) if (socket.topics.has(topic)) socket.deliver(frame)
      },
      close: () => {
        for (const socket of [...this.open]) socket.lose()
      },
    } as unknown as TemplatedApp
  }

  readonly us_listen_socket_close = (): void => {
    this.isListening = false
  }

  /** Connects a WebSocket. */
  connect(url: string): FalseSocket {
    const [path = '', query = ''] = url.split('?')
    const behavior = this.behaviors.get(path) ?? this.behaviors.get('/ws/*')
    assert(behavior !== undefined && this.isListening, 'a server listens')
    let socket: FalseSocket | undefined
    const response = {
      getRemoteAddress: () => address,
      upgrade: (data: SocketData) => {
        socket = new FalseSocket(behavior, data, this.time, () => this.open.delete(socket!))
      },
    }
    behavior.upgrade!(response as never, requestOf(path, query, ''), {} as never)
    assert(socket !== undefined, 'a connection is accepted')
    this.open.add(socket)
    behavior.open!(socket as unknown as WebSocket<SocketData>)
    return socket
  }

  /** Sends a request, whose answer is found in what this returns once there is one. */
  request(method: string, path: string, query: string, apiKey: string): FalseExchange {
    const exchange = new FalseExchange()
    const handler = this.routes.get(`${method} ${path}`)
    assert(handler !== undefined, `there is ${method} ${path}`)
    handler(exchange as unknown as HttpResponse, requestOf(path, query, apiKey))
    return exchange
  }
}

function requestOf(path: string, query: string, apiKey: string): HttpRequest {
  const headers: Record<string, string> = { 'x-mbx-apikey': apiKey }
  return {
    getUrl: () => path,
    getQuery: () => query,
    getHeader: (name: string | ArrayBuffer) =>
      headers[typeof name === 'string' ? name : Buffer.from(name).toString()] ?? '',
  } as unknown as HttpRequest
}

/** The response of one HTTP request, and what its client has of it. */
export class FalseExchange {
  answer: HttpAnswer | undefined
  private status = 0
  private aborted: (() => void) | undefined = undefined
  private isGone = false

  getRemoteAddress(): ArrayBuffer {
    return address
  }

  onAborted(handler: () => void): this {
    this.aborted = handler
    return this
  }

  cork(write: () => void): this {
    this.check()
    write()
    return this
  }

  writeStatus(head: string): this {
    this.check()
    this.status = Number(head.slice(0, 3))
    return this
  }

  end(body: string | Uint8Array): this {
    this.check()
    this.answer = { status: this.status, body: textOf(body) }
    return this
  }

  tryEnd(body: string | Uint8Array): [boolean, boolean] {
    this.end(body)
    return [true, true]
  }

  /** The client is gone before it was answered. */
  lose(): void {
    if (this.answer !== undefined || this.isGone) return
    assert(this.aborted !== undefined, 'who answers later looks out for the end of the connection')
    this.isGone = true
    this.aborted()
  }

  private check(): void {
    assert(!this.isGone, 'a response is not touched after its client has gone')
    assert(this.answer === undefined, 'a request is answered once')
  }
}

/** One WebSocket, from both ends. */
export class FalseSocket {
  /** Frames that the client has not read yet. */
  readonly frames: string[] = []
  readonly topics = new Set<string>()
  isOpen = true
  /** A client that reads nothing: the next frame is dropped and the connection is closed. */
  isStuck = false
  private isDropped = false
  private readonly behavior: Behavior
  private readonly data: SocketData
  private readonly time: Time
  private readonly left: () => void

  constructor(behavior: Behavior, data: SocketData, time: Time, left: () => void) {
    this.behavior = behavior
    this.data = data
    this.time = time
    this.left = left
  }

  /** The client sends a frame. */
  say(text: string): void {
    const bytes = new TextEncoder().encode(text).buffer
    this.behavior.message!(this.self, bytes as ArrayBuffer, false)
  }

  /** The connection ends, from either side. */
  lose(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.left()
    this.behavior.close!(this.self, 1006, new ArrayBuffer(0))
  }

  /** A frame of a topic. */
  deliver(frame: string): void {
    this.send(frame)
  }

  getUserData(): SocketData {
    return this.data
  }

  send(frame: string | Uint8Array): number {
    assert(this.isOpen, 'a socket is not touched after it was closed')
    if (this.isDropped) return DROPPED
    if (this.isStuck) {
      this.isDropped = true
      // The real one reports it later.
      this.time.defer(() => this.lose())
      return DROPPED
    }
    this.frames.push(textOf(frame))
    return SENT
  }

  getBufferedAmount(): number {
    return 0
  }

  cork(write: () => void): void {
    write()
  }

  subscribe(topic: string): void {
    this.topics.add(topic)
  }

  unsubscribe(topic: string): void {
    this.topics.delete(topic)
  }

  ping(payload: string): void {
    if (this.isStuck) return
    this.time.defer(() => {
      if (this.isOpen) this.behavior.pong!(this.self, Buffer.from(payload) as never)
    })
  }

  end(): void {
    this.lose()
  }

  close(): void {
    this.lose()
  }

  private get self(): WebSocket<SocketData> {
    return this as unknown as WebSocket<SocketData>
  }
}

/** Bytes are a view of memory that is used again. */
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString()
