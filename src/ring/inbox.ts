/**
 * Everything that one matcher sends to one gateway, in one order: the events that all gateways read, and
 * between them the replies to this gateway, each behind the events that precede it.
 *
 * The matcher publishes replies before events. So the inbox loads the published event position first,
 * and then sees every reply that precedes it.
 */
import type { RecordBuffer } from '../layout/record-buffer.ts'
import type { EventRingReader } from './event-ring.ts'
import type { ReplyRingReader } from './reply-ring.ts'

type Visit = (buffer: RecordBuffer, at: number) => void

/** Bytes of replies in one poll, so that the loop serves sockets between polls. */
const REPLY_BYTES = 256 * 1024

export class Inbox {
  readonly events: EventRingReader
  private readonly replies: ReplyRingReader
  private readonly visit: Visit
  private readonly visitReply: Visit
  private _waitingBytes = 0
  private _isRoomAwaited = false

  constructor(
    events: EventRingReader,
    replies: ReplyRingReader,
    visitEvent: Visit,
    visitReply: Visit,
  ) {
    this.events = events
    this.replies = replies
    this.visit = (buffer, at) => {
      visitEvent(buffer, at)
      if (replies.nextPosition <= events.position()) this.deliver()
    }
    this.visitReply = visitReply
    replies.pass(events.position())
  }

  /** Bytes of events that the last poll found waiting, before it took any. */
  get waitingBytes(): number {
    return this._waitingBytes
  }

  /** Whether the last poll released room that the matcher may wait for: ring its bell. */
  get isRoomAwaited(): boolean {
    return this._isRoomAwaited
  }

  hasNext(): boolean {
    return this.events.hasNext() || this.replies.hasNext()
  }

  /**
   * Visits waiting records, about this many bytes of each kind at most. Returns their number. Stops
   * at events that the reader has missed: `events.isOverrun`. Tells the matcher how far it has read.
   */
  poll(eventBytes?: number, replyBytes = REPLY_BYTES): number {
    const { events } = this
    const published = events.published()
    this._waitingBytes = published - events.position()
    const bound = this.replies.look(replyBytes)
    let count = this.deliver()
    const until = Math.min(published, bound)
    if (until > events.position()) {
      count += events.poll(this.visit, eventBytes, until)
      this.replies.pass(events.position())
    }
    this._isRoomAwaited = this.replies.release()
    return count
  }

  /** Visits the replies that precede the next event. */
  private deliver(): number {
    const replies = this.replies
    let count = 0
    while (replies.nextPosition <= this.events.position()) {
      count += replies.deliver(this.visitReply)
    }
    return count
  }
}
