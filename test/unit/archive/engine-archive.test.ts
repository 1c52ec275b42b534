/**
 * The engine's events, by random commands of every kind: what it has open, what the archive
 * has, what user streams have sent and what gateways view must be the same.
 */

import { expect, test } from 'vitest'
import { RecordType, readBookLevel } from '../../../scripts/layout/codecs.gen.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { Rows } from '../../../src/api/answers/answer.ts'
import { textOf } from '../../../src/api/answers/json.ts'
import { order } from '../../../src/api/answers/orders.ts'
import { viewedOrder } from '../../../src/api/rows/viewed-order.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { ListOrderStatus, Side } from '../../../src/base/codes.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, OrderId, SymbolId } from '../../../src/base/units.ts'
import type { DepthView } from '../../../src/core/views/depth.ts'
import { OrderView } from '../../../src/layout/order-view.ts'
import { recordType } from '../../../src/layout/record-buffer.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { asking, EngineRun, isOpen, wholeBook } from '../../replay/engine-run.ts'
import { ACCOUNTS, symbols } from '../../sim/world.ts'

const BATCHES = 700
const CHECK_EVERY = 20
const view = new OrderView()

const folder = folderPerTest()

function levelsOf(view: DepthView, side: Side): [number, number][] {
  const levels: [number, number][] = []
  view.levels(side, Number.POSITIVE_INFINITY, (ticks, lots) => levels.push([ticks, lots]))
  return levels
}

/** The view's levels are the book's. */
function checkDepth(run: EngineRun, symbolId: SymbolId): void {
  const { buffer, offsets } = run.ask(wholeBook(symbolId))
  const levels = offsets
    .filter((at) => recordType(buffer, at) === RecordType.BookLevel)
    .map((at) => readBookLevel(buffer, at))
  for (const side of [Side.BUY, Side.SELL]) {
    const book = levels.filter((level) => level.side === side)
    const shown = book.map(({ priceTicks, levelLots }) => [priceTicks, levelLots])
    expect(levelsOf(run.depths[symbolId]!, side)).toEqual(shown)
  }
}

/** What the engine has open, as clients are shown it, by order id. */
function openRecords(run: EngineRun, account: AccountId, symbolId: SymbolId): Map<number, string> {
  const spec = symbols[symbolId]!
  const page = { limit: 10_000, afterOrderId: OrderId(0), untilOrderId: OrderId(0) }
  const record = { ...asking(symbolId), account, ...page }
  const { buffer, offsets } = run.ask({ name: 'QueryOpenOrders', record })
  const records = new Map<number, string>()
  for (const at of offsets) {
    if (!view.read(buffer, at)) continue
    const row = viewedOrder(spec, view, buffer)
    records.set(row.orderId, textOf(new Rows(order, row, { spec, microseconds: false })))
  }
  return records
}

type Json = Record<string, unknown>

/** An order record in the words of a report, and the other way round. */
const ofRecord = (it: Json) => ({
  X: it.status,
  c: it.clientOrderId,
  q: it.origQty,
  z: it.executedQty,
  Z: it.cummulativeQuoteQty,
  p: it.price,
  P: it.stopPrice,
  F: it.icebergQty,
  g: it.orderListId,
  O: it.time,
  d: it.trailingDelta,
  j: it.strategyId,
  J: it.strategyType,
  W: it.workingTime === -1 ? undefined : it.workingTime,
  eR: it.expiryReason,
})
const ofReport = ({ X, c, q, z, Z, p, P, F, g, O, d, j, J, W, eR }: Json) => ({
  ...{ X, c, q, z, Z, p, P, F, g, O, d, j, J, W, eR },
})

/** The engine does not know which match it was that was prevented; only the archive does. */
const withoutMatch = (record: string) => record.replace(/,"preventedMatchId":\d+/, '')

function checkOrders(run: EngineRun, history: History, symbolId: SymbolId): void {
  const spec = symbols[symbolId]!
  const told = run.told[symbolId]!
  let orders = 0
  for (let account = 1; account < ACCOUNTS; account++) {
    const open = openRecords(run, AccountId(account), symbolId)
    for (const row of history.allOrders({
      account: AccountId(account),
      symbolId: SymbolId(symbolId),
      limit: 1_000_000,
    })) {
      const record = textOf(new Rows(order, row, { spec, microseconds: false }))
      const { report } = told.get(row.orderId)!
      const about = `order ${row.orderId} of symbol ${symbolId}`
      expect(ofReport(report), about).toEqual(ofRecord(JSON.parse(record)))
      expect(open.get(row.orderId), about).toBe(isOpen(report) ? withoutMatch(record) : undefined)
      open.delete(row.orderId)
      orders++
    }
    expect(open.size).toBe(0)
  }
  expect(orders).toBe(told.size)
}

function checkLists(run: EngineRun, history: History): void {
  let lists = 0
  for (let account = 1; account < ACCOUNTS; account++) {
    const rows = history.orderLists({ account: AccountId(account), limit: 1_000_000 })
    for (const { createdMs: _, ...row } of rows) {
      expect(run.lists.get(row.orderListId)).toMatchObject({ ...row, account })
      const isExecuting = row.orderStatus === ListOrderStatus.EXECUTING
      const told = run.told[row.symbolId]!
      const isAnyOpen = row.orders.some(({ orderId }) => isOpen(told.get(orderId)!.report))
      expect(isAnyOpen, `list ${row.orderListId}`).toBe(isExecuting)
      // A list knows a canceled order by its own id, not by its cancel's.
      const ids = row.orders.map(({ orderId }) => {
        const { C, c } = told.get(orderId)!.report
        return C === '' ? c : C
      })
      expect(row.orders.map((it) => it.clientOrderId)).toEqual(ids)
      lists++
    }
    const open = rows.filter((it) => it.orderStatus === ListOrderStatus.EXECUTING)
    expect(history.openOrderLists({ account: AccountId(account) })).toEqual(open)
  }
  expect(lists).toBe(run.lists.size)
}

test.each([1, 2, 3])('agree about every order and list: seed %i', (seed) => {
  const run = new EngineRun(folder(), seed)
  for (let batch = 0; batch < BATCHES; batch++) {
    run.batch()
    if (batch % CHECK_EVERY === 0) for (const { id } of symbols) checkDepth(run, id)
  }
  const archived = new BigInt64Array(new SharedArrayBuffer(8))
  const log: string[] = []
  const agent = new Indexer({
    time: new RealTime(),
    dataFolder: folder(),
    matchers: 1,
    wals: run.wals,
    archived,
    log: (it) => log.push(it),
  })
  while (agent.doWork() > 0 || agent.isProving);
  agent.close()
  expect(log).toEqual([])
  const history = new History(archiveFolder(folder()))
  for (const { id } of symbols) checkOrders(run, history, id)
  checkLists(run, history)
  history.close()
  run.close()
  const { OrderTriggered, OrderReleased, OrderReplenished, OrderAmended } = RecordType
  const { OrderDecremented, ReplaceResult, MatchPrevented } = RecordType
  for (const type of [OrderTriggered, OrderReleased, OrderReplenished, OrderAmended]) {
    expect(run.seen).toContain(type)
  }
  for (const type of [OrderDecremented, ReplaceResult, MatchPrevented]) {
    expect(run.seen).toContain(type)
  }
})
