/** Refusals of single orders for what the symbol takes, its filters, its phase, the account, the book. */
import type { Params } from '../trader.ts'
import { parameterCases, shapeCases } from './order-parameter-cases.ts'
import { GOOD, MARKET, MARKET_STOP, PATH, STOP } from './orders.ts'
import { type ErrorCase, refusedBy, without } from './raise.ts'
import { phases, SYMBOL, symbolOf } from './stage.ts'

const order = refusedBy('POST', PATH)
const good = refusedBy('POST', PATH, GOOD)
const market = refusedBy('POST', PATH, MARKET)
const stop = refusedBy('POST', PATH, STOP)

const failure = (filterType: string) => `Filter failure: ${filterType}`
const on = (symbol: string) => ({ symbol })
const unsupported = (label: string) => `${label} orders are not supported for this symbol.`
const types: readonly (readonly [label: string, params: Params])[] = [
  ['Market', MARKET],
  ['Stop loss', { ...MARKET_STOP, stopPrice: '70' }],
  ['Stop loss limit', { ...STOP, stopPrice: '70' }],
  ['Take profit', { ...MARKET_STOP, type: 'TAKE_PROFIT', stopPrice: '170' }],
  ['Take profit limit', { ...STOP, type: 'TAKE_PROFIT_LIMIT', stopPrice: '170' }],
  ['Limit maker', without({ ...GOOD, type: 'LIMIT_MAKER' }, 'timeInForce')],
]
const features: readonly ErrorCase[] = [
  ...types.map(([label, params]) =>
    order(
      'ORDER_TYPE_NOT_SUPPORTED',
      label,
      { ...params, ...on('LIMIT-ONLY') },
      -2010,
      unsupported(label),
    ),
  ),
  order(
    'QUOTE_AMOUNT_NOT_SUPPORTED',
    'a quote amount',
    { ...without(MARKET, 'quantity'), ...on('NO-EXTRAS'), quoteOrderQty: '100' },
    -2010,
    'Quote order qty market orders are not support for this symbol.',
  ),
]

const quotes: readonly ErrorCase[] = [
  refusedBy('POST', '/ringbook/v1/quote')(
    'QUOTE_CROSSED',
    'a quote that would meet itself',
    { symbol: SYMBOL, bids: '[["100","1"]]', asks: '[["100","1"]]' },
    -1130,
    'The best bid of a quote must be below its best ask.',
  ),
]

const PEG = { pegPriceType: 'PRIMARY_PEG' }
const pegs: readonly ErrorCase[] = [
  order(
    'PEG_NOT_SUPPORTED',
    'a peg',
    { ...GOOD, ...on('NO-EXTRAS'), ...PEG },
    -2010,
    'Pegged orders are not supported for this symbol.',
  ),
  market('PEG_OF_OTHER_TYPE', 'a peg', PEG, -2010, 'This order type may not use pegged price.'),
  order(
    'PEG_LIQUIDITY',
    'a peg to an empty book',
    { ...without(GOOD, 'price'), ...on('EMPTY'), ...PEG },
    -2010,
    'Order book liquidity is too low for this pegged order.',
  ),
]

const filtered = refusedBy('POST', PATH, { ...GOOD, ...on('FILTERED') })
const filteredMarket = refusedBy('POST', PATH, { ...MARKET, ...on('FILTERED') })
const filteredStop = refusedBy('POST', PATH, { ...STOP, ...on('FILTERED') })
const filters: readonly ErrorCase[] = [
  filtered('FILTER_FAILURE', 'a price below all', { price: '0.5' }, -1013, failure('PRICE_FILTER')),
  filtered(
    'FILTER_FAILURE',
    'a price above all',
    { price: '1000.01' },
    -1013,
    failure('PRICE_FILTER'),
  ),
  filtered(
    'FILTER_FAILURE',
    'a quantity below all',
    { quantity: '0.005' },
    -1013,
    failure('LOT_SIZE'),
  ),
  filteredMarket(
    'FILTER_FAILURE',
    'a market quantity below all',
    { quantity: '0.09' },
    -1013,
    failure('MARKET_LOT_SIZE'),
  ),
  order(
    'FILTER_FAILURE',
    'a market stop is filtered as a market order',
    { ...MARKET_STOP, ...on('FILTERED'), stopPrice: '70', quantity: '2.01' },
    -1013,
    failure('MARKET_LOT_SIZE'),
  ),
  filtered('FILTER_FAILURE', 'too small a notional', { price: '4.99' }, -1013, failure('NOTIONAL')),
  filtered(
    'FILTER_FAILURE',
    'too many icebergs',
    { icebergQty: '0.09' },
    -1013,
    failure('ICEBERG_PARTS'),
  ),
  filteredStop(
    'FILTER_FAILURE',
    'too short a trail below',
    { trailingDelta: 19 },
    -1013,
    failure('TRAILING_DELTA'),
  ),
  good(
    'FILTER_FAILURE',
    'far above the average',
    { ...on(symbolOf('PERCENT_PRICE')), price: '110.01' },
    -1013,
    failure('PERCENT_PRICE'),
  ),
  good(
    'FILTER_FAILURE',
    'far below the average',
    { ...on(symbolOf('PERCENT_PRICE')), price: '89.99' },
    -1013,
    failure('PERCENT_PRICE'),
  ),
  good(
    'FILTER_FAILURE',
    'a bid too high',
    { ...on(symbolOf('PERCENT_PRICE_BY_SIDE')), price: '110.01' },
    -1013,
    failure('PERCENT_PRICE_BY_SIDE'),
  ),
  good(
    'AMOUNT_TOO_LARGE',
    'more than 64 bits hold, where no filter says so',
    { ...on('HUGE'), quantity: '80000000', price: '1000000' },
    -1108,
    'Price * QTY overflowed.',
  ),
  good(
    'FILTER_FAILURE',
    'too small a worth',
    { ...on(symbolOf('MIN_NOTIONAL')), price: '4.99' },
    -1013,
    failure('MIN_NOTIONAL'),
  ),
  market(
    'FILTER_FAILURE',
    'too small a worth at the average',
    { ...on(symbolOf('MIN_NOTIONAL')), quantity: '0.04' },
    -1013,
    failure('MIN_NOTIONAL'),
  ),
]

const refusedTo = (account: string) => refusedBy('POST', PATH, GOOD, account)
const accounts: readonly ErrorCase[] = [
  refusedTo('disabled')(
    'ACCOUNT_DISABLED',
    'an account that may not trade',
    {},
    -2010,
    'This action is disabled on this account.',
  ),
  refusedTo('frozen')(
    'ACCOUNT_FROZEN',
    'a frozen account',
    {},
    -2010,
    'This account may not place or cancel orders.',
  ),
  refusedTo('margin')(
    'SYMBOL_NOT_PERMITTED',
    'an account without the permission',
    {},
    -2010,
    'This symbol is not permitted for this account.',
  ),
  refusedTo('restricted')(
    'SYMBOL_RESTRICTED',
    'a symbol closed to the account',
    on('RESTRICTED'),
    -2010,
    'This symbol is restricted for this account.',
  ),
  refusedTo('reader')(
    'REJECTED_API_KEY',
    'a key that may not trade',
    {},
    -2015,
    'Invalid API-key, IP, or permissions for action.',
  ),
]

const closed = 'Market is closed.'
const wrongType = 'This order type is not possible in this trading phase.'
const requiresGtc = 'Limit orders require GTC for this phase.'
const immediate = { timeInForce: 'IOC' }
const maker = refusedBy('POST', PATH, without({ ...GOOD, type: 'LIMIT_MAKER' }, 'timeInForce'))
const inPhases: readonly ErrorCase[] = [
  good('MARKET_CLOSED', 'LIMIT in HALT', on(phases.HALT), -2010, closed),
  good('PHASE_REFUSES_TYPE', 'LIMIT in END_OF_DAY', on(phases.END_OF_DAY), -2010, wrongType),
  good('PHASE_REFUSES_TYPE', 'LIMIT in POST_TRADING', on(phases.POST_TRADING), -2010, wrongType),
  maker('PHASE_REFUSES_TYPE', 'maker in PRE_TRADING', on(phases.PRE_TRADING), -2010, wrongType),
  maker('PHASE_REFUSES_TYPE', 'maker in AUCTION_MATCH', on(phases.AUCTION_MATCH), -2010, wrongType),
  market('PHASE_REFUSES_TYPE', 'MARKET in PRE_TRADING', on(phases.PRE_TRADING), -2010, wrongType),
  good(
    'PHASE_REQUIRES_GTC',
    'IOC in PRE_TRADING',
    { ...on(phases.PRE_TRADING), ...immediate },
    -2010,
    requiresGtc,
  ),
  good(
    'PHASE_REQUIRES_GTC',
    'FOK in AUCTION_MATCH',
    { ...on(phases.AUCTION_MATCH), timeInForce: 'FOK' },
    -2010,
    requiresGtc,
  ),
]

const matched: readonly ErrorCase[] = [
  good(
    'DUPLICATE_ORDER',
    'a client id in use',
    { newClientOrderId: 'open' },
    -2010,
    'Duplicate order sent.',
  ),
  good(
    'INSUFFICIENT_BALANCE',
    'more than one has',
    { price: '99', quantity: '8000', symbol: 'EMPTY' },
    -2010,
    'Account has insufficient balance for requested action.',
  ),
  order(
    'WOULD_MATCH_IMMEDIATELY',
    'a maker that would take',
    { ...without(GOOD, 'timeInForce'), type: 'LIMIT_MAKER', price: '120' },
    -2010,
    'Order would immediately match and take.',
  ),
  stop(
    'WOULD_TRIGGER_IMMEDIATELY',
    'a stop at the last price',
    { stopPrice: '100' },
    -2010,
    'Order would trigger immediately.',
  ),
  stop(
    'WOULD_TRIGGER_IMMEDIATELY',
    'a take-profit below the last price',
    { type: 'TAKE_PROFIT_LIMIT', stopPrice: '99' },
    -2010,
    'Order would trigger immediately.',
  ),
  market(
    'NO_DEPTH',
    'MARKET on an empty book',
    on('EMPTY'),
    -1112,
    'No orders on book for symbol.',
  ),
  order(
    'LIQUIDITY_BELOW_MINIMUM',
    'a quote amount on an empty book',
    { ...without(MARKET, 'quantity'), ...on('EMPTY'), quoteOrderQty: '100' },
    -2010,
    'Order book liquidity is less than symbol minimum quantity.',
  ),
  order(
    'LIQUIDITY_BELOW_LOT_SIZE',
    'a quote amount of less than a lot',
    { ...without(MARKET, 'quantity'), ...on('THIN'), quoteOrderQty: '5' },
    -2010,
    'Order book liquidity is less than `LOT_SIZE` filter minimum quantity.',
  ),
  order(
    'LIQUIDITY_BELOW_MARKET_LOT_SIZE',
    'a quote amount of less than a market lot',
    { ...without(MARKET, 'quantity'), ...on('THIN'), quoteOrderQty: '50' },
    -2010,
    'Order book liquidity is less than `MARKET_LOT_SIZE` filter minimum quantity.',
  ),
]

export const orderCases: Readonly<Record<string, readonly ErrorCase[]>> = {
  parameters: parameterCases,
  shapes: shapeCases,
  features,
  pegs,
  quotes,
  filters,
  accounts,
  'in phases': inPhases,
  matched,
}
