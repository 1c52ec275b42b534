/**
 * What each kind of order takes, as a table: groups of fields by the names of the wire's parameters.
 * The ticket shows what stands here, and sends what was typed. Pure.
 */
import { isInCall, type MarketSymbol } from '../market/symbols.ts'

export type Values = Readonly<Record<string, string>>

export interface Field {
  /** The parameter's name. */
  readonly name: string
  readonly label: string
  readonly form: 'price' | 'quantity' | 'amount' | 'points' | 'levels' | 'choice'
  readonly unit?: string
  readonly choices?: readonly string[]
  readonly isOptional?: boolean
}

export interface FieldGroup {
  readonly title: string
  readonly fields: readonly Field[]
}

export const LISTS = ['OCO', 'OTO', 'OTOCO', 'OPO', 'OPOCO'] as const
const LIST_METHODS: Readonly<Record<string, string>> = {
  OCO: 'orderList.place.oco',
  OTO: 'orderList.place.oto',
  OTOCO: 'orderList.place.otoco',
  OPO: 'orderList.place.opo',
  OPOCO: 'orderList.place.opoco',
}
const PREVENTION = 'selfTradePreventionMode'
/** A choice that is not sent: the order has a price of its own. */
export const NO_PEG = 'NO_PEG'
const PRIMARY_PEG = 'PRIMARY_PEG'
const TIMES = ['GTC', 'IOC', 'FOK']
const SIDES = ['BUY', 'SELL']
const ABOVE_TYPES = [
  ...['LIMIT_MAKER', 'STOP_LOSS_LIMIT', 'STOP_LOSS', 'TAKE_PROFIT_LIMIT', 'TAKE_PROFIT'],
]
const BELOW_TYPES = [
  ...['STOP_LOSS_LIMIT', 'STOP_LOSS', 'LIMIT_MAKER', 'TAKE_PROFIT_LIMIT', 'TAKE_PROFIT'],
]

/** Returns the kinds that the symbol takes now: its order types, then its lists; in a call LIMIT alone. */
export function kindsOf(symbol: MarketSymbol): string[] {
  if (isInCall(symbol)) return ['LIMIT']
  const { ocoAllowed, otoAllowed, opoAllowed } = symbol
  const takes: Readonly<Record<(typeof LISTS)[number], boolean>> = {
    OCO: ocoAllowed,
    OTO: otoAllowed,
    OTOCO: ocoAllowed && otoAllowed,
    OPO: otoAllowed && opoAllowed,
    OPOCO: ocoAllowed && otoAllowed && opoAllowed,
  }
  return [...symbol.orderTypes, ...LISTS.filter((list) => takes[list])]
}

/** Returns a kind of order, or another word of the wire, for people: `Stop loss limit`. */
export const kindText = (kind: string): string =>
  kind.length <= 5 && kind !== 'LIMIT'
    ? kind
    : `${kind[0]}${kind.slice(1).toLowerCase().replaceAll('_', ' ')}`

/** Returns the method of the WebSocket API that places this kind. */
export const methodOf = (kind: string): string => LIST_METHODS[kind] ?? 'order.place'

const isStop = (type: string) => type.startsWith('STOP_LOSS') || type.startsWith('TAKE_PROFIT')
const hasPrice = (type: string) => type.includes('LIMIT')
const hasTime = (type: string) => type === 'LIMIT' || type.endsWith('_LIMIT')

const named = (prefix: string, name: string) =>
  prefix === '' ? name : `${prefix}${name[0]!.toUpperCase()}${name.slice(1)}`

/** What an order of `type` may be pegged to, its own price first; a call has no best price. */
function pegsOf(symbol: MarketSymbol, type: string): readonly string[] {
  if (!symbol.pegInstructionsAllowed || isInCall(symbol)) return [NO_PEG]
  return type === 'LIMIT_MAKER' ? [NO_PEG, PRIMARY_PEG] : [NO_PEG, PRIMARY_PEG, 'MARKET_PEG']
}

/** The fields of one order of `type`. Its quantity, where it has its own, stands after prices. */
function legFields(
  symbol: MarketSymbol,
  values: Values,
  prefix: string,
  type: string,
  ...quantity: readonly Field[]
): Field[] {
  const fields: Field[] = []
  const add = (name: string, field: Omit<Field, 'name'>) =>
    fields.push({ name: named(prefix, name), ...field })
  const { quoteAsset: unit } = symbol
  if (isStop(type)) {
    const isOptional = symbol.allowTrailingStop
    add('stopPrice', { label: 'Stop price', form: 'price', unit, isOptional })
    if (symbol.allowTrailingStop) {
      add('trailingDelta', { label: 'Trailing delta', form: 'points', unit: 'bps', isOptional })
    }
  }
  const pegs = pegsOf(symbol, type)
  const peg = hasPrice(type) ? chosen(values, named(prefix, 'pegPriceType'), pegs) : NO_PEG
  if (hasPrice(type) && pegs.length > 1) {
    add('pegPriceType', { label: 'Peg', form: 'choice', choices: pegs })
  }
  if (peg !== NO_PEG) {
    add('pegOffsetValue', { label: 'Levels behind the best', form: 'levels', isOptional: true })
  } else if (hasPrice(type)) add('price', { label: 'Price', form: 'price', unit })
  fields.push(...quantity)
  if (hasTime(type)) {
    const isJoining = type === 'LIMIT' && peg === PRIMARY_PEG
    const choices = isInCall(symbol) || isJoining ? ['GTC'] : TIMES
    add('timeInForce', { label: 'Time in force', form: 'choice', choices })
  }
  if (hasPrice(type) && symbol.icebergAllowed) {
    const shown = { label: 'Iceberg', unit: symbol.baseAsset, isOptional: true } as const
    add('icebergQty', { ...shown, form: 'quantity' })
  }
  return fields
}

const quantityField = (symbol: MarketSymbol, name = 'quantity'): Field => ({
  name,
  label: 'Quantity',
  form: 'quantity',
  unit: symbol.baseAsset,
})

function typedLeg(
  symbol: MarketSymbol,
  values: Values,
  title: string,
  prefix: string,
  types: readonly string[],
  ...quantity: readonly Field[]
): FieldGroup {
  const name = named(prefix, 'type')
  const allowed = types.filter((type) => symbol.orderTypes.includes(type))
  const type = chosen(values, name, allowed)
  const choice: Field = { name, label: 'Type', form: 'choice', choices: allowed }
  return { title, fields: [choice, ...legFields(symbol, values, prefix, type, ...quantity)] }
}

const chosen = (values: Values, name: string, choices: readonly string[]): string =>
  choices.includes(values[name] ?? '') ? values[name]! : (choices[0] ?? '')

const isPaidByFills = (kind: string): boolean => kind === 'OPO' || kind === 'OPOCO'

/** Returns why no order of this kind begins with the side; '' where one may. */
export const sideFault = (kind: string, side: string): string =>
  isPaidByFills(kind) && side === 'SELL' ? `${kind} sells what it buys: choose Buy.` : ''

/** Returns the groups of fields that this kind of order has now; some depend on what was chosen. */
export function groupsOf(symbol: MarketSymbol, kind: string, values: Values): FieldGroup[] {
  const working = () => {
    const own = quantityField(symbol, 'workingQuantity')
    return typedLeg(symbol, values, 'Working order', 'working', ['LIMIT', 'LIMIT_MAKER'], own)
  }
  // What sells what the working order buys has no quantity of its own.
  const isPaid = isPaidByFills(kind)
  const choices = isPaid ? ['SELL'] : SIDES
  const side: Field = { name: 'pendingSide', label: 'Side', form: 'choice', choices }
  const quantity = isPaid ? [] : [quantityField(symbol, 'pendingQuantity')]
  switch (kind) {
    case 'OCO':
      return [
        { title: '', fields: [quantityField(symbol)] },
        typedLeg(symbol, values, 'Above', 'above', ABOVE_TYPES),
        typedLeg(symbol, values, 'Below', 'below', BELOW_TYPES),
      ]
    case 'OTO':
    case 'OPO': {
      const types = symbol.orderTypes
      const leg = typedLeg(symbol, values, 'Pending order', 'pending', types, ...quantity)
      return [working(), { ...leg, fields: [side, ...leg.fields] }]
    }
    case 'OTOCO':
    case 'OPOCO':
      return [
        working(),
        { title: 'Pending pair', fields: [side, ...quantity] },
        typedLeg(symbol, values, 'Above', 'pendingAbove', ABOVE_TYPES),
        typedLeg(symbol, values, 'Below', 'pendingBelow', BELOW_TYPES),
      ]
    case 'MARKET':
      return [{ title: '', fields: marketFields(symbol, values) }]
    default:
      return [{ title: '', fields: legFields(symbol, values, '', kind, quantityField(symbol)) }]
  }
}

/** A market order is by quantity or by amount; once one is typed the other goes. */
function marketFields(symbol: MarketSymbol, values: Values): Field[] {
  const byQuantity = { ...quantityField(symbol), isOptional: true }
  if (!symbol.quoteOrderQtyMarketAllowed) return [quantityField(symbol)]
  const byAmount: Field = {
    name: 'quoteOrderQty',
    label: 'Amount',
    form: 'amount',
    unit: symbol.quoteAsset,
    isOptional: true,
  }
  if ((values.quantity ?? '') !== '') return [byQuantity]
  return (values.quoteOrderQty ?? '') === '' ? [byQuantity, byAmount] : [byAmount]
}

/** Returns the parameters of the request: what the fields of this kind hold, and no others. */
export function orderParams(
  symbol: MarketSymbol,
  kind: string,
  side: string,
  values: Values,
): Record<string, string> {
  const params: Record<string, string> = { symbol: symbol.symbol }
  const isList = LIST_METHODS[kind] !== undefined
  if (isList && kind !== 'OCO') params.workingSide = side
  else params.side = side
  if (!isList) params.type = kind
  for (const { fields } of groupsOf(symbol, kind, values)) {
    for (const { name, form, choices } of fields) {
      const typed = (values[name] ?? '').trim()
      const value = form === 'choice' ? chosen(values, name, choices ?? []) : typed
      if (value !== '' && value !== NO_PEG) params[name] = value
      if (form === 'levels' && value !== '') params[name.replace(/Value$/, 'Type')] = 'PRICE_LEVEL'
    }
  }
  const mode = values[PREVENTION] ?? ''
  if (mode !== '') params[PREVENTION] = mode
  params.newOrderRespType = 'FULL'
  return params
}

/** Returns what rules of a market that have changed take away from an order, as a sentence; '' for nothing. */
export function lostBetween(
  before: MarketSymbol,
  now: MarketSymbol,
  kind: string,
  values: Values,
): string {
  const takesNo = (what: string) => `${now.symbol} takes no ${what} now: ${now.status}.`
  if (!kindsOf(now).includes(kind)) return takesNo(`orders of the kind ${kindText(kind)}`)
  const fieldsOf = (symbol: MarketSymbol) =>
    groupsOf(symbol, kind, values).flatMap(({ fields }) => fields)
  const left = new Map(fieldsOf(now).map((field) => [field.name, field]))
  for (const { name, label, choices } of fieldsOf(before)) {
    const field = left.get(name)
    const typed = choices === undefined ? (values[name] ?? '') : chosen(values, name, choices)
    const isLeft = choices === undefined || chosen(values, name, field?.choices ?? []) === typed
    const isNothing = typed === '' || typed === NO_PEG
    if (!isNothing && (field === undefined || !isLeft)) return takesNo(`${label} ${typed}`)
  }
  const mode = values[PREVENTION] ?? ''
  const isAllowed = mode === '' || now.allowedSelfTradePreventionModes.some((it) => it === mode)
  return isAllowed ? '' : takesNo(`prevention ${kindText(mode)}`)
}

/** Returns the values without choices that the market does not take. */
export function keptBy(symbol: MarketSymbol, kind: string, values: Values): Values {
  const gone = groupsOf(symbol, kind, values)
    .flatMap(({ fields }) => fields)
    .filter(({ name, choices }) => choices !== undefined && !choices.includes(values[name] ?? ''))
    .map(({ name }) => name)
  const { allowedSelfTradePreventionModes: modes } = symbol
  if (!modes.some((mode) => mode === values[PREVENTION])) gone.push(PREVENTION)
  return Object.fromEntries(Object.entries(values).filter(([name]) => !gone.includes(name)))
}
