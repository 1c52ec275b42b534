import { expect, test } from 'vitest'
import { commandRingBytes } from '../../src/ring/command-ring.ts'
import { eventRingBytes } from '../../src/ring/event-ring.ts'
import { replyRingBytes } from '../../src/ring/reply-ring.ts'
import { onThread } from './ring-threads.ts'

const EVENTS = 1_000_000

test.each([
  [2, 5_000],
  [64, 100_000],
  [4096, 2_000_000],
])('a command ring of %i slots loses, repeats and tears nothing', async (slots, count) => {
  const memory = new SharedArrayBuffer(commandRingBytes(slots))
  // Positions pass 2^31 on the way.
  const full = new SharedArrayBuffer(4)
  const control = new Int32Array(memory)
  control[0] = 2 ** 31 - count / 2
  control[32] = control[0]
  const [produced, consumed] = await Promise.all([
    onThread('produceCommands', { memory, full, count, seed: slots }),
    onThread('consumeCommands', { memory, full, count, seed: slots + 1 }),
  ])
  expect(consumed.received).toBe(count)
  expect(produced.fullCount).toBeGreaterThan(0)
})

test('readers of an event ring get whole records in order, and notice when they were overrun', async () => {
  const memory = new SharedArrayBuffer(eventRingBytes(65_536))
  const done = new SharedArrayBuffer(8)
  const flags = new Int32Array(done)
  const read = (stallChance: number, seed: number) =>
    onThread('readEvents', { memory, done, stallChance, seed, count: EVENTS })
  const readers = [read(0, 1), read(0.01, 2), read(0.2, 3)]
  while (Atomics.load(flags, 1) < readers.length) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await onThread('writeEvents', { memory, done, count: EVENTS, seed: 4, stallChance: 0.02 })
  const [quick, slow, slowest] = await Promise.all(readers)
  for (const { received, overrunCount } of [quick!, slow!, slowest!]) {
    expect(received).toBeGreaterThan(0)
    expect(received).toBeLessThanOrEqual(EVENTS + 320)
    // A reader that was never overrun has seen everything.
    if (overrunCount === 0) expect(received).toBeGreaterThanOrEqual(EVENTS)
  }
  expect(slowest!.overrunCount).toBeGreaterThan(0)
})

test.each([
  1 << 10,
  1 << 16,
])('events and replies over a ring of %i bytes are read in one order', async (bytes) => {
  const memory = new SharedArrayBuffer(replyRingBytes(bytes))
  const events = new SharedArrayBuffer(eventRingBytes(65_536))
  const task = { memory, events, count: EVENTS }
  const [{ received }, { fullCount }] = await Promise.all([
    onThread('receiveAll', { ...task, seed: 5 }),
    onThread('sendAll', { ...task, seed: 6 }),
  ])
  // The last batch may go a little beyond.
  expect(received).toBeGreaterThanOrEqual(EVENTS)
  if (bytes === 1 << 10) expect(fullCount).toBeGreaterThan(0)
})
