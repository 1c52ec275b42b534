/** The account, its listen keys and the wallet's few endpoints that clients call on their own. */
import {
  account,
  closeListenKey,
  coins,
  commission,
  keepListenKeyAlive,
  startListenKey,
  tradeFee,
} from '../handlers/account.ts'
import { emptyList } from '../handlers/market.ts'
import { orderCounts } from '../handlers/order-counts.ts'
import { may, must, type Operation } from './operation.ts'

const memory = { orderCount: 0, sources: ['MEMORY'] } as const
const data = { ...memory, method: 'GET', security: 'USER_DATA', signed: true } as const
const listenKey = {
  ...memory,
  path: '/api/v3/userDataStream',
  security: 'USER_STREAM',
  signed: false,
  weight: 1,
} as const

/** Unsigned, but some clients sign it all the same (supplement 3.2). */
const margin = {
  ...memory,
  method: 'GET',
  security: 'MARKET_DATA',
  signed: false,
  weight: 1,
  params: may('symbol', 'timestamp', 'recvWindow', 'signature'),
  handler: emptyList,
} as const

const fees = {
  ...data,
  weight: 1,
  params: may('symbol'),
  handler: tradeFee,
} as const

export const accountOperations: readonly Operation[] = [
  {
    ...data,
    id: 'account',
    path: '/api/v3/account',
    wsMethod: 'account.status',
    weight: 10,
    params: may('omitZeroBalances'),
    handler: account,
  },
  {
    ...data,
    id: 'commission',
    path: '/api/v3/account/commission',
    wsMethod: 'account.commission',
    weight: 20,
    params: must('symbol'),
    handler: commission,
  },
  {
    ...data,
    id: 'orderCounts',
    path: '/api/v3/rateLimit/order',
    wsMethod: 'account.rateLimits.orders',
    weight: 40,
    params: [],
    handler: orderCounts,
  },
  {
    ...listenKey,
    id: 'startListenKey',
    method: 'POST',
    wsMethod: 'userDataStream.start',
    params: [],
    handler: startListenKey,
  },
  {
    ...listenKey,
    id: 'keepListenKeyAlive',
    method: 'PUT',
    wsMethod: 'userDataStream.ping',
    params: must('listenKey'),
    handler: keepListenKeyAlive,
  },
  {
    ...listenKey,
    id: 'closeListenKey',
    method: 'DELETE',
    wsMethod: 'userDataStream.stop',
    params: must('listenKey'),
    handler: closeListenKey,
  },
  { ...fees, id: 'tradeFee', path: '/sapi/v1/asset/query/trading-fee' },
  { ...fees, id: 'tradeFeeAlias', path: '/sapi/v1/asset/tradeFee' },
  {
    ...data,
    id: 'coins',
    path: '/sapi/v1/capital/config/getall',
    weight: 10,
    params: [],
    handler: coins,
  },
  { ...margin, id: 'marginPairs', path: '/sapi/v1/margin/allPairs' },
  { ...margin, id: 'isolatedMarginPairs', path: '/sapi/v1/margin/isolated/allPairs' },
]
