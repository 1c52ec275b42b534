/**
 * Cancels all open orders of an account in an execution without a client's request, in pieces like any cancel of
 * all orders, and ends it with an event. What follows is its caller's to run. A kill before that event leaves the cause in the state, so that the next
 * start cancels what is left.
 */
import { CLIENT_ORDER_ID_WORDS, packClientOrderId } from '../../base/client-order-id.ts'
import type { AccountId } from '../../base/units.ts'
import { type BulkCancel, selectsAll } from './bulk-cancel.ts'
import type { EventWriter } from './event-writer.ts'
import type { Executions } from './executions.ts'

export class Firing {
  private readonly bulk: BulkCancel
  private readonly events: EventWriter
  private readonly executions: Executions
  /** Writes the last event; while the cancels are under way. */
  private conclude: (() => void) | undefined = undefined

  constructor(bulk: BulkCancel, events: EventWriter, executions: Executions) {
    this.bulk = bulk
    this.events = events
    this.executions = executions
  }

  get isUnderWay(): boolean {
    return this.conclude !== undefined
  }

  /** Begins to cancel, under the id at the beginning of `idWords`. */
  begin(account: AccountId, idWords: Int32Array, conclude: () => void): void {
    this.events.beginConsequence()
    this.conclude = conclude
    this.bulk.begin(account, selectsAll, idWords, 0)
    this.endPiece()
  }

  goOn(): void {
    this.bulk.goOn()
    this.endPiece()
  }

  private endPiece(): void {
    this.executions.end()
    if (this.bulk.isUnfinished) return
    this.conclude?.()
    this.conclude = undefined
    this.events.end()
  }
}

/** A client order id that the exchange cancels under. */
export function ownClientOrderId(text: string): Int32Array {
  const words = new Int32Array(CLIENT_ORDER_ID_WORDS)
  packClientOrderId(text, words, 0)
  return words
}
