import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../e2e/eventually.ts'
import { keyOf, OneThreadExchange, sign } from './one-thread-exchange.ts'

test('a client that asks for much and reads nothing is closed; others go on', async () => {
  const exchange = await OneThreadExchange.start({ commandSlots: 1024 })
  for (let i = 0; i < 200; i++) await exchange.limitOrder(1, 'BUY', '1.00', '10')
  const other = await exchange.socket('/ws-api/v3')
  const slow = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws-api/v3`)
  await new Promise((resolve) => slow.once('open', resolve))
  slow.pause()
  const { apiKey } = keyOf(1)
  const paramsNow = () => {
    const timestamp = exchange.nowMs()
    const signature = sign(1, `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`)
    return { apiKey, symbol: 'BTCUSDT', timestamp, signature }
  }
  const ask = (id: number) => ({ id, method: 'openOrders.status', params: paramsNow() })
  // Each answer has some 90 kB: the kernel keeps a few of them, the gateway one megabyte.
  const isOver = () => exchange.counter('connections') === 1
  await eventually('the end of the connection', () => {
    slow.send(JSON.stringify(ask(1)))
    return isOver() || undefined
  })
  expect([exchange.counter('slowClientsClosed'), exchange.counter('readerLapped')]).toEqual([1, 0])
  expect(await other.ask({ id: 2, method: 'ping' })).toMatchObject({ id: 2, status: 200 })
  const { status } = await other.ask(ask(3))
  expect(status).toBe(200)
  slow.terminate()
  other.close()
  exchange.close()
})
