/**
 * An exchangeInfo answer of any venue that speaks the protocol, as the listings of a new data folder: its assets,
 * its symbols with their filters and features, and the filters of the exchange. What this exchange cannot list is
 * reported with the reason; the others are listed.
 */
import {
  namesOf,
  OrderType,
  SelfTradePrevention,
  type SymbolStatus as Status,
  SymbolStatus,
} from '../base/codes.ts'
import { isTable } from '../base/cold-input.ts'
import { parseInt64 } from '../base/fixed.ts'
import { type Int64, product } from '../base/int64.ts'
import { PRICE_TICKS_MAX, SYMBOLS_MAX, WIRE_DECIMALS } from '../base/limits.ts'
import { AssetId, SymbolId } from '../base/units.ts'
import {
  isListedName,
  isSymbolName,
  LISTED_NAME_RULE,
  SYMBOL_NAME_RULE,
} from '../market/listed-name.ts'
import { allFeatures, noFees, type SymbolFeatures, specifySymbol } from '../market/listing.ts'
import { ActionError } from './action.ts'
import type { ExchangeFact, Fact, SymbolFact } from './facts.ts'
import { readFoundExchangeFilters, readFoundFilters } from './filters.ts'
import { fittedFilters } from './fitted-filters.ts'
import { jsonFault } from './json-fault.ts'
import { nearPriceFault } from './near-price.ts'
import { counted } from './words.ts'

/** Some 5,000 symbols with everything that a venue returns of them. */
export const EXCHANGE_INFO_CHARS_MAX = 64 << 20

type Row = Readonly<Record<string, unknown>>
type FlagFeature = Exclude<keyof SymbolFeatures, 'orderTypes'>

/** Flags of a symbol; one that an older answer lacks is on. */
const flagFields: Readonly<Record<FlagFeature, string>> = {
  iceberg: 'icebergAllowed',
  oco: 'ocoAllowed',
  oto: 'otoAllowed',
  opo: 'opoAllowed',
  quoteOrderQtyMarket: 'quoteOrderQtyMarketAllowed',
  trailingStop: 'allowTrailingStop',
  cancelReplace: 'cancelReplaceAllowed',
  amend: 'amendAllowed',
  pegInstructions: 'pegInstructionsAllowed',
}
const statusNames = namesOf(SymbolStatus)

export interface Listed {
  /** What `before` has become: listings of a symbol that it had are replaced, others follow. */
  readonly facts: readonly Fact[]
  /** Symbols of the answer that are listed. */
  readonly symbols: number
  /** Sentences about what is not as in the answer, one for each reason. */
  readonly reports: readonly string[]
}

/**
 * Returns the listings of the answer beside those of `before`, whose ids stay. Throws ActionError
 * for no answer.
 */
export function listAll(
  text: string,
  before: readonly Fact[],
  assetsMax: number,
  prices = noPrices,
): Listed {
  const { symbols, exchangeFilters } = answerOf(text)
  const listings = new Listings(before, assetsMax, prices)
  for (const row of symbols) listings.add(row)
  if (Array.isArray(exchangeFilters)) listings.addExchangeFilters(exchangeFilters)
  return listings
}

/** Last and highest prices of the day by symbol, in 10^-8. */
export type DayPrices = ReadonlyMap<string, { readonly last: Int64; readonly high: Int64 }>
export const noPrices: DayPrices = new Map()

/** Reads an answer of `ticker/24hr` or `ticker/price`. Throws ActionError. */
export function readPrices(text: string): DayPrices {
  const rows = parse(text)
  if (!Array.isArray(rows)) throw new ActionError('it is no list of tickers')
  const units = (price: unknown) => parseInt64(String(price), WIRE_DECIMALS)
  return new Map(
    rows.filter(isTable).map(({ symbol, price, lastPrice = price, highPrice = lastPrice }) => {
      return [String(symbol), { last: units(lastPrice), high: units(highPrice) }] as const
    }),
  )
}

function answerOf(text: string): Row & { readonly symbols: readonly unknown[] } {
  if (text.length > EXCHANGE_INFO_CHARS_MAX) {
    throw new ActionError(`it has over ${EXCHANGE_INFO_CHARS_MAX} characters`)
  }
  const value = parse(text)
  if (isTable(value) && Array.isArray(value.symbols)) return value as ReturnType<typeof answerOf>
  throw new ActionError('it is no exchangeInfo answer: it has no symbols')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ActionError(`it is not JSON: ${jsonFault(text)}`)
  }
}

class Listings implements Listed {
  readonly facts: Fact[]
  symbols = 0
  private readonly assetsMax: number
  private readonly prices: DayPrices
  private readonly assets = new Map<string, AssetId>()
  /** By name: index in `facts`. */
  private readonly indexes = new Map<string, number>()
  private readonly seen = new Set<string>()
  /** By what happened: the names that it happened to. */
  private readonly reported = new Map<string, string[]>()

  constructor(before: readonly Fact[], assetsMax: number, prices: DayPrices) {
    this.facts = [...before]
    this.assetsMax = assetsMax
    this.prices = prices
    for (const [index, fact] of before.entries()) {
      if (fact.fact === 'asset') this.assets.set(fact.name, fact.id)
      if (fact.fact === 'symbol') this.indexes.set(fact.name, index)
    }
  }

  get reports(): readonly string[] {
    return [...this.reported].map(
      ([what, names]) => `${counted(names.length, 'symbol')} ${what}: ${names.join(', ')}`,
    )
  }

  add(given: unknown): void {
    const row = isTable(given) ? given : {}
    const name = typeof row.symbol === 'string' ? row.symbol : '(without a name)'
    try {
      this.list(name, row)
      this.symbols++
    } catch (error) {
      if (!(error instanceof ActionError) && !(error instanceof RangeError)) throw error
      const reason = error.message.replace(`symbol ${name} cannot be listed: `, '')
      this.report(`not listed (${reason.replace(/\.$/, '')})`, name)
    }
  }

  addExchangeFilters(given: readonly unknown[]): void {
    const { filters } = readFoundExchangeFilters(given)
    if (filters.length === 0) return
    const index = this.facts.findIndex(({ fact }) => fact === 'exchange')
    const usual = { fact: 'exchange', discountAsset: '', discountRate: 0 } as const
    const before = (this.facts[index] as ExchangeFact | undefined) ?? usual
    const fact: ExchangeFact = { ...before, filters }
    if (index < 0) this.facts.push(fact)
    else this.facts[index] = fact
  }

  private list(name: string, row: Row): void {
    if (this.seen.has(name)) throw new ActionError('it stands twice in the answer')
    this.seen.add(name)
    const { baseAsset, quoteAsset } = row
    for (const asset of [baseAsset, quoteAsset]) {
      if (!isListedName(asset)) throw new ActionError(`its assets are not ${LISTED_NAME_RULE}`)
    }
    const [base, quote] = [String(baseAsset), String(quoteAsset)]
    if (base === quote) throw new ActionError('it is of one asset')
    if (!isSymbolName(name)) throw new ActionError(SYMBOL_NAME_RULE)
    if (base + quote !== name) throw new ActionError('its name is not that of its assets')
    if (row.status === 'TRADING' && row.isSpotTradingAllowed === false) {
      throw new ActionError('spot trading is not allowed on it')
    }
    const fitted = fittedFilters(row.filters)
    const { filters, leftOut } = readFoundFilters(fitted.filters)
    const fact = this.factOf(name, base, quote, { ...rulesOf(row), filters })
    const priceFault = this.check(fact)
    this.room(fact)
    for (const asset of [base, quote]) this.listAsset(asset)
    const index = this.indexes.get(name) ?? this.facts.length
    this.facts[index] = fact
    this.indexes.set(name, index)
    for (const type of leftOut) this.report(`listed without ${type}`, name)
    for (const limit of fitted.lowered) this.report(`listed with ${limit}`, name)
    if (priceFault !== undefined) this.report('listed whose filters let no order pass', priceFault)
  }

  /** With id and fees of the listing that it replaces, if any. */
  private factOf(name: string, base: string, quote: string, rules: Rules): SymbolFact {
    const index = this.indexes.get(name)
    const before = index === undefined ? undefined : (this.facts[index] as SymbolFact)
    const id = before?.id ?? SymbolId(this.indexes.size)
    return { fact: 'symbol', id, name, base, quote, ...rules, fees: before?.fees ?? noFees }
  }

  /**
   * Returns why no order near the price of the day passes, with the symbol's name, if none does. Throws RangeError for
   * filters that this exchange cannot keep to exactly, ActionError for prices of the day that no book has room for.
   */
  private check({ fact: _, base, quote, ...listing }: SymbolFact): string | undefined {
    const assetOf = (name: string) => ({ id: AssetId(0), name })
    const spec = specifySymbol({ ...listing, base: assetOf(base), quote: assetOf(quote) })
    const { last, high } = this.prices.get(spec.name) ?? { last: 0, high: 0 }
    if (high > product(PRICE_TICKS_MAX, spec.tickUnits)) {
      throw new ActionError(`its price of the day is over ${PRICE_TICKS_MAX} ticks`)
    }
    if (last <= 0) return undefined
    const fault = nearPriceFault(spec, last)
    return fault === undefined ? undefined : `${spec.name} (${fault})`
  }

  private room({ id, base, quote }: SymbolFact): void {
    if (id >= SYMBOLS_MAX) throw new ActionError(`there is room for ${SYMBOLS_MAX} symbols`)
    const more = [base, quote].filter((asset) => !this.assets.has(asset)).length
    if (this.assets.size + more <= this.assetsMax) return
    throw new ActionError(`there is room for ${this.assetsMax} assets`)
  }

  private listAsset(name: string): void {
    if (this.assets.has(name)) return
    const id = AssetId(this.assets.size)
    this.assets.set(name, id)
    this.facts.push({ fact: 'asset', id, name })
  }

  private report(what: string, name: string): void {
    const names = this.reported.get(what)
    if (names === undefined) this.reported.set(what, [name])
    else names.push(name)
  }
}

type Rules = Pick<
  SymbolFact,
  'status' | 'preventionModes' | 'preventionDefault' | 'features' | 'filters'
>

function rulesOf(row: Row): Omit<Rules, 'filters'> {
  const modes = namedCodes(row.allowedSelfTradePreventionModes, SelfTradePrevention)
  const [named] = namedCodes([row.defaultSelfTradePreventionMode], SelfTradePrevention)
  const usual = named ?? modes[0] ?? SelfTradePrevention.EXPIRE_MAKER
  const types = namedCodes(row.orderTypes, OrderType)
  const flags = Object.entries(flagFields).map(([feature, field]) => [
    feature,
    row[field] !== false,
  ])
  return {
    status: statusOf(row.status),
    preventionModes: modes.length > 0 ? modes : [usual],
    preventionDefault: usual,
    features: {
      ...allFeatures,
      ...Object.fromEntries(flags),
      ...(types.length > 0 && { orderTypes: types }),
    },
  }
}

function statusOf(given: unknown): Status {
  const name = statusNames.find((it) => it === (given ?? 'TRADING'))
  if (name === undefined) throw new ActionError(`its status ${String(given)} is not known`)
  return SymbolStatus[name]
}

/** Returns the codes of the names that this exchange has. */
function namedCodes<Codes extends Readonly<Record<string, number>>>(
  given: unknown,
  codes: Codes,
): readonly Codes[keyof Codes][] {
  if (!Array.isArray(given)) return []
  const names = new Set(
    given.filter((name) => typeof name === 'string' && Object.hasOwn(codes, name)),
  )
  return [...names].map((name) => codes[name] as Codes[keyof Codes])
}
