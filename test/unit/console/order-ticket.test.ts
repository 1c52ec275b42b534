/** What the ticket needs, what it sends, and what it shows while an order is typed. */
import { expect, test } from 'vitest'
import { BookSide } from '../../../src/console/book/local-book.ts'
import { marketSymbol, type SymbolRow } from '../../../src/console/market/symbols.ts'
import type { Known } from '../../../src/console/trade/market-checks.ts'
import { faultsOf } from '../../../src/console/trade/order-checks.ts'
import {
  groupsOf,
  keptBy,
  kindsOf,
  lostBetween,
  methodOf,
  orderParams,
  sideFault,
} from '../../../src/console/trade/order-kinds.ts'
import {
  estimateOf,
  impactOf,
  totalText,
  type Wanted,
  wantedOf,
} from '../../../src/console/trade/order-total.ts'

const row: SymbolRow = {
  symbol: 'BTCUSDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  orderTypes: [
    ...['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT'],
    'TAKE_PROFIT_LIMIT',
  ],
  icebergAllowed: true,
  ocoAllowed: true,
  otoAllowed: true,
  opoAllowed: true,
  allowTrailingStop: true,
  quoteOrderQtyMarketAllowed: true,
  cancelReplaceAllowed: true,
  amendAllowed: true,
  pegInstructionsAllowed: false,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000.00', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000.0', stepSize: '0.00001' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.0', maxQty: '120.0', stepSize: '0.0' },
    { filterType: 'ICEBERG_PARTS', limit: 10 },
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 2_000,
      minTrailingBelowDelta: 10,
      maxTrailingBelowDelta: 2_000,
    },
    { filterType: 'NOTIONAL', minNotional: '5.0', maxNotional: '9000000.0' },
  ],
  defaultSelfTradePreventionMode: 'NONE',
  allowedSelfTradePreventionModes: ['EXPIRE_TAKER'],
}
const symbol = marketSymbol(row)
const namesOf = (kind: string, values = {}) =>
  groupsOf(symbol, kind, values).flatMap(({ fields }) => fields.map(({ name }) => name))

test('quantities of billions keep every step, and so do their sums', () => {
  const lot = { filterType: 'LOT_SIZE', minQty: '1.00', maxQty: '46116860414.00', stepSize: '1.00' }
  const filters = [row.filters[0]!, lot]
  const coins = marketSymbol({ ...row, filters })
  expect([coins.quantityScale, coins.quantityDecimals]).toEqual([0, 0])
  const typed = { quantity: '20000000000', price: '0.01', timeInForce: 'GTC' }
  expect([...faultsOf(coins, 'LIMIT', typed)]).toEqual([])
  const above = faultsOf(coins, 'LIMIT', { ...typed, quantity: '46116860415' })
  expect(above.get('quantity')).toBe('Quantity must be at most 46,116,860,414')
})

test('kinds are those that the symbol takes', () => {
  expect(kindsOf(symbol)).toEqual([...row.orderTypes, 'OCO', 'OTO', 'OTOCO', 'OPO', 'OPOCO'])
  const plain = { ...symbol, orderTypes: ['LIMIT'], ocoAllowed: false }
  expect(kindsOf(plain)).toEqual(['LIMIT', 'OTO', 'OPO'])
  expect(kindsOf({ ...plain, opoAllowed: false })).toEqual(['LIMIT', 'OTO'])
  for (const status of ['PRE_TRADING', 'AUCTION_MATCH'] as const) {
    const called = { ...symbol, status }
    expect(kindsOf(called)).toEqual(['LIMIT'])
    const [group] = groupsOf(called, 'LIMIT', { timeInForce: 'IOC' })
    const time = group!.fields.find(({ name }) => name === 'timeInForce')
    expect(time?.choices).toEqual(['GTC'])
    const typed = { price: '1', quantity: '9', timeInForce: 'IOC' }
    expect(orderParams(called, 'LIMIT', 'BUY', typed).timeInForce).toBe('GTC')
  }
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

test('a peg stands for the price where the symbol allows it', () => {
  const pegging = { ...symbol, pegInstructionsAllowed: true }
  const names = (kind: string, values = {}) =>
    groupsOf(pegging, kind, values).flatMap(({ fields }) => fields.map(({ name }) => name))
  const choicesOf = (kind: string, name: string, values = {}) =>
    groupsOf(pegging, kind, values)[0]!.fields.find((field) => field.name === name)?.choices
  expect(names('LIMIT')).toEqual([
    ...['pegPriceType', 'price', 'quantity', 'timeInForce', 'icebergQty'],
  ])
  const joining = { pegPriceType: 'PRIMARY_PEG', quantity: '1', timeInForce: 'IOC' }
  expect(names('LIMIT', joining)).toEqual([
    ...['pegPriceType', 'pegOffsetValue', 'quantity', 'timeInForce', 'icebergQty'],
  ])
  expect(choicesOf('LIMIT', 'timeInForce', joining)).toEqual(['GTC'])
  expect(choicesOf('LIMIT_MAKER', 'pegPriceType')).toEqual(['NO_PEG', 'PRIMARY_PEG'])
  expect(orderParams(pegging, 'LIMIT', 'BUY', { price: '1', quantity: '1' })).not.toHaveProperty(
    'pegPriceType',
  )
  expect(orderParams(pegging, 'LIMIT', 'BUY', { ...joining, price: '7' })).toEqual({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '1',
    timeInForce: 'GTC',
    pegPriceType: 'PRIMARY_PEG',
    newOrderRespType: 'FULL',
  })
  const behind = { belowPegPriceType: 'MARKET_PEG', belowPegOffsetValue: '3' }
  expect(
    orderParams(pegging, 'OCO', 'SELL', { ...behind, belowType: 'STOP_LOSS_LIMIT' }),
  ).toMatchObject({
    belowPegPriceType: 'MARKET_PEG',
    belowPegOffsetType: 'PRICE_LEVEL',
    belowPegOffsetValue: '3',
  })
  const far = { ...joining, pegOffsetValue: '101' }
  expect([...faultsOf(pegging, 'LIMIT', far)]).toEqual([
    ['pegOffsetValue', 'Levels behind the best must be a whole number up to 100'],
  ])
})

test.each([
  ['1', true],
  ['1.00001', false],
  ['0.99999', true],
])('an iceberg of %s in slices of 0.1 has few enough parts: %s', (quantity, isRight) => {
  const typed = { price: '50000', quantity, timeInForce: 'GTC', icebergQty: '0.1' }
  const fault = faultsOf(symbol, 'LIMIT', typed).get('icebergQty')
  expect(fault).toBe(isRight ? undefined : 'Iceberg must leave at most 10 parts')
})

test('what was typed for another kind is not sent', () => {
  const values = { price: ' 50000 ', quantity: '0.1', stopPrice: '49000', aboveType: 'STOP_LOSS' }
  expect(orderParams(symbol, 'LIMIT', 'SELL', values)).toEqual({
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'LIMIT',
    price: '50000',
    quantity: '0.1',
    timeInForce: 'GTC',
    newOrderRespType: 'FULL',
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
    workingSide: 'BUY',
    workingType: 'LIMIT',
    workingTimeInForce: 'GTC',
    pendingSide: 'SELL',
    pendingAboveType: 'LIMIT_MAKER',
    pendingBelowType: 'STOP_LOSS_LIMIT',
    pendingBelowTimeInForce: 'GTC',
  })
  expect(params).not.toHaveProperty('type')
  expect(params).not.toHaveProperty('side')
  expect(['LIMIT', 'OCO', 'OTO', 'OTOCO'].map(methodOf)).toEqual([
    ...['order.place', 'orderList.place.oco', 'orderList.place.oto', 'orderList.place.otoco'],
  ])
})

test('lists that sell what they buy have no quantity for that', () => {
  const values = { workingPrice: '1', workingQuantity: '2', pendingQuantity: '2' }
  for (const kind of ['OPO', 'OPOCO']) {
    const params = orderParams(symbol, kind, 'BUY', { ...values, pendingSide: 'BUY' })
    expect(params).toMatchObject({ workingSide: 'BUY', pendingSide: 'SELL' })
    expect(params).not.toHaveProperty('pendingQuantity')
  }
  expect(['OPO', 'OPOCO', 'OTO'].map((kind) => sideFault(kind, 'SELL') === '')).toEqual([
    false,
    false,
    true,
  ])
  expect(sideFault('OPO', 'BUY')).toBe('')
  expect(['OPO', 'OPOCO'].map(methodOf)).toEqual(['orderList.place.opo', 'orderList.place.opoco'])
})

test.each<[kind: string, values: Record<string, string>, faults: Record<string, string>]>([
  ['LIMIT', {}, { price: '', quantity: '' }],
  ['LIMIT', { price: '50000', quantity: '0.1' }, {}],
  ['LIMIT', { price: '0.001', quantity: '9000' }, { price: 'Price must be at least 0.01' }],
  ['LIMIT', { price: '2000000', quantity: '1' }, { price: 'Price must be at most 1,000,000' }],
  ['LIMIT', { price: '50000.005', quantity: '1' }, { price: 'Price must be a multiple of 0.01' }],
  [
    'LIMIT',
    { price: '1e3', quantity: '1' },
    { price: 'Price must be a positive number with at most 8 decimals' },
  ],
  [
    'LIMIT',
    { price: '0', quantity: '1' },
    { price: 'Price must be a positive number with at most 8 decimals' },
  ],
  ['LIMIT', { price: '5', quantity: '9001' }, { quantity: 'Quantity must be at most 9,000' }],
  ['LIMIT', { price: '5', quantity: '0.5' }, { quantity: 'Total must be at least 5 USDT' }],
  [
    'LIMIT',
    { price: '50000', quantity: '1', icebergQty: '0.05' },
    { icebergQty: 'Iceberg must leave at most 10 parts' },
  ],
  ['MARKET', {}, { quantity: '' }],
  ['MARKET', { quantity: '121' }, { quantity: 'Quantity of a market order must be at most 120' }],
  ['MARKET', { quoteOrderQty: '4.99' }, { quoteOrderQty: 'Total must be at least 5 USDT' }],
  ['STOP_LOSS', { quantity: '1' }, { stopPrice: '' }],
  ['STOP_LOSS', { quantity: '1', trailingDelta: '100' }, {}],
  [
    'STOP_LOSS',
    { quantity: '1', trailingDelta: '5' },
    { trailingDelta: 'Trailing delta must be 10 to 2,000 basis points' },
  ],
])('%s with %j', (kind, values, faults) => {
  expect(Object.fromEntries(faultsOf(symbol, kind, values))).toEqual(faults)
})

const percent = { multiplierUp: '1.1', multiplierDown: '0.9' }
const bySide = {
  bidMultiplierUp: '1.1',
  bidMultiplierDown: '0.5',
  askMultiplierUp: '2',
  askMultiplierDown: '0.9',
}
const known = (changes: Partial<Known> = {}): Known => ({
  side: 'BUY',
  average: '50000',
  last: '40000',
  reference: '',
  free: undefined,
  ...changes,
})

test.each<[what: string, filter: object, changes: Partial<Known>, price: string, fault: string]>([
  ['above', { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 5 }, {}, '55000.01', 'price'],
  ['at the bound', { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 5 }, {}, '55000', ''],
  ['below', { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 5 }, {}, '44999.99', 'price'],
  [
    'by the last',
    { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 0 },
    {},
    '45000',
    'price',
  ],
  [
    'by the reference price',
    { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 1 },
    { reference: '100' },
    ...(['110.01', 'price'] as const),
  ],
  ['another average', { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 1 }, {}, '10', ''],
  [
    'no average',
    { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 5 },
    { average: '' },
    ...(['100', ''] as const),
  ],
  ['a bid', { filterType: 'PERCENT_PRICE_BY_SIDE', ...bySide, avgPriceMins: 5 }, {}, '30000', ''],
  [
    'an ask',
    { filterType: 'PERCENT_PRICE_BY_SIDE', ...bySide, avgPriceMins: 5 },
    { side: 'SELL' },
    ...(['30000', 'price'] as const),
  ],
])('a price and its filter: %s', (_, filter, changes, price, fault) => {
  const filters = [...row.filters, filter as SymbolRow['filters'][number]]
  const near = marketSymbol({ ...row, filters })
  const faults = faultsOf(near, 'LIMIT', { price, quantity: '1' }, known(changes))
  expect([...faults.keys()].join()).toBe(fault)
  const working = { workingPrice: price, workingQuantity: '1' }
  const pending = { pendingType: 'MARKET', pendingQuantity: '1', pendingSide: 'BUY' }
  const ofList = faultsOf(near, 'OTO', { ...working, ...pending }, known(changes))
  expect([...ofList.keys()].join()).toBe(fault === '' ? '' : 'workingPrice')
})

test('a market that takes away what the ticket holds names it, and nothing else', () => {
  const call = { ...symbol, status: 'AUCTION_MATCH' as const }
  const lost = (now: typeof symbol, kind: string, values = {}) =>
    lostBetween(symbol, now, kind, values)
  expect(lost(call, 'MARKET', { quantity: '1' })).toMatch(
    /no orders of the kind Market now: AUCTION/,
  )
  expect(lost(call, 'LIMIT', { price: '1', quantity: '1', timeInForce: 'GTC' })).toBe('')
  const pegging = { ...symbol, pegInstructionsAllowed: true }
  const called = { ...pegging, status: 'PRE_TRADING' as const }
  expect(lostBetween(pegging, called, 'LIMIT', { price: '1', quantity: '1' })).toBe('')
  expect(lostBetween(pegging, called, 'LIMIT', { pegPriceType: 'MARKET_PEG' })).toMatch(/no Peg/)
  expect(lost(call, 'LIMIT', { timeInForce: 'IOC' })).toMatch(/no Time in force IOC now/)
  expect(lost(call, 'LIMIT', { quantity: '1' })).toBe('')
  const plain = { ...symbol, icebergAllowed: false, allowTrailingStop: false }
  expect(lost(plain, 'LIMIT', { icebergQty: '0.1' })).toMatch(/no Iceberg 0\.1 now/)
  expect(lost(plain, 'LIMIT', { icebergQty: '' })).toBe('')
  expect(lost(plain, 'STOP_LOSS', { trailingDelta: '10' })).toMatch(/no Trailing delta 10 now/)
  const noStops = { ...symbol, orderTypes: ['LIMIT', 'LIMIT_MAKER'] }
  expect(lost(noStops, 'OCO', {})).toMatch(/no Type STOP_LOSS_LIMIT now/)
  const prevention = { selfTradePreventionMode: 'EXPIRE_TAKER' }
  const none = { ...symbol, allowedSelfTradePreventionModes: [] }
  expect(lost(none, 'LIMIT', prevention)).toMatch(/no prevention Expire taker now/)
  expect(lost(symbol, 'LIMIT', prevention)).toBe('')
  expect(keptBy(call, 'LIMIT', { price: '1', timeInForce: 'IOC', ...prevention })).toEqual({
    price: '1',
    ...prevention,
  })
  expect(keptBy(none, 'LIMIT', prevention)).toEqual({})
})

test('a fault names the range, and the average that it follows from', () => {
  const filter = { filterType: 'PERCENT_PRICE', ...percent, avgPriceMins: 5 }
  const near = marketSymbol({ ...row, filters: [row.filters[0]!, filter] })
  const sentence = (average: string) =>
    faultsOf(near, 'LIMIT', { price: '9', quantity: '1' }, known({ average })).get('price')
  expect(sentence('50000')).toBe(
    'Price must be 45,000.00 to 55,000.00 (5-minute average 50,000.00)',
  )
  const byReference = known({ reference: '60000' })
  expect(faultsOf(near, 'LIMIT', { price: '9', quantity: '1' }, byReference).get('price')).toBe(
    'Price must be 54,000.00 to 66,000.00 (reference price 60,000.00)',
  )
  expect(sentence('50000.12345678')).toBe(
    'Price must be 45,000.12 to 55,000.13 (5-minute average 50,000.12)',
  )
})

test.each<[kind: string, side: Known['side'], values: Record<string, string>, fault: string]>([
  ['LIMIT', 'BUY', { price: '50000', quantity: '0.02' }, ''],
  ['LIMIT', 'BUY', { price: '50000.01', quantity: '0.02' }, 'quantity'],
  ['LIMIT', 'SELL', { price: '50000', quantity: '3' }, ''],
  ['LIMIT', 'SELL', { price: '50000', quantity: '3.00001' }, 'quantity'],
  ['MARKET', 'BUY', { quoteOrderQty: '1000' }, ''],
  ['MARKET', 'BUY', { quoteOrderQty: '1000.01' }, 'quoteOrderQty'],
  ['MARKET', 'BUY', { quantity: '100' }, ''],
  ['MARKET', 'SELL', { quantity: '4' }, 'quantity'],
  ['STOP_LOSS', 'SELL', { stopPrice: '40000', quantity: '4' }, 'quantity'],
  [
    'OCO',
    'SELL',
    { quantity: '4', abovePrice: '60000', belowStopPrice: '45000', belowPrice: '44000' },
    'quantity',
  ],
  [
    'OTO',
    'BUY',
    {
      workingPrice: '50000',
      workingQuantity: '0.02',
      pendingSide: 'SELL',
      pendingPrice: '60000',
      pendingQuantity: '9',
    },
    '',
  ],
])('free funds and %s %s %j', (kind, side, values, fault) => {
  const free = (asset: string) => (asset === 'BTC' ? '3.00000000' : '1000.00000000')
  const faults = faultsOf(symbol, kind, values, known({ side, free }))
  expect([...faults.keys()].join()).toBe(fault)
  if (fault !== '')
    expect(faults.get(fault)).toMatch(/^Insufficient balance: (3 BTC|1,000 USDT) available$/)
})

test('a market buy beyond free funds is told by what the book asks', () => {
  const free = () => '1000.00000000'
  const cost = (quantity: bigint) => quantity * 50_000n
  const keys = (kind: string, quantity: string) => [
    ...faultsOf(symbol, kind, { quantity, stopPrice: '60000' }, known({ free, cost })).keys(),
  ]
  expect(keys('MARKET', '0.02')).toEqual([])
  expect(keys('MARKET', '0.02001')).toEqual(['quantity'])
  expect(keys('STOP_LOSS', '0.02001')).toEqual([])
})

const asks = new BookSide(-1)
const { priceScale, quantityScale } = symbol
for (const [price, quantity] of [
  [50_000, 0.3],
  [50_100, 0.5],
] as const) {
  asks.set(price * 10 ** priceScale, Math.round(quantity * 10 ** quantityScale))
}

test.each<[kind: string, values: Record<string, string>, total: string]>([
  ['LIMIT', { price: '40000', quantity: '0.5', stopPrice: '9' }, '20,000 USDT'],
  ['LIMIT', { quantity: '0.5' }, '–'],
  ['MARKET', { price: '40000', quantity: '0.5' }, '≈ 25,020 USDT'],
  ['MARKET', { quantity: '1' }, 'Only 0.8 BTC in the book'],
  ['MARKET', { quoteOrderQty: '100.5' }, '100.5 USDT'],
  ['STOP_LOSS', { price: '40000', stopPrice: '60000', quantity: '0.5' }, '≈ 30,000 USDT'],
  ['STOP_LOSS', { price: '40000', trailingDelta: '100', quantity: '0.5' }, '–'],
  ['STOP_LOSS_LIMIT', { price: '40000', stopPrice: '60000', quantity: '0.5' }, '20,000 USDT'],
  ['OCO', { quantity: '1', abovePrice: '60000', belowPrice: '44000' }, 'up to 60,000 USDT'],
  [
    'OTO',
    { workingPrice: '30000', workingQuantity: '0.1', pendingPrice: '9', pendingQuantity: '1' },
    '3,000 USDT',
  ],
])('the total of %s with %j', (kind, values, total) => {
  const estimate = (wanted: Wanted) => estimateOf(symbol, asks, wanted)
  expect(totalText(symbol, kind, values, estimate)).toBe(total)
})

test.each<[values: Record<string, string>, average: string, slippage: string, rest: string]>([
  [{ quantity: '0.3' }, '50,000.00', '0.000', ''],
  [{ quantity: '0.8' }, '50,062.50', '0.125', ''],
  [{ quantity: '50' }, '50,062.50', '0.125', '49.2 BTC'],
  [{ quoteOrderQty: '15000' }, '50,000.00', '0.000', ''],
  [{ quoteOrderQty: '25020.3' }, '50,040.00', '0.080', ''],
  [{ quoteOrderQty: '50000' }, '50,062.50', '0.125', '9,950 USDT'],
])('a market order of %j is estimated from the book', (values, average, slippage, rest) => {
  const wanted = wantedOf(symbol, values)!
  const impact = impactOf(symbol, wanted, estimateOf(symbol, asks, wanted))!
  expect([impact.average, impact.slippage.toFixed(3), impact.rest]).toEqual([
    average,
    slippage,
    rest,
  ])
})

test('without anything typed, or any level, nothing is estimated', () => {
  expect(wantedOf(symbol, {})).toBeUndefined()
  const wanted = { of: 'quantity', atoms: 1n } as const
  expect(impactOf(symbol, wanted, estimateOf(symbol, new BookSide(-1), wanted))).toBeUndefined()
})
