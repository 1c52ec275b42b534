import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  EventStream,
  type PlainOrder,
  type PlainTrade,
} from '../../../bench/workloads/event-stream.ts'
import { Indexer, MISSING } from '../../../src/agents/indexer.ts'
import { Throttle } from '../../../src/agents/throttle.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import {
  ARCHIVE_VERSION,
  archiveOptions,
  TableName,
  VERSION_KEY,
} from '../../../src/archive/tables.ts'
import { Side, sideOf } from '../../../src/base/codes.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Prng } from '../../../src/base/prng.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import {
  AccountId,
  AssetId,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  TradeId,
} from '../../../src/base/units.ts'
import type { OrderRow, TradeRow } from '../../../src/history/account-history.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { readBootId } from '../../../src/journal/flush-mark.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { archiveBaseFile } from '../../../src/journal/sealed-segments.ts'
import { DetailsSection } from '../../../src/layout/accessors.gen.ts'
import { OrderKey, TapeKey } from '../../../src/layout/keys.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { readDetailsSection } from '../../../src/layout/records.gen.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const SYMBOLS = [0, 1, 2]
const ACCOUNTS = [1, 2, 3]
const AGAIN = 'The archive is applied again from the journals.'

const folder = folderPerTest()

/** Writes `steps` commands in batches of random size; matcher of symbol s is s modulo `matchers`. */
function writeJournals(
  stream: EventStream,
  steps: number,
  matchers: number,
  epoch: number,
  seed: number,
): void {
  const random = new Prng(seed)
  const stores = Array.from({ length: matchers }, (_, matcher) => {
    const journal = openJournal(folder(), matcher, 'committed')
    return { journal, blocks: new BlockWriter({ epoch, matcher, previous: journal.lastChecksum }) }
  })
  for (let step = 0; step < steps; ) {
    const matcher = random.below(matchers)
    const { journal, blocks } = stores[matcher]!
    const symbols = SYMBOLS.filter((symbolId) => symbolId % matchers === matcher)
    stream.reset()
    for (let i = random.between(1, 20); i > 0; i--, step++)
      stream.step(SymbolId(random.pick(symbols)))
    journal.append(blocks.seal(stream.events, stream.end, journal.lastPosition + 1, stream.timeMs))
  }
  for (const { journal } of stores) journal.close()
}

/** Its time stands still, so that an archive's pages are proven in one piece. */
function indexer(matchers: number, log: string[] = []) {
  const archived = new BigInt64Array(new SharedArrayBuffer(8 * matchers))
  return {
    archived,
    agent: new Indexer({
      time: new ManualTime(new ManualClock(Ms(0))),
      dataFolder: folder(),
      matchers,
      archived,
      log: (it) => log.push(it),
    }),
  }
}

function archiveAll(matchers: number, log: string[] = []): BigInt64Array {
  const { agent, archived } = indexer(matchers, log)
  while (agent.doWork() > 0 || agent.isProving);
  agent.close()
  return archived
}

function orderRow({ ownClientOrderId: _, symbolId: __, place: ___, ...row }: PlainOrder): OrderRow {
  return row
}

function tradeRow(trade: PlainTrade, isMaker: boolean): TradeRow {
  const order = isMaker ? trade.maker : trade.taker
  return {
    tradeId: TradeId(trade.tradeId),
    orderId: OrderId(order.orderId),
    priceTicks: trade.priceTicks,
    lots: trade.lots,
    quoteAtoms: QuoteAtoms(trade.lots * trade.priceTicks),
    commissionAtoms: isMaker ? trade.makerCommissionAtoms : trade.takerCommissionAtoms,
    timeMs: trade.timeMs,
    isBuyer: sideOf(order.terms) === Side.BUY,
    isMaker,
    orderListId: OrderListId(-1),
    commissionAssetId: AssetId(-1),
  }
}

/** The rows of all accounts from the plain arrays. */
function plainOrders(stream: EventStream, account: AccountId, symbolId: SymbolId): OrderRow[] {
  return stream.orders
    .filter((order) => order.account === account && order.symbolId === symbolId)
    .map(orderRow)
}
function plainTrades(stream: EventStream, account: AccountId, symbolId: SymbolId): TradeRow[] {
  return stream.trades
    .filter((trade) => trade.symbolId === symbolId)
    .flatMap((trade) => [
      ...(trade.taker.account === account ? [tradeRow(trade, false)] : []),
      ...(trade.maker.account === account ? [tradeRow(trade, true)] : []),
    ])
}

function checkEverything(stream: EventStream, history: History): void {
  for (const account of ACCOUNTS) {
    for (const symbolId of SYMBOLS) {
      const who = { account: AccountId(account), symbolId: SymbolId(symbolId) }
      const all = { ...who, limit: 1_000_000 }
      expect(history.allOrders(all)).toEqual(
        plainOrders(stream, AccountId(account), SymbolId(symbolId)),
      )
      expect(history.myTrades(all)).toEqual(
        plainTrades(stream, AccountId(account), SymbolId(symbolId)),
      )
      const stranger = { ...all, account: AccountId(99), startTime: Ms(1), endTime: Ms(2) }
      expect([history.allOrders(stranger), history.myTrades(stranger)]).toEqual([[], []])
      const unknown = history.order({ ...who, clientOrderId: 'never-used' })
      expect(unknown).toBeUndefined()
    }
  }
  for (const symbolId of SYMBOLS) {
    const trades = stream.trades.filter((trade) => trade.symbolId === symbolId)
    expect(history.publicTrades({ symbolId: SymbolId(symbolId), limit: 50 })).toEqual(
      trades.slice(-50).map(({ tradeId, priceTicks, lots, timeMs, maker }) => {
        const isBuyerMaker = sideOf(maker.terms) === Side.BUY
        return { tradeId, priceTicks, lots, quoteAtoms: priceTicks * lots, timeMs, isBuyerMaker }
      }),
    )
  }
}

test('what was applied is flushed, once queries may read it', () => {
  const flushed: bigint[] = []
  writeJournals(new EventStream(4), 40, 1, 1, 4)
  const { agent, archived } = indexer(1)
  const flush = vi.spyOn(Environment.prototype, 'flush').mockImplementation(() => {
    flushed.push(archived[0]!)
  })
  try {
    while (agent.doWork() > 0 || agent.isProving);
    expect(flushed).toEqual([archived[0]])
    expect(flushed[0]).toBeGreaterThan(0n)
    agent.doWork()
    expect(flushed).toHaveLength(1)
  } finally {
    flush.mockRestore()
    agent.close()
  }
})

test('it says whether a transaction left anything, and a pace changes nothing but the time', () => {
  const stream = new EventStream(7)
  writeJournals(stream, 20_000, 1, 1, 7)
  const { agent, archived } = indexer(1)
  const pace = new Throttle(new RealTime(), { workMs: 0, restMs: 0 })
  const left: boolean[] = []
  while (agent.doWork(pace) > 0) left.push(agent.hasMore)
  expect(agent.hasMore).toBe(false)
  expect(left.length).toBeGreaterThan(1)
  expect(left).toEqual(left.map((_, index) => index < left.length - 1))
  const journal = openJournal(folder(), 0, 'committed')
  expect(archived[0]).toBe(BigInt(journal.lastPosition))
  journal.close()
  agent.close()
})

describe('the archive against plain arrays', () => {
  test.each([1, 2, 3])('seed %i, matchers 2, then 1, then 3', (seed) => {
    const stream = new EventStream(seed)
    const log: string[] = []
    for (const [i, matchers] of [2, 1, 3].entries()) {
      writeJournals(stream, 400, matchers, i + 1, seed)
      const archived = archiveAll(matchers, log)
      expect([...archived].every((position) => position > 0n)).toBe(true)
      const history = new History(archiveFolder(folder()))
      checkEverything(stream, history)
      history.close()
    }
    expect(log).toEqual([MISSING])
  })

  test('all starts at once, whatever the number of matchers', () => {
    const stream = new EventStream(4)
    for (const [i, matchers] of [3, 1, 2].entries()) writeJournals(stream, 300, matchers, i + 1, 4)
    archiveAll(2)
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })
})

describe('the archive as a copy that can be made again', () => {
  test('deleted, it is applied to the same answers', () => {
    const stream = new EventStream(21)
    writeJournals(stream, 300, 2, 1, 21)
    archiveAll(2)
    rmSync(archiveFolder(folder()), { recursive: true })
    archiveAll(2)
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('ahead of a journal that was replaced, it is applied again', () => {
    writeJournals(new EventStream(31), 300, 1, 1, 31)
    archiveAll(1)
    rmSync(folder('journal-0'), { recursive: true })
    const stream = new EventStream(32)
    writeJournals(stream, 200, 1, 1, 32)
    const log: string[] = []
    archiveAll(1, log)
    expect(log).toHaveLength(1)
    expect(log[0]).toContain('applied again')
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('missing an order that a journal speaks of, it is applied again', () => {
    const stream = new EventStream(41)
    writeJournals(stream, 300, 1, 1, 41)
    archiveAll(1)
    const environment = new Environment(archiveOptions(archiveFolder(folder())))
    environment.write(() => environment.table(TableName.ORDERS).clear(), Sync.DISK)
    environment.close()
    writeJournals(stream, 100, 1, 2, 42)
    const log: string[] = []
    const { agent } = indexer(1, log)
    expect(agent.doWork()).toBe(1)
    expect(log).toHaveLength(1)
    expect(log[0]).toMatch(/^Order \d+ of symbol \d is not in the archive\. .*applied again/)
    while (agent.doWork() > 0 || agent.isProving);
    agent.close()
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('of another version, it is applied again', () => {
    const stream = new EventStream(61)
    writeJournals(stream, 100, 1, 1, 61)
    archiveAll(1)
    const environment = new Environment(archiveOptions(archiveFolder(folder())))
    const progress = environment.table(TableName.PROGRESS)
    const other = new Uint8Array(new Float64Array([ARCHIVE_VERSION + 1, 0]).buffer)
    environment.write(() => progress.put(VERSION_KEY, other), Sync.DISK)
    environment.close()
    const log: string[] = []
    archiveAll(1, log)
    const why = 'The archive is of another version, or counts in another asset.'
    expect(log).toEqual([`${why} ${AGAIN}`])
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('begun from a summary of layout 8, its details are those of orders that are not pegged', () => {
    const stream = new EventStream(62)
    writeJournals(stream, 100, 1, 1, 62)
    archiveAll(1)
    const summary = path.dirname(archiveBaseFile(folder()))
    renameSync(archiveFolder(folder()), summary)
    const key = new OrderKey().of(AccountId(1), SymbolId(0), OrderId(1))
    const older = Uint8Array.from({ length: 72 }, (_, i) => i)
    let environment = new Environment(archiveOptions(summary))
    environment.write(() => {
      environment.table(TableName.DETAILS).put(key, older)
      const version = new Uint8Array(new Float64Array([10, -1, 0]).buffer)
      environment.table(TableName.PROGRESS).put(VERSION_KEY, version)
    }, Sync.DISK)
    environment.close()
    archiveAll(1)
    environment = new Environment(archiveOptions(archiveFolder(folder())))
    const details = environment.table(TableName.DETAILS).get(key)!
    expect([...details.subarray(0, older.length)]).toEqual([...older])
    const row = RecordBuffer.allocate(DetailsSection.bytes)
    row.bytes.set(details)
    expect(readDetailsSection(row, 0)).toMatchObject({
      pegPriceType: 0,
      pegLevels: 0,
      pegLimitTicks: -1,
    })
    environment.close()
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('begun from a summary of layout 9, its details stay as they are', () => {
    const stream = new EventStream(63)
    writeJournals(stream, 100, 1, 1, 63)
    archiveAll(1)
    const summary = path.dirname(archiveBaseFile(folder()))
    renameSync(archiveFolder(folder()), summary)
    const key = new OrderKey().of(AccountId(1), SymbolId(0), OrderId(1))
    const kept = Uint8Array.from({ length: DetailsSection.bytes }, (_, i) => i)
    let environment = new Environment(archiveOptions(summary))
    environment.write(() => {
      environment.table(TableName.DETAILS).put(key, kept)
      const version = new Uint8Array(new Float64Array([11, -1, 0]).buffer)
      environment.table(TableName.PROGRESS).put(VERSION_KEY, version)
    }, Sync.DISK)
    environment.close()
    archiveAll(1)
    environment = new Environment(archiveOptions(archiveFolder(folder())))
    expect([...environment.table(TableName.DETAILS).get(key)!]).toEqual([...kept])
    environment.close()
  })

  test('not an LMDB file at all, it is deleted and applied again', () => {
    const stream = new EventStream(71)
    writeJournals(stream, 100, 1, 1, 71)
    archiveAll(1)
    writeFileSync(path.join(archiveFolder(folder()), 'data.mdb'), Buffer.alloc(20_000, 'x'))
    const log: string[] = []
    archiveAll(1, log)
    expect(log).toHaveLength(1)
    expect(log[0]).toContain(
      `data.mdb is damaged: its meta page 0 does not begin as it must. ${AGAIN}`,
    )
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('cut short, it is deleted and applied again', () => {
    const stream = new EventStream(72)
    writeJournals(stream, 400, 1, 1, 72)
    archiveAll(1)
    const file = path.join(archiveFolder(folder()), 'data.mdb')
    const environment = new Environment(archiveOptions(archiveFolder(folder())))
    const table = environment.table(TableName.TAPE)
    environment.write(() => {
      for (let id = 0; id < 40_000; id++)
        table.put(new TapeKey().of(SymbolId(900), id), new Uint8Array(40))
    }, Sync.DISK)
    environment.close()
    truncateSync(file, statSync(file).size / 4)
    const log: string[] = []
    archiveAll(1, log)
    expect(log[0]).toMatch(/data\.mdb is damaged: page \d+ is behind its end\./)
    expect(log[0]).toContain(AGAIN)
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('left open by this boot, it continues', () => {
    writeJournals(new EventStream(81), 200, 1, 1, 81)
    archiveAll(1)
    const mark = path.join(archiveFolder(folder()), 'open')
    expect(existsSync(mark)).toBe(false)
    const log: string[] = []
    writeFileSync(mark, readBootId() ?? '')
    const first = indexer(1, log)
    expect(readFileSync(mark, 'utf8')).toBe('opening')
    expect(first.agent.doWork()).toBe(0)
    expect(readFileSync(mark, 'utf8')).toBe(`${readBootId()} 1`)
    first.agent.close()
    expect(log).toEqual([])
  })

  test.each([
    ['another boot', 'Power was lost while the archive was open.'],
    ['opening', 'The last start ended while it opened the archive.'],
  ])('left open by "%s", it is applied again', (left, why) => {
    const stream = new EventStream(81)
    writeJournals(stream, 200, 1, 1, 81)
    archiveAll(1)
    const mark = path.join(archiveFolder(folder()), 'open')
    writeFileSync(mark, left)
    // What is left may not even look like a database.
    writeFileSync(path.join(archiveFolder(folder()), 'data.mdb'), Buffer.alloc(20_000, 'x'))
    const log: string[] = []
    archiveAll(1, log)
    expect(log).toEqual([`${why} ${AGAIN}`])
    expect(existsSync(mark)).toBe(false)
    const history = new History(archiveFolder(folder()))
    checkEverything(stream, history)
    history.close()
  })

  test('it continues where it stood, and publishes how far it is', () => {
    const stream = new EventStream(51)
    writeJournals(stream, 100, 1, 1, 51)
    const first = archiveAll(1)[0]!
    const { agent, archived } = indexer(1)
    expect(archived[0]).toBe(first)
    expect(agent.doWork()).toBe(0)
    writeJournals(stream, 100, 1, 2, 52)
    expect(agent.doWork()).toBeGreaterThan(0)
    expect(archived[0]).toBeGreaterThan(first)
    agent.close()
  })
})
