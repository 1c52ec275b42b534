/** Actions that list an asset, or a symbol with all its filters. Both are in force at once. */
import { namesOf, SelfTradePrevention, SymbolStatus } from '../../base/codes.ts'
import { assetsMaxOf, SYMBOLS_MAX } from '../../base/limits.ts'
import { AssetId, SymbolId } from '../../base/units.ts'
import {
  isListedName,
  isSymbolName,
  LISTED_NAME_RULE,
  SYMBOL_NAME_RULE,
} from '../../market/listed-name.ts'
import { allFeatures, noFees } from '../../market/listing.ts'
import { ActionError, type Arguments, actionsOf } from '../action.ts'
import type { SymbolFact } from '../facts.ts'
import { readFilters } from '../filters.ts'
import type { Registry } from '../registry.ts'
import { assetOf, filtersParam, priceParam, symbolNamed, withPriceWarning } from './named.ts'
import { preventionOf, preventionParam } from './rules.ts'

const statusNames = namesOf(SymbolStatus)
const usualPrevention = {
  preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
  preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
}

export const listingActions = actionsOf('market', [
  {
    name: 'asset-list',
    title: 'List an asset',
    role: 'admin',
    example: 'asset-list DOGE',
    about: 'Lists an asset.',
    params: [{ name: 'asset', kind: 'text', about: 'Name of the new asset.', required: true }],
    run: (args, { registry, view }) => {
      const name = listedName(args, 'asset')
      if (registry.assets.some((row) => row?.name === name)) {
        throw new ActionError(`The asset ${name} is listed already.`)
      }
      const id = AssetId(registry.assets.length)
      const assetsMax = assetsMaxOf(view.accountsMax)
      if (id >= assetsMax) throw new ActionError(`There is room for ${assetsMax} assets.`)
      return { facts: [{ fact: 'asset', id, name }], said: `Asset ${name} is listed.` }
    },
  },
  {
    name: 'symbol-list',
    title: 'List a symbol',
    role: 'admin',
    example: 'symbol-list DOGE USDT --like ADAUSDT',
    about: 'Lists a symbol, which trades at once.',
    params: [
      { name: 'base', kind: 'text', about: 'Asset that is traded.', required: true },
      { name: 'quote', kind: 'text', about: 'Asset that it is priced in.', required: true },
      filtersParam,
      priceParam,
      { name: 'like', kind: 'text', about: 'Copies omitted parameters from this symbol.' },
      { name: 'status', kind: 'text', about: 'TRADING by default.', choices: statusNames },
      preventionParam,
      { name: 'matcher', kind: 'integer', about: 'Places it on that matcher, from 0.' },
    ],
    run: (args, { registry, view }) => {
      const symbol = listing(args, registry)
      const matcher = args.integer('matcher', 0, view.matchers - 1, -1)
      const listed = `Symbol ${symbol.name} is listed.`
      const said = withPriceWarning(listed, args, registry, symbol)
      if (matcher < 0) return { facts: [symbol], said }
      return { facts: [symbol, { fact: 'placement', symbol: symbol.id, matcher }], said }
    },
  },
])

function listedName(args: Arguments, param: string): string {
  const name = args.text(param)
  if (isListedName(name)) return name
  throw new ActionError(`${param} must be ${LISTED_NAME_RULE}.`)
}

function listing(args: Arguments, registry: Registry): SymbolFact {
  const base = assetOf(args, registry, 'base')
  const quote = assetOf(args, registry, 'quote')
  const name = base.name + quote.name
  if (base.id === quote.id) throw new ActionError('base and quote must be two assets.')
  if (!isSymbolName(name)) throw new ActionError(SYMBOL_NAME_RULE)
  if (registry.symbols.some((row) => row?.name === name)) {
    throw new ActionError(`The symbol ${name} is listed already.`)
  }
  const id = registry.symbols.length
  if (id >= SYMBOLS_MAX) throw new ActionError(`There is room for ${SYMBOLS_MAX} symbols.`)
  const like = args.has('like') ? symbolNamed(args.text('like'), registry) : undefined
  if (!args.has('filters') && like === undefined) {
    throw new ActionError('symbol-list needs filters, or a symbol that it is like.')
  }
  const status = args.text('status', 'TRADING') as keyof typeof SymbolStatus
  return {
    fact: 'symbol',
    id: SymbolId(id),
    name,
    base: base.name,
    quote: quote.name,
    status: SymbolStatus[status],
    byOperator: true,
    filters: args.has('filters') ? readFilters(args.json('filters')) : (like?.filters ?? []),
    ...preventionOf(args, like ?? usualPrevention),
    features: like?.features ?? allFeatures,
    fees: like?.fees ?? noFees,
  }
}
