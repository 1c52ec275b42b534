/**
 * A venue file: TOML that describes assets, symbols with their filters, schedules, accounts and the discount. It is
 * carried out as actions on a copy of the registry, so that each rule and error is that of the actions;
 * their facts are then journaled together, or none of them. A value that is in force already changes nothing;
 * what the file does not name stays.
 */
import { isDeepStrictEqual } from 'node:util'
import { checkNames, isTable, oneOf, readInput, type Table } from '../base/cold-input.ts'
import { numberText } from '../base/fixed.ts'
import type { FilterSpec } from '../market/filter-spec.ts'
import {
  type ActionContext,
  ActionError,
  type ActionRow,
  Arguments,
  parseTables,
  type TableRow,
} from './action.ts'
import { accountActions, accountLimitNames } from './actions/accounts.ts'
import { chainActions, chainKeys, networkKeys } from './actions/chains.ts'
import { exchangeActions } from './actions/exchange.ts'
import { groupActions } from './actions/groups.ts'
import { listingActions } from './actions/listings.ts'
import { phaseActions, phaseSettingNames } from './actions/phases.ts'
import { referenceActions, referenceSettingNames } from './actions/references.ts'
import { ruleActions } from './actions/rules.ts'
import { scheduleActions } from './actions/schedules.ts'
import { symbolActions } from './actions/symbols.ts'
import type { Fact } from './facts.ts'
import { filtersOf, type TemplateName, templateNames, usualValues } from './filter-templates.ts'
import { statusNames } from './schedule/schedule.ts'
import { sentence } from './words.ts'

/** Far more than a venue of 1,024 symbols needs, and less than the body of a request. */
export const VENUE_CHARS_MAX = 200_000

export const venueSections = [
  'assets',
  'chains',
  'networks',
  'symbols',
  'schedules',
  'accounts',
  'sors',
  'exchange',
] as const
const templateKeys = [
  ...['tick', 'max-price', 'step', 'max-qty', 'market-max-qty', 'min-notional', 'max-notional'],
] as const
export const symbolKeys = [
  ...['base', 'quote', 'template', 'price', 'filters', 'status', 'prevention', 'peg', 'matcher'],
  ...templateKeys,
  ...phaseSettingNames,
  ...referenceSettingNames,
]
export const scheduleKeys = ['symbols', 'all', 'zone', 'days', 'phases', 'holidays']
export const accountKeys = [
  ...['maker', 'taker', 'buyer', 'seller', 'trade-group', 'master', 'email'],
  ...accountLimitNames,
]
export const sorKeys = ['symbols', 'account']
export const exchangeKeys = ['discount-asset', 'discount-rate', 'filters']
const rowsByName = new Map(
  [
    ...[...listingActions, ...ruleActions, ...symbolActions, ...scheduleActions],
    ...[...accountActions, ...exchangeActions, ...phaseActions, ...referenceActions],
    ...chainActions,
    ...groupActions,
  ].map((row) => [row.name, row]),
)

/** Returns the facts that make the venue what the text says, and a row for each. Rejects with ActionError. */
export async function readVenue(
  text: string,
  context: ActionContext,
): Promise<{ readonly facts: readonly Fact[]; readonly rows: readonly TableRow[] }> {
  const trial = new Trial(context)
  await venueInto(trial, parseVenue('venue file', text, venueSections))
  return trial
}

/** Carries out what the venue says, on the trial. Rejects with ActionError. */
export async function venueInto(trial: Trial, venue: Table): Promise<void> {
  for (const asset of textsOf(venue.assets, 'assets')) await trial.asset(asset)
  for (const [name, tree] of tablesOf(venue.chains, 'chains', chainKeys)) {
    await trial.chain(name, tree)
  }
  for (const [coin, chains] of tablesIn('networks', venue.networks ?? {})) {
    for (const [chain, tree] of tablesOf(chains, `networks.${coin}`, networkKeys)) {
      await trial.network(coin, chain, tree)
    }
  }
  for (const [name, tree] of tablesOf(venue.symbols, 'symbols', symbolKeys)) {
    await trial.symbol(name, tree)
  }
  for (const [name, tree] of tablesOf(venue.schedules, 'schedules', scheduleKeys)) {
    await trial.schedule(name, tree)
  }
  for (const [name, tree] of tablesOf(venue.accounts, 'accounts', accountKeys)) {
    await trial.account(name, tree)
  }
  for (const [base, tree] of tablesOf(venue.sors, 'sors', sorKeys)) await trial.sor(base, tree)
  const exchange = { exchange: venue.exchange ?? {} }
  for (const [, tree] of tablesOf(exchange, 'exchange', exchangeKeys)) await trial.exchange(tree)
}

/** A copy of the registry to which the file's actions are applied. */
export class Trial {
  readonly facts: Fact[] = []
  readonly rows: TableRow[] = []
  /** With the copy. */
  readonly context: ActionContext

  constructor(context: ActionContext) {
    this.context = { ...context, registry: context.registry.trial() }
  }

  async asset(asset: string): Promise<void> {
    const { assets } = this.context.registry
    if (assets.some(({ name }) => name === asset)) return
    await this.act('asset-list', { asset }, `assets: ${asset}`)
  }

  async chain(name: string, tree: Table): Promise<void> {
    const { chains } = this.context.registry
    const where = `chains.${name}`
    const listed = chains.find((chain) => chain.name === name)
    if (listed === undefined) return this.act('chain-list', { chain: name, ...tree }, where)
    const { form, 'block-seconds': seconds, memo = false } = tree
    const isSame =
      form === listed.addressForm &&
      Math.round(Number(seconds) * 1_000) === listed.blockMs &&
      memo === listed.hasMemo
    if (!isSame) throw new ActionError(`${where}: it stays as it was listed.`)
  }

  async network(coin: string, chain: string, tree: Table): Promise<void> {
    const { registry } = this.context
    const isListed = registry.networks.some(
      (row) =>
        registry.assets[row.asset]?.name === coin && registry.chains[row.chain]?.name === chain,
    )
    const action = isListed ? 'coin-network-set' : 'coin-network-list'
    await this.act(action, { coin, chain, ...tree }, `networks.${coin}.${chain}`)
  }

  async symbol(name: string, tree: Table): Promise<void> {
    const where = `symbols.${name}`
    const { base, quote, price, status, prevention, matcher } = tree
    if (`${base}${quote}` !== name)
      throw new ActionError(`${where}: base and quote must make ${name}.`)
    const filters = filtersFor(where, tree)
    const { registry } = this.context
    const before = registry.symbols.find((spec) => spec.name === name)
    if (before === undefined) {
      const given = { base, quote, filters, price, status, prevention, matcher }
      await this.act('symbol-list', given, where)
      return this.settings(name, tree, where)
    }
    if (registry.delistedSymbols.has(before.id)) throw new ActionError(`${where}: it is delisted.`)
    if (filters !== undefined) {
      await this.act('symbol-filters', { symbol: name, filters, price }, where)
    }
    if (prevention !== undefined) {
      await this.act('symbol-features', { symbol: name, prevention }, where)
    }
    const isOther = status !== undefined && status !== statusNames[before.status]
    if (isOther) await this.act('symbol-status', { symbol: name, status }, where)
    await this.settings(name, tree, where)
  }

  private async settings(symbol: string, tree: Table, where: string): Promise<void> {
    const { peg } = tree
    if (peg !== undefined) await this.act('symbol-features', { symbol, peg }, where)
    const actions = [
      ['symbol-phases', phaseSettingNames],
      ['symbol-reference', referenceSettingNames],
    ] as const
    for (const [action, names] of actions) {
      const given = names.filter((key) => tree[key] !== undefined)
      const settings = Object.fromEntries(given.map((key) => [key, tree[key]]))
      if (given.length > 0) await this.act(action, { symbol, ...settings }, where)
    }
  }

  async schedule(name: string, tree: Table): Promise<void> {
    await this.act('schedule-set', { schedule: name, ...tree }, `schedules.${name}`)
  }

  async account(name: string, tree: Table): Promise<void> {
    const where = `accounts.${name}`
    const limits = Object.entries(tree).filter(([key]) => accountLimitNames.includes(key))
    const terms = Object.fromEntries(
      Object.entries(tree).filter(([key]) => !accountLimitNames.includes(key)),
    )
    const { 'trade-group': group, master, email, ...rates } = terms
    const { accounts } = this.context.registry
    const before = accounts.find((account) => account.name === name)
    if (before === undefined) await this.act('account-open', { account: name, ...terms }, where)
    else {
      if (master !== undefined && accounts[before.master ?? -1]?.name !== master) {
        throw new ActionError(`${where}: it is open, and no sub-account of ${String(master)}.`)
      }
      if (email !== undefined) await this.act('account-email', { account: name, email }, where)
      if (Object.keys(rates).length > 0) {
        await this.act('account-fees', { account: name, ...rates }, where)
      }
      if (group !== undefined) {
        await this.act('account-trade-group', { account: name, 'trade-group': group }, where)
      }
    }
    if (limits.length === 0) return
    await this.act('account-limits', { account: name, ...Object.fromEntries(limits) }, where)
  }

  async sor(base: string, tree: Table): Promise<void> {
    await this.act('sor-group', { base, ...tree }, `sors.${base}`)
  }

  async exchange(tree: Table): Promise<void> {
    const { 'discount-asset': asset, 'discount-rate': rate, filters } = tree
    if (asset !== undefined) await this.act('exchange-discount', { asset, rate }, 'exchange')
    if (filters !== undefined) await this.act('exchange-filters', { filters }, 'exchange')
  }

  /** Carries the action out on the trial, unless it changes nothing. `where` names its place in the file. */
  private async act(name: string, given: Table, where: string): Promise<void> {
    const row: ActionRow = rowsByName.get(name)!
    const named = Object.entries(given).filter(([, value]) => value !== undefined)
    await refusedAt(where, async () => {
      const outcome = await row.run(new Arguments(row, Object.fromEntries(named)), this.context)
      const changes = (outcome.facts ?? []).filter((fact) => this.changes(fact))
      if (changes.length === 0) return
      this.facts.push(...changes)
      this.rows.push({ place: where, change: outcome.said })
    })
  }

  /** Applies the fact. Returns whether it changed anything. */
  private changes(fact: Fact): boolean {
    const { registry } = this.context
    const of = () => {
      if (fact.fact === 'symbol') return registry.symbols[fact.id]
      if (fact.fact === 'network') return registry.networks[fact.id]
      if (fact.fact === 'schedule') return registry.schedules.named(fact.name)?.spec
      if (fact.fact === 'group') return registry.groups.get(fact.base)
      if (fact.fact === 'transition') return fact.symbols.map((id) => registry.symbols[id])
      return fact.fact === 'account' ? registry.accounts[fact.id] : registry.exchange
    }
    const isNew = fact.fact === 'asset' || fact.fact === 'chain' || fact.fact === 'placement'
    const before = of()
    registry.apply(fact)
    return isNew || !isDeepStrictEqual(of(), before)
  }
}

/** Runs an action, whose refusals name the place in the file that they are about. */
export async function refusedAt<Value>(where: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof RangeError) throw new ActionError(`${where}: ${sentence(error.message)}`)
    if (error instanceof ActionError) throw new ActionError(`${where}: ${error.message}`)
    throw error
  }
}

/** Reads the tables of a file, which `what` names. Throws ActionError. */
export function parseVenue(
  what: 'venue file' | 'seed file',
  text: string,
  sections: readonly string[],
): Table {
  if (text.length > VENUE_CHARS_MAX) {
    throw new ActionError(`A ${what} has at most ${VENUE_CHARS_MAX} characters.`)
  }
  const venue = parseTables(what, text)
  checkKeys(`The ${what}`, venue, sections)
  return venue
}

export function checkKeys(whose: string, tree: Table, known: readonly string[]): void {
  checkNames(Object.keys(tree), known, (key, hint) => {
    throw new ActionError(`${whose} has no ${key}.${hint || ` It has ${oneOf(known)}.`}`)
  })
}

function textsOf(value: unknown, where: string): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new ActionError(`${where} must be an array of names.`)
}

/** Returns the tables within a table, with values as actions read them. */
function tablesOf(
  value: unknown,
  where: string,
  known: readonly string[],
): readonly (readonly [name: string, tree: Table])[] {
  return tablesIn(where, value ?? {}).map(([name, tree]) => {
    checkKeys(`${where}.${name}`, tree, known)
    const texts = Object.entries(tree).map(([key, item]) => [key, plainValue(item)] as const)
    return [name, Object.fromEntries(texts)] as const
  })
}

/** Returns the tables within a table. Throws ActionError. */
export function tablesIn(
  where: string,
  value: unknown,
): readonly (readonly [name: string, Table])[] {
  if (!isTable(value)) throw new ActionError(`${where} must be tables.`)
  return Object.entries(value).map(([name, table]) => {
    if (!isTable(table)) throw new ActionError(`${where}.${name} must be a table.`)
    return [name, table] as const
  })
}

/** Numbers become texts: 0.001 is a rate as well as "0.001". */
export const plainValue = (item: unknown): unknown =>
  typeof item === 'number' ? numberText(item) : item

/** Returns the filters of the template with the symbol's own in their places; undefined without any. */
function filtersFor(where: string, tree: Table): unknown {
  const { template, filters: own } = tree
  const given = templateKeys.filter((key) => tree[key] !== undefined)
  if (template === undefined) {
    if (given.length === 0) return own
    throw new ActionError(`${where}: ${given[0]} needs a template.`)
  }
  const name = readInput({ kind: 'choice', choices: templateNames }, template, (must) => {
    throw new ActionError(`${where}: template must be ${must}.`)
  })
  const made = templateFilters(where, name, tree)
  if (own === undefined) return made
  if (!Array.isArray(own)) throw new ActionError(`${where}: filters must be an array of tables.`)
  const typeOf = (filter: unknown) => (isTable(filter) ? filter.filterType : undefined)
  const kept = made.filter(({ filterType }) => !own.some((it) => typeOf(it) === filterType))
  return [...kept, ...own]
}

function templateFilters(where: string, template: TemplateName, tree: Table): FilterSpec[] {
  const need = (key: string): string => {
    if (typeof tree[key] === 'string') return tree[key]
    throw new ActionError(`${where}: the template ${template} needs ${key}.`)
  }
  const or = (key: string, usual: string) => (tree[key] === undefined ? usual : need(key))
  const price = tree.price === undefined ? undefined : need('price')
  const [tick, step] = [need('tick'), need('step')]
  const usual = usualValues({ tick, step, quote: String(tree.quote), price })
  const maxQty = or('max-qty', usual.maxQty)
  return filtersOf(template, {
    tick,
    step,
    maxQty,
    maxPrice: or('max-price', usual.maxPrice),
    marketMaxQty: or('market-max-qty', maxQty),
    minNotional: or('min-notional', usual.minNotional),
    maxNotional: or('max-notional', usual.maxNotional),
  })
}
