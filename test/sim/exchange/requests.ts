/**
 * Commands as their clients say them: method, path, and parameters as decimal text, made without the
 * gateway's own arithmetic, so that what arrives in the ring can be compared with what was meant.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../../src/base/assert.ts'
import {
  CancelReplaceMode,
  CancelRestrictions,
  CountdownScope,
  DETAILED,
  hasPendingPair,
  legsOf as legsOfKind,
  namesOf,
  OrderListKind,
  OrderType,
  PegPriceType,
  paysPending,
  SelfTradePrevention,
  Side,
  sessionOf,
  TimeInForce,
  typeOf,
} from '../../../src/base/codes.ts'
import { COUNTDOWN_MS_MIN } from '../../../src/base/limits.ts'
import { type Lots, Ms, type Ticks } from '../../../src/base/units.ts'
import type { SymbolSpec } from '../../../src/market/listing.ts'
import { isMarketType, isStop, type PlainWish } from '../../model/plain-order.ts'
import type { Command } from '../commands.ts'

/** A command as a client may send it: countdowns of one symbol that last a second or more. */
export function sendable(command: Command): Command {
  if (command.name !== 'SetCountdown') return command
  const { countdownMs, ...record } = command.record
  const longMs = Ms(countdownMs === 0 ? 0 : COUNTDOWN_MS_MIN + 20 * countdownMs)
  return { ...command, record: { ...record, scope: CountdownScope.SYMBOL, countdownMs: longMs } }
}

export type Fields = Record<string, string>

const ofNoClient = ['CancelSessionOrders', 'SetReferencePrice', 'TradeBlock'] as const

/** What gateways send of their own accord, or for operators, comes from no client. */
export type ClientCommand = Exclude<Command, { name: (typeof ofNoClient)[number] }>

export const isOfClient = (command: Command): command is ClientCommand =>
  ofNoClient.every((name) => name !== command.name)

export type CommandNamed<Name> = Extract<Command, { name: Name }>

export interface ClientRequest {
  readonly wsMethod: string
  readonly method: string
  readonly path: string
  readonly fields: Fields
  /** Whether it takes neither key nor signature. */
  readonly isPublic: boolean
}

const sides = namesOf(Side)
const types = namesOf(OrderType)
const timesInForce = namesOf(TimeInForce)
const preventions = namesOf(SelfTradePrevention)
const pegTypes = namesOf(PegPriceType)
const restrictions = namesOf(CancelRestrictions)
const modes = namesOf(CancelReplaceMode)

const UNITS = 100_000_000n

/** Integer of 1e-8 as decimal text. */
export function decimal(units: bigint): string {
  const digits = (units % UNITS).toString().padStart(8, '0')
  return `${units / UNITS}.${digits}`
}

export const priceOf = (spec: SymbolSpec, ticks: Ticks): string =>
  decimal(BigInt(ticks) * BigInt(spec.tickUnits))
export const quantityOf = (spec: SymbolSpec, lots: Lots): string =>
  decimal(BigInt(lots) * BigInt(spec.lotUnits))

export function requestOf(spec: SymbolSpec, command: ClientCommand): ClientRequest {
  const symbol = spec.name
  switch (command.name) {
    case 'PlaceOrder':
      return said('order.place', 'POST', '/api/v3/order', {
        symbol,
        ...single(spec, command.record),
      })
    case 'PlaceOrderList':
      return list(spec, command.record)
    case 'CancelOrder':
      return said('order.cancel', 'DELETE', '/api/v3/order', {
        symbol,
        ...ids(command.record.orderId, command.record.origClientOrderId),
        newClientOrderId: command.record.clientOrderId,
        ...(command.record.restrictions === 0
          ? {}
          : { cancelRestrictions: restrictions[command.record.restrictions]! }),
      })
    case 'CancelOrderList':
      return said('orderList.cancel', 'DELETE', '/api/v3/orderList', {
        symbol,
        ...(command.record.orderListId === -1
          ? {}
          : { orderListId: String(command.record.orderListId) }),
        ...present('listClientOrderId', command.record.listClientOrderId),
        newClientOrderId: command.record.clientOrderId,
      })
    case 'CancelOpenOrders':
      return said('openOrders.cancelAll', 'DELETE', '/api/v3/openOrders', { symbol })
    case 'CancelOrdersWhere': {
      const { side, minTicks, maxTicks, prefix } = command.record
      return said('openOrders.cancelWhere', 'DELETE', '/ringbook/v1/openOrders', {
        symbol,
        ...(side < 0 ? {} : { side: sides[side]! }),
        ...(minTicks === 0 ? {} : { minPrice: priceOf(spec, minTicks) }),
        ...(maxTicks === Number.MAX_SAFE_INTEGER ? {} : { maxPrice: priceOf(spec, maxTicks) }),
        ...present('clientOrderIdPrefix', prefix),
      })
    }
    case 'ReplaceOrder':
      return said('order.cancelReplace', 'POST', '/api/v3/order/cancelReplace', {
        symbol,
        ...single(spec, command.record),
        cancelReplaceMode: modes[command.record.mode]!,
        ...(command.record.cancelOrderId === 0
          ? {}
          : { cancelOrderId: String(command.record.cancelOrderId) }),
        ...present('cancelOrigClientOrderId', command.record.cancelOrigClientOrderId),
        cancelNewClientOrderId: command.record.cancelClientOrderId,
        ...(command.record.cancelRestrictions === 0
          ? {}
          : { cancelRestrictions: restrictions[command.record.cancelRestrictions]! }),
      })
    case 'AmendOrder':
      return said('order.amend.keepPriority', 'PUT', '/api/v3/order/amend/keepPriority', {
        symbol,
        ...ids(command.record.orderId, command.record.origClientOrderId),
        newQty: quantityOf(spec, command.record.lots),
        ...present('newClientOrderId', command.record.clientOrderId),
      })
    case 'QueryOrder':
      return said('order.status', 'GET', '/api/v3/order', {
        symbol,
        ...ids(command.record.orderId, command.record.clientOrderId),
      })
    case 'QueryOpenOrders':
      return said('openOrders.status', 'GET', '/api/v3/openOrders', { symbol })
    case 'QueryBook':
      return said('depth', 'GET', '/api/v3/depth', { symbol, limit: '5000' })
    case 'QuoteOrders': {
      const { bids, levels, prefix, terms, isWhole } = command.record
      const pairs = (some: typeof levels) =>
        JSON.stringify(
          some.map(({ priceTicks, lots }) => [priceOf(spec, priceTicks), quantityOf(spec, lots)]),
        )
      return said('quote', 'POST', '/ringbook/v1/quote', {
        symbol,
        quoteId: prefix.slice(0, -1),
        bids: pairs(levels.slice(0, bids)),
        asks: pairs(levels.slice(bids)),
        refusal: isWhole === 1 ? 'WHOLE' : 'LEVEL',
        postOnly: String(typeOf(terms) === OrderType.LIMIT_MAKER),
        selfTradePreventionMode: preventions[(terms >> 6) & 7]!,
      })
    }
    case 'SetCountdown':
      return said('countdown.cancelAll', 'POST', '/ringbook/v1/countdownCancelAll', {
        symbol,
        countdownTime: String(command.record.countdownMs),
      })
    case 'SetProtection': {
      const { windowMs, maxFills, maxNotional } = command.record
      const bounds = { maxFills: String(maxFills), maxNotional: decimal(BigInt(maxNotional)) }
      return said('protection.set', 'POST', '/ringbook/v1/protection', {
        symbol,
        windowMs: String(windowMs),
        ...(windowMs === 0 ? {} : bounds),
      })
    }
    case 'ResetProtection':
      return said('protection.reset', 'POST', '/ringbook/v1/protection/reset', { symbol })
    case 'QueryProtection':
      return said('protection.status', 'GET', '/ringbook/v1/protection', { symbol })
    case 'QueryCountdowns':
      return said('countdown.status', 'GET', '/ringbook/v1/countdown', { symbol })
  }
}

/** By command: the batch that takes several of them. */
const batches = {
  PlaceOrder: ['batch.place', 'POST', '/ringbook/v1/batchOrders'],
  CancelOrder: ['batch.cancel', 'DELETE', '/ringbook/v1/batchOrders'],
  ReplaceOrder: ['batch.cancelReplace', 'POST', '/ringbook/v1/batchCancelReplace'],
} as const
export type Batchable = keyof typeof batches

export function batchOf(name: Batchable, requests: readonly ClientRequest[]): ClientRequest {
  const [wsMethod, method, path] = batches[name]
  return said(wsMethod, method, path, {
    orders: JSON.stringify(requests.map(({ fields }) => fields)),
  })
}

const said = (wsMethod: string, method: string, path: string, fields: Fields): ClientRequest => ({
  wsMethod,
  method,
  path,
  fields,
  isPublic: wsMethod === 'depth',
})

const present = (name: string, text: string): Fields => (text === '' ? {} : { [name]: text })

const ids = (orderId: number, origClientOrderId: string): Fields => ({
  ...(orderId === 0 ? {} : { orderId: String(orderId) }),
  ...present('origClientOrderId', origClientOrderId),
})

function single(spec: SymbolSpec, wish: PlainWish): Fields {
  const { terms, lots, quoteAtoms = 0 } = wish
  const type = (terms >> 1) & 7
  const hasTime = type !== OrderType.LIMIT_MAKER && !isMarketType(type)
  const units = BigInt(quoteAtoms)
  return {
    side: sides[terms & 1]!,
    type: types[type]!,
    ...(hasTime ? { timeInForce: timesInForce[(terms >> 4) & 3]! } : {}),
    ...(wish.priceTicks === 0 ? {} : { price: priceOf(spec, wish.priceTicks) }),
    ...(quoteAtoms > 0 ? { quoteOrderQty: decimal(units) } : { quantity: quantityOf(spec, lots) }),
    newClientOrderId: wish.clientOrderId,
    newOrderRespType: 'FULL',
    selfTradePreventionMode: preventions[(terms >> 6) & 7]!,
    ...details(spec, wish, (name) => name),
  }
}

function details(spec: SymbolSpec, wish: PlainWish, named: (field: string) => string): Fields {
  const { stopTicks, icebergLots, trailingDelta, strategyId, strategyType } = wish
  const { pegPriceType, pegLevels } = wish
  return {
    ...(stopTicks > 0 ? { [named('stopPrice')]: priceOf(spec, stopTicks) } : {}),
    ...(icebergLots > 0 ? { [named('icebergQty')]: quantityOf(spec, icebergLots) } : {}),
    ...(trailingDelta > 0 ? { [named('trailingDelta')]: String(trailingDelta) } : {}),
    ...(strategyId >= 0 ? { [named('strategyId')]: String(strategyId) } : {}),
    ...(strategyType > 0 ? { [named('strategyType')]: String(strategyType) } : {}),
    ...(pegPriceType > 0 ? { [named('pegPriceType')]: pegTypes[pegPriceType]! } : {}),
    ...(pegLevels > 0
      ? { [named('pegOffsetType')]: 'PRICE_LEVEL', [named('pegOffsetValue')]: String(pegLevels) }
      : {}),
  }
}

type ListRecord = CommandNamed<'PlaceOrderList'>['record']

/** The legs of a list as separate wishes. */
export function legsOf(record: ListRecord): readonly PlainWish[] {
  const legs = ([1, 2, 3] as const).map((n) => ({
    terms: record[`terms${n}`],
    priceTicks: record[`priceTicks${n}`],
    lots: record[`lots${n}`],
    clientOrderId: record[`clientOrderId${n}`],
    stopTicks: record[`stopTicks${n}`],
    icebergLots: record[`icebergLots${n}`],
    strategyId: record[`strategyId${n}`],
    strategyType: record[`strategyType${n}`],
    trailingDelta: record[`trailingDelta${n}`],
    pegPriceType: record[`pegPriceType${n}`],
    pegLevels: record[`pegLevels${n}`],
  }))
  return legs.slice(0, legsOfKind(record.kind))
}

function list(spec: SymbolSpec, record: ListRecord): ClientRequest {
  const legs = legsOf(record)
  const [first, second, third] = legs as [PlainWish, PlainWish, PlainWish]
  const shared = {
    symbol: spec.name,
    listClientOrderId: record.listClientOrderId,
    selfTradePreventionMode: preventions[(first.terms >> 6) & 7]!,
  }
  if (record.kind === OrderListKind.OCO) {
    const fields = {
      ...shared,
      side: sides[first.terms & 1]!,
      quantity: quantityOf(spec, first.lots),
      ...pair(spec, first, second, 'above', 'below'),
    }
    return said('orderList.place.oco', 'POST', '/api/v3/orderList/oco', fields)
  }
  const working = {
    ...shared,
    workingSide: sides[first.terms & 1]!,
    workingQuantity: quantityOf(spec, first.lots),
    ...leg(spec, first, 'working'),
    pendingSide: sides[second.terms & 1]!,
    ...(paysPending(record.kind) ? {} : { pendingQuantity: quantityOf(spec, second.lots) }),
  }
  const name = operations[record.kind]!
  const fields = hasPendingPair(record.kind)
    ? { ...working, ...pair(spec, second, third, 'pendingAbove', 'pendingBelow') }
    : { ...working, ...leg(spec, second, 'pending') }
  return said(`orderList.place.${name}`, 'POST', `/api/v3/orderList/${name}`, fields)
}

/** By OrderListKind. */
const operations = ['oco', 'oto', 'otoco', 'opo', 'opoco'] as const

/** The stop-loss of a pair comes first; a buyer's stands above. */
function pair(
  spec: SymbolSpec,
  stopLoss: PlainWish,
  other: PlainWish,
  above: string,
  below: string,
): Fields {
  const isAbove = (stopLoss.terms & 1) === Side.BUY
  return {
    ...leg(spec, stopLoss, isAbove ? above : below),
    ...leg(spec, other, isAbove ? below : above),
  }
}

function leg(spec: SymbolSpec, wish: PlainWish, prefix: string): Fields {
  const { terms, priceTicks, clientOrderId } = wish
  const type = (terms >> 1) & 7
  const hasTime = type !== OrderType.LIMIT_MAKER && !isMarketType(type)
  const named = (field: string) => `${prefix}${field[0]!.toUpperCase()}${field.slice(1)}`
  return {
    [named('type')]: types[type]!,
    ...(hasTime ? { [named('timeInForce')]: timesInForce[(terms >> 4) & 3]! } : {}),
    ...(priceTicks === 0 ? {} : { [named('price')]: priceOf(spec, priceTicks) }),
    [named('clientOrderId')]: clientOrderId,
    ...details(spec, wish, named),
  }
}

/** The command that the gateway should make of the request: what is not sent is not there. */
export function meant({ name, record }: ClientCommand): Record<string, unknown> {
  const meaning: Record<string, unknown> = { name, ...record }
  for (const unknown of ['gateway', 'correlation', 'expiresMs']) delete meaning[unknown]
  // Pages are the gateway's own.
  if (name === 'QueryOpenOrders') {
    for (const own of ['limit', 'afterOrderId', 'untilOrderId']) delete meaning[own]
  }
  // What ends it has no bounds.
  if (name === 'SetProtection' && record.windowMs === 0) {
    meaning.maxFills = 0
    meaning.maxNotional = 0
  }
  // Levels that the gateway's filters refuse are not sent, and ids are its own.
  if (name === 'QuoteOrders') {
    for (const own of ['levels', 'bids', 'asks', 'terms', 'clientOrderId']) delete meaning[own]
  }
  // Its id is the gateway's own.
  if (name === 'CancelOpenOrders' || name === 'CancelOrdersWhere') delete meaning.clientOrderId
  if (name === 'CancelOrdersWhere' && record.maxTicks < Number.MAX_SAFE_INTEGER) {
    meaning.minTicks = record.minTicks || 1
  }
  if (name === 'AmendOrder' && record.clientOrderId === '') delete meaning.clientOrderId
  if (name === 'QueryOrder' && record.orderId > 0) meaning.clientOrderId = ''
  if (name === 'PlaceOrder' || name === 'ReplaceOrder') {
    const type = (record.terms >> 1) & 7
    const { icebergLots, strategyId, strategyType, pegPriceType } = record
    const isLabeled = strategyId >= 0 || strategyType !== 0
    const isPlain = !isStop(type) && icebergLots === 0 && !isLabeled && pegPriceType === 0
    const terms = record.terms & SAID
    meaning.terms = isPlain ? terms & ~DETAILED : terms | DETAILED
    meaning.quoteAtoms = record.quoteAtoms
    if (isPlain) for (const extra of extras) delete meaning[extra]
  }
  if (name !== 'PlaceOrderList') return meaning
  // One mode is sent for all.
  const others = SAID & ~(7 << 6)
  meaning.terms1 = record.terms1 & SAID
  const mode = record.terms1 & (7 << 6)
  meaning.terms2 = (record.terms2 & others) | mode
  meaning.terms3 = (record.terms3 & others) | mode
  if (!hasPendingPair(record.kind)) {
    for (const field of Object.keys(meaning)) if (field.endsWith('3')) delete meaning[field]
  }
  return meaning
}

/** What is left of a replacement's meaning where its gateway sends the cancel alone. */
export const meantCancel = (meaning: Readonly<Record<string, unknown>>) => ({
  name: 'CancelOrder',
  account: meaning.account,
  symbolId: meaning.symbolId,
  orderId: meaning.cancelOrderId,
  origClientOrderId: meaning.cancelOrigClientOrderId,
  clientOrderId: meaning.cancelClientOrderId,
  restrictions: meaning.cancelRestrictions,
})

/** Bits of an order's terms that its client sends; the session is the connection's. */
const SAID = 0x3ff

const extras = [
  ...['stopTicks', 'icebergLots', 'strategyId', 'strategyType', 'trailingDelta'],
  ...['pegPriceType', 'pegLevels'],
]

/** The fields of a command that arrived which `meaning` has. */
export function heard(
  { name, record }: Command,
  meaning: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const whole: Record<string, unknown> = { name, ...record }
  const value = (field: string) =>
    field.startsWith('terms') ? Number(whole[field]) & SAID : whole[field]
  return Object.fromEntries(Object.keys(meaning).map((field) => [field, value(field)]))
}

/** A quote that arrived wants levels that its client sent, in their order. */
export function checkQuoted({ record }: CommandNamed<'QuoteOrders'>, arrived: Command): void {
  assert(arrived.name === 'QuoteOrders', 'a quote arrives as one')
  const { prefix, terms } = record
  const textsOf = ({ levels, bids }: CommandNamed<'QuoteOrders'>['record']) =>
    levels.map(({ priceTicks, lots }, i) => `${i < bids ? 'bid' : 'ask'} ${priceTicks} ${lots}`)
  const sent = textsOf(record)
  const came = textsOf(arrived.record)
  deepStrictEqual(
    sent.filter((text) => came.includes(text)),
    came,
  )
  if (came.length > 0) strictEqual(arrived.record.terms & SAID, terms & SAID)
  for (const { clientOrderId } of arrived.record.levels)
    assert(clientOrderId.startsWith(prefix), 'an order of a quote has its prefix')
}

/** The sessions with which the orders of a command are to end; none for one that places nothing. */
export function sessionsOf({ name, record }: Command): readonly number[] {
  if (name === 'PlaceOrder' || name === 'ReplaceOrder' || name === 'QuoteOrders') {
    return [sessionOf(record.terms)]
  }
  return name === 'PlaceOrderList' ? [record.terms1, record.terms2].map(sessionOf) : []
}
