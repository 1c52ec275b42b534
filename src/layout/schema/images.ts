/**
 * Parts of a snapshot's images, beside open orders (book-memory.ts). Each is written and read whole, its
 * fields in this order. An image keeps doubles and words apart (layout/image.ts).
 */
import type { Section } from './field.ts'
import { deal } from './order-fields.ts'
import { chain, deposit, movement, withdrawal } from './wallet.ts'

export const imageParts: readonly Section[] = [
  {
    name: 'CoveredImage',
    meaning: 'How far a snapshot reaches; its places follow (agents/covered.ts).',
    fields: [
      ['events', 'int', 'events before it'],
      ['journaledMs', 'ms', 'time of the last block'],
      ['orderListId', 'orderListId', 'the last that was given'],
      ['placeCount', 'i32', 'how many places follow'],
    ],
  },
  {
    name: 'PlaceImage',
    meaning: 'The last block of one journal that a snapshot covers.',
    fields: [
      ['matcher', 'i32', ''],
      ['checksum', 'i32', ''],
      ['position', 'int', ''],
    ],
  },
  {
    name: 'ListImage',
    meaning: 'An open order list; ids of its legs follow (core/matching/symbol-image.ts).',
    fields: [
      ['orderListId', 'orderListId', ''],
      ['account', 'accountId', 'owner'],
      ['kind', 'i32', 'OrderListKind'],
      ['legs', 'i32', 'how many, open or not'],
      ['openLegs', 'i32', 'a bit for each leg'],
      ['listClientOrderId', 'id', ''],
    ],
  },
  {
    name: 'CountdownImage',
    meaning: 'A countdown that runs (core/matching/countdowns.ts).',
    fields: [
      ['account', 'accountId', 'owner'],
      ['scope', 'i32', 'CountdownScope'],
      ['deadlineMs', 'ms', ''],
      ['countdownMs', 'ms', ''],
    ],
  },
  {
    name: 'ProtectionImage',
    meaning: 'A protection; its moments follow (core/matching/protections.ts).',
    fields: [
      ['account', 'accountId', 'owner'],
      ['status', 'i32', 'ProtectionStatus'],
      ['windowMs', 'ms', ''],
      ['maxFills', 'int', ''],
      ['maxNotional', 'quoteAtoms', ''],
      ['momentCount', 'i32', 'how many moments follow'],
    ],
  },
  {
    name: 'MomentImage',
    meaning: 'Fills that count as one moment.',
    fields: [
      ['timeMs', 'ms', 'of the last'],
      ['fills', 'int', ''],
      ['atoms', 'quoteAtoms', 'what they paid'],
    ],
  },
  {
    name: 'ReferenceImage',
    meaning:
      'How a reference price is calculated; its buckets follow (core/views/reference-price.ts).',
    fields: [
      ['calculation', 'i32', 'ReferenceCalculation'],
      ['bucketCount', 'i32', ''],
      ['bucketWidthMs', 'ms', ''],
      ['externalId', 'int', ''],
      ['priceUnits', 'int64', 'EXTERNAL: -1 for none'],
      ['hasPriced', 'i32', '1 once the symbol had a price'],
      ['buckets', 'i32', 'how many follow, the oldest first'],
    ],
  },
  {
    name: 'BucketImage',
    meaning: 'Trades of one bucket of a reference price.',
    fields: [
      ['openMs', 'ms', 'when it began'],
      ['trades', 'int', ''],
      ['tickSum', 'int64', 'their prices together'],
    ],
  },
  {
    name: 'BlockTradeImage',
    meaning: 'A block trade whose id is known (core/matching/block-trades.ts).',
    fields: [...deal, ['tradedMs', 'ms', ''], ['requestId', 'id', '']],
  },
  { name: 'ChainImage', meaning: 'A chain of the house (core/wallet).', fields: chain },
  { name: 'DepositImage', meaning: 'A deposit that may still change.', fields: deposit },
  {
    name: 'WithdrawalImage',
    meaning: 'A withdrawal that is under way, or whose id is remembered.',
    fields: [
      ...withdrawal,
      ['sinceMs', 'ms', 'when it got its status'],
      ['transaction', 'text512', 'what is sent; none before it is signed'],
    ],
  },
  {
    name: 'MovementImage',
    meaning: 'A movement whose id is remembered (core/wallet).',
    fields: movement,
  },
  {
    name: 'FundsImage',
    meaning: "The wallet's terms of the proof of funds, of one asset.",
    fields: [
      ['assetId', 'assetId', ''],
      ['chainAtoms', 'atoms', 'as FundsState'],
      ['inFlightAtoms', 'atoms', 'as FundsState'],
    ],
  },
  {
    name: 'DebtImage',
    meaning: 'What an account owes in one asset.',
    fields: [
      ['account', 'accountId', ''],
      ['assetId', 'assetId', ''],
      ['atoms', 'atoms', ''],
    ],
  },
]
