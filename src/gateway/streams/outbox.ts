/**
 * Frames for WebSockets written while the gateway reads matchers' records: several often go to one
 * socket, and each would be a separate system call. Between `open` and `flush` their senders keep them,
 * and then send them socket by socket. Outside of that a frame is sent at once.
 */
import { jsonBytes } from '../../api/answers/json-bytes.ts'

/** A view of jsonBytes, or bytes that stay. */
export type Frame = Uint8Array

export interface Sender {
  /** Frames that wait for sendKept(), in their order. The outbox adds to them. */
  readonly kept: Frame[]
  /** Sends the kept frames together, and keeps them no more. */
  sendKept(): void
}

export class Outbox {
  /** Senders that keep frames. */
  private readonly senders: Sender[] = []
  private isOpen = false

  open(): void {
    this.isOpen = true
  }

  /** Keeps the frame for later. Returns false outside of `open` and `flush`. */
  take(sender: Sender, frame: Frame): boolean {
    if (!this.isOpen) return false
    jsonBytes.keep()
    if (sender.kept.push(frame) === 1) this.senders.push(sender)
    return true
  }

  flush(): void {
    this.isOpen = false
    for (const sender of this.senders) sender.sendKept()
    this.senders.length = 0
    jsonBytes.releaseKept()
  }
}
