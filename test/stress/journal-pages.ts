/**
 * A journal under all that makes its list of free pages long: blocks of all sizes are appended, old ones are
 * removed in bulk, and readers hold old states.
 */
import { Prng } from '../../src/base/prng.ts'
import { LmdbReader, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { assertPages } from './lmdb-pages.ts'

export interface JournalPagesOptions {
  readonly folder: string
  readonly seed: number
  readonly transactions: number
  /** Transactions between two audits of the file. */
  readonly auditEvery: number
}

const READERS = 3
/** Blocks that a removal leaves, at most. */
const KEPT_BLOCKS = 400
const BLOCK_BYTES_MAX = 300_000

export class JournalPagesWork {
  private readonly options: JournalPagesOptions
  private readonly random: Prng
  private readonly store: LmdbStore
  private readonly readers: LmdbReader[] = []
  private readonly block = Buffer.alloc(BLOCK_BYTES_MAX)
  /** Lengths of the blocks that are there, by position. */
  private readonly lengths = new Map<number, number>()
  private removed = 0
  private left: number

  constructor(options: JournalPagesOptions) {
    this.options = options
    this.random = new Prng(options.seed)
    this.left = options.transactions
    this.store = new LmdbStore(options.folder)
  }

  /** Throws StorageError when LMDB fails, and an error that names what was found otherwise. */
  run(): void {
    const random = this.random
    while (this.left > 0) {
      for (let more = random.between(1, 30); more > 0; more--) this.append()
      if (random.chance(0.3)) this.remove(this.store.lastPosition - random.between(1, KEPT_BLOCKS))
      this.read()
      if (random.chance(0.1)) this.compare()
    }
  }

  close(): void {
    for (const reader of this.readers) reader.close()
    this.store.close()
  }

  private append(): void {
    let left = this.random.between(1, this.random.chance(0.3) ? 60 : 6)
    let position = this.store.lastPosition
    this.store.append(() => {
      if (left-- === 0) return undefined
      const length = this.length()
      this.lengths.set(++position, length)
      return this.block.fill(position & 255, 0, length).subarray(0, length)
    })
    this.count()
  }

  private length(): number {
    const random = this.random
    if (random.chance(0.6)) return random.between(200, 3_000)
    return random.between(3_000, random.chance(0.9) ? 20_000 : BLOCK_BYTES_MAX)
  }

  private remove(position: number): void {
    while (this.removed < position) {
      const removed = this.store.removeUpTo(position, this.random.between(100_000, 8_000_000))
      for (let n = 0; n < removed; n++) this.lengths.delete(++this.removed)
      this.count()
    }
  }

  private count(): void {
    this.left--
    if (this.left % this.options.auditEvery === 0) assertPages(this.options.folder)
  }

  /** Starts a reader, which holds the state of now, or ends one. */
  private read(): void {
    const random = this.random
    if (this.readers.length < READERS && random.chance(0.3)) {
      const reader = new LmdbReader(this.options.folder)
      reader.block(this.store.lastPosition)
      this.readers.push(reader)
    } else if (this.readers.length > 0 && random.chance(0.2)) {
      this.readers.splice(random.below(this.readers.length), 1)[0]!.close()
    }
  }

  private compare(): void {
    const reader = new LmdbReader(this.options.folder)
    for (const [position, length] of this.lengths) {
      const block = reader.block(position)
      const fill = position & 255
      const isSame = block?.length === length && block[0] === fill && block[length - 1] === fill
      if (!isSame) throw new Error(`Block ${position} is not what was appended.`)
    }
    reader.close()
  }
}
