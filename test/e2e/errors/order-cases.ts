/** Refusals of single orders for the account, the phase, the book, and filters that follow prices. */
import { GOOD, MARKET, PATH, STOP } from './orders.ts'
import { type ErrorCase, refusedBy, without } from './raise.ts'
import { phases, symbolOf } from './stage.ts'

const order = refusedBy('POST', PATH)
const good = refusedBy('POST', PATH, GOOD)
const market = refusedBy('POST', PATH, MARKET)
const stop = refusedBy('POST', PATH, STOP)
const unsized = without(MARKET, 'quantity')
const maker = refusedBy('POST', PATH, without({ ...GOOD, type: 'LIMIT_MAKER' }, 'timeInForce'))

const failure = (filterType: string) => `Filter failure: ${filterType}`
const on = (symbol: string) => ({ symbol })

const percent = on(symbolOf('PERCENT_PRICE'))
const bySide = on(symbolOf('PERCENT_PRICE_BY_SIDE'))
const least = on(symbolOf('MIN_NOTIONAL'))
const huge = { ...on('HUGE'), quantity: '80000000', price: '1000000' }
const filters: readonly ErrorCase[] = [
  market(
    'ORDER_TYPE_NOT_SUPPORTED',
    'MARKET',
    on('LIMIT-ONLY'),
    'Market orders are not supported for this symbol.',
  ),
  good(
    'FILTER_FAILURE',
    'far above the average',
    { ...percent, price: '110.01' },
    failure('PERCENT_PRICE'),
  ),
  good(
    'FILTER_FAILURE',
    'far below the average',
    { ...percent, price: '89.99' },
    failure('PERCENT_PRICE'),
  ),
  good(
    'FILTER_FAILURE',
    'a bid too high',
    { ...bySide, price: '110.01' },
    failure('PERCENT_PRICE_BY_SIDE'),
  ),
  good('AMOUNT_TOO_LARGE', 'more than 64 bits hold', huge, 'Price * QTY overflowed.'),
  good('FILTER_FAILURE', 'too small a worth', { ...least, price: '4.99' }, failure('MIN_NOTIONAL')),
  market(
    'FILTER_FAILURE',
    'too small a worth at the average',
    { ...least, quantity: '0.04' },
    failure('MIN_NOTIONAL'),
  ),
]

const refusedTo = (account: string) => refusedBy('POST', PATH, GOOD, account)
const accounts: readonly ErrorCase[] = [
  refusedTo('disabled')(
    'ACCOUNT_DISABLED',
    'an account that may not trade',
    {},
    'This action is disabled on this account.',
  ),
  refusedTo('frozen')(
    'ACCOUNT_FROZEN',
    'a frozen account',
    {},
    'This account may not place or cancel orders.',
  ),
  refusedTo('reader')(
    'REJECTED_API_KEY',
    'a key that may not trade',
    {},
    'Invalid API-key, IP, or permissions for action.',
  ),
]

const wrongType = 'This order type is not possible in this trading phase.'
const requiresGtc = 'Limit orders require GTC for this phase.'
const auction = on(phases.AUCTION_MATCH)
const before = on(phases.PRE_TRADING)
const inPhases: readonly ErrorCase[] = [
  good('MARKET_CLOSED', 'LIMIT in HALT', on(phases.HALT), 'Market is closed.'),
  good('PHASE_REFUSES_TYPE', 'LIMIT in END_OF_DAY', on(phases.END_OF_DAY), wrongType),
  good('PHASE_REFUSES_TYPE', 'LIMIT in POST_TRADING', on(phases.POST_TRADING), wrongType),
  maker('PHASE_REFUSES_TYPE', 'maker in PRE_TRADING', before, wrongType),
  maker('PHASE_REFUSES_TYPE', 'maker in AUCTION_MATCH', auction, wrongType),
  market('PHASE_REFUSES_TYPE', 'MARKET in PRE_TRADING', before, wrongType),
  good('PHASE_REQUIRES_GTC', 'IOC', { ...before, timeInForce: 'IOC' }, requiresGtc),
  good('PHASE_REQUIRES_GTC', 'FOK', { ...auction, timeInForce: 'FOK' }, requiresGtc),
]

const triggers = 'Order would trigger immediately.'
const thin = (filter: string) => `Order book liquidity is less than ${filter} minimum quantity.`
const matched: readonly ErrorCase[] = [
  good(
    'DUPLICATE_ORDER',
    'a client id in use',
    { newClientOrderId: 'open' },
    'Duplicate order sent.',
  ),
  good(
    'INSUFFICIENT_BALANCE',
    'more than one has',
    { price: '99', quantity: '8000', symbol: 'EMPTY' },
    'Account has insufficient balance for requested action.',
  ),
  maker(
    'WOULD_MATCH_IMMEDIATELY',
    'a maker that would take',
    { price: '120' },
    'Order would immediately match and take.',
  ),
  stop('WOULD_TRIGGER_IMMEDIATELY', 'a stop at the last price', { stopPrice: '100' }, triggers),
  stop(
    'WOULD_TRIGGER_IMMEDIATELY',
    'a take-profit below the last price',
    { type: 'TAKE_PROFIT_LIMIT', stopPrice: '99' },
    triggers,
  ),
  market('NO_DEPTH', 'MARKET on an empty book', on('EMPTY'), 'No orders on book for symbol.'),
  order(
    'LIQUIDITY_BELOW_MINIMUM',
    'a quote amount on an empty book',
    { ...unsized, ...on('EMPTY'), quoteOrderQty: '100' },
    thin('symbol'),
  ),
  order(
    'LIQUIDITY_BELOW_LOT_SIZE',
    'a quote amount of less than a lot',
    { ...unsized, ...on('THIN'), quoteOrderQty: '5' },
    thin('`LOT_SIZE` filter'),
  ),
  order(
    'LIQUIDITY_BELOW_MARKET_LOT_SIZE',
    'a quote amount of less than a market lot',
    { ...unsized, ...on('THIN'), quoteOrderQty: '50' },
    thin('`MARKET_LOT_SIZE` filter'),
  ),
  order(
    'PEG_LIQUIDITY',
    'a peg to an empty book',
    { ...without(GOOD, 'price'), ...on('EMPTY'), pegPriceType: 'PRIMARY_PEG' },
    'Order book liquidity is too low for this pegged order.',
  ),
]

export const orderCases: Readonly<Record<string, readonly ErrorCase[]>> = {
  filters,
  accounts,
  'in phases': inPhases,
  matched,
}
