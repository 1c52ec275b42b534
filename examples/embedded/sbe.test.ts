/** A bot's test in SBE with vitest: `template` says which members `message` has, and TypeScript knows them. */
import { type EmbeddedExchange, startExchange } from 'ringbook'
import { decode, type SbeMessage } from 'ringbook/sbe'
import { afterAll, beforeAll, expect, test } from 'vitest'

let exchange: EmbeddedExchange
beforeAll(async () => {
  exchange = await startExchange()
})
afterAll(() => exchange?.close())

/** An answer in SBE. */
async function read(path: string): Promise<SbeMessage> {
  const headers = { accept: 'application/sbe', 'x-mbx-sbe': '3:5' }
  const response = await fetch(exchange.url + path, { headers })
  return decode(new Uint8Array(await response.arrayBuffer()))
}

test('the bot knows the smallest step of the price', async () => {
  const info = await read('/api/v3/exchangeInfo?symbol=BTCUSDT')
  if (info.template !== 'ExchangeInfoResponse') throw new Error(info.template)
  const [symbol] = info.message.symbols
  const filter = symbol?.filters.find(({ filter }) => filter.template === 'PriceFilter')?.filter
  expect(filter?.message).toMatchObject({ tickSize: '0.01000000' })
})

test('a refusal is a message too', async () => {
  const refusal = await read('/api/v3/depth?symbol=NONE')
  expect(refusal).toMatchObject({ template: 'ErrorResponse', message: { code: -1121 } })
})
