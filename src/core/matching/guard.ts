/**
 * Runs what follows from an execution on a symbol with protections (protections.ts): first counts the trades that
 * were written, and cancels for accounts that have reached their bound, then runs the next queued execution.
 */
import { ProtectionStatus } from '../../base/codes.ts'
import type { BulkCancel } from './bulk-cancel.ts'
import type { EventWriter } from './event-writer.ts'
import type { Executions } from './executions.ts'
import { Firing, ownClientOrderId } from './firing.ts'
import type { SymbolState } from './symbol-state.ts'

/** The id of cancels by a protection. */
const PROTECTION_ID = ownClientOrderId('protection')

export class Guard {
  private readonly state: SymbolState
  private readonly events: EventWriter
  private readonly executions: Executions
  /** Countdowns have it cancel, too. */
  readonly firing: Firing

  constructor(state: SymbolState, events: EventWriter, executions: Executions, bulk: BulkCancel) {
    this.state = state
    this.events = events
    this.executions = executions
    this.firing = new Firing(bulk, events, executions)
  }

  follow(): void {
    do {
      this.count()
      if (!this.trip()) return
    } while (this.executions.runNext())
  }

  /** Counts the trades since the last call, or since the command or the batch began. */
  count(): void {
    this.events.forEachTrade((events, at) => this.state.protections.traded(events, at))
  }

  /** Returns false when something is left to cancel. No order leaves within an auction. */
  private trip(): boolean {
    const { state, events, executions, firing } = this
    const { protections } = state
    for (let due = protections.due; due !== undefined; due = protections.due) {
      if (executions.isNextPaid) return true
      if (events.isBatchFull || state.auctionTicks !== 0) return false
      const { account } = due
      const terms = { ...due, status: ProtectionStatus.TRIPPED }
      firing.begin(account, PROTECTION_ID, () => events.protection(terms))
      if (firing.isUnderWay) return false
    }
    return true
  }
}
