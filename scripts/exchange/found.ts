/**
 * Compares what clients received with the exchange's orders and trades, before and after a kill -9. They are read page by
 * page, with waits where the exchange demands them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { AccountKey } from '../load/keys.ts'
import { isLimit, pauseFor, Target } from '../load/target.ts'
import { type Acknowledged, changesBetween, type Found, type OrderTold } from './acknowledged.ts'

const PAGE = 1_000
const PAUSE_MS = 200
const PATIENCE_MS = 60_000
const TIMEOUT_MS = 30_000

type Json = Readonly<Record<string, unknown>>

export interface ComparedClient {
  readonly acknowledged: Acknowledged
  readonly key: AccountKey
  readonly symbol: string
}

/** What a kill came to: sentences about what is lost, and why the exchange did not start again. */
export interface Killed {
  readonly lost: readonly string[]
  /** Acknowledgements that are lost; all of them when the exchange did not start. */
  readonly lostCount: number
  readonly unstarted: Error | undefined
}

/**
 * Compares now, if the exchange lives, and after `restart`, which kills it and starts it again. Changes between the two are
 * lost as well, where `isLoss` says so.
 */
export async function compareOverKill(
  url: string,
  clients: readonly ComparedClient[],
  isAlive: boolean,
  restart: () => Promise<void>,
  isLoss: (change: string) => boolean = () => true,
): Promise<Killed> {
  const lost: string[] = []
  const compare = async (when: string) => {
    const finds = await findEach(url, clients)
    for (const [at, { acknowledged }] of clients.entries()) {
      const sentences = acknowledged.contradictions(finds[at]!)
      lost.push(...sentences.map((sentence) => `${when} ${sentence}`))
    }
    return finds
  }
  const before = isAlive ? await compare('at the end') : []
  try {
    await restart()
  } catch (error) {
    const lostCount = clients.reduce((sum, { acknowledged }) => sum + acknowledged.count, 0)
    return { lost, lostCount, unstarted: error as Error }
  }
  const after = await compare('after a kill -9')
  for (const [at, found] of before.entries()) {
    lost.push(...changesBetween(found, after[at]!).filter(isLoss))
  }
  return { lost, lostCount: lost.length, unstarted: undefined }
}

async function findEach(url: string, clients: readonly ComparedClient[]): Promise<Found[]> {
  const target = new Target(url, 1, TIMEOUT_MS)
  const finds: Found[] = []
  try {
    for (const { key, symbol } of clients) finds.push(await findAll(target, key, symbol))
  } finally {
    await target.close()
  }
  return finds
}

/** Rejects when the exchange does not answer within a minute. */
async function findAll(target: Target, key: AccountKey, symbol: string): Promise<Found> {
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
