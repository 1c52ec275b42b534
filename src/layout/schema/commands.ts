/** What gateways send to engines. */
import type { RecordSchema } from './field.ts'
import { leg, onlyDetailed, placement } from './order-fields.ts'

export const commands: readonly RecordSchema[] = [
  {
    name: 'PlaceOrder',
    type: 1,
    kind: 'command',
    meaning: 'Enter an order. Stateless checks have passed.',
    fields: placement,
    onlyDetailed,
  },
  {
    name: 'CancelOrder',
    type: 2,
    kind: 'command',
    meaning: 'Cancel one open order, found by orderId, by its client id, or by both agreeing.',
    fields: [
      ['account', 'accountId', 'must own the order'],
      ['restrictions', 'i32', 'CancelRestrictions'],
      ['orderId', 'orderId', '0 when found by client id'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['origClientOrderId', 'id', 'the id to find; none when found by orderId'],
      ['clientOrderId', 'id', "the cancel's own id"],
    ],
  },
  {
    name: 'CancelOpenOrders',
    type: 3,
    kind: 'command',
    meaning: 'Cancel every open order of the account on the symbol, oldest first.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['spare', 'i32', 'zero'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['clientOrderId', 'id', "the cancels' own id"],
    ],
  },
  {
    name: 'QueryOrder',
    type: 4,
    kind: 'command',
    meaning: 'Answer one open order as OrderState, or Rejected NO_SUCH_ORDER when it is not open.',
    fields: [
      ['account', 'accountId', 'must own the order'],
      ['spare', 'i32', 'zero'],
      ['orderId', 'orderId', '0 when found by client id'],
      ['clientOrderId', 'id', 'none when found by orderId'],
    ],
  },
  {
    name: 'QueryOpenOrders',
    type: 5,
    kind: 'command',
    meaning:
      'Answer a page of the open orders of the account as OrderState, by orderId, then QueryEnd.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['limit', 'i32', 'orders on the page'],
      ['afterOrderId', 'orderId', 'the last orderId of the page before; 0 for the first page'],
      ['untilOrderId', 'orderId', 'as the first QueryEnd says; 0 for the first page'],
    ],
  },
  {
    name: 'QueryBook',
    type: 6,
    kind: 'command',
    meaning:
      'Answer a piece of the book as BookBegin, BookLevel for each level, BookEnd. The first piece of a symbol ' +
      'that had a reference price has ReferenceState and its buckets before the levels.',
    fields: [
      ['side', 'i32', 'Side; after the last BUY the piece continues with the best SELL'],
      ['limit', 'i32', 'levels in the piece'],
      ['afterTicks', 'ticks', 'levels of the side beyond this price; 0 from the best one on'],
    ],
  },
  {
    name: 'PlaceOrderList',
    type: 7,
    kind: 'command',
    meaning:
      'Enter an order list, whole or not at all. OCO: the stop-loss leg, the other leg. OTO: ' +
      'the working leg, the pending one. OTOCO: the working leg, the pending stop-loss leg, ' +
      'the other pending leg.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['kind', 'i32', 'OrderListKind'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['listClientOrderId', 'id', 'never none'],
      ...leg(1),
      ...leg(2),
      ...leg(3),
    ],
  },
  {
    name: 'CancelOrderList',
    type: 8,
    kind: 'command',
    meaning: 'Cancel every open leg of one list, found by its id, by its client id, or by both.',
    fields: [
      ['account', 'accountId', 'must own the list'],
      ['spare', 'i32', 'zero'],
      ['orderListId', 'orderListId', '-1 when found by client id'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['listClientOrderId', 'id', 'none when found by orderListId'],
      ['clientOrderId', 'id', "the cancels' own id"],
    ],
  },
  {
    name: 'ReplaceOrder',
    type: 9,
    kind: 'command',
    meaning:
      'Cancel an order, then place another (rest-api.md, cancelReplace). Answered by the events of what ' +
      'succeeded and ReplaceResult.',
    fields: [
      ...placement,
      ['cancelOrderId', 'orderId', '0 when found by client id'],
      ['cancelRestrictions', 'i32', 'CancelRestrictions'],
      ['mode', 'i32', 'CancelReplaceMode'],
      ['cancelOrigClientOrderId', 'id', 'none when found by orderId'],
      ['cancelClientOrderId', 'id', "the cancel's own id"],
    ],
    onlyDetailed,
  },
  {
    name: 'AmendOrder',
    type: 10,
    kind: 'command',
    meaning:
      'Lower the quantity of an open order, which keeps its priority (faqs/order_amend_keep_priority.md).',
    fields: [
      ['account', 'accountId', 'must own the order'],
      ['spare', 'i32', 'zero'],
      ['orderId', 'orderId', '0 when found by client id'],
      ['lots', 'lots', 'the new quantity'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['origClientOrderId', 'id', 'none when found by orderId'],
      ['clientOrderId', 'id', "the order's new client id; none: it keeps its own"],
    ],
  },
  {
    name: 'CancelSessionOrders',
    type: 11,
    kind: 'command',
    meaning: 'Cancel every open order of the account that belongs to a session, oldest first.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['session', 'i32', 'as the terms of its orders name it'],
      ['clientOrderId', 'id', "the cancels' own id"],
    ],
  },
  {
    name: 'QuoteOrders',
    type: 13,
    kind: 'command',
    meaning:
      "Have these orders stand instead of the account's open orders whose ids begin with the prefix. QuoteLevels stand " +
      'behind it: the bids, then the asks.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['bids', 'i32', 'how many QuoteLevels are bids'],
      ['asks', 'i32', 'how many are asks'],
      ['terms', 'i32', 'as PlaceOrder, of the bids; asks have their side'],
      ['isWhole', 'i32', '1 when nothing is to change where an order would be refused'],
      ['spare', 'i32', 'zero'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['clientOrderId', 'id', "the cancels' own id"],
      ['prefix', 'id', 'how ids of orders of the quote begin'],
    ],
  },
  {
    name: 'SetCountdown',
    type: 96,
    kind: 'command',
    meaning: 'Start a countdown again, or end it. Once it is over, it cancels open orders.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['scope', 'i32', 'CountdownScope'],
      ['countdownMs', 'ms', 'from the execution of the command on; 0 ends it'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
    ],
  },
  {
    name: 'QueryCountdowns',
    type: 97,
    kind: 'command',
    meaning: 'Answer the countdowns of the account on the symbol as CountdownState.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'CancelOrdersWhere',
    type: 12,
    kind: 'command',
    meaning: 'Cancel every open order of the account that has all of these, oldest first.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['side', 'i32', 'Side; -1 for both'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['minTicks', 'ticks', 'lowest limit price; 0 for any, and for orders without a price'],
      ['maxTicks', 'ticks', 'highest limit price'],
      ['clientOrderId', 'id', "the cancels' own id"],
      ['prefix', 'id', 'how their client order ids begin; none for any'],
    ],
  },
  {
    name: 'SetProtection',
    type: 98,
    kind: 'command',
    meaning:
      'Protect the account on the symbol from now on, in place of any protection before; or end it.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['spare', 'i32', 'zero'],
      ['windowMs', 'ms', '0 ends it'],
      ['maxFills', 'int', 'fills within the window that trip it; 0 for none'],
      ['maxNotional', 'quoteAtoms', 'what they pay within the window that trips it; 0 for none'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
    ],
  },
  {
    name: 'ResetProtection',
    type: 99,
    kind: 'command',
    meaning: 'Take orders of the account again: fills count from 0.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['spare', 'i32', 'zero'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
    ],
  },
  {
    name: 'SetReferencePrice',
    type: 106,
    kind: 'command',
    meaning: 'Set the reference price of a symbol whose price comes from outside.',
    fields: [['priceUnits', 'int64', '10^-8 of the quote asset; -1: there is none']],
  },
  {
    name: 'QueryProtection',
    type: 100,
    kind: 'command',
    meaning: 'Answer the protection of the account on the symbol as ProtectionState.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'TradeBlock',
    type: 104,
    kind: 'command',
    meaning:
      'Have two accounts trade outside of the book. Answered by BlockTrade; by BlockTradeState where a trade with ' +
      'this id was made before.',
    fields: [
      ['buyer', 'accountId', ''],
      ['seller', 'accountId', ''],
      ['priceTicks', 'ticks', ''],
      ['lots', 'lots', ''],
      ['rate', 'int', 'commission of both sides: of what each receives, 1e-8'],
      [
        'archivedId',
        'int',
        'none up to this blockTradeId has the id, as the archive knows; 0: not asked',
      ],
      ['requestId', 'id', "the operator's id of it"],
    ],
  },
]
