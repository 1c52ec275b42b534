/**
 * Self-trade prevention as arithmetic (supplement 2c.7): what an order and an own one that it meets lose
 * instead of trading, by the mode of the arriving order. Sweep and reach foresee with it, prevention.ts
 * applies it.
 */
import { SelfTradePrevention } from '../../base/codes.ts'
import { Lots } from '../../base/units.ts'

/** Whether an arriving order of this mode ends at the first own order that it meets. */
export const expiresTaker = (mode: number): boolean =>
  mode === SelfTradePrevention.EXPIRE_TAKER || mode === SelfTradePrevention.EXPIRE_BOTH

/** DECREMENT and TRANSFER: both lose what the smaller of them has left. */
export const decrementsBoth = (mode: number): boolean => mode > SelfTradePrevention.EXPIRE_BOTH

/** Lots that the arriving order loses, of the `leftLots` that it may still trade. */
export function takerLossOf(mode: number, leftLots: Lots, makerLots: Lots): Lots {
  if (decrementsBoth(mode)) return Lots(Math.min(leftLots, makerLots))
  return expiresTaker(mode) ? leftLots : Lots(0)
}

/** Lots that the own order loses, of the `makerLots` that it has open. */
export function makerLossOf(mode: number, leftLots: Lots, makerLots: Lots): Lots {
  if (decrementsBoth(mode)) return Lots(Math.min(leftLots, makerLots))
  return mode === SelfTradePrevention.EXPIRE_TAKER ? Lots(0) : makerLots
}
