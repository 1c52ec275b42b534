/** The wallet's endpoints (Binance.US, wallet). */

import { many, one } from '../answers/by-name.ts'
import { emptyList, systemStatus } from '../handlers/market.ts'
import {
  accountState,
  accountStatus,
  assetDetail,
  coins,
  distributions,
  dividends,
  keyRights,
  tradeFee,
  tradingState,
  tradingStatus,
  tradingVolume,
  userAssets,
} from '../handlers/wallet.ts'
import { may, type Operation } from './operation.ts'

const data = {
  method: 'GET',
  security: 'USER_DATA',
  signed: true,
  weight: 1,
  effect: 'NONE',
  orderCount: 0,
  params: [],
} as const
const memory = { ...data, sources: ['MEMORY'] } as const
const database = { ...data, sources: ['DATABASE'] } as const

/** Unsigned, but some clients sign it all the same (docs/api/decisions.md). */
const margin = {
  ...memory,
  security: 'MARKET_DATA',
  signed: false,
  params: may('symbol', 'timestamp', 'recvWindow', 'signature'),
  handler: emptyList,
} as const

const fees = { ...memory, params: may('symbol'), handler: tradeFee } as const

export const walletOperations: readonly Operation[] = [
  {
    ...memory,
    id: 'systemStatus',
    path: '/sapi/v1/system/status',
    handler: systemStatus,
    answer: one('SystemStatus'),
  },
  {
    ...database,
    id: 'accountStatus',
    path: '/sapi/v3/accountStatus',
    handler: accountStatus,
    answer: one('AccountStatus'),
  },
  {
    ...database,
    id: 'tradingStatus',
    path: '/sapi/v3/apiTradingStatus',
    handler: tradingStatus,
    answer: one('TradingStatus'),
  },
  {
    ...database,
    id: 'distributions',
    path: '/sapi/v1/asset/assetDistributionHistory',
    params: may('asset', 'category', 'startTime', 'endTime', 'limit'),
    answer: one('Distributions'),
    handler: distributions,
  },
  { ...fees, id: 'tradeFee', path: '/sapi/v1/asset/query/trading-fee', answer: many('TradeFee') },
  { ...fees, id: 'tradeFeeAlias', path: '/sapi/v1/asset/tradeFee', answer: many('TradeFee') },
  {
    ...database,
    id: 'tradingVolume',
    path: '/sapi/v1/asset/query/trading-volume',
    answer: one('TradingVolume'),
    handler: tradingVolume,
  },
  {
    ...database,
    id: 'accountState',
    path: '/sapi/v1/account/status',
    answer: one('AccountState'),
    handler: accountState,
  },
  {
    ...database,
    id: 'tradingState',
    path: '/sapi/v1/account/apiTradingStatus',
    answer: one('TradingState'),
    handler: tradingState,
  },
  {
    ...memory,
    id: 'keyRights',
    path: '/sapi/v1/account/apiRestrictions',
    answer: one('KeyRights'),
    handler: keyRights,
  },
  {
    ...database,
    id: 'dividends',
    path: '/sapi/v1/asset/assetDividend',
    weight: 10,
    params: may('asset', 'startTime', 'endTime', 'limit'),
    answer: one('Dividends'),
    handler: dividends,
  },
  {
    ...memory,
    id: 'userAssets',
    method: 'POST',
    path: '/sapi/v3/asset/getUserAsset',
    weight: 5,
    params: may('asset', 'needBtcValuation'),
    answer: many('UserAsset'),
    handler: userAssets,
  },
  {
    ...memory,
    id: 'coins',
    path: '/sapi/v1/capital/config/getall',
    weight: 10,
    answer: many('Coin'),
    handler: coins,
  },
  {
    ...memory,
    id: 'assetDetail',
    path: '/sapi/v1/asset/assetDetail',
    params: may('asset'),
    answer: one('AssetDetails'),
    handler: assetDetail,
  },
  { ...margin, id: 'marginPairs', path: '/sapi/v1/margin/allPairs', answer: one('EmptyList') },
  {
    ...margin,
    id: 'isolatedMarginPairs',
    path: '/sapi/v1/margin/isolated/allPairs',
    answer: one('EmptyList'),
  },
]

/** Returns the operation without a key; it accepts and ignores the parameters of a signature. */
export const unsigned = (operation: Operation): Operation => ({
  ...operation,
  security: 'NONE',
  signed: false,
  params: [...operation.params, ...may('timestamp', 'recvWindow', 'signature')],
})
