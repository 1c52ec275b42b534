/**
 * `npm run bench -- failover [--turns 3] [--promote-after 3]`: a leader under load is killed, and a follower
 * takes over. `seconds` is the median from the kill to the first order that the follower accepts; `lost`
 * counts acknowledged orders that it does not know.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { Exchanges } from './exchanges.ts'

export const flags = { turns: 3, promoteAfter: 3, orders: 300 } as const satisfies Flags

const CLIENTS = 8
const ACCOUNT = 'trader1'
const ORDER = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
const PAUSE_MS = 5
const BOUND_MS = 120_000

interface Turn {
  readonly seconds: number
  readonly acknowledged: number
  readonly lost: number
}

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  const turns: Turn[] = []
  for (let turn = 0; turn < settings.turns; turn++) turns.push(await failOver(settings))
  printTable('Kill -9 of the leader', [
    ['seconds to the first order', 'acknowledged before', 'lost'],
    ...turns.map(({ seconds, acknowledged, lost }) => [seconds, acknowledged, lost]),
  ])
  const { promoteAfter } = settings
  const seconds = median(turns.map((it) => it.seconds))
  const lost = turns.reduce((sum, it) => sum + it.lost, 0)
  return {
    ratios: { secondsOverPromoteAfter: seconds / promoteAfter },
    figures: { seconds, lost, promoteAfter },
  }
}

async function failOver({ promoteAfter, orders }: SettingsOf<typeof flags>): Promise<Turn> {
  const exchanges = await Exchanges.start()
  try {
    const { leader } = exchanges
    const follower = await exchanges.follow(['--promote-after', String(promoteAfter)])
    const key = leader.keys()[ACCOUNT]!
    const acknowledged: number[] = []
    const enough = new Promise<void>((resolve) => {
      const told = (orderId: number) => {
        if (acknowledged.push(orderId) === orders) resolve()
      }
      const client = new SignedClient(leader.url, key)
      for (let at = 0; at < CLIENTS; at++) void trade(client, `${at}`, told)
    })
    await enough
    const beganMs = performance.now()
    await leader.stop('SIGKILL')
    const client = new SignedClient(follower.url, key)
    await firstOrder(client, follower)
    const seconds = (performance.now() - beganMs) / 1_000
    return { seconds, acknowledged: acknowledged.length, lost: await missing(client, acknowledged) }
  } finally {
    await exchanges.remove()
  }
}

/** Places orders, and cancels each, until the connection breaks. */
async function trade(
  client: SignedClient,
  name: string,
  told: (orderId: number) => void,
): Promise<void> {
  for (let count = 0; ; count++) {
    const newClientOrderId = `${name}-${count}`
    try {
      const { status, body } = await place(client, newClientOrderId)
      if (status === 200) told(Number(body.orderId))
      const { symbol } = ORDER
      const params = { symbol, origClientOrderId: newClientOrderId, newClientOrderId: `c${name}` }
      await client.send('DELETE', '/api/v3/order', params)
    } catch {
      return
    }
  }
}

const place = (client: SignedClient, newClientOrderId: string) =>
  client.send('POST', '/api/v3/order', {
    ...ORDER,
    quantity: '0.001',
    price: '40000',
    newClientOrderId,
  })

async function firstOrder(client: SignedClient, follower: ExchangeProcess): Promise<void> {
  const deadlineMs = performance.now() + BOUND_MS
  for (let tries = 0; ; tries++) {
    const { status } = await place(client, `first-${tries}`)
    if (status === 200) return
    if (performance.now() > deadlineMs) {
      throw new Error(`the follower takes no order:\n${follower.output}`)
    }
    await delay(PAUSE_MS)
  }
}

/** Counts orders that the member does not know. */
async function missing(client: SignedClient, ids: readonly number[]): Promise<number> {
  const known = new Set<number>()
  const { symbol } = ORDER
  for (let orderId = 0; ; ) {
    const { body } = await client.send('GET', '/api/v3/allOrders', {
      symbol,
      orderId,
      limit: 1_000,
    })
    const rows = body as unknown as readonly { orderId: number }[]
    for (const row of rows) known.add(row.orderId)
    if (rows.length < 1_000) break
    orderId = rows.at(-1)!.orderId + 1
  }
  return ids.filter((id) => !known.has(id)).length
}
