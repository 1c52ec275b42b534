import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headOf, RecordBuffer, recordLength } from '../../../src/layout/record-buffer.ts'
import { ReplyRingReader, ReplyRingWriter, replyRingBytes } from '../../../src/ring/reply-ring.ts'

const CAPACITY = 4096
/** Frames have a position and a length. */
const FRAME_BYTES = 16
/** Before 2^31 and 2^32 words, where their counts wrap. */
const WORDS = [0, 2 ** 31 - 100, 2 ** 32 - 100]

function ringAt(words: number) {
  const memory = new SharedArrayBuffer(replyRingBytes(CAPACITY))
  const control = new Int32Array(memory)
  control[0] = words
  control[32] = words
  return { writer: new ReplyRingWriter(memory), reader: new ReplyRingReader(memory) }
}

/** Records of these lengths, each filled with a number. */
function answerOf(number: number, lengths: readonly number[]): RecordBuffer {
  const buffer = RecordBuffer.allocate(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const length of lengths) {
    buffer.i32.fill(number, at >> 2, (at + length) >> 2)
    buffer.i32[at >> 2] = headOf(64, length)
    at += length
  }
  return buffer
}

interface Heard {
  readonly position: number
  readonly number: number
  readonly lengths: readonly number[]
}

/** The next answer that the reader sees. */
function next(reader: ReplyRingReader): Heard {
  const position = reader.nextPosition
  const lengths: number[] = []
  const numbers = new Set<number>()
  reader.deliver((buffer, at) => {
    lengths.push(recordLength(buffer, at))
    for (let word = 1; word < lengths.at(-1)! >> 2; word++)
      numbers.add(buffer.i32[(at >> 2) + word]!)
  })
  expect(numbers.size).toBe(1)
  return { position, number: [...numbers][0]!, lengths }
}

function all(reader: ReplyRingReader, limitBytes = Number.POSITIVE_INFINITY): Heard[] {
  const heard: Heard[] = []
  reader.look(limitBytes)
  while (reader.nextPosition < Number.POSITIVE_INFINITY) heard.push(next(reader))
  return heard
}

describe.each(WORDS)('from word %i', (words) => {
  test('answers come whole, in order and once, and none is written without room', () => {
    const lengths = fc.array(
      fc.integer({ min: 2, max: 40 }).map((count) => count * 8),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    const step = fc.oneof(
      { weight: 6, arbitrary: lengths },
      { weight: 2, arbitrary: fc.constant('publish' as const) },
      { weight: 1, arbitrary: fc.constantFrom(64, 500, Number.POSITIVE_INFINITY) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { writer, reader } = ringAt(words)
        const written: Heard[] = []
        const heard: Heard[] = []
        let published = 0
        let unread = 0
        for (const [number, it] of steps.entries()) {
          if (it === 'publish') {
            writer.publish()
            published = written.length
          } else if (typeof it === 'number') {
            const some = all(reader, it)
            reader.release()
            unread -= some.reduce((sum, { lengths }) => sum + frameBytes(lengths), 0)
            heard.push(...some)
            expect(heard.length).toBeLessThanOrEqual(published)
            if (it === Number.POSITIVE_INFINITY) expect(heard.length).toBe(published)
          } else {
            const answer = answerOf(number, it)
            if (writer.write(number, answer, answer.bytes.length)) {
              written.push({ position: number, number, lengths: it })
              unread += frameBytes(it)
            } else {
              // A quarter is kept for small answers, and padding takes no more than the answer.
              expect(unread + 2 * frameBytes(it) + CAPACITY / 4).toBeGreaterThan(CAPACITY / 2)
            }
            expect(unread).toBeLessThanOrEqual(CAPACITY)
          }
        }
        writer.publish()
        expect([...heard, ...all(reader)]).toEqual(written)
      }),
    )
  })

  test('a small answer has room where a long one has none', () => {
    const { writer } = ringAt(words)
    const long = answerOf(1, [400])
    while (writer.write(0, long, 400));
    const small = answerOf(2, [24])
    let count = 0
    for (; writer.hasRoom(); count++) expect(writer.write(0, small, 24)).toBe(true)
    expect(count).toBeGreaterThanOrEqual(CAPACITY / 4 / (24 + FRAME_BYTES) - 2)
  })

  test('a reader that sees a part says how far events may be read', () => {
    const { writer, reader } = ringAt(words)
    const answer = answerOf(1, [104])
    for (const position of [10, 20, 20, 30]) writer.write(position, answer, 104)
    writer.publish()
    expect(reader.look(200)).toBe(20)
    expect([next(reader).position, next(reader).position]).toEqual([10, 20])
    expect([reader.nextPosition, reader.hasNext()]).toEqual([Number.POSITIVE_INFINITY, true])
    expect(reader.look(1000)).toBe(Number.POSITIVE_INFINITY)
    expect(all(reader).map(({ position }) => position)).toEqual([20, 30])
    expect(reader.hasNext()).toBe(false)
  })

  test('a matcher that may wait for room is rung, and no other', () => {
    const { writer, reader } = ringAt(words)
    const answer = answerOf(1, [1000])
    const deliverOne = () => {
      writer.publish()
      reader.look(Number.POSITIVE_INFINITY)
      next(reader)
      return reader.release()
    }
    writer.write(0, answer, 1000)
    expect([deliverOne(), reader.release()]).toEqual([false, false])
    for (let i = 0; i < 3; i++) writer.write(0, answer, 1000)
    expect(deliverOne()).toBe(true)
  })
})

const frameBytes = (lengths: readonly number[]): number =>
  lengths.reduce((sum, length) => sum + length, FRAME_BYTES)

test.each([
  512,
  3000,
  1 << 20,
])('a ring of %i bytes is refused unless it is a power of two', (bytes) => {
  if (bytes === 1 << 20) expect(replyRingBytes(bytes)).toBe(bytes + 256)
  else expect(() => replyRingBytes(bytes)).toThrow('power of two')
})
