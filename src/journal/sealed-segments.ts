/**
 * Blocks moved out of a journal because snapshots cover them: files beside the journals, each a run of
 * consecutive blocks, as they were in LMDB. One thread at a time writes them (agents/compactor.ts);
 * readers of a journal from its beginning read them. A file never changes once it has its name.
 *
 *   DATA/old-journals/journal-0/000000000001-000000004096    blocks 1 to 4096 of journal-0
 *   DATA/old-journals/journal-0/partial                      a run that is being written
 */
import fs from 'node:fs'
import path from 'node:path'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { blockLengthAt } from './block.ts'
import { flushFolder } from './environment.ts'

const PARTIAL = 'partial'
const POSITION_DIGITS = 12
/** Flushed at once, so that no journal's flush waits behind a large one. */
const FLUSH_BYTES = 512 << 10

/** Returns the folder of the old blocks of the journal in `folder`. */
export const sealedFolder = (folder: string): string =>
  path.join(path.dirname(folder), 'old-journals', path.basename(folder))

interface Run {
  readonly first: number
  readonly last: number
  readonly file: string
}

/** By position. */
function runsIn(folder: string): readonly Run[] {
  const old = sealedFolder(folder)
  if (!fs.existsSync(old)) return []
  return fs
    .readdirSync(old)
    .map((name) => ({ name, match: /^(\d{12})-(\d{12})$/.exec(name) }))
    .filter(({ match }) => match !== null)
    .map(({ name, match }) => ({
      first: Number(match![1]),
      last: Number(match![2]),
      file: path.join(old, name),
    }))
    .sort((a, b) => a.first - b.first)
}

/** Position of the last block that was moved, 0 when none was. */
export const lastSealedBlock = (folder: string): number => runsIn(folder).at(-1)?.last ?? 0

/** Reads old blocks; consecutive ones are fast. */
export class SealedSegments {
  readonly #folder: string
  #runs: readonly Run[] = []
  /** The run that is in memory, and where in it the block of #next begins. */
  #run: Run | undefined
  #bytes = RecordBuffer.allocate(0)
  #next = 0
  #at = 0

  /** Of the journal in `folder`. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the block, in memory that the next read may overwrite; undefined when no run has it. */
  block(position: number): Uint8Array | undefined {
    const run = this.#runOf(position)
    if (run === undefined) return undefined
    if (run !== this.#run) this.#load(run)
    if (position < this.#next) this.#rewind(run)
    for (;;) {
      const length = this.#lengthHere()
      if (length === 0) return undefined
      const at = this.#at
      this.#at += length
      if (this.#next++ === position) return this.#bytes.bytes.subarray(at, at + length)
    }
  }

  #runOf(position: number): Run | undefined {
    const holds = ({ first, last }: Run) => first <= position && position <= last
    if (this.#run !== undefined && holds(this.#run)) return this.#run
    const known = this.#runs.find(holds)
    if (known !== undefined) return known
    this.#runs = runsIn(this.#folder)
    return this.#runs.find(holds)
  }

  #load(run: Run): void {
    const file = fs.readFileSync(run.file)
    this.#bytes = RecordBuffer.allocate(Math.ceil(file.length / 8) * 8)
    this.#bytes.bytes.set(file)
    this.#run = run
    this.#rewind(run)
  }

  #rewind({ first }: Run): void {
    this.#next = first
    this.#at = 0
  }

  /** Of the block of #next; 0 when the run is not what its name says. */
  #lengthHere(): number {
    const length = blockLengthAt(this.#bytes, this.#at, this.#next)
    return this.#at + length <= this.#bytes.bytes.length ? length : 0
  }
}

/**
 * Writes a run of the blocks that `next` returns until undefined; the first has position `first`. Returns
 * their number and bytes when they and the file's name are on the disk. Throws the error of `next` or of
 * the file system, and leaves no file then, nor when there was no block.
 */
export function writeSegment(
  folder: string,
  first: number,
  next: () => Uint8Array | undefined,
): { readonly blocks: number; readonly bytes: number } {
  const old = sealedFolder(folder)
  const partial = path.join(old, PARTIAL)
  fs.mkdirSync(old, { recursive: true })
  const file = fs.openSync(partial, 'w')
  let written = { blocks: 0, bytes: 0 }
  try {
    written = writeBlocks(file, next)
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
  fs.renameSync(partial, path.join(old, name))
  for (const place of [old, path.dirname(old), path.dirname(folder)]) flushFolder(place)
  return written
}

function writeBlocks(file: number, next: () => Uint8Array | undefined) {
  let blocks = 0
  let bytes = 0
  let unflushed = 0
  for (let block = next(); block !== undefined; block = next()) {
    for (let done = 0; done < block.length; ) done += fs.writeSync(file, block, done)
    blocks++
    bytes += block.length
    unflushed += block.length
    if (unflushed < FLUSH_BYTES) continue
    fs.fdatasyncSync(file)
    unflushed = 0
  }
  return { blocks, bytes }
}

const digits = (position: number): string => String(position).padStart(POSITION_DIGITS, '0')
