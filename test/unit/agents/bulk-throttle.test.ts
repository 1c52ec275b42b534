import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BulkThrottle, READERS_REST_MS } from '../../../src/agents/bulk-throttle.ts'

const RING_BYTES = 1 << 20

/** A gateway that reads so many bytes in each millisecond for which the matcher rests. */
class Gateway {
  nowMs = 0
  behindBytes = 0
  bytesPerMs: number
  readonly throttle = new BulkThrottle(RING_BYTES, () => this.nowMs)

  constructor(bytesPerMs: number) {
    this.bytesPerMs = bytesPerMs
  }

  /** Returns for how long the matcher rested after a batch of so many bytes. */
  published(bytes: number): number {
    const before = this.nowMs
    this.behindBytes += bytes
    while (!this.throttle.mayContinue(this.behindBytes)) {
      this.nowMs++
      this.behindBytes = Math.max(0, this.behindBytes - this.bytesPerMs)
    }
    return this.nowMs - before
  }
}

const FREE = new Gateway(0).throttle.behindBytesMax

test('a matcher continues at once while gateways have read most of the ring', () => {
  expect(new Gateway(0).published(FREE)).toBe(0)
})

test('a matcher rests until the gateway has read most of the batch', () => {
  const gateway = new Gateway(1024)
  expect(gateway.published(FREE + 10 * 1024)).toBe(10)
  expect(gateway.published(3 * 1024)).toBe(3)
})

test('a gateway that stands still delays a matcher once, and again after it has caught up', () => {
  const gateway = new Gateway(0)
  expect(gateway.published(FREE + 8)).toBe(READERS_REST_MS)
  expect(gateway.published(8)).toBe(0)
  expect(gateway.published(8)).toBe(0)
  gateway.behindBytes = 0
  expect(gateway.published(FREE)).toBe(0)
  expect(gateway.published(8)).toBe(READERS_REST_MS)
})

test('a gateway that reads at all is never overrun by batches of a quarter of the ring', () => {
  const batch = fc.integer({ min: 1, max: RING_BYTES / 4 })
  // In the time of one rest it reads a quarter of the ring.
  const least = RING_BYTES / 4 / READERS_REST_MS
  const rates = fc.integer({ min: Math.ceil(least), max: RING_BYTES })
  fc.assert(
    fc.property(rates, fc.array(batch, { minLength: 1, maxLength: 100 }), (rate, batches) => {
      const gateway = new Gateway(rate)
      for (const bytes of batches) {
        gateway.published(bytes)
        expect(gateway.behindBytes).toBeLessThanOrEqual(FREE)
      }
    }),
  )
})
