/**
 * A read transaction that is held keeps the pages of its state, and the file grows instead. So no part of the
 * exchange holds one while it does nothing.
 */

import { expect, test } from 'vitest'
import { Indexer } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, Ms, SymbolId } from '../../../src/base/units.ts'
import { Environment } from '../../../src/journal/environment.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import { QueryService } from '../../../src/queries/query-service.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { EngineRun } from '../../replay/engine-run.ts'

const folder = folderPerTest()

/** The transaction that the oldest reader of the environment in the folder holds. */
function heldIn(of: string): number | undefined {
  const environment = new Environment({ folder: of })
  const { oldestReader } = environment.figures()
  environment.close()
  return oldestReader
}

test('indexer, history and readers of journals hold nothing between two pieces of work', () => {
  const run = new EngineRun(folder(), 1)
  const journal = journalFolder(folder(), 0)
  for (let batch = 0; batch < 200; batch++) run.batch()
  const indexer = new Indexer({
    time: new RealTime(),
    dataFolder: folder(),
    matchers: 1,
    wals: run.wals,
    archived: new BigInt64Array(new SharedArrayBuffer(8)),
    retention: { publicTradeDays: 1, secondBarDays: 1, orderDays: 1 },
    log: () => {},
  })
  const archive = archiveFolder(folder())
  const expectNothingHeld = (after: string) => {
    expect(heldIn(archive), `of the archive, after ${after}`).toBeUndefined()
    expect(heldIn(journal), `of the journal, after ${after}`).toBeUndefined()
  }
  expectNothingHeld('the indexer opened both')
  expect(indexer.doWork()).toBeGreaterThan(0)
  expectNothingHeld('it archived')
  indexer.blocksLeft()
  indexer.doWork()
  expectNothingHeld('it found nothing to archive')
  for (let day = 0; day < 3; day++) indexer.tend(Ms(Date.now() + day * 86_400_000))
  expectNothingHeld('it removed old rows and made a trading status')
  const queries = new QueryService(new History(archive))
  expectNothingHeld('a history was opened')
  const symbolId = SymbolId(0)
  queries.read('publicTrades', { symbolId, limit: 10 })
  queries.read('allOrders', { account: AccountId(1), symbolId, limit: 10 })
  expect(() => queries.read('allOrders', undefined)).toThrow(TypeError)
  expectNothingHeld('queries were answered, and one failed')
  indexer.close()
  run.close()
  const reader = new JournalReader(journal)
  expectNothingHeld('a journal was opened')
  reader.block(reader.lastCheckpointed)
  reader.refresh()
  expectNothingHeld('a block was read')
  reader.close()
})

test('a reader of a journal sees the blocks of its last refresh, and takes a transaction for a few', () => {
  const journal = journalFolder(folder(), 0)
  const store = new LmdbStore(journal)
  const append = (count: number) => {
    let left = count
    store.append(() => (left-- > 0 ? Buffer.alloc(64, 7) : undefined))
  }
  append(1_000)
  const reader = new JournalReader(journal)
  expect(reader.lastCheckpointed).toBe(1_000)
  append(1_000)
  for (let position = 1; position <= 1_000; position++) {
    expect(reader.block(position)).toHaveLength(64)
    if (position === 1_000) expect(heldIn(journal)).toBeGreaterThan(1)
  }
  expect(reader.block(1_001)).toBeUndefined()
  reader.refresh()
  expect(reader.block(1_001)).toHaveLength(64)
  reader.close()
  store.close()
})
