/** Refusals of single orders for their parameters: what is missing, malformed, unknown, unwanted. */
import { GOOD, MARKET, PATH } from './orders.ts'
import { type ErrorCase, missing, refusedBy, without } from './raise.ts'

const order = refusedBy('POST', PATH)
const good = refusedBy('POST', PATH, GOOD)
const market = refusedBy('POST', PATH, MARKET)

const DECIMALS = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const illegal = (name: string, range: string) =>
  `Illegal characters found in parameter '${name}'; legal range is '${range}'.`
const unwanted = (name: string) => `Parameter '${name}' sent when not required.`
const combination = 'Combination of optional parameters invalid.'

export const parameterCases: readonly ErrorCase[] = [
  ...['symbol', 'side', 'type', 'timeInForce', 'price', 'quantity'].map((name) =>
    order('MANDATORY_PARAMETER', `no ${name}`, without(GOOD, name), -1102, missing(name)),
  ),
  order(
    'ONE_OF_TWO_PARAMETERS',
    'MARKET of no size',
    without(MARKET, 'quantity'),
    -1102,
    "Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!",
  ),
  good(
    'ILLEGAL_CHARACTERS',
    'a symbol in lower case',
    { symbol: 'btcusdt' },
    -1100,
    illegal('symbol', '^[A-Z0-9-_.]{1,20}$'),
  ),
  good(
    'ILLEGAL_CHARACTERS',
    'a negative price',
    { price: '-1' },
    -1100,
    illegal('price', DECIMALS),
  ),
  good(
    'UNREAD_PARAMETERS',
    'an unknown parameter',
    { colour: 'green' },
    -1104,
    "Not all sent parameters were read; read '8' parameter(s) but was sent '9'.",
  ),
  good(
    'UNREAD_PARAMETERS',
    'names are case-sensitive',
    { STOPPRICE: '1' },
    -1104,
    "Not all sent parameters were read; read '8' parameter(s) but was sent '9'.",
  ),
  good(
    'PARAMETER_EMPTY',
    'an empty optional parameter',
    { icebergQty: '' },
    -1105,
    "Parameter 'icebergQty' was empty.",
  ),
  good(
    'EMPTY_CLIENT_ORDER_ID',
    'an empty client id',
    { newClientOrderId: '' },
    -1118,
    'New client order ID was empty.',
  ),
  good(
    'BAD_COMBINATION',
    'both spellings of the client id',
    { newClientOrderId: 'a', clOrdId: 'a' },
    -1128,
    combination,
  ),
  good(
    'TIME_IN_FORCE_NOT_REQUIRED',
    'timeInForce with LIMIT_MAKER',
    { type: 'LIMIT_MAKER' },
    -1114,
    'TimeInForce parameter sent when not required.',
  ),
  market('PARAMETER_NOT_REQUIRED', 'price with MARKET', { price: '100' }, -1106, unwanted('price')),
  good(
    'PARAMETER_OVERFLOW',
    'a quantity beyond all',
    { quantity: '99999999999999999999' },
    -1108,
    "Parameter 'quantity' overflowed.",
  ),
  good(
    'BAD_PRECISION',
    'nine decimals',
    { price: '90.123456789' },
    -1111,
    "Parameter 'price' has too much precision.",
  ),
  good(
    'INVALID_TIME_IN_FORCE',
    'an unknown timeInForce',
    { timeInForce: 'GTX' },
    -1115,
    'Invalid timeInForce.',
  ),
  good('INVALID_ORDER_TYPE', 'an unknown type', { type: 'STOP' }, -1116, 'Invalid orderType.'),
  good('INVALID_SIDE', 'an unknown side', { side: 'HOLD' }, -1117, 'Invalid side.'),
  good(
    'INVALID_PARAMETER',
    'an unknown response type',
    { newOrderRespType: 'LONG' },
    -1130,
    "Data sent for parameter 'newOrderRespType' is not valid.",
  ),
  good(
    'INVALID_PARAMETER',
    'an unknown prevention mode',
    { selfTradePreventionMode: 'NEVER' },
    -1130,
    "Data sent for parameter 'selfTradePreventionMode' is not valid.",
  ),
  good(
    'INVALID_PEG_PRICE_TYPE',
    'an unknown peg',
    { pegPriceType: 'MIDDLE_PEG' },
    -1210,
    'Invalid pegPriceType.',
  ),
  good(
    'INVALID_PEG_OFFSET_TYPE',
    'an unknown offset',
    { pegPriceType: 'PRIMARY_PEG', pegOffsetType: 'TICK', pegOffsetValue: 1 },
    -1211,
    'Invalid pegOffsetType.',
  ),
  good(
    'BAD_STRATEGY_TYPE',
    'a strategy type below a million',
    { strategyType: 999_999 },
    -1134,
    'strategyType was less than 1000000.',
  ),
  good('INVALID_SYMBOL', 'an unknown symbol', { symbol: 'NOPE' }, -1121, 'Invalid symbol.'),
  good('INVALID_PRICE', 'a price of zero', { price: '0' }, -1013, 'Invalid price.'),
  good('INVALID_QUANTITY', 'a quantity of zero', { quantity: '0.00' }, -1013, 'Invalid quantity.'),
  good(
    'PREVENTION_MODE_REFUSED',
    'a mode that the symbol does not allow',
    { selfTradePreventionMode: 'DECREMENT' },
    -1013,
    'This symbol does not allow the specified self-trade prevention mode.',
  ),
]

export const shapeCases: readonly ErrorCase[] = [
  good(
    'PEG_NOT_OF_TYPE',
    'a peg to its own side that would take at once',
    { pegPriceType: 'PRIMARY_PEG', timeInForce: 'IOC' },
    -2010,
    'This price peg cannot be used with this order type.',
  ),
  good(
    'UNSUPPORTED_COMBINATION',
    'an iceberg that does not stay',
    { icebergQty: '0.1', timeInForce: 'IOC' },
    -2010,
    'Unsupported order combination',
  ),
  good(
    'ICEBERG_EXCEEDS_QUANTITY',
    'an iceberg that shows all',
    { icebergQty: '1' },
    -2010,
    'IcebergQty exceeds QTY.',
  ),
  good(
    'NOTIONAL_IS_ZERO',
    'a worth below all decimals',
    { symbol: 'FINE', price: '0.00001', quantity: '0.00001' },
    -2010,
    'Price * QTY is zero or less.',
  ),
]
