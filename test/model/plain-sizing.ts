/**
 * The plain twin's foresight: what an order would trade if it came now, by matching it with copies of
 * the makers, and how many lots a quote amount pays for, found by bisection over what lots would cost.
 */
import { RejectReason, SelfTradePrevention, Side } from '../../src/base/codes.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import { isPlain, type PlainOrder } from './plain-order.ts'

export interface Arrival {
  readonly account: number
  readonly side: number
  readonly mode: number
  readonly isPaying: boolean
  /** Undefined for market types. */
  readonly limit: bigint | undefined
  /** What lots at one price hold. */
  pays(ticks: bigint, lots: bigint): bigint
  isOwn(maker: PlainOrder): boolean
}

export interface Tried {
  /** What would be traded. */
  readonly lots: bigint
  /** What would change hands: traded, or transferred between two accounts of one owner. */
  readonly movedLots: bigint
  readonly movedAtoms: bigint
  /** All lots met, traded or prevented, and what they come to. */
  readonly metLots: bigint
  readonly metAtoms: bigint
  /** What the execution must have room for: 1 for a trade with a plain order, 4 for any other match. */
  readonly weight: number
  /** The order of the same owner that ended it. */
  readonly stop: PlainOrder | undefined
}

export function reaches(side: number, limit: bigint | undefined, makerPrice: bigint): boolean {
  if (limit === undefined) return true
  return side === Side.BUY ? makerPrice <= limit : makerPrice >= limit
}

/** Whether a prevented match takes from both orders and lets the larger one continue. */
export const decrements = (mode: number): boolean =>
  mode === SelfTradePrevention.DECREMENT || mode === SelfTradePrevention.TRANSFER

/** Whether what is prevented changes hands: both say so, and the accounts are two. */
export function transfers(taker: Pick<PlainOrder, 'account' | 'mode'>, maker: PlainOrder): boolean {
  const { TRANSFER } = SelfTradePrevention
  return taker.mode === TRANSFER && maker.mode === TRANSFER && taker.account !== maker.account
}

export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** What an order of this many lots would trade with `makers`, which stand in the order of meeting. */
export function trySweep(makers: readonly PlainOrder[], arrival: Arrival, lots: bigint): Tried {
  const queue = makers.map((order) => ({ order, shown: order.shown, open: order.open }))
  const tried = { lots: 0n, movedLots: 0n, metLots: 0n, weight: 0 }
  const moved = new Map<bigint, bigint>()
  const allMet = new Map<bigint, bigint>()
  const count = (at: Map<bigint, bigint>, price: bigint, by: bigint) =>
    at.set(price, (at.get(price) ?? 0n) + by)
  const cost = (at: Map<bigint, bigint>) =>
    [...at].reduce((sum, [price, met]) => sum + arrival.pays(price, met), 0n)
  const ended = (stop: PlainOrder | undefined): Tried => ({
    ...tried,
    movedAtoms: cost(moved),
    metAtoms: cost(allMet),
    stop,
  })
  while (tried.metLots < lots && queue.length > 0) {
    const maker = queue[0]!
    const { order } = maker
    if (!reaches(arrival.side, arrival.limit, order.price)) break
    const isPrevented = arrival.mode !== SelfTradePrevention.NONE && arrival.isOwn(order)
    tried.weight += isPrevented || !isPlain(order) || arrival.isPaying ? 4 : 1
    if (isPrevented && arrival.mode === SelfTradePrevention.EXPIRE_MAKER) {
      queue.shift()
      continue
    }
    if (isPrevented && !decrements(arrival.mode)) return ended(order)
    const met = lesser(lots - tried.metLots, isPrevented ? maker.open : maker.shown)
    tried.metLots += met
    count(allMet, order.price, met)
    if (!isPrevented) tried.lots += met
    if (!isPrevented || transfers(arrival, order)) {
      tried.movedLots += met
      count(moved, order.price, met)
    }
    maker.open -= met
    maker.shown = isPrevented ? lesser(maker.shown, maker.open) : maker.shown - met
    if (maker.shown > 0n) continue
    queue.shift()
    if (maker.open === 0n) continue
    maker.shown = lesser(order.icebergLots, maker.open)
    const behind = queue.findIndex((other) => other.order.price !== order.price)
    queue.splice(behind < 0 ? queue.length : behind, 0, maker)
  }
  return ended(undefined)
}

/**
 * The most lots that the amount pays for. `isShort` when the makers run out while the amount could
 * still pay for a lot at the last price met.
 */
export function sizeByAmount(
  makers: readonly PlainOrder[],
  arrival: Arrival,
  amount: bigint,
  spec: SymbolSpec,
): { reason: number; lots: bigint; isShort: boolean } {
  const all = trySweep(makers, arrival, 2n ** 80n)
  let low = 0n
  let high = all.metLots
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (trySweep(makers, arrival, middle).metAtoms <= amount) low = middle
    else high = middle - 1n
  }
  let lots = low
  let isShort = false
  const rest = amount - all.metAtoms
  if (lots === all.metLots && all.stop !== undefined) {
    lots += lotsOfStop(makers, arrival, all.stop, amount)
  } else if (lots === all.metLots) {
    const isMet = (it: PlainOrder) =>
      arrival.mode === SelfTradePrevention.NONE || decrements(arrival.mode) || !arrival.isOwn(it)
    const worst = makers.filter(isMet).at(-1)?.price ?? 0n
    isShort = rest > 0n && rest >= arrival.pays(worst, 1n)
  }
  return { reason: reasonFor(lots, isShort, spec), lots, isShort }
}

/**
 * What a sizing order that expires makers passes: 4 for each own order, 1 for each of others, up to the
 * first of others that the amount cannot pay for whole.
 */
export function passedWeight(
  makers: readonly PlainOrder[],
  arrival: Arrival,
  amount: bigint,
): number {
  let weight = 0
  if (arrival.mode !== SelfTradePrevention.EXPIRE_MAKER) return weight
  const passed: PlainOrder[] = []
  for (const maker of makers) {
    if (arrival.isOwn(maker)) {
      weight += 4
      continue
    }
    passed.push(maker)
    const prices = [...new Set(passed.map(({ price }) => price))]
    const cost = prices.reduce((sum, price) => {
      const level = passed.filter((it) => it.price === price)
      const lots = level.reduce((all, it) => all + (price === maker.price ? it.shown : it.open), 0n)
      return sum + arrival.pays(price, lots)
    }, 0n)
    if (cost > amount) return weight
    weight++
  }
  return weight
}

/** How many lots of the order that would end the arrival the amount could pay for besides. */
function lotsOfStop(
  makers: readonly PlainOrder[],
  arrival: Arrival,
  stop: PlainOrder,
  amount: bigint,
): bigint {
  const met = trySweep(makers, arrival, 2n ** 80n)
  const before = makers.slice(
    0,
    makers.findIndex(({ price }) => price === stop.price),
  )
  const others = trySweep(before, arrival, met.metLots)
  const here = met.metLots - others.metLots
  let low = 0n
  let high = stop.open
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (others.metAtoms + arrival.pays(stop.price, here + middle) <= amount) low = middle
    else high = middle - 1n
  }
  return low
}

function reasonFor(lots: bigint, isShort: boolean, spec: SymbolSpec): number {
  const lotsMax = Math.min(spec.qtyLotsMax, spec.marketQtyLotsMax)
  if (lots === 0n && isShort) return RejectReason.LIQUIDITY_BELOW_MINIMUM
  if (lots < BigInt(spec.qtyLotsMin)) return RejectReason.LIQUIDITY_BELOW_LOT_SIZE
  if (lots < BigInt(spec.marketQtyLotsMin)) return RejectReason.LIQUIDITY_BELOW_MARKET_LOT_SIZE
  if (lots > BigInt(lotsMax)) return RejectReason.MARKET_QUANTITY_TOO_LARGE
  return 0
}
