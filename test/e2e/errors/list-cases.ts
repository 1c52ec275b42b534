/** Refusals of order lists, cancel-replaces and amendments by the account, the phase and the book. */
import { type ErrorCase, refusedBy, without } from './raise.ts'
import { phases, SYMBOL } from './stage.ts'

const SELL = { symbol: SYMBOL, side: 'SELL', quantity: '1' }
/** Sells at 130, or at what there is when the price falls to 70; the last price is 100. */
const OCO = {
  ...SELL,
  aboveType: 'LIMIT_MAKER',
  abovePrice: '130',
  belowType: 'STOP_LOSS',
  belowStopPrice: '70',
}
const OTO = {
  symbol: SYMBOL,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '90',
  workingQuantity: '1',
  workingTimeInForce: 'GTC',
  pendingType: 'MARKET',
  pendingSide: 'SELL',
  pendingQuantity: '1',
}
const opo = refusedBy('POST', '/api/v3/orderList/opo', without(OTO, 'pendingQuantity'))
const old = refusedBy('POST', '/api/v3/order/oco', { ...SELL, price: '130', stopPrice: '70' })
const oco = refusedBy('POST', '/api/v3/orderList/oco', OCO)
const oto = refusedBy('POST', '/api/v3/orderList/oto', OTO)
const made = refusedBy('POST', '/api/v3/orderList/oto', without(OTO, 'workingTimeInForce'))

const notRelated = 'The relationship of the prices for the orders is not correct.'
const duplicate = 'Duplicate order sent.'
const lists: readonly ErrorCase[] = [
  oco('PRICES_NOT_RELATED', 'a limit price below the last', { abovePrice: '99' }, notRelated),
  oco('PRICES_NOT_RELATED', 'a stop price above the last', { belowStopPrice: '101' }, notRelated),
  old('PRICES_NOT_RELATED', 'an old OCO the wrong way round', { side: 'BUY' }, notRelated),
  opo(
    'ORDER_LIST_NOT_SUPPORTED',
    'an OPO where it is not taken',
    { symbol: 'NO-EXTRAS' },
    'OPO orders are not supported for this symbol',
  ),
  oco('DUPLICATE_ORDER', 'a client id in use', { aboveClientOrderId: 'open' }, duplicate),
  oco(
    'DUPLICATE_ORDER',
    'two legs of one client id',
    { aboveClientOrderId: 'twin', belowClientOrderId: 'twin' },
    duplicate,
  ),
  made(
    'WOULD_MATCH_IMMEDIATELY',
    'a working LIMIT_MAKER that would take',
    { workingType: 'LIMIT_MAKER', workingPrice: '120' },
    'Order would immediately match and take.',
  ),
  oco(
    'INSUFFICIENT_BALANCE',
    'more than one has',
    { quantity: '2000' },
    'Account has insufficient balance for requested action.',
  ),
  oto('MARKET_CLOSED', 'in HALT', { symbol: phases.HALT }, 'Market is closed.'),
]

const replace = refusedBy('POST', '/api/v3/order/cancelReplace', {
  symbol: SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '51',
  cancelReplaceMode: 'STOP_ON_FAILURE',
  cancelOrigClientOrderId: 'none',
})
const failed = 'Order cancel-replace failed.'
const both = { cancelReplaceMode: 'ALLOW_FAILURE', newClientOrderId: 'open' }
const replaces: readonly ErrorCase[] = [
  replace('REPLACE_FAILED', 'an unknown order', {}, failed),
  replace('REPLACE_FAILED', 'both halves', both, failed),
]

const amend = refusedBy('PUT', '/api/v3/order/amend/keepPriority', {
  symbol: SYMBOL,
  origClientOrderId: 'open',
  newQty: '0.5',
})
const amends: readonly ErrorCase[] = [
  amend(
    'AMEND_INCREASES',
    'more than it has',
    { newQty: '1.5' },
    'Order amend (quantity increase) is not supported.',
  ),
  amend(
    'AMEND_PENDING',
    'an order without a quantity',
    { origClientOrderId: 'unsized' },
    'Order amend (pending OPO order) is not supported.',
  ),
  amend(
    'AMEND_CHANGES_NOTHING',
    'what it has',
    { newQty: '1' },
    'The requested action would change no state; rejecting',
  ),
  amend(
    'AMEND_UNKNOWN_ORDER',
    'an unknown order',
    { origClientOrderId: 'none' },
    'Unknown order sent.',
  ),
  amend('AMEND_DUPLICATE_ORDER', 'a client id in use', { newClientOrderId: 'open-too' }, duplicate),
]

export const listCases: Readonly<Record<string, readonly ErrorCase[]>> = { lists, replaces, amends }
