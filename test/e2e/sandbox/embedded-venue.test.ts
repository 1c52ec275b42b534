/** Methods of an embedded exchange, on the test's own event loop and in a child process. */
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import {
  type EmbeddedExchange,
  type StartExchange,
  startExchange,
  type VenueOrder,
} from '../../../src/index.ts'
import { act } from '../admin-server.ts'

const { startExchange: startBuilt } = (await import(
  /* @vite-ignore */ path.resolve('dist/src/index.js')
)) as { startExchange: StartExchange }

describe.each([
  ['this process', () => startExchange()],
  ['a child', () => startBuilt({ process: 'child' })],
])('in %s', (_, start) => {
  let venue: EmbeddedExchange
  beforeAll(async () => {
    venue = await start()
  })
  afterAll(() => venue?.close())

  const clientOf = (account: string) =>
    new SignedClient(venue.url, { account, ...venue.accounts[account]! })
  const terms = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
  const place = (account: string, more: Readonly<Record<string, string>>) =>
    clientOf(account).send('POST', '/api/v3/order', {
      ...terms,
      side: 'BUY',
      quantity: '1',
      price: '20000',
      ...more,
    })

  afterEach(() => clientOf('trader1').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }))

  test('rules are added, listed, applied from a file and removed', async () => {
    const { faults } = venue
    const name = await faults.add({ do: 'unknown', parameter: 'newClientOrderId=lost-*', times: 1 })
    expect((await place('trader1', { newClientOrderId: 'lost-1' })).body.code).toBe(-1007)
    expect((await place('trader1', { newClientOrderId: 'lost-2' })).body.status).toBe('NEW')
    expect(await faults.list()).toEqual([
      {
        name,
        do: 'unknown',
        rule: 'parameter=newClientOrderId=lost-* times=1',
        matches: 2,
        touched: 1,
        isOver: true,
      },
    ])
    await faults.add({ name: 'busy', do: 'answer', status: 503, account: 'trader2', chance: 0.5 })
    await faults.apply('[[fault]]\nname = "gone"\ndo = "drop"\nstream = "user"')
    expect((await faults.list()).map((row) => row.name)).toEqual([name, 'busy', 'gone'])
    await faults.remove('busy')
    await faults.remove('all')
    expect(await faults.list()).toEqual([])
    await expect(faults.remove('busy')).rejects.toThrow('There is no rule busy.')
    await expect(faults.add({ do: 'proxy', status: 500 })).rejects.toThrow('502, 503 or 504')
    await expect(faults.apply('[[fault]]\nname = "x"')).rejects.toThrow('[[fault]] 1: do must be')
  })

  test('accounts are opened and credited while it runs', async () => {
    const key = await venue.account('bob', { USDT: 10_000, BTC: '0.30', ETH: 0 })
    expect(venue.accounts.bob).toEqual(key)
    const [again] = await Promise.all([
      venue.account('bob', { USDT: 1e-8 }),
      venue.account('carol'),
      venue.account('carol'),
    ])
    expect(again).toEqual(key)
    const { body } = await clientOf('bob').send('GET', '/api/v3/account', {
      omitZeroBalances: 'true',
    })
    expect(body.balances).toMatchObject([
      { asset: 'BTC', free: '0.30000000' },
      { asset: 'USDT', free: '10000.00000001' },
    ])
    expect((await place('bob', { price: '10000' })).body.status).toBe('NEW')
    await expect(venue.account('dave', { USDT: -1 })).rejects.toThrow('-1 is no amount')
    await expect(venue.account('dave', { XYZ: 1 })).rejects.toThrow('XYZ')
  })

  describe('the counterparty of the house', () => {
    const rest = async (more: Readonly<Record<string, string>> = {}) => {
      const { body } = await place('trader1', more)
      expect(body.status).toBe('NEW')
      return body as unknown as VenueOrder
    }
    const tradesOf = async ({ orderId }: VenueOrder) => {
      const { body } = await clientOf('trader1').send('GET', '/api/v3/myTrades', {
        symbol: 'BTCUSDT',
        orderId: String(orderId),
      })
      return body as unknown as readonly Record<string, unknown>[]
    }

    test('fills exactly what is asked for, as a quantity, a share or the rest', async () => {
      const order = await rest()
      const { orderId } = order
      expect(await venue.fill(order, '0.3')).toEqual({
        account: 'trader1',
        symbol: 'BTCUSDT',
        orderId,
        alsoTaken: '0.00000000',
        filled: '0.30000000',
        left: '0.70000000',
        status: 'PARTIALLY_FILLED',
      })
      expect(await venue.fill(order, '30%')).toMatchObject({ filled: '0.30000000' })
      expect(await venue.fill(order, 0.00001)).toMatchObject({ left: '0.39999000' })
      await expect(venue.fill(order, '0.5')).rejects.toThrow('only 0.39999000 left')
      expect(await venue.fill(order)).toMatchObject({ left: '0.00000000', status: 'FILLED' })
      expect((await tradesOf(order)).map((row) => [row.price, row.qty, row.isMaker])).toEqual(
        ['0.30000000', '0.30000000', '0.00001000', '0.39999000'].map((quantity) => [
          ...['20000.00000000', quantity, true],
        ]),
      )
    })

    test('sells and buys, below the smallest notional, and trades with orders before it first', async () => {
      const better = await rest({ price: '20001', quantity: '0.25' })
      const first = await rest({ quantity: '0.5' })
      const order = await rest()
      expect(await venue.fill(order, '0.1')).toMatchObject({
        filled: '0.10000000',
        left: '0.90000000',
        alsoTaken: '0.75000000',
      })
      for (const { orderId } of [better, first]) {
        const query = { symbol: 'BTCUSDT', orderId: String(orderId) }
        const { body } = await clientOf('trader1').send('GET', '/api/v3/order', query)
        expect(body.status).toBe('FILLED')
      }
      const offer = await rest({ side: 'SELL', price: '30000', quantity: '0.5' })
      expect(await venue.fill(offer, '50%')).toMatchObject({ filled: '0.25000000' })
    })

    test('refuses what it cannot fill, in a sentence', async () => {
      const order = await rest()
      await expect(venue.fill(order, '0')).rejects.toThrow('less than the smallest step')
      await expect(venue.fill(order, '101%')).rejects.toThrow('A share is at most 100%.')
      await expect(venue.fill(order, 'x')).rejects.toThrow('quantity must be a decimal')
      await expect(venue.fill(order, '0.000001')).rejects.toThrow('multiple of 0.00001000')
      await expect(venue.fill({ symbol: 'BTCUSDT', orderId: 10 ** 9 })).rejects.toThrow(
        'There is no open order 1000000000 on BTCUSDT.',
      )
      await expect(venue.fill({ symbol: 'NOSUCH', orderId: 1 })).rejects.toThrow('NOSUCH')
    })

    test('a rule fills 30 % of the next order in three steps', async () => {
      await venue.faults.add({
        name: 'steps',
        do: 'fill',
        account: 'trader1',
        times: 1,
        quantity: '30%',
        moments: '0,40,80',
      })
      const order = await rest()
      const other = await rest()
      const executed = async (orderId: number) => {
        const query = { symbol: 'BTCUSDT', orderId: String(orderId) }
        return (await clientOf('trader1').send('GET', '/api/v3/order', query)).body.executedQty
      }
      await expect.poll(() => executed(order.orderId)).toBe('0.30000000')
      expect((await tradesOf(order)).map((row) => row.qty)).toEqual(
        Array.from({ length: 3 }, () => '0.10000000'),
      )
      expect(await executed(other.orderId)).toBe('0.00000000')
      await venue.faults.remove('all')
    })

    test('a client has its own orders filled by signed requests, within its faucet', async () => {
      await venue.account('seller', { BTC: 10 })
      const seller = clientOf('seller')
      const sell = async (price: string) => {
        const { body } = await place('seller', { side: 'SELL', price })
        expect(body.status).toBe('NEW')
        return String(body.orderId)
      }
      const orderId = await sell('60000')
      const fill = (by: SignedClient, more: Readonly<Record<string, string>>) =>
        by.send('POST', '/sandbox/v1/fill', { symbol: 'BTCUSDT', orderId, ...more })
      expect(await fill(seller, { amount: '50%' })).toMatchObject({
        status: 200,
        body: { orderId: Number(orderId), filled: '0.50000000' },
      })
      expect(await fill(clientOf('trader2'), { amount: '10%' })).toMatchObject({
        status: 400,
        body: { code: -1130, data: { reason: 'Order does not exist.' } },
      })
      expect(await fill(seller, { orderId: await sell('70001') })).toMatchObject({
        body: {
          data: { reason: expect.stringContaining('at most 100000 USDT for its own fills') },
        },
      })
      expect(await fill(seller, {})).toMatchObject({ body: { status: 'FILLED' } })
      await seller.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    })

    test('and all money adds up', async () => {
      const admin = Number(new URL(venue.adminUrl).port)
      const { said } = await act({ data: venue.folder, adminPort: admin }, 'audit', {})
      expect(said).toBe('Every asset adds up.')
    })
  })

  describe('events', () => {
    test('are those of all accounts, in order, with both sides of a trade', async () => {
      const events = venue.events()
      await events.ready
      const maker = (await place('trader1', { side: 'SELL', price: '25000', quantity: '0.2' })).body
      const terms = { price: '25000', quantity: '0.5', newClientOrderId: 'mine' }
      const taker = (await place('trader2', terms)).body
      const symbol = 'BTCUSDT'
      const cancel = { symbol, orderId: String(taker.orderId), newClientOrderId: 'cancel-it' }
      await clientOf('trader2').send('DELETE', '/api/v3/order', cancel)
      const seen = await events.read()
      const trade = {
        lastPrice: '25000.00000000',
        lastQuantity: '0.20000000',
        filled: '0.20000000',
      }
      const own = { account: 'trader2', orderId: taker.orderId, clientOrderId: 'mine', symbol }
      expect(seen).toMatchObject([
        { event: 'NEW', account: 'trader1', orderId: maker.orderId, side: 'SELL', tradeId: -1 },
        { event: 'NEW', status: 'NEW', ...own },
        { event: 'TRADE', status: 'PARTIALLY_FILLED', isMaker: false, ...trade, ...own },
        { event: 'TRADE', status: 'FILLED', isMaker: true, ...trade, account: 'trader1' },
        { event: 'CANCELED', status: 'CANCELED', ...own },
      ])
      expect(new Set(seen.map((row) => row.tradeId)).size).toBe(2)
      expect(seen.map(({ number }, at) => number - at)).toEqual(
        Array.from(seen, () => seen[0]!.number),
      )
      expect(await events.read()).toEqual([])
    })

    test('are waited for, of one account and symbol', async () => {
      const events = venue.events({ account: 'trader2', symbol: 'ETHUSDT' })
      const soon = events.next()
      await events.ready
      await place('trader1', {})
      await place('trader2', {})
      const { body } = await place('trader2', { symbol: 'ETHUSDT', price: '1000' })
      expect((await soon).value).toMatchObject({ orderId: body.orderId, symbol: 'ETHUSDT' })
      await clientOf('trader2').send('DELETE', '/api/v3/openOrders', { symbol: 'ETHUSDT' })
      await clientOf('trader2').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
      for await (const { event } of events) {
        expect(event).toBe('CANCELED')
        break
      }
      expect(await events.next()).toEqual({ done: true, value: undefined })
    })

    test('of many orders are all there', async () => {
      const events = venue.events()
      await events.ready
      const ids: unknown[] = []
      for (let round = 0; round < 10; round++) {
        const placed = Array.from({ length: 30 }, () => place('trader1', { quantity: '0.001' }))
        for (const { body } of await Promise.all(placed)) ids.push(body.orderId)
      }
      const seen: number[] = []
      for await (const { orderId } of events) if (seen.push(orderId) === ids.length) break
      expect(new Set(seen)).toEqual(new Set(ids))
      expect(seen).toEqual([...seen].sort((a, b) => a - b))
    })

    test('of one state are not taken for those of another', async () => {
      const other = await start()
      const client = new SignedClient(other.url, { account: 'maker', ...other.accounts.maker! })
      const order = { ...terms, side: 'BUY', quantity: '1', price: '20000' }
      const { body } = await client.send('POST', '/api/v3/order', order)
      await other.save('resting')
      const before = other.events()
      await before.ready
      await other.load('resting')
      await expect(before.read()).rejects.toThrow('The events are of another start')
      const events = other.events()
      await events.ready
      await other.fill(body as unknown as VenueOrder, '25%')
      expect((await events.read()).filter(({ account }) => account === 'maker')).toMatchObject([
        { event: 'TRADE', orderId: body.orderId, filled: '0.25000000' },
      ])
      await other.close()
    })

    test('are refused to what the exchange does not have, and end with it', async () => {
      await expect(venue.events({ account: 'nobody' }).next()).rejects.toThrow('nobody')
      const other = await start()
      const events = other.events()
      await events.ready
      const last = events.next()
      await other.close()
      expect(await last).toEqual({ done: true, value: undefined })
    })
  })
})
