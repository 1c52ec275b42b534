/**
 * What was decided of an order that is to enter, or to work now that it is executed: whether it is
 * refused, and otherwise what it has to lock and what it trades at once. Admission decides and changes
 * nothing else; matching.ts applies. Each ArrivingOrder has one, filled again by each decision.
 */

import type { RejectReason } from '../../base/codes.ts'
import { Atoms, Lots } from '../../base/units.ts'

/** Whether a command is admitted, or why not: the verdict that is no RejectReason. */
export const ADMITTED = 0
export type Verdict = typeof ADMITTED | RejectReason

export class Decision {
  verdict: Verdict = ADMITTED
  /** Quantity; of a MARKET order by quote amount, what the amount pays for. */
  lots = Lots(0)
  /** What the order has to lock, in the asset that it pays with. */
  heldAtoms = Atoms(0)
  /**
   * Lots of a MARKET or FOK order that trade at once. 0 for others, which trade what they meet: nothing that
   * is decided depends on it.
   */
  tradedLots = Lots(0)
  /** Whether the book ran out before the amount of a MARKET order by quote amount did. */
  isExhausted = false

  refused(verdict: Verdict): this {
    this.verdict = verdict
    return this
  }

  admitted(lots: Lots, heldAtoms: Atoms, tradedLots = Lots(0), isExhausted = false): this {
    this.verdict = ADMITTED
    this.lots = lots
    this.heldAtoms = heldAtoms
    this.tradedLots = tradedLots
    this.isExhausted = isExhausted
    return this
  }
}
