/**
 * A small file beside a write-ahead log: the position up to which the matcher has flushed it. It is written
 * after each flush and never flushed itself, so it costs one write into the kernel's memory. It survives a
 * killed process; after a power loss it may name an earlier block, never a later one. So it proves
 * that blocks were flushed, which a start then must find.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { FlushMark as Row } from '../layout/rows.gen.ts'
import { JournalDamage } from './block.ts'

/** The first four bytes: "RBF1". */
const MAGIC = 0x31464252
const NAME = 'wal-flushed'

export const flushMarkFile = (folder: string): string => path.join(folder, NAME)

/** Returns the name of this run of the kernel; undefined where the system has no such name. */
export function readBootId(): string | undefined {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'ascii').trim()
  } catch {
    return undefined
  }
}

export interface FlushMark {
  /** Blocks up to it are on the disk. */
  readonly position: number
  /** Whether the system has run since without a pause: then no later block was flushed. */
  readonly isExact: boolean
}

/** Throws what the file system throws. */
export class FlushMarkWriter {
  private readonly file: number
  private readonly row = RecordBuffer.allocate(Row.bytes)

  /** Creates the file; it is on the disk when this returns, its name is not. */
  constructor(folder: string, position: number) {
    Row.setMagic(this.row, 0, MAGIC)
    Row.setBoot(this.row, 0, bootCode())
    Row.setZero(this.row, 0, 0)
    this.file = fs.openSync(flushMarkFile(folder), fs.constants.O_RDWR | fs.constants.O_CREAT)
    this.write(position)
    fs.ftruncateSync(this.file, Row.bytes)
    fs.fsyncSync(this.file)
  }

  /** Call it once the blocks up to the position are on the disk. */
  write(position: number): void {
    const { row } = this
    Row.setPosition(row, 0, position)
    Row.setChecksum(row, 0, checksumOf(row))
    // Bytes of one sector: all of them, or none.
    fs.writeSync(this.file, row.bytes, 0, Row.bytes, 0)
  }

  close(): void {
    fs.closeSync(this.file)
  }
}

/** Returns undefined when there is no mark. Throws JournalDamage for one that is not as it was written. */
export function readFlushMark(folder: string): FlushMark | undefined {
  const file = flushMarkFile(folder)
  if (!fs.existsSync(file)) return undefined
  const bytes = fs.readFileSync(file)
  const row = RecordBuffer.allocate(Row.bytes)
  if (bytes.length === Row.bytes) row.bytes.set(bytes)
  if (Row.magic(row, 0) !== MAGIC || Row.checksum(row, 0) !== checksumOf(row)) {
    throw new JournalDamage(`${NAME} of ${path.basename(folder)} is damaged.`)
  }
  const boot = Row.boot(row, 0)
  return { position: Row.position(row, 0), isExact: boot !== 0 && boot === bootCode() }
}

/** 0 where the system does not name its runs. */
function bootCode(): number {
  const id = readBootId()
  return id === undefined ? 0 : crc32(id) | 0
}

const checksumOf = (row: RecordBuffer): number => crc32(row.bytes.subarray(Row.positionStart)) | 0
