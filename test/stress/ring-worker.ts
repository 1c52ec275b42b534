/**
 * What the threads of the stress tests do: each role runs to its end and posts what it found. A role
 * that sees something impossible throws, which fails the test.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../src/base/assert.ts'
import { Prng } from '../../src/base/prng.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { headOf, RecordBuffer, recordLength } from '../../src/layout/record-buffer.ts'
import { CommandRingConsumer, CommandRingProducer } from '../../src/ring/command-ring.ts'
import { Doorbell } from '../../src/ring/doorbell.ts'
import { EventRingReader, EventRingWriter } from '../../src/ring/event-ring.ts'
import { Inbox } from '../../src/ring/inbox.ts'
import { ReplyRingReader, ReplyRingWriter } from '../../src/ring/reply-ring.ts'
import { ExchangeCounter, ExchangeCounters } from '../../src/shared/counters.ts'

interface RingTask {
  readonly memory: SharedArrayBuffer
  readonly count: number
  readonly seed: number
}
interface CommandTask extends RingTask {
  /** One word: 1 once the producer has found the ring full, before which nothing is consumed. */
  readonly full: SharedArrayBuffer
}
interface ReaderTask extends RingTask {
  /** Cell 0 is 1 when the writer is done; cell 1 counts readers that are ready. */
  readonly done: SharedArrayBuffer
  readonly stallChance: number
}
interface InboxTask extends RingTask {
  readonly events: SharedArrayBuffer
}
interface BellTask {
  readonly bells: SharedArrayBuffer
  /** Cells of what was served, by player. */
  readonly scores: SharedArrayBuffer
  readonly count: number
  readonly mine: number
  readonly other: number
}

const roles = {
  produceCommands,
  consumeCommands,
  writeEvents,
  readEvents,
  sendAll,
  receiveAll,
  playPingPong,
  ringForWork,
  count,
}
export type Roles = typeof roles
export type RoleName = keyof Roles

/** A word that depends on which record and which of its words it is. */
const wordOf = (record: number, word: number): number =>
  (Math.imul(record, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca77)) | 0

/** Stands still for up to a millisecond: long enough for the other threads to run on. */
function stall(prng: Prng): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, prng.unit())
}

/** Mostly comes back at once, so that the two sides meet at every distance. */
function pause(prng: Prng): void {
  if (prng.chance(0.0001)) stall(prng)
}

function produceCommands({ memory, count, seed, full }: CommandTask): { fullCount: number } {
  const ring = new CommandRingProducer(memory)
  const prng = new Prng(seed)
  let fullCount = 0
  for (let record = 0; record < count; record++) {
    let at = ring.claim()
    while (at < 0) {
      ring.publish()
      if (fullCount++ === 0) {
        Atomics.store(new Int32Array(full), 0, 1)
        Atomics.notify(new Int32Array(full), 0)
      }
      pause(prng)
      at = ring.claim()
    }
    for (let word = 0; word < 32; word++) ring.buffer.i32[(at >> 2) + word] = wordOf(record, word)
    ring.commit()
    if (prng.chance(0.3)) ring.publish()
    if (prng.chance(0.0002)) stall(prng)
  }
  ring.publish()
  return { fullCount }
}

function consumeCommands({ memory, count, seed, full }: CommandTask): { received: number } {
  Atomics.wait(new Int32Array(full), 0, 0)
  const ring = new CommandRingConsumer(memory)
  const prng = new Prng(seed)
  let received = 0
  while (received < count) {
    const taken = Math.min(ring.available(), 1 + prng.below(500))
    if (taken === 0) pause(prng)
    for (let index = 0; index < taken; index++) {
      const word = ring.slotAt(index) >> 2
      for (let i = 0; i < 32; i++) {
        assert(ring.buffer.i32[word + i] === wordOf(received, i), 'the command that was sent')
      }
      received++
    }
    ring.release(taken)
    if (prng.chance(0.001)) stall(prng)
  }
  return { received }
}

/** Records of random length; word 1 is the record's number and the others follow from it. */
function writeEvents({ memory, count, seed, done, stallChance }: ReaderTask): { bytes: number } {
  const ring = new EventRingWriter(memory)
  const flags = new Int32Array(done)
  const source = RecordBuffer.allocate(32_768)
  const prng = new Prng(seed)
  let bytes = 0
  for (let record = 0; record < count; ) {
    const pieces = 1 + prng.below(4)
    for (let piece = 0; piece < pieces; piece++) {
      let end = 0
      for (let i = prng.below(80); i >= 0; i--) {
        const words = 4 + 2 * prng.below(48)
        const at = end >> 2
        source.i32[at] = headOf(16, words * 4)
        source.i32[at + 1] = record
        for (let word = 2; word < words; word++) source.i32[at + word] = wordOf(record, word)
        end += words * 4
        record++
      }
      ring.write(source, end)
      bytes += end
      if (prng.chance(stallChance)) stall(prng)
    }
    ring.publish()
    if (prng.chance(stallChance)) stall(prng)
  }
  Atomics.store(flags, 0, 1)
  return { bytes }
}

function readEvents({ memory, seed, done, stallChance }: ReaderTask): {
  received: number
  overrunCount: number
} {
  const ring = new EventRingReader(memory)
  const flags = new Int32Array(done)
  const prng = new Prng(seed)
  let received = 0
  let next = 0
  let mayMiss = false
  const visit = (buffer: RecordBuffer, at: number) => {
    const word = at >> 2
    const record = buffer.i32[word + 1]!
    assert(record === next || (mayMiss && record > next), 'none repeated, none missing unsaid')
    const words = recordLength(buffer, at) >> 2
    for (let i = 2; i < words; i++) {
      assert(buffer.i32[word + i] === wordOf(record, i), 'a record is whole')
    }
    next = record + 1
    mayMiss = false
    received++
  }
  Atomics.add(flags, 1, 1)
  while (true) {
    const isDone = Atomics.load(flags, 0) === 1
    const count = ring.poll(visit)
    if (ring.isOverrun) {
      mayMiss = true
      ring.resume()
    } else if (count === 0) {
      if (isDone) break
      stall(prng)
    }
    if (prng.chance(stallChance)) for (let i = 0; i < 20; i++) stall(prng)
  }
  return { received, overrunCount: ring.overrunCount }
}

/**
 * Events and replies from one count, in the order in which they are to be read. Continues once the
 * replies have room; the events never overrun, since the reader has all before the ring is full.
 */
function sendAll({ memory, events, count, seed }: InboxTask): { fullCount: number } {
  const replies = new ReplyRingWriter(memory)
  const ring = new EventRingWriter(events)
  const batch = RecordBuffer.allocate(4096)
  const reply = RecordBuffer.allocate(512)
  const prng = new Prng(seed)
  let fullCount = 0
  while (consumed(events) === 0) stall(prng)
  for (let number = 0; number < count; ) {
    let end = 0
    for (let left = prng.below(12); left >= 0; left--) {
      const words = 4 + 2 * prng.below(30)
      if (prng.chance(0.5)) {
        fill(batch, end, number++, words)
        end += words * 4
        continue
      }
      fill(reply, 0, number, words)
      if (replies.write(ring.position + end, reply, words * 4)) number++
      else fullCount++
    }
    ring.write(batch, end)
    replies.publish()
    pause(prng)
    ring.publish()
    while (!replies.hasRoom() || ring.position >= consumed(events) + 32_768) stall(prng)
  }
  return { fullCount }
}

function receiveAll({ memory, events, count, seed }: InboxTask): { received: number } {
  const prng = new Prng(seed)
  let received = 0
  const visit = (buffer: RecordBuffer, at: number) => {
    const word = at >> 2
    assert(buffer.i32[word + 1] === received, 'events and replies come in the order of their count')
    const words = recordLength(buffer, at) >> 2
    for (let i = 2; i < words; i++) {
      assert(buffer.i32[word + i] === wordOf(received, i), 'a record is whole')
    }
    received++
  }
  const reader = new EventRingReader(events)
  const inbox = new Inbox(reader, new ReplyRingReader(memory), visit, visit)
  const cell = new BigInt64Array(events, CONSUMED_AT, 1)
  Atomics.store(cell, 0, 1n)
  while (received < count) {
    const taken = inbox.poll(undefined, prng.chance(0.5) ? 256 : undefined)
    assert(!reader.isOverrun, 'the writer keeps within the ring')
    Atomics.store(cell, 0, BigInt(reader.position() + 1))
    if (taken === 0 || prng.chance(0.001)) stall(prng)
  }
  return { received }
}

/** A word between the event ring's own: 1 and the bytes that the reader has read; 0 before it begins. */
const CONSUMED_AT = 64

const consumed = (events: SharedArrayBuffer): number =>
  Number(Atomics.load(new BigInt64Array(events, CONSUMED_AT, 1), 0))

function fill(buffer: RecordBuffer, at: number, number: number, words: number): void {
  const word = at >> 2
  buffer.i32[word] = headOf(64, words * 4)
  buffer.i32[word + 1] = number
  for (let i = 2; i < words; i++) buffer.i32[word + i] = wordOf(number, i)
}

/** Takes turns with the other, player 0 first; sleeps otherwise, and without a limit. */
function playPingPong({ bells, scores, count, mine, other }: BellTask): { served: number } {
  const own = new Doorbell(bells, mine * 128)
  const theirs = new Doorbell(bells, other * 128)
  const cells = new Int32Array(scores)
  const lead = mine === 0 ? 0 : 1
  const prng = new Prng(mine)
  const hasWork = () => {
    const found = Atomics.load(cells, other) - Atomics.load(cells, mine) === lead
    // Thinks about it for a while, so that rings often come between the look and the sleep.
    for (let i = prng.below(200); i > 0; i--) Atomics.load(cells, mine)
    return found
  }
  let served = 0
  while (served < count) {
    if (!hasWork()) {
      own.sleep(hasWork, Number.POSITIVE_INFINITY, new RealTime())
      continue
    }
    served = Atomics.add(cells, mine, 1) + 1
    theirs.ring()
  }
  return { served }
}

/** One of many that add to the same score and ring the same bell. */
function ringForWork({ bells, scores, count, mine, other }: BellTask): { served: number } {
  const bell = new Doorbell(bells, other * 128)
  const cells = new Int32Array(scores)
  const prng = new Prng(mine)
  for (let i = 0; i < count; i++) {
    Atomics.add(cells, other, 1)
    bell.ring()
    if (prng.chance(0.05)) stall(prng)
  }
  return { served: count }
}

function count({ memory, count }: RingTask): { added: number } {
  const counters = new ExchangeCounters(memory)
  for (let i = 0; i < count; i++) counters.add(ExchangeCounter.warnings, 3)
  return { added: count * 3 }
}

if (!isMainThread && parentPort !== null && 'role' in (workerData ?? {})) {
  const { role, task } = workerData as { role: RoleName; task: never }
  parentPort.postMessage(roles[role](task))
}
