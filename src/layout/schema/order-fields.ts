/** Fields and sections by which records say what an order is. */
import { DETAILED, OrderPhase, OrderStatus } from '../../base/codes.ts'
import type { Field, RecordSection, Section, SideFields } from './field.ts'

export const order: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['terms', 'i32', 'side, type, time in force, prevention mode, detailed, session (base/codes.ts)'],
  ['orderId', 'orderId', 'counts from 1 within the symbol'],
  ['priceTicks', 'ticks', 'limit price; 0 for MARKET'],
  ['lots', 'lots', 'original quantity; for a MARKET order by quote amount, what was computed'],
  ['quoteAtoms', 'quoteAtoms', 'quote amount asked for by a MARKET order; else 0'],
]

/** What only some orders ask for. Each also has a field in detailsSection and a column in orderColumns. */
export const extras: readonly Field[] = [
  ['stopTicks', 'ticks', 'stop price; of a trailing stop, where tracking starts; 0 for none'],
  ['icebergLots', 'lots', 'the quantity shown at a time; 0 when it shows all'],
  ['strategyId', 'int64', '-1 for none', -1],
  ['trailingDelta', 'i32', 'basis points; 0 when it does not trail'],
  ['strategyType', 'i32', '0 for none'],
]

/** Fields of a placement that are not written without them. */
export const onlyDetailed: readonly string[] = extras.map(([name]) => name)

/** What PlaceOrder and ReplaceOrder begin with, at the same offsets. */
export const placement: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['terms', 'i32', 'side, type, time in force, prevention mode, detailed, session'],
  ['priceTicks', 'ticks', 'limit price; 0 for MARKET'],
  ['lots', 'lots', 'quantity; 0 for a MARKET order by quote amount'],
  ['quoteAtoms', 'quoteAtoms', 'quote amount of a MARKET order; else 0'],
  ['expiresMs', 'ms', 'refuse when the clock is past this: timestamp + recvWindow; 0 never'],
  ['clientOrderId', 'id', 'chosen by the client or by the gateway; never none'],
  ...extras.map(
    ([name, type, meaning]): Field => [
      name,
      type,
      `only written and read when the terms say detailed: ${meaning}`,
    ],
  ),
]

/** The n-th leg of PlaceOrderList. */
export function leg(n: 1 | 2 | 3): readonly Field[] {
  return [
    [`terms${n}`, 'i32', 'as PlaceOrder; every leg is detailed'],
    [`spare${n}`, 'i32', 'zero'],
    [`priceTicks${n}`, 'ticks', 'limit price; 0 for none'],
    [`lots${n}`, 'lots', 'quantity'],
    [`clientOrderId${n}`, 'id', ''],
    ...extras.map(([name, type]): Field => [`${name}${n}`, type, 'as PlaceOrder']),
  ]
}

const detailFields: readonly Field[] = [
  ['orderListId', 'orderListId', '-1 when it is in no list', -1],
  ['stopTicks', 'ticks', 'stop price asked for; 0 for none'],
  ['icebergLots', 'lots', 'quantity shown at a time; 0 when it shows all'],
  ['strategyId', 'int64', '-1 for none', -1],
  ['trailingMs', 'ms', 'when its tracking started; -1 while it has not', -1],
  ['workingMs', 'ms', 'when it began to work; -1 while it has not', -1],
  ['strategyType', 'i32', '0 for none'],
  ['trailingDelta', 'i32', 'basis points; 0 when it does not trail'],
  ['phase', 'i32', 'OrderPhase; WORKING also while its turn runs', OrderPhase.WORKING],
  ['amendments', 'i32', 'how often its quantity was amended'],
  ['preventedLots', 'lots', 'lost to self-trade prevention'],
]

/** What the terms of a detailed order do not say, as the order stands after the event. */
export const detailsSection: Section = {
  name: 'DetailsSection',
  meaning: 'What the terms of a detailed order do not say, as it stands after the event.',
  fields: detailFields,
}

/** What the engine alone knows of a detailed order. */
const ownFields: readonly Field[] = [
  ['hiddenLots', 'lots', 'of a resting iceberg: open, but not shown'],
  ['extremeTicks', 'ticks', 'best price since tracking started; 0 while it has not'],
  ['leg', 'i32', 'place in its list, from 0'],
  ['costAtoms', 'atoms', 'needed while it waits: what it holds, but for what a pair holds once'],
]

/** The order in which snapshots and hashes have the columns: a new one comes last. */
const columnNames = [
  'stopTicks',
  'icebergLots',
  'hiddenLots',
  'preventedLots',
  'strategyId',
  'strategyType',
  'trailingDelta',
  'trailingMs',
  'extremeTicks',
  'workingMs',
  'amendments',
  'orderListId',
  'leg',
  'phase',
  'costAtoms',
]

/** The sparse columns of open orders (core/matching/details.ts): all of detailsSection, and its own. */
export const orderColumns: readonly Field[] = columnNames.map(
  (column) => [...detailFields, ...ownFields].find(([name]) => name === column)!,
)

/** The match that self-trade prevention prevented, as the order sees it that lost by it. */
export const preventionSection: Section = {
  name: 'PreventionSection',
  meaning: 'The match that self-trade prevention prevented, as the order sees it that lost by it.',
  fields: [
    ['preventedMatchId', 'int', 'as MatchPrevented'],
    ['tradeGroupId', 'int', '-1 when it was the same account'],
    ['counterOrderId', 'orderId', 'the other order'],
    ['lastPreventedLots', 'lots', 'what this order lost'],
    ['matchLots', 'lots', 'what would have traded'],
    ['priceTicks', 'ticks', "the maker's price"],
  ],
}

export const sections: readonly Section[] = [detailsSection, preventionSection]

export const detailsOf = (name: string, field: string): RecordSection => ({
  name,
  section: detailsSection,
  field,
  mask: DETAILED,
  value: DETAILED,
})
export const detailed = [detailsOf('details', 'terms')]
export const prevention: RecordSection = {
  name: 'prevention',
  section: preventionSection,
  field: 'status',
  mask: -1,
  value: OrderStatus.EXPIRED_IN_MATCH,
}
export const always: RecordSection = { ...prevention, field: 'terms', mask: 0, value: 0 }

/** A taker's side of a trade, and a maker's. */
export const tradeSide: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['terms', 'i32', 'as OrderAccepted'],
  ['status', 'i32', 'OrderStatus after the trade: FILLED or PARTIALLY_FILLED'],
  ['commissionAssetId', 'assetId', 'what its commission is paid in; -1 for the asset it receives'],
  ['orderId', 'orderId', ''],
  ['lots', 'lots', 'original quantity'],
  ['filledLots', 'lots', 'cumulative, this trade included'],
  ['filledAtoms', 'quoteAtoms', 'cumulative quote, this trade included'],
  ['commissionAtoms', 'atoms', 'of what it receives, or from its free balance of another asset'],
  ['createdMs', 'ms', 'when the order was accepted'],
  ['clientOrderId', 'id', ''],
]

export const sideFields: readonly SideFields[] = [
  {
    record: 'Trade',
    name: 'TradeSide',
    meaning: 'One order of a Trade, from where its side begins.',
    sides: ['taker', 'maker'],
    fields: tradeSide,
  },
]

export const sideName = (side: string, field: string): string =>
  `${side}${field[0]!.toUpperCase()}${field.slice(1)}`

export const ofSide = (side: string): readonly Field[] =>
  tradeSide.map(([name, type, meaning]): Field => [sideName(side, name), type, meaning])

/** A waiting order that begins its turn. */
export const turn: readonly Field[] = [
  ...order,
  ['heldAtoms', 'atoms', 'moves from free to locked; negative: back'],
  ['createdMs', 'ms', 'when it was accepted'],
  ['clientOrderId', 'id', ''],
]
