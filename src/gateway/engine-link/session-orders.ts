/**
 * Cancel on disconnect: cancels the open orders of a session that asked for it when the session ends.
 * Such a session has a number, which the terms of its orders carry through engine, journal and snapshot.
 * No other session of any gateway has the number until all its open orders are canceled. Its cancels go
 * into the rings behind its last order, so they reach every order; a full ring delays them. After a kill
 * the next start cancels the remaining orders (agents/matcher.ts).
 */

import type { Collector } from '../../api/context.ts'
import { packClientOrderId } from '../../base/client-order-id.ts'
import { RejectReason } from '../../base/codes.ts'
import { SESSIONS_PER_GATEWAY } from '../../base/limits.ts'
import type { Time, Timer } from '../../base/time.ts'
import { AccountId, SymbolId } from '../../base/units.ts'
import { CancelSessionOrders, Rejected } from '../../layout/accessors.gen.ts'
import { recordType } from '../../layout/record-buffer.ts'
import type { EngineClient } from './engine-client.ts'

/** Time until a cancel without room, in the ring or to wait, is retried. */
const RETRY_MS = 10

/** One session that cancels on disconnect. */
export class BoundSession {
  readonly number: number
  /** By account: the symbols on which it may have open orders. */
  readonly symbols = new Map<number, Set<number>>()

  constructor(number: number) {
    this.number = number
  }

  /** The API keys that have placed its orders. */
  readonly apiKeys = new Set<string>()

  /** Notes that the session is about to place an order. */
  places(account: AccountId, symbolId: SymbolId): void {
    const symbols = this.symbols.get(account)
    if (symbols === undefined) this.symbols.set(account, new Set([symbolId]))
    else symbols.add(symbolId)
  }
}

/** The orders that one command cancels. */
interface Ending {
  readonly session: BoundSession
  readonly account: AccountId
  readonly symbolId: SymbolId
}

export class SessionOrders {
  private readonly context: Pick<EngineClient, 'command' | 'newClientOrderId'>
  private readonly time: Time
  private readonly firstNumber: number
  private readonly free: number[] = []
  /** Numbers in use; 0 is none. */
  private used = 1
  /** Not sent yet. */
  private waiting: Ending[] = []
  /** By ended session: its cancels without a reply. */
  private readonly unanswered = new Map<BoundSession, number>()
  private timer: Timer | undefined = undefined

  constructor(
    gateway: number,
    context: Pick<EngineClient, 'command' | 'newClientOrderId'>,
    time: Time,
  ) {
    this.context = context
    this.time = time
    this.firstNumber = gateway * SESSIONS_PER_GATEWAY
  }

  /** The number of ended sessions that may still have open orders. */
  get count(): number {
    return this.unanswered.size
  }

  /** Begins a session; undefined when this gateway has no number left. */
  begin(): BoundSession | undefined {
    const free = this.free.pop()
    if (free !== undefined) return new BoundSession(free)
    if (this.used === SESSIONS_PER_GATEWAY) return undefined
    return new BoundSession(this.firstNumber + this.used++)
  }

  /** Ends a session, which places no more orders. */
  end(session: BoundSession): void {
    const before = this.waiting.length
    for (const [account, symbols] of session.symbols) {
      for (const symbolId of symbols)
        this.waiting.push({ session, account: AccountId(account), symbolId: SymbolId(symbolId) })
    }
    const cancels = this.waiting.length - before
    if (cancels === 0) this.free.push(session.number)
    else this.unanswered.set(session, cancels)
    // Not at once: a connection may end in the middle of a request, which would pay for the cancels.
    this.sendIn(0)
  }

  /** Leaves the remaining cancels to the next start. */
  close(): void {
    this.timer?.cancel()
    this.waiting = []
  }

  private sendIn(delayMs: number): void {
    if (this.timer !== undefined || this.waiting.length === 0) return
    this.timer = this.time.after(delayMs, () => {
      this.timer = undefined
      this.waiting = this.waiting.filter((ending) => !this.send(ending))
      this.sendIn(RETRY_MS)
    })
  }

  /** Returns false when there is no room for the command. */
  private send(ending: Ending): boolean {
    const { session, account, symbolId } = ending
    const slot = this.context.command(symbolId)
    if (slot === undefined) return false
    const { buffer } = slot
    CancelSessionOrders.setAccount(buffer, slot.at, account)
    CancelSessionOrders.setSession(buffer, slot.at, session.number)
    const clientOrderId = this.context.newClientOrderId()
    packClientOrderId(clientOrderId, buffer.i32, CancelSessionOrders.clientOrderIdAt(slot.at))
    let isBusy = false
    const collector: Collector = {
      record: (records, at) => {
        isBusy =
          recordType(records, at) === Rejected.type &&
          Rejected.reason(records, at) === RejectReason.SYMBOL_BUSY
      },
      done: () => (isBusy ? this.sendAgain(ending) : this.answered(session)),
      failed: () => this.sendAgain(ending),
    }
    slot.submit(CancelSessionOrders.type, CancelSessionOrders.bytes, collector, undefined)
    return true
  }

  private answered(session: BoundSession): void {
    const left = this.unanswered.get(session)! - 1
    if (left > 0) this.unanswered.set(session, left)
    else {
      this.unanswered.delete(session)
      this.free.push(session.number)
    }
  }

  /** It was refused, or the reply was lost or is late: the number is free only after a confirmed cancel. */
  private sendAgain(ending: Ending): void {
    this.waiting.push(ending)
    this.sendIn(RETRY_MS)
  }
}
