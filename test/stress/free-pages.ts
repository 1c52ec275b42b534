/**
 * Work that makes LMDB's list of free pages long, split and stale: rows in random order fill the file and go
 * in bulk, then come and go in small transactions while readers hold old states. The rows are compared with
 * a plain map, and the file's pages are audited.
 */
import { Prng } from '../../src/base/prng.ts'
import { Environment, Sync } from '../../src/journal/environment.ts'
import { assertPages } from './lmdb-pages.ts'

export interface FreePagesOptions {
  readonly folder: string
  readonly seed: number
  readonly transactions: number
  /** Rows at most, of about 650 bytes. */
  readonly rows: number
  /** Transactions for which readers hold an old state, at most; 0 without readers. */
  readonly staleTransactions: number
  /** Transactions between two audits of the file. */
  readonly auditEvery: number
}

const ROW_BYTES = [300, 1000] as const
/** One small transaction writes at most so many rows. */
const SMALL_ROWS = 100
/** A value of several pages, which LMDB keeps outside the tree. */
const LARGE_BYTES = 20_000

interface Content {
  readonly bytes: number
  readonly fill: number
}

export class FreePagesWork {
  private readonly options: FreePagesOptions
  private readonly environment: Environment
  private readonly random: Prng
  private readonly twin = new Map<number, Content>()
  private readonly readers: Environment[] = []
  private readonly key = Buffer.alloc(4)
  private left: number

  constructor(options: FreePagesOptions) {
    this.options = options
    this.random = new Prng(options.seed)
    this.left = options.transactions
    this.environment = this.open()
  }

  /** Throws StorageError when LMDB fails, and an error that names what was found otherwise. */
  run(): void {
    const random = this.random
    while (this.left > 0) {
      for (let parts = random.between(2, 5); parts > 0; parts--) {
        this.write(() => this.putAny(this.options.rows / 4))
      }
      this.removeInBulk()
      this.readOldStates()
      this.compare()
    }
  }

  close(): void {
    for (const reader of this.readers) reader.close()
    this.environment.close()
  }

  private open(): Environment {
    return new Environment({ folder: this.options.folder, tables: ['rows'], isScattered: true })
  }

  private removeInBulk(): void {
    const random = this.random
    const share = random.between(2, 9) / 10
    const ids = [...this.twin.keys()].filter(() => random.chance(share))
    const isAll = random.chance(0.1)
    const parts = random.between(1, 8)
    for (let part = 0; part < parts; part++) {
      this.write(() => {
        if (isAll) this.clear()
        else for (let n = part; n < ids.length; n += parts) this.remove(ids[n]!)
      })
    }
    for (let more = random.below(6); more > 0; more--) {
      this.write(() => this.putAny(random.between(1, SMALL_ROWS)))
    }
  }

  private readOldStates(): void {
    const random = this.random
    const { staleTransactions } = this.options
    if (staleTransactions > 0) this.startReading()
    const rows = random.between(1, SMALL_ROWS)
    for (let left = random.between(3, Math.max(3, staleTransactions)); left > 0; left--) {
      this.write(() => this.exchange(random.between(1, rows)))
      if (staleTransactions === 0 || !random.chance(1 / 60)) continue
      this.startReading()
      this.readers.shift()!.close()
    }
    for (const reader of this.readers.splice(0)) reader.close()
  }

  private startReading(): void {
    const reader = this.open()
    reader.table('rows').get(this.keyOf(0))
    this.readers.push(reader)
  }

  private write(action: () => void): void {
    if (this.left === 0) return
    this.environment.write(action, Sync.KERNEL)
    this.left--
    if (this.left % this.options.auditEvery === 0) assertPages(this.options.folder)
  }

  private putAny(rows: number): void {
    for (let n = 0; n < rows; n++) this.put(this.random.below(this.options.rows))
  }

  private exchange(rows: number): void {
    for (let n = 0; n < rows; n++) {
      const id = this.random.below(this.options.rows)
      if (this.twin.has(id) && this.random.chance(0.5)) this.remove(id)
      else this.put(id)
    }
  }

  private put(id: number): void {
    const random = this.random
    const isLarge = random.chance(0.002)
    const bytes = isLarge ? random.between(5_000, LARGE_BYTES) : random.between(...ROW_BYTES)
    const content = { bytes, fill: random.below(256) }
    this.twin.set(id, content)
    this.environment.table('rows').put(this.keyOf(id), Buffer.alloc(bytes, content.fill))
  }

  private remove(id: number): void {
    this.twin.delete(id)
    this.environment.table('rows').remove(this.keyOf(id))
  }

  private clear(): void {
    this.twin.clear()
    this.environment.table('rows').clear()
  }

  private keyOf(id: number): Uint8Array {
    this.key.writeUInt32BE(Math.imul(id, 0x9e3779b1) >>> 0)
    return this.key
  }

  private compare(): void {
    this.environment.release()
    for (const [id, { bytes, fill }] of this.twin) {
      const value = this.environment.table('rows').get(this.keyOf(id))
      const isSame = value?.length === bytes && value[0] === fill && value[bytes - 1] === fill
      if (!isSame) throw new Error(`Row ${id} is not what was written.`)
    }
    this.environment.release()
  }
}
