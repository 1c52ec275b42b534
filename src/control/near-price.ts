/** Whether a symbol's filters let orders near a price pass. */
import { formatDecimal } from '../base/fixed.ts'
import { type Int64, isMore } from '../base/int64.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import { Notional } from '../base/notional.ts'
import { Lots, Ticks } from '../base/units.ts'
import type { SymbolSpec } from '../market/listing.ts'

/** Returns why no order at the price, in 10^-8, passes the filters; undefined where one does. */
export function nearPriceFault(spec: SymbolSpec, priceUnits: Int64): string | undefined {
  const price = `${formatDecimal(priceUnits, WIRE_DECIMALS)} ${spec.quote.name}`
  const ticks = Ticks(Number(BigInt(priceUnits) / BigInt(spec.tickUnits)))
  if (ticks < spec.priceTicksMin || ticks > spec.priceTicksMax) {
    return `its price ${price} is not between minPrice and maxPrice`
  }
  const { qtyLotsMin, qtyLotsMax, notionalAtomsMin, notionalAtomsMax, atomsPerTickLot } = spec
  const worth = BigInt(ticks) * BigInt(atomsPerTickLot)
  const wanted = BigInt(notionalAtomsMin) * BigInt(spec.tickLotParts)
  // The fewest lots that are worth enough.
  const lots = Math.max(qtyLotsMin, Number((wanted + worth - 1n) / worth))
  const passes =
    lots <= qtyLotsMax && !isMore(new Notional(spec).up(ticks, Lots(lots)), notionalAtomsMax)
  if (passes) return undefined
  return `at its price ${price} no quantity from minQty to maxQty has a notional from the least to the most`
}
