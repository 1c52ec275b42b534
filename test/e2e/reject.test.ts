/** What the exchange says when it says no: HTTP status, code and exact message of each refusal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DemoKey } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
const GOOD = { ...LIMIT, price: '45000', quantity: '0.01' }
const MARKET = { symbol: SYMBOL, side: 'BUY', type: 'MARKET' }

let exchange: LoopExchange
let client: SignedClient

beforeAll(async () => {
  exchange = await LoopExchange.start()
  client = new SignedClient(exchange.url, exchange.keys().trader1 as DemoKey)
  for (const order of [
    { ...GOOD, side: 'SELL', price: '60000', newClientOrderId: 'the-ask' },
    { ...GOOD, side: 'BUY', price: '40000', newClientOrderId: 'the-bid' },
  ])
    expect((await client.send('POST', '/api/v3/order', order)).status).toBe(200)
})
afterAll(() => exchange?.remove())

type Params = Record<string, string | number>
type Case = readonly [name: string, params: Params, code: number, msg: string]

const without = (name: string): Params =>
  Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== name))

const missing = (name: string) =>
  `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`

const orderCases: readonly Case[] = [
  ['no side', without('side'), -1102, missing('side')],
  ['no type', without('type'), -1102, missing('type')],
  ['no price', without('price'), -1102, missing('price')],
  ['no quantity', without('quantity'), -1102, missing('quantity')],
  ['no timeInForce', without('timeInForce'), -1102, missing('timeInForce')],
  ['an unknown symbol', { ...GOOD, symbol: 'NOPE' }, -1121, 'Invalid symbol.'],
  ['an unknown side', { ...GOOD, side: 'HOLD' }, -1117, 'Invalid side.'],
  ['an unknown type', { ...GOOD, type: 'MAYBE' }, -1116, 'Invalid orderType.'],
  ['an unknown timeInForce', { ...GOOD, timeInForce: 'GTX' }, -1115, 'Invalid timeInForce.'],
  [
    'an unknown response type',
    { ...GOOD, newOrderRespType: 'LONG' },
    -1130,
    "Data sent for parameter 'newOrderRespType' is not valid.",
  ],
  [
    'timeInForce with MARKET',
    { ...MARKET, quantity: '1', timeInForce: 'GTC' },
    -1114,
    'TimeInForce parameter sent when not required.',
  ],
  [
    'price with MARKET',
    { ...MARKET, quantity: '1', price: '1' },
    -1106,
    "Parameter 'price' sent when not required.",
  ],
  [
    'quantity and quoteOrderQty',
    { ...MARKET, quantity: '1', quoteOrderQty: '100' },
    -1128,
    'Combination of optional parameters invalid.',
  ],
  ['a price of zero', { ...GOOD, price: '0' }, -1013, 'Invalid price.'],
  ['a quantity of zero', { ...GOOD, quantity: '0.000' }, -1013, 'Invalid quantity.'],
  [
    'nine decimals',
    { ...GOOD, quantity: '0.123456789' },
    -1111,
    "Parameter 'quantity' has too much precision.",
  ],
  [
    'letters for a number',
    { ...GOOD, quantity: 'many' },
    -1100,
    "Illegal characters found in parameter 'quantity'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.",
  ],
  ['between ticks', { ...GOOD, price: '45000.001' }, -1013, 'Filter failure: PRICE_FILTER'],
  ['above the highest price', { ...GOOD, price: '1000001' }, -1013, 'Filter failure: PRICE_FILTER'],
  ['between steps', { ...GOOD, quantity: '0.010001' }, -1013, 'Filter failure: LOT_SIZE'],
  ['above the largest lot', { ...GOOD, quantity: '9001' }, -1013, 'Filter failure: LOT_SIZE'],
  [
    'above the largest market lot',
    { ...MARKET, quantity: '121' },
    -1013,
    'Filter failure: MARKET_LOT_SIZE',
  ],
  ['too small a notional', { ...GOOD, price: '1' }, -1013, 'Filter failure: NOTIONAL'],
  [
    'a prevention mode that the symbol does not allow',
    { ...GOOD, selfTradePreventionMode: 'NONE' },
    -1013,
    'This symbol does not allow the specified self-trade prevention mode.',
  ],
  [
    'an empty client id',
    { ...GOOD, newClientOrderId: '' },
    -1118,
    'New client order ID was empty.',
  ],
  [
    'both spellings of the client id',
    { ...GOOD, newClientOrderId: 'a', clOrdId: 'a' },
    -1128,
    'Combination of optional parameters invalid.',
  ],
  ['a client id in use', { ...GOOD, newClientOrderId: 'the-ask' }, -2010, 'Duplicate order sent.'],
  [
    'more than one has',
    { ...GOOD, side: 'SELL', price: '1000', quantity: '8000' },
    -2010,
    'Account has insufficient balance for requested action.',
  ],
  [
    'a maker that would take',
    { symbol: SYMBOL, side: 'BUY', type: 'LIMIT_MAKER', price: '60000', quantity: '0.01' },
    -2010,
    'Order would immediately match and take.',
  ],
  [
    'an unknown parameter',
    { ...GOOD, colour: 'green' },
    -1104,
    "Not all sent parameters were read; read '8' parameter(s) but was sent '9'.",
  ],
]

describe('placing an order', () => {
  test.each(orderCases)('%s', async (_name, params, code, msg) => {
    const answer = await client.send('POST', '/api/v3/order', params)
    expect(answer).toEqual({ status: 400, body: { code, msg } })
  })

  test('a market order on an empty book', async () => {
    const other = new SignedClient(exchange.url, exchange.keys().trader2 as DemoKey)
    const market = { ...MARKET, symbol: 'ADAUSDT', quantity: '100' }
    const noDepth = { code: -1112, msg: 'No orders on book for symbol.' }
    expect((await client.send('POST', '/api/v3/order', market)).body).toEqual(noDepth)

    const ask = { ...LIMIT, symbol: 'ADAUSDT', side: 'SELL', price: '0.5', quantity: '100' }
    expect((await other.send('POST', '/api/v3/order', ask)).status).toBe(200)
    expect((await client.send('POST', '/api/v3/order', { ...ask, side: 'BUY' })).status).toBe(200)
    const lonely = await client.send('POST', '/api/v3/order', market)
    expect(lonely.body).toEqual(noDepth)
  })

  test('a test order is checked alike, and changes nothing', async () => {
    const good = await client.send('POST', '/api/v3/order/test', GOOD)
    expect(good).toEqual({ status: 200, body: {} })
    const bad = await client.send('POST', '/api/v3/order/test', { ...GOOD, side: 'HOLD' })
    expect(bad.body).toEqual({ code: -1117, msg: 'Invalid side.' })
    const open = await client.send('GET', '/api/v3/openOrders', { symbol: SYMBOL })
    expect(open.body).toHaveLength(2)
  })
})

const unknownOrder = 'Unknown order sent.'
const noOrder = 'Order does not exist.'
const neither = "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!"
const lookups: readonly (readonly [method: string, ...Case])[] = [
  ['GET', 'an unknown id', { symbol: SYMBOL, orderId: 999_999 }, -2013, noOrder],
  ['GET', 'an unknown client id', { symbol: SYMBOL, origClientOrderId: 'none' }, -2013, noOrder],
  ['GET', 'neither id', { symbol: SYMBOL }, -1102, neither],
  ['GET', 'no symbol', { orderId: 1 }, -1102, missing('symbol')],
  ['DELETE', 'an unknown id', { symbol: SYMBOL, orderId: 999_999 }, -2011, unknownOrder],
  [
    'DELETE',
    'ids that disagree',
    { symbol: SYMBOL, orderId: 999_999, origClientOrderId: 'the-ask' },
    -2011,
    unknownOrder,
  ],
  [
    'DELETE',
    'neither id',
    { symbol: SYMBOL },
    -2011,
    'Cancel order is invalid. Check origClOrdId and orderId.',
  ],
  [
    'DELETE',
    'a restriction that it does not meet',
    { symbol: SYMBOL, origClientOrderId: 'the-ask', cancelRestrictions: 'ONLY_PARTIALLY_FILLED' },
    -2011,
    'Order was not canceled due to cancel restrictions.',
  ],
  [
    'DELETE',
    'a restriction that is none',
    { symbol: SYMBOL, origClientOrderId: 'the-ask', cancelRestrictions: 'NEVER' },
    -1145,
    'Invalid cancelRestrictions',
  ],
]

describe('finding an order', () => {
  test.each(lookups)('%s with %s', async (method, _name, params, code, msg) => {
    const answer = await client.send(method, '/api/v3/order', params)
    expect(answer).toEqual({ status: 400, body: { code, msg } })
  })

  test('of another account', async () => {
    const other = new SignedClient(exchange.url, exchange.keys().trader2 as DemoKey)
    const query = { symbol: SYMBOL, orderId: 1 }
    expect((await other.send('GET', '/api/v3/order', query)).body).toMatchObject({ code: -2013 })
    expect((await other.send('DELETE', '/api/v3/order', query)).body).toMatchObject({ code: -2011 })
    expect((await client.send('GET', '/api/v3/order', query)).status).toBe(200)
  })
})

describe('who asks, and when', () => {
  const account = async (query: string, apiKey: string | undefined) => {
    const response = await fetch(`${exchange.url}/api/v3/account?${query}`, {
      headers: apiKey === undefined ? {} : { 'X-MBX-APIKEY': apiKey },
    })
    return { status: response.status, body: await response.json() }
  }
  const keyOf = () => (exchange.keys().trader1 as DemoKey).apiKey

  test('no key, or one of another shape', async () => {
    const refusal = { status: 401, body: { code: -2014, msg: 'API-key format invalid.' } }
    expect(await account(client.sign({}), undefined)).toEqual(refusal)
    expect(await account(client.sign({}), 'short')).toEqual(refusal)
  })

  test('an unknown key', async () => {
    const msg = 'Invalid API-key, IP, or permissions for action.'
    const refusal = { status: 401, body: { code: -2015, msg } }
    expect(await account(client.sign({}), 'x'.repeat(64))).toEqual(refusal)
  })

  test("another's signature", async () => {
    const other = new SignedClient(exchange.url, exchange.keys().trader2 as DemoKey)
    const msg = 'Signature for this request is not valid.'
    const refusal = { status: 400, body: { code: -1022, msg } }
    expect(await account(other.sign({}), keyOf())).toEqual(refusal)
  })

  test('an upper-case signature is as good', async () => {
    const [query, signature] = client.sign({}).split('&signature=') as [string, string]
    const answer = await account(`${query}&signature=${signature.toUpperCase()}`, keyOf())
    expect(answer.status).toBe(200)
  })

  test('a window that is too wide', async () => {
    const answer = await account(client.sign({ recvWindow: 60_001 }), keyOf())
    const msg = "'recvWindow' contains unexpected value. Cannot be greater than 60000."
    expect(answer).toEqual({ status: 400, body: { code: -1102, msg } })
    expect((await account(client.sign({ recvWindow: 60_000 }), keyOf())).status).toBe(200)
  })

  test('no time', async () => {
    const answer = await account(`signature=${'a'.repeat(64)}`, keyOf())
    expect(answer.body).toEqual({ code: -1102, msg: missing('timestamp') })
  })
})

test('a path that is none has no body, below /api one in JSON', async () => {
  const ask = async (path: string) => {
    const response = await fetch(`${exchange.url}${path}`)
    return [response.status, await response.text()]
  }
  const body = '{"code":-1020,"msg":"This operation is not supported."}'
  expect(await ask('/api/v3/nothing')).toEqual([404, body])
  expect(await ask('/nothing')).toEqual([404, ''])
})
