/** What a start makes of a write-ahead log: a crash's end, or damage, by each witness alone. */
import fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { BlockWriter, JournalDamage } from '../../../src/journal/block.ts'
import { LeftLog } from '../../../src/journal/checkpointer.ts'
import { PAGE_BYTES } from '../../../src/journal/environment.ts'
import { flushMarkFile } from '../../../src/journal/flush-mark.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import { recoverWals } from '../../../src/journal/recovery.ts'
import { findLost, giveUpLost } from '../../../src/journal/salvage.ts'
import { sealedFolder } from '../../../src/journal/sealed-segments.ts'
import type { Durability } from '../../../src/journal/store.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { decodeNote, emptyNote, encodeNote, WalState } from '../../../src/journal/wal-note.ts'
import { segmentFile, WalWriter } from '../../../src/journal/wal-writer.ts'
import { OrderRested } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { FlushMark } from '../../../src/layout/rows.gen.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const SEGMENT_BYTES = 8 * PAGE_BYTES
const data = folderPerTest()
let journal: string
beforeEach(() => {
  journal = journalFolder(data(), 0)
})

/** Writes blocks of one page each, and is killed. Returns the mark as it was before each of them. */
function run(blocks: number, durability: Durability = 'flushed'): Buffer[] {
  const parts = { cells: new WalCells(), segmentBegun: () => {}, makeRoom: () => {} }
  const store = openJournal(data(), 0, durability, { ...parts, segmentBytes: SEGMENT_BYTES })
  const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: store.lastChecksum })
  const marks = Array.from({ length: blocks }, () => {
    const before = fs.readFileSync(flushMarkFile(journal))
    append(store, writer)
    return before
  })
  return marks
}

function append(store: Journal, writer: BlockWriter): void {
  const { lastPosition, flushedPosition } = store
  store.append(sealed(writer, lastPosition + 1, lastPosition - flushedPosition))
}

function sealed(writer: BlockWriter, position: number, unflushed?: number): Uint8Array {
  const events = RecordBuffer.allocate(OrderRested.bytes)
  writeHead(events, 0, OrderRested.type, OrderRested.bytes)
  return writer.seal(events, OrderRested.bytes, position, Ms(0), unflushed)
}

function note(durability: Durability): void {
  const store = new LmdbStore(journal)
  store.noteWal(emptyNote(durability))
  store.close()
}

/** Gives the mark to another run of the system, as after a power loss. */
function losePower(): void {
  const row = RecordBuffer.allocate(FlushMark.bytes)
  row.bytes.set(fs.readFileSync(flushMarkFile(journal)))
  FlushMark.setBoot(row, 0, FlushMark.boot(row, 0) ^ 1)
  FlushMark.setChecksum(row, 0, crc32(row.bytes.subarray(FlushMark.positionStart)) | 0)
  fs.writeFileSync(flushMarkFile(journal), row.bytes)
}

/** A sealed segment, by its name. */
function seal(first: number, last: number): void {
  const folder = sealedFolder(journal)
  fs.mkdirSync(folder, { recursive: true })
  const name = [first, last].map((it) => String(it).padStart(12, '0')).join('-')
  fs.writeFileSync(path.join(folder, name), '')
}

/** Changes a byte of the block of that position, of a log that began with block 1. */
function spoil(position: number): void {
  const segment = Math.floor((position - 1) / 8)
  const file = segmentFile(journal, segment)
  const bytes = fs.readFileSync(file)
  bytes[((position - 1) % 8) * PAGE_BYTES + OrderRested.bytes + 20]! ^= 1
  fs.writeFileSync(file, bytes)
}

const ending = () => {
  const { end } = new LeftLog(data(), 0)
  return end
}

describe('a flushed log', () => {
  test('that is whole has no damage, and nothing is given up', () => {
    run(12)
    expect(ending()).toMatchObject({ position: 12, damage: undefined, givenUp: undefined })
    expect(recoverWals(data())).toBe(12)
  })

  test.each([1, 7, 12])('whose block %i changed is damaged, by the mark', (position) => {
    run(12)
    spoil(position)
    expect(ending()).toMatchObject({ position: position - 1, flushed: 12 })
    expect(() => recoverWals(data())).toThrow(/^Block \d+ of journal-0 is not whole/)
  })

  test('whose mark a power loss took back is damaged by the head of a later block', () => {
    const [first] = run(12)
    fs.writeFileSync(flushMarkFile(journal), first!)
    spoil(11)
    expect(ending()).toMatchObject({ position: 10, flushed: 11 })
    expect(ending().damage).toContain('block 12 stands behind it in wal-1')
  })

  test('whose last block alone is in doubt gives up that one, and names it', () => {
    const [first] = run(12)
    fs.writeFileSync(flushMarkFile(journal), first!)
    spoil(12)
    const gaveUp: string[] = []
    expect(recoverWals(data(), { gaveUp: (sentence) => gaveUp.push(sentence) })).toBe(11)
    expect(gaveUp).toEqual([expect.stringContaining('gave up block 12 of journal-0')])
  })

  test('is damaged when a file of it is missing, short or not as it was written', () => {
    run(12)
    for (const segment of [0, 1, 2, 3]) {
      const file = segmentFile(journal, segment)
      const bytes = fs.readFileSync(file)
      fs.rmSync(file)
      expect(ending().damage).toMatch(`wal-${segment} of journal-0 is no longer there`)
      fs.writeFileSync(file, bytes.subarray(0, SEGMENT_BYTES - 1))
      expect(ending().damage).toMatch(`wal-${segment} of journal-0 has`)
      fs.writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(PAGE_BYTES)]))
      expect(ending().damage).toBeUndefined()
      fs.writeFileSync(file, bytes)
    }
    const mark = fs.readFileSync(flushMarkFile(journal))
    fs.rmSync(flushMarkFile(journal))
    expect(ending().damage).toBe('wal-flushed of journal-0 is no longer there.')
    mark[9]! ^= 1
    fs.writeFileSync(flushMarkFile(journal), mark)
    expect(ending().damage).toBe('wal-flushed of journal-0 is damaged.')
  })

  test('is damaged when a sealed segment has a block more', () => {
    run(12)
    seal(1, 12)
    expect(ending()).toMatchObject({ position: 12, damage: undefined })
    seal(13, 13)
    expect(ending()).toMatchObject({ position: 12, flushed: 13 })
    expect(ending().damage).toContain('old-journals has block 13')
  })

  test('may have lost one block without a trace when power was lost, which a start says', () => {
    run(12)
    losePower()
    expect(ending()).toMatchObject({ damage: undefined, givenUp: 13, isExact: false })
    const gaveUp: (string | boolean)[] = []
    recoverWals(data(), { gaveUp: (...said) => gaveUp.push(...said) })
    expect(gaveUp).toEqual([expect.stringContaining('gave up block 13 of journal-0'), true])
  })

  test('that had no block has lost none when power was lost', () => {
    run(0)
    losePower()
    expect(ending()).toMatchObject({ position: 0, damage: undefined, givenUp: undefined })
  })

  test('loses nothing when two of its segments are swapped', () => {
    run(12)
    const [first, second] = [0, 1].map((segment) => segmentFile(journal, segment))
    fs.renameSync(first!, data('aside'))
    fs.renameSync(second!, first!)
    fs.renameSync(data('aside'), second!)
    expect(recoverWals(data())).toBe(12)
  })
})

test('of a committed log, blocks behind the last flush may be missing, and none before it', () => {
  const [first] = run(12, 'committed')
  spoil(3)
  expect(ending()).toMatchObject({ position: 2, damage: undefined, givenUp: 12 })
  expect(first).toEqual(fs.readFileSync(flushMarkFile(journal)))
})

test("a member's log is judged by its mark, not by heads, which may be another machine's", () => {
  const [first] = run(12, 'replicated')
  fs.writeFileSync(flushMarkFile(journal), first!)
  spoil(3)
  expect(ending()).toMatchObject({ position: 2, damage: undefined })
})

test("a member's damaged log stays damaged until its quorum was asked", () => {
  run(5, 'replicated')
  spoil(3)
  const damages: string[] = []
  for (const blocks of [2, 0])
    expect(recoverWals(data(), { damaged: (sentence) => damages.push(sentence) })).toBe(blocks)
  expect(damages).toEqual(Array(2).fill(expect.stringContaining('Block 3 of journal-0')))
})

test('a log that is being prepared may be in any state, and LMDB must have what the mark names', () => {
  run(5)
  expect(recoverWals(data())).toBe(5)
  for (const segment of [0, 1, 2, 3]) {
    fs.truncateSync(segmentFile(journal, segment), 100)
    expect(ending()).toMatchObject({ position: 5, damage: undefined })
    fs.rmSync(segmentFile(journal, segment))
    expect(ending()).toMatchObject({ position: 5, damage: undefined })
  }
  run(1)
  expect(ending()).toMatchObject({ position: 6, damage: undefined })
  note('flushed')
  expect(ending().damage).toContain('wal-flushed says so')
})

test("a member's log that is being prepared is not judged by its mark, nor any by half a mark", () => {
  run(5, 'replicated')
  note('replicated')
  expect(ending()).toMatchObject({ position: 0, damage: undefined })
  note('flushed')
  expect(ending()).toMatchObject({ position: 0, flushed: 5 })
  fs.truncateSync(flushMarkFile(journal), 9)
  expect(ending()).toMatchObject({ position: 0, damage: undefined })
})

test('in a log of layout 6, which has no note, blocks before one that stands were flushed', () => {
  new LmdbStore(journal).close()
  const cells = new WalCells()
  const ways = { folder: journal, cells, segmentBegun: () => {}, makeRoom: () => {} }
  const wal = new WalWriter({ ...ways, segmentBytes: SEGMENT_BYTES })
  const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  for (let position = 1; position <= 5; position++) wal.write(sealed(writer, position), position)
  wal.close()
  fs.rmSync(flushMarkFile(journal))
  expect(ending()).toMatchObject({ position: 5, damage: undefined, givenUp: undefined })
  spoil(5)
  expect(ending()).toMatchObject({ position: 4, damage: undefined, givenUp: 5 })
  spoil(3)
  expect(ending()).toMatchObject({ position: 2, flushed: 4 })
  expect(ending().damage).toContain('block 5 stands behind it in wal-0')
})

test('a note that is not as it was written is damage', () => {
  const bytes = encodeNote({ state: WalState.IN_USE, durability: 'flushed', segmentBytes: 4_096 })
  const read = (changed: Uint8Array) => () => decodeNote(changed, 'journal-0')
  expect(read(bytes)()).toMatchObject({ durability: 'flushed', segmentBytes: 4_096 })
  expect(read(bytes.subarray(1))).toThrow(JournalDamage)
  for (const at of bytes.keys()) expect(read(bytes.with(at, bytes[at]! ^ 1))).toThrow(JournalDamage)
})

test('salvage sets sealed segments aside that go on behind the end, and no others', () => {
  run(12)
  expect(recoverWals(data())).toBe(12)
  seal(1, 12)
  seal(13, 20)
  const lost = findLost(data())
  expect(lost).toMatchObject([{ blocks: 8, readable: 0 }])
  giveUpLost(data(), lost)
  expect(fs.readdirSync(sealedFolder(journal)).sort()).toEqual([
    '000000000001-000000000012',
    'salvaged-000000000013-000000000020',
  ])
  expect(findLost(data())).toEqual([])
})

test('salvage ends the journal before what is lost, and says what that is', () => {
  run(12)
  spoil(4)
  const lost = findLost(data())
  expect(lost).toMatchObject([{ blocks: 9, readable: 8 }])
  for (const name of ['archive', 'archive-2']) fs.mkdirSync(data(name))
  giveUpLost(data(), lost)
  // Archives have what is given up.
  expect(fs.readdirSync(data())).toEqual(['journal-0'])
  expect(findLost(data())).toEqual([])
  expect(recoverWals(data())).toBe(0)
  run(2)
  expect(ending()).toMatchObject({ position: 5, damage: undefined })
  const store = new LmdbStore(journal)
  expect(store.walNote()).toMatchObject({ state: WalState.IN_USE, durability: 'flushed' })
  store.close()
})

describe('an archive', () => {
  const archived = (block: number) => ({ archived: new Map([[0, block]]) })

  test('that has the last block is no damage; one with a block more is', () => {
    run(12)
    expect(() => recoverWals(data(), archived(13))).toThrow(
      'journal-0 ends with block 12, but the archive has block 13: 1 block is lost.',
    )
    expect(() => recoverWals(data(), archived(15))).toThrow('15: 3 blocks are lost.')
    expect(findLost(data(), archived(15))).toMatchObject([{ blocks: 3, readable: 0 }])
    expect(findLost(data(), archived(12))).toEqual([])
    expect(recoverWals(data(), archived(12))).toBe(12)
    // LMDB has all of it now, and the log is noted as empty.
    expect(() => recoverWals(data(), archived(13))).toThrow('1 block is lost')
    expect(recoverWals(data(), archived(12))).toBe(0)
  })

  test('that has more than a damaged log says how much is lost', () => {
    run(12)
    spoil(11)
    expect(findLost(data(), archived(14))).toMatchObject([
      { blocks: 4, damage: expect.stringContaining('Block 11 of journal-0 is not whole') },
    ])
  })

  test('that has more of a committed log is made again, which is said', () => {
    run(12, 'committed')
    const gaveUp: string[] = []
    const ways = { ...archived(14), gaveUp: (sentence: string) => gaveUp.push(sentence) }
    expect(recoverWals(data(), ways)).toBe(12)
    expect(gaveUp).toEqual([expect.stringContaining('gave up blocks 13 to 14 of journal-0')])
  })

  test('is no proof about a committed log; a snapshot is', () => {
    run(12, 'committed')
    expect(findLost(data(), archived(14))).toEqual([])
    const snapshots = new Map([[0, 14]])
    expect(findLost(data(), { snapshots })).toMatchObject([
      {
        blocks: 2,
        damage: expect.stringContaining('but a snapshot has block 14: 2 blocks are lost.'),
      },
    ])
    expect(findLost(data(), { snapshots: new Map([[0, 12]]) })).toEqual([])
  })

  test('or a snapshot of a flushed log, whichever has more, is proof', () => {
    run(12)
    const damageBy = (archived: number, snapshot: number) => {
      const snapshots = new Map([[0, snapshot]])
      return findLost(data(), { archived: new Map([[0, archived]]), snapshots })[0]?.damage
    }
    expect(damageBy(12, 12)).toBeUndefined()
    expect(damageBy(12, 13)).toContain('a snapshot has block 13: 1 block is lost')
    expect(damageBy(14, 13)).toContain('the archive has block 14: 2 blocks are lost')
  })

  test("that has more of a member's log is no damage: the quorum decides", () => {
    run(12, 'replicated')
    expect(recoverWals(data(), archived(14))).toBe(12)
  })
})
