/** A journal whose flushes run beside its matcher: what is written becomes visible when they are over. */
import type fs from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AssertionError } from '../../../src/base/assert.ts'
import { Ms } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { StorageError } from '../../../src/journal/environment.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import type { Durability } from '../../../src/journal/store.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { OrderRested } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let journal: Journal
let blocks: BlockWriter
/** Of the journal that was opened last: flushes that end behind a close are of no interest. */
let flushes = 0
let opened = 0
beforeEach(() => {
  flushes = 0
})
afterEach(() => {
  restoreFs()
  journal.close()
})

function open(durability: Durability): void {
  const number = ++opened
  journal = openJournal(folder(), 0, durability, {
    cells: new WalCells(),
    segmentBegun: () => {},
    makeRoom: () => {},
    flushed: () => {
      if (number === opened) flushes++
    },
  })
  blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: journal.lastChecksum })
}

function append(): void {
  const events = RecordBuffer.allocate(OrderRested.bytes)
  writeHead(events, 0, OrderRested.type, OrderRested.bytes)
  journal.append(blocks.seal(events, OrderRested.bytes, journal.lastPosition + 1, Ms(0)))
}

const positions = () => [journal.lastPosition, journal.flushedPosition, journal.cells.written]
const flushed = (count: number) => expect.poll(() => flushes).toBe(count)

test('a block is visible to other workers once it is flushed', async () => {
  open('flushed')
  for (let count = 1; count <= 3; count++) {
    append()
    expect([journal.isFlushing(), ...positions()]).toEqual([true, count, count - 1, count - 1])
    await flushed(count)
    expect([journal.isFlushing(), ...positions()]).toEqual([false, count, count, count])
  }
})

test('nothing is appended during a flush', async () => {
  open('flushed')
  append()
  expect(append).toThrow(AssertionError)
  await flushed(1)
})

test('committed blocks are visible at once, and flushed when that is asked for', async () => {
  open('committed')
  append()
  append()
  expect([journal.isFlushing(), ...positions()]).toEqual([false, 2, 0, 2])
  journal.beginFlush!()
  expect(journal.isFlushing()).toBe(true)
  await flushed(1)
  expect(positions()).toEqual([2, 2, 2])
})

test('a flush that blocks ends the one that is under way', async () => {
  open('flushed')
  append()
  journal.flush()
  expect([journal.isFlushing(), ...positions()]).toEqual([false, 1, 1, 1])
  append()
  await flushed(1)
  expect(positions()).toEqual([2, 2, 2])
})

/** Flushes beside the caller end when the test calls them, in the order in which they began. */
function heldFlushes(): ((error?: Error) => void)[] {
  const ends: ((error?: Error) => void)[] = []
  const fdatasync = ((_file: number, done: (error: Error | null) => void) =>
    ends.push((error) => done(error ?? null))) as unknown
  spyOnFs('fdatasync').mockImplementation(fdatasync as typeof fs.fdatasync)
  return ends
}

test('a flush that ends late says nothing of what was written after it', () => {
  open('flushed')
  const ends = heldFlushes()
  const blocking = spyOnFs('fdatasyncSync')
  append()
  journal.flush()
  append()
  ends.shift()!()
  expect([journal.isFlushing(), ...positions()]).toEqual([true, 2, 1, 1])
  journal.flush()
  expect(blocking).toHaveBeenCalledTimes(2)
  expect(positions()).toEqual([2, 2, 2])
})

test('a flush is over after one that ended late, too', () => {
  open('committed')
  const ends = heldFlushes()
  append()
  journal.beginFlush!()
  journal.flush()
  append()
  ends.shift()!()
  journal.beginFlush!()
  ends.shift()!()
  expect(flushes).toBe(1)
  expect([journal.isFlushing(), ...positions()]).toEqual([false, 2, 2, 2])
})

test('one that fails late fails the journal: a later flush may have seen no fault', () => {
  open('flushed')
  const ends = heldFlushes()
  append()
  journal.flush()
  ends.shift()!(Object.assign(new Error('no'), { code: 'EIO' }))
  expect(() => journal.isFlushing()).toThrow(StorageError)
  expect(() => journal.flush()).toThrow(StorageError)
  expect(append).toThrow(StorageError)
})

test('closing ends it too', () => {
  open('flushed')
  append()
  journal.close()
  expect(positions()).toEqual([1, 1, 1])
  open('flushed')
  expect(positions()).toEqual([1, 1, 1])
})

test('a refused flush fails what asks for it, and leaves the block invisible', async () => {
  open('flushed')
  const fdatasync = ((_file: number, done: (error: Error | null) => void) =>
    setImmediate(done, Object.assign(new Error('no'), { code: 'EIO' }))) as unknown
  spyOnFs('fdatasync').mockImplementation(fdatasync as typeof fs.fdatasync)
  append()
  await flushed(1)
  expect(() => journal.isFlushing()).toThrow(StorageError)
  expect(append).toThrow(StorageError)
  expect(positions()).toEqual([1, 0, 0])
})
