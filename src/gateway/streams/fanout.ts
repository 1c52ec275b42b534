/**
 * Sends frames of market streams to all readers of a topic, so many bytes a tick of the event loop. A
 * cascade of thousands of trades with hundreds of readers is a second of work, and requests of other
 * clients are served between its parts. Frames leave in the order in which they were published.
 */
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'

/** What one tick sends, counted once for each reader: some milliseconds of work. */
export const TICK_BYTES = 2 * 1024 * 1024
/** What each delivery costs beside its bytes, as bytes. */
export const DELIVERY_BYTES = 1024
/** Characters of frames that wait. What does not fit is sent at once, with all that waits before it. */
export const WAITING_CHARS_MAX = 16 * 1024 * 1024

interface Waiting {
  readonly topic: string
  readonly frame: string
  readonly readers: number
}

export interface FanoutParts {
  readonly counters: ThreadCounters
  /** Sends a frame to all subscribers of a topic. */
  readonly publish: (topic: string, frame: string) => void
  /** Called when the first frame waits: `tick` must be called soon. */
  readonly waits: () => void
}

export class Fanout {
  readonly #parts: FanoutParts
  #waiting: Waiting[] = []
  /** Of `#waiting`, how many have been sent. */
  #sent = 0
  #waitingChars = 0
  #left = TICK_BYTES

  constructor(parts: FanoutParts) {
    this.#parts = parts
  }

  /** Whether frames wait for a tick. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Characters of the frames that wait. */
  get waitingChars(): number {
    return this.#waitingChars
  }

  publish(topic: string, frame: string, readers: number): void {
    if (!this.isWaiting && this.#left > 0) {
      this.#send(topic, frame, readers)
      return
    }
    if (this.#waitingChars + frame.length > WAITING_CHARS_MAX) {
      this.#parts.counters.add(GatewayCounter.framesUnpaced, this.#waiting.length - this.#sent + 1)
      while (this.isWaiting) this.#sendNext()
      this.#send(topic, frame, readers)
      return
    }
    const isFirst = !this.isWaiting
    this.#waiting.push({ topic, frame, readers })
    this.#waitingChars += frame.length
    if (isFirst) this.#parts.waits()
  }

  /** To be called once a tick. Returns how many waiting frames it sent. */
  tick(): number {
    this.#left = TICK_BYTES
    let count = 0
    while (this.isWaiting && this.#left > 0) {
      this.#sendNext()
      count++
    }
    return count
  }

  #sendNext(): void {
    const { topic, frame, readers } = this.#waiting[this.#sent++]!
    this.#waitingChars -= frame.length
    if (this.#sent === this.#waiting.length) {
      this.#waiting = []
      this.#sent = 0
    }
    this.#send(topic, frame, readers)
  }

  #send(topic: string, frame: string, readers: number): void {
    this.#left -= readers * (frame.length + DELIVERY_BYTES)
    this.#parts.publish(topic, frame)
  }
}
