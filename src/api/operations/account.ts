/** The account and its listen keys: rest-api.md. */

import { many, one } from '../answers/by-name.ts'
import {
  account,
  closeListenKey,
  commission,
  keepListenKeyAlive,
  startListenKey,
} from '../handlers/account.ts'
import { latency } from '../handlers/latency.ts'
import { orderCounts } from '../handlers/order-counts.ts'
import { may, must, type Operation } from './operation.ts'

const memory = { effect: 'NONE', orderCount: 0, sources: ['MEMORY'] } as const
const data = { ...memory, method: 'GET', security: 'USER_DATA', signed: true } as const
const listenKey = {
  ...memory,
  path: '/api/v3/userDataStream',
  security: 'USER_STREAM',
  signed: false,
  weight: 1,
} as const

export const accountOperations: readonly Operation[] = [
  {
    ...data,
    id: 'account',
    path: '/api/v3/account',
    wsMethod: 'account.status',
    weight: 10,
    params: may('omitZeroBalances'),
    answer: one('Account'),
    handler: account,
  },
  {
    ...data,
    id: 'commission',
    path: '/api/v3/account/commission',
    wsMethod: 'account.commission',
    weight: 20,
    params: must('symbol'),
    answer: one('Commission'),
    handler: commission,
  },
  {
    ...data,
    id: 'orderCounts',
    path: '/api/v3/rateLimit/order',
    wsMethod: 'account.rateLimits.orders',
    weight: 40,
    params: [],
    answer: many('RateLimitCount'),
    handler: orderCounts,
  },
  {
    ...data,
    id: 'latency',
    path: '/ringbook/v1/latency',
    wsMethod: 'latency',
    weight: 10,
    params: [],
    answer: many('StageLatency'),
    handler: latency,
  },
  {
    ...listenKey,
    id: 'startListenKey',
    method: 'POST',
    wsMethod: 'userDataStream.start',
    params: [],
    answer: one('ListenKey'),
    handler: startListenKey,
  },
  {
    ...listenKey,
    id: 'keepListenKeyAlive',
    method: 'PUT',
    wsMethod: 'userDataStream.ping',
    params: must('listenKey'),
    answer: one('Empty'),
    handler: keepListenKeyAlive,
  },
  {
    ...listenKey,
    id: 'closeListenKey',
    method: 'DELETE',
    wsMethod: 'userDataStream.stop',
    params: must('listenKey'),
    answer: one('Empty'),
    handler: closeListenKey,
  },
]
