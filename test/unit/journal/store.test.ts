import fs, { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { readOrderRested, writeOrderRested } from '../../../scripts/layout/codecs.gen.ts'
import { AssertionError } from '../../../src/base/assert.ts'
import { BLOCK_BYTES_MAX } from '../../../src/base/limits.ts'
import { Prng } from '../../../src/base/prng.ts'
import { Ms, OrderId } from '../../../src/base/units.ts'
import { BLOCK_HEADER_BYTES, BlockWriter, JournalDamage } from '../../../src/journal/block.ts'
import { Checkpointer } from '../../../src/journal/checkpointer.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { Environment, PAGE_BYTES, StorageError } from '../../../src/journal/environment.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import {
  journalsIn,
  lastBlockMs,
  openMerge,
  readJournals,
  recoverWals,
} from '../../../src/journal/recovery.ts'
import type { Durability } from '../../../src/journal/store.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { SEGMENT_BYTES, segmentFile, WalWriter } from '../../../src/journal/wal-writer.ts'
import { OrderAccepted, OrderRested } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { zeroRecord } from '../../fixtures/zero-record.ts'

const folder = folderPerTest()

/** Bytes of a record in a large block. */
const RECORD_BYTES = 32_768
const DURABILITIES: Durability[] = ['flushed', 'committed']

/** Appends blocks of one record each, whose order ids are given. */
function append(matcher: number, epoch: number, orderIds: number[], durability: Durability): void {
  const journal = openJournal(folder(), matcher, durability)
  const blocks = new BlockWriter({ matcher, epoch, previous: journal.lastChecksum })
  const events = RecordBuffer.allocate(1024)
  for (const orderId of orderIds) {
    const end = writeOrderRested(events, 0, {
      ...zeroRecord(readOrderRested),
      orderId: OrderId(orderId),
    })
    journal.append(blocks.seal(events, end, journal.lastPosition + 1, Ms(0)))
  }
  journal.close()
}

/** A block of `bytes`, a multiple of 8, made of records that are not read. */
function sealBytes(blocks: BlockWriter, bytes: number, position: number): Uint8Array {
  const events = RecordBuffer.allocate(bytes - BLOCK_HEADER_BYTES)
  for (let at = 0; at < events.bytes.length; ) {
    const left = events.bytes.length - at
    const length = left >= 2 * RECORD_BYTES ? RECORD_BYTES : left
    writeHead(events, at, OrderRested.type, length)
    events.bytes.fill(position, at + 4, at + length)
    at += length
  }
  return blocks.seal(events, events.bytes.length, position, Ms(0))
}

const read = () => {
  const blocks = []
  for (const it of readJournals(folder())) {
    blocks.push([it.epoch, it.matcher, it.position, OrderAccepted.orderId(it.records, it.start)])
  }
  return blocks
}

/** Appends a block of `bytes`, a multiple of 8; answers it. */
function appendBytes(journal: Journal, blocks: BlockWriter, bytes: number): Uint8Array {
  const position = journal.lastPosition + 1
  const block = sealBytes(blocks, bytes, position)
  journal.append(block)
  return block.slice()
}

describe.each(DURABILITIES)('a journal, %s', (durability) => {
  test('counts positions from 1, and continues after it was closed', () => {
    let journal = openJournal(folder(), 0, durability)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: journal.lastChecksum })
    expect([journal.lastPosition, journal.flushedPosition]).toEqual([0, 0])
    for (let i = 1; i <= 3; i++) appendBytes(journal, blocks, 104 * i)
    expect(journal.lastPosition).toBe(3)
    expect(journal.flushedPosition).toBe(durability === 'flushed' ? 3 : 0)
    journal.flush()
    expect(journal.flushedPosition).toBe(3)
    journal.close()
    journal = openJournal(folder(), 0, durability)
    expect([journal.lastPosition, journal.flushedPosition]).toEqual([3, 3])
    appendBytes(journal, blocks, 416)
    journal.close()
    const reader = new JournalReader(journalFolder(folder(), 0))
    const found = [1, 2, 3, 4, 5].map((position) => reader.block(position)?.length)
    expect(found).toEqual([104, 208, 312, 416, undefined])
    reader.close()
  })

  test('holds blocks of every size, whole, and shows each beside its writer', () => {
    const journal = openJournal(folder(), 0, durability)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    const live = new JournalReader(journalFolder(folder(), 0), journal.cells)
    const sizes = [96, 2000, 4088, 4096, 4104, 5000, 70_000, 250_000, SEGMENT_BYTES - 4096]
    sizes.push(SEGMENT_BYTES, 96, SEGMENT_BYTES + 8, 96, 3 * SEGMENT_BYTES, 96, 1 << 20)
    const checksums = sizes.map((size) => {
      expect(live.block(journal.lastPosition + 1)).toBeUndefined()
      const checksum = crc32(appendBytes(journal, blocks, size))
      expect(crc32(live.block(journal.lastPosition)!)).toBe(checksum)
      return checksum
    })
    const again = checksums.map((_, i) => crc32(live.block(i + 1)!))
    expect(again).toEqual(checksums)
    live.close()
    journal.close()
    const reader = new JournalReader(journalFolder(folder(), 0))
    expect(checksums.map((_, i) => crc32(reader.block(i + 1)!))).toEqual(checksums)
    reader.close()
  })

  test('is read from any place while its write-ahead log is used again and again', () => {
    const journal = openJournal(folder(), 0, durability)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    const random = new Prng(1)
    const reader = new JournalReader(journalFolder(folder(), 0), journal.cells)
    const checksums = [0]
    for (let i = 0; i < 400; i++) {
      const size = random.chance(0.1) ? random.between(1, 200_000) : random.between(1, 20_000)
      checksums.push(crc32(appendBytes(journal, blocks, 96 + 8 * size)))
      const from = random.between(Math.max(1, journal.lastPosition - 20), journal.lastPosition)
      const position = random.chance(0.1) ? random.between(1, journal.lastPosition) : from
      for (let next = position; next <= Math.min(position + 2, journal.lastPosition); next++) {
        expect(crc32(reader.block(next)!), `${next} of ${i}`).toBe(checksums[next])
      }
    }
    expect(journal.cells.checkpointed).toBeGreaterThan(100)
    reader.close()
    journal.close()
  })
})

test('the largest block there may be, and none larger', () => {
  const journal = openJournal(folder(), 0, 'committed')
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  appendBytes(journal, blocks, 96)
  const largest = sealBytes(blocks, BLOCK_BYTES_MAX, 2)
  journal.append(largest)
  const tooLarge = new Uint8Array(BLOCK_BYTES_MAX + 8)
  expect(() => journal.append(tooLarge)).toThrow(AssertionError)
  journal.close()
  const reader = new JournalReader(journalFolder(folder(), 0))
  expect(Buffer.compare(reader.block(2)!, largest)).toBe(0)
  reader.close()
})

test('committed blocks do not wait for a flush without end', () => {
  const journal = openJournal(folder(), 0, 'committed')
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  for (let i = 0; i < 1_500; i++) {
    appendBytes(journal, blocks, 104)
    expect(journal.lastPosition - journal.flushedPosition).toBeLessThan(512)
  }
  journal.flush()
  for (let i = 0; i < 40; i++) {
    appendBytes(journal, blocks, 1 << 20)
    expect(journal.lastPosition - journal.flushedPosition).toBeLessThan(20)
  }
  journal.close()
})

test.each([
  ['writeSync', 'flushed'],
  ['fdatasyncSync', 'flushed'],
  ['writeSync', 'committed'],
] as const)('a disk that fails in %s ends a journal, %s', (call, durability) => {
  const journal = openJournal(folder(), 0, durability)
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  appendBytes(journal, blocks, 104)
  spyOnFs(call).mockImplementation(() => {
    throw new Error('EIO: i/o error')
  })
  const sentence = /^The write-ahead log in .*journal-0 cannot be written: EIO: i\/o error\.$/
  expect(() => appendBytes(journal, blocks, 104)).toThrow(sentence)
  restoreFs()
  expect(journal.cells.written).toBe(1)
  expect(() => appendBytes(journal, blocks, 104)).toThrow(AssertionError)
  journal.close()
  recoverWals(folder())
  expect([...readJournals(folder())].length).toBeGreaterThanOrEqual(1)
})

describe('a write-ahead log that another thread checkpoints', () => {
  const parts = (makeRoom: (position: number) => void) => ({
    cells: new WalCells(),
    segmentBegun: () => {},
    makeRoom,
  })

  test('asks for room only when no segment is free, and for no more than it needs', () => {
    const asked: number[] = []
    const its = parts((position) => {
      asked.push(position)
      its.cells.setCheckpointed(position)
    })
    const journal = openJournal(folder(), 0, 'committed', its)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    for (let i = 0; i < 7; i++) {
      expect(its.cells.fullSegments()).toBe(Math.max(0, Math.min(i - 1, 3)))
      appendBytes(journal, blocks, SEGMENT_BYTES)
    }
    expect(asked).toEqual([1, 2, 3])
    journal.close()
  })

  test('fails when there is none, and takes nothing more', () => {
    const its = parts(() => {
      throw new StorageError('The write-ahead log is full.')
    })
    const journal = openJournal(folder(), 0, 'committed', its)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    for (let i = 0; i < 4; i++) appendBytes(journal, blocks, SEGMENT_BYTES)
    expect(() => appendBytes(journal, blocks, 96)).toThrow('The write-ahead log is full.')
    expect(its.cells.written).toBe(4)
    expect(() => appendBytes(journal, blocks, 96)).toThrow(AssertionError)
    journal.close()
    expect(recoverWals(folder())).toBe(4)
    expect(recoverWals(folder())).toBe(0)
  })

  test('is not believed by a reader whom the checkpointer overtakes', () => {
    /** Cells that say at their second look that all is checkpointed: the segment may be another's now. */
    class OvertakenCells extends WalCells {
      looks = 0
      override get checkpointed(): number {
        return ++this.looks === 1 ? 0 : 2
      }
    }
    const store = new LmdbStore(journalFolder(folder(), 0))
    const origin = { matcher: 0, epoch: 1, previous: 0 }
    const [checkpointed, added] = [104, 208].map((bytes) => {
      const blocks = new BlockWriter(origin)
      return [1, 2].map((position) => sealBytes(blocks, bytes, position).slice())
    })
    store.append(() => checkpointed!.shift())
    const wal = new WalWriter({
      folder: journalFolder(folder(), 0),
      cells: new WalCells(),
      segmentBegun: () => {},
      makeRoom: () => {},
    })
    for (const [i, block] of added!.entries()) wal.write(block, i + 1)
    const cells = new OvertakenCells()
    cells.setFirst(0, 1)
    cells.setWritten(2)
    const reader = new JournalReader(journalFolder(folder(), 0), cells)
    expect(reader.block(1)?.length).toBe(104)
    reader.close()
    wal.close()
    store.close()
  })

  test('is checkpointed whole, and what is checkpointed is on the disk and in order', () => {
    const checkpointer = () => new Checkpointer(folder(), 0, its.cells)
    const its = parts((position) => {
      while (its.cells.checkpointed < position) works.checkpoint()
    })
    const journal = openJournal(folder(), 0, 'flushed', its)
    const works = checkpointer()
    expect(works.checkpoint()).toBe(0)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    for (let i = 0; i < 300; i++) appendBytes(journal, blocks, 96 + 8 * ((i * 7919) % 40_000))
    while (works.checkpoint() > 0);
    expect(its.cells.checkpointed).toBe(300)
    works.close()
    journal.close()
    expect(recoverWals(folder())).toBe(0)
    expect([...readJournals(folder())].length).toBe(300)
  })

  test('is checkpointed in transactions of a few hundred kilobytes, also at a start', () => {
    const its = parts(() => {})
    const journal = openJournal(folder(), 0, 'committed', its)
    const works = new Checkpointer(folder(), 0, its.cells)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    for (let i = 0; i < 10; i++) appendBytes(journal, blocks, 64 << 10)
    expect([works.checkpoint(), its.cells.checkpointed]).toEqual([4, 4])
    works.close()
    journal.close()
    const transactions = vi.spyOn(Environment.prototype, 'write')
    expect(recoverWals(folder())).toBe(6)
    expect(transactions.mock.calls.length).toBeGreaterThanOrEqual(2)
    transactions.mockRestore()
  })

  test('is flushed in every segment that was written', () => {
    const its = { ...parts(() => {}), segmentBytes: 2 * PAGE_BYTES }
    const journal = openJournal(folder(), 0, 'committed', its)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    for (let i = 0; i < 5; i++) appendBytes(journal, blocks, 104)
    const flushed = spyOnFs('fdatasyncSync')
    journal.flush()
    expect(new Set(flushed.mock.calls.map(([file]) => file)).size).toBe(3)
    journal.flush()
    expect(flushed).toHaveBeenCalledTimes(3)
    restoreFs()
    journal.close()
  })

  test('has zeros between its blocks', () => {
    const its = parts(() => {})
    const journal = openJournal(folder(), 0, 'committed', its)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    const sizes = [3 * PAGE_BYTES - 8, 104, (600 << 10) + 16, 208, PAGE_BYTES, 96]
    for (const bytes of sizes) appendBytes(journal, blocks, bytes)
    journal.close()
    const wal = fs.readFileSync(segmentFile(journalFolder(folder(), 0), 0))
    let at = 0
    for (const bytes of sizes) {
      const end = at + Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES
      expect(wal.subarray(at + bytes, end).every((byte) => byte === 0)).toBe(true)
      at = end
    }
    expect(wal.subarray(at).every((byte) => byte === 0)).toBe(true)
  })

  test('is damaged when a block changed before it was checkpointed', () => {
    const its = parts(() => {})
    const journal = openJournal(folder(), 0, 'flushed', its)
    const works = new Checkpointer(folder(), 0, its.cells)
    const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    for (let i = 0; i < 3; i++) appendBytes(journal, blocks, 104)
    const file = openSync(segmentFile(journalFolder(folder(), 0), 0), 'r+')
    writeSync(file, Buffer.from([1]), 0, 1, PAGE_BYTES + 100)
    closeSync(file)
    expect(() => works.checkpoint()).toThrow(/Block 2 of journal-0 does not match its checksum/)
    expect(its.cells.checkpointed).toBe(0)
    works.close()
    journal.close()
    expect(() => recoverWals(folder())).toThrow(
      /^Block 2 of journal-0 is not whole, but blocks 2 to 3 were flushed: .*Put back/,
    )
  })
})

test('a folder that cannot be a journal is one clear sentence', () => {
  writeFileSync(folder('journal-0'), 'a file')
  expect(() => openJournal(folder(), 0, 'flushed')).toThrow(StorageError)
  expect(() => openJournal(folder(), 0, 'flushed')).toThrow(
    /journal-0 cannot be used: it exists already/,
  )
})

describe('recovery', () => {
  test('nothing yet', () => {
    expect(journalsIn(folder('absent'))).toEqual([])
    expect(read()).toEqual([])
  })

  test('goes epoch by epoch, then journal by journal, whatever the number of matchers', () => {
    append(0, 1, [1, 2], 'committed')
    append(2, 1, [3], 'flushed')
    append(10, 1, [4], 'committed')
    append(0, 2, [5], 'flushed')
    append(2, 3, [6], 'committed')
    append(0, 3, [7, 8], 'flushed')
    append(10, 4, [9], 'committed')
    append(1, 4, [10], 'committed')
    expect(read()).toEqual([
      [1, 0, 1, 1],
      [1, 0, 2, 2],
      [1, 2, 1, 3],
      [1, 10, 1, 4],
      [2, 0, 3, 5],
      [3, 0, 4, 7],
      [3, 0, 5, 8],
      [3, 2, 2, 6],
      [4, 1, 1, 10],
      [4, 10, 2, 9],
    ])
  })

  test('continues from a place, and along with a growing journal', () => {
    append(0, 1, [1, 2, 3], 'flushed')
    const places = new Map<number, { position: number; checksum: number }>()
    for (const { matcher, position, checksum } of readJournals(folder())) {
      if (position === 2) places.set(matcher, { position, checksum })
    }
    const merge = openMerge(folder(), [0], places)
    expect(merge.next()?.position).toBe(3)
    expect(merge.next()).toBeUndefined()
    append(0, 2, [4], 'flushed')
    merge.refresh()
    expect(merge.next()?.position).toBe(4)
    merge.close()
    const other = new Map([[0, { position: 2, checksum: 12345 }]])
    expect(() => openMerge(folder(), [0], other)).toThrow(/not the one that was read before/)
    const later = new Map([[0, { position: 20, checksum: 1 }]])
    expect(() => openMerge(folder(), [0], later)).toThrow(/no longer there/)
  })

  const WAY_OUT = /restore a backup \(ringbook restore\)\.$/

  const broken: [what: string, append: () => void, sentence: RegExp][] = [
    ['bytes that are no block', () => raw(0, new Uint8Array(80)), /^Block 2 of journal-0 does not/],
    ['a block of another matcher', () => sealed(1, 1, 2), /Block 2 .* another matcher's/],
    ['a block of another place', () => sealed(0, 1, 3), /Block 2 .* says it is another/],
    ['a block of an earlier start', () => sealed(0, 0, 2), /Block 2 .* earlier start/],
    ['a block after another one', () => sealed(0, 1, 2, 99), /Block 2 .* does not follow/],
  ]
  test.each(broken)('stops at %s', (_, damage, sentence) => {
    append(0, 1, [1], 'flushed')
    damage()
    expect(read).toThrow(JournalDamage)
    expect(read).toThrow(sentence)
    expect(read).toThrow(WAY_OUT)
  })

  test('names the way out wherever it meets a damaged block first', () => {
    append(0, 1, [1], 'flushed')
    raw(0, new Uint8Array(80))
    const ofBlock2 = new RegExp(`^Block 2 of journal-0 does not .*${WAY_OUT.source}`)
    expect(() => lastBlockMs(folder())).toThrow(ofBlock2)
    const store = new LmdbStore(journalFolder(folder(), 0))
    expect(() => store.last()).toThrow(ofBlock2)
    store.close()
  })

  function raw(matcher: number, block: Uint8Array): void {
    const store = new LmdbStore(journalFolder(folder(), matcher))
    const blocks = [block]
    store.append(() => blocks.pop())
    store.close()
  }

  function sealed(matcher: number, epoch: number, position: number, previous?: number): void {
    const store = new LmdbStore(journalFolder(folder(), 0))
    const origin = { matcher, epoch, previous: previous ?? store.last().point.checksum }
    store.close()
    raw(0, sealBytes(new BlockWriter(origin), 128, position))
  }
})

describe('the control journal', () => {
  test('keeps values in sequence', () => {
    const facts = [{ fact: 'start', epoch: 1 }, 'text', 5, [null, { deep: ['ü'] }]]
    let control = ControlStore.open(folder())
    expect([...control.entries()]).toEqual([])
    expect(facts.map((fact) => control.append(fact))).toEqual([1, 2, 3, 4])
    control.close()
    control = ControlStore.open(folder())
    expect(control.lastSequence).toBe(4)
    expect(control.appendAll(['a', 'b'])).toBe(6)
    expect([...control.entries()]).toEqual([...facts, 'a', 'b'])
    control.close()
  })

  test('takes all of several values, or none', () => {
    const control = ControlStore.open(folder())
    expect(() => control.appendAll(['a', 10n])).toThrow(TypeError)
    expect([...control.entries()]).toEqual([])
    control.close()
  })
})
