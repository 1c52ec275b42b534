/**
 * All that one matcher sends to one gateway, in one order: the events that all gateways read, and between
 * them the replies to this gateway, each after all events that stand before it and before any other.
 *
 * The matcher publishes replies before events. So the published event position is loaded first, and
 * then every reply that stands before it is seen.
 */
import type { RecordBuffer } from '../layout/record-buffer.ts'
import type { EventRingReader } from './event-ring.ts'
import type { ReplyRingReader } from './reply-ring.ts'

type Visit = (buffer: RecordBuffer, at: number) => void

/** Replies that one poll takes, so that sockets are served between polls. */
const REPLY_BYTES = 256 * 1024

export class Inbox {
  readonly events: EventRingReader
  readonly #replies: ReplyRingReader
  readonly #visit: Visit
  readonly #visitReply: Visit
  #waitingBytes = 0
  #isRoomAwaited = false

  constructor(
    events: EventRingReader,
    replies: ReplyRingReader,
    visitEvent: Visit,
    visitReply: Visit,
  ) {
    this.events = events
    this.#replies = replies
    this.#visit = (buffer, at) => {
      visitEvent(buffer, at)
      if (replies.nextPosition <= events.position()) this.#deliver()
    }
    this.#visitReply = visitReply
  }

  /** Bytes of events that the last poll found waiting, before it took any. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Whether the last poll gave room back for which the matcher may wait: it must be rung. */
  get isRoomAwaited(): boolean {
    return this.#isRoomAwaited
  }

  hasNext(): boolean {
    return this.events.hasNext() || this.#replies.hasNext()
  }

  /**
   * Visits what waits, about so many bytes of each at most; returns how many records. Stops at the
   * events that the reader has missed: `events.lapped`.
   */
  poll(eventBytes?: number, replyBytes = REPLY_BYTES): number {
    const { events } = this
    const published = events.published()
    this.#waitingBytes = published - events.position()
    const bound = this.#replies.look(replyBytes)
    let count = this.#deliver()
    const until = Math.min(published, bound)
    if (until > events.position()) count += events.poll(this.#visit, eventBytes, until)
    this.#isRoomAwaited = this.#replies.release()
    return count
  }

  /** Hands over the replies that stand before the next event. */
  #deliver(): number {
    const replies = this.#replies
    let count = 0
    while (replies.nextPosition <= this.events.position()) {
      count += replies.deliver(this.#visitReply)
    }
    return count
  }
}
