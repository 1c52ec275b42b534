/** The ends of an exchange's rings that a simulated gateway holds: one of each kind per matcher. */
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { CommandRingProducer } from '../../src/ring/command-ring.ts'
import { EventRingReader } from '../../src/ring/event-ring.ts'
import { Inbox } from '../../src/ring/inbox.ts'
import { ReplyRingReader } from '../../src/ring/reply-ring.ts'

/** The memory of all rings. */
export interface ExchangeRings {
  /** By gateway, then by matcher. */
  readonly commandRings: readonly (readonly SharedArrayBuffer[])[]
  /** By gateway, then by matcher. */
  readonly replyRings: readonly (readonly SharedArrayBuffer[])[]
  /** By matcher. */
  readonly eventRings: readonly SharedArrayBuffer[]
}

type Visit = (buffer: RecordBuffer, at: number) => void

/** By matcher: where the gateway writes its commands. */
export const producersOf = (rings: ExchangeRings, gateway: number): CommandRingProducer[] =>
  rings.commandRings[gateway]!.map((ring) => new CommandRingProducer(ring))

/** By matcher: where the gateway reads events and the replies to it. */
export function inboxesOf(
  rings: ExchangeRings,
  gateway: number,
  visitEvent: Visit,
  visitReply: Visit,
): Inbox[] {
  return rings.eventRings.map((ring, matcher) => {
    const replies = new ReplyRingReader(rings.replyRings[gateway]![matcher]!)
    return new Inbox(new EventRingReader(ring), replies, visitEvent, visitReply)
  })
}
