/**
 * The life of an order with an orderTag: request, responses, stream, archive, a start from the journal and
 * one from a snapshot. Runs as a test in a copy of the tree that has the attribute (attribute.ts).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { FrameLog } from '../e2e/frame-log.ts'
import { act } from '../e2e/operator-door.ts'
import { eventually } from '../fixtures/eventually.ts'

const symbol = 'BTCUSDT'
const limit = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 1, price: 20_000 }
const pair = {
  symbol,
  side: 'SELL',
  quantity: 0.01,
  aboveType: 'LIMIT_MAKER',
  abovePrice: 200_000,
  aboveOrderTag: 78,
  belowType: 'STOP_LOSS_LIMIT',
  belowTimeInForce: 'GTC',
  belowStopPrice: 10_000,
  belowPrice: 10_000,
}

let exchange: ExchangeProcess
let client: SignedClient
let log: FrameLog

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
  const key = exchange.keys().trader1!
  client = new SignedClient(exchange.url, key)
  const listening = await fetch(`${exchange.url}/api/v3/userDataStream`, {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': key.apiKey },
  })
  const { listenKey } = (await listening.json()) as { listenKey: string }
  log = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
})
afterAll(() => exchange?.remove())

const with77 = expect.objectContaining({ orderTag: 77 })
const with78 = expect.objectContaining({ orderTag: 78 })
const without = expect.not.objectContaining({ orderTag: expect.anything() })

/** The tags of all orders: of the order, of a plain one, of the stop and of the limit of the pair. */
async function checkTags(): Promise<void> {
  for (const operation of ['openOrders', 'allOrders']) {
    const { body } = await client.send('GET', `/api/v3/${operation}`, { symbol })
    expect(body).toEqual([with77, without, without, with78])
  }
}

test('a tag is in responses, in the stream and in queries', async () => {
  const placed = await client.send('POST', '/api/v3/order', { ...limit, orderTag: 77 })
  expect(placed).toMatchObject({ status: 200, body: { orderTag: 77 } })
  const plain = await client.send('POST', '/api/v3/order', limit)
  expect(plain.body).not.toHaveProperty('orderTag')
  const report = await eventually('the report', async () =>
    log.frames.find(({ e, i }) => e === 'executionReport' && i === placed.body.orderId),
  )
  expect(report).toMatchObject({ oT: 77 })
  const list = await client.send('POST', '/api/v3/orderList/oco', pair)
  expect(list.body.orderReports).toEqual([without, with78])
  await log.close()
  await checkTags()
})

test('a start after a kill reads it from the journal', async () => {
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(exchange.output).not.toContain('goes on from a snapshot')
  await checkTags()
})

test('a start after a kill reads it from a snapshot', async () => {
  const { said } = await act(exchange, 'snapshot', {})
  expect(said).toMatch(/^Snapshot 1 covers \d+ events\.$/)
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(exchange.output).toContain('goes on from a snapshot')
  await checkTags()
})
