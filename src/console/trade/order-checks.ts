/** The symbol's filters, checked while an order is typed. The exchange judges again. Pure. */
import { PEG_LEVELS_MAX } from '../../base/limits.ts'
import { grouped, multiplyAtoms, parseAtoms, shownAtoms } from '../book/decimals.ts'
import { type Filter, filterOf, type MarketSymbol } from '../market/symbols.ts'
import { fundFaults, type Known, marketFaults } from './market-checks.ts'
import { type Field, groupsOf, type Values } from './order-kinds.ts'

/** What is wrong, by the name of the field. A field that must still be typed has ''. */
export type Faults = ReadonlyMap<string, string>

/** Without `known` the symbol's own rules alone are checked. */
export function faultsOf(
  symbol: MarketSymbol,
  kind: string,
  values: Values,
  known?: Known,
): Faults {
  const faults = new Map<string, string>()
  const add = ([name, fault]: readonly [name: string, fault: string]) => {
    if (!faults.has(name)) faults.set(name, fault)
  }
  const groups = groupsOf(symbol, kind, values)
  for (const group of groups) {
    const { fields } = group
    for (const field of fields) {
      const fault = faultOf(symbol, kind, field, (values[field.name] ?? '').trim())
      if (fault !== undefined) faults.set(field.name, fault)
    }
    for (const fault of groupFaults(symbol, fields, values)) add(fault)
    if (known === undefined) continue
    for (const fault of marketFaults(symbol, group, values, known)) add(fault)
  }
  if (known === undefined) return faults
  for (const fault of fundFaults(symbol, groups, values, known)) add(fault)
  return faults
}

function faultOf(symbol: MarketSymbol, kind: string, field: Field, text: string) {
  if (field.form === 'choice') return undefined
  if (text === '') return field.isOptional ? undefined : ''
  const atoms = parseAtoms(text)
  if (atoms === undefined || atoms === 0n)
    return `${field.label} must be a positive number with at most 8 decimals`
  switch (field.form) {
    case 'price':
      return rangeFault(field.label, filterOf(symbol, 'PRICE_FILTER'), atoms, [
        ...['minPrice', 'maxPrice', 'tickSize'],
      ])
    case 'quantity': {
      const market = kind === 'MARKET' ? filterOf(symbol, 'MARKET_LOT_SIZE') : undefined
      const names = ['minQty', 'maxQty', 'stepSize'] as const
      const fault = rangeFault(field.label, filterOf(symbol, 'LOT_SIZE'), atoms, names)
      return fault ?? rangeFault(`${field.label} of a market order`, market, atoms, names)
    }
    case 'points':
      return pointsFault(symbol, text)
    case 'levels':
      return /^\d{1,3}$/.test(text) && Number(text) <= PEG_LEVELS_MAX
        ? undefined
        : `${field.label} must be a whole number up to ${PEG_LEVELS_MAX}`
    default:
      return undefined
  }
}

/** Least, most and step of a filter; a zero is no rule. `what` is what the filter bounds. */
function rangeFault(
  what: string,
  filter: Filter | undefined,
  atoms: bigint,
  [least, most, step]: readonly string[],
): string | undefined {
  if (filter === undefined) return undefined
  const limit = (name = '') => parseAtoms(String(filter[name] ?? '0')) ?? 0n
  const must = (rule: string, name = '') => `${what} must be ${rule} ${shownAtoms(limit(name))}`
  if (limit(least) > 0n && atoms < limit(least)) return must('at least', least)
  if (limit(most) > 0n && atoms > limit(most)) return must('at most', most)
  if (limit(step) > 0n && atoms % limit(step) !== 0n) return must('a multiple of', step)
  return undefined
}

function pointsFault(symbol: MarketSymbol, text: string): string | undefined {
  if (!/^\d{1,7}$/.test(text)) return 'Trailing delta must be a whole number of basis points'
  const filter = filterOf(symbol, 'TRAILING_DELTA')
  if (filter === undefined) return undefined
  const [least, most] = [
    Math.min(Number(filter.minTrailingAboveDelta), Number(filter.minTrailingBelowDelta)),
    Math.max(Number(filter.maxTrailingAboveDelta), Number(filter.maxTrailingBelowDelta)),
  ]
  const isWithin = Number(text) >= least && Number(text) <= most
  const range = [least, most].map((points) => grouped(String(points))).join(' to ')
  return isWithin ? undefined : `Trailing delta must be ${range} basis points`
}

/** Rules over several fields of one order. */
function* groupFaults(
  symbol: MarketSymbol,
  fields: readonly Field[],
  values: Values,
): Iterable<readonly [name: string, fault: string]> {
  const find = (ending: string) => fields.find(({ name }) => name.toLowerCase().endsWith(ending))
  const typed = (field: Field | undefined) =>
    field === undefined ? undefined : parseAtoms(values[field.name] ?? '')
  const [stop, delta] = [find('stopprice'), find('trailingdelta')]
  const hasTrigger = typed(stop) !== undefined || (delta && values[delta.name])
  if (stop !== undefined && !hasTrigger) yield [stop.name, '']
  const [quantity, amount] = [find('quantity'), find('quoteorderqty')]
  if (quantity?.isOptional && amount !== undefined && !values[quantity.name]) {
    if (!values[amount.name]) yield [quantity.name, '']
  }
  const price = fields.find(
    ({ name }) => /(^|[a-z])price$/i.test(name) && !/stopprice$/i.test(name),
  )
  const [priceAtoms, quantityAtoms] = [typed(price), typed(quantity)]
  if (priceAtoms !== undefined && priceAtoms > 0n && quantityAtoms !== undefined) {
    const fault = notionalFault(symbol, multiplyAtoms(priceAtoms, quantityAtoms))
    if (fault !== undefined) yield [quantity!.name, fault]
  }
  const spent = typed(amount)
  const fault = spent === undefined ? undefined : notionalFault(symbol, spent)
  if (fault !== undefined) yield [amount!.name, fault]
  const iceberg = typed(find('icebergqty'))
  if (iceberg !== undefined && iceberg > 0n && quantityAtoms !== undefined) {
    const parts = (quantityAtoms + iceberg - 1n) / iceberg
    const limit = Number(filterOf(symbol, 'ICEBERG_PARTS')?.limit ?? 0)
    if (limit > 0 && parts > limit) {
      yield [find('icebergqty')!.name, `Iceberg must leave at most ${limit} parts`]
    }
  }
}

function notionalFault(symbol: MarketSymbol, notional: bigint): string | undefined {
  const filter = filterOf(symbol, 'NOTIONAL') ?? filterOf(symbol, 'MIN_NOTIONAL')
  const fault = rangeFault('Total', filter, notional, ['minNotional', 'maxNotional'])
  return fault && `${fault} ${symbol.quoteAsset}`
}
