/**
 * What all WebSocket connections of a gateway have in common: sending, being pinged, being closed
 * (supplement 2d, Connection rules). A socket is never touched after it was closed.
 */
import type { WebSocket } from 'uWebSockets.js'
import { type Clock, elapsedMs } from '../../base/clock.ts'
import { SECOND_MS } from '../../market/intervals.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { Guarded } from '../limits/memory-guard.ts'

export const PING_MS = 20_000
const PONG_TIMEOUT_MS = 60_000
/** uWebSockets.js has a limit of its own, but of four hours at most. */
const LIFE_MS = 24 * 60 * 60 * 1000
/** Pings that a client may still answer: those of the time that it has for a pong. */
const PINGS_MAX = PONG_TIMEOUT_MS / PING_MS
/** What `send` of uWebSockets.js answers when the reader was too slow; it closes the socket then. */
const DROPPED = 2

/** Why we close a connection: a WebSocket close code (RFC 6455, 7.4.1), and what the client reads. */
export const Ending = {
  DAY_OVER: { code: 1000, reason: 'a connection lasts 24 hours' },
  KEY_CLOSED: { code: 1000, reason: 'the listen key was closed' },
  NO_SUCH_KEY: { code: 1008, reason: 'This listenKey does not exist.' },
  KEY_REVOKED: { code: 1008, reason: 'the API key was revoked' },
  STOPPING: { code: 1001, reason: 'the exchange stops' },
  TOO_MANY_STREAMS: { code: 1008, reason: 'too many streams are read from this address' },
  OUT_OF_MEMORY: { code: 1013, reason: 'memory is short, come back later' },
  SILENT: { code: 1008, reason: 'nothing came for as long as heartbeatMs said' },
  EVENTS_MISSED: { code: 1013, reason: 'events were missed, begin anew' },
} as const
export type Ending = (typeof Ending)[keyof typeof Ending]

export interface SocketData {
  readonly connection: Connection
  /** Where the client is, 4 or 16 bytes. */
  readonly address: ArrayBuffer
}

/** What a client may send in a second. */
export interface FrameLimits {
  /** Frames of any kind. */
  readonly framesPerSecond: number
  /** Pings and pongs. */
  readonly controlsPerSecond: number
}

export interface ConnectionParts {
  readonly clock: Clock
  readonly counters: ThreadCounters
}

export abstract class Connection implements Guarded {
  readonly #parts: ConnectionParts
  #socket: WebSocket<SocketData> | undefined
  readonly #limits: FrameLimits
  /** These are monotonic: a wall clock that steps ends no connection. */
  readonly #madeMs: number
  #pongMs: number
  /** Payloads of pings not answered yet. */
  #pings: string[] = []
  /** When the second began in which frames are counted; it begins with a frame. */
  #secondMs = Number.NEGATIVE_INFINITY
  #framesThisSecond = 0
  #controlsThisSecond = 0
  #isClosing = false
  #isDropped = false
  /** Where the client is, as addressKey() counts it; '' until it is open. */
  peer = ''

  /** A client that sends more than `limits` is closed. */
  constructor(parts: ConnectionParts, limits: FrameLimits) {
    this.#parts = parts
    this.#limits = limits
    this.#madeMs = elapsedMs(parts.clock)
    this.#pongMs = this.#madeMs
  }

  /** Says that the exchange is about to stop. */
  abstract announceShutdown(nowMs: number): void
  /** A frame of any kind came from the client. */
  protected frameReceived(): void {}
  /** One text frame from the client. */
  protected abstract received(text: string): void
  /** The socket is open. */
  protected abstract opened(): void
  /** The socket is gone: give back what the connection holds. */
  protected abstract left(): void

  /** The socket is open; the client's names and unread bytes count for `peer`. */
  open(socket: WebSocket<SocketData>, peer: string): void {
    this.#socket = socket
    this.peer = peer
    this.opened()
  }

  closed(): void {
    this.#socket = undefined
    this.left()
  }

  /** A frame found no room any more: the client reads too slowly, and is closed for it. */
  dropped(): void {
    if (this.#isDropped) return
    this.#isDropped = true
    this.#parts.counters.add(GatewayCounter.slowClientsClosed, 1)
  }

  get unreadBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0
  }

  drop(): void {
    this.dropped()
    this.#socket?.close()
  }

  shed(): void {
    this.end(Ending.OUT_OF_MEMORY)
  }

  send(text: string): void {
    if (this.#socket?.send(text) !== DROPPED) return
    this.dropped()
    // It is closed, which is told only after other frames that are sent together with this one.
    this.#socket = undefined
  }

  /** Several frames, together. */
  sendAll(texts: readonly string[]): void {
    this.#socket?.cork(() => {
      for (const text of texts) this.send(text)
    })
  }

  subscribe(topic: string): void {
    this.#socket?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.#socket?.unsubscribe(topic)
  }

  end({ code, reason }: Ending): void {
    this.#socket?.end(code, reason)
  }

  /**
   * Closes the connection once what was sent has left: in the next tick, or at the next frame before
   * it. A graceful end would read on for as long as the client sends.
   */
  closeSoon(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    setImmediate(() => this.#socket?.close())
  }

  /** A text or binary frame came; one that was on its way when the connection ended does nothing. */
  messaged(text: string): void {
    if (this.#socket === undefined) return
    this.frameReceived()
    if (this.#countFrame(false)) this.received(text)
  }

  /** A ping came, and was answered. */
  pinged(): void {
    this.frameReceived()
    this.#countFrame(true)
  }

  /** A pong came. One that answers no ping is harmless, and does not keep alive. */
  ponged(payload: string): void {
    this.frameReceived()
    if (!this.#countFrame(true)) return
    const answered = this.#pings.indexOf(payload)
    if (answered < 0) return
    this.#pings.splice(0, answered + 1)
    this.#pongMs = elapsedMs(this.#parts.clock)
  }

  /** Every PING_MS: asks whether the client is there; ends the connection when it long was not. */
  ping(): void {
    const { clock } = this.#parts
    const passedMs = elapsedMs(clock)
    if (passedMs - this.#madeMs > LIFE_MS) this.end(Ending.DAY_OVER)
    else if (passedMs - this.#pongMs > PONG_TIMEOUT_MS) this.#socket?.close()
    else this.#ping(String(clock.nowMs()))
  }

  #ping(payload: string): void {
    this.#pings.push(payload)
    if (this.#pings.length > PINGS_MAX) this.#pings.shift()
    this.#socket?.ping(payload)
  }

  /** Returns false, and closes, when too many came in this second or a limit was met before. */
  #countFrame(isControl: boolean): boolean {
    const { framesPerSecond, controlsPerSecond } = this.#limits
    // A frame that no limit counts costs no reading of the clock.
    if (!isControl && framesPerSecond === Number.POSITIVE_INFINITY) return this.#goesOn(true)
    const passedMs = elapsedMs(this.#parts.clock)
    if (passedMs - this.#secondMs >= SECOND_MS) {
      this.#secondMs = passedMs
      this.#framesThisSecond = 0
      this.#controlsThisSecond = 0
    }
    this.#framesThisSecond++
    if (isControl) this.#controlsThisSecond++
    const isWithin =
      this.#framesThisSecond <= framesPerSecond && this.#controlsThisSecond <= controlsPerSecond
    return this.#goesOn(isWithin)
  }

  /** Returns false, and closes, when the frame is beyond a limit or the connection is closing. */
  #goesOn(isWithin: boolean): boolean {
    if (isWithin && !this.#isClosing) return true
    this.#socket?.close()
    return false
  }
}
