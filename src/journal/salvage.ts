/**
 * Gives up, on an operator's word, what write-ahead logs have lost: the journals end where their last whole
 * blocks do. Reports first what is lost, as far as the blocks behind prove. Nothing else shortens a journal.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { OrderAccepted, RecordHeader, Trade } from '../layout/accessors.gen.ts'
import { recordLength, recordType } from '../layout/record-buffer.ts'
import { BlockReader } from './block.ts'
import { LeftLog } from './checkpointer.ts'
import { flushFolder } from './environment.ts'
import { flushMarkFile } from './flush-mark.ts'
import { JournalReader } from './journal-reader.ts'
import { type DerivedBlocks, remainsIn } from './left-wal.ts'
import { blockName, journalFolder, LmdbStore } from './lmdb-store.ts'
import { journalsIn } from './recovery.ts'
import { beginningOf, sealedFolder, segmentsIn } from './sealed-segments.ts'
import { emptyNote } from './wal-note.ts'
import { filesOf } from './wal-reader.ts'
import { formerSegmentFile, segmentFile } from './wal-writer.ts'

const ARCHIVE = /^archive(-\d+)?$/

/** What one journal has lost. */
export interface LostBlocks {
  readonly log: LeftLog
  readonly damage: string
  /** Blocks that were flushed, and those of them that are whole, but do not follow the others. */
  readonly blocks: number
  readonly readable: number
}

/** Orders and trades that the journals no longer have, by symbol and id. */
export class LostEntries {
  readonly orders = new Map<string, LostOrder>()
  readonly trades = new Set<string>()
  /** What the journals have: the last ids by symbol. */
  private readonly lastOrders = new Map<number, number>()
  private readonly lastTrades = new Map<number, number>()

  kept(block: BlockReader): void {
    for (const { type, at } of recordsOf(block)) {
      const { records } = block
      if (type === Trade.type) {
        this.lastTrades.set(RecordHeader.symbolId(records, at), Trade.tradeId(records, at))
      } else if (type === OrderAccepted.type) {
        this.lastOrders.set(RecordHeader.symbolId(records, at), OrderAccepted.orderId(records, at))
      }
    }
  }

  lost(block: BlockReader): void {
    for (const { type, at } of recordsOf(block)) {
      const { records } = block
      if (type === Trade.type) {
        this.trade(RecordHeader.symbolId(records, at), Trade.tradeId(records, at))
      } else if (type === OrderAccepted.type) {
        const symbolId = RecordHeader.symbolId(records, at)
        const orderId = OrderAccepted.orderId(records, at)
        this.order({ symbolId, orderId, account: OrderAccepted.account(records, at) })
      }
    }
  }

  order(order: LostOrder): void {
    const { symbolId, orderId } = order
    if (orderId <= (this.lastOrders.get(symbolId) ?? 0)) return
    this.orders.set(`${symbolId} ${orderId}`, order)
  }

  trade(symbolId: number, tradeId: number): void {
    if (tradeId > (this.lastTrades.get(symbolId) ?? 0)) this.trades.add(`${symbolId} ${tradeId}`)
  }
}

export interface LostOrder {
  readonly symbolId: number
  readonly orderId: number
  readonly account: number
}

/** Changes nothing. Only while no exchange runs on the folder. Throws JournalDamage when LMDB is damaged. */
export function findLost(dataFolder: string, derived: DerivedBlocks = {}): readonly LostBlocks[] {
  const logs = journalsIn(dataFolder).map((matcher) => new LeftLog(dataFolder, matcher, derived))
  return logs.flatMap((log) => {
    const { damage, flushed, position } = log.end
    if (damage === undefined) return []
    const readable = remains(log).length
    return [{ log, damage, blocks: Math.max(readable, flushed - position), readable }]
  })
}

/**
 * Returns what blocks behind the end of the lost journals contain. Reads all journals, for what they have.
 * Throws JournalDamage.
 */
export function lostEntries(dataFolder: string, lost: readonly LostBlocks[]): LostEntries {
  const entries = new LostEntries()
  for (const matcher of journalsIn(dataFolder)) {
    for (const block of keptBlocks(dataFolder, matcher)) entries.kept(block)
  }
  for (const { log } of lost) remains(log, (block) => entries.lost(block))
  return entries
}

function* keptBlocks(dataFolder: string, matcher: number): Generator<BlockReader, void> {
  const folder = journalFolder(dataFolder, matcher)
  const reader = new JournalReader(folder)
  const block = new BlockReader()
  try {
    const { lastCheckpointed } = reader
    for (let position = beginningOf(folder).position; position < lastCheckpointed; ) {
      block.open(reader.block(++position)!, blockName(folder, position))
      yield block
    }
  } finally {
    reader.close()
  }
  yield* new LeftLog(dataFolder, matcher).left()
}

function remains(
  { folder, matcher, note, end }: LeftLog,
  take: (block: BlockReader) => void = () => {},
): readonly number[] {
  const positions: number[] = []
  for (const { position, block } of remainsIn(folder, matcher, end.position, note)) {
    if (block === undefined) continue
    positions.push(position)
    take(block)
  }
  return positions
}

function* recordsOf({ records, start, end }: BlockReader) {
  for (let at = start; at < end; at += recordLength(records, at)) {
    yield { type: recordType(records, at), at }
  }
}

/**
 * Ends the journals before what is lost, and removes the archive, which may have it: the next start makes
 * another one. The log's segments, and sealed ones that continue behind the end, stay under other names. After a
 * kill it may be called again. Snapshots that cover more must have gone before.
 */
export function giveUpLost(dataFolder: string, lost: readonly LostBlocks[]): void {
  for (const { log } of lost) log.checkpoint()
  for (const name of fs.readdirSync(dataFolder).filter((it) => ARCHIVE.test(it))) {
    fs.rmSync(path.join(dataFolder, name), { recursive: true })
  }
  flushFolder(dataFolder)
  for (const { log } of lost) {
    setAsideSealed(log)
    emptyLog(log)
  }
}

/** LMDB has its own copy of what such a segment has from before the end. */
function setAsideSealed({ folder, end }: LeftLog): void {
  const behind = segmentsIn(folder).filter(({ last }) => last > end.position)
  for (const { file } of behind) fs.renameSync(file, asideOf(path.dirname(file), file))
  if (behind.length > 0) flushFolder(sealedFolder(folder))
}

const asideOf = (folder: string, file: string): string =>
  path.join(folder, `salvaged-${path.basename(file)}`)

function emptyLog({ folder, note }: LeftLog): void {
  // The mark goes first: beside a log that does not count it still proves what LMDB must have.
  fs.rmSync(flushMarkFile(folder), { force: true })
  flushFolder(folder)
  const store = new LmdbStore(folder)
  try {
    store.noteWal(emptyNote(note?.durability))
  } finally {
    store.close()
  }
  for (const file of [formerSegmentFile, segmentFile].flatMap((nameOf) =>
    filesOf(nameOf, folder),
  )) {
    if (fs.existsSync(file)) fs.renameSync(file, asideOf(folder, file))
  }
  flushFolder(folder)
}
