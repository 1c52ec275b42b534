/**
 * Commission rates as they are charged (faqs/commission_faq.md): a side of a trade pays the rate of its role
 * (taker or maker) and the rate of its side (buyer or seller) together. Integers of 1e-8.
 */
import type { AccountSpec, RateSet, SymbolFees } from './listing.ts'

/** A side of a trade: taker or maker, seller or buyer. */
export const RATES = 4

export const rateIndex = (isMaker: boolean, isBuyer: boolean): number =>
  (isMaker ? 2 : 0) + (isBuyer ? 1 : 0)

/** By `rateIndex`. */
export const sumRates = ({ maker, taker, buyer, seller }: RateSet): readonly number[] => [
  taker + seller,
  taker + buyer,
  maker + seller,
  maker + buyer,
]

/** The symbol's additional rates by `rateIndex`: tax and special together. */
export function surcharges({ special, tax }: SymbolFees): readonly number[] {
  const taxes = sumRates(tax)
  return sumRates(special).map((rate, index) => rate + taxes[index]!)
}

export const standardRates = (account: AccountSpec): RateSet => ({
  maker: account.makerRate,
  taker: account.takerRate,
  buyer: account.buyerRate,
  seller: account.sellerRate,
})
