/** Orders as records of the engine say that they stand, in the shape in which the archive returns them. */
import { unpackClientOrderId } from '../../base/client-order-id.ts'
import type { OrderRow } from '../../history/account-history.ts'
import { orderRowOf } from '../../history/order-row.gen.ts'
import { PreventionSection } from '../../layout/accessors.gen.ts'
import type { OrderFold } from '../../layout/order-fold.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { readDetailsSection } from '../../layout/records.gen.ts'

/** The order that `fold` has just read from `records`. */
export function foldedOrder(fold: OrderFold, records: RecordBuffer): OrderRow {
  const { detailsAt, preventionAt } = fold
  return orderRowOf(
    fold,
    preventionAt < 0 ? 0 : PreventionSection.preventedMatchId(records, preventionAt) + 1,
    unpackClientOrderId(records.i32, fold.idAt),
    detailsAt < 0 ? undefined : readDetailsSection(records, detailsAt),
  )
}

/** The order's own id; '' where the record goes by it. */
export const renamedFrom = ({ idAt, ownIdAt }: OrderFold, { i32 }: RecordBuffer): string =>
  idAt === ownIdAt ? '' : unpackClientOrderId(i32, ownIdAt)
