/**
 * What all WebSocket connections of a gateway have in common: sending, being pinged, being closed
 * (supplement 2d, Connection rules). A socket is never touched after it was closed.
 */
import type { WebSocket } from 'uWebSockets.js'
import type { Clock } from '#base/clock.ts'
import { GatewayCounter, type ThreadCounters } from '#ring/counters.ts'

export const PING_MS = 20_000
const PONG_TIMEOUT_MS = 60_000
/** uWebSockets.js has a limit of its own, but of four hours at most. */
const LIFE_MS = 24 * 60 * 60 * 1000
const MESSAGES_PER_SECOND_MAX = 5
/** What `send` of uWebSockets.js answers when the reader was too slow; it closes the socket then. */
const DROPPED = 2

/** WebSocket close codes (RFC 6455, 7.4.1). */
export const CloseCode = { NORMAL: 1000, GOING_AWAY: 1001, POLICY: 1008, TRY_AGAIN: 1013 } as const

export interface SocketData {
  readonly connection: Connection
}

export interface ConnectionParts {
  readonly clock: Clock
  readonly counters: ThreadCounters
}

export abstract class Connection {
  readonly #parts: ConnectionParts
  #socket: WebSocket<SocketData> | undefined
  readonly #madeMs: number
  #pongMs: number
  #second = 0
  #messagesThisSecond = 0

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#madeMs = parts.clock.nowMs()
    this.#pongMs = this.#madeMs
  }

  /** Says that the exchange is about to stop. */
  abstract announceShutdown(nowMs: number): void
  /** One text frame from the client. */
  abstract received(text: string): void
  /** The socket is open. */
  protected abstract opened(): void
  /** The socket is gone: give back what the connection holds. */
  protected abstract left(): void

  open(socket: WebSocket<SocketData>): void {
    this.#socket = socket
    this.opened()
  }

  closed(): void {
    this.#socket = undefined
    this.left()
  }

  send(text: string): void {
    if (this.#socket?.send(text) === DROPPED) {
      this.#parts.counters.add(GatewayCounter.slowClientsClosed, 1)
    }
  }

  subscribe(topic: string): void {
    this.#socket?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.#socket?.unsubscribe(topic)
  }

  end(code: number): void {
    this.#socket?.end(code)
  }

  ponged(): void {
    this.#pongMs = this.#parts.clock.nowMs()
  }

  /** Every PING_MS: asks whether the client is there; ends the connection when it long was not. */
  ping(nowMs: number): void {
    if (nowMs - this.#madeMs > LIFE_MS) this.end(CloseCode.NORMAL)
    else if (nowMs - this.#pongMs > PONG_TIMEOUT_MS) this.#socket?.close()
    else this.#socket?.ping(String(nowMs))
  }

  /** Counts a frame of the client; false when there were too many in this second. */
  protected countMessage(): boolean {
    const second = Math.floor(this.#parts.clock.nowMs() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#messagesThisSecond = 0
    }
    this.#messagesThisSecond++
    return this.#messagesThisSecond <= MESSAGES_PER_SECOND_MAX
  }
}
