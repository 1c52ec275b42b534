/**
 * What the wire benchmarks ask for, as plans of the load generator (native-bench/load/plan.h draws
 * the form). Two accounts: the maker's orders rest around a middle price, and each of the taker's
 * orders fills what MAKERS_PER_TAKER of them brought, so that the share of orders that fill and the
 * resting depth stay what they are however long the plan goes round.
 */
import { Prng } from '../../src/base/prng.ts'
import { Lots, Ticks } from '../../src/base/units.ts'

export interface PlanKey {
  readonly apiKey: string
  readonly secretKey: string
}

/** A key that sessions are logged on with, and the frame that does it. */
export interface SessionKey {
  readonly logon: string
}

/** Who places orders, and how. */
export interface PlanAccounts {
  readonly keys: readonly PlanKey[]
  /** Index of a key, or `-` for requests without a signature. */
  readonly maker: string
  readonly taker: string
  /** Who place and cancel orders by name, by turns: an account may have 10,000 open on a symbol. */
  readonly holders: readonly string[]
  /**
   * What is asked for: in the query, as the protocol wants it, in a body of JSON, or in a frame of a
   * session.
   */
  readonly form: 'query' | 'json' | 'frame'
  /** Milliseconds that an order may be under way, where the protocol's own are too few. */
  readonly recvWindow?: number
}

export const SYMBOL = 'BTCUSDT'

/** A symbol of the demo whose prices have two decimals, and the decimals of its quantities. */
export interface PlanSymbol {
  readonly name: string
  readonly quantityDecimals: number
}

const ONLY: PlanSymbol = { name: SYMBOL, quantityDecimals: 5 }
/** Two symbols that matchers are dealt in turn, for plans in which both are equally busy. */
export const TWO_SYMBOLS: readonly PlanSymbol[] = [ONLY, { name: 'ETHUSDT', quantityDecimals: 4 }]
/** The share of orders that fill on arrival is 1 / (MAKERS_PER_TAKER + 1). */
export const MAKERS_PER_TAKER = 3
export const FILL_SHARE = 1 / (MAKERS_PER_TAKER + 1)

const MIDDLE_TICKS = 5_000_000
/** Makers rest, and takers reach, within this distance of the middle. */
const BAND_TICKS = 500
/** Lots of 0.00001: at the middle price, orders of 10 to 50 USDT. */
const MAKER_LOTS = [20, 100] as const
const SEED = 0x52_42

/** The plan's accounts for a maker, a taker and others with a key each. */
export function signedBy(maker: PlanKey, ...others: readonly PlanKey[]): PlanAccounts {
  const holders = others.map((_, index) => String(index + 1))
  return { keys: [maker, ...others], maker: '0', taker: '1', holders, form: 'query' }
}

/** The plan's accounts without signatures; orders are JSON. */
export const unsigned: PlanAccounts = {
  keys: [],
  maker: '-',
  taker: '-',
  holders: ['-'],
  form: 'json',
}

const holderOf = ({ holders }: PlanAccounts, order: number): string =>
  holders[order % holders.length]!

/**
 * Orders of the maker that do not meet: `count` of them on each symbol, half on each side, over twice
 * the band's width. They are the resting depth, and they see to it that a taker always finds a maker.
 */
export function restingPlan(
  accounts: PlanAccounts,
  count: number,
  symbols: readonly PlanSymbol[] = [ONLY],
): string {
  const prng = new Prng(SEED)
  const lines = keyLines(accounts)
  for (let i = 0; i < count; i++) {
    const sign = i % 2 === 0 ? -1 : 1
    for (const symbol of symbols) {
      const ticks = Ticks(MIDDLE_TICKS + sign * prng.between(1, 2 * BAND_TICKS))
      const order = { symbol, side: sideOf(sign), ticks, lots: Lots(makerLots(prng)) }
      lines.push(orderLine(accounts, accounts.maker, order))
    }
  }
  return text(lines)
}

/**
 * Orders that go round for ever; `rounds` × 2 × (MAKERS_PER_TAKER + 1) of them, each round on the next
 * of the symbols.
 */
export function tradingPlan(
  accounts: PlanAccounts,
  rounds: number,
  symbols: readonly PlanSymbol[] = [ONLY],
): string {
  const prng = new Prng(SEED + 1)
  const lines = keyLines(accounts)
  for (let round = 0; round < rounds; round++) {
    const symbol = symbols[round % symbols.length]!
    for (const sign of [-1, 1]) {
      let brought = 0
      for (let i = 0; i < MAKERS_PER_TAKER; i++) {
        const lots = makerLots(prng)
        const ticks = Ticks(MIDDLE_TICKS + sign * prng.between(1, BAND_TICKS))
        lines.push(
          orderLine(accounts, accounts.maker, {
            symbol,
            side: sideOf(sign),
            ticks: Ticks(ticks),
            lots: Lots(lots),
          }),
        )
        brought += lots
      }
      const ticks = Ticks(MIDDLE_TICKS + sign * BAND_TICKS)
      const taking = { symbol, side: sideOf(-sign), ticks, lots: Lots(brought) }
      lines.push(orderLine(accounts, accounts.taker, taking))
    }
  }
  return text(lines)
}

/** Rounds of a trading plan whose orders go in one batch of the maker, and one of the taker. */
const BATCHED = 6
export const ORDERS_PER_BATCH = (BATCHED * (MAKERS_PER_TAKER + 1)) / 2

/** Orders as those of `tradingPlan`, in batches: of a side, all of the maker's and then all of the taker's. */
export function batchPlan(accounts: PlanAccounts, rounds: number): string {
  const prng = new Prng(SEED + 4)
  const lines = keyLines(accounts)
  for (let round = 0; round < rounds; round++) {
    for (const sign of [-1, 1]) {
      const reach = Ticks(MIDDLE_TICKS + sign * BAND_TICKS)
      const side = sideOf(sign)
      const made = Array.from({ length: BATCHED * MAKERS_PER_TAKER }, () => ({
        symbol: ONLY,
        side,
        lots: Lots(makerLots(prng)),
        ticks: Ticks(MIDDLE_TICKS + sign * prng.between(1, BAND_TICKS)),
      }))
      const brought = made.reduce((total, { lots }) => total + lots, 0)
      const taken = Array.from({ length: BATCHED }, (_, i) => ({
        symbol: ONLY,
        side: sideOf(-sign),
        ticks: reach,
        lots: Lots(Math.floor((brought + i) / BATCHED)),
      }))
      lines.push(batchLine(accounts.maker, made), batchLine(accounts.taker, taken))
    }
  }
  return text(lines)
}

/**
 * The orders of `tradingPlan` as frames of two sessions, the first the maker's, the second the
 * taker's (native-bench/load/session-load.h draws the form).
 */
export function sessionPlan(
  maker: SessionKey,
  taker: SessionKey,
  rounds: number,
  window: Pick<PlanAccounts, 'recvWindow'> = {},
): string {
  const logons = [maker, taker].map(({ logon }) => `logon\t${logon}`)
  const roles = { keys: [], maker: '0', taker: '1', holders: [] }
  return text([...logons, tradingPlan({ ...roles, ...window, form: 'frame' }, rounds).trimEnd()])
}

/** Orders of the holders, named `NAME-0` and on, that rest far from the middle. */
export function namedPlan(accounts: PlanAccounts, name: string, count: number): string {
  const prng = new Prng(SEED + 2)
  const lines = keyLines(accounts)
  for (let i = 0; i < count; i++) {
    const sign = i % 2 === 0 ? -1 : 1
    const ticks = Ticks(MIDDLE_TICKS + sign * prng.between(4 * BAND_TICKS, 40 * BAND_TICKS))
    const order = { symbol: ONLY, side: sideOf(sign), ticks, lots: Lots(MAKER_LOTS[0]) }
    lines.push(orderLine(accounts, holderOf(accounts, i), order, `${name}-${i}`))
  }
  return text(lines)
}

/** Cancels what `namedPlan` placed, in another order. */
export function cancelPlan(accounts: PlanAccounts, name: string, count: number): string {
  const prng = new Prng(SEED + 3)
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = prng.below(i + 1)
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  const lines = keyLines(accounts)
  for (const i of order) {
    const params = `symbol=${SYMBOL}&origClientOrderId=${name}-${i}`
    lines.push(`DELETE\t/api/v3/order\t${holderOf(accounts, i)}\t${params}`)
  }
  return text(lines)
}

export function depthPlan(): string {
  return text([`GET\t/api/v3/depth\t-\tsymbol=${SYMBOL}&limit=100`])
}

export function klinesPlan(): string {
  return text([`GET\t/api/v3/klines\t-\tsymbol=${SYMBOL}&interval=1m&limit=500`])
}

export function helloPlan(): string {
  return text(['GET\t/\t-'])
}

/** Bids rest below the middle (-1), asks above it (1). */
function sideOf(sign: number): 'BUY' | 'SELL' {
  return sign < 0 ? 'BUY' : 'SELL'
}

function makerLots(prng: Prng): number {
  return prng.between(...MAKER_LOTS)
}

interface PlanOrder {
  readonly symbol: PlanSymbol
  readonly side: 'BUY' | 'SELL'
  readonly ticks: Ticks
  readonly lots: Lots
}

function orderOf({ symbol, side, ticks, lots }: PlanOrder) {
  const { name, quantityDecimals } = symbol
  return {
    symbol: name,
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: (ticks / 100).toFixed(2),
    quantity: (lots / 10 ** quantityDecimals).toFixed(quantityDecimals),
  }
}

const batchLine = (key: string, orders: readonly PlanOrder[]): string =>
  `POST\t/ringbook/v1/batchOrders\t${key}\torders=${encodeURIComponent(JSON.stringify(orders.map(orderOf)))}`

function orderLine(
  accounts: PlanAccounts,
  key: string,
  planned: PlanOrder,
  newClientOrderId?: string,
): string {
  const order = {
    ...orderOf(planned),
    ...(newClientOrderId === undefined ? {} : { newClientOrderId }),
    ...(accounts.recvWindow !== undefined && { recvWindow: accounts.recvWindow }),
  }
  if (accounts.form === 'frame') {
    const params = JSON.stringify(order).replace('}', ',"timestamp":$now}')
    return `${key}\t{"id":1,"method":"order.place","params":${params}}`
  }
  const line = `POST\t/api/v3/order\t${key}\t`
  if (accounts.form === 'json') return `${line}\t${JSON.stringify(order)}`
  const params = Object.entries(order).map(([name, value]): [string, string] => [name, `${value}`])
  return line + new URLSearchParams(params).toString()
}

function keyLines(accounts: PlanAccounts): string[] {
  return accounts.keys.map(({ apiKey, secretKey }) => `key\t${apiKey}\t${secretKey}`)
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
