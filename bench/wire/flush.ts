/**
 * What the disk itself takes, as the budget that a durable answer is held against: one 4 KiB block
 * written in place and flushed, and one small LMDB transaction. Each is started as seldom as the
 * orders that it is compared with, since a disk that rests answers otherwise than a busy one.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { open } from 'lmdb'
import { temporaryFolder } from './server.ts'

export interface FlushTimes {
  /** Each measured flush, in microseconds. */
  readonly blockUs: number[]
  readonly lmdbUs: number[]
}

const BLOCK_BYTES = 4096
const FILE_BLOCKS = 256

/** Measures `count` flushes of either kind, started every `intervalMs`. */
export async function measureFlushes(count: number, intervalMs: number): Promise<FlushTimes> {
  const folder = temporaryFolder()
  try {
    return {
      blockUs: await measureBlocks(folder, count, intervalMs),
      lmdbUs: await measureTransactions(folder, count, intervalMs),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What flushes at a steady rate came to, in microseconds each. */
export interface SteadyFlushes {
  /** The flush by itself. */
  readonly aloneUs: readonly number[]
  /** For each that was due: from then until it was flushed, longer where the disk stood still. */
  readonly dueUs: readonly number[]
}

/** Flushes a block so often for so long. Flushes that became due during another are one, as a batch is. */
export async function measureSteadyFlushes(
  perSecond: number,
  seconds: number,
): Promise<SteadyFlushes> {
  const folder = temporaryFolder()
  const flushes = new BlockFlushes(folder)
  try {
    return await timeSteady(perSecond, seconds, () => flushes.next())
  } finally {
    flushes.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureBlocks(folder: string, count: number, intervalMs: number): Promise<number[]> {
  const flushes = new BlockFlushes(folder)
  try {
    return await timeEach(count, intervalMs, () => flushes.next())
  } finally {
    flushes.close()
  }
}

/** A file whose blocks are written and flushed one after another. */
class BlockFlushes {
  private readonly block = Buffer.alloc(BLOCK_BYTES, 1)
  private readonly file: number
  private nextBlock = 0

  constructor(folder: string) {
    this.file = openSync(path.join(folder, 'block'), 'w')
    // Written once beforehand, so that a flush has no new length or new block to note.
    for (let i = 0; i < FILE_BLOCKS; i++) writeSync(this.file, this.block)
    fdatasyncSync(this.file)
  }

  next(): void {
    const at = (this.nextBlock++ % FILE_BLOCKS) * BLOCK_BYTES
    writeSync(this.file, this.block, 0, BLOCK_BYTES, at)
    fdatasyncSync(this.file)
  }

  close(): void {
    closeSync(this.file)
  }
}

async function measureTransactions(
  folder: string,
  count: number,
  intervalMs: number,
): Promise<number[]> {
  const store = open<Buffer, number>({
    path: path.join(folder, 'lmdb'),
    encoding: 'binary',
    keyEncoding: 'uint32',
    overlappingSync: false,
  })
  const value = Buffer.alloc(512, 1)
  let next = 0
  try {
    return await timeEach(count, intervalMs, () => {
      store.transactionSync(() => store.putSync(++next, value))
    })
  } finally {
    await store.close()
  }
}

async function timeEach(count: number, intervalMs: number, act: () => void): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const begun = process.hrtime.bigint()
    act()
    times.push(Number(process.hrtime.bigint() - begun) / 1000)
    await delay(intervalMs)
  }
  return times
}

async function timeSteady(
  perSecond: number,
  seconds: number,
  act: () => void,
): Promise<SteadyFlushes> {
  const [aloneUs, dueUs]: [number[], number[]] = [[], []]
  const start = performance.now()
  const endMs = start + seconds * 1000
  let due = start
  let ended = start
  while (due < endMs) {
    // Signals are handled between two flushes.
    await setImmediate()
    sleepUntil(due)
    const begun = performance.now()
    // A timer that is late is no wait for the disk.
    let since = ended > due ? due : begun
    act()
    ended = performance.now()
    aloneUs.push((ended - begun) * 1000)
    for (; since <= begun; since = due) {
      dueUs.push((ended - since) * 1000)
      due += 1000 / perSecond
    }
  }
  return { aloneUs, dueUs }
}

const neverRung = new Int32Array(new SharedArrayBuffer(4))

/** Timers of the event loop are whole milliseconds, longer than a flush. */
function sleepUntil(timeMs: number): void {
  const left = timeMs - performance.now()
  if (left > 0) Atomics.wait(neverRung, 0, 0, left)
}
