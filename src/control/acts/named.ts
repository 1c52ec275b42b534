/** Finds the rows that arguments name. Each function throws ActError when there is none. */
import { formatBigDecimal, formatDecimal } from '../../base/fixed.ts'
import { RATE_DECIMALS, WIRE_DECIMALS } from '../../base/limits.ts'
import type { FilterSpec } from '../../market/filter-spec.ts'
import type { AccountSpec, AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { ActError, type ActParam, type Arguments } from '../act.ts'
import type { AccountFact, SymbolFact } from '../facts.ts'
import type { Registry } from '../registry.ts'
import { didYouMean } from '../words.ts'

export const symbolParam: ActParam = {
  name: 'symbol',
  kind: 'text',
  about: 'Name of the symbol.',
  required: true,
}
export const filtersParam: ActParam = {
  name: 'filters',
  kind: 'filters',
  about: 'JSON array as exchangeInfo shows it; @path reads it from a file.',
}
export const removeParam: ActParam = {
  name: 'remove',
  kind: 'list',
  about: 'Types of filters to remove.',
}

function absent(
  what: string,
  name: string,
  rows: readonly ({ name: string } | undefined)[],
): string {
  const known = rows.flatMap((row) => (row === undefined ? [] : [row.name]))
  return `There is no ${what} ${name}.${didYouMean(name, known)}`
}

/** By name or id. */
export function accountOf(args: Arguments, registry: Registry): AccountSpec {
  const text = args.text('account')
  const account =
    registry.accounts.find((row) => row?.name === text) ??
    registry.accounts.find((row) => String(row?.id) === text)
  if (account === undefined) throw new ActError(absent('account', text, registry.accounts))
  return account
}

/** Finds an account that is not closed. */
export function openAccountOf(args: Arguments, registry: Registry): AccountSpec {
  const account = accountOf(args, registry)
  if (registry.closedAccounts.has(account.id)) {
    throw new ActError(`The account ${account.name} is closed.`)
  }
  return account
}

export function assetOf(args: Arguments, registry: Registry, param = 'asset'): AssetSpec {
  const name = args.text(param)
  const asset = registry.assets.find((row) => row?.name === name)
  if (asset === undefined) throw new ActError(absent('asset', name, registry.assets))
  return asset
}

export function symbolNamed(name: string, registry: Registry): SymbolSpec {
  const spec = registry.symbols.find((row) => row?.name === name)
  if (spec === undefined) throw new ActError(absent('symbol', name, registry.symbols))
  return spec
}

/** Finds a symbol that is not delisted. */
export function listedSymbolOf(args: Arguments, registry: Registry): SymbolSpec {
  const spec = symbolOf(args, registry)
  if (registry.delistedSymbols.has(spec.id)) throw new ActError(`${spec.name} is delisted.`)
  return spec
}

export const symbolOf = (args: Arguments, registry: Registry): SymbolSpec =>
  symbolNamed(args.text('symbol'), registry)

/** The fact that says what is so, with what changes. */
export function accountFact(
  account: AccountSpec,
  changes: Partial<Omit<AccountFact, 'fact' | 'id'>>,
): AccountFact {
  return { fact: 'account', ...account, ...changes }
}

/** The fact that says what is so, with what changes. */
export function symbolFact(
  spec: SymbolSpec,
  changes: Partial<Omit<SymbolFact, 'fact' | 'id' | 'name' | 'base' | 'quote'>>,
): SymbolFact {
  const { id, name, base, quote, status, filters, features, fees } = spec
  const { preventionModes, preventionDefault } = spec
  const prevention = { preventionModes, preventionDefault }
  const listing = { id, name, base: base.name, quote: quote.name, status, filters, ...prevention }
  return { fact: 'symbol', ...listing, features, fees, ...changes }
}

/** Filters as the parameter takes them. */
export const filtersText = (filters: readonly FilterSpec[]): string =>
  JSON.stringify(filters, null, 1)

/** A rate as its parameter takes it. */
export const rateText = (rate: number): string => formatDecimal(rate, RATE_DECIMALS)

/** An amount as an operator reads it. */
export const shown = (atoms: bigint): string => formatBigDecimal(atoms, WIRE_DECIMALS)
