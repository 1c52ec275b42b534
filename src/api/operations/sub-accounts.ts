/** The wallet's endpoints of sub-accounts, for their master's keys (Binance.US, wallet). */
import { many, one } from '../answers/by-name.ts'
import { subAccountTransfer, universalTransfer } from '../handlers/sub-account-transfer.ts'
import {
  spotTransfers,
  subAccountTransfers,
  universalTransfers,
} from '../handlers/sub-account-transfers.ts'
import {
  subAccountAssets,
  subAccountStatus,
  subAccounts,
  subAccountWorths,
  subUsers,
} from '../handlers/sub-accounts.ts'
import { slotOf } from '../parameters.ts'
import { amountRow, may, must, type Operation } from './operation.ts'

const memory = {
  method: 'GET',
  security: 'USER_DATA',
  signed: true,
  weight: 1,
  effect: 'NONE',
  orderCount: 0,
  sources: ['MEMORY'],
} as const

const moving = { ...memory, method: 'POST', sources: ['ENGINE'], effect: 'MOVES' } as const
const transferred = {
  ...memory,
  sources: ['DATABASE'],
  exclusive: [[slotOf('fromEmail'), slotOf('toEmail')]],
} as const
const moved = [...must('asset'), amountRow('of the asset', true), ...may('clientTranId')]

export const subAccountOperations: readonly Operation[] = [
  {
    ...memory,
    id: 'subAccounts',
    path: '/sapi/v3/sub-account/list',
    params: may('email', 'status', 'page', 'limit'),
    answer: one('SubAccounts'),
    handler: subAccounts,
  },
  {
    ...memory,
    id: 'subUsers',
    path: '/sapi/v1/sub-account/list',
    params: may('email', 'isFreeze', 'page', 'limit'),
    answer: one('SubUsers'),
    handler: subUsers,
  },
  {
    ...memory,
    id: 'subAccountAssets',
    path: '/sapi/v3/sub-account/assets',
    params: must('email'),
    answer: one('SubAccountAssets'),
    handler: subAccountAssets,
  },
  {
    ...memory,
    id: 'subAccountWorths',
    path: '/sapi/v1/sub-account/spotSummary',
    params: may('email', 'page', 'size'),
    answer: one('SubAccountWorths'),
    handler: subAccountWorths,
  },
  {
    ...memory,
    id: 'subAccountStatus',
    path: '/sapi/v1/sub-account/status',
    params: may('email'),
    answer: many('SubAccountStatus'),
    handler: subAccountStatus,
  },
  {
    ...moving,
    id: 'subAccountTransfer',
    path: '/sapi/v3/sub-account/transfer',
    params: [...must('fromEmail', 'toEmail'), ...moved],
    answer: one('SubAccountTransfer'),
    handler: subAccountTransfer,
  },
  {
    ...moving,
    id: 'universalTransfer',
    path: '/sapi/v1/sub-account/universalTransfer',
    params: [...may('fromEmail', 'toEmail'), ...must('fromAccountType', 'toAccountType'), ...moved],
    answer: one('UniversalTransfer'),
    handler: universalTransfer,
  },
  {
    ...memory,
    sources: ['DATABASE'],
    id: 'subAccountTransfers',
    path: '/sapi/v3/sub-account/transfer/history',
    params: may('email', 'startTime', 'endTime', 'page', 'limit'),
    answer: one('SubAccountTransfers'),
    handler: subAccountTransfers,
  },
  {
    ...transferred,
    id: 'spotTransfers',
    path: '/sapi/v1/sub-account/sub/transfer/history',
    params: may('fromEmail', 'toEmail', 'startTime', 'endTime', 'page', 'limit'),
    answer: many('SpotTransfers'),
    handler: spotTransfers,
  },
  {
    ...transferred,
    id: 'universalTransfers',
    path: '/sapi/v1/sub-account/universalTransfer',
    params: may(
      ...([
        'fromEmail',
        'toEmail',
        'clientTranId',
        'startTime',
        'endTime',
        'page',
        'limit',
      ] as const),
    ),
    answer: one('UniversalTransfers'),
    handler: universalTransfers,
  },
]
