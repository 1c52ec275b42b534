/** How far a gateway has read, as its matcher sees it. */
import { expect, test } from 'vitest'
import { headOf, RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { EventRingReader, EventRingWriter, eventRingBytes } from '../../../src/ring/event-ring.ts'
import { Inbox } from '../../../src/ring/inbox.ts'
import { ReplyRingReader, ReplyRingWriter, replyRingBytes } from '../../../src/ring/reply-ring.ts'

const RECORD_BYTES = 32_768

test('the matcher sees how far each poll has read its events', () => {
  const eventMemory = new SharedArrayBuffer(eventRingBytes(1 << 20))
  const replyMemory = new SharedArrayBuffer(replyRingBytes(4096))
  const events = new EventRingWriter(eventMemory)
  const replies = new ReplyRingWriter(replyMemory)
  const record = RecordBuffer.allocate(RECORD_BYTES)
  record.i32[0] = headOf(1, RECORD_BYTES)
  const publish = (count: number) => {
    for (let i = 0; i < count; i++) events.write(record, RECORD_BYTES)
    events.publish()
  }
  publish(3)
  expect(replies.passed).toBe(0)
  const ignore = () => {}
  const readers = [new EventRingReader(eventMemory), new ReplyRingReader(replyMemory)] as const
  const inbox = new Inbox(...readers, ignore, ignore)
  expect(replies.passed).toBe(3 * RECORD_BYTES)
  publish(5)
  expect(replies.passed).toBe(3 * RECORD_BYTES)
  expect(inbox.poll(2 * RECORD_BYTES)).toBe(2)
  expect(replies.passed).toBe(5 * RECORD_BYTES)
  inbox.poll()
  expect(replies.passed).toBe(events.position)
})
