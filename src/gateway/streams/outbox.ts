/**
 * Frames for WebSockets written while the gateway reads matchers' records: several often go to one
 * socket, and each would be a separate system call. Between `open` and `flush` their senders keep them,
 * and then send them socket by socket. Outside of that a frame is sent at once.
 */
import type { Encoder } from '../../api/answers/encoders.ts'

/** Bytes that an encoder has until its next ones, or that stay. */
export type Frame = Uint8Array

export interface Sender {
  /** Whose frames it sends. */
  readonly encoder: Encoder
  /** Frames that wait for sendKept(), in their order. The outbox adds to them. */
  readonly kept: Frame[]
  /** Sends the kept frames together, and keeps them no more. */
  sendKept(): void
}

export class Outbox {
  /** Senders that keep frames. */
  private readonly senders: Sender[] = []
  /** Theirs. */
  private readonly encoders = new Set<Encoder>()
  private isOpen = false

  open(): void {
    this.isOpen = true
  }

  /** Keeps the frame for later. Returns false outside of `open` and `flush`. */
  take(sender: Sender, frame: Frame): boolean {
    if (!this.isOpen) return false
    const { encoder } = sender
    encoder.page?.keep()
    if (sender.kept.push(frame) > 1) return true
    this.senders.push(sender)
    this.encoders.add(encoder)
    return true
  }

  flush(): void {
    this.isOpen = false
    for (const sender of this.senders) sender.sendKept()
    this.senders.length = 0
    for (const encoder of this.encoders) encoder.page?.releaseKept()
    this.encoders.clear()
  }
}
