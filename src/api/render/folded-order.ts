/** Orders as records of the engine say that they stand, in the shape in which the archive returns them. */
import { unpackClientOrderId } from '../../base/client-order-id.ts'
import type { OrderRow } from '../../history/account-history.ts'
import { PreventionSection } from '../../layout/accessors.gen.ts'
import type { OrderFold } from '../../layout/order-fold.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { readDetailsSection } from '../../layout/records.gen.ts'

/** The order that `fold` has just read from `records`. */
export function foldedOrder(fold: OrderFold, records: RecordBuffer): OrderRow {
  const { detailsAt, preventionAt } = fold
  // Field by field: a spread takes six times as long, and a list of open orders has thousands.
  const row = {
    orderId: fold.orderId,
    account: fold.account,
    terms: fold.terms,
    priceTicks: fold.priceTicks,
    lots: fold.lots,
    quoteAtoms: fold.quoteAtoms,
    filledLots: fold.filledLots,
    filledAtoms: fold.filledAtoms,
    preventedLots: fold.preventedLots,
    preventedMatchIdPlusOne:
      preventionAt < 0 ? 0 : PreventionSection.preventedMatchId(records, preventionAt) + 1,
    status: fold.status,
    reason: fold.reason,
    createdMs: fold.createdMs,
    updatedMs: fold.updatedMs,
    clientOrderId: unpackClientOrderId(records.i32, fold.idAt),
  }
  return detailsAt < 0 ? row : { ...row, details: readDetailsSection(records, detailsAt) }
}

/** The order's own id; '' where the record goes by it. */
export const renamedFrom = ({ idAt, ownIdAt }: OrderFold, { i32 }: RecordBuffer): string =>
  idAt === ownIdAt ? '' : unpackClientOrderId(i32, ownIdAt)
