/** Block trades of a whole exchange in this process, as operators and clients see them. */
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, VenueBlockTrade } from '../../../src/assembly/options.ts'
import { BLOCK_TRADES_KNOWN_MAX } from '../../../src/base/limits.ts'
import { FrameLog } from '../../e2e/frame-log.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const SYMBOL = 'BTCUSDT'
const folder = folderPerTest()
let exchange: EmbeddedExchange
afterEach(() => exchange.close())

async function start(settings: object = {}): Promise<void> {
  exchange = await startHere({
    folder: folder('data'),
    accounts: { buyer: { USDT: '200000' }, seller: { BTC: '100' } },
    settings,
  })
}

const terms = {
  symbol: SYMBOL,
  buyer: 'buyer',
  seller: 'seller',
  price: '60000',
  quantity: '2',
  id: 'otc-17',
} satisfies VenueBlockTrade
const trade = (more: Partial<VenueBlockTrade> = {}) => exchange.blockTrade({ ...terms, ...more })
const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () => Date.now())
async function fundsOf(account: string): Promise<Record<string, string>> {
  const { body } = await clientOf(account).send('GET', '/api/v3/account', {
    omitZeroBalances: 'true',
  })
  const balances = body.balances as unknown as { asset: string; free: string; locked: string }[]
  return Object.fromEntries(balances.map(({ asset, free, locked }) => [asset, `${free} ${locked}`]))
}
const history = async (fromId = 1) => {
  const path = `/api/v3/historicalBlockTrades?symbol=${SYMBOL}&fromId=${fromId}`
  return (await (await fetch(`${exchange.url}${path}`)).json()) as Record<string, unknown>[]
}
const shown = { id: 1, price: '60000.00000000', qty: '2.00000000', quoteQty: '120000.00000000' }

test('two accounts trade outside of the book, and clients see it', async () => {
  await start()
  const stream = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@blockTrade`)
  const trades = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@trade`)
  const headers = { 'X-MBX-APIKEY': exchange.accounts.seller!.apiKey }
  const opened = await fetch(`${exchange.url}/api/v3/userDataStream`, { method: 'POST', headers })
  const { listenKey } = (await opened.json()) as { listenKey: string }
  const user = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
  expect(await trade({ fee: '0.001' })).toBe(1)
  await expect
    .poll(() => stream.frames)
    .toMatchObject([
      { e: 'blockTrade', s: SYMBOL, t: 1, p: '60000.00000000', q: '2.00000000', m: true },
    ])
  expect(Object.keys(stream.frames[0]!)).toEqual(['e', 'E', 's', 't', 'p', 'q', 'T', 'm'])
  await expect
    .poll(() => user.frames)
    .toMatchObject([
      {
        e: 'outboundAccountPosition',
        B: [
          { a: 'BTC', f: '98.00000000', l: '0.00000000' },
          { a: 'USDT', f: '119880.00000000', l: '0.00000000' },
        ],
      },
    ])
  expect(await fundsOf('buyer')).toEqual({
    BTC: '1.99800000 0.00000000',
    USDT: '80000.00000000 0.00000000',
  })
  await expect.poll(() => history()).toMatchObject([{ ...shown, isBuyerMaker: true }])
  expect(await history(2)).toEqual([])
  const ticker = await fetch(`${exchange.url}/api/v3/ticker/24hr?symbol=${SYMBOL}`)
  expect(await ticker.json()).toMatchObject({ count: 0, volume: '0.00000000' })
  expect(trades.frames).toEqual([])
  for (const log of [stream, trades, user]) await log.close()
})

test('one that is sent again is not made again, nor after a start', async () => {
  await start()
  expect(await trade()).toBe(1)
  expect(await trade()).toBe(1)
  await exchange.close()
  await start()
  expect(await trade()).toBe(1)
  await expect(trade({ quantity: '1' })).rejects.toThrow('Another block trade of the symbol has')
  expect(await trade({ quantity: '1', id: 'otc-18' })).toBe(2)
  expect(await fundsOf('seller')).toMatchObject({ BTC: '97.00000000 0.00000000' })
  await expect.poll(async () => (await history()).map(({ id }) => id)).toEqual([1, 2])
})

test('one behind the newest that a matcher knows is not made again', {
  timeout: 60_000,
}, async () => {
  await start()
  const dust = { price: '100', quantity: '0.0001' }
  expect(await trade()).toBe(1)
  for (let id = 2; id <= BLOCK_TRADES_KNOWN_MAX + 1; id++) await trade({ ...dust, id: `n${id}` })
  const before = await fundsOf('seller')
  await expect.poll(() => history(BLOCK_TRADES_KNOWN_MAX + 1)).toHaveLength(1)
  expect(await trade()).toBe(1)
  await expect(trade({ quantity: '1' })).rejects.toThrow('Another block trade of the symbol has')
  expect(await fundsOf('seller')).toEqual(before)
  expect(await trade({ ...dust, id: 'another' })).toBe(BLOCK_TRADES_KNOWN_MAX + 2)
})

test('one that cannot be made changes nothing', async () => {
  await start()
  const refused = async (more: Partial<VenueBlockTrade>, why: string) =>
    expect(trade(more)).rejects.toThrow(why)
  await refused({ quantity: '4' }, 'Account has insufficient balance for requested action.')
  await refused({ seller: 'buyer' }, 'buyer and seller must be two accounts.')
  await refused({ buyer: 'nobody' }, 'There is no account nobody.')
  await refused({ price: '0.001' }, 'price must be a multiple of 0.01.')
  await refused({ quantity: '0.0000001' }, 'quantity must be a multiple of 0.00001.')
  await refused(
    { price: '99999999', quantity: '9999999' },
    'price is more than the exchange counts.',
  )
  await refused(
    { price: '9999999', quantity: '9999999' },
    'It is worth more than the exchange counts.',
  )
  await refused({ fee: '0.6' }, 'fee must be at most 0.5.')
  await refused({ id: 'a b' }, 'id must be 1 to 36 letters')
  expect(await fundsOf('seller')).toEqual({ BTC: '100.00000000 0.00000000' })
  expect(await history()).toEqual([])
})
