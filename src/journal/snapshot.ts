/**
 * Snapshots: the result of recovery at a vector of journal positions, in one file, so that a start need
 * not apply the journals from their beginnings. One thread at a time makes them (agents/snapshots.ts);
 * all threads that recover read them at start. A file never changes once it has its name.
 *
 *   DATA/snapshots/snapshot-000000000007    the seventh; the newest that is whole is used
 *   DATA/snapshots/partial                  one that is being written
 *
 * ```
 *  0              24                              the file's end
 *  ┌──────────────┬─────────────────────┬───────┬─────┐
 *  │ SnapshotHead │ SnapshotSectionHead │ image │ ... │   heads: layout/schema.ts; images: layout/image.ts
 *  └──────────────┴─────────────────────┴───────┴─────┘
 * ```
 *
 * A section's checksum is the CRC-32 of everything before it and of its own length and image, so that no
 * part can be damaged, exchanged or left out. The last section is of kind END and empty.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { storeFault } from '../base/file-fault.ts'
import { ImageReader, type ImageWriter } from '../layout/image.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { SnapshotHead, SnapshotSectionHead } from '../layout/rows.gen.ts'
import { readCorrections } from './corrections.ts'
import { flushFolder, StorageError } from './environment.ts'

/** What a section holds. `id` is 0 except SYMBOL, where it is the symbol's. */
export const SectionKind = { END: 0, JOURNALS: 1, LEDGER: 2, SYMBOL: 3, WALLET: 4 } as const
export type SectionKind = (typeof SectionKind)[keyof typeof SectionKind]

export interface Section {
  readonly kind: SectionKind
  readonly id: number
  readonly image: ImageWriter
}

/** A file is no snapshot that this Ringbook can read. The sentence gives the reason. */
export class SnapshotDamage extends Error {
  override readonly name = 'SnapshotDamage'
}

/** The first four bytes: "RBS1". */
const MAGIC = 0x31534252
/**
 * Rises with every change of an image's content. Where blocks were removed (docs/journal.md), a snapshot of
 * another layout cannot be made again: a rise has to convert those of the layout before.
 */
export const SNAPSHOT_LAYOUT = 7
/**
 * The first layout that is read whole. Layout 5 has more counters at the end of each symbol's image, layout 6 more
 * columns of detailed orders, layout 7 the wallet.
 */
const OLDEST_WHOLE_LAYOUT = 4
/** The first layout whose JOURNALS section is read: an older one, too, shows which blocks there must be. */
const OLDEST_LAYOUT = 3
/** Flushed at once, so that no journal's flush waits behind a large one. */
const FLUSH_BYTES = 512 << 10
const NUMBER_DIGITS = 12
const PARTIAL = 'partial'

const folderOf = (dataFolder: string): string => path.join(dataFolder, 'snapshots')

export const snapshotFile = (dataFolder: string, number: number): string =>
  path.join(folderOf(dataFolder), `snapshot-${String(number).padStart(NUMBER_DIGITS, '0')}`)

/** Returns the numbers of the data folder's snapshots, whole or not, newest first. Throws StorageError. */
export function snapshotsIn(dataFolder: string): readonly number[] {
  const folder = folderOf(dataFolder)
  if (!fs.existsSync(folder)) return []
  return namesIn(folder)
    .map((name) => /^snapshot-(\d{12})$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => b - a)
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder)
  } catch (error) {
    throw new StorageError(storeFault(folder, 'used', error), { cause: error })
  }
}

/**
 * Writes a snapshot and returns its bytes, once they and the file's name are on the disk. Takes the
 * sections one by one. Throws the file system's error, and leaves no file then.
 */
export function writeSnapshot(
  dataFolder: string,
  number: number,
  sections: Iterable<Section>,
): number {
  const folder = folderOf(dataFolder)
  const partial = path.join(folder, PARTIAL)
  const corrections = readCorrections(dataFolder).length
  fs.mkdirSync(folder, { recursive: true })
  const file = fs.openSync(partial, 'w')
  let bytes = 0
  try {
    bytes = writeSections(file, { number, corrections }, sections)
    fs.fsyncSync(file)
    fs.closeSync(file)
  } catch (error) {
    fs.closeSync(file)
    fs.rmSync(partial)
    throw error
  }
  fs.renameSync(partial, snapshotFile(dataFolder, number))
  flushFolder(folder)
  flushFolder(dataFolder)
  return bytes
}

function writeSections(
  file: number,
  { number, corrections }: { readonly number: number; readonly corrections: number },
  sections: Iterable<Section>,
): number {
  const head = RecordBuffer.allocate(SnapshotHead.bytes)
  const sectionHead = RecordBuffer.allocate(SnapshotSectionHead.bytes)
  let end = 0
  let crc = 0
  let unflushed = 0
  const write = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) {
      const wanted = Math.min(bytes.length - done, FLUSH_BYTES)
      const written = fs.writeSync(file, bytes, done, wanted, end)
      done += written
      end += written
      unflushed += written
      if (unflushed < FLUSH_BYTES) continue
      fs.fdatasyncSync(file)
      unflushed = 0
    }
  }
  const writeSection = (kind: SectionKind, id: number, pieces: readonly Uint8Array[]) => {
    SnapshotSectionHead.setKind(sectionHead, 0, kind)
    SnapshotSectionHead.setId(sectionHead, 0, id)
    SnapshotSectionHead.setChecksum(sectionHead, 0, 0)
    SnapshotSectionHead.setZero(sectionHead, 0, 0)
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    SnapshotSectionHead.setLength(sectionHead, 0, length)
    crc = crc32(sectionHead.bytes, crc)
    for (const piece of pieces) crc = sumOf(piece, crc)
    SnapshotSectionHead.setChecksum(sectionHead, 0, crc)
    write(sectionHead.bytes)
    for (const piece of pieces) write(piece)
  }
  SnapshotHead.setMagic(head, 0, MAGIC)
  SnapshotHead.setLayout(head, 0, SNAPSHOT_LAYOUT)
  SnapshotHead.setCorrections(head, 0, corrections)
  SnapshotHead.setZero2(head, 0, 0)
  SnapshotHead.setNumber(head, 0, number)
  crc = crc32(head.bytes)
  write(head.bytes)
  for (const { kind, id, image } of sections) writeSection(kind, id, image.pieces())
  writeSection(SectionKind.END, 0, [])
  return end
}

/** zlib restarts the checksum when it is given no bytes. */
const sumOf = (bytes: Uint8Array, crc: number): number =>
  bytes.length === 0 ? crc : crc32(bytes, crc)

/** Deletes all but the newest `kept` files. */
export function pruneSnapshots(dataFolder: string, kept: number): void {
  for (const number of snapshotsIn(dataFolder).slice(kept)) {
    fs.rmSync(snapshotFile(dataFolder, number))
  }
}

/** Removes one, from the disk too. */
export function removeSnapshot(dataFolder: string, number: number): void {
  fs.rmSync(snapshotFile(dataFolder, number))
  flushFolder(folderOf(dataFolder))
}

interface SectionExtent {
  readonly kind: number
  readonly id: number
  readonly at: number
  readonly length: number
}

/** A snapshot that was checked from end to end. */
export class SnapshotFile {
  readonly number: number
  readonly layout: number
  /** Whether more than its JOURNALS section can be read: its layout can be, and its times are true. */
  readonly isCurrent: boolean
  private readonly file: number
  private readonly name: string
  private readonly sections: SectionExtent[] = []

  /** Throws SnapshotDamage, or the file system's error. */
  constructor(dataFolder: string, number: number) {
    this.number = number
    this.name = path.basename(snapshotFile(dataFolder, number))
    this.file = fs.openSync(snapshotFile(dataFolder, number), 'r')
    try {
      const head = this.check()
      this.layout = SnapshotHead.layout(head, 0)
      const isCorrected = SnapshotHead.corrections(head, 0) === readCorrections(dataFolder).length
      this.isCurrent = this.layout >= OLDEST_WHOLE_LAYOUT && isCorrected
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Returns the section's image; undefined when there is none. */
  section(kind: SectionKind, id = 0): ImageReader | undefined {
    const extent = this.sections.find((it) => it.kind === kind && it.id === id)
    return extent && new ImageReader(this.read(extent.at, extent.length).bytes)
  }

  get symbolIds(): readonly number[] {
    return this.sections.filter(({ kind }) => kind === SectionKind.SYMBOL).map(({ id }) => id)
  }

  close(): void {
    fs.closeSync(this.file)
  }

  /** Returns its head. */
  private check(): RecordBuffer {
    const head = this.read(0, SnapshotHead.bytes)
    if (SnapshotHead.magic(head, 0) !== MAGIC) this.refuse('does not begin as a snapshot does')
    const layout = SnapshotHead.layout(head, 0)
    if (layout < OLDEST_LAYOUT || layout > SNAPSHOT_LAYOUT)
      this.refuse('was written in another layout')
    if (SnapshotHead.number(head, 0) !== this.number) this.refuse('has the name of another')
    const { size } = fs.fstatSync(this.file)
    let crc = crc32(head.bytes)
    let at: number = SnapshotHead.bytes
    for (;;) {
      const section = this.read(at, SnapshotSectionHead.bytes)
      const length = SnapshotSectionHead.length(section, 0)
      const written = SnapshotSectionHead.checksum(section, 0)
      at += SnapshotSectionHead.bytes
      const isPossible = length >= 0 && length <= size - at && length % 8 === 0
      if (!isPossible) this.refuse('has a section of no possible length')
      SnapshotSectionHead.setChecksum(section, 0, 0)
      crc = sumOf(this.read(at, length).bytes, crc32(section.bytes, crc))
      if ((crc | 0) !== written) this.refuse('does not match its checksum')
      const kind = SnapshotSectionHead.kind(section, 0)
      if (kind === SectionKind.END) break
      this.sections.push({ kind, id: SnapshotSectionHead.id(section, 0), at, length })
      at += length
    }
    if (at !== size) this.refuse('is longer than it says')
    return head
  }

  private read(at: number, length: number): RecordBuffer {
    const buffer = RecordBuffer.allocate(length)
    for (let done = 0; done < length; ) {
      const read = fs.readSync(this.file, buffer.bytes, done, length - done, at + done)
      if (read === 0) this.refuse('is cut short')
      done += read
    }
    return buffer
  }

  private refuse(why: string): never {
    throw new SnapshotDamage(`${this.name} ${why}.`)
  }
}
