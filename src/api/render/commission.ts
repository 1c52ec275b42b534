/**
 * Commission rates (spec, Account-level objects; supplement 2a.1 and 2c.8): what an account pays on a
 * symbol, what one order would pay, and the older list of trade fees, which knows standard rates only.
 */
import { formatDecimal } from '../../base/fixed.ts'
import { RATE_DECIMALS } from '../../base/limits.ts'
import type { AccountSpec, RateSet, SymbolSpec } from '../../market/listing.ts'
import { rateIndex, standardRates, sumRates } from '../../market/rates.ts'
import type { Context } from '../context.ts'
import { list } from '../shapes/schema.ts'
import { shapes } from '../shapes/shapes.ts'
import { rendererOf } from './shape-text.ts'

const commissionJson = rendererOf(shapes.Commission)
const orderRatesJson = rendererOf(shapes.OrderRates)
const tradeFeesJson = rendererOf(list(shapes.TradeFee))

/** A rate in 1e-8, as eight decimals. */
const rateText = (rate: number): string => formatDecimal(rate, RATE_DECIMALS)

/** Rates as the wire's four names. */
export const rateTexts = ({ maker, taker, buyer, seller }: RateSet) => ({
  maker: rateText(maker),
  taker: rateText(taker),
  buyer: rateText(buyer),
  seller: rateText(seller),
})

/** What a maker and a taker of one side pay: rates already include the side's. */
function ratesOfSide(rates: RateSet, isBuyer: boolean) {
  const sums = sumRates(rates)
  return {
    maker: rateText(sums[rateIndex(true, isBuyer)]!),
    taker: rateText(sums[rateIndex(false, isBuyer)]!),
  }
}

/** `discount` is what standard rates are multiplied with. */
function discountOf({ assets, exchange }: Context, spec: SymbolSpec, account: AccountSpec) {
  const asset = assets.find(({ id }) => id === exchange.discountAssetId)
  return {
    enabledForAccount: account.discountEnabled,
    enabledForSymbol: spec.fees.discountEnabled,
    discountAsset: asset?.name ?? '',
    discount: rateText(exchange.discountRate),
  }
}

export const accountCommission = (
  context: Context,
  spec: SymbolSpec,
  account: AccountSpec,
): string =>
  commissionJson({
    symbol: spec.name,
    standardCommission: rateTexts(standardRates(account)),
    specialCommission: rateTexts(spec.fees.special),
    taxCommission: rateTexts(spec.fees.tax),
    discount: discountOf(context, spec, account),
  })

export const orderCommissions = (
  context: Context,
  spec: SymbolSpec,
  account: AccountSpec,
  isBuyer: boolean,
): string =>
  orderRatesJson({
    standardCommissionForOrder: ratesOfSide(standardRates(account), isBuyer),
    specialCommissionForOrder: ratesOfSide(spec.fees.special, isBuyer),
    taxCommissionForOrder: ratesOfSide(spec.fees.tax, isBuyer),
    discount: discountOf(context, spec, account),
  })

/** Entries of the trade fee list. */
export const tradeFees = (symbols: readonly SymbolSpec[], account: AccountSpec): string =>
  tradeFeesJson(
    symbols.map((spec) => ({
      symbol: spec.name,
      makerCommission: rateText(account.makerRate),
      takerCommission: rateText(account.takerRate),
    })),
  )
