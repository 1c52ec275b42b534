/** What an operator takes away is gone at once, and stays so: keys, accounts, and the right to trade. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { createKey, operate } from './command-line.ts'
import { FrameLog } from './frame-log.ts'
import { stageExchange } from './staged-exchange.ts'
import { Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }
const funds = { BTC: 100, USDT: 10_000_000 }

let exchange: ExchangeProcess
beforeAll(async () => {
  exchange = await stageExchange(
    {
      assets: ['BTC', 'USDT'],
      symbols: [{ name: SYMBOL }],
      accounts: { alice: { funds }, bob: { funds }, carol: { funds }, dave: {} },
    },
    ['--matchers', '2', '--gateways', '2'],
  )
  await exchange.run()
})
afterAll(() => exchange?.remove())

const userDataStream = async (method: string, { apiKey }: DemoKey, query = '') => {
  const headers = { 'X-MBX-APIKEY': apiKey }
  const url = `${exchange.url}/api/v3/userDataStream${query}`
  return (await (await fetch(url, { method, headers })).json()) as Record<string, unknown>
}

/** What the account's own rows look like after what happened: status and reason, by client order id. */
async function ordersOf(trader: Trader): Promise<Record<string, unknown>> {
  const rows = (await trader.ask('GET', '/api/v3/allOrders', { symbol: SYMBOL })) as unknown
  const known = rows as Record<string, unknown>[]
  return Object.fromEntries(
    known.map(({ clientOrderId, status, expiryReason }) => [
      clientOrderId,
      expiryReason === undefined ? status : `${status} ${expiryReason}`,
    ]),
  )
}

/** A connection that names a dead listen key is closed, and sent nothing. */
async function isClosed(listenKey: string): Promise<void> {
  const stream = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
  await eventually('the end of the connection', () => stream.closed || undefined)
  expect(stream.frames).toEqual([])
}

describe.each([
  ['key-revoke', 'alice'],
  ['account-close', 'dave'],
])('%s', (name, account) => {
  test('ends subscriptions and listen keys, also for later connections and starts', async () => {
    const key = exchange.keys()[account]!
    const trader = new Trader(exchange, account)
    await trader.follow()
    const listenKey = (await userDataStream('POST', key)).listenKey as string
    const streams: FrameLog[] = []
    for (let i = 0; i < 4; i++)
      streams.push(await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`))

    await operate(exchange, name, name === 'key-revoke' ? key.apiKey : account)

    const [ended] = await trader.eventsUntil((events) => events.length > 0)
    expect(ended).toEqual({ e: 'eventStreamTerminated', E: expect.any(Number) })
    for (const stream of streams) {
      const expired = await stream.first('its end', ({ e }) => e === 'listenKeyExpired')
      expect(expired).toEqual({ e: 'listenKeyExpired', E: expect.any(Number), listenKey })
    }
    expect(await userDataStream('POST', key)).toMatchObject({ code: -2015 })
    expect(await userDataStream('PUT', key, `?listenKey=${listenKey}`)).toMatchObject({
      code: -2015,
    })
    await isClosed(listenKey)
    if (name === 'key-revoke') await operate(exchange, 'deposit', account, 'BTC', '1')
    // Every gateway has sent all there is to send by the time that its own client's is answered.
    for (const stream of streams) await stream.ask({ id: 1, method: 'LIST_SUBSCRIPTIONS' })
    for (const stream of streams) {
      expect(stream.frames.filter(({ e }) => e !== undefined).length).toBeLessThan(2)
    }
    expect(await trader.eventsUntil(() => true)).toHaveLength(1)
    for (const stream of streams) await stream.close()
    await trader.leave()

    await exchange.stop('SIGKILL')
    await exchange.run()
    expect(await userDataStream('POST', key)).toMatchObject({ code: -2015 })
    if (name === 'key-revoke') {
      const other = await createKey(exchange, account)
      expect((await userDataStream('POST', other)).listenKey).not.toBe(listenKey)
      await operate(exchange, 'deposit', account, 'BTC', '1')
    }
    await isClosed(listenKey)
  })
})

describe('a frozen account', () => {
  const bobs = (side: string, price: number) =>
    new Trader(exchange, 'bob').place({ ...LIMIT, side, price })

  test('adds nothing: what rests may trade, stops and legs expire, over a start too', async () => {
    const carol = new Trader(exchange, 'carol')
    await carol.place({ ...LIMIT, side: 'BUY', price: 90, newClientOrderId: 'resting' })
    const stop = { symbol: SYMBOL, side: 'SELL', type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC' }
    await carol.place({ ...stop, quantity: 1, price: 70, stopPrice: 95, newClientOrderId: 'stop' })
    await carol.ask('POST', '/api/v3/orderList/oto', {
      symbol: SYMBOL,
      workingType: 'LIMIT',
      workingSide: 'BUY',
      workingTimeInForce: 'GTC',
      workingPrice: 91,
      workingQuantity: 1,
      workingClientOrderId: 'working',
      pendingType: 'LIMIT',
      pendingSide: 'SELL',
      pendingTimeInForce: 'GTC',
      pendingPrice: 200,
      pendingQuantity: 1,
      pendingClientOrderId: 'pending',
    })
    await operate(exchange, 'account-freeze', 'carol')
    const refused = await carol.send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
    expect([refused.status, refused.body.code]).toEqual([400, -2011])
    await exchange.stop('SIGKILL')
    await exchange.run()
    await bobs('SELL', 91)
    const expected = {
      resting: 'NEW',
      stop: 'EXPIRED REJECTED',
      working: 'FILLED',
      pending: 'EXPIRED REJECTED',
    }
    expect(await ordersOf(carol)).toMatchObject(expected)
    await exchange.stop('SIGKILL')
    await exchange.run()
    expect(await ordersOf(carol)).toMatchObject(expected)
    await operate(exchange, 'audit')
  })

  test('loses what it has open where the freeze says so', async () => {
    const carol = new Trader(exchange, 'carol')
    await operate(exchange, 'account-freeze', 'carol', 'off')
    for (const id of ['a', 'b', 'c']) {
      await carol.place({ ...LIMIT, side: 'BUY', price: 50, newClientOrderId: id })
    }
    const stop = { symbol: SYMBOL, side: 'SELL', type: 'STOP_LOSS', quantity: 1, stopPrice: 10 }
    await carol.place({ ...stop, newClientOrderId: 'waiting' })
    await carol.follow()
    await operate(exchange, 'account-freeze', 'carol', '--cancel-orders', 'on')
    expect(await carol.ask('GET', '/api/v3/openOrders')).toEqual([])
    const events = await carol.eventsUntil(
      (list) => list.filter(({ x }) => x === 'CANCELED').length === 5,
    )
    expect(events.filter(({ x }) => x === 'CANCELED').map(({ C }) => C)).toEqual([
      'resting',
      'a',
      'b',
      'c',
      'waiting',
    ])
    await carol.leave()
    await exchange.stop('SIGKILL')
    await exchange.run()
    expect(await carol.ask('GET', '/api/v3/openOrders')).toEqual([])
    const { USDT } = await carol.balances()
    expect(USDT!.locked).toBe('0.00000000')
    await eventually(
      'the audit',
      async () => (await operate(exchange, 'audit')).length > 0 || undefined,
    )
  })
})
