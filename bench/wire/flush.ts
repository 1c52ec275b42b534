/**
 * What the disk itself takes, as the budget that a durable answer is held against: one 4 KiB block
 * written in place and flushed, and one small LMDB transaction. Each is started as seldom as the
 * orders that it is compared with, since a disk that rests answers otherwise than a busy one.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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

/** Measures `count` flushes of a block, started every `intervalMs`; in microseconds. */
export async function measureBlockFlushes(count: number, intervalMs: number): Promise<number[]> {
  const folder = temporaryFolder()
  try {
    return await measureBlocks(folder, count, intervalMs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureBlocks(folder: string, count: number, intervalMs: number): Promise<number[]> {
  const block = Buffer.alloc(BLOCK_BYTES, 1)
  const file = openSync(path.join(folder, 'block'), 'w')
  try {
    // Written once beforehand, so that a flush has no new length or new block to note.
    for (let i = 0; i < FILE_BLOCKS; i++) writeSync(file, block)
    fdatasyncSync(file)
    let next = 0
    return await timeEach(count, intervalMs, () => {
      writeSync(file, block, 0, BLOCK_BYTES, (next++ % FILE_BLOCKS) * BLOCK_BYTES)
      fdatasyncSync(file)
    })
  } finally {
    closeSync(file)
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
