/** What recovery keeps of the order whose turn it folds. Written by the event and detail folds. */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { type AccountId, Lots, type Ms, type OrderId, QuoteAtoms, Ticks } from '../../base/units.ts'
import type { RestingOrder } from './symbol-state.ts'

export class TurnOrder implements RestingOrder {
  /** 0 while it is plain. */
  slot = 0
  account: AccountId = 0
  terms = 0
  orderId: OrderId = 0
  priceTicks = Ticks(0)
  lots = Lots(0)
  filledLots = Lots(0)
  filledAtoms = QuoteAtoms(0)
  preventedLots = Lots(0)
  createdMs: Ms = 0
  readonly idWords = new Int32Array(CLIENT_ORDER_ID_WORDS)
  readonly idAt = 0
}
