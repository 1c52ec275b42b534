/** What one side of a trade pays (faqs/commission_faq.md), in fractions of bigints. */
import type { RateSet } from '../../src/market/listing.ts'
import type { PlainMarket, PlainWorld } from './plain-market.ts'

/** 1e-8, the unit of rates and of the wire's amounts. */
const ONE = 10n ** 8n
const MAX = 2n ** 63n - 1n

export interface PlainFee {
  /** Taken from what is received. */
  readonly received: bigint
  /** Paid in the discount asset instead; 0 when nothing is. */
  readonly discounted: bigint
}

/** A number of atoms as a fraction. */
interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

export function feeFor(
  market: PlainMarket,
  account: number,
  isMaker: boolean,
  isBuyer: boolean,
  received: bigint,
): PlainFee {
  const { spec, world } = market
  const owner = world.accounts[account]!
  const of = (rates: RateSet) =>
    BigInt((isMaker ? rates.maker : rates.taker) + (isBuyer ? rates.buyer : rates.seller))
  const { makerRate: maker, takerRate: taker, buyerRate: buyer, sellerRate: seller } = owner
  const standard = of({ maker, taker, buyer, seller })
  const surcharge = of(spec.fees.tax) + of(spec.fees.special)
  const asset = isBuyer ? spec.base : spec.quote
  const { discountAssetId, discountRate } = world.exchange
  if (owner.discountEnabled && spec.fees.discountEnabled && discountAssetId >= 0) {
    const rate = standard * BigInt(discountRate) + surcharge * ONE
    const due = { over: received * rate, under: ONE * ONE }
    if (asset.id === discountAssetId) {
      const whole = roundHalfUp(due)
      return { received: whole > received ? received : whole, discounted: 0n }
    }
    const paid = inDiscountAsset(world, asset.id, due)
    const isPaid = paid !== undefined && paid <= MAX && payNow(market, account, paid)
    if (isPaid) return { received: 0n, discounted: paid }
  }
  const whole = roundHalfUp({ over: received * (standard + surcharge), under: ONE })
  return { received: whole > received ? received : whole, discounted: 0n }
}

/** The fee in an auction: by its own rate where the symbol has one. */
export function auctionFeeFor(
  market: PlainMarket,
  account: number,
  isMaker: boolean,
  isBuyer: boolean,
  received: bigint,
): PlainFee {
  const { auctionRate } = market.spec.phases
  if (auctionRate < 0) return feeFor(market, account, isMaker, isBuyer, received)
  return {
    received: roundHalfUp({ over: received * BigInt(auctionRate), under: ONE }),
    discounted: 0n,
  }
}

const roundHalfUp = ({ over, under }: Fraction): bigint => (over * 2n + under) / (under * 2n)

function payNow(market: PlainMarket, account: number, atoms: bigint): boolean {
  const { ledger, exchange } = market.world
  const asset = exchange.discountAssetId
  if (!ledger.lock(market.matcher, account, asset, atoms)) return false
  ledger.pay(market.matcher, account, asset, atoms)
  ledger.earn(market.matcher, 0, asset, atoms)
  return true
}

/**
 * By the symbol that joins both assets, or by two over a third one, the first of several in the order
 * of the symbols; undefined when none has a price.
 */
function inDiscountAsset(world: PlainWorld, from: number, due: Fraction): bigint | undefined {
  const to = world.exchange.discountAssetId
  const direct = convert(world, world.markets, from, to, due)
  if (direct !== undefined) return roundHalfUp(direct)
  for (const first of world.markets) {
    const { base, quote } = first.spec
    if (base.id !== from && quote.id !== from) continue
    const third = base.id === from ? quote.id : base.id
    const half = convert(world, [first], from, third, due)
    const whole = half && convert(world, world.markets, third, to, half)
    if (whole !== undefined) return roundHalfUp(whole)
  }
  return undefined
}

function convert(
  world: PlainWorld,
  markets: readonly PlainMarket[],
  from: number,
  to: number,
  due: Fraction,
): Fraction | undefined {
  for (const { spec } of markets) {
    const ticks = world.publishedTicks[spec.id]!
    if (ticks === 0) continue
    const quote = BigInt(ticks) * BigInt(spec.atomsPerTickLot)
    const base = BigInt(spec.atomsPerLot) * BigInt(spec.tickLotParts)
    if (spec.base.id === from && spec.quote.id === to) {
      return { over: due.over * quote, under: due.under * base }
    }
    if (spec.quote.id === from && spec.base.id === to) {
      return { over: due.over * base, under: due.under * quote }
    }
  }
  return undefined
}
