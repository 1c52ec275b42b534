/**
 * Kill -9 in the middle of a stream of orders, several times, of an exchange that acknowledges before it
 * flushes: what was acknowledged is there, and no money appeared or vanished. The acknowledgements are
 * logged here. chaos.test.ts kills one that flushes first.
 */
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { Prng } from '../../src/base/prng.ts'

const SEED = 20_261
const ROUNDS = 2
/** Which share of the orders is also queried by its id. */
const ONE_OF = 10
const SYMBOL = 'BTCUSDT'

interface Order {
  readonly orderId: number
  readonly status: string
  readonly executedQty: string
}
interface Acknowledged extends Order {
  readonly account: string
}

let exchange: ExchangeProcess | undefined
afterEach(() => exchange?.remove())

test('nothing acknowledged is missing after kill -9, and money is conserved', async () => {
  exchange = await ExchangeProcess.start(['--durability', 'committed'])
  const prng = new Prng(SEED)
  const log = new Map<string, Acknowledged>()
  const deposited = await moneyOf(exchange)
  for (let round = 0; round < ROUNDS; round++) {
    const stop = { now: false }
    const streams = Object.keys(exchange.keys()).map((account) =>
      streamOrders(exchange as ExchangeProcess, account, new Prng(prng.uint32()), log, stop),
    )
    const target = log.size + prng.between(300, 700)
    while (log.size < target) await new Promise((resolve) => setTimeout(resolve, 5))
    await exchange.stop('SIGKILL')
    stop.now = true
    await Promise.all(streams)
    await exchange.run()

    await compare(exchange, log)
    expect(await moneyOf(exchange)).toEqual(deposited)
  }
})

/** Places and cancels until the connection breaks, logging each answer's last known state. */
async function streamOrders(
  exchange: ExchangeProcess,
  account: string,
  prng: Prng,
  log: Map<string, Acknowledged>,
  stop: { now: boolean },
): Promise<void> {
  const client = new SignedClient(exchange.url, exchange.keys()[account]!)
  const open: number[] = []
  while (!stop.now) {
    try {
      const cancel = open.length > 0 && prng.chance(0.3)
      const params = cancel
        ? { symbol: SYMBOL, orderId: open.splice(prng.below(open.length), 1)[0] as number }
        : {
            symbol: SYMBOL,
            side: prng.pick(['BUY', 'SELL']),
            type: 'LIMIT',
            timeInForce: prng.pick(['GTC', 'GTC', 'GTC', 'IOC']),
            price: (50_000 + prng.between(-20, 20) / 2).toFixed(2),
            quantity: (prng.between(1, 50) / 1000).toFixed(5),
          }
      const answer = await client.send(cancel ? 'DELETE' : 'POST', '/api/v3/order', params)
      if (answer.status === 200) {
        const order = answer.body as unknown as Order
        log.set(`${order.orderId}`, { ...order, account })
        if (order.status === 'NEW' || order.status === 'PARTIALLY_FILLED') open.push(order.orderId)
      } else {
        expect(answer.body.code, JSON.stringify(answer.body)).toBe(-2011)
      }
    } catch (error) {
      if (stop.now || (error as Error).name === 'TypeError') return
      throw error
    }
  }
}

const ENDED = ['FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH']

/** All of these exist, no less far along their lives than what was acknowledged. */
async function compare(
  exchange: ExchangeProcess,
  log: ReadonlyMap<string, Acknowledged>,
): Promise<void> {
  const found = new Map<string, Order>()
  for (const account of Object.keys(exchange.keys())) {
    const client = new SignedClient(exchange.url, exchange.keys()[account]!)
    const some = [...log.values()].filter((it) => it.account === account)
    for (let orderId = 0; ; ) {
      const query = { symbol: SYMBOL, orderId, limit: 1000 }
      const { body } = await client.send('GET', '/api/v3/allOrders', query)
      const page = body as unknown as Order[]
      for (const order of page) found.set(`${order.orderId}`, order)
      if (page.length < 1000) break
      orderId = page.at(-1)!.orderId + 1
    }
    // Some of them one by one, by the other way to ask.
    for (const { orderId } of some.filter((_, index) => index % ONE_OF === 0)) {
      const { body } = await client.send('GET', '/api/v3/order', { symbol: SYMBOL, orderId })
      expect(body).toEqual(found.get(`${orderId}`))
    }
  }
  for (const [orderId, { status, executedQty, ...acknowledged }] of log) {
    const order = found.get(orderId)!
    expect(order, JSON.stringify(acknowledged)).toBeDefined()
    expect(Number(order.executedQty)).toBeGreaterThanOrEqual(Number(executedQty))
    if (ENDED.includes(status)) expect(order.status).toBe(status)
  }
}

interface Trade {
  readonly id: number
  readonly commission: string
  readonly commissionAsset: string
}

/** All balances plus all commissions ever paid, by asset, in units of 1e-8. */
async function moneyOf(exchange: ExchangeProcess): Promise<Record<string, bigint>> {
  const total: Record<string, bigint> = {}
  const add = (asset: string, text: string) => {
    total[asset] = (total[asset] ?? 0n) + BigInt(text.replace('.', ''))
  }
  for (const key of Object.values(exchange.keys())) {
    const client = new SignedClient(exchange.url, key)
    const account = await client.send('GET', '/api/v3/account')
    for (const row of account.body.balances as { asset: string; free: string; locked: string }[]) {
      add(row.asset, row.free)
      add(row.asset, row.locked)
    }
    for (let fromId = 0; ; ) {
      const query = { symbol: SYMBOL, fromId, limit: 1000 }
      const answer = await client.send('GET', '/api/v3/myTrades', query)
      const trades = answer.body as unknown as Trade[]
      for (const trade of trades) add(trade.commissionAsset, trade.commission)
      if (trades.length < 1000) break
      fromId = (trades.at(-1) as Trade).id + 1
    }
  }
  return total
}
