/** Acts on assets and symbols: what is listed, by which filters, and whether it trades. */
import { namesOf, SelfTradePrevention, SymbolStatus } from '#base/codes.ts'
import { ASSET_DECIMALS_MAX, ASSETS_MAX, SYMBOLS_MAX, WIRE_DECIMALS } from '#base/limits.ts'
import { type FilterSpec, noFees, type RateSet, type SymbolSpec } from '#base/listing.ts'
import { ActError, type ActParam, type ActRow, type Arguments } from '../act.ts'
import type { Fact } from '../facts.ts'
import { readFilters } from '../filters.ts'
import type { Registry } from '../registry.ts'
import { assetOf, symbolFact, symbolNamed, symbolOf } from './named.ts'

const statusNames = namesOf(SymbolStatus)
const preventionNames = namesOf(SelfTradePrevention)

const symbol: ActParam = {
  name: 'symbol',
  kind: 'text',
  about: 'Name of the symbol.',
  required: true,
}
const someSymbol: ActParam = { name: 'symbol', kind: 'text', about: 'One symbol; all without it.' }
const filters: ActParam = {
  name: 'filters',
  kind: 'filters',
  about: 'JSON array as exchangeInfo shows it; @path reads it from a file.',
}
const LISTED_NAME = /^[A-Z0-9]{1,20}$/

export const symbolActs: readonly ActRow[] = [
  {
    name: 'asset-list',
    about: 'Lists an asset.',
    isImmediate: false,
    params: [
      { name: 'asset', kind: 'text', about: 'Name of the new asset.', required: true },
      { name: 'decimals', kind: 'integer', about: 'Decimals of its atoms: 8 to 12, usually 8.' },
    ],
    run: (args, { registry }) => {
      const name = listedName(args, 'asset')
      if (registry.assets.some((row) => row?.name === name)) {
        throw new ActError(`The asset ${name} is listed already.`)
      }
      const id = registry.assets.length
      if (id >= ASSETS_MAX) throw new ActError(`There is room for ${ASSETS_MAX} assets.`)
      const decimals = args.has('decimals')
        ? args.integer('decimals', WIRE_DECIMALS, ASSET_DECIMALS_MAX)
        : WIRE_DECIMALS
      return { facts: [{ fact: 'asset', id, name, decimals }], said: `Asset ${name} is listed.` }
    },
  },
  {
    name: 'symbol-list',
    about: 'Lists a symbol.',
    isImmediate: false,
    params: [
      { name: 'base', kind: 'text', about: 'Asset that is traded.', required: true },
      { name: 'quote', kind: 'text', about: 'Asset that it is priced in.', required: true },
      filters,
      { name: 'like', kind: 'text', about: 'Takes what is not given from this symbol.' },
      { name: 'status', kind: 'text', about: 'TRADING unless another.', choices: statusNames },
      {
        name: 'prevention',
        kind: 'list',
        about: 'Modes of self-trade prevention; the first is the default.',
      },
    ],
    run: (args, { registry }) => ({
      facts: [listing(args, registry)],
      said: `Symbol ${args.text('base')}${args.text('quote')} is listed.`,
    }),
  },
  {
    name: 'symbol-filters',
    about: 'Sets filters of a symbol; those not given stay. Its ticks and lots stay what they are.',
    isImmediate: true,
    params: [
      symbol,
      { ...filters, required: true },
      { name: 'remove', kind: 'list', about: 'Types of filters to remove.' },
    ],
    run: (args, { registry }) => {
      const spec = symbolOf(args, registry)
      const changed = changedFilters(args, spec)
      const fact = symbolFact(spec, { filters: changed })
      return { facts: [fact], said: `Filters of ${spec.name} are set.` }
    },
  },
  {
    name: 'symbol-fees',
    about: 'Sets what a symbol charges on top of standard rates.',
    isImmediate: true,
    params: [
      symbol,
      ...(['special', 'tax'] as const).flatMap((kind) =>
        (['maker', 'taker', 'buyer', 'seller'] as const).map((side): ActParam => {
          return { name: `${kind}-${side}`, kind: 'rate', about: `Share, such as 0.001.` }
        }),
      ),
      { name: 'discount', kind: 'flag', about: 'Whether accounts may pay in the discount asset.' },
    ],
    run: (args, { registry }) => {
      const spec = symbolOf(args, registry)
      const fees = {
        special: ratesOf(args, 'special', spec.fees.special),
        tax: ratesOf(args, 'tax', spec.fees.tax),
        discountEnabled: args.flag('discount', spec.fees.discountEnabled),
      }
      return { facts: [symbolFact(spec, { fees })], said: `Fees of ${spec.name} are set.` }
    },
  },
  {
    name: 'symbol-status',
    about: 'Sets the phase of a symbol.',
    isImmediate: true,
    params: [
      symbol,
      { name: 'status', kind: 'text', about: 'One.', required: true, choices: statusNames },
    ],
    run: (args, { registry }) => {
      const spec = symbolOf(args, registry)
      const name = args.text('status') as keyof typeof SymbolStatus
      const fact = symbolFact(spec, { status: SymbolStatus[name] })
      return { facts: [fact], said: `${spec.name} is ${name}.` }
    },
  },
  {
    name: 'halt',
    about: 'Halts one symbol, or all that trade.',
    isImmediate: true,
    params: [someSymbol],
    run: (args, { registry }) =>
      passage(args, registry, SymbolStatus.TRADING, SymbolStatus.HALT, 'halted'),
  },
  {
    name: 'resume',
    about: 'Resumes one symbol, or all that are halted.',
    isImmediate: true,
    params: [someSymbol],
    run: (args, { registry }) =>
      passage(args, registry, SymbolStatus.HALT, SymbolStatus.TRADING, 'trading'),
  },
  {
    name: 'symbols',
    about: 'Shows the symbols.',
    isImmediate: true,
    params: [],
    run: (_, { registry, view }) => ({
      said: `${registry.symbols.length} symbols.`,
      rows: registry.symbols.map(({ id, name, base, quote, status }) => ({
        id,
        symbol: name,
        base: base.name,
        quote: quote.name,
        status: statusNames[status]!,
        matcher: registry.matcherOf(id, view.matchers),
      })),
    }),
  },
  {
    name: 'place',
    about: 'Places a symbol on a matcher.',
    isImmediate: false,
    params: [
      symbol,
      { name: 'matcher', kind: 'integer', about: 'Its number, from 0.', required: true },
    ],
    run: (args, { registry, view }) => {
      const spec = symbolOf(args, registry)
      const matcher = args.integer('matcher', 0, view.matchers - 1)
      const said = `${spec.name} is placed on matcher ${matcher}.`
      return { facts: [{ fact: 'placement', symbol: spec.id, matcher }], said }
    },
  },
]

function listedName(args: Arguments, param: string): string {
  const name = args.text(param)
  if (LISTED_NAME.test(name)) return name
  throw new ActError(`${param} must be capital letters and digits, at most 20.`)
}

function listing(args: Arguments, registry: Registry): Fact {
  const base = assetOf(args, registry, 'base')
  const quote = assetOf(args, registry, 'quote')
  const name = base.name + quote.name
  if (base.id === quote.id) throw new ActError('base and quote must be two assets.')
  if (registry.symbols.some((row) => row?.name === name)) {
    throw new ActError(`The symbol ${name} is listed already.`)
  }
  const id = registry.symbols.length
  if (id >= SYMBOLS_MAX) throw new ActError(`There is room for ${SYMBOLS_MAX} symbols.`)
  const like = args.has('like') ? symbolNamed(args.text('like'), registry) : undefined
  if (!args.has('filters') && like === undefined) {
    throw new ActError('symbol-list needs filters, or a symbol that it is like.')
  }
  const status = (args.has('status') ? args.text('status') : 'TRADING') as keyof typeof SymbolStatus
  return {
    fact: 'symbol',
    id,
    name,
    base: base.name,
    quote: quote.name,
    status: SymbolStatus[status],
    filters: args.has('filters') ? readFilters(args.json('filters')) : (like?.filters ?? []),
    ...preventionOf(args, like),
    fees: like?.fees ?? noFees,
  }
}

function preventionOf(args: Arguments, like: SymbolSpec | undefined) {
  const preventionModes = args.has('prevention')
    ? args.list('prevention').map((name) => preventionMode(name))
    : (like?.preventionModes ?? [SelfTradePrevention.EXPIRE_MAKER])
  const given = args.has('prevention') ? preventionModes[0] : like?.preventionDefault
  return { preventionModes, preventionDefault: given ?? SelfTradePrevention.EXPIRE_MAKER }
}

function preventionMode(name: string): SelfTradePrevention {
  const mode = SelfTradePrevention[name as keyof typeof SelfTradePrevention]
  if (mode !== undefined) return mode
  throw new ActError(`prevention must be of ${preventionNames.join(', ')}.`)
}

/** A book is as large as its listing asked for, and counts in its ticks and lots. */
const FIXED_FIELDS = [
  ['PRICE_FILTER', 'tickSize'],
  ['PRICE_FILTER', 'maxPrice'],
  ['LOT_SIZE', 'stepSize'],
] as const

function changedFilters(args: Arguments, spec: SymbolSpec): readonly FilterSpec[] {
  const given = readFilters(args.json('filters'))
  const removed = args.has('remove') ? args.list('remove') : []
  for (const type of removed) {
    if (spec.filters.some(({ filterType }) => filterType === type)) continue
    throw new ActError(`${spec.name} has no filter ${type}.`)
  }
  const kept = spec.filters.filter(({ filterType }) => !removed.includes(filterType))
  const replaced = kept.map(
    (filter) => given.find(({ filterType }) => filterType === filter.filterType) ?? filter,
  )
  const isNew = ({ filterType }: FilterSpec) => !kept.some((row) => row.filterType === filterType)
  const changed = [...replaced, ...given.filter(isNew)]
  for (const [type, field] of FIXED_FIELDS) {
    const of = (rows: readonly FilterSpec[]) => rows.find((row) => row.filterType === type)?.[field]
    if (of(changed) !== of(spec.filters)) {
      throw new ActError(`${type}.${field} of ${spec.name} stays what it was at listing.`)
    }
  }
  return changed
}

function ratesOf(args: Arguments, kind: 'special' | 'tax', before: RateSet): RateSet {
  return {
    maker: args.rate(`${kind}-maker`, before.maker),
    taker: args.rate(`${kind}-taker`, before.taker),
    buyer: args.rate(`${kind}-buyer`, before.buyer),
    seller: args.rate(`${kind}-seller`, before.seller),
  }
}

function passage(
  args: Arguments,
  registry: Registry,
  from: SymbolStatus,
  to: SymbolStatus,
  done: string,
) {
  const only = args.has('symbol') ? symbolOf(args, registry) : undefined
  if (only !== undefined && only.status !== from) {
    throw new ActError(`${only.name} is ${statusNames[only.status]}, not ${statusNames[from]}.`)
  }
  const specs = only === undefined ? registry.symbols.filter((row) => row.status === from) : [only]
  const names = specs.map(({ name }) => name).join(', ')
  return {
    facts: specs.map((spec) => symbolFact(spec, { status: to })),
    said: specs.length === 0 ? 'There is no such symbol.' : `Now ${done}: ${names}.`,
  }
}
