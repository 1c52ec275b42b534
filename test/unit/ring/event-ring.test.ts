import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headOf, RecordBuffer, recordLength } from '../../../src/layout/record-buffer.ts'
import { EventRingReader, EventRingWriter, eventRingBytes } from '../../../src/ring/event-ring.ts'

const CAPACITY = 65_536
/** Past 2^32, where a position in a word would have wrapped. */
const POSITIONS = [0, 2 ** 32 + CAPACITY - 24, 2 ** 45]

function ringAt(position: number) {
  const memory = new SharedArrayBuffer(eventRingBytes(CAPACITY))
  new BigInt64Array(memory, 0, 1)[0] = BigInt(position)
  new BigInt64Array(memory, 128, 1)[0] = BigInt(position)
  return { memory, writer: new EventRingWriter(memory) }
}

/** Records of the given lengths, each filled with its number. */
function records(lengths: readonly number[], firstNumber: number): RecordBuffer {
  const buffer = RecordBuffer.allocate(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  lengths.forEach((length, index) => {
    buffer.i32.fill(firstNumber + index, at >> 2, (at + length) >> 2)
    buffer.i32[at >> 2] = headOf(16, length)
    at += length
  })
  return buffer
}

function append(writer: EventRingWriter, lengths: readonly number[], firstNumber: number): void {
  const buffer = records(lengths, firstNumber)
  writer.write(buffer, buffer.bytes.length)
}

/** Numbers of the records that one poll hands over, each checked to be whole. */
function poll(reader: EventRingReader, limitBytes?: number): number[] {
  const numbers: number[] = []
  const count = reader.poll((buffer, at) => {
    const words = buffer.i32.subarray((at >> 2) + 1, (at + recordLength(buffer, at)) >> 2)
    expect(new Set(words).size).toBe(1)
    numbers.push(words[0]!)
  }, limitBytes)
  expect(count).toBe(numbers.length)
  return numbers
}

function pollAll(reader: EventRingReader): number[] {
  const numbers: number[] = []
  for (let some = poll(reader); some.length > 0; some = poll(reader)) numbers.push(...some)
  return numbers
}

describe.each(POSITIONS)('from position %i', (position) => {
  test('readers see what was published, once each, and nothing before that', () => {
    const { memory, writer } = ringAt(position)
    append(writer, [16], 1)
    writer.publish()
    const reader = new EventRingReader(memory)
    expect([reader.position(), reader.hasNext()]).toEqual([position + 16, false])
    append(writer, [24, 200], 2)
    append(writer, [16], 4)
    expect(poll(reader)).toEqual([])
    writer.publish()
    expect(reader.hasNext()).toBe(true)
    expect(poll(reader)).toEqual([2, 3, 4])
    expect(poll(reader)).toEqual([])
    expect(reader.position()).toBe(position + 16 + 240)
  })

  test('every stream of records arrives whole and in order, around the end of the ring', () => {
    const length = fc.integer({ min: 2, max: 700 }).map((words) => words * 8)
    const batch = fc.array(length, { maxLength: 11 })
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 40 }), (batches) => {
        const { memory, writer } = ringAt(position)
        const reader = new EventRingReader(memory)
        let sent = 0
        for (const lengths of batches) {
          append(writer, lengths, sent)
          writer.publish()
          expect(pollAll(reader)).toEqual(lengths.map((_, index) => sent + index))
          sent += lengths.length
        }
        expect(reader.overrunCount).toBe(0)
      }),
    )
  })

  test.each([
    ['as much as the ring holds is read', CAPACITY, false],
    ['8 bytes more overrun the reader', CAPACITY + 8, true],
    ['a publication many times the ring overruns the reader', CAPACITY * 5 + 8, true],
  ])('%s', (_, bytes, overrun) => {
    const { memory, writer } = ringAt(position)
    const reader = new EventRingReader(memory)
    const lengths = Array.from({ length: bytes / 8 / 2 - 1 }, () => 16)
    lengths.push(bytes - lengths.length * 16)
    append(writer, lengths, 0)
    writer.publish()
    expect(pollAll(reader).length).toBe(overrun ? 0 : lengths.length)
    expect([reader.isOverrun, reader.overrunCount]).toEqual([overrun, overrun ? 1 : 0])
    expect(writer.oversizedCount).toBe(bytes > CAPACITY ? 1 : 0)
  })

  test('an overrun reader gets nothing until it resumes, then what comes next', () => {
    const { memory, writer } = ringAt(position)
    const [slow, quick] = [new EventRingReader(memory), new EventRingReader(memory)]
    for (let number = 0; number < 70; number++) {
      append(writer, [1000], number)
      writer.publish()
      expect(poll(quick)).toEqual([number])
    }
    expect(poll(slow)).toEqual([])
    expect([slow.isOverrun, slow.hasNext(), quick.isOverrun]).toEqual([true, false, false])
    append(writer, [16], 70)
    writer.publish()
    expect(poll(slow)).toEqual([])
    slow.resume()
    expect(slow.isOverrun).toBe(false)
    append(writer, [16], 71)
    writer.publish()
    expect(poll(slow)).toEqual([71])
    expect(poll(quick)).toEqual([70, 71])
    expect([slow.overrunCount, slow.position()]).toEqual([1, quick.position()])
  })

  test('what is being written, but not yet published, overruns as well', () => {
    const { memory, writer } = ringAt(position)
    const reader = new EventRingReader(memory)
    append(writer, [16], 0)
    writer.publish()
    append(writer, [CAPACITY - 8], 1)
    expect(poll(reader)).toEqual([])
    expect(reader.isOverrun).toBe(true)
  })
})

test('a poll takes whole records, at most the limit but at least one of any length', () => {
  const { memory, writer } = ringAt(0)
  const reader = new EventRingReader(memory)
  const lengths = [40_000, 24_000, 1_528]
  append(writer, lengths, 0)
  writer.publish()
  expect(poll(reader, 8)).toEqual([0, 1, 2])
  append(writer, [65_528], 3)
  writer.publish()
  expect(poll(reader, 8)).toEqual([3])
})

test('a large backlog is taken in bounded pieces', () => {
  const memory = new SharedArrayBuffer(eventRingBytes(1 << 20))
  const writer = new EventRingWriter(memory)
  const reader = new EventRingReader(memory)
  append(writer, Array(1000).fill(1000), 0)
  writer.publish()
  expect(poll(reader, 65_536).length).toBe(65)
  expect(poll(reader).length).toBe(262)
  expect(pollAll(reader).length).toBe(1000 - 65 - 262)
})

test('publishing nothing changes nothing', () => {
  const { memory, writer } = ringAt(0)
  const reader = new EventRingReader(memory)
  writer.publish()
  writer.write(RecordBuffer.allocate(16), 0)
  writer.publish()
  expect([poll(reader), reader.position(), writer.oversizedCount]).toEqual([[], 0, 0])
})

test.each([0, 65_528, 65_537])('a capacity of %i bytes is refused', (capacity) => {
  expect(() => eventRingBytes(capacity)).toThrow('at least one record')
})
