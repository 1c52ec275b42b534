/**
 * The WebSocket API of the exchange over a connection that comes back. A request goes out once: one that was not
 * handed to a connection was not sent, and one that its connection leaves unanswered has an unknown outcome. A browser
 * sends a POST again when a kept connection ends unanswered; frames it never sends again.
 */
import type { Wire } from '../../api/answers/element.ts'
import type { errorAnswer, limitedData } from '../../api/answers/errors.ts'
import type { rateLimitCount } from '../../api/answers/limits.ts'
import { type Params, socketAddress } from './api.ts'
import { ApiError, NotSent } from './api-error.ts'
import { takeServerTime } from './server-clock.ts'
import { Socket, type SocketState } from './socket.ts'
import { notePause, noteWeight } from './weight.ts'

export interface Answer<Body> {
  readonly result: Body
  /** Stages of the request, and their total, ns. */
  readonly receipt?: Readonly<Record<string, number>>
}

interface Frame extends Partial<Answer<unknown>> {
  readonly id?: number
  readonly status?: number
  readonly error?: Wire<typeof errorAnswer>
  readonly event?: object
  readonly rateLimits?: readonly Wire<typeof rateLimitCount>[]
}

export interface ApiSocketOwner {
  readonly opened: () => void
  readonly changed: (state: SocketState, silentMs: number) => void
  readonly event: (event: object) => void
  readonly refused: (error: ApiError) => void
}

interface Waiting {
  readonly resolve: (answer: Answer<never>) => void
  readonly reject: (error: ApiError) => void
  readonly timer: number | undefined
}

/** A connection that leaves a request unanswered for so long is given up. */
const ANSWER_MS = 5_000

export class ApiSocket {
  private readonly owner: ApiSocketOwner
  private readonly socket: Socket
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0

  constructor(owner: ApiSocketOwner) {
    this.owner = owner
    this.socket = new Socket({
      address: () => socketAddress('/ws-api/v3'),
      opened: owner.opened,
      message: (text) => this.take(text),
      changed: (state, silentMs) => this.changed(state, silentMs),
      probe: () => this.probe(),
    })
  }

  get isOpen(): boolean {
    return this.socket.isOpen
  }

  /** Sends a request, once. Throws NotSent, and ApiError for a refusal and for an answer that does not come. */
  request<Body>(method: string, params: Params = {}): Promise<Answer<Body>> {
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      if (!this.socket.send(JSON.stringify({ id, method, params }))) return reject(new NotSent())
      const timer = setTimeout(() => this.socket.restart(), ANSWER_MS)
      this.waiting.set(id, { resolve, reject, timer })
    })
  }

  close(): void {
    this.socket.close()
    this.abandon()
  }

  /** Reads the exchange's clock: a probe that has a use. */
  private probe(): string {
    const id = ++this.lastId
    const sentMs = performance.now()
    const resolve = ({ result }: Answer<{ readonly serverTime: number }>) =>
      takeServerTime(result.serverTime, performance.now() - sentMs)
    this.waiting.set(id, { resolve, reject: () => {}, timer: undefined })
    return JSON.stringify({ id, method: 'time' })
  }

  private changed(state: SocketState, silentMs: number): void {
    if (state !== 'open' && state !== 'silent') this.abandon()
    this.owner.changed(state, silentMs)
  }

  /** The connection is gone: what it has not answered, it never will. */
  private abandon(): void {
    const abandoned = [...this.waiting.values()]
    this.waiting.clear()
    for (const { reject, timer } of abandoned) {
      clearTimeout(timer)
      reject(new ApiError(0, 0, 'The connection ended before the exchange answered.'))
    }
  }

  private take(text: string): void {
    let frame: Frame
    try {
      frame = JSON.parse(text) as Frame
    } catch {
      // Half a frame: what else the connection has lost is unknown.
      this.socket.restart()
      return
    }
    if (frame.event !== undefined) this.owner.event(frame.event)
    else this.takeAnswer(frame)
  }

  /** A second answer to a request is ignored. */
  private takeAnswer({ id, status = 0, error, rateLimits = [], ...answer }: Frame): void {
    for (const { rateLimitType, limit, count } of rateLimits) {
      if (rateLimitType === 'REQUEST_WEIGHT') noteWeight(count, limit)
    }
    const waiting = this.waiting.get(id ?? 0)
    this.waiting.delete(id ?? 0)
    clearTimeout(waiting?.timer)
    if (error === undefined) {
      waiting?.resolve(answer as Answer<never>)
      return
    }
    const refusal = new ApiError(status, error.code, error.msg, error.data)
    const { retryAfter, serverTime } = (error.data ?? {}) as Partial<Wire<typeof limitedData>>
    if (retryAfter !== undefined) notePause(retryAfter - (serverTime ?? retryAfter))
    waiting?.reject(refusal)
    this.owner.refused(refusal)
  }
}
