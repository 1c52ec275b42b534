/** The wallet's endpoints of sub-accounts, for their master's keys (Binance.US, wallet). */
import { many, one } from '../answers/by-name.ts'
import { subAccountTransfer } from '../handlers/sub-account-transfer.ts'
import {
  subAccountAssets,
  subAccountStatus,
  subAccounts,
  subAccountTransfers,
  subAccountWorths,
} from '../handlers/sub-accounts.ts'
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
    ...memory,
    method: 'POST',
    sources: ['ENGINE'],
    effect: 'MOVES',
    id: 'subAccountTransfer',
    path: '/sapi/v3/sub-account/transfer',
    params: [...must('fromEmail', 'toEmail', 'asset'), amountRow('of the asset', true)],
    answer: one('SubAccountTransfer'),
    handler: subAccountTransfer,
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
]
