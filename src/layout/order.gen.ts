// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { AccountId, Lots, Ms, OrderId, QuoteAtoms, Ticks } from '../base/units.ts'
import type { ExtrasBlockFields, OrderBlockFields, ProgressBlockFields } from './accessors.gen.ts'

/** What an order asked for, and what it has come to. */
export class WholeOrder implements OrderBlockFields, ProgressBlockFields {
  /** owner */
  account = AccountId(0)
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms = 0
  /** counts from 1 within the symbol */
  orderId = OrderId(0)
  /** limit price; 0 for MARKET */
  priceTicks = Ticks(0)
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots = Lots(0)
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms = QuoteAtoms(0)
  filledLots = Lots(0)
  /** cumulative quote */
  filledAtoms = QuoteAtoms(0)
  /** lost to self-trade prevention */
  preventedLots = Lots(0)
  /** when it was accepted */
  createdMs = Ms(0)
}

/** An order as its last event has it. */
export interface StandingOrder {
  /** owner */
  account: AccountId
  /** side, type, time in force, prevention mode, detailed, session (base/codes.ts) */
  terms: number
  /** counts from 1 within the symbol */
  orderId: OrderId
  /** limit price; 0 for MARKET */
  priceTicks: Ticks
  /** original quantity; for a MARKET order by quote amount, what was computed */
  lots: Lots
  /** quote amount asked for by a MARKET order; else 0 */
  quoteAtoms: QuoteAtoms
  filledLots: Lots
  /** cumulative quote */
  filledAtoms: QuoteAtoms
  /** lost to self-trade prevention */
  preventedLots: Lots
  /** when it was accepted */
  createdMs: Ms
  /** when it last changed: fill, trigger, release, decrement, amendment */
  updatedMs: Ms
  /** OrderStatus */
  status: number
  /** ExpiryReason */
  reason: number
}

/** What only some orders ask for. */
export type OrderExtras = ExtrasBlockFields

export const noExtras: Readonly<OrderExtras> = {
  stopTicks: Ticks(0),
  icebergLots: Lots(0),
  strategyId: -1,
  trailingDelta: 0,
  strategyType: 0,
}
