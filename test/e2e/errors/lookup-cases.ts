/** Refusals of cancels, of queries, and of market data. */
import { type ErrorCase, missing, refusedBy } from './raise.ts'
import { OPEN_ID, SYMBOL } from './stage.ts'

const ON = { symbol: SYMBOL }
const cancel = refusedBy('DELETE', '/api/v3/order', ON)
const cancelAll = refusedBy('DELETE', '/api/v3/openOrders', ON)
const cancelList = refusedBy('DELETE', '/api/v3/orderList', ON)
const query = refusedBy('GET', '/api/v3/order', ON)

const unknown = 'Unknown order sent.'
const absent = 'Order does not exist.'
const combination = 'Combination of optional parameters invalid.'
const tooLong = 'More than 24 hours between startTime and endTime.'
const frozen = 'This account may not place or cancel orders.'

const cancels: readonly ErrorCase[] = [
  cancel(
    'CANCEL_WITHOUT_ID',
    'neither id',
    {},
    -2011,
    'Cancel order is invalid. Check origClOrdId and orderId.',
  ),
  cancel('UNKNOWN_ORDER', 'an unknown id', { orderId: 999_999 }, -2011, unknown),
  cancel('UNKNOWN_ORDER', 'an unknown client id', { origClientOrderId: 'none' }, -2011, unknown),
  cancel(
    'UNKNOWN_ORDER',
    'ids that disagree',
    { orderId: 999_999, origClientOrderId: 'open' },
    -2011,
    unknown,
  ),
  cancel(
    'EMPTY_ORIG_CLIENT_ORDER_ID',
    'an empty client id',
    { origClientOrderId: '' },
    -1119,
    'Original client order ID was empty.',
  ),
  cancel(
    'CANCEL_RESTRICTED',
    'restrictions that it does not meet',
    { origClientOrderId: 'open', cancelRestrictions: 'ONLY_PARTIALLY_FILLED' },
    -2011,
    'Order was not canceled due to cancel restrictions.',
  ),
  refusedBy('DELETE', '/api/v3/order', ON, 'frozen')(
    'CANCEL_FROZEN',
    'a frozen account',
    { orderId: 1 },
    -2011,
    frozen,
  ),
  cancelAll('UNKNOWN_ORDER', 'nothing open', { symbol: 'EMPTY' }, -2011, unknown),
  cancelList('UNKNOWN_ORDER', 'an unknown list', { orderListId: 999_999 }, -2011, unknown),
  cancelList(
    'UNKNOWN_ORDER',
    'an unknown list by client id',
    { listClientOrderId: 'none' },
    -2011,
    unknown,
  ),
]

const DAY_MS = 86_400_000
const twoDays = { startTime: 1, endTime: 1 + DAY_MS + 1 }
const prevented = refusedBy('GET', '/api/v3/myPreventedMatches', ON)
const queries: readonly ErrorCase[] = [
  query('NO_SUCH_ORDER', 'an unknown id', { orderId: 999_999 }, -2013, absent),
  query('NO_SUCH_ORDER', 'an unknown client id', { origClientOrderId: 'none' }, -2013, absent),
  query(
    'CLIENT_ORDER_ID_MISMATCH',
    'ids that disagree',
    { orderId: OPEN_ID, origClientOrderId: 'open-too' },
    -2039,
    'Client order ID is not correct for this order ID.',
  ),
  refusedBy('GET', '/api/v3/orderList')(
    'NO_SUCH_ORDER_LIST',
    'an unknown list',
    { orderListId: 999_999 },
    -2018,
    'Order list does not exist.',
  ),
  query(
    'ORDER_ARCHIVED',
    'an order of long ago',
    { symbol: 'OLD', orderId: 1 },
    -2026,
    'Order was canceled or expired with no executed qty over 90 days ago and has been archived.',
  ),
  refusedBy('GET', '/api/v3/allOrders', ON)(
    'MORE_THAN_24_HOURS',
    'orders of two days',
    twoDays,
    -1127,
    tooLong,
  ),
  refusedBy('GET', '/api/v3/allOrderList')(
    'BAD_COMBINATION',
    'lists by id and time',
    { fromId: 1, startTime: 1 },
    -1128,
    combination,
  ),
  refusedBy('GET', '/api/v3/allOrderList')(
    'MORE_THAN_24_HOURS',
    'lists of two days',
    twoDays,
    -1127,
    tooLong,
  ),
  prevented('BAD_COMBINATION', 'prevented matches of everything', {}, -1128, combination),
  prevented(
    'BAD_COMBINATION',
    'a prevented match of an order',
    { orderId: 1, preventedMatchId: 1 },
    -1128,
    combination,
  ),
  refusedBy('GET', '/api/v3/orderList')(
    'ONE_OF_TWO_PARAMETERS',
    'no list',
    {},
    -1102,
    "Param 'origClientOrderId' or 'orderListId' must be sent, but both were empty/null!",
  ),
  refusedBy('GET', '/api/v3/order/amendments', ON)(
    'MANDATORY_PARAMETER',
    'amendments of nothing',
    {},
    -1102,
    missing('orderId'),
  ),
  refusedBy('GET', '/api/v3/account', {}, 'sender')(
    'REJECTED_API_KEY',
    'a key that may not read',
    {},
    -2015,
    'Invalid API-key, IP, or permissions for action.',
  ),
]

const many = JSON.stringify(Array.from({ length: 101 }, (_, index) => `S${index}`))
const price = refusedBy('GET', '/api/v3/ticker/price')
const depth = refusedBy('GET', '/api/v3/depth')
/** Sent without a key: these operations read no signature. */
export const publicCases: readonly ErrorCase[] = [
  depth('MANDATORY_PARAMETER', 'no symbol', {}, -1102, missing('symbol')),
  depth(
    'INVALID_SYMBOL_STATUS',
    'an unknown status',
    { ...ON, symbolStatus: 'OPEN' },
    -1122,
    'Invalid symbolStatus.',
  ),
  refusedBy('GET', '/api/v3/referencePrice', ON)(
    'NO_REFERENCE_PRICE',
    'a reference price',
    {},
    -2043,
    "This symbol doesn't have a reference price.",
  ),
  refusedBy('GET', '/api/v3/klines', ON)(
    'INVALID_INTERVAL',
    'an unknown interval',
    { interval: '7m' },
    -1120,
    'Invalid interval.',
  ),
  refusedBy('GET', '/api/v3/ticker/24hr', ON)(
    'INVALID_TICKER_TYPE',
    'an unknown ticker',
    { type: 'MIDI' },
    -1139,
    'Invalid ticker type.',
  ),
  depth(
    'SYMBOL_STATUS_MISMATCH',
    'another status',
    { ...ON, symbolStatus: 'HALT' },
    -1220,
    "The symbol's status does not match the requested symbolStatus.",
  ),
  price(
    'DUPLICATE_SYMBOLS',
    'a symbol twice',
    { symbols: `["${SYMBOL}","${SYMBOL}"]` },
    -1151,
    'Symbol is present multiple times in the list.',
  ),
  refusedBy('GET', '/api/v3/ticker')(
    'TOO_MANY_VALUES',
    '101 symbols',
    { symbols: many },
    -1101,
    "Too many values sent for parameter 'symbols', maximum allowed up to 100.",
  ),
  price(
    'BAD_COMBINATION',
    'one symbol and several',
    { ...ON, symbols: `["${SYMBOL}"]` },
    -1128,
    combination,
  ),
]

const transfer = refusedBy('POST', '/sapi/v3/sub-account/transfer', {
  fromEmail: 'own@ringbook.invalid',
  toEmail: 'sub@ringbook.invalid',
  asset: 'BTC',
  amount: '1',
})
const subAccounts: readonly ErrorCase[] = [
  refusedBy('GET', '/sapi/v3/sub-account/assets')(
    'INVALID_EMAIL',
    'an account that is no sub-account',
    { email: 'own@ringbook.invalid' },
    -4003,
    'Your input email is invalid.',
  ),
  refusedBy('GET', '/sapi/v3/sub-account/list', {}, 'sub')(
    'MASTER_ONLY',
    "a sub-account's key",
    {},
    -4006,
    'Support main account only.',
  ),
  transfer(
    'WITHDRAWAL_EXCEEDS_BALANCE',
    'a transfer of more than there is',
    { amount: '1000000' },
    -4026,
    'You have insufficient balance.',
  ),
  transfer(
    'NO_SUCH_ASSET',
    'a transfer of an unknown asset',
    { asset: 'DOGE' },
    -4018,
    "We don't have this asset.",
  ),
  transfer(
    'WITHDRAWAL_LIMITED',
    'a transfer to a frozen account',
    { toEmail: 'cold@ringbook.invalid' },
    -4015,
    'Withdraw is limited.',
  ),
]

export const lookupCases: Readonly<Record<string, readonly ErrorCase[]>> = {
  cancels,
  queries,
  subAccounts,
}
