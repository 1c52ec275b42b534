/**
 * Amounts of 64 bits, as users meet them: SHIB with the filters that Binance publishes, traded at 20 billion
 * units, and a coin priced in rupiahs. What is out of range is a filter's error, and -1108 beyond 64 bits.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { createKey, operate, refusal } from './command-line.ts'
import { type Frame, FrameLog } from './frame-log.ts'

const NOTIONAL = {
  filterType: 'NOTIONAL',
  minNotional: '5.00000000',
  applyMinToMarket: true,
  maxNotional: '9000000.00000000',
  applyMaxToMarket: false,
  avgPriceMins: 5,
}
/** The published filters. */
const SHIB_FILTERS = [
  ...[
    {
      filterType: 'PRICE_FILTER',
      minPrice: '0.00000001',
      maxPrice: '1.00000000',
      tickSize: '0.00000001',
    },
    {
      filterType: 'LOT_SIZE',
      minQty: '1.00',
      maxQty: '46116860414.00',
      stepSize: '1.00',
    },
    { filterType: 'ICEBERG_PARTS', limit: 100 },
  ],
  NOTIONAL,
]
const RUPIAH_FILTERS = [
  {
    filterType: 'PRICE_FILTER',
    minPrice: '10',
    maxPrice: '10000000000',
    tickSize: '10',
  },
  { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
  { ...NOTIONAL, minNotional: '20000', maxNotional: '92233720368.54775807', avgPriceMins: 0 },
]
const LIMIT = { type: 'LIMIT', timeInForce: 'GTC', newOrderRespType: 'FULL' }
const INT64_UNITS = '92233720368.54775807'
const BEYOND = '92233720368.54775808'

let exchange: ExchangeProcess
const keys: Record<string, DemoKey> = {}
const clients: Record<string, SignedClient> = {}

beforeAll(async () => {
  exchange = await ExchangeProcess.prepare([...FEW_THREADS, '--demo', 'off'])
  await exchange.run()
  for (const asset of ['SHIB', 'USDT', 'BTC', 'IDR']) await operate(exchange, 'asset-list', asset)
  const list = (base: string, quote: string, filters: object[]) =>
    operate(exchange, 'symbol-list', base, quote, '--filters', JSON.stringify(filters))
  await list('SHIB', 'USDT', SHIB_FILTERS)
  await list('BTC', 'IDR', RUPIAH_FILTERS)
  for (const [name, ...fees] of [
    ['maker', '--maker', '0.0005'],
    ['taker', '--taker', '0.001'],
  ] as const) {
    await operate(exchange, 'account-open', name, ...fees)
    keys[name] = await createKey(exchange, name)
    clients[name] = new SignedClient(exchange.url, keys[name]!)
  }
  await operate(exchange, 'deposit', 'maker', 'SHIB', '46116860184.00000001')
  await operate(exchange, 'deposit', 'maker', 'BTC', '100')
  await operate(exchange, 'deposit', 'taker', 'USDT', '9000000')
  await operate(exchange, 'deposit', 'taker', 'IDR', '40000000000')
})
afterAll(() => exchange?.remove())

type Given = Record<string, string | number>

async function ask(
  account: string,
  method: string,
  target: string,
  params: Given = {},
): Promise<Frame> {
  const { status, body } = await clients[account]!.send(method, `/api/v3/${target}`, params)
  expect(status, `${target} ${JSON.stringify(params)}: ${JSON.stringify(body)}`).toBe(200)
  return body
}
const place = (account: string, side: string, params: Given) =>
  ask(account, 'POST', 'order', { ...LIMIT, side, ...params })

async function fault(target: string, params: Given, method = 'POST'): Promise<string> {
  const { body } = await clients.maker!.send(method, `/api/v3/${target}`, params)
  return `${body.code} ${body.msg}`
}

const balanceOf = async (
  account: string,
  asset: string,
): Promise<[free: string, locked: string]> => {
  const { balances } = await ask(account, 'GET', 'account')
  const row = (balances as { asset: string; free: string; locked: string }[]).find(
    (it) => it.asset === asset,
  )!
  return [row.free, row.locked]
}

describe('SHIB at 20 billion units', () => {
  const symbol = 'SHIBUSDT'

  test('its filters are published as they are', async () => {
    const response = await fetch(`${exchange.url}/api/v3/exchangeInfo?symbol=${symbol}`)
    const { symbols } = (await response.json()) as { symbols: { filters: Frame[] }[] }
    expect(symbols[0]!.filters).toContainEqual({
      filterType: 'LOT_SIZE',
      minQty: '1.00000000',
      maxQty: '46116860414.00000000',
      stepSize: '1.00000000',
    })
  })

  test('they trade, and every sum is exact', async () => {
    const stream = await FrameLog.open(`${exchange.wsUrl}/ws/shibusdt@trade`)
    const resting = await place('maker', 'SELL', {
      symbol,
      price: '0.00002501',
      quantity: '46116860184',
    })
    expect(resting).toMatchObject({ origQty: '46116860184.00000000', status: 'NEW' })
    expect(await balanceOf('maker', 'SHIB')).toEqual(['0.00000001', '46116860184.00000000'])
    const bought = await place('taker', 'BUY', {
      symbol,
      price: '0.00002501',
      quantity: '20000000000',
    })
    expect(bought).toMatchObject({
      status: 'FILLED',
      executedQty: '20000000000.00000000',
      cummulativeQuoteQty: '500200.00000000',
      fills: [{ qty: '20000000000.00000000', commission: '20000000.00000000' }],
    })
    expect(await balanceOf('taker', 'SHIB')).toEqual(['19980000000.00000000', '0.00000000'])
    expect(await balanceOf('taker', 'USDT')).toEqual(['8499800.00000000', '0.00000000'])
    expect(await balanceOf('maker', 'USDT')).toEqual(['499949.90000000', '0.00000000'])
    expect(await balanceOf('maker', 'SHIB')).toEqual(['0.00000001', '26116860184.00000000'])
    const trade = await stream.first('the trade', ({ e }) => e === 'trade')
    expect(trade).toMatchObject({ p: '0.00002501', q: '20000000000.00000000' })
    await stream.close()
  })

  test('by quote amount, by a market order, and by an iceberg', async () => {
    const market = { symbol, type: 'MARKET', newOrderRespType: 'FULL' }
    const byAmount = await ask('taker', 'POST', 'order', {
      ...market,
      side: 'BUY',
      quoteOrderQty: '250100.00001',
    })
    expect(byAmount).toMatchObject({ executedQty: '10000000000.00000000', status: 'FILLED' })
    const { orderId } = await place('taker', 'BUY', {
      symbol,
      price: '0.00002',
      quantity: '15000000000',
      icebergQty: '1000000000',
    })
    const own = { symbol, orderId: Number(orderId) }
    await ask('taker', 'PUT', 'order/amend/keepPriority', { ...own, newQty: '14000000000' })
    const sold = { ...market, side: 'SELL', quantity: '14000000000' }
    expect(await fault('order', sold)).toBe(
      '-2010 Account has insufficient balance for requested action.',
    )
    expect(await ask('taker', 'POST', 'order/test', { ...sold, quantity: '10000000000' })).toEqual(
      {},
    )
    expect(await ask('taker', 'DELETE', 'order', own)).toMatchObject({
      origQty: '14000000000.00000000',
    })
  })

  test('market data has all of it', async () => {
    const get = async (target: string) =>
      (await (await fetch(`${exchange.url}/api/v3/${target}`)).json()) as Frame
    const day = await get(`ticker/24hr?symbol=${symbol}`)
    expect(day).toMatchObject({ volume: '30000000000.00000000', quoteVolume: '750300.00000000' })
    const [kline] = (await get(`klines?symbol=${symbol}&interval=1d`)) as unknown as string[][]
    expect([kline![5], kline![7]]).toEqual(['30000000000.00000000', '750300.00000000'])
    const depth = (await get(`depth?symbol=${symbol}`)) as { asks?: unknown }
    expect(depth.asks).toEqual([['0.00002501', '16116860184.00000000']])
    const trades = await ask('maker', 'GET', 'myTrades', { symbol })
    expect(trades).toMatchObject([
      { qty: '20000000000.00000000', quoteQty: '500200.00000000', commission: '250.10000000' },
      { qty: '10000000000.00000000', quoteQty: '250100.00000000' },
    ])
  })

  test.each([
    ['quantity', { quantity: '46116860415' }, '-1013 Filter failure: LOT_SIZE'],
    ['quantity', { quantity: '20000000000.5' }, '-1013 Filter failure: LOT_SIZE'],
    ['quantity', { quantity: INT64_UNITS }, '-1013 Filter failure: LOT_SIZE'],
    ['quantity', { quantity: BEYOND }, "-1108 Parameter 'quantity' overflowed."],
    ['price', { price: '90071993' }, '-1013 Filter failure: PRICE_FILTER'],
    ['price', { price: '92233720368' }, '-1013 Filter failure: PRICE_FILTER'],
    ['price', { price: '99999999999999999999' }, "-1108 Parameter 'price' overflowed."],
    ['notional', { price: '0.9', quantity: '10000001' }, '-1013 Filter failure: NOTIONAL'],
    [
      'stopPrice',
      { type: 'STOP_LOSS_LIMIT', stopPrice: '90071993' },
      '-1013 Filter failure: PRICE_FILTER',
    ],
    ['icebergQty', { icebergQty: '46116860415' }, '-1013 Filter failure: LOT_SIZE'],
    ['icebergQty', { icebergQty: BEYOND }, "-1108 Parameter 'icebergQty' overflowed."],
  ])('%s out of range: %o', async (_, params, expected) => {
    const good = { ...LIMIT, symbol, side: 'SELL', price: '0.00003', quantity: '1000000' }
    expect(await fault('order', { ...good, ...params } as Given)).toBe(expected)
  })

  test('quote amounts and amended quantities out of range', async () => {
    const market = { symbol, type: 'MARKET', side: 'BUY' }
    const largest = { ...market, quoteOrderQty: INT64_UNITS }
    expect(await ask('maker', 'POST', 'order/test', largest)).toEqual({})
    expect(await fault('order', { ...market, quoteOrderQty: BEYOND })).toBe(
      "-1108 Parameter 'quoteOrderQty' overflowed.",
    )
    const amended = { symbol, orderId: 1, newQty: INT64_UNITS }
    expect(await fault('order/amend/keepPriority', amended, 'PUT')).toBe(
      '-1013 Filter failure: LOT_SIZE',
    )
  })
})

describe('a coin in rupiahs', () => {
  const symbol = 'BTCIDR'

  test('trades above 90 million a coin, by quantity and by amount', async () => {
    await place('maker', 'SELL', { symbol, price: '1650000000', quantity: '54' })
    const bought = await place('taker', 'BUY', {
      symbol,
      price: '1650000010',
      quantity: '15.00001',
    })
    expect(bought).toMatchObject({ cummulativeQuoteQty: '24750016500.00000000', status: 'FILLED' })
    const spent = await ask('taker', 'POST', 'order', {
      symbol,
      type: 'MARKET',
      side: 'BUY',
      quoteOrderQty: '13200000000',
    })
    expect(spent).toMatchObject({ executedQty: '8.00000000', status: 'FILLED' })
    expect(await balanceOf('taker', 'IDR')).toEqual(['2049983500.00000000', '0.00000000'])
    expect(await balanceOf('maker', 'IDR')).toEqual(['37931041491.75000000', '0.00000000'])
  })
})

/** All of an asset that there may be: 2^62 atoms. */
const ALL = '46116860184.27387904'

test('operators move amounts of 64 bits, and no more of an asset than there may be', async () => {
  await operate(exchange, 'asset-list', 'VND')
  const deposit = (account: string, amount: string) =>
    operate(exchange, 'deposit', account, 'VND', amount)
  await deposit('maker', '46116860184.27387903')
  const full = `There is room for ${ALL} VND (2^62 atoms).`
  expect(await refusal(exchange, 'deposit', 'taker', 'VND', '0.00000002')).toBe(full)
  expect(await refusal(exchange, 'deposit', 'taker', 'VND', BEYOND)).toBe(full)
  await deposit('maker', '0.00000001')
  await operate(exchange, 'lock', 'maker', 'VND', '40000000000.00000001')
  expect(await balanceOf('maker', 'VND')).toEqual(['6116860184.27387903', '40000000000.00000001'])
  await operate(exchange, 'unlock', 'maker', 'VND', '40000000000.00000001')
  await operate(exchange, 'withdraw', 'maker', 'VND', ALL, '--yes')
  expect(await balanceOf('maker', 'VND')).toEqual(['0.00000000', '0.00000000'])
  await operate(exchange, 'distribute', 'maker', 'VND', ALL, 'airdrop')
  const { body } = await clients.maker!.send('GET', '/sapi/v1/asset/assetDistributionHistory')
  expect(body).toMatchObject({ rows: [{ asset: 'VND', amount: ALL }] })
})

test('all of it adds up, survives kill -9, and is exported', async () => {
  const seen = async () => [
    await operate(exchange, 'audit'),
    await operate(exchange, 'balances', 'maker'),
    await ask('maker', 'GET', 'openOrders'),
    await ask('taker', 'GET', 'allOrders', { symbol: 'SHIBUSDT' }),
    await ask('taker', 'GET', 'myTrades', { symbol: 'BTCIDR' }),
  ]
  const before = await seen()
  await exchange.stop('SIGKILL')
  const out = path.join(exchange.data, 'trades.csv')
  const words = ['--data', exchange.data]
  const verified = spawnSync(process.execPath, ['dist/scripts/verify-journal.js', ...words])
  expect(String(verified.stdout)).toContain('All is well.')
  spawnSync(process.execPath, [
    'dist/scripts/export.js',
    ...words,
    '--what',
    'trades',
    '--out',
    out,
  ])
  const trades = readFileSync(out, 'utf8')
  expect(trades).toContain('SHIBUSDT,1,0.00002501,20000000000.00000000,500200.00000000')
  expect(trades).toContain('BTCIDR,1,1650000000.00000000,15.00001000,24750016500.00000000')
  await exchange.run()
  expect(await seen()).toEqual(before)
})
