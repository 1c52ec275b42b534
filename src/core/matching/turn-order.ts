/** What recovery keeps of the order whose turn it folds. Written by the event and detail folds. */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import type { RestingOrder } from './symbol-state.ts'

export class TurnOrder implements RestingOrder {
  /** 0 while it is plain. */
  slot = 0
  account = 0
  terms = 0
  orderId = 0
  priceTicks = 0
  lots = 0
  filledLots = 0
  filledAtoms = 0
  preventedLots = 0
  createdMs = 0
  readonly idWords = new Int32Array(CLIENT_ORDER_ID_WORDS)
  readonly idAt = 0
}
