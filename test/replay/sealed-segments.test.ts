/**
 * Blocks in sealed segments are read by all readers of journals, and a crash at any step of sealing loses no
 * block and repeats none.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditJournals } from '../../scripts/audit/journal-audit.ts'
import { noteSealed, type SealedSegment, sealSegment } from '../../src/agents/compactor.ts'
import { coveredByAll, makeSnapshot } from '../../src/agents/snapshots.ts'
import { JournalDamage } from '../../src/journal/block.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { readJournals } from '../../src/journal/recovery.ts'
import { lastSealedBlock, sealedFolder } from '../../src/journal/sealed-segments.ts'
import { snapshotFile } from '../../src/journal/snapshot.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { SegmentHead } from '../../src/layout/rows.gen.ts'
import { ACCOUNTS } from '../sim/world.ts'
import { appendBlocks, dataFolder, tradedBlocks } from './audit-folder.ts'
import { diesAt } from './dying-files.ts'
import { ORDERS_MAX } from './engine-run.ts'
import { RecoveredExchange, snapshotOptions } from './recovered-exchange.ts'

const BATCHES = 60
const SEALED_BYTES = 4_000
/** Removed in one transaction. */
const REMOVED_BYTES = 1_500

let root = ''
let folder = ''
let blocks: readonly Uint8Array[] = []
const makeRoot = () => fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-old-'))
beforeAll(() => {
  const source = makeRoot()
  blocks = tradedBlocks(source, 1, BATCHES)
  fs.rmSync(source, { recursive: true })
})
beforeEach(() => {
  root = makeRoot()
  folder = path.join(root, 'data')
  appendBlocks(folder, blocks.slice(0, 40))
  makeSnapshot(snapshotOptions(folder))
  appendBlocks(folder, blocks.slice(40))
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

const journal = () => journalFolder(folder, 0)
const sealed = () => sealedFolder(journal())
const options = (cells: WalCells, goesOn = () => true) => ({
  dataFolder: folder,
  matcher: 0,
  cells,
  covered: coveredByAll(folder).get(0)!.position,
  goesOn,
  segmentBytes: SEALED_BYTES,
})

/** Seals all that may be; returns the segments. */
function sealAll(cells = new WalCells()): readonly SealedSegment[] {
  const made = sealSegment(options(cells))
  return made === undefined ? [] : [made, ...sealAll(cells)]
}

/** As the checkpointer does, in so many transactions. */
function removeSealed(cells: WalCells, transactions = Number.POSITIVE_INFINITY): number {
  const store = new LmdbStore(journal())
  let removed = 0
  for (let left = transactions; left > 0; left--) {
    const count = store.removeUpTo(cells.sealed, REMOVED_BYTES)
    if (count === 0) break
    removed += count
  }
  store.close()
  return removed
}

function sealAndRemove(): void {
  const cells = new WalCells()
  sealAll(cells)
  expect(removeSealed(cells)).toBe(cells.sealed)
}

/** Exchanges the second segment's bytes. */
function changeSecond(change: (bytes: Buffer) => Buffer): void {
  const name = path.join(sealed(), fs.readdirSync(sealed()).sort()[1]!)
  fs.writeFileSync(name, change(fs.readFileSync(name)))
}

function withHead(bytes: Buffer, version: number, codec: number): Buffer {
  const head = RecordBuffer.allocate(SegmentHead.bytes)
  head.bytes.set(bytes.subarray(0, SegmentHead.bytes))
  SegmentHead.setVersion(head, 0, version)
  SegmentHead.setCodec(head, 0, codec)
  const checksum = crc32(head.bytes.subarray(SegmentHead.versionStart)) | 0
  SegmentHead.setChecksum(head, 0, checksum)
  return Buffer.concat([head.bytes, bytes.subarray(SegmentHead.bytes)])
}

const read = () =>
  [...readJournals(folder)].map(({ position, records, start, end }) => {
    return [position, Buffer.from(records.bytes.slice(start, end)).toString('base64')]
  })

const audited = () =>
  auditJournals({
    data: dataFolder(folder),
    accountsMax: ACCOUNTS,
    ordersMax: ORDERS_MAX,
    advanced: () => {},
  })

describe('sealed blocks', () => {
  test('are read in their places, and are what they were', () => {
    const before = { read: read(), audit: audited(), hash: new RecoveredExchange(folder).hash }
    expect(before.audit.findings).toEqual([])
    const cells = new WalCells()
    const segments = sealAll(cells)
    expect(segments.length).toBeGreaterThan(2)
    expect(segments.map(({ first }) => first)).toEqual([
      1,
      ...segments.slice(0, -1).map(({ last }) => last + 1),
    ])
    expect(cells.sealed).toBe(segments.at(-1)!.last)
    expect(cells.sealed).toBeLessThan(40)
    expect(removeSealed(cells)).toBe(cells.sealed)
    expect(fs.readdirSync(sealed())).toHaveLength(segments.length)
    expect(read()).toEqual(before.read)
    expect(audited()).toEqual(before.audit)
    expect(new RecoveredExchange(folder).hash).toBe(before.hash)
    fs.rmSync(snapshotFile(folder, 1))
    expect(new RecoveredExchange(folder).hash).toBe(before.hash)
  })

  test('are all before the one that is covered, which stays', () => {
    const cells = new WalCells()
    while (sealSegment({ ...options(cells), segmentBytes: 1 }) !== undefined);
    expect(cells.sealed).toBe(coveredByAll(folder).get(0)!.position - 1)
  })

  test('are only those that every snapshot covers', () => {
    makeSnapshot(snapshotOptions(folder))
    expect(coveredByAll(folder).get(0)!.position).toBe(40)
    fs.writeFileSync(snapshotFile(folder, 1), 'damaged')
    expect(() => coveredByAll(folder)).toThrow('is cut short')
    fs.rmSync(snapshotFile(folder, 1))
    expect(coveredByAll(folder).get(0)!.position).toBe(blocks.length)
  })

  test('may be away while a snapshot continues from behind them, and are asked for otherwise', () => {
    const { hash } = new RecoveredExchange(folder)
    sealAndRemove()
    fs.renameSync(path.dirname(sealed()), path.join(root, 'away'))
    expect(new RecoveredExchange(folder).hash).toBe(hash)
    expect(read).toThrow(JournalDamage)
    expect(read).toThrow(`Block 1 of journal-0 is missing, also in ${sealed()}.`)
    expect(audited().findings).toEqual([`Block 1 of journal-0 is missing, also in ${sealed()}.`])
    fs.renameSync(path.join(root, 'away'), path.dirname(sealed()))
    expect(audited().findings).toEqual([])
  })

  const ofSegment = (what: string) =>
    new RegExp(`^Segment \\d{12}-\\d{12} of journal-0 ${what}\\.$`)
  test.each([
    ['a byte of a block', 3_000, /^Block \d+ of journal-0 /],
    ['the length of the first block', SegmentHead.bytes + 12, /^Block \d+ of journal-0 /],
    ['the first byte', 0, ofSegment('does not begin as a segment does')],
    ['the version', SegmentHead.versionStart, ofSegment('does not match its checksum')],
  ])('are found out when %s is damaged', (_, at, sentence) => {
    sealAndRemove()
    changeSecond((bytes) => {
      bytes[at]! ^= 0x11
      return bytes
    })
    expect(read).toThrow(JournalDamage)
    expect(read).toThrow(sentence)
    expect(audited().findings).toEqual([expect.stringMatching(sentence)])
  })

  test('are refused in a file that is cut short, or of a version or codec that is not known', () => {
    sealAndRemove()
    changeSecond((bytes) => bytes.subarray(0, -1))
    expect(read).toThrow(ofSegment('is cut short'))
    changeSecond((bytes) => withHead(Buffer.concat([bytes, Buffer.alloc(1)]), 1, 9))
    expect(read).toThrow(ofSegment('has version 1 and codec 9, which this Ringbook cannot read'))
    changeSecond((bytes) => withHead(bytes, 2, 0))
    expect(read).toThrow(ofSegment('has version 2 and codec 0, which this Ringbook cannot read'))
  })

  test('are read in files without a head, as layout 4 wrote them', () => {
    const before = read()
    sealAndRemove()
    changeSecond((bytes) => bytes.subarray(SegmentHead.bytes))
    expect(read()).toEqual(before)
    expect(audited().findings).toEqual([])
  })

  test('are read by who had the journal open before', () => {
    const reader = new JournalReader(journal())
    expect(reader.block(1)).toBeDefined()
    sealAndRemove()
    for (const [index, block] of blocks.entries()) {
      reader.refresh()
      expect(Buffer.from(reader.block(index + 1)!).equals(Buffer.from(block))).toBe(true)
    }
    // And backwards, from the middle of a segment.
    for (const position of [30, 7, 7, 3]) {
      expect(Buffer.from(reader.block(position)!).equals(Buffer.from(blocks[position - 1]!))).toBe(
        true,
      )
    }
    expect(reader.block(blocks.length + 1)).toBeUndefined()
    reader.close()
  })
})

describe('a crash', () => {
  test.each([0, 1, 2])('after %i transactions of the removal', (transactions) => {
    const before = read()
    sealAll()
    const cells = new WalCells()
    noteSealed(folder, 0, cells)
    expect(cells.sealed).toBe(lastSealedBlock(journal()))
    const removed = removeSealed(cells, transactions)
    expect(removed).toBeLessThan(cells.sealed)
    expect(read()).toEqual(before)
    const again = new WalCells()
    noteSealed(folder, 0, again)
    expect(removed + removeSealed(again)).toBe(cells.sealed)
    expect(read()).toEqual(before)
    expect(sealSegment(options(again))).toBeUndefined()
  })

  test('at any step of sealing', () => {
    const before = read()
    const whole = path.join(root, 'whole')
    fs.cpSync(folder, whole, { recursive: true })
    let isDone = false
    for (let step = 1; !isDone; step++) {
      isDone = !diesAt(step, () => sealSegment(options(new WalCells())))
      expect(read(), `after step ${step - 1}`).toEqual(before)
      const cells = new WalCells()
      noteSealed(folder, 0, cells)
      removeSealed(cells)
      expect(read(), `after step ${step - 1}, removed`).toEqual(before)
      sealAll(cells)
      removeSealed(cells)
      expect(fs.readdirSync(sealed())).not.toContain('partial')
      expect(read(), `after step ${step - 1}, sealed again`).toEqual(before)
      expect(audited().findings).toEqual([])
      fs.rmSync(folder, { recursive: true })
      fs.cpSync(whole, folder, { recursive: true })
      if (isDone) expect(step).toBeGreaterThan(5)
    }
  })

  test('or a stop ends a segment early, and the next one begins there', () => {
    const before = read()
    const cells = new WalCells()
    let asked = 0
    expect(sealSegment(options(cells, () => ++asked < 3))).toBeUndefined()
    expect(fs.existsSync(sealed())).toBe(false)
    asked = -1_000
    const counted = () => ++asked < 0
    while (sealSegment(options(cells, counted)) !== undefined);
    sealAll(cells)
    removeSealed(cells)
    expect(read()).toEqual(before)
  })
})
