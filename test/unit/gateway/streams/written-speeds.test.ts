/** Names with their default speed written out, as older connectors send them, beside the bare names. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, OneThreadExchange } from '../../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange

beforeAll(async () => {
  exchange = await OneThreadExchange.start()
})
afterAll(() => exchange.close())

test.each([
  ['btcusdt@depth', 'btcusdt@depth@1000ms'],
  ['btcusdt@depth10', 'btcusdt@depth10@1000ms'],
  ['!miniTicker@arr', '!miniTicker@arr@1000ms'],
  ['!miniTicker@arr', '!miniTicker@arr@3000ms'],
  ['!ticker_1h@arr', '!ticker_1h@arr@3000ms'],
])('%s and %s send the same frames, each by the name asked for', async (bare, written) => {
  const socket = await exchange.socket(`/stream?streams=${bare}/${written}`)
  const frames: Json[] = []
  const framesOf = (name: string) => frames.filter(({ stream }) => stream === name)
  for (let price = 300; framesOf(written).length < 2 || frames.length % 2 > 0; price++) {
    await exchange.limitOrder(1, 'SELL', `${price}.00`, '1.00000')
    await exchange.limitOrder(2, 'BUY', `${price}.00`, '2.00000')
    frames.push(await socket.next())
    while (socket.waiting > 0) frames.push(await socket.next())
  }
  expect(framesOf(written).map(({ data }) => data)).toEqual(framesOf(bare).map(({ data }) => data))
  socket.send({ method: 'UNSUBSCRIBE', params: [bare], id: 1 })
  socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 2 })
  let answer = await socket.next()
  while (answer.id !== 2) answer = await socket.next()
  expect(answer.result).toEqual([written])
  socket.close()
})
