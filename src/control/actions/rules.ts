/** Actions on the rules that a symbol trades by: its filters, features and fees. */
import { namesOf, OrderType, SelfTradePrevention } from '../../base/codes.ts'
import type { FilterSpec } from '../../market/filter-spec.ts'
import type { RateSet, SymbolFeatures, SymbolSpec } from '../../market/listing.ts'
import { ActionError, type ActionParam, type Arguments, actionsOf, flagText } from '../action.ts'
import type { SymbolFact } from '../facts.ts'
import { mergeFilters, readFilters } from '../filters.ts'
import {
  filtersParam,
  filtersText,
  listedSymbolOf,
  priceParam,
  rateText,
  removeParam,
  symbolFact,
  symbolOf,
  symbolParam,
  withPriceWarning,
} from './named.ts'

export const preventionParam: ActionParam = {
  name: 'prevention',
  kind: 'list',
  about: 'Modes of self-trade prevention; the first is the default.',
}

/** Each flag of a symbol that exchangeInfo shows, by the name of its parameter. */
const flags: readonly (readonly [
  param: string,
  feature: Exclude<keyof SymbolFeatures, 'orderTypes'>,
  about: string,
])[] = [
  ['iceberg', 'iceberg', 'Whether icebergs are allowed.'],
  ['oco', 'oco', 'Whether OCO lists are allowed.'],
  ['oto', 'oto', 'Whether OTO lists are allowed.'],
  ['opo', 'opo', 'Whether OPO lists are allowed; they need OTO.'],
  ['quote-qty', 'quoteOrderQtyMarket', 'Whether MARKET orders may say how much quote.'],
  ['trailing-stop', 'trailingStop', 'Whether trailing stops are allowed.'],
  ['cancel-replace', 'cancelReplace', 'Whether orders may be replaced.'],
  ['amend', 'amend', 'Whether quantities may be amended.'],
  ['peg', 'pegInstructions', 'Whether orders may be pegged to the best prices.'],
]

const featureParams = ['order-types', 'prevention', ...flags.map(([name]) => name)]

const feeSides = (['special', 'tax'] as const).flatMap((kind) =>
  (['maker', 'taker', 'buyer', 'seller'] as const).map((side) => [kind, side] as const),
)

export const ruleActions = actionsOf('market', [
  {
    name: 'symbol-filters',
    title: 'Set filters of a symbol',
    role: 'admin',
    example: 'symbol-filters BTCUSDT @filters.json',
    about: 'Sets filters of a symbol. Omitted filters stay, and so do its ticks and lots.',
    params: [symbolParam, { ...filtersParam, required: true }, removeParam, priceParam],
    presentBy: ['symbol'],
    present: (args, { registry }) => ({ filters: filtersText(symbolOf(args, registry).filters) }),
    run: (args, { registry }) => {
      const spec = listedSymbolOf(args, registry)
      const fact = symbolFact(spec, { filters: changedFilters(args, spec) })
      const said = withPriceWarning(`Filters of ${spec.name} are set.`, args, registry, fact)
      return { facts: [fact], said }
    },
  },
  {
    name: 'symbol-features',
    title: 'Set which orders a symbol accepts',
    role: 'admin',
    example: 'symbol-features BTCUSDT --trailing-stop off',
    about: 'Sets which orders a symbol accepts. Omitted parameters and open orders stay.',
    params: [
      symbolParam,
      { name: 'order-types', kind: 'list', about: 'All that are allowed: LIMIT, MARKET, …' },
      preventionParam,
      ...flags.map(([name, , about]): ActionParam => ({ name, kind: 'flag', about })),
    ],
    presentBy: ['symbol'],
    present: (args, { registry }) => featureTexts(symbolOf(args, registry)),
    run: (args, { registry }) => {
      const spec = listedSymbolOf(args, registry)
      if (featureParams.every((name) => !args.has(name))) {
        throw new ActionError(`symbol-features needs at least one of ${featureParams.join(', ')}.`)
      }
      const fact = symbolFact(spec, {
        features: featuresOf(args, spec),
        ...preventionOf(args, spec),
      })
      return { facts: [fact], said: `Features of ${spec.name} are set.` }
    },
  },
  {
    name: 'symbol-fees',
    title: "Set a symbol's extra fees",
    role: 'admin',
    example: 'symbol-fees BTCUSDT --special-taker 0.001',
    about: 'Sets what a symbol charges on top of standard rates.',
    params: [
      symbolParam,
      ...feeSides.map(([kind, side]): ActionParam => {
        return { name: `${kind}-${side}`, kind: 'rate', about: 'Share, such as 0.001.' }
      }),
      { name: 'discount', kind: 'flag', about: 'Whether accounts may pay in the discount asset.' },
    ],
    presentBy: ['symbol'],
    present: (args, { registry }) => feeTexts(symbolOf(args, registry)),
    run: (args, { registry }) => {
      const spec = listedSymbolOf(args, registry)
      const fees = {
        special: ratesOf(args, 'special', spec.fees.special),
        tax: ratesOf(args, 'tax', spec.fees.tax),
        discountEnabled: args.flag('discount', spec.fees.discountEnabled),
      }
      return { facts: [symbolFact(spec, { fees })], said: `Fees of ${spec.name} are set.` }
    },
  },
])

function featureTexts({ features, preventionModes, preventionDefault }: SymbolSpec) {
  const others = preventionModes.filter((mode) => mode !== preventionDefault)
  return {
    'order-types': features.orderTypes.map((type) => namesOf(OrderType)[type]).join(','),
    prevention: [preventionDefault, ...others]
      .map((mode) => namesOf(SelfTradePrevention)[mode])
      .join(','),
    ...Object.fromEntries(flags.map(([name, feature]) => [name, flagText(features[feature])])),
  }
}

const feeTexts = ({ fees }: SymbolSpec) => ({
  ...Object.fromEntries(
    feeSides.map(([kind, side]) => [`${kind}-${side}`, rateText(fees[kind][side])]),
  ),
  discount: flagText(fees.discountEnabled),
})

/** A book counts in the ticks and lots of its listing. */
const FIXED_FIELDS = [
  ['PRICE_FILTER', 'tickSize'],
  ['LOT_SIZE', 'stepSize'],
] as const

function changedFilters(args: Arguments, spec: SymbolSpec): readonly FilterSpec[] {
  const given = readFilters(args.json('filters'))
  const removed = args.list('remove', [])
  const changed = mergeFilters(spec.filters, given, removed, spec.name)
  for (const [type, field] of FIXED_FIELDS) {
    const of = (rows: readonly FilterSpec[]) => rows.find((row) => row.filterType === type)?.[field]
    if (of(changed) !== of(spec.filters)) {
      throw new ActionError(`${type}.${field} of ${spec.name} stays what it was at listing.`)
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

function featuresOf(args: Arguments, { features }: SymbolSpec): SymbolFeatures {
  const changed = flags.map(([param, feature]) => [feature, args.flag(param, features[feature])])
  const orderTypes = args.has('order-types')
    ? args.list('order-types').map((name) => codeOf(OrderType, name, 'order-types'))
    : features.orderTypes
  if (orderTypes.length === 0) throw new ActionError('order-types must be at least one.')
  return { ...features, ...Object.fromEntries(changed), orderTypes: [...new Set(orderTypes)] }
}

/** Returns the given modes, the first as default, or else the present ones. */
export function preventionOf(
  args: Arguments,
  before: Pick<SymbolSpec, 'preventionModes' | 'preventionDefault'>,
): Pick<SymbolFact, 'preventionModes' | 'preventionDefault'> {
  const { preventionModes, preventionDefault } = before
  if (!args.has('prevention')) return { preventionModes, preventionDefault }
  const given = args.list('prevention').map((name) => {
    return codeOf(SelfTradePrevention, name, 'prevention')
  })
  const [first] = given
  if (first === undefined) throw new ActionError('prevention must be at least one.')
  return { preventionModes: [...new Set(given)], preventionDefault: first }
}

function codeOf<Code extends number>(
  table: Readonly<Record<string, Code>>,
  name: string,
  param: string,
): Code {
  if (Object.hasOwn(table, name)) return table[name]!
  throw new ActionError(`${param} must be of ${Object.keys(table).join(', ')}.`)
}
