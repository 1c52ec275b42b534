/** Reads an account's orders and trades page by page, and waits where the exchange demands it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AccountKey } from '../load/keys.ts'
import { isLimit, pauseFor, type Target } from '../load/target.ts'
import type { Found, OrderTold } from './acknowledged.ts'

const PAGE = 1_000
const PAUSE_MS = 200
const PATIENCE_MS = 60_000

type Json = Readonly<Record<string, unknown>>

/** Rejects when the exchange does not answer within a minute. */
export async function findAll(target: Target, key: AccountKey, symbol: string): Promise<Found> {
  const orders = await pages(target, key, 'allOrders', symbol, 'orderId', 'orderId')
  const trades = await pages(target, key, 'myTrades', symbol, 'fromId', 'id')
  return {
    orders: new Map(orders.map((row) => [Number(row.orderId), row as unknown as OrderTold])),
    trades: new Map(
      trades.map((row) => [Number(row.id), { price: String(row.price), qty: String(row.qty) }]),
    ),
  }
}

async function pages(
  target: Target,
  key: AccountKey,
  list: string,
  symbol: string,
  fromName: string,
  idName: string,
): Promise<Json[]> {
  const rows: Json[] = []
  for (let from = 0; ; ) {
    const params = { symbol, [fromName]: from, limit: PAGE }
    const page = await ask(target, key, `/api/v3/${list}`, params)
    rows.push(...page)
    if (page.length < PAGE) return rows
    from = Number(page.at(-1)![idName]) + 1
  }
}

async function ask(
  target: Target,
  key: AccountKey,
  path: string,
  params: Readonly<Record<string, string | number>>,
): Promise<Json[]> {
  const beganMs = performance.now()
  for (;;) {
    const answer = await target.send({ method: 'GET', path, params, key })
    if (answer.status === 200) return answer.body as Json[]
    if (performance.now() - beganMs > PATIENCE_MS) {
      const why = answer.failure || JSON.stringify(answer.body)
      throw new Error(`GET ${path} was not answered: ${answer.status} ${why}`)
    }
    await (isLimit(answer.status) ? pauseFor(answer) : delay(PAUSE_MS))
  }
}
