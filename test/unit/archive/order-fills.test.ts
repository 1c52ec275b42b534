/**
 * The trades of orders that have very many, between trades of the same account's other orders: a query
 * walks about as many rows as it returns, wherever in the order it begins.
 */

import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  readTrade,
  writeOrderAccepted,
  writeOrderRested,
  writeTrade,
} from '../../../scripts/layout/codecs.gen.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { keepEverything } from '../../../src/archive/retention.ts'
import { RowEdits } from '../../../src/archive/row-edits.ts'
import { archiveOptions, FILL_MARK_EVERY, TableName } from '../../../src/archive/tables.ts'
import { OrderStatus } from '../../../src/base/codes.ts'
import { Prng } from '../../../src/base/prng.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { Environment, Table } from '../../../src/journal/environment.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import { OrderAccepted, Trade } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { DAY_MS } from '../../../src/market/intervals.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { zeroRecord } from '../../fixtures/zero-record.ts'

/** The commission is in the asset received. */
const zeroTrade = {
  ...zeroRecord(readTrade),
  takerCommissionAssetId: AssetId(-1),
  makerCommissionAssetId: AssetId(-1),
}

const TRADES = 12_000
/** Orders of one account that the trades fill in turns that look like chance. */
const MAKERS = [1, 2, 3]
const [MAKER_ACCOUNT, TAKER_ACCOUNT] = [1, 2]
const LIMIT_MAX = 1000
const START_MS = Ms(1_700_000_000_000)
const SELL = 1

const random = new Prng(1)
/** By trade id, from 1: the maker's order. */
const makerOf = Array.from({ length: TRADES }, () => random.pick(MAKERS))
const lotsOf = (orderId: OrderId) => Lots(makerOf.filter((it) => it === orderId).length)
const tradesOf = (orderId: OrderId) =>
  makerOf.map((it, index) => (it === orderId ? index + 1 : 0)).filter((it) => it > 0)

const { FILLED, PARTIALLY_FILLED } = OrderStatus
const base = {
  symbolId: SymbolId(0),
  gateway: 0,
  correlation: 0,
  timeMs: START_MS,
  priceTicks: Ticks(100),
}
const held = { quoteAtoms: QuoteAtoms(0), heldAtoms: Atoms(0) }

/** Accepts and rests the makers, whose orders the trades then fill whole, lot by lot. */
function writeJournal(dataFolder: string): void {
  const store = new LmdbStore(journalFolder(dataFolder, 0))
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  const buffer = RecordBuffer.allocate(1000 * (OrderAccepted.bytes + Trade.bytes))
  let sequence = 0
  let position = 0
  const append = (end: number) => {
    const block = blocks.seal(buffer, end, ++position, START_MS)
    let isGiven = false
    store.append(() => {
      if (isGiven) return undefined
      isGiven = true
      return block
    })
  }
  let at = 0
  for (const orderId of MAKERS) {
    const lots = lotsOf(OrderId(orderId))
    const order = {
      ...base,
      account: AccountId(MAKER_ACCOUNT),
      orderId: OrderId(orderId),
      terms: SELL,
    }
    const clientOrderId = `maker-${orderId}`
    const accepted = { ...order, ...held, lots, clientOrderId, sequence: ++sequence }
    at = writeOrderAccepted(buffer, at, accepted)
    at = writeOrderRested(buffer, at, {
      ...order,
      restedLots: lots,
      updateId: ++sequence,
      sequence,
    })
  }
  const filled = new Map(MAKERS.map((orderId) => [orderId, Lots(0)]))
  for (const [index, makerOrderId] of makerOf.entries()) {
    const takerOrderId = MAKERS.length + 1 + index
    const taker = {
      ...base,
      account: AccountId(TAKER_ACCOUNT),
      orderId: OrderId(takerOrderId),
      terms: 0,
      lots: Lots(1),
    }
    const clientOrderId = `taker-${index}`
    at = writeOrderAccepted(buffer, at, { ...taker, ...held, clientOrderId, sequence: ++sequence })
    const makerFilledLots = Lots(filled.get(makerOrderId)! + 1)
    filled.set(makerOrderId, makerFilledLots)
    at = writeTrade(buffer, at, {
      ...zeroTrade,
      ...base,
      sequence: ++sequence,
      updateId: sequence,
      tradeId: TradeId(index + 1),
      tradeLots: Lots(1),
      quoteAtoms: QuoteAtoms(100),
      takerAccount: AccountId(TAKER_ACCOUNT),
      takerOrderId: OrderId(takerOrderId),
      takerFilledLots: Lots(1),
      takerFilledAtoms: QuoteAtoms(100),
      takerPriceTicks: Ticks(100),
      takerLots: Lots(1),
      takerCreatedMs: START_MS,
      takerStatus: FILLED,
      makerAccount: AccountId(MAKER_ACCOUNT),
      makerTerms: SELL,
      makerOrderId: OrderId(makerOrderId),
      makerFilledLots,
      makerFilledAtoms: QuoteAtoms(100 * makerFilledLots),
      makerLots: lotsOf(OrderId(makerOrderId)),
      makerCreatedMs: START_MS,
      makerClientOrderId: `maker-${makerOrderId}`,
      makerStatus: makerFilledLots === lotsOf(OrderId(makerOrderId)) ? FILLED : PARTIALLY_FILLED,
      takerClientOrderId: clientOrderId,
    })
    if (index % 500 === 499 || index === TRADES - 1) {
      append(at)
      at = 0
    }
  }
  store.close()
}

const folder = temporaryFolder()
let history: History
function indexer(retention = keepEverything): Indexer {
  const archived = new BigInt64Array(new SharedArrayBuffer(8))
  return new Indexer({
    time: new RealTime(),
    dataFolder: folder,
    matchers: 1,
    archived,
    retention,
    log: () => {},
  })
}
beforeAll(() => {
  writeJournal(folder)
  const agent = indexer()
  while (agent.doWork() > 0 || agent.isProving);
  agent.close()
  history = new History(archiveFolder(folder))
})
afterEach(() => vi.restoreAllMocks())

/** Rows that the action looks at, found or not. */
function rowsRead(action: () => void): number {
  let rows = 0
  const counted = function* <T>(found: Iterable<T>): Iterable<T> {
    for (const it of found) {
      rows++
      yield it
    }
  }
  const { get, keys, rows: allRows } = Table.prototype
  vi.spyOn(Table.prototype, 'get').mockImplementation(function (this: Table, key) {
    rows++
    return get.call(this, key)
  })
  vi.spyOn(Table.prototype, 'keys').mockImplementation(function (this: Table, range) {
    return counted(keys.call(this, range))
  })
  vi.spyOn(Table.prototype, 'rows').mockImplementation(function (this: Table, range) {
    return counted(allRows.call(this, range))
  })
  action()
  vi.restoreAllMocks()
  return rows
}

const own = { account: AccountId(MAKER_ACCOUNT), symbolId: SymbolId(0) }

test.each([1, 2, 500, LIMIT_MAX])('%i trades of an order from any id on', (limit) => {
  for (const orderId of MAKERS) {
    const all = tradesOf(OrderId(orderId))
    expect(history.order({ ...own, orderId: OrderId(orderId) })?.status).toBe(OrderStatus.FILLED)
    const froms = [1, 2, all[FILL_MARK_EVERY - 1]!, all[FILL_MARK_EVERY - 1]! + 1, all.at(-limit)!]
    for (let i = 0; i < 40; i++) froms.push(random.between(1, TRADES + 10))
    for (const fromId of [...froms, all.at(-1)!, TRADES + 1, 2 ** 52]) {
      let found: number[] = []
      const rows = rowsRead(() => {
        const query = { ...own, orderId: OrderId(orderId), fromId, limit }
        found = history.myTrades(query).map(({ tradeId }) => tradeId)
      })
      expect(found).toEqual(all.filter((id) => id >= fromId).slice(0, limit))
      // A maker's trade takes two reads: none is the taker's.
      expect(rows).toBeLessThanOrEqual(2 * (limit + 2 * FILL_MARK_EVERY) + 10)
    }
  }
})

test('the newest trades of an order, and any of an account', () => {
  for (const limit of [1, 500, LIMIT_MAX]) {
    for (const orderId of MAKERS) {
      let found: number[] = []
      const rows = rowsRead(() => {
        found = history
          .myTrades({ ...own, orderId: OrderId(orderId), limit })
          .map(({ tradeId }) => tradeId)
      })
      expect(found).toEqual(tradesOf(OrderId(orderId)).slice(-limit))
      expect(rows).toBeLessThanOrEqual(2 * limit + 10)
    }
    for (const window of [
      { fromId: TRADES / 2 },
      {},
      { startTime: START_MS },
      { endTime: Ms(1) },
    ]) {
      let found = 0
      const rows = rowsRead(() => {
        found = history.myTrades({ ...own, ...window, limit }).length
      })
      expect(found).toBe('endTime' in window ? 0 : limit)
      // Times are found by bisection.
      expect(rows).toBeLessThanOrEqual(limit + 120)
    }
  }
})

test('an order with many trades is removed in steps, and is whole between them', () => {
  const rowsOf = (name: TableName) => {
    const environment = new Environment(archiveOptions(archiveFolder(folder)))
    const { length } = [...environment.table(name).keys({})]
    environment.close()
    return length
  }
  const marks = MAKERS.map((orderId) => Math.floor(lotsOf(OrderId(orderId)) / FILL_MARK_EVERY))
  expect(rowsOf(TableName.FILL_MARKS)).toBe(marks.reduce((sum, count) => sum + count, 0))
  let removed = 0
  const { remove } = Table.prototype
  vi.spyOn(Table.prototype, 'remove').mockImplementation(function (this: Table, key) {
    removed++
    remove.call(this, key)
  })
  const { remove: removeRow } = RowEdits.prototype
  vi.spyOn(RowEdits.prototype, 'remove').mockImplementation(function (this: RowEdits, owner, id) {
    removed++
    removeRow.call(this, owner, id)
  })
  const retention = { ...keepEverything, orderDays: 1 }
  let agent = indexer(retention)
  let most = 0
  for (let step = 0; step < 200; step++) {
    removed = 0
    agent.tend(Ms(START_MS + 5 * DAY_MS))
    most = Math.max(most, removed)
    if (step % 5 !== 0 || step > 40) continue
    // It continues after a stop.
    agent.close()
    agent = indexer(retention)
    history.read(() => {
      for (const orderId of MAKERS) {
        if (history.order({ ...own, orderId: OrderId(orderId) }) === undefined) continue
        const left = history.myTrades({ ...own, orderId: OrderId(orderId), limit: LIMIT_MAX })
        const all = tradesOf(OrderId(orderId))
        const last = all.lastIndexOf(left.at(-1)?.tradeId ?? 0)
        const expected = all.slice(0, last + 1).slice(-LIMIT_MAX)
        expect(left.map(({ tradeId }) => tradeId)).toEqual(expected)
      }
    })
  }
  agent.close()
  history.close()
  // 512 rows, and parts of the index of client ids and chunks that become empty with them.
  expect(most).toBeGreaterThan(500)
  expect(most).toBeLessThanOrEqual(1024)
  for (const name of ['FILL_MARKS', 'TRADES', 'ORDERS', 'CLIENT_IDS'] as const) {
    expect(rowsOf(TableName[name])).toBe(0)
  }
})
