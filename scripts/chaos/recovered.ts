/** What a running exchange answers to its clients' queries. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Balance, type BalanceText, balancesFrom, units } from '../exchange/amounts.ts'
import type { DemoKey } from '../exchange/exchange-process.ts'
import { type Answer, SignedClient } from '../exchange/signed-client.ts'
import type { Json, Params } from './client-log.ts'
import { type KnownOrder, orderFrom } from './known-orders.ts'

const PAGE = 1000
/**
 * Replies that decide nothing yet: overload (an archive that is behind after a start), timeouts, and those of
 * a leader that the quorum does not confirm for a moment.
 */
const NOT_YET = [-1008, -1007, -1001]
const NOT_YET_MS_MAX = 120_000
const PAUSE_MS = 100

export interface FoundTrade {
  readonly symbol: string
  readonly id: number
  readonly orderId: number
  readonly isBuyer: boolean
  readonly price: bigint
  readonly qty: bigint
  readonly quoteQty: bigint
  readonly commission: bigint
  readonly commissionAsset: string
}

export class RecoveredAccount {
  readonly account: string
  private readonly key: DemoKey
  private readonly nowMs: (() => number) | undefined
  private client: SignedClient

  constructor(url: string, key: DemoKey, nowMs?: () => number) {
    this.account = key.account
    this.key = key
    this.nowMs = nowMs
    this.client = new SignedClient(url, key, nowMs)
  }

  /** Another exchange is queried from now on. */
  moveTo(url: string): void {
    this.client = new SignedClient(url, this.key, this.nowMs)
  }

  /** The body, or undefined when the answer is that there is no such thing. Throws when it is another. */
  async find(path: string, params: Params): Promise<Json | undefined> {
    const { status, body } = await decided(() => {
      return this.client.send('GET', `/api/v3/${path}`, params)
    })
    if (status === 200) return body
    if (body.code === -2013 || body.code === -2018) return undefined
    throw new Error(`GET ${path} ${JSON.stringify(params)}: ${JSON.stringify(body)}`)
  }

  async order(symbol: string, id: Params): Promise<KnownOrder | undefined> {
    const found = await this.find('order', { symbol, ...id })
    return found === undefined ? undefined : orderFrom(this.account, found)
  }

  async openOrders(): Promise<KnownOrder[]> {
    const rows = await this.rows('openOrders', {})
    return rows.map((row) => orderFrom(this.account, row))
  }

  /** All orders from that id on. */
  async orders(symbol: string, fromId: number): Promise<KnownOrder[]> {
    const rows = await this.pages('allOrders', symbol, 'orderId', 'orderId', fromId)
    return rows.map((row) => orderFrom(this.account, row))
  }

  /** All trades from that id on. */
  async trades(symbol: string, fromId: number): Promise<FoundTrade[]> {
    const rows = await this.pages('myTrades', symbol, 'fromId', 'id', fromId)
    return rows.map((row) => ({
      symbol,
      id: Number(row.id),
      orderId: Number(row.orderId),
      isBuyer: row.isBuyer === true,
      price: units(String(row.price)),
      qty: units(String(row.qty)),
      quoteQty: units(String(row.quoteQty)),
      commission: units(String(row.commission)),
      commissionAsset: String(row.commissionAsset),
    }))
  }

  async balances(): Promise<Record<string, Balance>> {
    return balancesFrom((await this.find('account', {}))!.balances as BalanceText[])
  }

  private async pages(
    path: string,
    symbol: string,
    fromName: string,
    idName: string,
    fromId: number,
  ): Promise<Json[]> {
    const all: Json[] = []
    for (let from = fromId; ; ) {
      const page = await this.rows(path, { symbol, [fromName]: from, limit: PAGE })
      all.push(...page)
      if (page.length < PAGE) return all
      from = Number(page.at(-1)![idName]) + 1
    }
  }

  private async rows(path: string, params: Params): Promise<Json[]> {
    return (await this.find(path, params)) as unknown as Json[]
  }
}

/** Queries until the answer decides something, or for too long. */
export async function decided(ask: () => Promise<Answer>): Promise<Answer> {
  const beganMs = performance.now()
  for (;;) {
    const answer = await ask()
    const isPatient = performance.now() - beganMs < NOT_YET_MS_MAX
    if (!NOT_YET.includes(Number(answer.body.code)) || !isPatient) return answer
    await delay(PAUSE_MS)
  }
}

/** Returns a symbol's public depth. */
export async function depthOf(url: string, symbol: string, limit: number): Promise<Json> {
  const { body } = await decided(async () => {
    const response = await fetch(`${url}/api/v3/depth?symbol=${symbol}&limit=${limit}`)
    return { status: response.status, body: (await response.json()) as Json }
  })
  return body
}

/** The update id of a symbol's public depth. */
export const updateIdOf = async (url: string, symbol: string): Promise<number> =>
  Number((await depthOf(url, symbol, 5)).lastUpdateId)
