/**
 * Where an engine writes its answers: events, which are journaled and then published, and replies,
 * which are only published. Written by the engines of one matcher, read and reset by the matcher. A
 * command that needs more room than is left doubles the buffer, which happens a few times at most.
 *
 * The matcher takes the replies of each command as soon as it is executed: it sends them to the gateway
 * that asked, or keeps them as notices for all gateways. A notice is the one record of a refused or
 * ended command that users' streams report, or what may not be refused any more: the result of a quote.
 */
import { BATCH_EVENT_BYTES } from '../../base/limits.ts'
import { OrderListRejected, QuoteResult, ReplaceResult } from '../../layout/accessors.gen.ts'
import { RecordBuffer, recordType } from '../../layout/record-buffer.ts'

const START_BYTES = 1 << 20

export class EngineOutput {
  events: RecordBuffer
  eventsEnd = 0
  replies: RecordBuffer
  repliesEnd = 0
  notices: RecordBuffer
  noticesEnd = 0
  /** Whether the batch has changed the phase of a symbol. */
  hasPhaseChanged = false
  /** Whether the batch has changed a countdown. */
  hasCountdownChanged = false

  private eventsMax: number
  private readonly batchBytes: number
  private fullBytes: number

  /** A batch ends once its events have grown to `batchBytes`. */
  constructor(startBytes = START_BYTES, batchBytes = BATCH_EVENT_BYTES) {
    this.events = RecordBuffer.allocate(startBytes)
    this.replies = RecordBuffer.allocate(startBytes)
    this.notices = RecordBuffer.allocate(startBytes)
    this.eventsMax = startBytes
    this.batchBytes = batchBytes
    this.fullBytes = batchBytes
  }

  /** Whether the batch ends here. */
  get isFull(): boolean {
    return this.eventsEnd + this.noticesEnd >= this.fullBytes
  }

  /** Starts a batch, of one `share` of the usual bytes. */
  reset(share = 1): void {
    this.fullBytes = this.batchBytes / share
    this.eventsEnd = 0
    this.repliesEnd = 0
    this.noticesEnd = 0
    this.hasPhaseChanged = false
    this.hasCountdownChanged = false
  }

  /** Whether the replies are a notice. There is a reply. */
  hasNotice(): boolean {
    const type = recordType(this.replies, 0)
    return (
      type === ReplaceResult.type || type === OrderListRejected.type || type === QuoteResult.type
    )
  }

  /** Moves the replies to the notices. */
  keepNotice(): void {
    const end = this.noticesEnd + this.repliesEnd
    if (end > this.notices.bytes.length) this.notices = doubled(this.notices)
    this.notices.bytes.set(this.replies.bytes.subarray(0, this.repliesEnd), this.noticesEnd)
    this.noticesEnd = end
    this.repliesEnd = 0
  }

  /** Byte offset of a new notice of `bytes` that no command has caused. May replace `notices`. */
  notice(bytes: number): number {
    const at = this.noticesEnd
    if (at + bytes > this.notices.bytes.length) this.notices = doubled(this.notices)
    this.noticesEnd = at + bytes
    return at
  }

  /** Byte offset of a new event of `bytes`. May replace `events`. */
  event(bytes: number): number {
    const at = this.eventsEnd
    const end = at + bytes
    if (end > this.eventsMax) {
      this.events = doubled(this.events)
      this.eventsMax = this.events.bytes.length
    }
    this.eventsEnd = end
    return at
  }

  /** Byte offset of a new reply of `bytes`. May replace `replies`. */
  reply(bytes: number): number {
    const at = this.repliesEnd
    if (at + bytes > this.replies.bytes.length) this.replies = doubled(this.replies)
    this.repliesEnd = at + bytes
    return at
  }
}

function doubled(buffer: RecordBuffer): RecordBuffer {
  const larger = RecordBuffer.allocate(buffer.bytes.length * 2)
  larger.bytes.set(buffer.bytes)
  return larger
}
