/**
 * Heads of blocks, segments, snapshots and frames are written whole: in memory that was filled with two patterns, no
 * byte keeps both. A head that the schema gains is looked for at once.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { BlockReader, BlockWriter } from '../../../src/journal/block.ts'
import { FlushMarkWriter, flushMarkFile } from '../../../src/journal/flush-mark.ts'
import { journalFolder } from '../../../src/journal/lmdb-store.ts'
import { sealedFolder, writeSegment } from '../../../src/journal/sealed-segments.ts'
import { SectionKind, snapshotFile, writeSnapshot } from '../../../src/journal/snapshot.ts'
import { emptyNote, encodeNote } from '../../../src/journal/wal-note.ts'
import { ImageWriter } from '../../../src/layout/image.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { RecordType } from '../../../src/layout/records.gen.ts'
import { BlockHead, SnapshotHead, SnapshotSectionHead } from '../../../src/layout/rows.gen.ts'
import { heads } from '../../../src/layout/schema/heads.ts'
import { placesOf, sectionBytes } from '../../../src/layout/schema.ts'
import { ReplyRingWriter, replyRingBytes } from '../../../src/ring/reply-ring.ts'
import { PATTERNS, unwrittenFields } from '../../fixtures/poison.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
afterEach(() => vi.restoreAllMocks())

function poisoned<T>(pattern: number, write: () => T): T {
  const { allocate } = RecordBuffer
  const allocating = vi.spyOn(RecordBuffer, 'allocate').mockImplementation((length) => {
    const buffer = allocate(length)
    buffer.bytes.fill(pattern)
    return buffer
  })
  const written = write()
  allocating.mockRestore()
  return written
}

function oneEvent(): RecordBuffer {
  const events = RecordBuffer.allocate(64)
  writeHead(events, 0, RecordType.OrderRested, 64)
  return events
}

function block(): Uint8Array {
  const events = oneEvent()
  const writer = new BlockWriter({ matcher: 1, epoch: 1, previous: 0 })
  return writer.seal(events, events.bytes.length, 1, Ms(1)).slice(0, BlockHead.bytes)
}

function segment(): Uint8Array {
  const events = oneEvent()
  const writer = new BlockWriter({ matcher: 1, epoch: 1, previous: 0 })
  const reader = new BlockReader()
  reader.open(writer.seal(events, events.bytes.length, 1, Ms(1)), 'The block')
  const blocks = [reader]
  const sealed = sealedFolder(journalFolder(folder(), 1))
  writeSegment(journalFolder(folder(), 1), 1, () => blocks.pop())
  return new Uint8Array(readFileSync(path.join(sealed, readdirSync(sealed)[0]!)))
}

function snapshot(): Uint8Array {
  const image = new ImageWriter()
  image.double(1)
  writeSnapshot(folder(), 1, [{ kind: SectionKind.LEDGER, id: 0, image }])
  return new Uint8Array(readFileSync(snapshotFile(folder(), 1)))
}

function flushMark(): Uint8Array {
  new FlushMarkWriter(folder(), 1).close()
  return new Uint8Array(readFileSync(flushMarkFile(folder())))
}

const CAPACITY = 1024
function frame(pattern: number): Uint8Array {
  const memory = new SharedArrayBuffer(replyRingBytes(CAPACITY))
  const ring = new Uint8Array(memory, memory.byteLength - CAPACITY).fill(pattern)
  const events = oneEvent()
  new ReplyRingWriter(memory).write(0, events, events.bytes.length)
  return ring.slice()
}

/** Head → what stands where it begins, by pattern. */
const written: Readonly<Record<string, (pattern: number) => Uint8Array>> = {
  WalNote: (pattern) => poisoned(pattern, () => encodeNote(emptyNote('flushed'))),
  FlushMark: (pattern) => poisoned(pattern, flushMark),
  BlockHead: (pattern) => poisoned(pattern, block),
  SegmentHead: (pattern) => poisoned(pattern, segment),
  SnapshotHead: (pattern) => poisoned(pattern, snapshot),
  SnapshotSectionHead: (pattern) => poisoned(pattern, snapshot).subarray(SnapshotHead.bytes),
  ImageHead: (pattern) =>
    poisoned(pattern, snapshot).subarray(SnapshotHead.bytes + SnapshotSectionHead.bytes),
  ReplyFrame: frame,
}

test.each(heads)('$name is written whole', (head) => {
  const parts = PATTERNS.map((pattern) =>
    written[head.name]!(pattern).subarray(0, sectionBytes(head)),
  )
  expect(unwrittenFields(placesOf(head), parts[0]!, parts[1]!)).toEqual([])
})
