/** Refusals of cancels, of queries, and of sub-accounts, by what there is. */
import { type ErrorCase, refusedBy } from './raise.ts'
import { OPEN_ID, SYMBOL } from './stage.ts'

const ON = { symbol: SYMBOL }
const cancel = refusedBy('DELETE', '/api/v3/order', ON)
const cancelAll = refusedBy('DELETE', '/api/v3/openOrders')
const cancelList = refusedBy('DELETE', '/api/v3/orderList', ON)
const query = refusedBy('GET', '/api/v3/order', ON)
const list = refusedBy('GET', '/api/v3/orderList')
const account = refusedBy('GET', '/api/v3/account', {}, 'sender')

const none = { origClientOrderId: 'none' }
const unknown = 'Unknown order sent.'
const absent = 'Order does not exist.'

const cancels: readonly ErrorCase[] = [
  cancel('UNKNOWN_ORDER', 'an unknown id', { orderId: 999_999 }, unknown),
  cancel('UNKNOWN_ORDER', 'an unknown client id', none, unknown),
  cancel(
    'UNKNOWN_ORDER',
    'ids that disagree',
    { orderId: 999_999, origClientOrderId: 'open' },
    unknown,
  ),
  cancel(
    'CANCEL_RESTRICTED',
    'restrictions that it does not meet',
    { origClientOrderId: 'open', cancelRestrictions: 'ONLY_PARTIALLY_FILLED' },
    'Order was not canceled due to cancel restrictions.',
  ),
  cancelAll('UNKNOWN_ORDER', 'nothing open', { symbol: 'EMPTY' }, unknown),
  cancelList('UNKNOWN_ORDER', 'an unknown list', { orderListId: 999_999 }, unknown),
  cancelList('UNKNOWN_ORDER', 'a list by client id', { listClientOrderId: 'none' }, unknown),
]

const queries: readonly ErrorCase[] = [
  query('NO_SUCH_ORDER', 'an unknown id', { orderId: 999_999 }, absent),
  query('NO_SUCH_ORDER', 'an unknown client id', none, absent),
  query(
    'CLIENT_ORDER_ID_MISMATCH',
    'ids that disagree',
    { orderId: OPEN_ID, origClientOrderId: 'open-too' },
    'Client order ID is not correct for this order ID.',
  ),
  list(
    'NO_SUCH_ORDER_LIST',
    'an unknown list',
    { orderListId: 999_999 },
    'Order list does not exist.',
  ),
  query(
    'ORDER_ARCHIVED',
    'an order of long ago',
    { symbol: 'OLD', orderId: 1 },
    'Order was canceled or expired with no executed qty over 90 days ago and has been archived.',
  ),
  account(
    'REJECTED_API_KEY',
    'a key that may not read',
    {},
    'Invalid API-key, IP, or permissions for action.',
  ),
]

const transfer = refusedBy('POST', '/sapi/v3/sub-account/transfer', {
  fromEmail: 'own@ringbook.invalid',
  toEmail: 'sub@ringbook.invalid',
  asset: 'BTC',
  amount: '1',
})
const cold = { toEmail: 'cold@ringbook.invalid' }
const subAccounts: readonly ErrorCase[] = [
  transfer(
    'WITHDRAWAL_EXCEEDS_BALANCE',
    'more than there is',
    { amount: '1000000' },
    'You have insufficient balance.',
  ),
  transfer('NO_SUCH_ASSET', 'an unknown asset', { asset: 'DOGE' }, "We don't have this asset."),
  transfer('WITHDRAWAL_LIMITED', 'to a frozen account', cold, 'Withdraw is limited.'),
]

export const lookupCases: Readonly<Record<string, readonly ErrorCase[]>> = {
  cancels,
  queries,
  subAccounts,
}
