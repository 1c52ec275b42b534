/**
 * Keys of the tables of LMDB: numbers in a row, big-endian, so that LMDB sorts rows by them. The last
 * part of most keys is an id of six bytes.
 */
import type { FieldType } from './field.ts'

export const keyBytes = { u8: 1, u16: 2, u32: 4, i32: 4, u48: 6, u64: 8 } as const
export type KeyCarrier = keyof typeof keyBytes

export type KeyField = readonly [name: string, carrier: KeyCarrier, type: FieldType]

export interface KeySchema {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly KeyField[]
}

const account: KeyField = ['account', 'u32', 'accountId']
const symbol: KeyField = ['symbolId', 'u16', 'symbolId']
const order: KeyField = ['orderId', 'u48', 'orderId']

export const keys: readonly KeySchema[] = [
  {
    name: 'OrderKey',
    meaning: 'Tables `orders` and `details`.',
    fields: [account, symbol, order],
  },
  {
    name: 'TradeKey',
    meaning: 'Table `trades`. A fill is a trade id × 2, and 1 more for the maker.',
    fields: [account, symbol, ['fill', 'u48', 'int']],
  },
  {
    name: 'PreventedKey',
    meaning: 'Tables `prevented` and `allocations`, by allocation id and 1 more.',
    fields: [account, symbol, ['preventedMatchId', 'u48', 'int']],
  },
  {
    name: 'OrderPartKey',
    meaning:
      'Tables `fillMarks`, `amendments`, `preventedOfOrder` and `allocationsOfOrder`. A part is a trade, an ' +
      'execution, a prevented match or an allocation, as in its table.',
    fields: [account, symbol, order, ['part', 'u48', 'int']],
  },
  {
    name: 'TapeKey',
    meaning: 'Table `tape`.',
    fields: [symbol, ['tradeId', 'u48', 'tradeId']],
  },
  {
    name: 'AggregateKey',
    meaning: 'Table `aggregates`.',
    fields: [symbol, ['aggregateId', 'u48', 'int']],
  },
  {
    name: 'BlockTradeKey',
    meaning: 'Table `blockTrades`.',
    fields: [symbol, ['blockTradeId', 'u48', 'int']],
  },
  {
    name: 'BlockTradeRequestKey',
    meaning: "Table `blockTradeRequests`. The hash is of the operator's id.",
    fields: [
      symbol,
      ['hashLow', 'i32', 'int'],
      ['hashHigh', 'i32', 'int'],
      ['blockTradeId', 'u48', 'int'],
    ],
  },
  { name: 'UntrackedKey', meaning: 'Table `untracked`.', fields: [symbol, order] },
  {
    name: 'BarKey',
    meaning:
      'Table `bars`. A size is a place in BAR_LENGTHS_MS (archive/bars.ts), with more in archive/seeded-bars.ts.',
    fields: [symbol, ['size', 'u8', 'int'], ['openMs', 'u48', 'ms']],
  },
  {
    name: 'ClientIdKey',
    meaning: 'Table `clientIds` (archive/client-ids.ts).',
    fields: [symbol, ['bucket', 'u32', 'int'], ['part', 'u8', 'int']],
  },
  {
    name: 'RecentIdKey',
    meaning: 'Table `recentIds` (archive/client-ids.ts).',
    fields: [symbol, ['number', 'u48', 'int']],
  },
  {
    name: 'ListKey',
    meaning: 'Tables `lists` and `openLists`.',
    fields: [account, ['orderListId', 'u48', 'orderListId']],
  },
  {
    name: 'ListTimeKey',
    meaning: 'Table `listTimes`.',
    fields: [account, ['createdMs', 'u48', 'ms'], ['orderListId', 'u48', 'orderListId']],
  },
  {
    name: 'ListClientIdKey',
    meaning: "Table `listClientIds`. The hash is of the account and the list's client order id.",
    fields: [
      account,
      ['hashLow', 'i32', 'int'],
      ['hashHigh', 'i32', 'int'],
      ['orderListId', 'u48', 'orderListId'],
    ],
  },
  {
    name: 'DepositKey',
    meaning: 'Table `deposits`.',
    fields: [account, ['depositId', 'u48', 'int']],
  },
  {
    name: 'WithdrawalKey',
    meaning: 'Table `withdrawals`.',
    fields: [account, ['withdrawalId', 'u48', 'int']],
  },
  {
    name: 'WithdrawalRequestKey',
    meaning: "Table `withdrawalRequests`. The client's id stands behind it.",
    fields: [account],
  },
  {
    name: 'MovementKey',
    meaning: 'Table `movements`.',
    fields: [account, ['movementId', 'u48', 'int']],
  },
  {
    name: 'MovementRequestKey',
    meaning:
      "Table `movementRequests`. The master's id stands behind it; behind account 0 none, for the newest of all.",
    fields: [account],
  },
  { name: 'ChainKey', meaning: 'Table `chains`.', fields: [['chainId', 'u32', 'chainId']] },
  {
    name: 'DistributionKey',
    meaning: 'Table `distributions`.',
    fields: [account, ['timeMs', 'u48', 'ms'], ['transferId', 'u48', 'int']],
  },
  {
    name: 'ActivityKey',
    meaning: 'Table `activity`. A span counts INDICATOR_REFRESH_MS since the epoch.',
    fields: [['span', 'u32', 'int'], account, symbol],
  },
  {
    name: 'VolumeKey',
    meaning: 'Table `volumes`. A day counts from the epoch.',
    fields: [account, ['day', 'u32', 'int']],
  },
  { name: 'LockKey', meaning: 'Table `tradingStatus`: a lock.', fields: [account] },
  {
    name: 'StatusKey',
    meaning: 'Table `tradingStatus`: a tally.',
    fields: [account, symbol],
  },
  {
    name: 'ProgressKey',
    meaning: 'Table `progress`.',
    fields: [['matcher', 'u32', 'int']],
  },
  {
    name: 'BlockKey',
    meaning: 'The only table of a journal (journal/lmdb-store.ts).',
    fields: [['position', 'u64', 'int']],
  },
  {
    name: 'ControlKey',
    meaning: 'The only table of the control journal (journal/control-store.ts).',
    fields: [['sequence', 'u32', 'int']],
  },
]

/** Parts that several keys have at the same place. The generator proves it. */
export interface SharedKeyParts {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly string[]
  readonly of: readonly string[]
}

export const sharedKeyParts: readonly SharedKeyParts[] = [
  {
    name: 'AccountKey',
    meaning: 'Every key that begins with an account and a symbol.',
    fields: ['account', 'symbolId'],
    of: ['OrderKey', 'TradeKey', 'PreventedKey', 'OrderPartKey', 'StatusKey'],
  },
  {
    name: 'SymbolKey',
    meaning: 'Every key that begins with a symbol.',
    fields: ['symbolId'],
    of: [
      'TapeKey',
      'AggregateKey',
      'UntrackedKey',
      'BarKey',
      'ClientIdKey',
      'RecentIdKey',
      'BlockTradeKey',
      'BlockTradeRequestKey',
    ],
  },
]

/** Keys that end in an id of six bytes, so that one reader serves them all. The generator proves it. */
export const keysOfIds: readonly string[] = [
  ...['OrderKey', 'TradeKey', 'PreventedKey', 'OrderPartKey', 'TapeKey', 'AggregateKey'],
  ...['UntrackedKey', 'BarKey', 'RecentIdKey', 'ListKey', 'ListTimeKey', 'ListClientIdKey'],
  ...['BlockTradeKey', 'BlockTradeRequestKey'],
]
