/**
 * Power losses played over the real files of a journal, by their worst: of all sectors that were
 * written since they were last flushed, any may have reached the disk and any may not. Whatever
 * happened, recovery finds a prefix of what was appended that holds everything flushed, and the next
 * start goes on from there, several times over.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Prng } from '#base/prng.ts'
import { BlockWriter } from '#journal/block.ts'
import { Carrier } from '#journal/carrier.ts'
import { PAGE_BYTES } from '#journal/environment.ts'
import { type Journal, openJournal } from '#journal/journal.ts'
import { journalFolder } from '#journal/lmdb-store.ts'
import { readJournals, recoverTails } from '#journal/recovery.ts'
import type { Durability } from '#journal/store.ts'
import { SEGMENT_COUNT, TailCells } from '#journal/tail-cells.ts'
import { SEGMENT_BYTES, segmentFile } from '#journal/tail-writer.ts'
import { RecordBuffer } from '#layout/record-buffer.ts'

const SECTOR_BYTES = 512
const RECORD_BYTES = 512
const RECORD_HEAD = 18 | (RECORD_BYTES << 16)
const SEGMENT_PAGES = SEGMENT_BYTES / PAGE_BYTES + 100
/** LMDB's two meta pages. */
const META_BYTES = 2 * PAGE_BYTES
const LIVES = 3
const RUNS = Number(process.env.RINGBOOK_POWER_RUNS ?? 12)
const segments = Array.from({ length: SEGMENT_COUNT }, (_, segment) => segment)

let folder = ''
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-power-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** One life of a journal's writer, and of who carries for it, on one thread. */
class Life {
  readonly journal: Journal
  readonly cells = new TailCells()
  readonly #carrier: Carrier
  readonly #blocks: BlockWriter
  readonly #random: Prng

  constructor(epoch: number, durability: Durability, random: Prng) {
    this.#random = random
    this.journal = openJournal(folder, 0, durability, {
      cells: this.cells,
      segmentBegun: () => {},
      makeRoom: (position) => {
        while (this.cells.carried < position) this.carry()
      },
    })
    this.#carrier = new Carrier(folder, 0, this.cells)
    this.#blocks = new BlockWriter({ matcher: 0, epoch, previous: this.journal.lastChecksum })
  }

  /** Appends a block of that many bytes, or a little more; answers its checksum. */
  append(bytes = this.#randomBytes()): number {
    const random = this.#random
    const records = Math.ceil(bytes / RECORD_BYTES) + 1
    const events = RecordBuffer.allocate(records * RECORD_BYTES)
    events.bytes.fill(random.below(256))
    for (let i = 0; i < records; i++) events.i32[(i * RECORD_BYTES) >> 2] = RECORD_HEAD
    const end = events.bytes.length
    const block = this.#blocks.seal(events, end, this.journal.lastPosition + 1, 0)
    this.journal.append(block)
    return Buffer.from(block).readInt32LE(4)
  }

  carry(): void {
    this.#carrier.carry()
  }

  #randomBytes(): number {
    const random = this.#random
    const pages = random.chance(0.01) ? SEGMENT_PAGES : random.pick([0.1, 1, 8, 40, 400])
    return Math.ceil(random.unit() * pages * PAGE_BYTES)
  }

  /** The process is gone; its files are as the kernel has them. */
  end(): void {
    this.#carrier.close()
    this.journal.close()
  }
}

const tailFiles = (): string[] =>
  segments.map((segment) => segmentFile(journalFolder(folder, 0), segment))

/** The tail as the disk has it: what each file held when it was last flushed. */
class Disk {
  readonly #images: Buffer[]
  /** Once this is set, nothing reaches the disk any more. */
  isLost = false

  /** Of a tail that was just opened. */
  constructor() {
    const files = tailFiles()
    this.#images = files.map((file) => fs.readFileSync(file))
    const inodes = files.map((file) => fs.statSync(file).ino)
    vi.spyOn(fs, 'fdatasyncSync').mockImplementation((descriptor) => {
      const segment = inodes.indexOf(fs.fstatSync(descriptor).ino)
      if (!this.isLost) this.#images[segment] = fs.readFileSync(files[segment]!)
    })
  }

  /** Puts into the files what the power loss leaves of them. */
  tear(random: Prng): void {
    const kept = random.pick([0, 0.5, 0.9, 0.99, 1])
    for (const [segment, file] of tailFiles().entries()) {
      fs.writeFileSync(file, lose(this.#images[segment]!, fs.readFileSync(file), kept, random))
    }
  }
}

/** Of each sector, what was flushed or what was written since; a file that grew may be short again. */
function lose(before: Buffer, after: Buffer, kept: number, random: Prng): Buffer {
  const disk = Buffer.alloc(random.chance(0.5) ? before.length : after.length)
  before.copy(disk)
  for (let at = 0; at < disk.length; at += SECTOR_BYTES) {
    if (random.chance(kept)) after.copy(disk, at, at, at + SECTOR_BYTES)
  }
  return disk
}

const recovered = (): number[] => Array.from(readJournals(folder), ({ checksum }) => checksum)

interface Outcome {
  readonly isTorn: boolean
  /** Whether a segment was written anew in this life. */
  readonly isReused: boolean
}

/** Appends to `checksums`, loses power, recovers and compares; what is lost leaves `checksums`. */
function liveAndDie(
  epoch: number,
  durability: Durability,
  random: Prng,
  checksums: number[],
): Outcome {
  const life = new Life(epoch, durability, random)
  const begin = checksums.length
  expect(life.journal.lastPosition).toBe(begin)
  const disk = new Disk()
  for (let left = random.below(random.pick([2, 20, 150])); left > 0; left--) {
    checksums.push(life.append())
    if (random.chance(0.05)) life.carry()
    if (random.chance(0.02)) life.journal.flush()
  }
  const floor = Math.max(life.journal.flushedPosition, life.cells.carried)
  // Of the last block its writer was told nothing.
  disk.isLost = true
  checksums.push(life.append())
  life.end()
  disk.tear(random)
  recoverTails(folder)
  const survivors = recovered()
  expect(survivors.length).toBeGreaterThanOrEqual(floor)
  expect(survivors).toEqual(checksums.slice(0, survivors.length))
  const isTorn = survivors.length < checksums.length
  checksums.length = survivors.length
  return { isTorn, isReused: life.cells.firstOf(0) > begin + 1 }
}

test.each<Durability>(['flushed', 'committed'])('any crash, any torn sectors, %s', (durability) => {
  let torn = 0
  let reused = 0
  const lives = fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed) => {
    fs.rmSync(folder, { recursive: true, force: true })
    const random = new Prng(seed)
    const checksums: number[] = []
    for (let epoch = 1; epoch <= LIVES; epoch++) {
      const { isTorn, isReused } = liveAndDie(epoch, durability, random, checksums)
      if (isTorn) torn++
      if (isReused) reused++
    }
  })
  fc.assert(lives, { numRuns: RUNS, endOnFailure: true })
  expect(torn).toBeGreaterThan(0)
  expect(reused).toBeGreaterThan(0)
})

test('power lost while blocks are carried costs nothing', () => {
  const random = new Prng(1)
  const file = path.join(journalFolder(folder, 0), 'data.mdb')
  const life = new Life(1, 'flushed', random)
  const checksums: number[] = []
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 5; i++) checksums.push(life.append())
    const before = fs.readFileSync(file)
    const { carried } = life.cells
    life.carry()
    if (life.cells.carried === carried) continue
    const after = fs.readFileSync(file)
    // LMDB flushes the pages of a transaction before it writes the one that leads to them.
    const disk = Buffer.concat([
      before.subarray(0, META_BYTES),
      lose(before.subarray(META_BYTES), after.subarray(META_BYTES), random.unit(), random),
    ])
    const copy = path.join(folder, 'copy')
    fs.cpSync(journalFolder(folder, 0), journalFolder(copy, 0), { recursive: true })
    fs.writeFileSync(path.join(journalFolder(copy, 0), 'data.mdb'), disk)
    recoverTails(copy)
    const found = Array.from(readJournals(copy), ({ checksum }) => checksum)
    expect(found).toEqual(checksums)
    fs.rmSync(copy, { recursive: true })
  }
  life.end()
})

test('a tail of any bytes is no reason not to start', () => {
  const random = new Prng(1)
  const life = new Life(1, 'flushed', random)
  const checksums = [life.append(8), life.append(8)]
  life.end()
  const [file] = tailFiles()
  const head = fs.readFileSync(file!).subarray(0, 2 * PAGE_BYTES)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: head.length - 1 }), fc.nat(255), (at, byte) => {
      const copy = path.join(folder, 'copy')
      fs.cpSync(journalFolder(folder, 0), journalFolder(copy, 0), { recursive: true })
      const bytes = Buffer.from(head)
      bytes[at] = byte
      const damaged = fs.openSync(segmentFile(journalFolder(copy, 0), 0), 'r+')
      fs.writeSync(damaged, bytes)
      fs.closeSync(damaged)
      const count = recoverTails(copy)
      const found = Array.from(readJournals(copy), ({ checksum }) => checksum)
      expect(found).toEqual(checksums.slice(0, count))
      fs.rmSync(copy, { recursive: true })
    }),
    {
      numRuns: 60,
      examples: Array.from({ length: 56 }, (_, at) => [at, 0xff] as [number, number]),
    },
  )
})

test('a block that was given up is never taken for one that came later', () => {
  const random = new Prng(1)
  const first = new Life(1, 'committed', random)
  for (let i = 0; i < 3; i++) first.append(8)
  first.end()
  const [segment] = tailFiles()
  const torn = fs.readFileSync(segment!)
  torn.fill(0, 0, PAGE_BYTES)
  fs.writeFileSync(segment!, torn)
  expect(recoverTails(folder)).toBe(0)
  const second = new Life(2, 'flushed', random)
  const checksum = second.append(8)
  second.end()
  expect(recoverTails(folder)).toBe(1)
  expect(recovered()).toEqual([checksum])
})
