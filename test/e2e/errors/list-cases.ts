/** Refusals of order lists, cancel-replaces and amendments. */
import type { Params } from '../trader.ts'
import { type ErrorCase, missing, refusedBy, without } from './raise.ts'
import { phases, SYMBOL } from './stage.ts'

const SELL = { symbol: SYMBOL, side: 'SELL', quantity: '1' }
const OLD_OCO = { ...SELL, price: '130', stopPrice: '70' }
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
const OTOCO = {
  ...without(OTO, 'pendingType'),
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '130',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '70',
}

const OPO = without(OTO, 'pendingQuantity')
const opo = refusedBy('POST', '/api/v3/orderList/opo', OPO)
const old = refusedBy('POST', '/api/v3/order/oco', OLD_OCO)
const oco = refusedBy('POST', '/api/v3/orderList/oco', OCO)
const pair = refusedBy('POST', '/api/v3/orderList/oco')
const oto = refusedBy('POST', '/api/v3/orderList/oto', OTO)
const bare = refusedBy('POST', '/api/v3/orderList/oto')
const otoco = refusedBy('POST', '/api/v3/orderList/otoco', OTOCO)
const trio = refusedBy('POST', '/api/v3/orderList/otoco')

const unwanted = (name: string) => `Parameter '${name}' sent when not required.`
const legs = (above: Params, below: Params, side = 'SELL'): Params => ({
  symbol: SYMBOL,
  side,
  quantity: '1',
  ...above,
  ...below,
})
const limitAbove = { aboveType: 'LIMIT_MAKER', abovePrice: '130' }
const limitBelow = { belowType: 'LIMIT_MAKER', belowPrice: '70' }
const stopAbove = { aboveType: 'STOP_LOSS', aboveStopPrice: '130' }
const stopBelow = { belowType: 'STOP_LOSS', belowStopPrice: '70' }
const profitAbove = { aboveType: 'TAKE_PROFIT', aboveStopPrice: '130' }
const profitBelow = { belowType: 'TAKE_PROFIT', belowStopPrice: '70' }

const typeRefused = 'Order type not supported in OCO.'
const oneContingent = 'At least one OCO order must be contingent.'
const buyLimitBelow = 'A limit order in a buy OCO must be below.'
const sellLimitAbove = 'A limit order in a sell OCO must be above.'
const notRelated = 'The relationship of the prices for the orders is not correct.'

const shapes: readonly ErrorCase[] = [
  pair(
    'OCO_TYPE_NOT_SUPPORTED',
    'a LIMIT leg',
    legs({ aboveType: 'LIMIT', abovePrice: '130', aboveTimeInForce: 'GTC' }, stopBelow),
    -1158,
    typeRefused,
  ),
  pair('OCO_WITHOUT_TRIGGER', 'two limit legs', legs(limitAbove, limitBelow), -1168, oneContingent),
  pair(
    'OCO_LIMIT_OF_BUY_ABOVE',
    'a limit leg that buys above',
    legs(limitAbove, stopBelow, 'BUY'),
    -1165,
    buyLimitBelow,
  ),
  pair(
    'OCO_LIMIT_OF_SELL_BELOW',
    'a limit leg that sells below',
    legs(profitAbove, limitBelow),
    -1166,
    sellLimitAbove,
  ),
  pair(
    'OCO_STOP_LOSS_OF_BUY_BELOW',
    'a stop loss that buys below',
    legs(stopAbove, stopBelow, 'BUY'),
    -1196,
    'A stop loss order in a buy OCO must be above.',
  ),
  pair(
    'OCO_STOP_LOSS_OF_SELL_ABOVE',
    'a stop loss that sells above',
    legs(stopAbove, profitBelow),
    -1197,
    'A stop loss order in a sell OCO must be below.',
  ),
  pair(
    'OCO_TAKE_PROFIT_OF_BUY_ABOVE',
    'a take profit that buys above',
    legs(profitAbove, limitBelow, 'BUY'),
    -1198,
    'A take profit order in a buy OCO must be below.',
  ),
  pair(
    'OCO_TAKE_PROFIT_OF_SELL_BELOW',
    'a take profit that sells below',
    legs(limitAbove, profitBelow),
    -1199,
    'A take profit order in a sell OCO must be above.',
  ),
  oco(
    'PRICES_NOT_RELATED',
    'a limit price below the last',
    { abovePrice: '99' },
    -2010,
    notRelated,
  ),
  oco(
    'PRICES_NOT_RELATED',
    'a stop price above the last',
    { belowStopPrice: '101' },
    -2010,
    notRelated,
  ),
  old('PRICES_NOT_RELATED', 'an old OCO the wrong way round', { side: 'BUY' }, -2010, notRelated),
]

const iceberg = (name: string, tif: string) =>
  `Parameter '${name}' is not supported if '${tif}' is not GTC.`
const stopLimitBelow = { belowType: 'STOP_LOSS_LIMIT', belowStopPrice: '70', belowPrice: '69' }
const ioc = { belowTimeInForce: 'IOC', belowIcebergQty: '0.1' }
const neither = (prefix: string) =>
  `Param '${prefix}StopPrice' or '${prefix}TrailingDelta' must be sent, but both were empty/null!`
const parameters: readonly ErrorCase[] = [
  ...['symbol', 'side', 'quantity', 'price'].map((name) =>
    refusedBy('POST', '/api/v3/order/oco')(
      'MANDATORY_PARAMETER',
      `old OCO without ${name}`,
      without(OLD_OCO, name),
      -1102,
      missing(name),
    ),
  ),
  ...['symbol', 'side', 'quantity', 'aboveType', 'belowType', 'abovePrice'].map((name) =>
    pair('MANDATORY_PARAMETER', `OCO without ${name}`, without(OCO, name), -1102, missing(name)),
  ),
  ...[
    'workingType',
    'workingSide',
    'workingPrice',
    'workingQuantity',
    'workingTimeInForce',
    'pendingType',
    'pendingSide',
    'pendingQuantity',
  ].map((name) =>
    bare('MANDATORY_PARAMETER', `OTO without ${name}`, without(OTO, name), -1102, missing(name)),
  ),
  ...['pendingAboveType', 'pendingSide', 'pendingQuantity', 'pendingAbovePrice'].map((name) =>
    trio(
      'MANDATORY_PARAMETER',
      `OTOCO without ${name}`,
      without(OTOCO, name),
      -1102,
      missing(name),
    ),
  ),
  trio(
    'COMBINATION_LACKS',
    'OTOCO without pendingBelowType',
    without(OTOCO, 'pendingBelowType'),
    -1128,
    "Combination of optional parameters invalid. Recommendation: 'pendingBelowType' should also be sent.",
  ),
  opo(
    'OPO_WORKING_MUST_BE_BUY',
    'an OPO that sells first',
    { workingSide: 'SELL' },
    -1222,
    'Working order in an OPO list must be a bid.',
  ),
  opo(
    'OPO_PENDING_MUST_BE_SELL',
    'an OPO that buys twice',
    { pendingSide: 'BUY' },
    -1223,
    'Pending orders in an OPO list must be asks.',
  ),
  opo(
    'ORDER_LIST_NOT_SUPPORTED',
    'an OPO where it is not taken',
    { symbol: 'NO-EXTRAS' },
    -2010,
    'OPO orders are not supported for this symbol',
  ),
  pair(
    'MANDATORY_PARAMETER',
    'a stop-limit leg without timeInForce',
    legs(limitAbove, stopLimitBelow),
    -1102,
    missing('belowTimeInForce'),
  ),
  oto(
    'ONE_OF_TWO_PARAMETERS',
    'a pending stop that waits for nothing',
    { pendingType: 'TAKE_PROFIT' },
    -1102,
    neither('pending'),
  ),
  old(
    'COMBINATION_LACKS',
    'a stop-limit price without its timeInForce',
    { stopLimitPrice: '69' },
    -1128,
    "Combination of optional parameters invalid. Recommendation: 'stopLimitTimeInForce' should also be sent.",
  ),
  pair(
    'ICEBERG_REQUIRES_GTC',
    'an iceberg leg that does not stay',
    legs(limitAbove, { ...stopLimitBelow, ...ioc }),
    -1160,
    iceberg('belowIcebergQty', 'belowTimeInForce'),
  ),
  oco(
    'PARAMETER_NOT_REQUIRED',
    'a price with STOP_LOSS',
    { belowPrice: '69' },
    -1106,
    unwanted('belowPrice'),
  ),
  oto('INVALID_SIDE', 'an unknown side', { workingSide: 'BOTH' }, -1117, 'Invalid side.'),
  oco(
    'FILTER_FAILURE',
    'a price between ticks',
    { abovePrice: '130.001' },
    -1013,
    'Filter failure: PRICE_FILTER',
  ),
  otoco(
    'FILTER_FAILURE',
    'a pending stop price between ticks',
    { pendingBelowStopPrice: '70.001' },
    -1013,
    'Filter failure: PRICE_FILTER',
  ),
  oco(
    'ICEBERG_EXCEEDS_QUANTITY',
    'an iceberg leg that shows all',
    { aboveIcebergQty: '1' },
    -2010,
    'IcebergQty exceeds QTY.',
  ),
]

const lists: readonly ErrorCase[] = [
  oco(
    'ORDER_LIST_NOT_SUPPORTED',
    'OCO where it is not taken',
    { symbol: 'LIMIT-ONLY' },
    -2010,
    'OCO orders are not supported for this symbol',
  ),
  oco(
    'DUPLICATE_ORDER',
    'a leg of a client id in use',
    { aboveClientOrderId: 'open' },
    -2010,
    'Duplicate order sent.',
  ),
  oco(
    'DUPLICATE_ORDER',
    'two legs of one client id',
    { aboveClientOrderId: 'twin', belowClientOrderId: 'twin' },
    -2010,
    'Duplicate order sent.',
  ),
  bare(
    'WOULD_MATCH_IMMEDIATELY',
    'a working LIMIT_MAKER that would take',
    { ...without(OTO, 'workingTimeInForce'), workingType: 'LIMIT_MAKER', workingPrice: '120' },
    -2010,
    'Order would immediately match and take.',
  ),
  oco(
    'INSUFFICIENT_BALANCE',
    'more than one has',
    { quantity: '2000' },
    -2010,
    'Account has insufficient balance for requested action.',
  ),
  oto('MARKET_CLOSED', 'in HALT', { symbol: phases.HALT }, -2010, 'Market is closed.'),
]

const REPLACE = {
  symbol: SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '51',
  cancelReplaceMode: 'STOP_ON_FAILURE',
  cancelOrigClientOrderId: 'open',
}
const replacePath = '/api/v3/order/cancelReplace'
const replace = refusedBy('POST', replacePath, REPLACE)
const failed = 'Order cancel-replace failed.'
const replaces: readonly ErrorCase[] = [
  replace(
    'INVALID_CANCEL_RESTRICTIONS',
    'unknown restrictions',
    { cancelRestrictions: 'NEVER' },
    -1145,
    'Invalid cancelRestrictions',
  ),
  replace(
    'REPLACE_NOT_SUPPORTED',
    'where it is not taken',
    { symbol: 'LIMIT-ONLY' },
    -2010,
    'Order cancel-replace is not supported for this symbol.',
  ),
  replace('REPLACE_FAILED', 'an unknown order', { cancelOrigClientOrderId: 'none' }, -2022, failed),
  replace(
    'REPLACE_FAILED',
    'both halves',
    {
      cancelOrigClientOrderId: 'none',
      cancelReplaceMode: 'ALLOW_FAILURE',
      newClientOrderId: 'open',
    },
    -2022,
    failed,
  ),
]

const amend = refusedBy('PUT', '/api/v3/order/amend/keepPriority', {
  symbol: SYMBOL,
  origClientOrderId: 'open',
})
const amendFrozen = refusedBy(
  'PUT',
  '/api/v3/order/amend/keepPriority',
  { symbol: SYMBOL },
  'frozen',
)
const amends: readonly ErrorCase[] = [
  amend(
    'AMEND_INCREASES',
    'more than it has',
    { newQty: '1.5' },
    -2038,
    'Order amend (quantity increase) is not supported.',
  ),
  amend(
    'AMEND_PENDING',
    'an order without a quantity',
    { origClientOrderId: 'unsized', newQty: '1' },
    -2038,
    'Order amend (pending OPO order) is not supported.',
  ),
  amend(
    'AMEND_CHANGES_NOTHING',
    'what it has',
    { newQty: '1' },
    -2038,
    'The requested action would change no state; rejecting',
  ),
  amend(
    'AMEND_NOT_SUPPORTED',
    'where it is not taken',
    { symbol: 'LIMIT-ONLY', newQty: '0.5' },
    -2038,
    'Order amend is not supported for this symbol.',
  ),
  amend(
    'AMEND_UNKNOWN_ORDER',
    'an unknown order',
    { origClientOrderId: 'none', newQty: '0.5' },
    -2038,
    'Unknown order sent.',
  ),
  amend(
    'AMEND_DUPLICATE_ORDER',
    'a client id in use',
    { newClientOrderId: 'open-too', newQty: '0.5' },
    -2038,
    'Duplicate order sent.',
  ),
  amend('INVALID_QUANTITY', 'a quantity of zero', { newQty: '0' }, -1013, 'Invalid quantity.'),
  amendFrozen(
    'AMEND_FROZEN',
    'a frozen account',
    { orderId: 1, newQty: '0.5' },
    -2038,
    'This account may not place or cancel orders.',
  ),
]

export const listCases: Readonly<Record<string, readonly ErrorCase[]>> = {
  'shapes of OCO': shapes,
  'parameters of lists': parameters,
  lists,
  replaces,
  amends,
}
