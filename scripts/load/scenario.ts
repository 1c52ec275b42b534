/**
 * What a load does: a TOML file (docs/load.md). Everything is checked here, so that what the
 * actors are given is complete.
 */

import { isTable, type Table } from '../../src/base/cold-input.ts'
import { readTables } from '../../src/config/config.ts'
import { TableReader } from '../../src/config/table-reader.ts'
import { UsageError } from '../command-line/usage-error.ts'

/** What all actors that send requests have. */
interface Sending {
  /** Share of all arrivals, beside the shares of the other actors. */
  readonly share: number
  /** Names of the key file, or places in it from 1; all of them when empty. */
  readonly accounts: readonly (string | number)[]
}
/** Quotes `levels` prices on both sides, and re-quotes the oldest of them with each arrival. */
export interface MakerPlan extends Sending {
  readonly kind: 'maker'
  readonly levels: number
  /** Between the best two prices, and from one level to the next: 1/100 % of the price. */
  readonly spreadBps: number
  readonly stepBps: number
  /** Notional of one order, in the quote asset. */
  readonly notional: number
}
/** Takes what is there, on a random side. */
export interface TakerPlan extends Sending {
  readonly kind: 'taker'
  readonly order: 'ioc' | 'market'
  /** How much worse than the middle an IOC order may trade. */
  readonly slipBps: number
  readonly notional: number
}
/** Places `burst` orders far from the market, then cancels them all, and begins again. */
export interface StormPlan extends Sending {
  readonly kind: 'storm'
  readonly burst: number
  readonly distanceBps: number
  readonly notional: number
}
/** Asks. */
export interface ReaderPlan extends Sending {
  readonly kind: 'reader'
  /** How often each query is sent, beside the others. */
  readonly queries: Readonly<Record<QueryName, number>>
}
/** Reads streams; sends nothing. */
export interface SubscriberPlan {
  readonly kind: 'subscriber'
  readonly connections: number
  /** Names without the symbol, such as `depth@100ms`; with `!` they are taken as they are. */
  readonly streams: readonly string[]
}
export type ActorPlan = MakerPlan | TakerPlan | StormPlan | ReaderPlan
export interface Scenario {
  readonly title: string
  readonly symbols: readonly string[]
  /** The middle of a book that is empty and has not traded, by symbol. */
  readonly prices: Readonly<Record<string, number>>
  readonly actors: readonly ActorPlan[]
  readonly subscribers: readonly SubscriberPlan[]
}

export const queryNames = [
  'depth',
  'trades',
  'aggTrades',
  'klines',
  'ticker24hr',
  'bookTicker',
  'avgPrice',
  'exchangeInfo',
  'account',
  'openOrders',
  'allOrders',
  'myTrades',
] as const
export type QueryName = (typeof queryNames)[number]

const LEVELS_MAX = 1_000
const BURST_MAX = 10_000
const CONNECTIONS_MAX = 10_000
const BPS_MAX = 9_000
const AMOUNT_MAX = 1e12
const TEXTS = 'a list of texts'

/** Throws UsageError, whose sentence names `file`. */
export function readScenario(file: string, text: string): Scenario {
  let table: Record<string, unknown>
  try {
    table = readTables(`scenario ${file}`, () => text)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const top = fieldsOf(`The scenario ${file}`, table)
  const title = top.text('title')
  const symbols = top.list('symbols', isText, TEXTS)
  const prices = numbers(top.table('prices'), (fields, name) => fields.number(name, AMOUNT_MAX))
  const rows = top.list('actor', isTable, 'given as [[actor]]')
  top.end()
  if (rows.length === 0) throw new UsageError(`The scenario ${file} has no actor.`)
  const plans = rows.map((row, index) => planOf(fieldsOf(`Actor ${index + 1} of ${file}`, row)))
  const subscribers = plans.filter((plan) => plan.kind === 'subscriber')
  const actors = plans.filter((plan) => plan.kind !== 'subscriber')
  return { title, symbols, prices, actors, subscribers }
}

function planOf(fields: TableReader): ActorPlan | SubscriberPlan {
  const kind = fields.choice('kind', ['maker', 'taker', 'storm', 'reader', 'subscriber'])
  const plan = plans[kind](fields)
  fields.end()
  return plan
}

const plans = {
  maker: (fields: TableReader): MakerPlan => ({
    kind: 'maker',
    ...sending(fields),
    levels: fields.integer('levels', LEVELS_MAX, 5),
    spreadBps: fields.number('spread-bps', BPS_MAX, 10),
    stepBps: fields.number('step-bps', BPS_MAX, 2),
    notional: fields.number('notional', AMOUNT_MAX, 100),
  }),
  taker: (fields: TableReader): TakerPlan => ({
    kind: 'taker',
    ...sending(fields),
    order: fields.choice('order', ['ioc', 'market'], 'ioc'),
    slipBps: fields.number('slip-bps', BPS_MAX, 50),
    notional: fields.number('notional', AMOUNT_MAX, 100),
  }),
  storm: (fields: TableReader): StormPlan => ({
    kind: 'storm',
    ...sending(fields),
    burst: fields.integer('burst', BURST_MAX, 50),
    distanceBps: fields.number('distance-bps', BPS_MAX, 1_000),
    notional: fields.number('notional', AMOUNT_MAX, 100),
  }),
  reader: (fields: TableReader): ReaderPlan => {
    const shares = fields.table('queries')
    const asked =
      shares.names.length === 0
        ? { depth: 1 }
        : numbers(shares, (row, name) => row.number(name, AMOUNT_MAX), queryNames)
    const none = Object.fromEntries(queryNames.map((name) => [name, 0]))
    return {
      kind: 'reader',
      ...sending(fields),
      queries: { ...none, ...asked } as Record<QueryName, number>,
    }
  },
  subscriber: (fields: TableReader): SubscriberPlan => ({
    kind: 'subscriber',
    connections: fields.integer('connections', CONNECTIONS_MAX, 1),
    streams: fields.list('streams', isText, TEXTS),
  }),
}

const sending = (fields: TableReader): Sending => ({
  share: fields.number('share', AMOUNT_MAX, 1),
  accounts: fields.list('accounts', isAccount, 'a list of names, or of places from 1'),
})

function numbers(
  fields: TableReader,
  read: (fields: TableReader, name: string) => number,
  allowed?: readonly string[],
): Record<string, number> {
  const names = fields.names.filter((name) => allowed?.includes(name) ?? true)
  const values = Object.fromEntries(names.map((name) => [name, read(fields, name)]))
  fields.end()
  return values
}

const isText = (item: unknown): item is string => typeof item === 'string'
const isAccount = (item: unknown): item is string | number =>
  isText(item) || (Number.isInteger(item) && (item as number) > 0)

const fieldsOf = (where: string, table: Table): TableReader =>
  new TableReader(where, table, (whose, why) => new UsageError(`${whose}: ${why}.`))
