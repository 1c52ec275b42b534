/** Archives with retention that are applied again from the journals: they have what they had before. */

import { rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { EventStream } from '../../../bench/workloads/event-stream.ts'
import { sealSegment } from '../../../src/agents/compactor.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { CatchUp } from '../../../src/agents/indexer-agent.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { keepEverything, type RetentionSettings } from '../../../src/archive/retention.ts'
import type { Valuation } from '../../../src/archive/volumes.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, AssetId, Ms, SymbolId } from '../../../src/base/units.ts'
import { makeBackup } from '../../../src/journal/backup.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import { restoreBackup } from '../../../src/journal/restore.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { DAY_MS } from '../../../src/market/intervals.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { EngineRun } from '../../replay/engine-run.ts'
import { ACCOUNTS, symbols } from '../../sim/world.ts'
import { ALL, readAll } from './archive-contents.ts'

const BATCHES = 900
const DAYS = 5
/** More than a pass over an archive of this size takes. */
const STEPS_MAX = 2_000
const retention = { publicTradeDays: 2, secondBarDays: 1, orderDays: 2 }
/** Volumes count in the quote of the first symbol. */
const valuation: Valuation = { symbols, assetId: symbols[0]!.quote.id } as const

const folder = folderPerTest()

interface Opening {
  readonly dataFolder?: string
  readonly wals?: readonly WalCells[]
  readonly nowMs: Ms
  readonly retention: RetentionSettings
}

/** The machine's time on another date: pauses after a failure end. */
class DatedTime extends RealTime {
  private readonly date: Ms

  constructor(date: Ms) {
    super()
    this.date = date
  }

  override nowMs(): Ms {
    return this.date
  }
}

function indexerOf({ dataFolder = folder(), wals, nowMs, retention }: Opening): Indexer {
  return new Indexer({
    time: new DatedTime(nowMs),
    dataFolder,
    matchers: 1,
    valuation,
    retention,
    ...(wals && { wals }),
    archived: new BigInt64Array(new SharedArrayBuffer(8)),
    log: () => {},
  })
}

/** Views until the archive is up to date, as the indexer's thread does, then works by the clock. */
function bringUpToDate(agent: Indexer, nowMs: Ms): void {
  const catchUp = new CatchUp(agent, new RealTime(), () => {})
  while (!catchUp.run(1_000));
  for (let step = 0; step < STEPS_MAX; step++) agent.tend(nowMs)
}

/** All of the archive's answers: what retention removes, and what stays for ever. */
function contents(nowMs: Ms, dataFolder = folder()) {
  const history = new History(archiveFolder(dataFolder))
  const today = Math.floor(nowMs / DAY_MS)
  const accounts = Array.from({ length: ACCOUNTS }, (_, id) => AccountId(id))
  const days = { fromDay: today - DAYS - 1, toDay: today + 1 }
  const contents = {
    symbols: symbols.map(({ id }) => readAll(history, id, nowMs)),
    lists: accounts.map((account) => history.orderLists({ account, limit: ALL })),
    openLists: accounts.map((account) => history.openOrderLists({ account })),
    volumes: accounts.map((account) => history.tradingVolume({ account, ...days })),
    status: accounts.map((account) => history.tradingStatus({ account })),
  }
  history.close()
  return contents
}

/** Seeds as --seed-from does, with the backup of a member. */
function seed(dataFolder: string, wals: readonly WalCells[]): void {
  ControlStore.open(folder()).close()
  writeFileSync(folder('secret.key'), 'key')
  const positions = wals.map(({ written }) => written)
  const cut = { timeMs: Ms(1), control: 0, positions, snapshot: 0 }
  const target = folder('backup')
  makeBackup(folder(), target, cut, wals, { goesOn: () => true, copied: () => {} })
  restoreBackup(target, dataFolder)
}

/** Seals segments as `--journal-kept snapshots` does, except for the last block. */
function sealSegments(dataFolder: string): void {
  const store = new LmdbStore(journalFolder(dataFolder, 0))
  const covered = store.lastPosition
  const cells = new WalCells()
  const options = {
    dataFolder,
    matcher: 0,
    cells,
    covered,
    goesOn: () => true,
    segmentBytes: 50_000,
  }
  while (sealSegment(options) !== undefined);
  while (store.removeUpTo(cells.sealed, 1 << 20) > 0);
  store.close()
  expect(cells.sealed).toBeGreaterThan(0)
}

test.each([
  1, 2, 3,
])('what was removed does not come back, and the rest does: seed %i', (seedOfRun) => {
  const run = new EngineRun(folder(), seedOfRun)
  for (let batch = 0; batch < BATCHES; batch++) {
    run.batch()
    run.nowMs = Ms(run.nowMs + 100)
    if (batch % (BATCHES / DAYS) === 0) run.nowMs = Ms(run.nowMs + DAY_MS)
  }
  const { wals, nowMs } = run
  let agent = indexerOf({ wals, nowMs, retention: keepEverything })
  bringUpToDate(agent, nowMs)
  agent.close()
  const whole = contents(nowMs)
  agent = indexerOf({ wals, nowMs, retention })
  bringUpToDate(agent, nowMs)
  const before = contents(nowMs)
  // It holds less, but of what stays the same.
  const bars = ({ symbols }: typeof before) =>
    symbols.map(({ minutes, days }) => ({ minutes, days }))
  const rowsOf = ({ symbols }: typeof before) =>
    symbols.reduce((sum, it) => sum + it.publicTrades.length, 0)
  expect(rowsOf(before)).toBeLessThan(rowsOf(whole))
  expect(bars(before)).toEqual(bars(whole))
  expect([before.lists, before.openLists]).toEqual([whole.lists, whole.openLists])
  expect(before.volumes).toEqual(whole.volumes)
  expect(before.volumes.some((atoms) => atoms > 0n)).toBe(true)

  // Within a run: counting volumes in another asset, and back, applies it again.
  agent.setValuation({ symbols, assetId: AssetId(-1) })
  bringUpToDate(agent, nowMs)
  agent.setValuation(valuation)
  bringUpToDate(agent, nowMs)
  expect(contents(nowMs)).toEqual(before)
  agent.close()

  // Lost, and made again by the next start.
  rmSync(archiveFolder(folder()), { recursive: true })
  agent = indexerOf({ wals, nowMs, retention })
  bringUpToDate(agent, nowMs)
  expect(contents(nowMs)).toEqual(before)
  agent.close()

  // On another machine that is seeded from a backup, then with its old blocks in sealed segments.
  const dataFolder = folder('restored')
  seed(dataFolder, wals)
  for (const prepare of [() => {}, () => sealSegments(dataFolder)]) {
    prepare()
    rmSync(archiveFolder(dataFolder), { recursive: true, force: true })
    agent = indexerOf({ dataFolder, nowMs, retention })
    bringUpToDate(agent, nowMs)
    agent.close()
    expect(contents(nowMs, dataFolder)).toEqual(before)
  }
  run.close()
})

test('an archive that is applied again takes no room for the rows that it will not keep', () => {
  const stream = new EventStream(7)
  const journal = openJournal(folder(), 0, 'committed')
  const blocks = new BlockWriter({ epoch: 1, matcher: 0, previous: 0 })
  for (let block = 0; block < 1_000; block++) {
    stream.reset()
    for (let i = 0; i < 50; i++) stream.step(SymbolId(i % 2))
    const { events, end, timeMs } = stream
    journal.append(blocks.seal(events, end, journal.lastPosition + 1, timeMs))
  }
  journal.close()
  const bytesWith = (retention: RetentionSettings) => {
    // Everything is a year old.
    const nowMs = Ms(stream.timeMs + 365 * DAY_MS)
    const agent = indexerOf({ nowMs, retention })
    bringUpToDate(agent, nowMs)
    agent.close()
    const { size } = statSync(path.join(archiveFolder(folder()), 'data.mdb'))
    rmSync(archiveFolder(folder()), { recursive: true })
    return size
  }
  const kept = bytesWith(keepEverything)
  const removed = bytesWith({ publicTradeDays: 7, secondBarDays: 7, orderDays: 7 })
  // Without the removal meanwhile they would be about equal.
  expect(removed / kept).toBeLessThan(0.8)
})
