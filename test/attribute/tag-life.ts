/**
 * The life of an order with an orderTag, from the request to a start after a kill. Runs as a test in a
 * copy of the tree that has the attribute (attribute.ts).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { FrameLog } from '../e2e/frame-log.ts'
import { eventually } from '../fixtures/eventually.ts'

let exchange: ExchangeProcess

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
})
afterAll(() => exchange?.remove())

test('a tag is in responses, streams, queries of the archive, and after a start', async () => {
  const key = exchange.keys().trader1!
  const client = new SignedClient(exchange.url, key)
  const listening = await fetch(`${exchange.url}/api/v3/userDataStream`, {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': key.apiKey },
  })
  const { listenKey } = (await listening.json()) as { listenKey: string }
  const log = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
  const symbol = 'BTCUSDT'
  const order = {
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 1,
    price: 20_000,
  }
  const placed = await client.send('POST', '/api/v3/order', { ...order, orderTag: 77 })
  expect(placed).toMatchObject({ status: 200, body: { orderTag: 77 } })
  const plain = await client.send('POST', '/api/v3/order', order)
  expect(plain.body).not.toHaveProperty('orderTag')
  const report = await eventually('the report', async () =>
    log.frames.find(({ e, i }) => e === 'executionReport' && i === placed.body.orderId),
  )
  expect(report).toMatchObject({ oT: 77 })
  await log.close()
  const shown = async () => [
    await client.send('GET', '/api/v3/openOrders', { symbol }),
    await client.send('GET', '/api/v3/allOrders', { symbol }),
  ]
  const tagged = [
    expect.objectContaining({ orderTag: 77 }),
    expect.not.objectContaining({ orderTag: 77 }),
  ]
  for (const { body } of await shown()) expect(body).toEqual(tagged)
  await exchange.stop('SIGKILL')
  await exchange.run()
  for (const { body } of await shown()) expect(body).toEqual(tagged)
})
