/**
 * The other thread of the ring benchmark: takes commands, reads events, or answers pings, by order of
 * message. What it took is summed, so that the two sides can be compared before a clock counts.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { RealTime } from '../../src/base/real-time.ts'
import { OrderAccepted } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer, recordLength, writeHead } from '../../src/layout/record-buffer.ts'
import { COMMAND_SLOT_BYTES } from '../../src/layout/records.gen.ts'
import { CommandRingConsumer } from '../../src/ring/command-ring.ts'
import { Doorbell } from '../../src/ring/doorbell.ts'
import { EventRingReader, EventRingWriter } from '../../src/ring/event-ring.ts'

export interface PeerRegions {
  readonly commands: SharedArrayBuffer
  readonly events: SharedArrayBuffer
  readonly answers: SharedArrayBuffer
  /** Two bells: the main thread's, then the peer's. */
  readonly bells: SharedArrayBuffer
  /** Cells by `PeerCell`. */
  readonly cells: SharedArrayBuffer
}

export const PeerCell = { READY: 0, DONE: 1, SUM: 2, READ_BYTES: 3 } as const

export type PeerTask = {
  readonly task: keyof typeof tasks
  readonly count: number
  /** Turns of a loop for which the taker does something else between looks, as a matcher does; 0. */
  readonly awayTurns?: number
}

export const SLOT_WORDS = COMMAND_SLOT_BYTES >> 2

/** Sums words as 32-bit integers: what one thread wrote, and the other read. */
export function sumWords(words: Int32Array, from: number, count: number): number {
  let sum = 0
  for (let word = from; word < from + count; word++) sum = (sum + words[word]!) | 0
  return sum
}

const tasks = { takeCommands, readEvents, takeMessages, answerCommands, answerMessages }

const port = parentPort
if (port !== null && workerData?.cells instanceof SharedArrayBuffer) {
  const regions = workerData as PeerRegions
  const cells = new Int32Array(regions.cells)
  let onMessage: ((message: Int32Array) => void) | undefined
  port.on('message', (message: Int32Array | PeerTask) => {
    if (message instanceof Int32Array) onMessage?.(message)
    else
      onMessage =
        tasks[message.task](regions, cells, message.count, message.awayTurns ?? 0) ?? undefined
  })
}

function finish(cells: Int32Array, sum: number): void {
  Atomics.store(cells, PeerCell.SUM, sum)
  Atomics.store(cells, PeerCell.DONE, 1)
}

function takeCommands(
  regions: PeerRegions,
  cells: Int32Array,
  count: number,
  awayTurns: number,
): void {
  const ring = new CommandRingConsumer(regions.commands)
  Atomics.store(cells, PeerCell.READY, 1)
  let sum = 0
  for (let taken = 0; taken < count; ) {
    const available = ring.available()
    for (let index = 0; index < available; index++) {
      sum = (sum + sumWords(ring.buffer.i32, ring.slotAt(index) >> 2, SLOT_WORDS)) | 0
    }
    ring.release(available)
    taken += available
    for (let turn = 0; turn < awayTurns; turn++);
  }
  finish(cells, sum)
}

function readEvents(regions: PeerRegions, cells: Int32Array, count: number): void {
  const ring = new EventRingReader(regions.events)
  Atomics.store(cells, PeerCell.READY, 1)
  let sum = 0
  const visit = (buffer: RecordBuffer, at: number) => {
    sum = (sum + sumWords(buffer.i32, at >> 2, recordLength(buffer, at) >> 2)) | 0
  }
  const start = ring.position()
  for (let taken = 0; taken < count; ) {
    taken += ring.poll(visit)
    Atomics.store(cells, PeerCell.READ_BYTES, ring.position() - start)
  }
  finish(cells, sum)
}

function takeMessages(_: PeerRegions, cells: Int32Array, count: number) {
  let sum = 0
  let taken = 0
  Atomics.store(cells, PeerCell.READY, 1)
  return (message: Int32Array) => {
    sum = (sum + sumWords(message, 0, SLOT_WORDS)) | 0
    if (++taken === count) finish(cells, sum)
  }
}

/** Acts as a matcher: sleeps when there is nothing, answers each command with one event. */
function answerCommands(regions: PeerRegions, cells: Int32Array, count: number): void {
  const ring = new CommandRingConsumer(regions.commands)
  const answers = new EventRingWriter(regions.answers)
  const mainBell = new Doorbell(regions.bells, 0)
  const bell = new Doorbell(regions.bells, 128)
  const record = RecordBuffer.allocate(COMMAND_SLOT_BYTES)
  writeHead(record, 0, OrderAccepted.type, COMMAND_SLOT_BYTES)
  const hasWork = () => ring.available() > 0
  Atomics.store(cells, PeerCell.READY, 1)
  for (let taken = 0; taken < count; ) {
    const available = ring.available()
    if (available === 0) {
      bell.sleep(hasWork, 100, new RealTime())
      continue
    }
    for (let index = 0; index < available; index++) {
      record.i32[1] = ring.buffer.i32[ring.slotAt(index) >> 2]!
      answers.write(record, COMMAND_SLOT_BYTES)
    }
    ring.release(available)
    answers.publish()
    mainBell.ring()
    taken += available
  }
  finish(cells, 0)
}

function answerMessages(_: PeerRegions, cells: Int32Array, count: number) {
  let taken = 0
  Atomics.store(cells, PeerCell.READY, 1)
  return (message: Int32Array) => {
    port?.postMessage(message)
    if (++taken === count) finish(cells, 0)
  }
}
