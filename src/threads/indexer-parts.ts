/** What the indexer's worker is made of, whether it has a thread or shares an event loop. */
import { Indexer } from '../agents/indexer.ts'
import type { Valuation } from '../archive/volumes.ts'
import type { Time } from '../base/time.ts'
import { AssetId } from '../base/units.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { Announcement } from '../market/announcement.ts'
import { ArchiveCells } from '../shared/archive-cells.ts'
import { TradingLocks } from '../shared/trading-locks.ts'
import type { ThreadReport, ThreadStart } from './thread-messages.ts'

export interface OpenedIndexer {
  readonly indexer: Indexer
  /** Applies an operator's announcement, between two transactions. */
  readonly apply: (announcement: Announcement) => void
}

export function openIndexer(
  { config, regions, symbols, valuationAsset, retention }: ThreadStart,
  time: Time,
  report: (message: ThreadReport) => void,
): OpenedIndexer {
  let valuation: Valuation = { symbols, assetId: AssetId(valuationAsset?.id ?? -1) }
  const log = (level: 'info' | 'warn') => (message: string) =>
    report({ report: 'log', level, fields: {}, message })
  const indexer = new Indexer({
    dataFolder: config.data,
    matchers: config.matchers,
    wals: regions.wals.map((memory) => new WalCells(memory)),
    archived: new BigInt64Array(regions.archived),
    cells: new ArchiveCells(regions.archive),
    valuation,
    retention,
    time,
    ...(config.tradingLocks === 'on' ? { locks: new TradingLocks(regions.tradingLocks) } : {}),
    counters: regions.counters,
    log: log('warn'),
    logMended: log('info'),
    degraded: (why) => report({ report: 'degraded', why }),
  })
  const apply = (announcement: Announcement) => {
    const { symbols, assetId } = valuation
    if (announcement.kind === 'listing') {
      const { symbol } = announcement.listed
      // One that began after the action has it already.
      if (symbol.id < symbols.length) return
      valuation = { symbols: [...symbols, symbol], assetId }
    } else if (announcement.kind === 'asset' && announcement.isValuation) {
      valuation = { symbols, assetId: announcement.asset.id }
    } else return
    indexer.setValuation(valuation)
  }
  return { indexer, apply }
}
