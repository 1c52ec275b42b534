/**
 * The real archive under all that makes its list of free pages long: many small transactions of a history of
 * many accounts, readers that hold old states, and retention.
 */
import { LongHistory } from '../../bench/workloads/long-history.ts'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import { ArchiveWriter } from '../../src/archive/archive-writer.ts'
import { History } from '../../src/archive/history.ts'
import { noValuation } from '../../src/archive/volumes.ts'
import { Prng } from '../../src/base/prng.ts'
import { SymbolId } from '../../src/base/units.ts'
import { openMerge } from '../../src/journal/recovery.ts'
import { DAY_MS } from '../../src/market/intervals.ts'
import { assertPages } from './lmdb-pages.ts'

export interface ArchivePagesOptions {
  readonly folder: string
  readonly seed: number
  readonly trades: number
  /** Transactions between two audits of the file. */
  readonly auditEvery: number
}

const SYMBOLS = 20
const ACCOUNTS = 500
const DAYS = 40
const KEPT_DAYS = 3
const START_MS = 1_700_000_000_000
/** Journal blocks in one transaction, at most. */
const BLOCKS = 3
const READERS = 3

export class ArchivePagesWork {
  private readonly options: ArchivePagesOptions
  private readonly random: Prng
  private readonly history: LongHistory
  private readonly writer: ArchiveWriter
  private readonly readers: History[] = []
  private transactions = 0

  constructor(options: ArchivePagesOptions) {
    this.options = options
    this.random = new Prng(options.seed)
    this.history = new LongHistory(options.trades, SYMBOLS, ACCOUNTS, START_MS, DAYS * DAY_MS)
    this.history.writeJournal(options.folder)
    const retention = { publicTradeDays: KEPT_DAYS, secondBarDays: KEPT_DAYS, orderDays: KEPT_DAYS }
    this.writer = ArchiveWriter.open(archiveFolder(options.folder), noValuation, retention)
  }

  /** Throws StorageError when LMDB fails, and an error that names what was found otherwise. */
  run(): void {
    const merge = openMerge(this.options.folder, [0])
    try {
      for (let block = merge.next(); block !== undefined; block = merge.next()) {
        const nowMs = block.timeMs
        let left = this.random.between(0, BLOCKS - 1)
        this.writer.apply(block, () => (left-- > 0 ? merge.next() : undefined))
        this.count()
        for (let steps = this.random.below(4); steps > 0; steps--) {
          if (this.writer.retain(nowMs)) this.count()
        }
        this.read()
      }
    } finally {
      merge.close()
    }
  }

  close(): void {
    for (const reader of this.readers) reader.close()
    this.writer.close()
  }

  private count(): void {
    if (++this.transactions % this.options.auditEvery !== 0) return
    assertPages(archiveFolder(this.options.folder))
  }

  /** Starts a reader, which holds the state of now, or ends one. */
  private read(): void {
    const random = this.random
    if (this.readers.length < READERS && random.chance(0.1)) {
      const reader = new History(archiveFolder(this.options.folder))
      reader.publicTrades({ symbolId: SymbolId(random.below(SYMBOLS)), limit: 10 })
      this.readers.push(reader)
    } else if (this.readers.length > 0 && random.chance(0.01)) {
      this.readers.splice(random.below(this.readers.length), 1)[0]!.close()
    }
  }
}
