/**
 * Compares the tables of the protocol with Binance's surface. A difference is an item with a kind in
 * front: `GET /api/v3/sor/order`, `stream <symbol>@trade`, `parameter pegPriceType`, `filter MAX_ASSET`.
 */
import { priceRange } from '../../src/api/answers/exchange-info.ts'
import { rateLimitCount } from '../../src/api/answers/limits.ts'
import { allocation } from '../../src/api/answers/orders.ts'
import type { Schema } from '../../src/api/answers/schema.ts'
import { executionReport, listStatus } from '../../src/api/answers/user-events.ts'
import { operations } from '../../src/api/operations/index.ts'
import { NewOrderRespType, paramNames } from '../../src/api/parameters.ts'
import { streams } from '../../src/api/streams.ts'
import { ExpiryReason, SymbolStatus } from '../../src/base/codes.ts'
import { filterTypes } from '../../src/control/filters.ts'
import { sessionMethods } from '../../src/gateway/sessions/session.ts'
import { SYMBOL_PERMISSION } from '../../src/market/listing.ts'
import {
  theirFilters,
  theirOperations,
  theirProtocols,
  theirSessionMethods,
  theirStreams,
  theirValues,
} from './binance-surface.ts'
import { missingAnswerItems, type OperationDifference, ownAnswerItems } from './compare-answers.ts'
import type { Topic } from './topics.ts'

interface Both {
  readonly theirs: ReadonlySet<string>
  readonly ours: ReadonlySet<string>
}

const both = (theirs: readonly string[], ours: readonly string[]): Both => ({
  theirs: new Set(theirs),
  ours: new Set(ours),
})
const without = (from: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...from].filter((name) => !other.has(name))

/** `<symbol>@depth5@100ms` → `<symbol>@depth<levels>@100ms`: as their documents name streams. */
const familyOf = (name: string) =>
  name
    .replace(/kline_\w+/, 'kline_<interval>')
    .replace(/ticker_\d\w/, 'ticker_<window>')
    .replace(/depth\d+/, 'depth<levels>')

const ourOperations = new Map(
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
)
const theirByKey = new Map(
  theirOperations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
)

/** Names of an operation's parameters, their aliases included. */
const ourParams = (key: string): string[] =>
  ourOperations
    .get(key)!
    .params.flatMap(({ slot, alias }) => (alias === undefined ? [slot] : [slot, alias]))
    .map((slot) => paramNames[slot] as string)

/** Operations that both have and whose parameters differ. */
export function differingParams(): readonly OperationDifference[] {
  return [...ourOperations.keys()].flatMap((key) => {
    const their = theirByKey.get(key)
    if (their === undefined) return []
    const { theirs, ours } = both(their.params, ourParams(key))
    const [missing, own] = [without(theirs, ours), without(ours, theirs)]
    return missing.length + own.length === 0 ? [] : [{ operation: key, missing, own }]
  })
}

/** Operations whose method of the WebSocket API has another name, or is on one side only. */
export const differingMethods = (): readonly string[] =>
  [...ourOperations].flatMap(([key, { wsMethod }]) => {
    const their = theirByKey.get(key)
    return their === undefined || their.wsMethod === wsMethod ? [] : [key]
  })

/** The values that the shape of an element allows. */
const valuesOf = ({ schema }: { readonly schema: Schema }): readonly string[] =>
  (schema.enum ?? [schema.const]) as string[]

const { elements: limit } = rateLimitCount
const { elements: report } = executionReport
const { elements: list } = listStatus
const valueKinds = (
  [
    ['symbol states', Object.keys(SymbolStatus)],
    ['permissions', [SYMBOL_PERMISSION]],
    ['order states', valuesOf(report.X)],
    ['list states', valuesOf(list.l)],
    ['states of list orders', valuesOf(list.L)],
    ['contingencies', valuesOf(list.c)],
    ['allocation types', valuesOf(allocation.elements.allocationType)],
    ['order types', valuesOf(report.o)],
    ['response types', Object.keys(NewOrderRespType)],
    ['working floors', valuesOf(report.k)],
    ['sides', valuesOf(report.S)],
    ['times in force', valuesOf(report.f)],
    ['rate limiters', valuesOf(limit.rateLimitType)],
    ['rate limit intervals', valuesOf(limit.interval)],
    ['self-trade prevention modes', valuesOf(report.V)],
    ['execution types', valuesOf(report.x)],
    ['execution rules', valuesOf(priceRange.elements.ruleType)],
    ['expiry reasons', Object.keys(ExpiryReason)],
  ] as const satisfies readonly (readonly [keyof typeof theirValues, readonly string[]])[]
).map(([kind, ours]) => ['value ', both(theirValues[kind], ours)] as const)

const kinds: readonly (readonly [prefix: string, names: Both])[] = [
  ['', both([...theirByKey.keys()], [...ourOperations.keys()])],
  ['method ', both(theirSessionMethods, [...sessionMethods.keys()])],
  [
    'stream ',
    both(
      theirStreams,
      streams.map(({ name }) => familyOf(name)),
    ),
  ],
  ['filter ', both(theirFilters, filterTypes)],
  ...valueKinds,
  ['', both(theirProtocols, [])],
]

const distinct = (items: readonly string[]) => [...new Set(items)]

/** Theirs, not here. */
export const missingItems = (): readonly string[] =>
  distinct([
    ...kinds.flatMap(([prefix, { theirs, ours }]) =>
      without(theirs, ours).map((name) => prefix + name),
    ),
    ...differingParams().flatMap(({ missing }) => missing.map((name) => `parameter ${name}`)),
    ...missingAnswerItems(),
  ])

/** Here, not theirs. */
export const ownItems = (): readonly string[] =>
  distinct([
    ...kinds.flatMap(([prefix, { theirs, ours }]) =>
      without(ours, theirs).map((name) => prefix + name),
    ),
    ...differingParams().flatMap(({ own }) => own.map((name) => `parameter ${name}`)),
    ...ownAnswerItems(),
  ])

const matches = (pattern: string | RegExp, item: string) =>
  typeof pattern === 'string' ? pattern === item : pattern.test(item)

export const itemsOf = (topic: Topic, items: readonly string[]): readonly string[] =>
  items.filter((item) => topic.items.some((pattern) => matches(pattern, item)))

/** Items without a topic, and entries of topics that are no difference. */
export function unexplained(items: readonly string[], topics: readonly Topic[]): readonly string[] {
  const patterns = topics.flatMap((topic) => topic.items)
  return [
    ...items.filter((item) => !patterns.some((pattern) => matches(pattern, item))),
    ...patterns
      .filter((pattern) => !items.some((item) => matches(pattern, item)))
      .map((pattern) => `no difference: ${pattern}`),
  ]
}
