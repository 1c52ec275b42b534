/** Events of user streams (user-data-stream.md), and what ends a stream. */
import { MatchType, namesOf, OrderStatus, RejectReason } from '../../base/codes.ts'
import { formatDecimal } from '../../base/fixed.ts'
import type { Int64 } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { Lots } from '../../base/units.ts'
import { expiryReasonNames, statusNames } from '../names.ts'
import { orderLabels } from '../order-labels.ts'
import { Answer } from './answer.ts'
import {
  above,
  asset,
  assetOrNull,
  constant,
  decimalText,
  derived,
  equal,
  flag,
  formSymbol,
  id,
  integer,
  name,
  optional,
  price,
  quantity,
  rows,
  signedUnits,
  text,
  time,
  units,
  within,
} from './element.ts'
import {
  contingencyType,
  icebergQuantity,
  labelElements,
  listClientOrderId,
  listId,
  listOrderStatus,
  listStatusType,
  orderListId,
  orderType,
  pegElements,
  prevention,
  side,
  stopPrice,
  timeInForce,
  usedSor,
  workingFloor,
} from './order-elements.ts'

/** What happened to the order of a report. */
export const Execution = {
  NEW: 0,
  TRADE: 1,
  CANCELED: 2,
  EXPIRED: 3,
  TRADE_PREVENTION: 4,
  REPLACED: 5,
  REJECTED: 6,
} as const
export type Execution = (typeof Execution)[keyof typeof Execution]

const {
  INSUFFICIENT_BALANCE,
  WOULD_TRIGGER_IMMEDIATELY,
  WOULD_MATCH_IMMEDIATELY,
  PRICES_NOT_RELATED,
} = RejectReason
/** By RejectReason (user-data-stream.md, Order Reject Reason); NONE for all others, and for no refusal. */
const rejectNames = Array.from({ length: Math.max(...Object.values(RejectReason)) + 1 }, (_, i) => {
  if (i === INSUFFICIENT_BALANCE) return 'INSUFFICIENT_BALANCES'
  if (i === WOULD_TRIGGER_IMMEDIATELY) return 'STOP_PRICE_WOULD_TRIGGER_IMMEDIATELY'
  if (i === WOULD_MATCH_IMMEDIATELY) return 'WOULD_MATCH_IMMEDIATELY'
  return i === PRICES_NOT_RELATED ? 'OCO_BAD_PRICES' : 'NONE'
})

/** When it is sent. */
const eventTime = time('eventTimeMs')

interface MaybeFilled {
  readonly fill?: { readonly commissionAtoms: Int64 } | undefined
}

/** Fields of the order, of the event, of its fill, and those that only some reports have. */
export const executionReport = new Answer({
  e: constant('executionReport'),
  E: eventTime,
  s: formSymbol,
  c: id('clientOrderId'),
  S: side,
  o: orderType,
  f: timeInForce,
  q: quantity('lots'),
  p: price('priceTicks'),
  P: stopPrice,
  F: icebergQuantity,
  g: orderListId,
  C: id('renamedFrom'),
  x: name('execution', namesOf(Execution)),
  X: name('status', statusNames),
  r: name('rejectReason', rejectNames),
  i: integer('orderId'),
  z: quantity('filledLots'),
  T: time('timeMs'),
  I: integer('executionId'),
  w: flag('isOnBook'),
  O: time('createdMs'),
  Z: units('filledAtoms'),
  Q: units('quoteAtoms'),
  l: within('fill', quantity('lots'), Lots(0)),
  L: within('fill', units('priceUnits'), 0),
  n: derived(decimalText(''), ({ fill }: MaybeFilled) =>
    fill === undefined ? '0' : formatDecimal(fill.commissionAtoms, WIRE_DECIMALS),
  ),
  N: within('fill', assetOrNull('commissionAsset'), null),
  t: within('fill', integer('tradeId'), -1),
  m: within('fill', flag('isMaker'), false),
  M: derived(flag(''), ({ fill }: MaybeFilled) => fill !== undefined),
  Y: within('fill', units('quoteAtoms'), 0),
  W: above('workingMs', -1, time('workingMs')),
  d: within('details', above('trailingDelta', 0, integer('trailingDelta'))),
  D: within('details', above('trailingDelta', 0, above('trailingMs', -1, time('trailingMs')))),
  ...labelElements((label) => orderLabels[label]),
  ...pegElements,
  // Only of fills of an auction, and of routed orders.
  b: within('fill', optional(name('matchType', namesOf(MatchType)))),
  a: within('fill', optional(integer('allocationId'))),
  k: workingFloor,
  uS: usedSor,
  v: within('prevention', integer('preventedMatchId')),
  A: within('prevention', quantity('preventedLots')),
  B: within('prevention', quantity('lastPreventedLots')),
  u: within('prevention', integer('tradeGroupId')),
  U: within('prevention', integer('counterOrderId')),
  Cs: within('prevention', text('counterSymbol')),
  // What would have been l, L and Y without the prevention.
  pl: within('prevention', units('matchBaseAtoms')),
  pL: within('prevention', units('priceUnits')),
  pY: within('prevention', units('matchAtoms')),
  eR: equal('status', OrderStatus.EXPIRED, name('reason', expiryReasonNames)),
  V: prevention,
})

/** An order list was placed, has changed or is done; with a RejectReason, it was refused. */
export const listStatus = new Answer({
  e: constant('listStatus'),
  E: eventTime,
  s: formSymbol,
  g: listId,
  c: contingencyType,
  l: listStatusType,
  L: listOrderStatus,
  r: name('rejectReason', rejectNames),
  C: listClientOrderId,
  T: time('timeMs'),
  O: rows('orders', new Answer({ s: formSymbol, i: integer('orderId'), c: id('clientOrderId') })),
})

/** Balances that one command may have changed, absolute, and when it happened. */
export const accountPosition = new Answer({
  e: constant('outboundAccountPosition'),
  E: eventTime,
  u: time('updateMs'),
  B: rows('balances', new Answer({ a: asset('asset'), f: units('free'), l: units('locked') })),
})

/** Money came in or went out, or was locked or unlocked from outside. */
export const balanceChange = new Answer({
  e: name('kind', ['balanceUpdate', 'externalLockUpdate']),
  E: eventTime,
  a: asset('asset'),
  d: signedUnits('atoms'),
  T: time('timeMs'),
})

/** The last frame of a listen key's stream (user-data-stream.md). */
export const listenKeyExpired = new Answer({
  e: constant('listenKeyExpired'),
  E: eventTime,
  listenKey: id('listenKey'),
})

/** The last frame of a subscription that was ended over the WebSocket API. */
export const eventStreamTerminated = new Answer({
  e: constant('eventStreamTerminated'),
  E: eventTime,
})

/** To every connection before the exchange stops (web-socket-streams.md, Connection rules). */
export const serverShutdown = new Answer({ e: constant('serverShutdown'), E: eventTime })
