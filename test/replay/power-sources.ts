/** What the power losses of power-play.ts are played over: blocks of any size, and a whole exchange's. */
import type { Prng } from '../../src/base/prng.ts'
import { AssetId, Ms } from '../../src/base/units.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import { BlockReader, BlockWriter } from '../../src/journal/block.ts'
import { PAGE_BYTES } from '../../src/journal/environment.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { journalFolder, LmdbReader } from '../../src/journal/lmdb-store.ts'
import { SEGMENT_BYTES } from '../../src/journal/wal-writer.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { ASSETS, deposits } from '../sim/world.ts'
import { EngineRun } from './engine-run.ts'
import type { BlockSource } from './power-play.ts'
import { RecoveredExchange } from './recovered-exchange.ts'

const RECORD_BYTES = 512
const RECORD_HEAD = 18 | (RECORD_BYTES << 16)
const SEGMENT_PAGES = SEGMENT_BYTES / PAGE_BYTES + 100

/** Blocks of some bytes, mostly of few pages, now and then of more than a segment. */
export class AnyBlocks implements BlockSource {
  private readonly random: Prng
  private journal!: Journal
  private blocks!: BlockWriter

  constructor(random: Prng) {
    this.random = random
  }

  begin(journal: Journal, epoch: number): void {
    this.journal = journal
    this.blocks = new BlockWriter({ matcher: 0, epoch, previous: journal.lastChecksum })
  }

  next(position: number): { block: Uint8Array; checksum: number } {
    return this.block(position, this.randomBytes())
  }

  /** A block of that many bytes, or a little more. */
  block(position: number, bytes: number): { block: Uint8Array; checksum: number } {
    const records = Math.ceil(bytes / RECORD_BYTES) + 1
    const events = RecordBuffer.allocate(records * RECORD_BYTES)
    events.bytes.fill(this.random.below(256))
    for (let i = 0; i < records; i++) events.i32[(i * RECORD_BYTES) >> 2] = RECORD_HEAD
    const unflushed = position - 1 - this.journal.flushedPosition
    const block = this.blocks.seal(events, events.bytes.length, position, Ms(0), unflushed)
    return { block, checksum: checksumOf(block) }
  }

  private randomBytes(): number {
    const random = this.random
    const pages = random.chance(0.01) ? SEGMENT_PAGES : random.pick([0.1, 1, 8, 40, 400])
    return Math.ceil(random.unit() * pages * PAGE_BYTES)
  }
}

/** Trades of every kind by engines that never stopped, and their state after each block. */
export class ExchangeHistory implements BlockSource {
  private readonly blocks: Uint8Array[] = []
  /** By number of blocks: the hash of all books. */
  private readonly hashes = new Map<number, number>()

  /** The folder is used for a journal that is never torn. */
  constructor(folder: string, seed: number, batches: number) {
    const run = new EngineRun(folder, seed)
    this.hashes.set(0, hashOf(run.engines))
    for (let batch = 0; batch < batches; batch++) {
      run.batch()
      this.hashes.set(run.wals[0]!.written, hashOf(run.engines))
    }
    run.close()
    const reader = new LmdbReader(journalFolder(folder, 0))
    for (let position = 1; position <= reader.lastPosition; position++) {
      this.blocks.push(Uint8Array.from(reader.block(position)!))
    }
    reader.close()
  }

  begin(): void {}

  next(position: number): { block: Uint8Array; checksum: number } | undefined {
    const block = this.blocks[position - 1]
    return block === undefined ? undefined : { block, checksum: checksumOf(block) }
  }

  /** Throws unless the data folder recovers to what the engines were after that many blocks. */
  check(dataFolder: string, blocks: number): void {
    const recovered = new RecoveredExchange(dataFolder)
    if (hashOf(recovered.engines) !== this.hashes.get(blocks)) {
      throw new Error(`after ${blocks} blocks the books are not what they were`)
    }
    const { balances } = recovered
    if (balances.firstNegative() !== undefined) throw new Error('a balance is negative')
    for (let asset = 0; asset < ASSETS; asset++) {
      const own = deposits.filter(([, of]) => of === asset)
      const deposited = own.reduce((sum, [, , atoms]) => sum + BigInt(atoms), 0n)
      if (balances.total(AssetId(asset)) !== deposited)
        throw new Error('money appeared or vanished')
    }
  }
}

const nothing = new Balances(new SharedArrayBuffer(Balances.bytesFor(1, 1)), 1, 1)
const hashOf = (engines: EngineRun['engines']): number => stateHash(engines, nothing)

function checksumOf(block: Uint8Array): number {
  const reader = new BlockReader()
  reader.open(block, 'a block')
  return reader.checksum
}
