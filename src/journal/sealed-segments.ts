/**
 * Sealed segments: blocks that all snapshots cover, moved out of LMDB into files beside the journals. A
 * segment is a run of consecutive blocks, as they were written. One thread at a time writes them
 * (agents/compactor.ts); JournalReader reads them. A file never changes once it has its name.
 *
 *   DATA/old-journals/journal-0/000000000001-000000004096    blocks 1 to 4096 of journal-0
 *   DATA/old-journals/journal-0/partial                      a segment that is being written
 *   DATA/old-journals/journal-0/removed                      the last block that retention removed
 *
 * ```
 *  0             48                       the file's end
 *  ┌─────────────┬───────┬───────┬─────┐
 *  │ SegmentHead │ block │ block │ ... │   head: layout/schema.ts; block: block.ts
 *  └─────────────┴───────┴───────┴─────┘
 * ```
 *
 * Files of layout 4 and before begin with their first block, and have no head.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { SegmentHead } from '../layout/rows.gen.ts'
import { BlockReader, blockLengthAt, JournalDamage } from './block.ts'
import { BEGINNING, type JournalPoint } from './chain.ts'
import { flushFolder } from './environment.ts'
import { writeWholeFile } from './whole-file.ts'

/** The first four bytes: "RBG1". */
const MAGIC = 0x31474252
/** Version of the file's format. */
const VERSION = 1
/** How blocks are stored: as they are. */
const CODEC_NONE = 0
const PARTIAL = 'partial'
const POSITION_DIGITS = 12
/** Flushed at once, so that no journal's flush waits behind a large one. */
const FLUSH_BYTES = 512 << 10

/** Returns the folder of the sealed segments of the journal in `folder`. */
export const sealedFolder = (folder: string): string =>
  path.join(path.dirname(folder), 'old-journals', path.basename(folder))

export interface Segment {
  readonly first: number
  readonly last: number
  readonly file: string
}

/** Returns the sealed segments of the journal in `folder`, by position. */
export function segmentsIn(folder: string): readonly Segment[] {
  const sealed = sealedFolder(folder)
  if (!fs.existsSync(sealed)) return []
  return fs
    .readdirSync(sealed)
    .map((name) => ({ name, match: /^(\d{12})-(\d{12})$/.exec(name) }))
    .filter(({ match }) => match !== null)
    .map(({ name, match }) => ({
      first: Number(match![1]),
      last: Number(match![2]),
      file: path.join(sealed, name),
    }))
    .sort((a, b) => a.first - b.first)
}

/** Position of the last block that was sealed, 0 when none was. */
export const lastSealedBlock = (folder: string): number =>
  segmentsIn(folder).at(-1)?.last ?? beginningOf(folder).position

const removedFile = (folder: string): string => path.join(sealedFolder(folder), 'removed')

/** Returns the last block that was removed of the journal in `folder`: its first one follows it. */
export function beginningOf(folder: string): JournalPoint {
  const file = removedFile(folder)
  if (!fs.existsSync(file)) return BEGINNING
  const [, position, checksum] =
    /^(\d{1,15}) (-?\d{1,15})\n$/.exec(fs.readFileSync(file, 'utf8')) ?? []
  if (position === undefined) throw new JournalDamage(`${file} does not name a block. ${WAY_OUT}`)
  return { position: Number(position), checksum: Number(checksum) }
}

/**
 * Checks that the first block that is left follows the one that is noted as removed. Throws JournalDamage. A first
 * block that cannot be read is no start's matter: an audit finds it. Without the file a journal begins with block 1.
 */
export function checkBeginning(
  folder: string,
  blockAt: (position: number) => Uint8Array | undefined,
): void {
  const { position, checksum } = beginningOf(folder)
  if (position === 0) return
  const first = `Block ${position + 1} of ${path.basename(folder)}`
  const block = new BlockReader()
  try {
    const bytes = blockAt(position + 1)
    if (bytes !== undefined) block.open(bytes, first)
  } catch (error) {
    if (error instanceof JournalDamage) return
    throw error
  }
  if (block.position === position + 1 && block.previous === checksum) return
  throw new JournalDamage(
    `${first} does not follow the one that ${removedFile(folder)} names. ${WAY_OUT}`,
  )
}

const WAY_OUT = 'Put it back, or restore a backup.'

/** Notes it on the disk, before the blocks up to it go. */
export function noteBeginning(folder: string, { position, checksum }: JournalPoint): void {
  fs.mkdirSync(sealedFolder(folder), { recursive: true })
  writeWholeFile(removedFile(folder), `${position} ${checksum}\n`)
}

/** The summary that the archive keeps of removed blocks (archive/archive-base.ts). */
export const archiveBaseFile = (dataFolder: string): string =>
  path.join(dataFolder, 'archive-base', 'data.mdb')

/** Removes segments whose blocks are up to the noted beginning. */
export function removeSegments(segments: readonly Segment[]): void {
  for (const { file } of segments) fs.rmSync(file, { force: true })
  for (const folder of new Set(segments.map(({ file }) => path.dirname(file)))) flushFolder(folder)
}

/** Reads the blocks of sealed segments; consecutive ones are fast. */
export class SealedSegments {
  private readonly folder: string
  private segments: readonly Segment[] = []
  /** The segment that is in memory, and where in it the block of next begins. */
  private segment: Segment | undefined = undefined
  private bytes = RecordBuffer.allocate(0)
  private blocksAt = 0
  private next = 0
  private at = 0

  /** `folder`: that of the journal. */
  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Returns the block, in memory that the next read may overwrite; undefined when no segment has it. Throws
   * JournalDamage when its segment is not whole.
   */
  block(position: number): Uint8Array | undefined {
    const segment = this.segmentOf(position)
    if (segment === undefined) return undefined
    if (segment !== this.segment) this.load(segment)
    if (position < this.next) this.rewind(segment)
    for (;;) {
      const length = this.lengthHere()
      if (length === 0) return undefined
      const at = this.at
      this.at += length
      if (this.next++ === position) return this.bytes.bytes.subarray(at, at + length)
    }
  }

  private segmentOf(position: number): Segment | undefined {
    const holds = ({ first, last }: Segment) => first <= position && position <= last
    if (this.segment !== undefined && holds(this.segment)) return this.segment
    const known = this.segments.find(holds)
    if (known !== undefined) return known
    this.segments = segmentsIn(this.folder)
    return this.segments.find(holds)
  }

  private load(segment: Segment): void {
    const file = fs.readFileSync(segment.file)
    this.segment = undefined
    this.bytes = RecordBuffer.allocate(Math.ceil(file.length / 8) * 8)
    this.bytes.bytes.set(file)
    this.blocksAt = headBytesOf(this.bytes, file.length, segment)
    this.segment = segment
    this.rewind(segment)
  }

  private rewind({ first }: Segment): void {
    this.next = first
    this.at = this.blocksAt
  }

  /** Bytes of the block at `next`; 0 when the segment does not match its name. */
  private lengthHere(): number {
    const length = blockLengthAt(this.bytes, this.at, this.next)
    return this.at + length <= this.bytes.bytes.length ? length : 0
  }
}

/** Returns the bytes before the first block. Throws JournalDamage when they are not the segment's head. */
function headBytesOf(bytes: RecordBuffer, length: number, { first, last, file }: Segment): number {
  const isHeadless = blockLengthAt(bytes, 0, first) > 0
  if (isHeadless) return 0
  const refuse = (what: string): never => {
    const journal = path.basename(path.dirname(file))
    throw new JournalDamage(`Segment ${path.basename(file)} of ${journal} ${what}.`)
  }
  if (length < SegmentHead.bytes) refuse('is shorter than a head')
  if (SegmentHead.magic(bytes, 0) !== MAGIC) refuse('does not begin as a segment does')
  if (SegmentHead.checksum(bytes, 0) !== checksumOf(bytes)) refuse('does not match its checksum')
  const version = SegmentHead.version(bytes, 0)
  const codec = SegmentHead.codec(bytes, 0)
  if (version !== VERSION || codec !== CODEC_NONE) {
    refuse(`has version ${version} and codec ${codec}, which this Ringbook cannot read`)
  }
  const isNamed = SegmentHead.first(bytes, 0) === first && SegmentHead.last(bytes, 0) === last
  if (!isNamed) refuse('has the name of another')
  if (SegmentHead.bytes + SegmentHead.length(bytes, 0) !== length) refuse('is cut short')
  return SegmentHead.bytes
}

const checksumOf = (head: RecordBuffer): number =>
  crc32(head.bytes.subarray(SegmentHead.versionStart, SegmentHead.bytes)) | 0

/** The blocks of a segment, added up. */
export interface SealedBlocks {
  readonly blocks: number
  readonly bytes: number
}

/**
 * Writes a segment of the checked blocks that `next` returns until undefined; the first has position `first`.
 * Returns their number and bytes when they and the file's name are on the disk. Throws the error of
 * `next` or of the file system, and leaves no file then, nor when there was no block.
 */
export function writeSegment(
  folder: string,
  first: number,
  next: () => BlockReader | undefined,
): SealedBlocks {
  const sealed = sealedFolder(folder)
  const partial = path.join(sealed, PARTIAL)
  fs.mkdirSync(sealed, { recursive: true })
  const file = fs.openSync(partial, 'w')
  let written: SealedBlocks = { blocks: 0, bytes: 0 }
  try {
    written = writeBlocks(file, first, next)
    fs.fsyncSync(file)
  } catch (error) {
    fs.rmSync(partial)
    throw error
  } finally {
    fs.closeSync(file)
  }
  if (written.blocks === 0) {
    fs.rmSync(partial)
    return written
  }
  const name = [first, first + written.blocks - 1].map(digits).join('-')
  fs.renameSync(partial, path.join(sealed, name))
  for (const parent of [sealed, path.dirname(sealed), path.dirname(folder)]) flushFolder(parent)
  return written
}

/** Writes the blocks, then the head before them, which counts them. */
function writeBlocks(
  file: number,
  first: number,
  next: () => BlockReader | undefined,
): SealedBlocks {
  const head = RecordBuffer.allocate(SegmentHead.bytes)
  let blocks = 0
  let bytes = 0
  let unflushed = 0
  for (let block = next(); block !== undefined; block = next()) {
    writeWhole(file, block.bytes, SegmentHead.bytes + bytes)
    blocks++
    bytes += block.bytes.length
    unflushed += block.bytes.length
    SegmentHead.setMatcher(head, 0, block.matcher)
    if (unflushed < FLUSH_BYTES) continue
    fs.fdatasyncSync(file)
    unflushed = 0
  }
  SegmentHead.setMagic(head, 0, MAGIC)
  SegmentHead.setVersion(head, 0, VERSION)
  SegmentHead.setCodec(head, 0, CODEC_NONE)
  SegmentHead.setZero(head, 0, 0)
  SegmentHead.setFirst(head, 0, first)
  SegmentHead.setLast(head, 0, first + blocks - 1)
  SegmentHead.setLength(head, 0, bytes)
  SegmentHead.setChecksum(head, 0, checksumOf(head))
  writeWhole(file, head.bytes, 0)
  return { blocks, bytes }
}

function writeWhole(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += fs.writeSync(file, bytes, done, bytes.length - done, at + done)
  }
}

const digits = (position: number): string => String(position).padStart(POSITION_DIGITS, '0')
