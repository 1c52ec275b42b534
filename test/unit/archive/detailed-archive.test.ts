/** The archive of every kind of order, lists, amendments and prevented matches, against plain arrays. */

import { expect, test } from 'vitest'
import { Indexer, MISSING } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { DETAILED, ListOrderStatus, Side, sideOf } from '../../../src/base/codes.ts'
import { Prng } from '../../../src/base/prng.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, Ms, OrderId, OrderListId, SymbolId } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import type { AnyList, AnyOrder, AnyPrevented, AnySide } from './detailed-rows.ts'
import { DetailedStream } from './detailed-stream.ts'

const SYMBOLS = [0, 1]
const ACCOUNTS = [1, 2, 3]
const ALL = 1_000_000

const folder = folderPerTest()

/** One journal; the indexer starts again for each round. */
function archive(stream: DetailedStream, steps: number, rounds = 1, seed = 1): History {
  const random = new Prng(seed)
  for (let round = 1; round <= rounds; round++) {
    const journal = openJournal(folder(), 0, 'committed')
    const blocks = new BlockWriter({ epoch: round, matcher: 0, previous: journal.lastChecksum })
    for (let step = 0; step < steps; ) {
      stream.reset()
      for (let i = random.between(1, 20); i > 0; i--, step++)
        stream.step(SymbolId(random.pick(SYMBOLS)))
      const { events, end, timeMs } = stream
      if (end === 0) continue
      journal.append(blocks.seal(events, end, journal.lastPosition + 1, timeMs))
    }
    journal.close()
    const archived = new BigInt64Array(new SharedArrayBuffer(8))
    const log: string[] = []
    const agent = new Indexer({
      time: new RealTime(),
      dataFolder: folder(),
      matchers: 1,
      archived,
      log: (it) => log.push(it),
    })
    while (agent.doWork() > 0 || agent.isProving);
    agent.close()
    expect(log).toEqual(round === 1 ? [MISSING] : [])
  }
  return new History(archiveFolder(folder()))
}

function orderRow(order: AnyOrder) {
  const { symbolId: _, ownClientOrderId: __, isOpen: ___, list: ____, details, ...row } = order
  const isPlain = (order.terms & DETAILED) === 0
  const more = isPlain ? {} : { details: expect.objectContaining(details) }
  return { ...row, quoteAtoms: 0, ...more }
}

const tradeRow = ({ order, symbolId: _, ...side }: AnySide) => ({
  ...side,
  orderId: order.orderId,
  isBuyer: sideOf(order.terms) === Side.BUY,
  orderListId: order.details.orderListId,
})

const listRow = ({ account: _, legs, ...list }: AnyList) => ({
  ...list,
  orders: legs.map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId })),
})

const preventedRow = ({ symbolId: _, taker, maker, ...match }: AnyPrevented) => ({
  ...match,
  takerOrderId: taker.orderId,
  makerOrderId: maker.orderId,
})

const isOf = (account: AccountId, symbolId: SymbolId) => (order: AnyOrder) =>
  order.account === account && order.symbolId === symbolId

test.each([1, 2, 3])('orders, their trades and their details: seed %i', (seed) => {
  const stream = new DetailedStream(seed)
  const history = archive(stream, 400, 3, seed)
  for (const account of ACCOUNTS) {
    for (const symbolId of SYMBOLS) {
      const query = { account: AccountId(account), symbolId: SymbolId(symbolId), limit: ALL }
      const mine = isOf(AccountId(account), SymbolId(symbolId))
      const orders = stream.orders.filter(mine)
      expect(history.allOrders(query)).toEqual(orders.map(orderRow))
      const sides = stream.sides.filter(({ order }) => mine(order))
      expect(history.myTrades(query)).toEqual(sides.map(tradeRow))
      for (const order of orders) {
        const { orderId } = order
        expect(
          history.order({
            account: AccountId(account),
            symbolId: SymbolId(symbolId),
            orderId: OrderId(orderId),
          }),
        ).toEqual(orderRow(order))
        const own = sides.filter((side) => side.order === order)
        expect(history.myTrades({ ...query, orderId: OrderId(orderId) })).toEqual(own.map(tradeRow))
      }
    }
  }
  // Else the generator makes too little of what is looked for.
  const tracked = stream.orders.filter(({ details }) => details.trailingMs > 0)
  expect(tracked.length).toBeGreaterThan(10)
  history.close()
})

test.each([5, 6])('an order goes by its newest id: seed %i', (seed) => {
  const stream = new DetailedStream(seed)
  const history = archive(stream, 900, 1, seed)
  const { origClientOrderId, order: renamed } = stream.amendments.find(
    (it) => it.newClientOrderId !== it.origClientOrderId && it.origClientOrderId.endsWith('-x'),
  )!
  const { account: owner, symbolId: of } = renamed
  const gone = {
    account: AccountId(owner),
    symbolId: SymbolId(of),
    clientOrderId: origClientOrderId,
  }
  expect(history.order(gone)).toBeUndefined()
  const ids = new Set(stream.amendments.map((it) => it.origClientOrderId))
  for (const order of stream.orders) ids.add(order.ownClientOrderId).add(order.clientOrderId)
  for (const account of ACCOUNTS) {
    for (const symbolId of SYMBOLS) {
      const mine = stream.orders.filter(isOf(AccountId(account), SymbolId(symbolId)))
      for (const clientOrderId of ids) {
        const own = mine.filter((it) => it.ownClientOrderId === clientOrderId).map(orderRow)
        const found = history.order({
          account: AccountId(account),
          symbolId: SymbolId(symbolId),
          clientOrderId,
        })
        const bears = mine.some((it) => it.clientOrderId === clientOrderId)
        if (bears) expect(found?.clientOrderId).toBe(clientOrderId)
        else if (own.length > 0) expect(own).toContainEqual(found)
        else expect(found).toBeUndefined()
      }
    }
  }
  history.close()
})

test('order lists, by id, by name, by time, and the open ones', () => {
  const stream = new DetailedStream(7)
  const history = archive(stream, 900, 2)
  for (const account of ACCOUNTS) {
    const lists = stream.lists.filter((it) => it.account === account)
    const rows = lists.map(listRow)
    expect(rows.length).toBeGreaterThan(10)
    expect(history.orderLists({ account: AccountId(account), limit: ALL })).toEqual(rows)
    expect(history.orderLists({ account: AccountId(account), limit: 3 })).toEqual(rows.slice(-3))
    const isOpen = (row: { orderStatus: number }) => row.orderStatus === ListOrderStatus.EXECUTING
    expect(history.openOrderLists({ account: AccountId(account) })).toEqual(rows.filter(isOpen))
    for (const row of rows) {
      const { orderListId, listClientOrderId } = row
      expect(
        history.orderList({ account: AccountId(account), orderListId: OrderListId(orderListId) }),
      ).toEqual(row)
      expect(
        history.orderList({
          account: AccountId(account),
          orderListId: OrderListId(orderListId),
          listClientOrderId,
        }),
      ).toEqual(row)
      expect(
        history.orderList({ account: AccountId(4), orderListId: OrderListId(orderListId) }),
      ).toBeUndefined()
      const other = {
        account: AccountId(account),
        orderListId: OrderListId(orderListId),
        listClientOrderId: 'other',
      }
      expect(history.orderList(other)).toBeUndefined()
      const named = rows.findLast((it) => it.listClientOrderId === listClientOrderId)
      expect(history.orderList({ account: AccountId(account), listClientOrderId })).toEqual(named)
      const from = rows.filter((it) => it.orderListId >= orderListId).slice(0, 2)
      expect(
        history.orderLists({ account: AccountId(account), fromId: orderListId, limit: 2 }),
      ).toEqual(from)
    }
    expect(
      history.orderList({ account: AccountId(account), listClientOrderId: 'never' }),
    ).toBeUndefined()
    for (const { createdMs } of rows) {
      const [startTime, endTime] = [createdMs, Ms(createdMs + 40)]
      const since = rows.filter((it) => it.createdMs >= startTime)
      const until = rows.filter((it) => it.createdMs <= startTime)
      const within = since.filter((it) => it.createdMs <= endTime)
      const limit = 3
      expect(history.orderLists({ account: AccountId(account), startTime, limit })).toEqual(
        since.slice(0, limit),
      )
      const upTo = { account: AccountId(account), endTime: startTime, limit }
      expect(history.orderLists(upTo)).toEqual(until.slice(-limit))
      const both = { account: AccountId(account), startTime, endTime, limit }
      expect(history.orderLists(both)).toEqual(within.slice(0, limit))
    }
  }
  expect(history.orderLists({ account: AccountId(1), fromId: 2 ** 48, limit: 1 })).toEqual([])
  expect(
    history.orderList({ account: AccountId(1), orderListId: OrderListId(2 ** 48) }),
  ).toBeUndefined()
  history.close()
})

test('prevented matches, of both their orders', () => {
  const stream = new DetailedStream(11)
  const history = archive(stream, 900)
  for (const account of ACCOUNTS) {
    for (const symbolId of SYMBOLS) {
      const who = { account: AccountId(account), symbolId: SymbolId(symbolId), limit: 500 }
      const mine = isOf(AccountId(account), SymbolId(symbolId))
      const ofSymbol = stream.prevented.filter((it) => it.symbolId === symbolId)
      for (const match of ofSymbol) {
        const { preventedMatchId } = match
        const isMine = mine(match.taker) || mine(match.maker)
        const rows = history.preventedMatches({ ...who, preventedMatchId })
        expect(rows).toEqual(isMine ? [preventedRow(match)] : [])
      }
      for (const order of stream.orders.filter(mine)) {
        const { orderId } = order
        const rows = ofSymbol
          .filter(({ taker, maker }) => taker === order || maker === order)
          .map(preventedRow)
        expect(history.preventedMatches({ ...who, orderId: OrderId(orderId) })).toEqual(rows)
        const fromPreventedMatchId = rows[1]?.preventedMatchId ?? 0
        const from = { ...who, orderId: OrderId(orderId), fromPreventedMatchId, limit: 1 }
        expect(history.preventedMatches(from)).toEqual(
          rows.filter((it) => it.preventedMatchId >= fromPreventedMatchId).slice(0, 1),
        )
      }
    }
  }
  history.close()
})

test('amendments of an order', () => {
  const stream = new DetailedStream(13)
  const history = archive(stream, 900)
  expect(stream.amendments.length).toBeGreaterThan(20)
  for (const order of stream.orders) {
    const { account, symbolId, orderId } = order
    const rows = stream.amendments
      .filter((it) => it.order === order)
      .map(({ order: _, ...row }) => ({ ...row, orderId: OrderId(orderId) }))
    const who = {
      account: AccountId(account),
      symbolId: SymbolId(symbolId),
      orderId: OrderId(orderId),
      limit: 500,
    }
    expect(history.amendments(who)).toEqual(rows)
    expect(history.amendments({ ...who, account: AccountId(account + 1) })).toEqual([])
    const fromExecutionId = rows[1]?.executionId ?? 0
    expect(history.amendments({ ...who, fromExecutionId })).toEqual(
      rows.filter((it) => it.executionId >= fromExecutionId),
    )
  }
  history.close()
})
