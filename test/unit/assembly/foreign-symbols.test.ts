/**
 * Symbols whose names are outside ASCII, over every way of the protocol, before and after a restart. The names are
 * those of Binance's own examples, and such as are listed there.
 */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type EmbeddedExchange, startExchange } from '../../../src/index.ts'
import { madeSymbol } from '../../fixtures/made-exchange-info.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const folder = temporaryFolder()
const file = path.join(folder, 'exchange-info.json')
const [COIN, DIGITS, CASED] = ['币安人生', '１２３４５６', 'ÄΩЖ'] as const
const SYMBOL = `${COIN}USDT`
const asFound = (base: string, quote = 'USDT') => madeSymbol(base, quote, 0)

const start = () =>
  startExchange({
    folder: path.join(folder, 'data'),
    accounts: { alice: { USDT: '10000', [COIN]: '1000' }, bob: { USDT: '10000' } },
    settings: { 'symbols-from': file, sandbox: true },
  })

let exchange: EmbeddedExchange
beforeAll(async () => {
  const symbols = [asFound(COIN), asFound(DIGITS), asFound(CASED), asFound('é'), asFound('a\u0301')]
  writeFileSync(file, JSON.stringify({ symbols }))
  exchange = await start()
})
afterAll(() => exchange?.close())

const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! })
const get = async (at: string) => {
  const response = await fetch(exchange.url + at)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const order = (side: string, more: Readonly<Record<string, string>> = {}) => ({
  symbol: SYMBOL,
  side,
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '10',
  price: '2',
  ...more,
})

/** Frames of a WebSocket as texts; `until` resolves to the first that contains a text. */
async function opened(url: string) {
  const socket = new WebSocket(url)
  const frames: string[] = []
  socket.on('message', (data) => frames.push(String(data)))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const until = (text: string) =>
    expect
      .poll(() => frames.find((frame) => frame.includes(text)), { timeout: 5_000 })
      .toBeDefined()
  return { socket, frames, until }
}

test('exchangeInfo has the names that are legal, and finds them', async () => {
  const { body } = await get('/api/v3/exchangeInfo')
  const names = (body.symbols as { symbol: string }[]).map(({ symbol }) => symbol)
  expect(names.filter((name) => /[^A-Z]/.test(name))).toEqual([
    SYMBOL,
    `${DIGITS}USDT`,
    `${CASED}USDT`,
  ])
  const asked = encodeURIComponent(JSON.stringify([SYMBOL, 'BTCUSDT']))
  expect((await get(`/api/v3/exchangeInfo?symbols=${asked}`)).body.symbols).toHaveLength(2)
  expect((await get('/api/v3/depth?symbol=%E5%B8%81USDT')).body.code).toBe(-1121)
  expect((await get(`/api/v3/depth?symbol=${encodeURIComponent('äωжUSDT')}`)).body.code).toBe(-1100)
})

test('orders, streams and events carry the name', async () => {
  const lower = encodeURIComponent(SYMBOL.toLowerCase())
  const single = await opened(`${exchange.wsUrl}/ws/${lower}@trade`)
  const several = await opened(`${exchange.wsUrl}/stream?streams=${lower}@depth/!miniTicker@arr`)
  const subscribed = await opened(`${exchange.wsUrl}/ws`)
  const names = [`${SYMBOL.toLowerCase()}@bookTicker`, `${CASED.toLowerCase()}usdt@trade`]
  subscribed.socket.send(JSON.stringify({ method: 'SUBSCRIBE', params: names, id: 1 }))
  subscribed.socket.send('{"method":"LIST_SUBSCRIPTIONS","id":2}')
  await subscribed.until(JSON.stringify(names))
  const api = await opened(exchange.wsApiUrl)
  const { apiKey, secretKey } = exchange.accounts.bob!
  const signed = (method: string, params: Readonly<Record<string, string | number>>) => {
    const all: Record<string, string | number> = { ...params, apiKey, timestamp: Date.now() }
    const pairs = Object.keys(all).sort()
    const payload = pairs.map((name) => `${name}=${all[name]}`).join('&')
    const signature = createHmac('sha256', secretKey).update(payload).digest('hex')
    api.socket.send(JSON.stringify({ id: method, method, params: { ...all, signature } }))
  }
  signed('userDataStream.subscribe.signature', {})
  await api.until('"subscriptionId":0')
  signed('order.place', order('BUY'))
  await api.until('"orderId":')
  await api.until(`"e":"executionReport","E":`)
  const sold = await clientOf('alice').send('POST', '/api/v3/order', order('SELL'))
  expect(sold).toMatchObject({ status: 200, body: { symbol: SYMBOL, status: 'FILLED' } })
  await api.until('"X":"FILLED"')
  expect(api.frames.join('')).toContain(`"s":"${SYMBOL}"`)
  expect(api.frames.join('')).toContain(`"a":"${COIN}"`)
  await single.until(`"s":"${SYMBOL}"`)
  await several.until(`{"stream":"${SYMBOL.toLowerCase()}@depth"`)
  await several.until(`"e":"24hrMiniTicker"`)
  await subscribed.until(`"s":"${SYMBOL}"`)
  for (const { socket } of [single, several, subscribed, api]) socket.terminate()
})

test('the signature covers the encoded text, and no other', async () => {
  const { apiKey, secretKey } = exchange.accounts.alice!
  const tries = [
    [encodeURIComponent(SYMBOL), encodeURIComponent(SYMBOL), 200],
    [encodeURIComponent(SYMBOL), SYMBOL, 400],
    [SYMBOL, SYMBOL, 400],
  ] as const
  for (const [sent, covered, status] of tries) {
    const payload = (symbol: string) => `symbol=${symbol}&timestamp=${Date.now()}`
    const text = payload(covered)
    const signature = createHmac('sha256', secretKey).update(text).digest('hex')
    const body = `${text.replace(covered, sent)}&signature=${signature}`
    const response = await fetch(`${exchange.url}/api/v3/openOrders?${body}`, {
      headers: { 'X-MBX-APIKEY': apiKey },
    })
    expect([sent, response.status]).toEqual([sent, status])
    if (status === 400) expect(await response.json()).toMatchObject({ code: -1022 })
  }
})

test('history and balances have the name after a restart', async () => {
  await exchange.close()
  exchange = await start()
  const trades = await clientOf('bob').send('GET', '/api/v3/myTrades', { symbol: SYMBOL })
  expect(trades.body).toMatchObject([{ symbol: SYMBOL, qty: '10.00000000', commissionAsset: COIN }])
  const account = await clientOf('alice').send('GET', '/api/v3/account')
  expect(account.body.balances).toContainEqual({
    asset: COIN,
    free: '990.00000000',
    locked: '0.00000000',
  })
  const lines = await get(`/api/v3/klines?symbol=${encodeURIComponent(SYMBOL)}&interval=1m`)
  expect(lines.body).toContainEqual(expect.arrayContaining(['10.00000000']))
  const more = { asset: COIN, amount: '5' }
  const given = await clientOf('alice').send('POST', '/sandbox/v1/faucet', more)
  expect([given.status, given.body]).toMatchObject([200, {}])
})
