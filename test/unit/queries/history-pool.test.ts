/** On real threads, which run the compiled file. */

import { readFileSync, rmSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EventStream } from '../../../bench/workloads/event-stream.ts'
import { btcusdt } from '../../../bench/workloads/fake-context.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, AssetId, OrderId, SymbolId } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { HistoryPool } from '../../../src/queries/history-pool.ts'
import { HISTORY_NICENESS } from '../../../src/queries/history-priority.ts'
import {
  ARCHIVE_CELLS_BYTES,
  ArchiveCells,
  ArchiveState,
} from '../../../src/shared/archive-cells.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const assets = [btcusdt.quote, btcusdt.base]
const form = { encoding: 'JSON', spec: btcusdt, microseconds: false, assets } as const
const parsed = (list: Uint8Array) => JSON.parse(Buffer.from(list).toString())
const folder = folderPerTest()
let pool: HistoryPool
let journal: Journal
let indexer: Indexer
let published: SharedArrayBuffer
let archived: SharedArrayBuffer

beforeEach(() => {
  published = new SharedArrayBuffer(8)
  archived = new SharedArrayBuffer(8)
  journal = openJournal(folder(), 0, 'committed')
  const positions = new BigInt64Array(archived)
  indexer = new Indexer({
    time: new RealTime(),
    dataFolder: folder(),
    matchers: 1,
    wals: [journal.cells],
    archived: positions,
    log: () => {},
  })
  pool = new HistoryPool({
    time: new RealTime(),
    dataFolder: folder(),
    published,
    archived,
    matchers: 1,
    waitMs: 60_000,
  })
})
afterEach(async () => {
  await pool.close()
  indexer.close()
  journal.close()
})

test('what was published when a query came is in its answer', async () => {
  const stream = new EventStream(1)
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  for (let round = 0; round < 20; round++) {
    stream.reset()
    for (let i = 0; i < 10; i++) stream.step(SymbolId(0))
    journal.append(blocks.seal(stream.events, stream.end, journal.lastPosition + 1, stream.timeMs))
    Atomics.store(new BigInt64Array(published), 0, BigInt(journal.lastPosition))
    const who = { account: AccountId(2), symbolId: SymbolId(0), limit: 10_000 }
    const last = stream.orders.at(-1)!
    const answers = Promise.all([
      pool.queries.list('allOrders', who, form),
      pool.queries.list('myTrades', who, form),
      pool.queries.publicTrades({ symbolId: SymbolId(0), limit: 1000 }),
      pool.queries.order({
        account: AccountId(last.account),
        symbolId: SymbolId(0),
        orderId: OrderId(last.orderId),
      }),
    ])
    // The threads are asleep by now, or will find the archive done.
    await new Promise((resolve) => setTimeout(resolve, round % 3))
    while (indexer.doWork() > 0);
    const [orderList, tradeList, recent, order] = await answers
    const orders: { orderId: number }[] = parsed(orderList)
    const trades: unknown[] = parsed(tradeList)
    const mine = stream.orders.filter((it) => it.account === 2)
    expect(orders.map((it) => it.orderId)).toEqual(mine.map((it) => it.orderId))
    const sides = stream.trades.flatMap((it) => [it.taker, it.maker])
    expect(trades).toHaveLength(sides.filter((it) => it.account === 2).length)
    expect(recent.map((it) => it.tradeId)).toEqual(stream.trades.map((it) => it.tradeId))
    expect(order?.clientOrderId).toBe(last.clientOrderId)
  }
})

test('an archive that does not catch up is a timeout', async () => {
  Atomics.store(new BigInt64Array(published), 0, 1_000n)
  const hasty = new HistoryPool({
    time: new RealTime(),
    dataFolder: folder(),
    published,
    archived,
    matchers: 1,
    waitMs: 20,
  })
  const answer = hasty.queries.order({
    account: AccountId(1),
    symbolId: SymbolId(0),
    orderId: OrderId(1),
  })
  await expect(answer).rejects.toMatchObject({ id: 'TIMEOUT' })
  await hasty.close()
})

test('a closed pool answers every query that waits', async () => {
  Atomics.store(new BigInt64Array(published), 0, 1_000n)
  const options = { dataFolder: folder(), published, archived, matchers: 1 }
  const closed = new HistoryPool({ time: new RealTime(), ...options, waitMs: 3_600_000 })
  const ask = () =>
    closed.queries.order({ account: AccountId(1), symbolId: SymbolId(0), orderId: OrderId(1) })
  const answers = Promise.allSettled(Array.from({ length: 8 }, ask))
  await closed.close()
  for (const answer of await answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { id: 'TIMEOUT' } })
  }
})

test('a closed pool ends no thread that loads LMDB, which would end the process', async () => {
  const ends: string[] = []
  const watch = (thread: Worker) => {
    let state = 'while it loaded'
    thread.on('message', (message) => {
      if ('loaded' in message) state = 'later'
    })
    thread.on('exit', () => ends.push(state))
  }
  process.on('worker', watch)
  const options = { dataFolder: folder(), published, archived, matchers: 1 }
  await new HistoryPool({ time: new RealTime(), ...options, startsAll: true }).close()
  process.off('worker', watch)
  expect(ends).toEqual(['later', 'later'])
})

test('more queries than may wait are refused as too many', async () => {
  Atomics.store(new BigInt64Array(published), 0, 1_000n)
  const options = { dataFolder: folder(), published, archived, matchers: 1 }
  const small = new HistoryPool({ time: new RealTime(), ...options, waitMs: 200, queueMax: 3 })
  const ask = () =>
    small.queries.order({ account: AccountId(1), symbolId: SymbolId(0), orderId: OrderId(1) })
  // Until a thread takes one, and then while each of them sleeps over its own.
  const answers = await Promise.allSettled(Array.from({ length: 12 }, ask))
  const ids = answers.map((it) => (it.status === 'rejected' ? it.reason.id : 'answered'))
  expect(ids.filter((id) => id === 'SERVER_BUSY').length).toBeGreaterThan(0)
  expect(new Set(ids)).toEqual(new Set(['TIMEOUT', 'SERVER_BUSY']))
  await small.close()
})

test('queries wait for an archive that is behind until it is up to date', async () => {
  const stream = new EventStream(2)
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  for (let i = 0; i < 20; i++) stream.step(SymbolId(0))
  journal.append(blocks.seal(stream.events, stream.end, journal.lastPosition + 1, stream.timeMs))
  indexer.close()
  rmSync(folder('archive'), { recursive: true })
  const archive = new SharedArrayBuffer(ARCHIVE_CELLS_BYTES)
  indexer = new Indexer({
    time: new RealTime(),
    dataFolder: folder(),
    matchers: 1,
    wals: [journal.cells],
    archived: new BigInt64Array(archived),
    cells: new ArchiveCells(archive),
    log: () => {},
  })
  const options = { dataFolder: folder(), published, archived, matchers: 1, archive }
  const behind = new HistoryPool({ time: new RealTime(), ...options, waitMs: 60_000 })
  const ask = () => behind.queries.publicTrades({ symbolId: SymbolId(0), limit: 1000 })
  await expect(ask()).rejects.toMatchObject({ id: 'SERVER_BUSY' })
  expect(indexer.isCurrent).toBe(false)
  indexer.doWork()
  expect(indexer.isCurrent).toBe(true)
  expect((await ask()).map((it) => it.tradeId)).toEqual(stream.trades.map((it) => it.tradeId))
  await behind.close()
})

test('an archive that begins again has passed nothing before it is emptied', () => {
  const stream = new EventStream(2)
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  for (let i = 0; i < 20; i++) stream.step(SymbolId(0))
  journal.append(blocks.seal(stream.events, stream.end, journal.lastPosition + 1, stream.timeMs))
  indexer.doWork()
  const positions = new BigInt64Array(archived)
  expect(positions[0]).toBe(1n)
  indexer.setValuation({ symbols: [], assetId: AssetId(1) })
  expect(positions[0]).toBe(0n)
  indexer.doWork()
  expect(positions[0]).toBe(1n)
})

/** an indexer and a pool that know of the same archive. */
function openShared(cells: ArchiveCells, archive: SharedArrayBuffer, more = {}): HistoryPool {
  indexer.close()
  indexer = new Indexer({
    time: new RealTime(),
    dataFolder: folder(),
    matchers: 1,
    wals: [journal.cells],
    cells,
    archived: new BigInt64Array(archived),
    log: () => {},
  })
  while (indexer.doWork() > 0);
  return new HistoryPool({
    time: new RealTime(),
    dataFolder: folder(),
    published,
    archived,
    matchers: 1,
    archive,
    ...more,
  })
}

test.runIf(process.platform === 'linux')(
  'all threads leave an archive that was made again, so that the disk has its room back',
  async () => {
    const archive = new SharedArrayBuffer(ARCHIVE_CELLS_BYTES)
    const cells = new ArchiveCells(archive)
    const shared = openShared(cells, archive, { startsAll: true })
    const ask = () => shared.queries.publicTrades({ symbolId: SymbolId(0), limit: 1000 })
    const isMapped = () =>
      readFileSync('/proc/self/maps', 'utf8').includes(folder('archive', 'data.mdb'))
    await Promise.all([ask(), ask(), ask(), ask()])
    expect(isMapped()).toBe(true)
    cells.setDamaged(1)
    while (indexer.doWork() > 0);
    expect(cells.number).toBe(2)
    // Idle threads too, which no query wakes.
    await eventually('no old archive', () => (isMapped() ? undefined : true))
    expect(await ask()).toEqual([])
    await shared.close()
  },
)

test('a stalled archive answers what it has', async () => {
  const archive = new SharedArrayBuffer(ARCHIVE_CELLS_BYTES)
  const cells = new ArchiveCells(archive)
  const shared = openShared(cells, archive)
  cells.setState(ArchiveState.STALLED)
  const ask = () => shared.queries.publicTrades({ symbolId: SymbolId(0), limit: 1000 })
  expect(await ask()).toEqual([])
  Atomics.store(new BigInt64Array(published), 0, 1_000n)
  await expect(ask()).rejects.toMatchObject({ id: 'SERVER_BUSY' })
  Atomics.store(new BigInt64Array(published), 0, 0n)
  cells.setState(ArchiveState.WAITING)
  await expect(ask()).rejects.toMatchObject({ id: 'SERVER_BUSY' })
  await shared.close()
})

/** Only the test moves it, and looks. Its timers are the machine's otherwise. */
class WatchedTime extends RealTime {
  ms = 0
  look: () => void = () => {}

  override elapsedNs(): number {
    return this.ms * 1e6
  }

  override every(_periodMs: number, run: () => void) {
    this.look = run
    return { cancel: () => {} }
  }
}

test('a query that was answered is not overdue later', async () => {
  const warnings: string[] = []
  const time = new WatchedTime()
  const options = { dataFolder: folder(), published, archived, matchers: 1, queryMs: 1_000 }
  const warn = (_: string, message: string) => warnings.push(message)
  const watched = new HistoryPool({ time, ...options, warn })
  expect(await watched.queries.publicTrades({ symbolId: SymbolId(0), limit: 10 })).toEqual([])
  time.ms = 3_600_000
  time.look()
  expect(warnings).toEqual([])
  await watched.close()
})

test('threads of a query that has waited for 100 ms are raised until it is answered', async () => {
  const archive = new SharedArrayBuffer(ARCHIVE_CELLS_BYTES)
  const cells = new ArchiveCells(archive)
  cells.setState(ArchiveState.CURRENT)
  const time = new WatchedTime()
  const given: number[] = []
  const watched = new HistoryPool({
    time,
    dataFolder: folder(),
    published,
    archived,
    archive,
    matchers: 1,
    priorities: {
      getPriority: () => -3,
      setPriority: (_, niceness) => {
        given.push(niceness)
        throw new Error('Operation not permitted')
      },
    },
  })
  const ask = () => watched.queries.publicTrades({ symbolId: SymbolId(0), limit: 10 })
  await ask().catch(() => {})
  Atomics.store(new BigInt64Array(published), 0, 1n)
  const asked = ask()
  time.ms = 99
  time.look()
  expect([given, cells.hurries]).toEqual([[], 0])
  time.ms = 100
  time.look()
  const isNumbered = process.platform === 'linux'
  expect([given.splice(0), cells.hurries]).toEqual([isNumbered ? [-3] : [], 1])
  Atomics.store(new BigInt64Array(archived), 0, 1n)
  await asked.catch(() => {})
  time.look()
  time.look()
  expect([given, cells.hurries]).toEqual([isNumbered ? [HISTORY_NICENESS] : [], 1])
  await watched.close()
})

test('a query that takes too long fails, whatever its thread does', async () => {
  const warnings: string[] = []
  const options = { dataFolder: folder(), published, archived, matchers: 1, waitMs: 3_600_000 }
  const warn = (_: string, message: string) => warnings.push(message)
  const impatient = new HistoryPool({ time: new RealTime(), ...options, queryMs: 10, warn })
  Atomics.store(new BigInt64Array(published), 0, 1_000n)
  const ask = () => impatient.queries.publicTrades({ symbolId: SymbolId(0), limit: 1000 })
  const answers = await Promise.allSettled([ask(), ask()])
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { id: 'TIMEOUT' } })
  }
  // Once a minute.
  expect(warnings).toEqual(['a query of the archive took too long'])
  await impatient.close()
})
