/** What the ticket asks for, what it sends, and what it says while an order is typed. */
import { expect, test } from 'vitest'
import { marketSymbol, type SymbolRow } from '../../../src/console/market/symbols.ts'
import { faultsOf } from '../../../src/console/trade/order-checks.ts'
import { groupsOf, kindsOf, orderParams, pathOf } from '../../../src/console/trade/order-kinds.ts'

const row: SymbolRow = {
  ...{ symbol: 'BTCUSDT', status: 'TRADING', baseAsset: 'BTC', quoteAsset: 'USDT' },
  orderTypes: [
    ...['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT'],
    'TAKE_PROFIT_LIMIT',
  ],
  ...{ icebergAllowed: true, ocoAllowed: true, otoAllowed: true, allowTrailingStop: true },
  ...{ quoteOrderQtyMarketAllowed: true, cancelReplaceAllowed: true },
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000.00', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000.0', stepSize: '0.00001' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.0', maxQty: '120.0', stepSize: '0.0' },
    { filterType: 'ICEBERG_PARTS', limit: 10 },
    {
      filterType: 'TRAILING_DELTA',
      ...{ minTrailingAboveDelta: 10, maxTrailingAboveDelta: 2_000 },
      ...{ minTrailingBelowDelta: 10, maxTrailingBelowDelta: 2_000 },
    },
    { filterType: 'NOTIONAL', minNotional: '5.0', maxNotional: '9000000.0' },
  ],
  defaultSelfTradePreventionMode: 'NONE',
  allowedSelfTradePreventionModes: ['EXPIRE_TAKER'],
}
const symbol = marketSymbol(row)
const namesOf = (kind: string, values = {}) =>
  groupsOf(symbol, kind, values).flatMap(({ fields }) => fields.map(({ name }) => name))

test('kinds are those that the symbol takes', () => {
  expect(kindsOf(symbol)).toEqual([...row.orderTypes, 'OCO', 'OTO', 'OTOCO'])
  const plain = { ...symbol, orderTypes: ['LIMIT'], ocoAllowed: false }
  expect(kindsOf(plain)).toEqual(['LIMIT', 'OTO'])
  const stiff = { ...symbol, icebergAllowed: false, allowTrailingStop: false }
  const fields = groupsOf(stiff, 'STOP_LOSS_LIMIT', {}).flatMap((group) => group.fields)
  expect(fields.map(({ name }) => name)).toEqual(['stopPrice', 'price', 'quantity', 'timeInForce'])
})

test.each([
  ['LIMIT', {}, ['price', 'quantity', 'timeInForce', 'icebergQty']],
  ['LIMIT_MAKER', {}, ['price', 'quantity', 'icebergQty']],
  ['MARKET', {}, ['quantity', 'quoteOrderQty']],
  ['MARKET', { quantity: '1' }, ['quantity']],
  ['MARKET', { quoteOrderQty: '1' }, ['quoteOrderQty']],
  ['STOP_LOSS', {}, ['stopPrice', 'trailingDelta', 'quantity']],
  [
    'OCO',
    { aboveType: 'TAKE_PROFIT', belowType: 'STOP_LOSS' },
    [
      ...['quantity', 'aboveType', 'aboveStopPrice', 'aboveTrailingDelta'],
      ...['belowType', 'belowStopPrice', 'belowTrailingDelta'],
    ],
  ],
  [
    'OTO',
    { pendingType: 'MARKET' },
    [
      ...['workingType', 'workingPrice', 'workingQuantity', 'workingTimeInForce'],
      ...['workingIcebergQty', 'pendingSide', 'pendingType', 'pendingQuantity'],
    ],
  ],
])('%s with %j asks for its fields', (kind, values, names) => {
  expect(namesOf(kind, values)).toEqual(names)
})

test('what was typed for another kind is not sent', () => {
  const values = { price: ' 50000 ', quantity: '0.1', stopPrice: '49000', aboveType: 'STOP_LOSS' }
  expect(orderParams(symbol, 'LIMIT', 'SELL', values)).toEqual({
    ...{ symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', price: '50000', quantity: '0.1' },
    ...{ timeInForce: 'GTC', newOrderRespType: 'FULL' },
  })
  const prevented = { ...values, selfTradePreventionMode: 'EXPIRE_TAKER' }
  expect(orderParams(symbol, 'LIMIT_MAKER', 'BUY', prevented)).toMatchObject({
    selfTradePreventionMode: 'EXPIRE_TAKER',
  })
})

test('lists name their sides and legs', () => {
  const values = { workingPrice: '1', workingQuantity: '2', pendingQuantity: '2' }
  const params = orderParams(symbol, 'OTOCO', 'BUY', { ...values, pendingSide: 'SELL' })
  expect(params).toMatchObject({
    ...{ workingSide: 'BUY', workingType: 'LIMIT', workingTimeInForce: 'GTC' },
    ...{ pendingSide: 'SELL', pendingAboveType: 'LIMIT_MAKER' },
    ...{ pendingBelowType: 'STOP_LOSS_LIMIT', pendingBelowTimeInForce: 'GTC' },
  })
  expect(params).not.toHaveProperty('type')
  expect(params).not.toHaveProperty('side')
  expect(['LIMIT', 'OCO', 'OTO', 'OTOCO'].map(pathOf)).toEqual([
    ...['/api/v3/order', '/api/v3/orderList/oco', '/api/v3/orderList/oto'],
    '/api/v3/orderList/otoco',
  ])
})

test.each<[kind: string, values: Record<string, string>, faults: Record<string, string>]>([
  ['LIMIT', {}, { price: '', quantity: '' }],
  ['LIMIT', { price: '50000', quantity: '0.1' }, {}],
  ['LIMIT', { price: '0.001', quantity: '9000' }, { price: 'PRICE_FILTER: at least 0.01.' }],
  ['LIMIT', { price: '2000000', quantity: '1' }, { price: 'PRICE_FILTER: at most 1000000.' }],
  ['LIMIT', { price: '50000.005', quantity: '1' }, { price: 'PRICE_FILTER: in steps of 0.01.' }],
  ['LIMIT', { price: '1e3', quantity: '1' }, { price: 'A positive decimal of at most 8 places.' }],
  ['LIMIT', { price: '0', quantity: '1' }, { price: 'A positive decimal of at most 8 places.' }],
  ['LIMIT', { price: '5', quantity: '9001' }, { quantity: 'LOT_SIZE: at most 9000.' }],
  ['LIMIT', { price: '5', quantity: '0.5' }, { quantity: 'NOTIONAL: at least 5.' }],
  [
    'LIMIT',
    { price: '50000', quantity: '1', icebergQty: '0.05' },
    { icebergQty: 'ICEBERG_PARTS: at most 10 parts.' },
  ],
  ['MARKET', {}, { quantity: '' }],
  ['MARKET', { quantity: '121' }, { quantity: 'MARKET_LOT_SIZE: at most 120.' }],
  ['MARKET', { quoteOrderQty: '4.99' }, { quoteOrderQty: 'NOTIONAL: at least 5.' }],
  ['STOP_LOSS', { quantity: '1' }, { stopPrice: '' }],
  ['STOP_LOSS', { quantity: '1', trailingDelta: '100' }, {}],
  [
    'STOP_LOSS',
    { quantity: '1', trailingDelta: '5' },
    { trailingDelta: 'TRAILING_DELTA: 10 to 2000 basis points.' },
  ],
])('%s with %j', (kind, values, faults) => {
  expect(Object.fromEntries(faultsOf(symbol, kind, values))).toEqual(faults)
})
