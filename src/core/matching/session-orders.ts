/**
 * The sessions with open orders on a symbol (cancel on disconnect). Only a start needs them, because no
 * session outlives the process. While the exchange runs, a session's gateway knows its orders.
 */
import { OrderPhase, Side, sessionOf } from '../../base/codes.ts'
import { type AccountId, OrderId } from '../../base/units.ts'
import type { SymbolState } from './symbol-state.ts'

export interface SessionOwner {
  readonly account: AccountId
  readonly session: number
}

/** Each account and session with open orders, the one with the oldest order first. */
export function sessionOwners({ book, details }: SymbolState): readonly SessionOwner[] {
  const oldest = new Map<string, SessionOwner & { orderId: OrderId }>()
  const note = (slot: number) => {
    const account = book.account[slot]!
    const orderId = book.orderId[slot]!
    const session = sessionOf(book.terms[slot]!)
    if (session === 0) return
    const owner = oldest.get(`${account} ${session}`)
    if (owner === undefined) oldest.set(`${account} ${session}`, { account, session, orderId })
    else owner.orderId = OrderId(Math.min(owner.orderId, orderId))
  }
  for (const side of [Side.BUY, Side.SELL]) {
    for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) {
      note(slot)
    }
  }
  for (const slot of details.sorted()) {
    if (details.phase.of(slot) !== OrderPhase.WORKING) note(slot)
  }
  return [...oldest.values()].sort((a, b) => a.orderId - b.orderId)
}
