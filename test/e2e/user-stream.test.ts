/**
 * User streams by listen key: which events a life of orders makes, in which order, with which
 * fields; and that an account can be followed by its position events alone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Balance, balancesOf, units } from '../../scripts/exchange/amounts.ts'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from '../fixtures/eventually.ts'
import { readByEveryGateway } from './every-gateway.ts'
import { type Frame, FrameLog } from './frame-log.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }

let exchange: ExchangeProcess
const logs: FrameLog[] = []

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
})
afterAll(async () => {
  await Promise.all(logs.map((log) => log.close()))
  await exchange?.remove()
})

interface Account {
  readonly client: SignedClient
  readonly log: FrameLog
}

/** The account's client, and its stream from now on. */
async function follow(account: string): Promise<Account> {
  const key = exchange.keys()[account] as DemoKey
  const { listenKey } = await listen(key, 'POST')
  const log = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
  logs.push(log)
  return { client: new SignedClient(exchange.url, key), log }
}

async function listen(key: DemoKey, method: string, listenKey?: unknown): Promise<Frame> {
  const query = listenKey === undefined ? '' : `?listenKey=${listenKey}`
  const response = await fetch(`${exchange.url}/api/v3/userDataStream${query}`, {
    method,
    headers: { 'X-MBX-APIKEY': key.apiKey },
  })
  return (await response.json()) as Frame
}

async function order(account: Account, params: Record<string, string | number>): Promise<Frame> {
  const answer = await account.client.send('POST', '/api/v3/order', params)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

/** Event type with execution type and status, which is what the order of events is about. */
function kinds(log: FrameLog): string[] {
  return log.frames.map(({ e, x, X }) =>
    e === 'executionReport' ? `${x} ${X}` : e === 'outboundAccountPosition' ? 'position' : `${e}`,
  )
}

/** Waits for exactly these events; more of them, or others, fail. */
async function expectEvents(log: FrameLog, expected: readonly string[]): Promise<void> {
  await eventually(`${expected.length} events`, () =>
    log.frames.length >= expected.length ? true : undefined,
  )
  expect(kinds(log)).toEqual(expected)
}

describe('listen keys', () => {
  test('are given, kept, closed, and unknown afterwards', async () => {
    const key = exchange.keys().trader2 as DemoKey
    const { listenKey } = await listen(key, 'POST')
    expect(listenKey).toMatch(/^[a-zA-Z0-9]{64}$/)
    expect(await listen(key, 'POST')).toEqual({ listenKey })
    expect(await listen(key, 'PUT', listenKey)).toEqual({})
    const log = await FrameLog.open(`${exchange.wsUrl}/stream?streams=${listenKey}`)
    logs.push(log)
    expect(await listen(key, 'DELETE', listenKey)).toEqual({})
    await eventually('the end of its connection', () => log.closed || undefined)
    const unknown = { code: -1125, msg: 'This listenKey does not exist.' }
    expect(await listen(key, 'PUT', listenKey)).toEqual(unknown)
    expect(await listen(key, 'DELETE', listenKey)).toEqual(unknown)
  })

  test('of others are unknown', async () => {
    const { listenKey } = await listen(exchange.keys().trader1 as DemoKey, 'POST')
    const other = exchange.keys().trader2 as DemoKey
    expect(await listen(other, 'PUT', listenKey)).toMatchObject({ code: -1125 })
  })
})

describe('events', () => {
  let maker: Account
  let taker: Account

  beforeEach(async () => {
    const { maker: makerKey, taker: takerKey } = exchange.keys() as Record<string, DemoKey>
    for (const key of [makerKey, takerKey] as DemoKey[]) {
      const client = new SignedClient(exchange.url, key)
      await client.send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
    }
    await readByEveryGateway(exchange, makerKey as DemoKey)
    maker = await follow('maker')
    taker = await follow('taker')
  })

  test('a resting order: NEW, then the balance it locks', async () => {
    const placed = await order(maker, {
      ...LIMIT,
      side: 'BUY',
      price: '40000',
      quantity: '0.5',
      newClientOrderId: 'resting-one',
    })
    await expectEvents(maker.log, ['NEW NEW', 'position'])
    const [report, position] = maker.log.frames as [Frame, Frame]
    const time = placed.transactTime
    expect(report).toEqual({
      e: 'executionReport',
      E: expect.any(Number),
      s: SYMBOL,
      c: 'resting-one',
      S: 'BUY',
      o: 'LIMIT',
      f: 'GTC',
      q: '0.50000000',
      p: '40000.00000000',
      P: '0.00000000',
      F: '0.00000000',
      g: -1,
      C: '',
      x: 'NEW',
      X: 'NEW',
      r: 'NONE',
      i: placed.orderId,
      l: '0.00000000',
      z: '0.00000000',
      L: '0.00000000',
      n: '0',
      N: null,
      T: time,
      t: -1,
      I: expect.any(Number),
      w: true,
      m: false,
      M: false,
      O: time,
      Z: '0.00000000',
      Y: '0.00000000',
      Q: '0.00000000',
      W: time,
      V: 'EXPIRE_MAKER',
    })
    const usdt = (await balancesOf(maker.client)).USDT as Balance
    expect(Object.keys(position)).toEqual(['e', 'E', 'u', 'B'])
    expect(balanceIn(position, 'USDT')).toEqual(usdt)
    expect(usdt.locked).toBe(units('20000'))
  })

  test('a fill: told to both sides, each with its own commission', async () => {
    const resting = await order(maker, { ...LIMIT, side: 'SELL', price: '50000', quantity: '0.5' })
    const bought = await order(taker, { ...LIMIT, side: 'BUY', price: '50010', quantity: '0.2' })
    await expectEvents(taker.log, ['NEW NEW', 'TRADE FILLED', 'position'])
    await expectEvents(maker.log, ['NEW NEW', 'position', 'TRADE PARTIALLY_FILLED', 'position'])
    const [, taken, position] = taker.log.frames as Frame[]
    const tradeId = (bought.fills as { tradeId: number }[])[0]?.tradeId
    expect(taken).toMatchObject({
      i: bought.orderId,
      l: '0.20000000',
      z: '0.20000000',
      L: '50000.00000000',
      n: '0.00020000',
      N: 'BTC',
      t: tradeId,
      w: false,
      m: false,
      M: true,
      Z: '10000.00000000',
      Y: '10000.00000000',
    })
    const balances = await balancesOf(taker.client)
    for (const asset of ['BTC', 'USDT'])
      expect(balanceIn(position as Frame, asset)).toEqual(balances[asset])
    expect(maker.log.frames[2]).toMatchObject({
      i: resting.orderId,
      p: '50000.00000000',
      l: '0.20000000',
      n: '10.00000000',
      N: 'USDT',
      t: tradeId,
      w: true,
      m: true,
      M: true,
      O: resting.transactTime,
    })
  })

  test('a cancel carries its own id and the id of the order', async () => {
    const placed = await order(maker, {
      ...LIMIT,
      side: 'BUY',
      price: '40000',
      quantity: '0.5',
      newClientOrderId: 'the-order',
    })
    await maker.client.send('DELETE', '/api/v3/order', {
      symbol: SYMBOL,
      orderId: Number(placed.orderId),
      newClientOrderId: 'the-cancel',
    })
    await expectEvents(maker.log, ['NEW NEW', 'position', 'CANCELED CANCELED', 'position'])
    expect(maker.log.frames[2]).toMatchObject({ c: 'the-cancel', C: 'the-order', w: false })
  })

  test('what an IOC order leaves expires, for a reason', async () => {
    await order(maker, { ...LIMIT, side: 'SELL', price: '50000', quantity: '0.1' })
    const ioc = { ...LIMIT, timeInForce: 'IOC', side: 'BUY', price: '50000', quantity: '0.3' }
    await order(taker, ioc)
    const events = ['NEW NEW', 'TRADE PARTIALLY_FILLED', 'EXPIRED EXPIRED', 'position']
    await expectEvents(taker.log, events)
    expect(taker.log.frames[2]).toMatchObject({
      z: '0.10000000',
      eR: 'UNFILLED_IOC_QUANTITY_EXPIRED',
    })
  })

  test('a market order is NEW and works before it is filled', async () => {
    await order(maker, { ...LIMIT, side: 'SELL', price: '50000', quantity: '0.1' })
    await order(taker, { symbol: SYMBOL, type: 'MARKET', side: 'BUY', quoteOrderQty: '1000' })
    await expectEvents(taker.log, ['NEW NEW', 'TRADE FILLED', 'position'])
    const shared = { o: 'MARKET', f: 'GTC', p: '0.00000000', q: '0.02000000', Q: '1000.00000000' }
    expect(taker.log.frames[0]).toMatchObject({ ...shared, w: true })
    expect(taker.log.frames[1]).toMatchObject({ ...shared, w: false, Y: '1000.00000000' })
  })

  test('a trade with oneself is prevented, and told', async () => {
    const resting = await order(maker, { ...LIMIT, side: 'SELL', price: '50000', quantity: '0.1' })
    const mode = { selfTradePreventionMode: 'EXPIRE_TAKER' }
    const arriving = { ...LIMIT, ...mode, side: 'BUY', price: '50000', quantity: '0.3' }
    const expired = await order(maker, arriving)
    expect(expired).toMatchObject({ status: 'EXPIRED_IN_MATCH', executedQty: '0.00000000' })
    const before = ['NEW NEW', 'position']
    await expectEvents(maker.log, [
      ...before,
      'NEW NEW',
      'TRADE_PREVENTION EXPIRED_IN_MATCH',
      'position',
    ])
    expect(maker.log.frames[3]).toMatchObject({
      i: expired.orderId,
      U: resting.orderId,
      v: expect.any(Number),
      A: '0.30000000',
      B: '0.30000000',
      l: '0.00000000',
      V: 'EXPIRE_TAKER',
    })
  })

  test('a refused order says nothing', async () => {
    const answer = await taker.client.send('POST', '/api/v3/order', {
      ...LIMIT,
      symbol: 'ETHBTC',
      side: 'SELL',
      price: '0.1',
      quantity: '60000',
    })
    expect(answer).toMatchObject({ status: 400, body: { code: -2010 } })
    await order(taker, { ...LIMIT, side: 'BUY', price: '40000', quantity: '0.1' })
    await expectEvents(taker.log, ['NEW NEW', 'position'])
  })
})

test('replaying the position events of an account arrives at its balances', async () => {
  const accounts = await Promise.all(['maker', 'taker', 'trader1'].map(follow))
  const replayed = await Promise.all(accounts.map(({ client }) => balancesOf(client)))
  const prng = new Prng(4_711)
  for (let count = 0; count < 300; count++) {
    const { client } = prng.pick(accounts)
    const price = (50_000 + prng.between(-10, 10)).toFixed(2)
    const quantity = (prng.between(1, 50) / 1000).toFixed(5)
    const side = prng.pick(['BUY', 'SELL'])
    const answer = await client.send('POST', '/api/v3/order', { ...LIMIT, side, price, quantity })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  for (const [index, { client, log }] of accounts.entries()) {
    const expected = await balancesOf(client)
    await eventually('the last position', () => {
      const positions = log.frames.filter((frame) => frame.e === 'outboundAccountPosition')
      const balances = { ...replayed[index] }
      for (const position of positions)
        for (const row of position.B as { a: string }[])
          balances[row.a] = balanceIn(position, row.a) as Balance
      return sameBalances(balances, expected) || undefined
    })
  }
})

function balanceIn(position: Frame, asset: string): Balance | undefined {
  const rows = position.B as { a: string; f: string; l: string }[]
  const row = rows.find(({ a }) => a === asset)
  return row === undefined ? undefined : { free: units(row.f), locked: units(row.l) }
}

function sameBalances(
  one: Readonly<Record<string, Balance>>,
  other: Readonly<Record<string, Balance>>,
): boolean {
  return Object.entries(other).every(
    ([asset, { free, locked }]) => one[asset]?.free === free && one[asset]?.locked === locked,
  )
}
