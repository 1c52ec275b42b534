/** Finds the rows that arguments name. Each function throws ActionError when there is none. */
import { didYouMean } from '../../base/cold-input.ts'
import { formatBigDecimal, formatDecimal } from '../../base/fixed.ts'
import { int64 } from '../../base/int64.ts'
import { RATE_DECIMALS, WIRE_DECIMALS } from '../../base/limits.ts'
import type { FilterSpec } from '../../market/filter-spec.ts'
import type { AccountSpec, AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { ActionError, type ActionParam, type Arguments, type ExchangeView } from '../action.ts'
import type { AccountFact, SymbolFact } from '../facts.ts'
import { nearPriceFault } from '../near-price.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'

export const symbolParam: ActionParam = {
  name: 'symbol',
  kind: 'text',
  about: 'Name of the symbol.',
  required: true,
}
export const filtersParam: ActionParam = {
  name: 'filters',
  kind: 'filters',
  about: 'JSON array as exchangeInfo shows it; @path reads it from a file.',
}
export const priceParam: ActionParam = {
  name: 'price',
  kind: 'amount',
  about: 'Price of the day: a warning follows where no order near it passes the filters.',
}
export const removeParam: ActionParam = {
  name: 'remove',
  kind: 'list',
  about: 'Types of filters to remove.',
}

export function absent(
  what: string,
  name: string,
  rows: readonly ({ name: string } | undefined)[],
): string {
  if (name === '') return `${what} must not be empty.`
  const known = rows.flatMap((row) => (row === undefined ? [] : [row.name]))
  return `There is no ${what} ${name}.${didYouMean(name, known)}`
}

/** Finds an account by its name or id. */
export const findAccount = (text: string, { accounts }: Registry): AccountSpec | undefined =>
  accounts.find((row) => row?.name === text) ?? accounts.find((row) => String(row?.id) === text)

export const accountOf = (args: Arguments, registry: Registry): AccountSpec =>
  accountNamed(args.text('account'), registry)

/** Finds an account by its name or id. Throws ActionError. */
export function accountNamed(text: string, registry: Registry): AccountSpec {
  const account = findAccount(text, registry)
  if (account === undefined) throw new ActionError(absent('account', text, registry.accounts))
  return account
}

/** Finds an account that is not closed. */
export const openAccountOf = (args: Arguments, registry: Registry): AccountSpec =>
  openAccount(args.text('account'), registry)

/** Finds an account by its name or id that is not closed. Throws ActionError. */
export function openAccount(text: string, registry: Registry): AccountSpec {
  const account = accountNamed(text, registry)
  if (registry.closedAccounts.has(account.id)) {
    throw new ActionError(`The account ${account.name} is closed.`)
  }
  return account
}

export function assetOf(args: Arguments, registry: Registry, param = 'asset'): AssetSpec {
  const name = args.text(param)
  const asset = registry.assets.find((row) => row?.name === name)
  if (asset === undefined) throw new ActionError(absent('asset', name, registry.assets))
  return asset
}

export function symbolNamed(name: string, registry: Registry): SymbolSpec {
  const spec = registry.symbols.find((row) => row?.name === name)
  if (spec === undefined) throw new ActionError(absent('symbol', name, registry.symbols))
  return spec
}

/** Finds a symbol that is not delisted. */
export function listedSymbolOf(args: Arguments, registry: Registry): SymbolSpec {
  const spec = symbolOf(args, registry)
  if (registry.delistedSymbols.has(spec.id)) throw new ActionError(`${spec.name} is delisted.`)
  return spec
}

export const symbolOf = (args: Arguments, registry: Registry): SymbolSpec =>
  symbolNamed(args.text('symbol'), registry)

/** Returns the fact of the account's present settings, with the changes. */
export function accountFact(
  account: AccountSpec,
  changes: Partial<Omit<AccountFact, 'fact' | 'id'>> = {},
): AccountFact {
  return { fact: 'account', ...account, ...changes }
}

/** Returns the fact of the symbol's present settings, with the changes. */
export function symbolFact(
  spec: SymbolSpec,
  changes: Partial<Omit<SymbolFact, 'fact' | 'id' | 'name' | 'base' | 'quote'>>,
): SymbolFact {
  const { id, name, base, quote, status, filters, features, fees, phases } = spec
  const { preventionModes, preventionDefault, reference, priceRange } = spec
  const prevention = { preventionModes, preventionDefault }
  const listing = { id, name, base: base.name, quote: quote.name, status, filters, ...prevention }
  const settings = { features, fees, phases, reference, priceRange }
  return { fact: 'symbol', ...listing, ...settings, ...changes }
}

/** Returns the sentence, with a warning behind it where no order near the given price passes the filters. */
export function withPriceWarning(
  said: string,
  args: Arguments,
  registry: Registry,
  fact: SymbolFact,
): string {
  if (!args.has('price')) return said
  const priceUnits = int64(args.amount('price', WIRE_DECIMALS))
  const fault = nearPriceFault(registry.specify(fact), priceUnits)
  return fault === undefined ? said : `${said} Warning: no order can pass: ${fault}.`
}

/** Filters as the parameter takes them. */
export const filtersText = (filters: readonly FilterSpec[]): string =>
  JSON.stringify(filters, null, 1)

/** A rate as its parameter takes it. */
export const rateText = (rate: number): string => formatDecimal(rate, RATE_DECIMALS)

/** Returns an account's open orders on the symbols, as counted last; all accounts' without it. */
export function openOrdersOn(
  symbols: readonly Pick<SymbolSpec, 'id'>[],
  { accounts }: Registry,
  view: ExchangeView,
  account?: AccountSpec,
): number {
  const owners = account === undefined ? accounts : [account]
  let count = 0
  for (const symbol of symbols) {
    for (const owner of owners) count += view.openOrders(symbol.id, owner.id)
  }
  return count
}

/** Says how many orders stay open: "Its 16 open orders stay." */
export function stayText(count: number, whose: 'Its' | 'Their'): string {
  if (count === 0) return ''
  return `${whose} ${counted(count, 'open order')} ${count === 1 ? 'stays' : 'stay'}.`
}

/** Says why an account cannot spend so much. */
export const notEnough = (account: string, free: bigint, asset: string): string =>
  `${account} has ${shown(free)} ${asset} free, which is not enough.`

/** An amount for a sentence: 90,000,000 or 0.5. */
export function amountText(atoms: bigint): string {
  const [whole = '', fraction = ''] = shown(atoms)
    .replace(/\.?0+$/, '')
    .split('.')
  const grouped = whole.replace(/\B(?=([0-9]{3})+$)/g, ',')
  return fraction === '' ? grouped : `${grouped}.${fraction}`
}

/** An amount as an operator reads it. */
export const shown = (atoms: bigint): string => formatBigDecimal(atoms, WIRE_DECIMALS)
