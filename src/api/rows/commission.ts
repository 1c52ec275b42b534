/** Rows of commission rates: of an account on a symbol, and of one order. */
import type { AccountSpec, RateSet, SymbolSpec } from '../../market/listing.ts'
import { rateIndex, standardRates, sumRates } from '../../market/rates.ts'
import type { Context } from '../context.ts'

export const commissionRow = (context: Context, spec: SymbolSpec, account: AccountSpec) => ({
  spec,
  standard: standardRates(account),
  special: spec.fees.special,
  tax: spec.fees.tax,
  discount: discountRow(context, spec, account),
})

export const orderRatesRow = (
  context: Context,
  spec: SymbolSpec,
  account: AccountSpec,
  isBuyer: boolean,
) => ({
  standard: ratesOfSide(standardRates(account), isBuyer),
  special: ratesOfSide(spec.fees.special, isBuyer),
  tax: ratesOfSide(spec.fees.tax, isBuyer),
  discount: discountRow(context, spec, account),
})

/** What a maker and a taker of one side pay: rates already include the side's. */
function ratesOfSide(rates: RateSet, isBuyer: boolean) {
  const sums = sumRates(rates)
  return { maker: sums[rateIndex(true, isBuyer)]!, taker: sums[rateIndex(false, isBuyer)]! }
}

const discountRow = ({ assets, exchange }: Context, spec: SymbolSpec, account: AccountSpec) => ({
  enabledForAccount: account.discountEnabled,
  enabledForSymbol: spec.fees.discountEnabled,
  assetName: assets.find(({ id }) => id === exchange.discountAssetId)?.name ?? '',
  rate: exchange.discountRate,
})
