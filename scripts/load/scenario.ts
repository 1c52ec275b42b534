/**
 * What a load does: a TOML file (docs/load.md). Everything is checked here, so that what the
 * actors are given is complete.
 */
import { readTables } from '../../src/config/config.ts'
import { UsageError } from '../command-line/usage-error.ts'

/** What all actors that send requests have. */
interface Sending {
  /** Of all arrivals, beside the shares of the other actors. */
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
  /** Of one order, in the quote asset. */
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
  /** How often each query is asked, beside the others. */
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

/** Throws UsageError, whose sentence names `file`. */
export function readScenario(file: string, text: string): Scenario {
  let table: Record<string, unknown>
  try {
    table = readTables('scenario', file, () => text)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const top = new Fields(`The scenario ${file}`, table)
  const title = top.text('title')
  const symbols = top.texts('symbols')
  const prices = numbers(top.table('prices'), (fields, name) => fields.number(name, AMOUNT_MAX))
  const rows = top.tables('actor')
  top.end()
  if (rows.length === 0) throw new UsageError(`The scenario ${file} has no actor.`)
  const plans = rows.map((row, index) => planOf(new Fields(`Actor ${index + 1} of ${file}`, row)))
  const subscribers = plans.filter((plan) => plan.kind === 'subscriber')
  const actors = plans.filter((plan) => plan.kind !== 'subscriber')
  return { title, symbols, prices, actors, subscribers }
}

function planOf(fields: Fields): ActorPlan | SubscriberPlan {
  const kind = fields.choice('kind', ['maker', 'taker', 'storm', 'reader', 'subscriber'])
  const plan = plans[kind](fields)
  fields.end()
  return plan
}

const plans = {
  maker: (fields: Fields): MakerPlan => ({
    kind: 'maker',
    ...sending(fields),
    levels: fields.integer('levels', LEVELS_MAX, 5),
    spreadBps: fields.number('spread-bps', BPS_MAX, 10),
    stepBps: fields.number('step-bps', BPS_MAX, 2),
    notional: fields.number('notional', AMOUNT_MAX, 100),
  }),
  taker: (fields: Fields): TakerPlan => ({
    kind: 'taker',
    ...sending(fields),
    order: fields.choice('order', ['ioc', 'market'], 'ioc'),
    slipBps: fields.number('slip-bps', BPS_MAX, 50),
    notional: fields.number('notional', AMOUNT_MAX, 100),
  }),
  storm: (fields: Fields): StormPlan => ({
    kind: 'storm',
    ...sending(fields),
    burst: fields.integer('burst', BURST_MAX, 50),
    distanceBps: fields.number('distance-bps', BPS_MAX, 1_000),
    notional: fields.number('notional', AMOUNT_MAX, 100),
  }),
  reader: (fields: Fields): ReaderPlan => {
    const shares = fields.table('queries')
    const asked = shares.isEmpty
      ? { depth: 1 }
      : numbers(shares, (row, name) => row.number(name, AMOUNT_MAX), queryNames)
    const none = Object.fromEntries(queryNames.map((name) => [name, 0]))
    return {
      kind: 'reader',
      ...sending(fields),
      queries: { ...none, ...asked } as Record<QueryName, number>,
    }
  },
  subscriber: (fields: Fields): SubscriberPlan => ({
    kind: 'subscriber',
    connections: fields.integer('connections', CONNECTIONS_MAX, 1),
    streams: fields.texts('streams'),
  }),
}

const sending = (fields: Fields): Sending => ({
  share: fields.number('share', AMOUNT_MAX, 1),
  accounts: fields.accounts('accounts'),
})

function numbers(
  fields: Fields,
  read: (fields: Fields, name: string) => number,
  allowed?: readonly string[],
): Record<string, number> {
  const names = fields.names().filter((name) => allowed?.includes(name) ?? true)
  const values = Object.fromEntries(names.map((name) => [name, read(fields, name)]))
  fields.end()
  return values
}

/** The entries of one table; entries that no field reads are refused at the end. */
class Fields {
  readonly #where: string
  readonly #left: Map<string, unknown>

  constructor(where: string, table: Readonly<Record<string, unknown>>) {
    this.#where = where
    this.#left = new Map(Object.entries(table))
  }

  get isEmpty(): boolean {
    return this.#left.size === 0
  }

  names(): string[] {
    return [...this.#left.keys()]
  }

  text(name: string): string {
    const value = this.#take(name)
    if (typeof value === 'string' && value !== '') return value
    return this.#refuse(`${name} must be a text`)
  }

  texts(name: string): string[] {
    const value = this.#take(name) ?? []
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
    return this.#refuse(`${name} must be a list of texts`)
  }

  accounts(name: string): (string | number)[] {
    const value = this.#take(name) ?? []
    const isAccount = (item: unknown) =>
      typeof item === 'string' || (Number.isInteger(item) && (item as number) > 0)
    if (Array.isArray(value) && value.every(isAccount)) return value
    return this.#refuse(`${name} must be a list of names, or of places from 1`)
  }

  /** Above zero, at most `max`. */
  number(name: string, max: number, usual?: number): number {
    const value = this.#take(name) ?? usual
    if (typeof value === 'number' && value > 0 && value <= max) return value
    return this.#refuse(`${name} must be a number above 0, at most ${max}`)
  }

  integer(name: string, max: number, usual: number): number {
    const value = this.number(name, max, usual)
    return Number.isInteger(value) ? value : this.#refuse(`${name} must be a whole number`)
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], usual?: Choice): Choice {
    const value = this.#take(name) ?? usual
    const chosen = choices.find((choice) => choice === value)
    return chosen ?? this.#refuse(`${name} must be ${choices.join(', ')}`)
  }

  /** An empty one when it is missing. */
  table(name: string): Fields {
    const value = this.#take(name) ?? {}
    if (!isTable(value)) return this.#refuse(`${name} must be a table`)
    return new Fields(`${name} of ${this.#where}`, value)
  }

  tables(name: string): Readonly<Record<string, unknown>>[] {
    const value = this.#take(name) ?? []
    if (Array.isArray(value) && value.every(isTable)) return value
    return this.#refuse(`${name} must be given as [[${name}]]`)
  }

  end(): void {
    const [name] = this.#left.keys()
    if (name !== undefined) this.#refuse(`${name} is not known there`)
  }

  #take(name: string): unknown {
    const value = this.#left.get(name)
    this.#left.delete(name)
    return value
  }

  #refuse(why: string): never {
    throw new UsageError(`${this.#where}: ${why}.`)
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
