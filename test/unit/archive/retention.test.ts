/** What retention removes, beside all answers before it, filtered by hand. */

import { expect, test } from 'vitest'
import { Indexer } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { keepEverything, type RetentionSettings } from '../../../src/archive/retention.ts'
import { OrderStatus } from '../../../src/base/codes.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, Ms, OrderId, SymbolId } from '../../../src/base/units.ts'
import type { OrderRow } from '../../../src/history/account-history.ts'
import { DAY_MS } from '../../../src/market/intervals.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { EngineRun } from '../../replay/engine-run.ts'
import { symbols } from '../../sim/world.ts'
import { ALL, readAll } from './archive-contents.ts'

const BATCHES = 900
const DAYS = 5
/** More than a pass over an archive of this size takes. */
const STEPS_MAX = 2_000

const folder = folderPerTest()

function indexerOf(run: EngineRun, log: string[], retention = keepEverything): Indexer {
  return new Indexer({
    time: new RealTime(),
    dataFolder: folder(),
    matchers: 1,
    wals: run.wals,
    archived: new BigInt64Array(new SharedArrayBuffer(8)),
    log: (line) => log.push(line),
    retention,
  })
}

/** The orders that the clients' ids of these lead to, by those ids. */
function named(history: History, symbolId: number, orders: readonly OrderRow[]) {
  const idOf = ({ account, clientOrderId }: OrderRow) =>
    history.order({ account, symbolId: SymbolId(symbolId), clientOrderId })?.orderId
  return orders.map(idOf)
}

const isOpen = (status: number): boolean =>
  status === OrderStatus.NEW ||
  status === OrderStatus.PARTIALLY_FILLED ||
  status === OrderStatus.PENDING_NEW

test.each<[number, RetentionSettings]>([
  [1, { publicTradeDays: 2, secondBarDays: 1, orderDays: 2 }],
  [2, { publicTradeDays: 0, secondBarDays: 0, orderDays: 1 }],
  [3, { publicTradeDays: 1, secondBarDays: 0, orderDays: 0 }],
  [4, { publicTradeDays: 900, secondBarDays: 900, orderDays: 900 }],
])('removes what is too old and nothing else: seed %i, %o', (seed, retention) => {
  const run = new EngineRun(folder(), seed)
  const log: string[] = []
  for (let batch = 0; batch < BATCHES; batch++) {
    run.batch()
    run.nowMs = Ms(run.nowMs + 100)
    if (batch % (BATCHES / DAYS) === 0) run.nowMs = Ms(run.nowMs + DAY_MS)
  }
  let agent = indexerOf(run, log)
  while (agent.doWork() > 0 || agent.isProving);
  agent.close()
  let history = new History(archiveFolder(folder()))
  const nowMs = run.nowMs
  const before = symbols.map(({ id }) => readAll(history, id, nowMs))
  const namedBefore = before.map(({ accounts }, symbolId) =>
    accounts.map(({ orders }) => named(history, symbolId, orders)),
  )
  history.close()

  agent = indexerOf(run, log, retention)
  for (let step = 0; step < STEPS_MAX; step++) agent.tend(nowMs)
  history = new History(archiveFolder(folder()))
  const cutOf = (days: number) => (days === 0 ? 0 : (Math.floor(nowMs / DAY_MS) - days) * DAY_MS)
  let removed = 0
  for (const [symbolId, old] of before.entries()) {
    const now = readAll(history, symbolId, nowMs)
    const isKept = <Row extends { readonly timeMs: Ms }>(row: Row, i: number, rows: Row[]) =>
      row.timeMs >= cutOf(retention.publicTradeDays) || i === rows.length - 1
    expect(now.publicTrades).toEqual(old.publicTrades.filter(isKept))
    removed += old.publicTrades.length - now.publicTrades.length
    expect(now.newestTrades).toEqual(old.newestTrades.filter(isKept))
    expect(now.aggregates).toEqual(old.aggregates.filter(isKept))
    expect([now.minutes, now.days, now.seconds]).toEqual([old.minutes, old.days, old.seconds])
    for (const [account, { orders, trades }] of old.accounts.entries()) {
      const kept = orders.filter(
        (row) => isOpen(row.status) || row.updatedMs >= cutOf(retention.orderDays),
      )
      removed += orders.length - kept.length
      const ids = new Set(kept.map(({ orderId }) => orderId))
      expect(now.accounts[account]).toEqual({
        orders: kept,
        trades: trades.filter(({ orderId }) => ids.has(orderId)),
      })
      const namedNow = named(history, symbolId, orders)
      for (const [i, orderId] of namedBefore[symbolId]![account]!.entries()) {
        if (ids.has(OrderId(orderId as number))) expect(namedNow[i]).toBe(orderId)
        else expect(namedNow[i] === undefined || ids.has(namedNow[i])).toBe(true)
      }
      for (const { orderId } of orders) {
        if (ids.has(orderId)) continue
        expect(
          history.myTrades({
            account: AccountId(account),
            symbolId: SymbolId(symbolId),
            orderId,
            limit: ALL,
          }),
        ).toEqual([])
      }
    }
  }
  expect(removed > 100).toBe(retention.publicTradeDays < 900)
  history.close()

  // What comes after continues from what was kept.
  for (let batch = 0; batch < 100; batch++) run.batch()
  while (agent.doWork() > 0 || agent.isProving) agent.tend(run.nowMs)
  agent.close()
  run.close()
  expect(log).toEqual([])
})
