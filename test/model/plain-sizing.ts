/**
 * The plain twin's foresight: what an order would trade if it came now, and how many lots a quote
 * amount pays for, found by bisection over what lots would cost.
 */
import { RejectReason, SelfTradePrevention, Side } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { PlainOrder } from './plain-order.ts'

export interface Arrival {
  readonly side: number
  readonly mode: number
  /** Undefined for MARKET. */
  readonly limit: bigint | undefined
  readonly atomsPerTickLot: bigint
  isOwn(maker: PlainOrder): boolean
}

export interface Tried {
  readonly lots: bigint
  readonly atoms: bigint
  /** The order of the same owner that ended it. */
  readonly stop: PlainOrder | undefined
}

export function reaches(side: number, limit: bigint | undefined, makerPrice: bigint): boolean {
  if (limit === undefined) return true
  return side === Side.BUY ? makerPrice <= limit : makerPrice >= limit
}

/** What an order of this many lots would trade with `makers`, which stand in the order of meeting. */
export function trySweep(makers: readonly PlainOrder[], arrival: Arrival, lots: bigint): Tried {
  let left = lots
  let atoms = 0n
  for (const maker of makers) {
    if (left === 0n || !reaches(arrival.side, arrival.limit, maker.price)) break
    if (arrival.mode !== SelfTradePrevention.NONE && arrival.isOwn(maker)) {
      if (arrival.mode === SelfTradePrevention.EXPIRE_MAKER) continue
      return { lots: lots - left, atoms, stop: maker }
    }
    let traded = left
    if (traded > maker.open) traded = maker.open
    left -= traded
    atoms += traded * maker.price * arrival.atomsPerTickLot
  }
  return { lots: lots - left, atoms, stop: undefined }
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
  let high = all.lots
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (trySweep(makers, arrival, middle).atoms <= amount) low = middle
    else high = middle - 1n
  }
  let lots = low
  let isShort = false
  const rest = amount - all.atoms
  if (lots === all.lots && all.stop !== undefined) {
    let affordable = rest / (all.stop.price * arrival.atomsPerTickLot)
    if (affordable > all.stop.open) affordable = all.stop.open
    lots += affordable
  } else if (lots === all.lots) {
    const others = makers.filter((it) => arrival.mode === 0 || !arrival.isOwn(it))
    const worst = others.at(-1)?.price ?? 0n
    isShort = rest > 0n && rest >= worst * arrival.atomsPerTickLot
  }
  return { reason: reasonFor(lots, isShort, spec), lots, isShort }
}

function reasonFor(lots: bigint, isShort: boolean, spec: SymbolSpec): number {
  const lotsMax = Math.min(spec.qtyLotsMax, spec.marketQtyLotsMax)
  if (lots === 0n && isShort) return RejectReason.LIQUIDITY_BELOW_MINIMUM
  if (lots < BigInt(spec.qtyLotsMin)) return RejectReason.LIQUIDITY_BELOW_LOT_SIZE
  if (lots < BigInt(spec.marketQtyLotsMin)) return RejectReason.LIQUIDITY_BELOW_MARKET_LOT_SIZE
  if (lots > BigInt(lotsMax)) return RejectReason.MARKET_QUANTITY_TOO_LARGE
  return 0
}

/** `rate` of what is received, rounded half up to 8 decimals, and never more than it. */
export function feeOf(received: bigint, rate: number, decimals: number): bigint {
  const step = 10n ** BigInt(decimals - 8)
  const whole = 10n ** 8n * step
  const unrounded = received * BigInt(rate)
  const steps = unrounded / whole + (unrounded % whole >= whole / 2n ? 1n : 0n)
  return steps * step > received ? received : steps * step
}
