import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headOf, recordLength } from '../../../src/layout/record-buffer.ts'
import {
  CommandRingConsumer,
  CommandRingProducer,
  commandRingBytes,
  commandSlots,
} from '../../../src/ring/command-ring.ts'

const POSITIONS = [0, 2 ** 31 - 3, 2 ** 32 - 3]

/** A ring whose positions begin anywhere: a ring's life passes 2^32 many times. */
function ringAt(slots: number, position: number) {
  const memory = new SharedArrayBuffer(commandRingBytes(slots))
  const control = new Int32Array(memory)
  control[0] = position
  control[32] = position
  return { producer: new CommandRingProducer(memory), consumer: new CommandRingConsumer(memory) }
}

function send(producer: CommandRingProducer, value: number): boolean {
  const at = producer.claim()
  if (at < 0) return false
  producer.buffer.i32[at >> 2] = value
  producer.buffer.i32[(at >> 2) + 31] = ~value
  producer.commit()
  return true
}

function sendAndPublish(producer: CommandRingProducer, value: number): boolean {
  const isSent = send(producer, value)
  producer.publish()
  return isSent
}

function take(consumer: CommandRingConsumer, index: number): number {
  const word = consumer.slotAt(index) >> 2
  const value = consumer.buffer.i32[word]!
  expect(consumer.buffer.i32[word + 31]).toBe(~value)
  return value
}

describe.each(POSITIONS)('from position %i', (position) => {
  test('holds exactly its slots', () => {
    const { producer, consumer } = ringAt(4, position)
    expect([1, 2, 3, 4, 5].map((value) => sendAndPublish(producer, value))).toEqual([
      ...[true, true, true, true],
      false,
    ])
    expect(consumer.available()).toBe(4)
    consumer.release(1)
    expect(sendAndPublish(producer, 6)).toBe(true)
    expect(producer.claim()).toBe(-1)
    expect(consumer.available()).toBe(4)
    expect([0, 1, 2, 3].map((index) => take(consumer, index))).toEqual([2, 3, 4, 6])
  })

  test('a slot that is claimed and not committed is not seen, and is claimed again', () => {
    const { producer, consumer } = ringAt(2, position)
    const at = producer.claim()
    expect(producer.claim()).toBe(at)
    producer.publish()
    expect(consumer.available()).toBe(0)
  })

  test('what is committed is seen once it is published, all at once', () => {
    const { producer, consumer } = ringAt(4, position)
    expect(producer.publish()).toBe(false)
    for (const value of [1, 2, 3]) send(producer, value)
    expect(consumer.available()).toBe(0)
    expect(producer.publish()).toBe(true)
    expect(consumer.available()).toBe(3)
    expect(producer.publish()).toBe(false)
  })

  test('is a queue, whatever the order of sends and releases', () => {
    const step = fc.record({ send: fc.nat(12), publish: fc.boolean(), release: fc.nat(12) })
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 8), fc.array(step, { maxLength: 60 }), (slots, steps) => {
        const { producer, consumer } = ringAt(slots, position)
        const queue: number[] = []
        let published = 0
        let next = 1
        for (const { send: sends, publish, release } of steps) {
          for (let i = 0; i < sends; i++) {
            expect(send(producer, next)).toBe(queue.length < slots)
            if (queue.length < slots) queue.push(next)
            next++
          }
          if (publish) {
            expect(producer.publish()).toBe(published < queue.length)
            published = queue.length
          }
          expect(consumer.available()).toBe(published)
          const seen = queue.slice(0, published)
          expect(seen.map((_, index) => take(consumer, index))).toEqual(seen)
          const released = Math.min(release, published)
          consumer.release(released)
          queue.splice(0, released)
          published -= released
        }
      }),
    )
  })
})

describe('commands of several slots', () => {
  const SLOTS = 8
  const BYTES = 128

  function sendLarge(producer: CommandRingProducer, value: number, bytes: number): boolean {
    const at = producer.claim(commandSlots(bytes))
    if (at < 0) return false
    const words = bytes >> 2
    for (let word = 1; word < words; word++) producer.buffer.i32[(at >> 2) + word] = value + word
    producer.buffer.i32[at >> 2] = headOf(1, bytes)
    producer.commit()
    producer.publish()
    return true
  }

  /** The commands that wait, and the slots that they take. */
  function waiting(consumer: CommandRingConsumer): { values: number[]; slots: number } {
    const values: number[] = []
    const available = consumer.available()
    let slots = 0
    while (slots < available) {
      const at = consumer.slotAt(slots)
      const bytes = recordLength(consumer.buffer, at)
      slots += commandSlots(bytes)
      if (bytes === 0) continue
      const value = consumer.buffer.i32[(at >> 2) + 1]! - 1
      for (let word = 1; word < bytes >> 2; word++) {
        expect(consumer.buffer.i32[(at >> 2) + word]).toBe(value + word)
      }
      values.push(value)
    }
    expect(slots).toBe(available)
    return { values, slots }
  }

  test('lie in a row: the ring is padded where its end is too near', () => {
    const { producer, consumer } = ringAt(SLOTS, 6)
    expect(sendLarge(producer, 1000, 3 * BYTES - 8)).toBe(true)
    expect(waiting(consumer)).toEqual({ values: [1000], slots: 5 })
    expect(producer.claim(4)).toBe(-1)
    expect(producer.claim(3)).toBe(3 * BYTES)
  })

  test('are queued like small ones', () => {
    const step = fc.record({
      sizes: fc.array(fc.constantFrom(16, 128, 136, 328), { maxLength: 6 }),
      isReleased: fc.boolean(),
    })
    const steps = fc.array(step, { maxLength: 60 })
    fc.assert(
      fc.property(fc.constantFrom(...POSITIONS), steps, (position, script) => {
        const { producer, consumer } = ringAt(SLOTS, position)
        const queue: number[] = []
        let next = 1000
        for (const { sizes, isReleased } of script) {
          for (const bytes of sizes) {
            const isSent = sendLarge(producer, next, bytes)
            if (queue.length === 0) expect(isSent).toBe(true)
            if (isSent) queue.push(next)
            next += 1000
          }
          const { values, slots } = waiting(consumer)
          expect(values).toEqual(queue)
          if (isReleased) {
            consumer.release(slots)
            queue.length = 0
          }
        }
      }),
    )
  })
})

test('a side that comes later continues where the ring stands', () => {
  const memory = new SharedArrayBuffer(commandRingBytes(4))
  const first = new CommandRingProducer(memory)
  sendAndPublish(first, 1)
  sendAndPublish(first, 2)
  const consumer = new CommandRingConsumer(memory)
  sendAndPublish(new CommandRingProducer(memory), 3)
  expect(consumer.available()).toBe(3)
  expect([0, 1, 2].map((index) => take(consumer, index))).toEqual([1, 2, 3])
})

test.each([0, 3, -4, 1.5, 2 ** 25])('%d slots are refused', (slots) => {
  expect(() => commandRingBytes(slots)).toThrow('power of two')
})

test('more than was available cannot be released', () => {
  const { producer, consumer } = ringAt(4, 0)
  sendAndPublish(producer, 1)
  consumer.available()
  expect(() => consumer.release(2)).toThrow('released what was there')
  expect(() => consumer.release(-1)).toThrow('released what was there')
})
