/**
 * Filters of a symbol and of the exchange as an operator gives them: JSON as exchangeInfo shows it
 * (filters.md). Each kind has its fields and no others; decimals are written with the wire's 8
 * places. market/listing.ts and market/filter-bounds.ts judge their values.
 */

import { checkNames, isTable } from '../base/cold-input.ts'
import { formatDecimal, parseInt64 } from '../base/fixed.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import {
  exchangeFilterFields,
  type FilterFieldKind,
  type FilterFields,
  type FilterSpec,
  symbolFilterFields,
} from '../market/filter-spec.ts'
import { ActionError } from './action.ts'

/** The names of all filters. */
export const filterTypes: readonly string[] = [symbolFilterFields, exchangeFilterFields].flatMap(
  Object.keys,
)

/** Reads the filters of a symbol. Throws ActionError. */
export const readFilters = (given: unknown): readonly FilterSpec[] =>
  read(given, symbolFilterFields, "a symbol's filter")

/** Reads filters of the exchange as a whole. Throws ActionError. */
export const readExchangeFilters = (given: unknown): readonly FilterSpec[] =>
  read(given, exchangeFilterFields, 'a filter of the exchange')

/** What it is replaced and removed by: its type, and the asset of which there is one for each, `MAX_ASSET:USDC`. */
const nameOf = ({ filterType, asset }: FilterSpec): string =>
  asset === undefined ? filterType : `${filterType}:${asset}`

export interface FoundFilters {
  readonly filters: readonly FilterSpec[]
  /** Types that this exchange does not have. */
  readonly leftOut: readonly string[]
}

/** Reads the filters of another venue's symbol, without types and fields that this exchange does not have. */
export const readFoundFilters = (given: unknown): FoundFilters =>
  found(given, symbolFilterFields, 'a filter')

/** Reads the filters of another venue as a whole, without types and fields that this exchange does not have. */
export const readFoundExchangeFilters = (given: unknown): FoundFilters =>
  found(given, exchangeFilterFields, 'a filter of the exchange')

function found(
  given: unknown,
  kinds: Readonly<Record<string, FilterFields>>,
  whose: string,
): FoundFilters {
  if (!Array.isArray(given)) return { filters: read(given, kinds, whose), leftOut: [] }
  const typeOf = (filter: unknown) => (isTable(filter) ? String(filter.filterType) : '')
  const isKnown = (filter: unknown) => Object.hasOwn(kinds, typeOf(filter))
  const known = given.filter(isKnown).map((filter: Readonly<Record<string, unknown>>) => {
    const fields = Object.keys(kinds[typeOf(filter)]!)
    const kept = Object.entries(filter).filter(([name]) => fields.includes(name))
    return { filterType: filter.filterType, ...Object.fromEntries(kept) }
  })
  const leftOut = given.filter((filter) => !isKnown(filter)).map(typeOf)
  return { filters: read(known, kinds, whose), leftOut }
}

/** Returns `before` with the given filters in their places or at the end, without the removed ones. */
export function mergeFilters(
  before: readonly FilterSpec[],
  given: readonly FilterSpec[],
  removed: readonly string[],
  whose: string,
): readonly FilterSpec[] {
  for (const name of removed) {
    if (before.some((filter) => nameOf(filter) === name)) continue
    throw new ActionError(`${whose} has no filter ${name}.`)
  }
  const kept = before.filter((filter) => !removed.includes(nameOf(filter)))
  const replaced = kept.map((filter) => given.find((it) => nameOf(it) === nameOf(filter)) ?? filter)
  const isNew = (filter: FilterSpec) => !kept.some((row) => nameOf(row) === nameOf(filter))
  return [...replaced, ...given.filter(isNew)]
}

function read(
  given: unknown,
  kinds: Readonly<Record<string, FilterFields>>,
  whose: string,
): readonly FilterSpec[] {
  if (!Array.isArray(given)) throw new ActionError('filters must be a JSON array of filters.')
  const seen = new Set<string>()
  return given.map((filter: unknown) => {
    if (!isTable(filter)) throw new ActionError('filters must be a JSON array of filters.')
    const { filterType, ...texts } = filter
    const fields = kinds[String(filterType)]
    if (typeof filterType !== 'string' || fields === undefined) {
      throw new ActionError(`${String(filterType)} is not the filterType of ${whose}.`)
    }
    checkNames(Object.keys(texts), Object.keys(fields), (name, hint) => {
      throw new ActionError(`${filterType} has no field ${name}.${hint}`)
    })
    const values = Object.entries(fields).map(([name, kind]) => {
      return [name, fieldOf(`${filterType}.${name}`, kind, texts[name])] as const
    })
    const read: FilterSpec = { filterType, ...Object.fromEntries(values) }
    if (seen.has(nameOf(read))) throw new ActionError(`The filter ${nameOf(read)} is given twice.`)
    seen.add(nameOf(read))
    return read
  })
}

function fieldOf(where: string, kind: FilterFieldKind, value: unknown): string | number | boolean {
  if (kind === 'flag') {
    if (typeof value === 'boolean') return value
    throw new ActionError(`${where} must be true or false.`)
  }
  if (kind === 'whole') {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw new ActionError(`${where} must be a whole number.`)
  }
  if (kind === 'name') {
    if (typeof value === 'string') return value
    throw new ActionError(`${where} must be the name of an asset.`)
  }
  const units = typeof value === 'string' ? parseInt64(value, WIRE_DECIMALS) : -1
  if (typeof value !== 'string' || units < 0) {
    throw new ActionError(`${where} must be text of a decimal of at most 8 places.`)
  }
  return kind === 'multiplier' ? value : formatDecimal(units, WIRE_DECIMALS)
}
