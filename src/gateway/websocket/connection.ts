/**
 * The base of all WebSocket connections of a gateway: sending, pings, closing (web-socket-streams.md,
 * Connection rules). No code touches a socket after it was closed.
 */
import type { WebSocket } from 'uWebSockets.js'
import type { Encoder } from '../../api/answers/encoders.ts'
import { addressText } from '../../base/address-range.ts'
import type { ClockPart, ClockParts, Participants } from '../../base/participants.ts'
import { elapsedMs, type Time } from '../../base/time.ts'
import type { Ms } from '../../base/units.ts'
import { SECOND_MS } from '../../market/intervals.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { SessionRow } from '../../shared/operator-query.ts'
import type { Guarded } from '../limits/memory-guard.ts'
import { ClockSession } from '../sessions/clock-session.ts'
import type { FaultedReader, FrameFaults, FrameGate } from '../streams/frame-faults.ts'
import type { Frame, Sender } from '../streams/outbox.ts'

export const PING_MS = 20_000
const PONG_TIMEOUT_MS = 60_000
/** The limit of uWebSockets.js is four hours at most. */
const LIFE_MS = 24 * 60 * 60 * 1000
/** Pings that a pong may still match: those of the time that a client has for a pong. */
const PINGS_MAX = PONG_TIMEOUT_MS / PING_MS
/** First characters of an API key that operators see in the list of sessions. */
export const SHOWN_KEY_CHARS = 8
const NOWHERE = new ArrayBuffer(0)
/** What `send` of uWebSockets.js returns for a reader that is too slow; it then closes the socket. */
const DROPPED = 2
/**
 * Frames that a refused client may send before its close frame leaves. A flood gets none: after a close
 * frame uWebSockets.js reads a socket for up to 4 seconds.
 */
export const LATE_FRAMES_MAX = 64

/** Why the gateway closes a connection: a WebSocket close code (RFC 6455, 7.4.1) and its text. */
export const Ending = {
  DAY_OVER: { code: 1000, reason: 'a connection lasts 24 hours' },
  KEY_CLOSED: { code: 1000, reason: 'the listen key was closed' },
  NO_SUCH_KEY: { code: 1008, reason: 'This listenKey does not exist.' },
  KEY_UNUSABLE: { code: 1008, reason: 'the API key may no longer read from this address' },
  SBE_OFF: { code: 1008, reason: 'SBE was switched off' },
  KEY_REVOKED: { code: 1008, reason: 'the API key was revoked' },
  STOPPING: { code: 1001, reason: 'the exchange stops' },
  TOO_MANY_STREAMS: { code: 1008, reason: 'too many streams are read from this address' },
  OUT_OF_MEMORY: { code: 1013, reason: 'memory is short, come back later' },
  TOO_MANY_FRAMES: { code: 1008, reason: 'Too many requests' },
  PONG_TIMEOUT: { code: 1008, reason: 'Pong timeout' },
  MESSAGE_TOO_BIG: { code: 1009, reason: 'Message too big' },
  SILENT: { code: 1008, reason: 'nothing came for as long as heartbeatMs said' },
  UNACKNOWLEDGED: { code: 1008, reason: 'the clock waited too long for an acknowledgement' },
  OPERATOR: { code: 1008, reason: 'the operator closed the connection' },
  CUT_OFF: { code: 1013, reason: 'the quorum does not confirm this leader, reconnect' },
  EVENTS_MISSED: { code: 1013, reason: 'events were missed, reconnect' },
} as const
export type Ending = (typeof Ending)[keyof typeof Ending]

/** What the types of uWebSockets.js leave out. */
interface Fragmenting {
  sendFirstFragment(message: Uint8Array, isBinary: boolean): number
}

export interface SocketData {
  /** Whether its address counts it: one that is exempt at that moment does not. */
  isCounted: boolean
  connection: Connection
  /** The client's address, 4 or 16 bytes. */
  readonly address: ArrayBuffer
}

/** Frames that a client may send in a second. */
export interface FrameLimits {
  /** Frames of any kind. */
  readonly framesPerSecond: number
  /** Pings and pongs. */
  readonly controlsPerSecond: number
}

export type SessionDetail = Pick<SessionRow, 'transport' | 'accounts' | 'apiKey' | 'streams'>

export interface ConnectionParts {
  readonly clock: Time
  readonly counters: ThreadCounters
  /** Participants of the virtual clock; undefined where time is the machine's. */
  readonly participants?: Participants | undefined
  /** Undefined while the sandbox is off. */
  readonly frameFaults?: FrameFaults | undefined
}

export abstract class Connection implements Guarded, Sender, FaultedReader {
  private readonly clock: ConnectionParts['clock']
  private readonly counters: ConnectionParts['counters']
  /** Undefined where time is the machine's. */
  protected readonly clockSession: ClockSession | undefined
  /** What frames that answer no request pass; undefined while the sandbox is off. */
  protected readonly gate: FrameGate | undefined
  private socket: WebSocket<SocketData> | undefined = undefined
  /** The one that has its socket now; requests that are under way are answered there. */
  private successor: Connection | undefined = undefined
  private readonly limits: FrameLimits
  /** Monotonic times: a step of the wall clock ends no connection. */
  private madeMs: number
  /** When the last pong came, by the wall, as all counts of pings and frames: its client's time cannot be moved. */
  private pongMs: number
  /** Payloads of pings without a pong yet. */
  private pings: string[] = []
  /** Begin of the second in which frames are counted; it begins with a frame. */
  private secondMs = Number.NEGATIVE_INFINITY
  private framesThisSecond = 0
  private controlsThisSecond = 0
  private unanswered = 0
  private isRefusing = false
  /** Frames that came since the first one that was refused. */
  private lateFrames = 0
  private isDropped = false
  /** Frames that wait until they are sent together (streams/outbox.ts). */
  readonly kept: Frame[] = []
  private readonly sendEachKept = () => {
    for (const frame of this.kept) this.send(frame)
  }
  private client: object = {}
  /** The client's address, as addressKey() counts it; '' until it is open. */
  peer = ''
  /** Counts the gateway's connections, from 1; 0 until it is open. */
  number = 0

  /** A client that sends more than `limits` is closed. */
  constructor(parts: ConnectionParts, limits: FrameLimits) {
    this.clock = parts.clock
    this.counters = parts.counters
    this.limits = limits
    const late = () => this.end(Ending.UNACKNOWLEDGED)
    this.clockSession = parts.participants && new ClockSession(parts.participants, late)
    this.gate = parts.frameFaults?.gateOf(this)
    this.madeMs = elapsedMs(parts.clock)
    this.pongMs = elapsedMs(parts.clock.wall)
  }

  abstract readonly over: 'streams' | 'sessions'
  /** The encoder of frames that it sends itself. */
  abstract readonly encoder: Encoder
  /** Whose events it reads. */
  abstract get accounts(): readonly number[]
  /** Tells the client that the exchange is about to stop. */
  abstract announceShutdown(nowMs: Ms): void
  /** Places no more orders, and cancels those that end with it. */
  endOrders(): void {}
  /** Called when the operator revoked an API key. */
  revoke(_apiKey: string): void {}
  /** Called when the operator changed an API key, and did not revoke it. */
  keyChanged(_apiKey: string): void {}
  /** Called once a second, and when listen keys end: ends their streams. */
  checkKeys(): void {}
  /** Called when the sandbox has other rules. */
  checkFaults(): void {}
  /** Starts streams of a newly listed symbol that the client had subscribed to before. */
  openStreams(_symbol: string): void {}
  /** Called when bans began: ends the connection when one of its address is on. */
  closeIfBanned(_nowMs: Ms): void {}
  /** Called when the quorum no longer confirms this leader. */
  leave(nowMs: Ms): void {
    this.announceShutdown(nowMs)
  }
  /** What operators see of it, beside what all connections have. */
  protected abstract detail(): SessionDetail
  /** Called with a frame of any kind from the client. */
  protected frameReceived(): void {}
  /** Called with one text frame from the client. */
  protected abstract received(text: string): void
  protected abstract opened(): void
  /** Called when the socket is gone: releases the connection's resources. */
  protected abstract left(): void
  /** Called when it has the socket of another connection: goes on with what that one's client had asked for. */
  protected abstract continues(before: this): void

  /** Called when the socket is open; the client's names and unread bytes count for `peer`. */
  open(socket: WebSocket<SocketData>, peer: string): void {
    this.socket = socket
    this.peer = peer
    this.opened()
  }

  /**
   * Has the socket of a connection of another exchange from now on, with the pings to it. Returns undefined when the
   * socket is gone.
   */
  takeOver(before: this, parts: ClockParts): SocketData | undefined {
    const { socket } = before
    if (socket === undefined) return undefined
    this.client = before.client
    this.peer = before.peer
    this.number = before.number
    // A virtual clock may have gone back.
    this.madeMs = Math.min(this.madeMs, before.madeMs)
    this.pongMs = before.pongMs
    this.pings = before.pings
    before.successor = this
    for (const topic of socket.getTopics()) socket.unsubscribe(topic)
    this.socket = socket
    const part = parts.get(this.client)
    if (part !== undefined) this.clockSession?.resume(part, before.clockSession!.unacknowledged)
    this.continues(before)
    before.closed()
    const data = socket.getUserData()
    data.connection = this
    return data
  }

  get clockParts(): readonly (readonly [object, ClockPart])[] {
    const part = this.clockSession?.part
    return part === undefined ? [] : [[this.client, part]]
  }

  closed(): void {
    this.socket = undefined
    this.clockSession?.leave()
    this.gate?.close()
    this.left()
  }

  /** Called when a frame has no room: the client reads too slowly, and is closed. */
  dropped(): void {
    if (this.isDropped) return
    this.isDropped = true
    this.counters.add(GatewayCounter.slowClientsClosed, 1)
  }

  /** Returns what operators see of it; `passedMs` is monotonic. */
  describe(passedMs: number): SessionRow {
    return {
      session: this.number,
      address: this.isOpen ? addressText(new Uint8Array(this.remoteAddress)) : '',
      ...this.detail(),
      seconds: Math.floor((passedMs - this.madeMs) / SECOND_MS),
      unreadBytes: this.unreadBytes,
    }
  }

  /** The client's, 4 or 16 bytes; none once it is gone. */
  get remoteAddress(): ArrayBuffer {
    return this.socket?.getUserData().address ?? NOWHERE
  }

  /** The connection that has the socket. */
  private get present(): Connection {
    return this.successor?.present ?? this
  }

  get isOpen(): boolean {
    return this.socket !== undefined
  }

  /** Bytes that the client has not read. */
  get bufferedBytes(): number {
    return this.socket?.getBufferedAmount() ?? 0
  }

  /** Bytes that its client has not read, and those that faults of the sandbox hold back. */
  get unreadBytes(): number {
    return this.bufferedBytes + (this.gate?.heldBytes ?? 0)
  }

  drop(): void {
    this.dropped()
    this.socket?.close()
  }

  shed(): void {
    this.end(Ending.OUT_OF_MEMORY)
  }

  /** Closes the connection at once, and reads no more of it. */
  cut(): void {
    this.present.socket?.close()
  }

  send(frame: Frame, isBinary = this.encoder.isBinary === true): void {
    if (this.successor !== undefined) this.successor.send(frame, isBinary)
    else if (this.socket?.send(frame, isBinary) === DROPPED) this.lose()
  }

  private lose(): void {
    this.dropped()
    // The socket is closed; uWebSockets.js reports it only after the other frames of the same send.
    this.socket = undefined
  }

  /** Sends a frame that answers no request. */
  sendEventFrame(frame: Frame, isBinary?: boolean): void {
    if (this.socket === undefined) return
    this.clockSession?.sent()
    this.send(frame, isBinary)
  }

  /** Sends the first half of a message, and ends the connection at once. */
  sendHalf(frame: Frame): void {
    const bytes = Buffer.from(frame)
    const socket = this.present.socket as Fragmenting | undefined
    socket?.sendFirstFragment(bytes.subarray(0, bytes.length >> 1), this.encoder.isBinary === true)
    this.clock.defer(() => this.cut())
  }

  /** Sends the kept frames together. */
  sendKept(): void {
    this.present.socket?.cork(this.sendEachKept)
    this.kept.length = 0
  }

  subscribe(topic: string): void {
    this.socket?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.socket?.unsubscribe(topic)
  }

  end({ code, reason }: Ending): void {
    this.closeWith(code, reason)
  }

  closeWith(code: number, reason: string): void {
    this.present.socket?.end(code, reason)
  }

  /** Called with each request that is answered later. */
  protected asked(): void {
    this.unanswered++
  }

  /** Called when such a request gets its answer. */
  answered(): void {
    if (--this.unanswered === 0 && this.isRefusing) this.endWhenAnswered()
  }

  /** Reads no more frames, and ends the connection once the answers to earlier ones have left. */
  refuseFrames(): void {
    if (this.isRefusing) return
    this.isRefusing = true
    this.endWhenAnswered()
  }

  private endWhenAnswered(): void {
    this.clock.defer(() => {
      if (this.unanswered === 0) this.end(Ending.TOO_MANY_FRAMES)
    })
  }

  /** Takes a text or binary frame; one that arrives after the connection ended does nothing. */
  messaged(text: string): void {
    if (this.socket === undefined) return
    this.frameReceived()
    if (this.countFrame(false)) this.received(text)
  }

  /** Counts a ping, which uWebSockets.js has answered with a pong. */
  pinged(): void {
    this.frameReceived()
    this.countFrame(true)
  }

  /** Takes a pong. One that matches no ping is harmless, and does not keep the connection alive. */
  ponged(payload: string): void {
    this.frameReceived()
    if (!this.countFrame(true)) return
    const answered = this.pings.indexOf(payload)
    if (answered < 0) return
    this.pings.splice(0, answered + 1)
    this.pongMs = elapsedMs(this.clock.wall)
  }

  /** Every PING_MS: pings the client, and ends the connection after a long silence. */
  ping(): void {
    const { wall } = this.clock
    if (elapsedMs(wall) - this.pongMs > PONG_TIMEOUT_MS) this.end(Ending.PONG_TIMEOUT)
    else this.sendPing(String(wall.nowMs()))
  }

  /** Ends the connection once its day is over; `passedMs` is monotonic. */
  endIfOld(passedMs: number): void {
    if (passedMs - this.madeMs > LIFE_MS) this.end(Ending.DAY_OVER)
  }

  /** When its day, or one of its streams, is over; monotonic ms. */
  get endsMs(): number {
    return this.madeMs + LIFE_MS + 1
  }

  private sendPing(payload: string): void {
    this.pings.push(payload)
    if (this.pings.length > PINGS_MAX) this.pings.shift()
    this.socket?.ping(payload)
  }

  /** Returns false, and refuses, after too many frames in this second or an earlier refusal. */
  private countFrame(isControl: boolean): boolean {
    const { framesPerSecond, controlsPerSecond } = this.limits
    // A frame that no limit counts reads no clock.
    if (!isControl && framesPerSecond === Number.POSITIVE_INFINITY) return this.goesOn(true)
    const passedMs = elapsedMs(this.clock.wall)
    if (passedMs - this.secondMs >= SECOND_MS) {
      this.secondMs = passedMs
      this.framesThisSecond = 0
      this.controlsThisSecond = 0
    }
    this.framesThisSecond++
    if (isControl) this.controlsThisSecond++
    const isWithin =
      this.framesThisSecond <= framesPerSecond && this.controlsThisSecond <= controlsPerSecond
    return this.goesOn(isWithin)
  }

  /** Returns false when the frame is beyond a limit or follows one that was. */
  private goesOn(isWithin: boolean): boolean {
    if (isWithin && !this.isRefusing) return true
    if (++this.lateFrames > LATE_FRAMES_MAX) this.socket?.close()
    else this.refuseFrames()
    return false
  }
}
