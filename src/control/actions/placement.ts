/** Actions on the placement of symbols on matchers. They are in force from the next start on. */
import type { SymbolId } from '../../base/units.ts'
import { type ActionContext, ActionError, actionsOf } from '../action.ts'
import type { PlacementFact } from '../facts.ts'
import { spread } from '../spreading.ts'
import { counted } from '../words.ts'
import { listedSymbolOf, symbolParam } from './named.ts'

export const placementActions = actionsOf('matchers', [
  {
    name: 'place',
    title: 'Pin a symbol to a matcher',
    role: 'admin',
    example: 'place BTCUSDT 1',
    about: 'Pins a symbol to a matcher, or removes its pin.',
    isImmediate: false,
    params: [
      symbolParam,
      {
        name: 'matcher',
        kind: 'integer',
        about: 'Its number, from 0; without it the pin is removed.',
      },
    ],
    run: (args, { registry, view }) => {
      const { id, name } = listedSymbolOf(args, registry)
      const matcher = args.integer('matcher', 0, view.matchers - 1, -1)
      const leading = registry.leadingOf(id)
      if (leading !== id) {
        const first = registry.symbols[leading]!.name
        throw new ActionError(`${name} goes with ${first}, the first symbol of its group.`)
      }
      const said =
        matcher < 0
          ? `${name} has no pin; it goes by the order of listing.`
          : `${name} is placed on matcher ${matcher}.`
      return { facts: [{ fact: 'placement', symbol: id, matcher }], said }
    },
  },
  {
    name: 'spread',
    title: 'Spread symbols over matchers',
    role: 'admin',
    example: 'spread --apply on',
    about: 'Proposes a matcher for each symbol by the events since the start; --apply sets them.',
    isImmediate: false,
    params: [
      {
        name: 'apply',
        kind: 'flag',
        about: 'on applies the placement; off (default) only shows it.',
      },
    ],
    previews: (_, __, { facts = [] }) =>
      facts.length === 0
        ? undefined
        : {
            does: `Move ${counted(facts.length, 'symbol')} to other matchers at the next start`,
            note: '',
            yes: 'Move',
          },
    run: (args, context) => proposal(context, args.flag('apply', false)),
  },
])

function proposal({ registry, view }: ActionContext, apply: boolean) {
  const { matchers } = view
  if (matchers === 1) throw new ActionError('There is one matcher, which owns every symbol.')
  const counts = view.symbolEvents()
  const all = counts.reduce((sum, events) => sum + events, 0)
  if (all === 0) throw new ActionError('There are no events since the start to judge by.')
  const placementOf = (id: number) => registry.placements.get(id)
  // A group is one load: that of its first symbol.
  const leads = registry.symbols.filter(({ id }) => registry.leadingOf(id) === id)
  const eventsOf = (leading: SymbolId) =>
    registry.symbols.reduce(
      (sum, { id }) => (registry.leadingOf(id) === leading ? sum + counts[id]! : sum),
      0,
    )
  const loads = leads.map(({ id }) => ({
    symbol: id,
    events: eventsOf(id),
    matcher: registry.matcherOf(id, matchers),
    isPinned: placementOf(id)?.isMeasured === false,
  }))
  const { matcherOf, busiestNow, busiestThen } = spread(loads, matchers)
  const rows = loads.map(({ symbol, events, matcher, isPinned }) => ({
    symbol: registry.symbols[symbol]!.name,
    events,
    share: percent(events / all),
    matcher,
    proposed: matcherOf.get(symbol)!,
    pinned: isPinned,
  }))
  const moved = loads.filter(({ symbol, matcher }) => matcherOf.get(symbol) !== matcher)
  if (moved.length === 0) return { said: 'The current placement is already the best.', rows }
  const facts = moved.map(
    ({ symbol }): PlacementFact => ({
      fact: 'placement',
      symbol,
      matcher: matcherOf.get(symbol)!,
      measured: true,
    }),
  )
  const gain =
    `the busiest matcher would have ${percent(busiestThen)} of the events, not ` +
    `${percent(busiestNow)}`
  if (!apply) return { said: `With this placement ${gain}.`, rows }
  return { facts, said: `The symbols are placed as proposed: ${gain}.`, rows }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
