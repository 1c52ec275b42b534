/**
 * The past that charts of a new demo begin with (market/seeded-klines.ts): one fact for each symbol in which a market
 * maker will quote, whose last close is the price at which it begins.
 */
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { Lots, Ms, Ticks } from '../../base/units.ts'
import type { Config } from '../../config/config.ts'
import type { Fact, KlinesFact } from '../../control/facts.ts'
import { Registry } from '../../control/registry.ts'
import type { KeepPlan } from '../../liquidity/plan.ts'
import { readPlans } from '../../liquidity/read-plans.ts'
import { DAY_MS, MINUTE_MS } from '../../market/intervals.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { PAST_DAYS, PAST_LOTS_MAX } from '../../market/seeded-klines.ts'

/** What trades in a minute, in orders of the market maker: about what it takes later. */
const MINUTE_ORDERS = 12
/** Notional of an order whose plan has no size, in the quote asset. */
const USUAL_NOTIONAL = 1_000

/**
 * Returns the facts of a past that ends with the last whole minute. Only a demo has them. `facts` are those that the
 * folder begins with. Throws ConfigError or PlanError for a liquidity file that cannot be used.
 */
export function pastFacts(config: Config, facts: readonly Fact[], nowMs: Ms): KlinesFact[] {
  const registry = new Registry()
  for (const fact of facts) registry.apply(fact)
  const { symbols, isDemo } = registry
  // A machine without a clock may be in 1970.
  const days = Math.min(PAST_DAYS, Math.floor(nowMs / DAY_MS))
  if (!isDemo || days === 0) return []
  const fromMs = Ms(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - days * DAY_MS)
  const plans = readPlans(
    config,
    symbols.map(({ name }) => name),
    isDemo,
  )
  return plans.flatMap((plan) => {
    const spec = symbols.find(({ name }) => name === plan.symbol)!
    if (plan.kind !== 'keep' || plan.price === undefined) return []
    const { seed } = plan
    return [
      { fact: 'klines', symbol: spec.id, seed, fromMs, days, ...endOf(plan.price, plan, spec) },
    ]
  })
}

function endOf(
  price: number,
  { notional = USUAL_NOTIONAL }: KeepPlan,
  { tickUnits, lotUnits, priceTicksMin, priceTicksMax }: SymbolSpec,
): { closeTicks: Ticks; lots: Lots } {
  const unit = 10 ** WIRE_DECIMALS
  const ticks = Math.round((price * unit) / tickUnits)
  const lots = Math.round((MINUTE_ORDERS * notional * unit) / (price * lotUnits))
  return {
    closeTicks: Ticks(Math.max(priceTicksMin, 1, Math.min(priceTicksMax, ticks))),
    lots: Lots(Math.min(PAST_LOTS_MAX, lots)),
  }
}
