/**
 * The engine's events, by random commands of every kind: what it has open, what the archive
 * has, what user streams have sent and what gateways view must be the same. Rows of trades, lists, prevented
 * matches and amendments are those of the records.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { RecordType, readBookLevel } from '../../../scripts/layout/codecs.gen.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { Rows } from '../../../src/api/answers/answer.ts'
import { textOf } from '../../../src/api/answers/json.ts'
import { order } from '../../../src/api/answers/orders.ts'
import { viewedOrder } from '../../../src/api/rows/viewed-order.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { ListOrderStatus, OrderStatus, Side, sideOf } from '../../../src/base/codes.ts'
import { Prng } from '../../../src/base/prng.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, Ms, OrderId, OrderListId, SymbolId } from '../../../src/base/units.ts'
import type { DepthView } from '../../../src/core/views/depth.ts'
import { OrderView } from '../../../src/layout/order-view.ts'
import { recordType } from '../../../src/layout/record-buffer.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { asking, EngineRun, isOpen, wholeBook } from '../../replay/engine-run.ts'
import { type NamedRecord, readRecords } from '../../sim/records.ts'
import { ACCOUNTS, symbols } from '../../sim/world.ts'

const BATCHES = 700
const CHECK_EVERY = 20
/** Batches after which an indexer stops and another continues. */
const INDEX_EVERY = 100
const ALL = 1_000_000
const view = new OrderView()

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
  T: it.updateTime,
  d: it.trailingDelta,
  // A price begins the tracking of an open order without a report; the engine's record of it has the time.
  D: isOpen({ X: it.status }) || it.trailingTime === -1 ? undefined : it.trailingTime,
  j: it.strategyId,
  J: it.strategyType,
  W: it.workingTime === -1 ? undefined : it.workingTime,
  eR: it.expiryReason,
})
const ofReport = ({ X, c, q, z, Z, p, P, F, g, O, T, d, D, j, J, W, eR }: Json) => ({
  X,
  c,
  q,
  z,
  Z,
  p,
  P,
  F,
  g,
  O,
  T,
  d,
  j,
  J,
  W,
  eR,
  D: isOpen({ X }) ? undefined : D,
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

/** Brings the archive up to the run, by an indexer that starts and ends; compares orders and lists. */
function index(run: EngineRun, folder: string): void {
  const archived = new BigInt64Array(new SharedArrayBuffer(8))
  const log: string[] = []
  const agent = new Indexer({
    time: new RealTime(),
    dataFolder: folder,
    matchers: 1,
    wals: run.wals,
    archived,
    log: (it) => log.push(it),
  })
  while (agent.doWork() > 0 || agent.isProving);
  agent.close()
  expect(log).toEqual([])
  const history = new History(archiveFolder(folder))
  for (const { id } of symbols) checkOrders(run, history, id)
  checkLists(run, history)
  history.close()
}

const accountIds = Array.from({ length: ACCOUNTS - 1 }, (_, index) => AccountId(index + 1))

/** A trade of both its owners, as rows. */
function sidesOf(trade: NamedRecord) {
  const sideOfTrade = (who: 'taker' | 'maker') => ({
    account: trade[`${who}Account`],
    row: {
      tradeId: Number(trade.tradeId),
      orderId: trade[`${who}OrderId`],
      priceTicks: trade.priceTicks,
      lots: trade.tradeLots,
      quoteAtoms: trade.quoteAtoms,
      commissionAtoms: trade[`${who}CommissionAtoms`],
      commissionAssetId: trade[`${who}CommissionAssetId`],
      timeMs: Number(trade.timeMs),
      isBuyer: sideOf(trade[`${who}Terms`] as number) === Side.BUY,
      isMaker: who === 'maker',
      orderListId: trade[`${who}Details.orderListId`] ?? -1,
    },
  })
  return [sideOfTrade('taker'), sideOfTrade('maker')]
}

const preventedRow = (match: NamedRecord) => ({
  preventedMatchId: Number(match.preventedMatchId),
  tradeGroupId: match.tradeGroupId,
  takerOrderId: match.takerOrderId,
  makerOrderId: match.makerOrderId,
  takerTerms: match.takerTerms,
  makerTerms: match.makerTerms,
  priceTicks: match.priceTicks,
  timeMs: match.timeMs,
  takerPreventedLots: match.takerPreventedLots,
  makerPreventedLots: match.makerPreventedLots,
  makerSymbolId: match.symbolId,
  makerAccount: match.makerAccount,
})

const amendmentRow = (event: NamedRecord) => ({
  orderId: event.orderId,
  executionId: Number(event.sequence) * 2,
  timeMs: event.timeMs,
  oldLots: event.oldLots,
  newLots: event.lots,
  origClientOrderId: event.origClientOrderId,
  newClientOrderId: event.clientOrderId,
})

interface Window {
  readonly from?: number
  readonly startTime?: Ms
  readonly endTime?: Ms
  readonly limit: number
}

/** The rule of windows, word for word: the newest rows, or the oldest from an id or a time on. */
function within<Row>(
  rows: readonly Row[],
  { from, startTime, endTime, limit }: Window,
  id: (row: Row) => number,
  timeMs: (row: Row) => number,
): readonly Row[] {
  const found = rows.filter(
    (row) =>
      id(row) >= (from ?? 0) &&
      timeMs(row) >= (startTime ?? 0) &&
      timeMs(row) <= (endTime ?? Infinity),
  )
  return from === undefined && startTime === undefined ? found.slice(-limit) : found.slice(0, limit)
}

describe.each([1, 2, 3])('seed %i', (seed) => {
  const events: NamedRecord[] = []
  const random = new Prng(seed)
  let run: EngineRun
  let history: History
  beforeAll(() => {
    const folder = temporaryFolder()
    run = new EngineRun(folder, seed)
    for (let batch = 0; batch < BATCHES; batch++) {
      const output = run.batch()
      events.push(...readRecords(output.events, 0, output.eventsEnd))
      if (batch % CHECK_EVERY === 0) for (const { id } of symbols) checkDepth(run, id)
      if (batch % INDEX_EVERY === INDEX_EVERY - 1) index(run, folder)
    }
    run.close()
    history = new History(archiveFolder(folder))
    return () => history.close()
  })

  const named = (name: string, symbolId: SymbolId) =>
    events.filter((event) => event.name === name && event.symbolId === symbolId)
  const owners = accountIds.flatMap((account) =>
    symbols.map(({ id: symbolId }) => ({ account, symbolId })),
  )
  const ordersOf = (owner: (typeof owners)[number]) => history.allOrders({ ...owner, limit: ALL })
  const tradesOf = ({ account, symbolId }: (typeof owners)[number]) =>
    named('Trade', symbolId)
      .flatMap(sidesOf)
      .filter((side) => side.account === account)
      .map(({ row }) => row)

  /** Bounds within the ids from 0 and the times of the run, each of which may be left out. */
  function windowBelow(idMax: number, withTimes = true): Window {
    const startMs = Number(events[0]!.timeMs)
    const spanMs = run.nowMs - startMs
    const startTime = Ms(startMs + random.between(-5, spanMs + 5))
    const endTime = Ms(startTime + random.below(spanMs))
    return {
      ...(random.chance(0.5) && { from: random.below(idMax + 2) }),
      ...(withTimes && random.chance(0.5) && { startTime }),
      ...(withTimes && random.chance(0.5) && { endTime }),
      limit: random.between(1, 40),
    }
  }

  test('events of every kind of order came', () => {
    const { OrderTriggered, OrderReleased, OrderReplenished, OrderAmended } = RecordType
    const { OrderDecremented, ReplaceResult, MatchPrevented } = RecordType
    for (const type of [OrderTriggered, OrderReleased, OrderReplenished, OrderAmended]) {
      expect(run.seen).toContain(type)
    }
    for (const type of [OrderDecremented, ReplaceResult, MatchPrevented]) {
      expect(run.seen).toContain(type)
    }
  })

  test('trades of an account, and of an order', () => {
    for (const owner of owners) {
      const rows = tradesOf(owner)
      expect(history.myTrades({ ...owner, limit: ALL })).toEqual(rows)
      for (const { orderId } of ordersOf(owner)) {
        const own = rows.filter((row) => row.orderId === orderId)
        expect(history.myTrades({ ...owner, orderId, limit: ALL })).toEqual(own)
        expect(history.myTrades({ ...owner, orderId, limit: 2 })).toEqual(own.slice(-2))
        const fromId = own[0]?.tradeId ?? 1
        expect(history.myTrades({ ...owner, orderId, fromId, limit: 2 })).toEqual(own.slice(0, 2))
      }
    }
  })

  test('windows of orders and trades', () => {
    for (const owner of owners) {
      const [orders, trades] = [ordersOf(owner), tradesOf(owner)]
      for (let i = 0; i < 20; i++) {
        const { from, ...window } = windowBelow(orders.at(-1)?.orderId ?? 0)
        const ofOrders = { ...owner, ...window, ...(from && { orderId: OrderId(from) }) }
        const ofTrades = { ...owner, ...window, ...(from && { fromId: from }) }
        const bounds = { ...window, ...(from && { from }) }
        expect(history.allOrders(ofOrders)).toEqual(
          within(
            orders,
            bounds,
            (row) => row.orderId,
            (row) => row.createdMs,
          ),
        )
        expect(history.myTrades(ofTrades)).toEqual(
          within(
            trades,
            bounds,
            (row) => row.tradeId,
            (row) => row.timeMs,
          ),
        )
      }
    }
  })

  test('an order by its ids, of which it goes by the newest', () => {
    for (const owner of owners) {
      const rows = new Map(ordersOf(owner).map((row) => [row.orderId as number, row]))
      const own = new Map<string, number[]>()
      const canceled = new Map<string, number>()
      const bearers = (id: string) => own.get(id) ?? []
      for (const event of events) {
        if (event.symbolId !== owner.symbolId || event.account !== owner.account) continue
        const [orderId, id] = [Number(event.orderId), String(event.clientOrderId)]
        if (event.name === 'OrderAmended') {
          const was = String(event.origClientOrderId)
          if (was === id) continue
          own.set(
            was,
            bearers(was).filter((it) => it !== orderId),
          )
        }
        if (event.name === 'OrderAccepted' || event.name === 'OrderAmended') {
          own.set(id, [...bearers(id), orderId])
        }
        if (event.name === 'OrderClosed' && event.status === OrderStatus.CANCELED) {
          canceled.set(id, orderId)
        }
      }
      for (const clientOrderId of new Set([...own.keys(), ...canceled.keys()])) {
        const all = bearers(clientOrderId)
        const bearer = all.findLast((it) => rows.get(it)!.clientOrderId === clientOrderId)
        const orderId = bearer ?? canceled.get(clientOrderId) ?? all.at(-1)
        expect(history.order({ ...owner, clientOrderId })?.orderId, clientOrderId).toBe(orderId)
      }
      for (const [orderId, row] of rows) {
        const { clientOrderId } = row
        expect(history.order({ ...owner, orderId: OrderId(orderId), clientOrderId })).toEqual(row)
        const others = [
          { orderId: OrderId(orderId), clientOrderId: 'other' },
          { orderId: OrderId(orderId), account: AccountId(owner.account + 1) },
          // Ids that differ only above what a key holds are not the order's.
          { orderId: OrderId(orderId + 2 ** 48) },
        ]
        for (const other of others) expect(history.order({ ...owner, ...other })).toBeUndefined()
      }
    }
  })

  test('prevented matches, of both their orders', () => {
    for (const owner of owners) {
      const own = new Set(ordersOf(owner).map(({ orderId }) => orderId as number))
      const rows = named('MatchPrevented', owner.symbolId).map(preventedRow)
      for (const row of rows) {
        const isMine = own.has(Number(row.takerOrderId)) || own.has(Number(row.makerOrderId))
        const { preventedMatchId } = row
        const found = history.preventedMatches({ ...owner, preventedMatchId, limit: 1 })
        expect(found).toEqual(isMine ? [row] : [])
      }
      for (const id of own) {
        const orderId = OrderId(id)
        const its = rows.filter((row) => row.takerOrderId === id || row.makerOrderId === id)
        expect(history.preventedMatches({ ...owner, orderId, limit: 500 })).toEqual(its)
        const fromPreventedMatchId = its[1]?.preventedMatchId ?? 0
        const from = { ...owner, orderId, fromPreventedMatchId, limit: 1 }
        const behind = its.filter((it) => it.preventedMatchId >= fromPreventedMatchId)
        expect(history.preventedMatches(from)).toEqual(behind.slice(0, 1))
      }
    }
  })

  test('amendments of an order', () => {
    for (const owner of owners) {
      const rows = named('OrderAmended', owner.symbolId).map(amendmentRow)
      for (const { orderId } of ordersOf(owner)) {
        const query = { ...owner, orderId, limit: 500 }
        const own = rows.filter((row) => row.orderId === orderId)
        expect(history.amendments(query)).toEqual(own)
        const stranger = { ...query, account: AccountId(owner.account + 1) }
        expect(history.amendments(stranger)).toEqual([])
        const fromExecutionId = own[1]?.executionId ?? 0
        const behind = own.filter(({ executionId }) => executionId >= fromExecutionId)
        expect(history.amendments({ ...query, fromExecutionId })).toEqual(behind)
      }
    }
  })

  test('order lists, by id, by name and by time', () => {
    for (const account of accountIds) {
      const rows = history.orderLists({ account, limit: ALL })
      for (const row of rows) {
        const { orderListId, listClientOrderId, createdMs } = row
        const first = events.find(
          (event) => event.name === 'OrderListChanged' && event.orderListId === orderListId,
        )
        expect(createdMs).toBe(first!.timeMs)
        const byBoth = { account, orderListId, listClientOrderId }
        for (const query of [{ account, orderListId }, byBoth]) {
          expect(history.orderList(query)).toEqual(row)
        }
        const others = [
          { account, orderListId, listClientOrderId: 'other' },
          { account: AccountId(ACCOUNTS), orderListId },
        ]
        for (const query of others) expect(history.orderList(query)).toBeUndefined()
        const newest = rows.findLast((it) => it.listClientOrderId === listClientOrderId)
        expect(history.orderList({ account, listClientOrderId })).toEqual(newest)
        const { from, ...window } = windowBelow(rows.at(-1)!.orderListId)
        const bounds =
          from === undefined ? { query: window } : { query: { fromId: from, limit: 2 }, from }
        expect(history.orderLists({ account, ...bounds.query })).toEqual(
          within(
            rows,
            { ...bounds.query, ...(from !== undefined && { from }) },
            (it) => it.orderListId,
            (it) => it.createdMs,
          ),
        )
      }
      expect(history.orderList({ account, listClientOrderId: 'never' })).toBeUndefined()
      const beyond = 2 ** 48
      expect(history.orderLists({ account, fromId: beyond, limit: 1 })).toEqual([])
      const orderListId = OrderListId(beyond)
      expect(history.orderList({ account, orderListId })).toBeUndefined()
    }
  })
})
