/**
 * Values of the archive's tables (archive/tables.ts). A change of one needs a new ARCHIVE_VERSION there:
 * the archive is then applied again from the journals.
 */
import type { Field, Structure } from './field.ts'
import { deal, order, progress } from './order-fields.ts'
import { chain, deposit, movement, withdrawal } from './wallet.ts'

const namesOf = (fields: readonly Field[]) => fields.map(([name]) => name)
/** What events change of an order, besides its state. */
const changing = [...namesOf(progress), 'updatedMs']

/** What the archive keeps of MatchPrevented, under the same names. */
const match: readonly Field[] = [
  ['takerOrderId', 'orderId', ''],
  ['makerOrderId', 'orderId', ''],
  ['tradeGroupId', 'int', '-1 when both were of one account'],
  ['priceTicks', 'ticks', "the maker's price"],
  ['takerPreventedLots', 'lots', '0 when that side lost nothing'],
  ['makerPreventedLots', 'lots', ''],
  ['timeMs', 'ms', ''],
  ['takerTerms', 'i32', ''],
  ['makerTerms', 'i32', ''],
  ['makerSymbolId', 'symbolId', "whose units the price and the maker's lots are in"],
  ['makerAccount', 'accountId', ''],
]

/** A field once for each leg of an order list. */
const ofLegs = (name: string, type: Field[1], meaning: string): readonly Field[] =>
  [1, 2, 3].map((leg): Field => [`${name}${leg}`, type, meaning])

/** A value, or for clientIds a part of one, of these tables. */
export interface ArchiveRow extends Structure {
  readonly tables: readonly string[]
}

export const archiveRows: readonly ArchiveRow[] = [
  {
    name: 'OrderValue',
    tables: ['orders'],
    meaning: 'An order as it stands. Each value is a chunk of these, ascending.',
    fields: [
      ...order.filter(([name]) => !['account', 'terms'].includes(name)),
      ...progress.filter(([name]) => name !== 'createdMs'),
      ['preventedMatchIdPlusOne', 'int', 'the match that ended it; 0 for none'],
      ['createdMs', 'ms', ''],
      ['updatedMs', 'ms', ''],
      ['lastTradeId', 'tradeId', '0 when there was none'],
      [
        'state',
        'i32',
        'OrderStatus in bits 0-7, ExpiryReason in bits 8-15, WorkingFloor in bits 16-23',
      ],
      ['terms', 'i32', 'as OrderAccepted'],
      ['clientOrderId', 'id', "the order's own, or its cancel's once canceled"],
      ['ownClientOrderId', 'id', "the order's own"],
      ['fills', 'int', 'how many trades it has'],
    ],
    groups: {
      // The account is in its key.
      Whole: [...namesOf(order).filter((name) => name !== 'account'), ...changing],
      Progress: changing,
    },
  },
  {
    name: 'TradeValue',
    tables: ['trades'],
    meaning: 'One side of a trade. Each value is a chunk of these, ascending.',
    fields: [
      ['fill', 'int', 'trade id × 2, and 1 more for the maker'],
      ['orderId', 'orderId', ''],
      ['priceTicks', 'ticks', ''],
      ['lots', 'lots', ''],
      ['commissionAtoms', 'atoms', ''],
      ['timeMs', 'ms', ''],
      ['previousTradeId', 'tradeId', 'the trade before it of the same order; 0 for the first'],
      ['quoteAtoms', 'quoteAtoms', ''],
      ['flags', 'i32', 'TradeFlag'],
      ['commissionAssetIdPlusOne', 'i32', '0 when it is the asset received'],
    ],
  },
  {
    name: 'TapeValue',
    tables: ['tape'],
    meaning: 'A public trade. Each value is a chunk of these, ascending.',
    fields: [
      ['tradeId', 'tradeId', ''],
      ['priceTicks', 'ticks', ''],
      ['lots', 'lots', ''],
      ['quoteAtoms', 'quoteAtoms', ''],
      ['timeMs', 'ms', ''],
      ['isBuyerMaker', 'int', '1 or 0'],
    ],
  },
  {
    name: 'AggregateValue',
    tables: ['aggregates'],
    meaning:
      'Trades of one taker order at one price and time. Each value is a chunk of these, ascending.',
    fields: [
      ['aggregateId', 'int', ''],
      ['priceTicks', 'ticks', ''],
      ['lots', 'lots', 'of all of them'],
      ['firstTradeId', 'tradeId', ''],
      ['lastTradeId', 'tradeId', ''],
      ['timeMs', 'ms', ''],
      ['isBuyerMaker', 'int', '1 or 0'],
      ['takerOrderId', 'orderId', ''],
    ],
  },
  {
    name: 'BarValue',
    tables: ['bars'],
    meaning: 'The trades of a span (history/bar.ts).',
    fields: [
      ['count', 'int', 'trades'],
      ['firstTradeId', 'tradeId', ''],
      ['lastTradeId', 'tradeId', ''],
      ['openTicks', 'ticks32', ''],
      ['highTicks', 'ticks32', ''],
      ['lowTicks', 'ticks32', ''],
      ['closeTicks', 'ticks32', ''],
      ['lots', 'int96', ''],
      ['quoteAtoms', 'int96', ''],
      ['takerBuyLots', 'int96', 'of takers that bought'],
      ['takerBuyQuoteAtoms', 'int96', 'of takers that bought'],
    ],
  },
  {
    name: 'PastValue',
    tables: ['bars'],
    meaning:
      'The past that a symbol of a demo begins with (market/seeded-klines.ts); it opens where its key says.',
    fields: [
      ['seed', 'int', ''],
      ['days', 'int', ''],
      ['closeTicks', 'ticks', ''],
      ['lots', 'lots', ''],
      ['atomsPerTickLot', 'int', 'of the symbol, as in base/notional.ts'],
      ['tickLotParts', 'int', ''],
    ],
  },
  {
    name: 'AmendmentValue',
    tables: ['amendments'],
    meaning: 'The quantity of an order was lowered.',
    fields: [
      ['oldLots', 'lots', ''],
      ['newLots', 'lots', ''],
      ['timeMs', 'ms', ''],
      ['oldClientOrderId', 'id', ''],
      ['newClientOrderId', 'id', ''],
    ],
  },
  {
    name: 'PreventedValue',
    tables: ['prevented', 'preventedOfOrder'],
    meaning: 'A match that was prevented.',
    fields: match,
    groups: { Match: namesOf(match) },
  },
  {
    name: 'AllocationValue',
    tables: ['allocations'],
    meaning:
      'What a routed order got (faqs/sor_faq.md). Each value is a chunk of these, ascending.',
    fields: [
      ['place', 'int', 'allocation id, and 1 more'],
      ['orderId', 'orderId', ''],
      ['priceUnits', 'int64', '10^-8 of the quote asset'],
      ['lots', 'lots', ''],
      ['quoteAtoms', 'quoteAtoms', ''],
      ['commissionAtoms', 'atoms', ''],
      ['timeMs', 'ms', ''],
      ['isBuyer', 'i32', '1 or 0'],
      ['commissionAssetIdPlusOne', 'i32', '0 when it is the asset received'],
    ],
  },
  {
    name: 'BlockTradeValue',
    tables: ['blockTrades'],
    meaning: 'A block trade.',
    fields: [...deal, ['timeMs', 'ms', ''], ['requestId', 'id', "the operator's id of it"]],
    groups: { Deal: namesOf(deal) },
  },
  {
    name: 'DepositValue',
    tables: ['deposits'],
    meaning: 'A deposit as it stands.',
    fields: deposit,
    groups: { Deposit: namesOf(deposit) },
  },
  {
    name: 'WithdrawalValue',
    tables: ['withdrawals'],
    meaning: 'A withdrawal as it stands.',
    fields: withdrawal,
    groups: { Withdrawal: namesOf(withdrawal) },
  },
  {
    name: 'WithdrawalRequestValue',
    tables: ['withdrawalRequests'],
    meaning: 'Which withdrawal the account applied for under an id.',
    fields: [['withdrawalId', 'int', '']],
  },
  {
    name: 'MovementValue',
    tables: ['movements', 'movementRequests'],
    meaning:
      "A movement of funds between accounts, under either account, and under the master's id of it.",
    fields: [...movement, ['movedMs', 'ms', '']],
    groups: { Movement: namesOf(movement) },
  },
  {
    name: 'ChainValue',
    tables: ['chains'],
    meaning: 'A chain of the house since it changed last.',
    fields: chain,
    groups: { Chain: namesOf(chain) },
  },
  {
    name: 'DistributionValue',
    tables: ['distributions'],
    meaning: "An operator's credit in a category, whose text stands behind it.",
    fields: [
      ['atoms', 'atoms', ''],
      ['assetId', 'assetId', ''],
      ['zero', 'i32', ''],
    ],
  },
  {
    name: 'TransferValue',
    tables: ['distributions'],
    meaning: 'The last credit that the table has.',
    fields: [['transferId', 'int', '']],
  },
  {
    name: 'ListValue',
    tables: ['lists'],
    meaning: 'An order list as it stands.',
    fields: [
      ['createdMs', 'ms', ''],
      ...ofLegs('orderId', 'orderId', '0 for no such leg; its id is none then'),
      ['symbolId', 'symbolId', ''],
      ['kind', 'i32', 'ListKind'],
      ['statusType', 'i32', 'ListStatusType'],
      ['orderStatus', 'i32', 'ListOrderStatus'],
      ['listClientOrderId', 'id', ''],
      ...ofLegs('clientOrderId', 'id', ''),
    ],
    legs: ['orderId', 'clientOrderId'],
  },
  {
    name: 'UntrackedValue',
    tables: ['untracked'],
    meaning: 'What starts the tracking of a trailing stop.',
    fields: [
      ['stopTicks', 'ticks', '0: any trade'],
      ['account', 'accountId', ''],
      ['isFromAbove', 'i32', '1 when a price at or below the stop starts it, 0 at or above'],
    ],
  },
  {
    name: 'TallyValue',
    tables: ['activity', 'tradingStatus'],
    meaning: 'Counts of orders (history/trading-indicators.ts).',
    fields: [
      ['orders', 'i32', ''],
      ['filled', 'i32', ''],
      ['immediate', 'i32', ''],
      ['expired', 'i32', ''],
      ['lasting', 'i32', ''],
      ['canceled', 'i32', ''],
    ],
  },
  {
    name: 'StatusTimeValue',
    tables: ['tradingStatus'],
    meaning: 'Time of the status, or until when an account is locked.',
    fields: [['timeMs', 'ms', '']],
  },
  {
    name: 'VolumeValue',
    tables: ['volumes'],
    meaning: 'The sum is high × 2^52 + low, in atoms of the valuation asset.',
    fields: [
      ['high', 'int', ''],
      ['low', 'int', ''],
    ],
  },
  {
    name: 'ClientIdEntry',
    tables: ['clientIds'],
    meaning: 'Each value is a row of these.',
    fields: [
      ['tag', 'i32', 'a hash of the account and the id'],
      ['place', 'i32', "the order's place in its bucket in bits 0-23, IdKind above them"],
    ],
  },
  {
    name: 'RecentIdEntry',
    tables: ['recentIds'],
    meaning: 'An entry that waits for its part. Each value is a chunk of these, ascending.',
    fields: [
      ['number', 'int', 'counts from 1 while entries of the symbol wait'],
      ['orderId', 'orderId', ''],
      ['tag', 'i32', 'as in ClientIdEntry'],
      ['part', 'i32', 'the part in bits 0-7, IdKind above them'],
    ],
  },
  {
    name: 'ProgressValue',
    tables: ['progress'],
    meaning: 'The last block of a journal that is applied.',
    fields: [
      ['position', 'int', ''],
      ['checksum', 'i32', ''],
      ['zero', 'i32', ''],
    ],
  },
  {
    name: 'VersionValue',
    tables: ['progress'],
    meaning: 'Under VERSION_KEY: what the archive was applied for.',
    fields: [
      ['version', 'int', 'ARCHIVE_VERSION'],
      ['assetId', 'int', 'the asset that volumes are counted in; -1 for none'],
      ['corrections', 'int', 'how many of the clock there were; 0 where the row ends before'],
    ],
  },
  {
    name: 'SaltValue',
    tables: ['progress'],
    meaning: 'Under SALT_KEY: salts the hashes of client order ids (archive/id-hash.ts).',
    fields: [
      ['low', 'i32', ''],
      ['high', 'i32', ''],
    ],
  },
]
