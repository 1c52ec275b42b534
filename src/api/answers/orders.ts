/** Answers about orders. */
import {
  MatchType,
  namesOf,
  OrderPhase,
  OrderStatus,
  preventionOf,
  QuoteOutcomeKind,
  SelfTradePrevention,
} from '../../base/codes.ts'
import type {
  OrderRow,
  OrderRowDetails,
  PreventedMatchRow,
  TradeRow,
} from '../../history/account-history.ts'
import { expiryReasonNames, preventionNames, statusNames } from '../names.ts'
import { Answer, type AnyRows } from './answer.ts'
import {
  above,
  answer,
  asset,
  constant,
  derived,
  equal,
  type Form,
  flag,
  formSymbol,
  id,
  integer,
  moment,
  name,
  optional,
  price,
  quantity,
  row,
  rows,
  symbol,
  text,
  time,
  units,
} from './element.ts'
import {
  contingencyType,
  details,
  listClientOrderId,
  listedOrders,
  listId,
  listOrderStatus,
  orderListId,
  prevention,
  queriedDetails,
  terms,
  usedSor,
  workingFloor,
} from './order-elements.ts'

/** Whether the order works: it waits neither for its price nor for its list's working order. */
export const isWorking = (details: OrderRowDetails | undefined): boolean =>
  details === undefined || details.phase === OrderPhase.WORKING

const orderId = integer('orderId')
const clientOrderId = id('clientOrderId')
const status = name('status', statusNames)
const expiryReason = equal('status', OrderStatus.EXPIRED, name('reason', expiryReasonNames))
const placed = {
  price: price('priceTicks'),
  // A pending order that sells what its working order buys has none yet.
  origQty: above('lots', 0, quantity('lots')),
  executedQty: quantity('filledLots'),
} as const
const asked = {
  price: price('priceTicks'),
  origQty: quantity('lots'),
  executedQty: quantity('filledLots'),
} as const
const origQuoteOrderQty = units('quoteAtoms')
const reached = { cummulativeQuoteQty: units('filledAtoms'), status, ...terms } as const

const acknowledged = {
  symbol: formSymbol,
  orderId,
  orderListId,
  clientOrderId,
  transactTime: time('timeMs'),
} as const
const result = {
  ...acknowledged,
  ...placed,
  origQuoteOrderQty,
  ...reached,
  ...details,
  workingTime: moment('workingMs'),
} as const

const fill = new Answer({
  price: units('priceUnits'),
  qty: quantity('lots'),
  commission: units('commissionAtoms'),
  commissionAsset: asset('commissionAsset'),
  tradeId: integer('tradeId'),
  matchType: optional(name('matchType', namesOf(MatchType))),
  allocId: optional(integer('allocationId')),
})

const matchOfPlacement = new Answer({
  preventedMatchId: integer('preventedMatchId'),
  makerOrderId: integer('makerOrderId'),
  price: units('priceUnits'),
  takerPreventedQuantity: above('takerPreventedLots', 0, quantity('takerPreventedLots')),
  makerPreventedQuantity: above('makerPreventedAtoms', 0, units('makerPreventedAtoms')),
})
const outcome = {
  preventedMatches: optional(rows('preventedMatches', matchOfPlacement)),
  preventedQuantity: above('preventedLots', 0, quantity('preventedLots')),
  tradeGroupId: above('tradeGroupId', -1, integer('tradeGroupId')),
  expiryReason,
  workingFloor,
  selfTradePreventionMode: prevention,
  usedSor,
} as const

/** A placed order, in the three forms that newOrderRespType names. */
export const orderAck = new Answer(acknowledged)
export const orderResult = new Answer({ ...result, ...outcome })
export const orderFull = new Answer({ ...result, fills: rows('fills', fill), ...outcome })

/** What a test of an order that would be accepted answers. */
export const testedOrder = new Answer({})

const queried = {
  orderId,
  orderListId,
  clientOrderId,
  ...asked,
  ...reached,
  ...queriedDetails,
  time: time('createdMs'),
  updateTime: time('updatedMs'),
  isWorking: derived(flag(''), ({ details }: OrderRow) => isWorking(details)),
  // An order without details works from its acceptance on.
  workingTime: derived(
    moment(''),
    ({ details, createdMs }: OrderRow) => details?.workingMs ?? createdMs,
  ),
  origQuoteOrderQty,
  preventedMatchId: above(
    'preventedLots',
    0,
    above(
      'preventedMatchIdPlusOne',
      0,
      derived(integer(''), ({ preventedMatchIdPlusOne }: OrderRow) => preventedMatchIdPlusOne - 1),
    ),
  ),
  preventedQuantity: above('preventedLots', 0, quantity('preventedLots')),
  expiryReason,
  workingFloor,
  selfTradePreventionMode: prevention,
  usedSor,
} as const

export const order = new Answer({ symbol: formSymbol, ...queried })
/** The order record in a list of orders of several symbols. */
export const openOrder = new Answer({ symbol: symbol('spec'), ...queried })

export const canceledOrder = new Answer({
  symbol: formSymbol,
  origClientOrderId: id('origClientOrderId'),
  orderId,
  orderListId,
  clientOrderId,
  transactTime: time('timeMs'),
  ...asked,
  origQuoteOrderQty,
  ...reached,
  ...details,
  workingFloor,
  selfTradePreventionMode: prevention,
  usedSor,
})

export const amendedOrder = new Answer({
  transactTime: time('timeMs'),
  executionId: integer('executionId'),
  amendedOrder: row(
    'order',
    new Answer({
      symbol: formSymbol,
      orderId,
      orderListId,
      origClientOrderId: id('origClientOrderId'),
      clientOrderId,
      price: price('priceTicks'),
      qty: quantity('lots'),
      executedQty: quantity('filledLots'),
      preventedQty: quantity('preventedLots'),
      quoteOrderQty: units('quoteAtoms'),
      cumulativeQuoteQty: units('filledAtoms'),
      status,
      ...terms,
      ...details,
      workingTime: optional(time('workingMs')),
      workingFloor,
      selfTradePreventionMode: prevention,
      usedSor,
    }),
  ),
  listStatus: optional(
    row(
      'list',
      new Answer({
        orderListId: listId,
        contingencyType,
        listOrderStatus,
        listClientOrderId,
        symbol: formSymbol,
        orders: listedOrders,
      }),
    ),
  ),
})

/** One change of an order's quantity. */
export const amendment = new Answer({
  symbol: formSymbol,
  orderId,
  executionId: integer('executionId'),
  origClientOrderId: id('origClientOrderId'),
  newClientOrderId: id('newClientOrderId'),
  origQty: quantity('oldLots'),
  newQty: quantity('newLots'),
  time: time('timeMs'),
})

/** The asset that the trade's owner paid in: mostly the one that it received. */
const paidAsset = (
  { commissionAssetId, isBuyer }: Pick<TradeRow, 'commissionAssetId' | 'isBuyer'>,
  { spec, assets }: Form,
) => assets?.[commissionAssetId] ?? (isBuyer ? spec!.base : spec!.quote)

/** One side of a trade as its owner sees it. */
export const accountTrade = new Answer({
  symbol: formSymbol,
  id: integer('tradeId'),
  orderId,
  orderListId: integer('orderListId'),
  price: price('priceTicks'),
  qty: quantity('lots'),
  quoteQty: units('quoteAtoms'),
  commission: units('commissionAtoms'),
  commissionAsset: derived(asset(''), paidAsset),
  time: time('timeMs'),
  isBuyer: flag('isBuyer'),
  isMaker: flag('isMaker'),
  isBestMatch: constant(true),
  // Only of an auction: beyond Binance.
  matchType: optional(name('matchType', namesOf(MatchType))),
})

/** What a routed order got, as its owner sees it. */
export const allocation = new Answer({
  symbol: formSymbol,
  allocationId: integer('allocationId'),
  allocationType: constant('SOR'),
  orderId,
  orderListId: derived(integer(''), (_row: object) => -1),
  price: units('priceUnits'),
  qty: quantity('lots'),
  quoteQty: units('quoteAtoms'),
  commission: units('commissionAtoms'),
  commissionAsset: derived(asset(''), paidAsset),
  time: time('timeMs'),
  isBuyer: flag('isBuyer'),
  isMaker: constant(false),
  isAllocator: constant(false),
})

/** The taker's mode decides, except for a transfer that only one side is ready for. */
function effectiveMode({ takerTerms, makerTerms }: PreventedMatchRow): SelfTradePrevention {
  const { TRANSFER, DECREMENT } = SelfTradePrevention
  const mode = preventionOf(takerTerms)
  return mode === TRANSFER && preventionOf(makerTerms) !== TRANSFER ? DECREMENT : mode
}

/** A match that self-trade prevention stopped. */
export const preventedMatch = new Answer({
  symbol: formSymbol,
  preventedMatchId: integer('preventedMatchId'),
  takerOrderId: integer('takerOrderId'),
  makerSymbol: text('makerSymbol'),
  makerOrderId: integer('makerOrderId'),
  tradeGroupId: integer('tradeGroupId'),
  selfTradePreventionMode: derived(name('', preventionNames), effectiveMode),
  price: units('priceUnits'),
  takerPreventedQuantity: above('takerPreventedLots', 0, quantity('takerPreventedLots')),
  makerPreventedQuantity: above('makerPreventedAtoms', 0, units('makerPreventedAtoms')),
  transactTime: time('timeMs'),
})

const canceledOfSymbol = { canceled: integer('canceled'), lists: integer('lists') }
/** How many orders, those of lists included, and how many lists were canceled: an extension. */
export const canceledWhere = new Answer({
  ...canceledOfSymbol,
  symbols: rows('symbols', new Answer({ symbol: symbol('spec'), ...canceledOfSymbol })),
})

const quoteOutcomes = namesOf(QuoteOutcomeKind)
/** One level of a mass quote: an order that stands or was filled, or why there is none. */
const quotedLevel = new Answer({
  outcome: name('outcome', quoteOutcomes),
  orderId: above('orderId', 0, integer('orderId')),
  executedQty: quantity('filledLots'),
  error: optional(answer<unknown, AnyRows>({ type: 'object' })('error')),
})
/** What a mass quote came to: an extension. */
export const quoted = new Answer({
  symbol: symbol('spec'),
  canceled: integer('canceled'),
  bids: rows('bids', quotedLevel),
  asks: rows('asks', quotedLevel),
})
