/** Deposits and withdrawals (Binance.US, wallet). */
import { many, one } from '../answers/by-name.ts'
import {
  depositAddress,
  depositAddresses,
  deposits,
  subAccountDepositAddress,
  subAccountDeposits,
} from '../handlers/deposits.ts'
import { withdraw, withdrawals } from '../handlers/withdrawals.ts'
import { DEPOSIT_STATUS, type ParamKind, slotOf, WITHDRAWAL_STATUS } from '../parameters.ts'
import { amountRow, may, must, type Operation, type ParamRow } from './operation.ts'

const data = {
  method: 'GET',
  security: 'USER_DATA',
  signed: true,
  weight: 1,
  effect: 'NONE',
  orderCount: 0,
} as const
const memory = { ...data, sources: ['MEMORY'] } as const
const database = { ...data, sources: ['DATABASE'] } as const

const status = (kind: ParamKind, meaning: string): ParamRow => ({
  slot: slotOf('status'),
  mandatory: false,
  kind,
  meaning,
})
const listed = may('coin', 'startTime', 'endTime', 'offset', 'limit')

const addressed = [
  ...must('coin'),
  ...may('network'),
  amountRow('has no effect: no network of this exchange needs it', false),
]
const deposited = [
  ...listed,
  ...may('txId', 'includeSource'),
  status(DEPOSIT_STATUS, '0 pending, 6 credited, 1 also unlocked, 7 wrong, 2 lost'),
]

/** Each under the path of Binance.US, and under Binance's. */
const ofSubAccount = {
  ...memory,
  params: [...must('email'), ...addressed],
  answer: one('DepositAddress'),
  handler: subAccountDepositAddress,
} as const
const depositsOfSubAccount = {
  ...database,
  params: [...must('email'), ...deposited],
  answer: many('Deposit'),
  handler: subAccountDeposits,
} as const

export const capitalOperations: readonly Operation[] = [
  {
    ...memory,
    id: 'depositAddress',
    path: '/sapi/v1/capital/deposit/address',
    params: addressed,
    answer: one('DepositAddress'),
    handler: depositAddress,
  },
  {
    ...database,
    id: 'deposits',
    path: '/sapi/v1/capital/deposit/hisrec',
    params: deposited,
    answer: many('Deposit'),
    handler: deposits,
  },
  {
    ...data,
    id: 'withdraw',
    method: 'POST',
    path: '/sapi/v1/capital/withdraw/apply',
    effect: 'MOVES',
    sources: ['ENGINE'],
    params: [
      ...must('coin', 'address'),
      amountRow('with the fee, which is taken from it', true),
      ...may('network', 'addressTag', 'withdrawOrderId'),
      ...may('transactionFeeFlag', 'walletType', 'name'),
    ],
    answer: one('WithdrawalId'),
    handler: withdraw,
  },
  {
    ...database,
    id: 'withdrawals',
    path: '/sapi/v1/capital/withdraw/history',
    params: [
      ...listed,
      ...may('withdrawOrderId', 'idList'),
      status(
        WITHDRAWAL_STATUS,
        '0 e-mail sent, 1 cancelled, 2 awaits approval, 3 rejected, 4 processing, 5 failed, 6 completed',
      ),
    ],
    answer: many('Withdrawal'),
    handler: withdrawals,
  },
  {
    ...memory,
    id: 'depositAddresses',
    path: '/sapi/v1/capital/deposit/address/list',
    weight: 10,
    params: [...must('coin'), ...may('network')],
    answer: many('ListedAddress'),
    handler: depositAddresses,
  },
  {
    ...ofSubAccount,
    id: 'subAccountDepositAddress',
    path: '/sapi/v1/capital/sub-account/deposit/address',
  },
  { ...ofSubAccount, id: 'subAddress', path: '/sapi/v1/capital/deposit/subAddress' },
  {
    ...depositsOfSubAccount,
    id: 'subAccountDeposits',
    path: '/sapi/v1/capital/sub-account/deposit/history',
  },
  { ...depositsOfSubAccount, id: 'subDeposits', path: '/sapi/v1/capital/deposit/subHisrec' },
]
