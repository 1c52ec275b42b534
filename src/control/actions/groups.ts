/** Groups of symbols, whose books routed orders take from together (docs/routing.md). From the next start on. */
import type { AccountId } from '../../base/units.ts'
import { EXCHANGE_ACCOUNT, type SymbolSpec } from '../../market/listing.ts'
import { ActionError, type Arguments, actionsOf } from '../action.ts'
import type { Registry } from '../registry.ts'
import { accountNamed, assetOf, symbolNamed } from './named.ts'

/** In place of symbols: the group is removed. */
const NONE = 'none'

export const groupActions = actionsOf('market', [
  {
    name: 'sor-group',
    title: 'Group symbols for smart order routing',
    role: 'admin',
    example: 'sor-group BTC --symbols BTCUSDT,BTCUSDC --account router',
    about: 'Lets routed orders take from the books of symbols with one base asset.',
    isImmediate: false,
    params: [
      { name: 'base', kind: 'text', about: 'Name of the base asset.', required: true },
      {
        name: 'symbols',
        kind: 'list',
        about: `At least two, of quote assets worth the same, in the order of equal prices; "${NONE}": no group.`,
        required: true,
      },
      {
        name: 'account',
        kind: 'text',
        about: 'The account that stands between them, which pays with what it has.',
      },
    ],
    presentBy: ['base'],
    present: (args, { registry }) => {
      const group = registry.groups.get(assetOf(args, registry, 'base').name)
      if (group === undefined) return { symbols: NONE }
      const names = group.symbols.map((id) => registry.symbols[id]!.name)
      return { symbols: names.join(','), account: registry.accounts[group.account]!.name }
    },
    run: (args, { registry }) => {
      const { name: base } = assetOf(args, registry, 'base')
      const names = args.list('symbols')
      if (names.length === 1 && names[0] === NONE) {
        const fact = { fact: 'group', base, symbols: [], account: EXCHANGE_ACCOUNT } as const
        return { facts: [fact], said: `No orders of ${base} are routed.` }
      }
      const symbols = symbolsOf(base, names, registry)
      const account = accountFor(args, registry)
      const fact = { fact: 'group', base, symbols: symbols.map(({ id }) => id), account } as const
      return { facts: [fact], said: `Orders of ${base} are routed over ${names.join(', ')}.` }
    },
  },
])

function symbolsOf(base: string, names: readonly string[], registry: Registry): SymbolSpec[] {
  const symbols = names.map((name) => symbolNamed(name, registry))
  if (symbols.length < 2) throw new ActionError('A group has at least two symbols.')
  const other = symbols.find((spec) => spec.base.name !== base)
  if (other !== undefined) throw new ActionError(`The base asset of ${other.name} is not ${base}.`)
  const delisted = symbols.find(({ id }) => registry.delistedSymbols.has(id))
  if (delisted !== undefined) throw new ActionError(`${delisted.name} is delisted.`)
  if (new Set(names).size < names.length) throw new ActionError('A symbol is named twice.')
  return symbols
}

function accountFor(args: Arguments, registry: Registry): AccountId {
  if (!args.has('account')) throw new ActionError('A group needs its account (--account).')
  const account = accountNamed(args.text('account'), registry)
  if (account.id === EXCHANGE_ACCOUNT) {
    throw new ActionError(`The account ${account.name} collects commissions; name another one.`)
  }
  if (registry.closedAccounts.has(account.id)) {
    throw new ActionError(`The account ${account.name} is closed.`)
  }
  return account.id
}

/** Returns, by symbol id, the group as a screen shows it, '' for none; nothing where there is no group. */
export function groupTexts({ symbols, groups, startedGroups }: Registry): readonly string[] {
  if (groups.size + startedGroups.length === 0) return []
  return symbols.map(({ id }) => {
    const wanted = [...groups.values()].find((group) => group.symbols.includes(id))?.base
    const actual = startedGroups.find((group) => group.symbols.includes(id))?.base.name
    if (wanted === actual) return actual ?? ''
    return wanted === undefined ? `${actual} until the next start` : `${wanted} at the next start`
  })
}
