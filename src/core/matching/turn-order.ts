/** What recovery keeps of the order whose turn it folds. Written by the event and detail folds. */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { OrderSummary } from './order-summary.ts'

export class TurnOrder extends OrderSummary {
  override readonly idWords = new Int32Array(CLIENT_ORDER_ID_WORDS)
}
