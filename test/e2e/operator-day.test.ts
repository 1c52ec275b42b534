/**
 * An operator's day, by command line only: an empty exchange is given a market and two accounts, which
 * trade while the operator moves money, halts, changes fees and filters; and after a stop, and after a
 * kill, everything is as it was and adds up.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { createKey, line, operate, refusal } from './command-line.ts'
import { readByEveryGateway } from './every-gateway.ts'
import { FrameLog } from './frame-log.ts'

const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
const filters = [
  { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
  { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
  { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 50 },
]

let exchange: ExchangeProcess
let aliceKey: DemoKey
let alice: SignedClient
let bob: SignedClient
let log: FrameLog | undefined

beforeAll(async () => {
  exchange = await ExchangeProcess.prepare(['--demo', 'off'])
  await exchange.run()
})
afterAll(async () => {
  await log?.close()
  await exchange?.remove()
})

const action = (...words: string[]) => operate(exchange, ...words)
const refused = (...words: string[]) => refusal(exchange, ...words)
const place = (client: SignedClient, side: string, price: number, quantity: number) =>
  client.send('POST', '/api/v3/order', {
    ...LIMIT,
    side,
    price,
    quantity,
    newOrderRespType: 'FULL',
  })
const commissionOf = async (client: SignedClient, side: string) => {
  const { body } = await place(client, side, 50_000, 1)
  return (body.fills as { commission: string }[])[0]?.commission
}

async function restart(): Promise<void> {
  await action('stop')
  expect(await exchange.ended()).toMatchObject({ code: 0, signal: null })
  await exchange.run()
}

describe('the morning', () => {
  test('a market is listed, and open at once', async () => {
    const file = path.join(exchange.data, 'filters.json')
    writeFileSync(file, JSON.stringify(filters))
    await action('asset-list', 'BTC')
    expect((await line(exchange, 'asset-list', 'USDT')).stdout).toBe('Asset USDT is listed.\n')
    await action('symbol-list', 'BTC', 'USDT', '--filters', `@${file}`, '--matcher', '1')
    expect(await refused('symbol-list', 'BTC', 'USDT', '--filters', '[]')).toBe(
      'The symbol BTCUSDT is listed already.',
    )
    const rows = await action('symbols')
    expect(rows).toEqual([
      {
        id: 0,
        symbol: 'BTCUSDT',
        base: 'BTC',
        quote: 'USDT',
        status: 'TRADING',
        matcher: 1,
        matcherAtNextStart: 1,
      },
    ])
  })

  test('accounts, keys and deposits are good at once', async () => {
    await action('account-open', 'alice', '--maker', '0.001', '--taker', '0.002')
    await action('account-open', 'bob')
    aliceKey = await createKey(exchange, 'alice')
    alice = new SignedClient(exchange.url, aliceKey)
    bob = new SignedClient(exchange.url, await createKey(exchange, 'bob'))
    await action('deposit', 'alice', 'USDT', '1000000')
    await action('deposit', 'bob', 'BTC', '20')
    expect((await place(alice, 'BUY', 50_000, 1)).status).toBe(200)
    const { body } = await place(bob, 'SELL', 50_000, 1)
    expect(body).toMatchObject({ status: 'FILLED' })
  })
})

describe('the day', () => {
  test('money moves, and its owner hears of it', async () => {
    await readByEveryGateway(exchange, aliceKey)
    const { listenKey } = (await (
      await fetch(`${exchange.url}/api/v3/userDataStream`, {
        method: 'POST',
        headers: { 'X-MBX-APIKEY': aliceKey.apiKey },
      })
    ).json()) as { listenKey: string }
    log = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
    await action('deposit', 'alice', 'USDT', '5.5')
    await action('withdraw', 'alice', 'BTC', '0.25', '--yes')
    await action('lock', 'alice', 'USDT', '100')
    await action('unlock', 'alice', 'USDT', '40')
    await action('distribute', 'alice', 'BTC', '0.125', 'rebate')
    const { frames } = log
    await eventually('ten events', () => (frames.length >= 10 ? true : undefined))
    const told = frames.map(({ e, a, d, B }) => (a === undefined ? [e, B] : [e, a, d]))
    const position = (a: string, f: string, l: string) => ['outboundAccountPosition', [{ a, f, l }]]
    expect(told).toEqual([
      ['balanceUpdate', 'USDT', '5.50000000'],
      position('USDT', '950005.50000000', '0.00000000'),
      ['balanceUpdate', 'BTC', '-0.25000000'],
      position('BTC', '0.74900000', '0.00000000'),
      ['externalLockUpdate', 'USDT', '100.00000000'],
      position('USDT', '949905.50000000', '100.00000000'),
      ['externalLockUpdate', 'USDT', '-40.00000000'],
      position('USDT', '949945.50000000', '60.00000000'),
      ['balanceUpdate', 'BTC', '0.12500000'],
      position('BTC', '0.87400000', '0.00000000'),
    ])
    expect(Object.keys(frames[0] ?? {})).toEqual(['e', 'E', 'a', 'd', 'T'])
    const given = await alice.send('GET', '/sapi/v1/asset/assetDistributionHistory')
    expect(given.body).toMatchObject({ total: 1, rows: [{ asset: 'BTC', category: 'rebate' }] })
  })

  test('what is not free cannot be taken', async () => {
    const { body } = await place(alice, 'BUY', 40_000, 20)
    expect(await refused('withdraw', 'alice', 'USDT', '150000')).toBe(
      'alice has 149945.50000000 USDT free, which is not enough.',
    )
    expect(await refused('unlock', 'alice', 'USDT', '60.5')).toBe(
      'Only 60.00000000 USDT of alice is locked from outside.',
    )
    expect(await refused('account-close', 'alice')).toMatch(/^alice still owns 0.87400000 BTC/)
    const { orderId } = body as { orderId: number }
    await alice.send('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId })
    await action('withdraw', 'alice', 'USDT', '150000', '--yes')
  })

  test('a halt ends trading until it is resumed', async () => {
    expect(await refused('halt')).toBe('halt needs a symbol, or "all" on (--all) for all of them.')
    await action('halt', '--all')
    expect((await place(alice, 'BUY', 50_000, 1)).body).toEqual({
      code: -2010,
      msg: 'Market is closed.',
    })
    const info = await (await fetch(`${exchange.url}/api/v3/exchangeInfo`)).json()
    expect((info as { symbols: { status: string }[] }).symbols[0]?.status).toBe('HALT')
    await action('resume', 'BTCUSDT')
    expect((await place(alice, 'BUY', 50_000, 1)).status).toBe(200)
  })

  test('fees are those of the moment of the trade', async () => {
    expect(await commissionOf(bob, 'SELL')).toBe('0.00000000')
    await action('account-fees', 'bob', '--taker', '0.0005')
    await place(alice, 'BUY', 50_000, 1)
    expect(await commissionOf(bob, 'SELL')).toBe('25.00000000')
    await action('symbol-fees', 'BTCUSDT', '--tax-seller', '0.001')
    await place(alice, 'BUY', 50_000, 1)
    expect(await commissionOf(bob, 'SELL')).toBe('75.00000000')
  })

  test('filters and rights are those of the moment of the order', async () => {
    await action('symbol-filters', 'BTCUSDT', '[{"filterType":"MAX_NUM_ORDERS","maxNumOrders":1}]')
    expect((await place(bob, 'SELL', 60_000, 1)).status).toBe(200)
    expect((await place(bob, 'SELL', 60_000, 1)).body).toMatchObject({
      msg: 'Filter failure: MAX_NUM_ORDERS',
    })
    expect(
      await refused(
        'symbol-filters',
        'BTCUSDT',
        '[{"filterType":"LOT_SIZE","minQty":"1","maxQty":"9","stepSize":"1"}]',
      ),
    ).toBe('LOT_SIZE.stepSize of BTCUSDT stays what it was at listing.')
    await action('account-freeze', 'bob')
    expect((await place(bob, 'SELL', 60_000, 1)).body).toMatchObject({ code: -2010 })
    await action('account-freeze', 'bob', 'off')
    await action('key-revoke', aliceKey.apiKey)
    expect((await alice.send('GET', '/api/v3/account')).body).toMatchObject({ code: -2015 })
    alice = new SignedClient(exchange.url, await createKey(exchange, 'alice', '--trade', 'off'))
    expect((await alice.send('GET', '/api/v3/account')).status).toBe(200)
    expect((await place(alice, 'BUY', 1, 1)).body).toMatchObject({ code: -2015 })
  })
})

describe('the evening', () => {
  const state = async () => ({
    audit: await action('audit'),
    accounts: await action('accounts'),
    alice: await action('balances', 'alice'),
    bob: await action('balances', 'bob'),
    symbols: await action('symbols'),
  })

  test('a stop and a kill change nothing, and all adds up', async () => {
    const made = await eventually('a snapshot', async () => {
      const { stdout } = await line(exchange, 'snapshot')
      return stdout.startsWith('Snapshot') ? stdout : undefined
    })
    expect(made).toMatch(/^Snapshot \d+ covers \d+ events\.\n$/)
    const before = await state()
    expect(before.audit.map((row) => row.asset)).toEqual(['BTC', 'USDT'])
    expect(before.alice[1]).toMatchObject({ lockedFromOutside: '60.00000000' })
    await restart()
    expect(exchange.output).toContain('continues from a snapshot')
    expect(await state()).toEqual(before)
    await exchange.stop('SIGKILL')
    await exchange.run()
    expect(await state()).toEqual(before)
    expect((await alice.send('GET', '/api/v3/account')).status).toBe(200)
  })

  test('a drained exchange answers what is known, takes nothing more, and stops', async () => {
    await action('drain')
    const ready = await fetch(`http://127.0.0.1:${exchange.adminPort}/readyz`)
    expect(ready.status).toBe(503)
    const answer = await place(bob, 'SELL', 60_000, 1).then(
      ({ body }) => (body as { code: number }).code,
      () => 'no connection',
    )
    expect([-1016, 'no connection']).toContain(answer)
    expect(await refused('deposit', 'bob', 'BTC', '1')).toBe(
      'The exchange is drained: only stop is possible now.',
    )
    expect((await action('balances', 'bob'))[0]).toMatchObject({ asset: 'BTC' })
    await action('stop')
    expect(await exchange.ended()).toMatchObject({ code: 0, signal: null })
    expect(await refused('audit')).toBe(
      `No exchange answers on port ${exchange.adminPort}. Start one (ringbook start) or pass --admin-port.`,
    )
  })
})
