/** Every answer by the name that documents have for it, and the answers of operations with 200. */
import { account, commission, listenKey, orderRates, stageLatency, tradeFee } from './account.ts'
import { clockAnswer } from './clock.ts'
import { errorAnswer } from './errors.ts'
import { exchangeInfo, executionRules, relevantFilters } from './exchange-info.ts'
import { rateLimitCount } from './limits.ts'
import {
  aggregateTrade,
  auction,
  averagePrice,
  blockTrade,
  bookTicker,
  dayTicker,
  depth,
  empty,
  kline,
  miniDayTicker,
  miniTicker,
  priceTicker,
  publicTrade,
  referenceCalculation,
  referencePrice,
  serverTime,
  systemStatus,
  ticker,
} from './market.ts'
import { canceledOrderList, orderList, placedOrderList } from './order-lists.ts'
import {
  accountTrade,
  allocation,
  amendedOrder,
  amendment,
  canceledOrder,
  canceledWhere,
  order,
  orderAck,
  orderFull,
  orderResult,
  preventedMatch,
  quoted,
} from './orders.ts'
import { replacedOrder } from './replacement.ts'
import { countdown, protection } from './safeguards.ts'
import { faucetAnswer, faultAnswer, fillAnswer, resetAnswer, transferAnswer } from './sandbox.ts'
import { anyShape, list, type Schema, shape } from './schema.ts'
import {
  spotTransfers,
  subAccountAssets,
  subAccountStatus,
  subAccounts,
  subAccountTransfer,
  subAccountTransfers,
  subAccountWorths,
  subUsers,
  universalTransfer,
  universalTransfers,
} from './sub-accounts.ts'
import {
  accountState,
  accountStatus,
  assetDetailsSchema,
  coin,
  deposit,
  depositAddress,
  distributions,
  dividends,
  keyRights,
  listedAddress,
  tradingState,
  tradingStatus,
  tradingVolume,
  userAsset,
  withdrawal,
  withdrawalId,
} from './wallet.ts'

export const answers = {
  Empty: empty,
  FaultRule: faultAnswer,
  FaucetCredit: faucetAnswer,
  ResetBalance: resetAnswer,
  ChainTransfer: transferAnswer,
  Fill: fillAnswer,
  SandboxClock: clockAnswer,
  Error: errorAnswer,
  ServerTime: serverTime,
  SystemStatus: systemStatus,
  RateLimitCount: rateLimitCount,
  StageLatency: stageLatency,
  ExchangeInfo: exchangeInfo,
  ExecutionRules: executionRules,
  RelevantFilters: relevantFilters,
  Depth: depth,
  PublicTrade: publicTrade,
  BlockTrade: blockTrade,
  AggregateTrade: aggregateTrade,
  Kline: kline,
  Auction: auction,
  AveragePrice: averagePrice,
  ReferencePrice: referencePrice,
  ReferenceCalculation: referenceCalculation,
  PriceTicker: priceTicker,
  BookTicker: bookTicker,
  MiniTicker: miniTicker,
  Ticker: ticker,
  MiniDayTicker: miniDayTicker,
  DayTicker: dayTicker,
  OrderAck: orderAck,
  OrderResult: orderResult,
  OrderFull: orderFull,
  OrderRates: orderRates,
  Order: order,
  CanceledOrder: canceledOrder,
  CanceledWhere: canceledWhere,
  Quoted: quoted,
  OrderList: orderList,
  PlacedOrderList: placedOrderList,
  CanceledOrderList: canceledOrderList,
  ReplacedOrder: replacedOrder,
  Countdown: countdown,
  Protection: protection,
  AmendedOrder: amendedOrder,
  Amendment: amendment,
  AccountTrade: accountTrade,
  PreventedMatch: preventedMatch,
  Allocation: allocation,
  Account: account,
  Commission: commission,
  ListenKey: listenKey,
  AccountStatus: accountStatus,
  TradingStatus: tradingStatus,
  Distributions: distributions,
  AccountState: accountState,
  KeyRights: keyRights,
  Dividends: dividends,
  UserAsset: userAsset,
  TradeFee: tradeFee,
  TradingVolume: tradingVolume,
  Coin: coin,
  SubAccounts: subAccounts,
  SubAccountAssets: subAccountAssets,
  SubAccountWorths: subAccountWorths,
  SubAccountStatus: subAccountStatus,
  SubAccountTransfer: subAccountTransfer,
  UniversalTransfer: universalTransfer,
  SubAccountTransfers: subAccountTransfers,
  SpotTransfers: spotTransfers,
  UniversalTransfers: universalTransfers,
  SubUsers: subUsers,
  TradingState: tradingState,
  ListedAddress: listedAddress,
  DepositAddress: depositAddress,
  Deposit: deposit,
  WithdrawalId: withdrawalId,
  Withdrawal: withdrawal,
} as const

/** Components of the OpenAPI document. */
export const schemas = {
  ...(Object.fromEntries(
    Object.entries(answers).map(([name, { schema }]) => [name, schema]),
  ) as Readonly<Record<keyof typeof answers, Schema>>),
  AssetDetails: assetDetailsSchema,
  EmptyList: { type: 'array', maxItems: 0 },
} as const
export type ShapeName = keyof typeof schemas

export const one = (...names: readonly ShapeName[]): Schema =>
  names.length === 1 ? shape(names[0]!) : anyShape(...names)

export const many = (...names: readonly ShapeName[]): Schema => list(one(...names))

/** An object for `symbol`, an array for `symbols` or for none. */
export const oneOrMany = (...names: readonly ShapeName[]): Schema => ({
  oneOf: [...names.map((name) => shape(name)), many(...names)],
})

/** What placing an order answers, by its newOrderRespType. */
export const placed = one('OrderAck', 'OrderResult', 'OrderFull')
