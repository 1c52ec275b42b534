/** Orders as records of the engine say that they stand, in the shape in which the archive returns them. */
import { unpackClientOrderId } from '../../base/client-order-id.ts'
import type { OrderRow } from '../../history/account-history.ts'
import { orderRowOf } from '../../history/order-row.gen.ts'
import { PreventionSection } from '../../layout/accessors.gen.ts'
import type { OrderFold } from '../../layout/order-fold.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { readDetailsSection } from '../../layout/records.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'

/** An order of this symbol. */
export type FoldedOrder = OrderRow & { readonly spec: SymbolSpec }

/** The order of the symbol that `fold` has just read from `records`. */
export function foldedOrder(spec: SymbolSpec, fold: OrderFold, records: RecordBuffer): FoldedOrder {
  const { detailsAt, preventionAt } = fold
  const row: OrderRow & { spec?: SymbolSpec } = orderRowOf(
    fold,
    preventionAt < 0 ? 0 : PreventionSection.preventedMatchId(records, preventionAt) + 1,
    unpackClientOrderId(records.i32, fold.idAt),
    detailsAt < 0 ? undefined : readDetailsSection(records, detailsAt),
  )
  // Set here, not by a spread, which takes six times as long: a list of open orders has thousands.
  row.spec = spec
  return row as FoldedOrder
}

/** The order's own id; '' where the record goes by it. */
export const renamedFrom = ({ idAt, ownIdAt }: OrderFold, { i32 }: RecordBuffer): string =>
  idAt === ownIdAt ? '' : unpackClientOrderId(i32, ownIdAt)
