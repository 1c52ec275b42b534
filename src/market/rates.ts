/**
 * Commission rates as they are charged (supplement 2c.8): a side of a trade has a role and buys or
 * sells, and pays the rate of its role and that of its side together. Integers of 1e-8.
 */
import type { AccountSpec, RateSet, SymbolFees } from './listing.ts'

/** What a side of a trade may be: taker or maker, seller or buyer. */
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

/** What the symbol charges on top, by `rateIndex`: tax and special together. */
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
