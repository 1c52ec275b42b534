/**
 * Commission rates (spec, Account-level objects; supplement 2a.1 and 2c.8). Only standard rates are
 * charged: special and tax rates are zero and nobody pays in another asset.
 */

import { formatDecimal } from '#base/fixed.ts'
import { RATE_DECIMALS } from '#base/limits.ts'
import type { AccountSpec, SymbolSpec } from '#base/listing.ts'

/** A rate in 1e-8, as eight decimals. */
export const rateText = (rate: number): string => formatDecimal(rate, RATE_DECIMALS)

const discount = {
  enabledForAccount: false,
  enabledForSymbol: false,
  discountAsset: '',
  discount: rateText(0),
}

/** The account's standard rates on any symbol, as the wire's four names. */
export const standardRates = (account: AccountSpec) => ({
  maker: rateText(account.makerRate),
  taker: rateText(account.takerRate),
  buyer: rateText(account.buyerRate),
  seller: rateText(account.sellerRate),
})

const noRates = { maker: rateText(0), taker: rateText(0) }
const noRatesOfSide = { ...noRates, buyer: rateText(0), seller: rateText(0) }

export const accountCommission = (spec: SymbolSpec, account: AccountSpec): string =>
  JSON.stringify({
    symbol: spec.name,
    standardCommission: standardRates(account),
    specialCommission: noRatesOfSide,
    taxCommission: noRatesOfSide,
    discount,
  })

/** What the order would pay: rates already include its side's. */
export function orderCommissions(account: AccountSpec, isBuyer: boolean): string {
  const sideRate = isBuyer ? account.buyerRate : account.sellerRate
  return JSON.stringify({
    standardCommissionForOrder: {
      maker: rateText(account.makerRate + sideRate),
      taker: rateText(account.takerRate + sideRate),
    },
    specialCommissionForOrder: noRates,
    taxCommissionForOrder: noRates,
    discount,
  })
}

/** Entries of the trade fee list. */
export const tradeFees = (symbols: readonly SymbolSpec[], account: AccountSpec): string =>
  JSON.stringify(
    symbols.map((spec) => ({
      symbol: spec.name,
      makerCommission: rateText(account.makerRate),
      takerCommission: rateText(account.takerRate),
    })),
  )
