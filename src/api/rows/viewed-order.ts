/** Orders as records of the engine have them, in the shape in which the archive returns them. */
import { unpackClientOrderId } from '../../base/client-order-id.ts'
import { isRouted, WorkingFloor } from '../../base/codes.ts'
import type { Ticks } from '../../base/units.ts'
import type { OrderRow } from '../../history/account-history.ts'
import { orderRowOf } from '../../history/order-row.gen.ts'
import { PreventionSection } from '../../layout/accessors.gen.ts'
import type { OrderView } from '../../layout/order-view.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { readDetailsSection } from '../../layout/records.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'

export type ViewedOrder = OrderRow & { readonly spec: SymbolSpec }

/** The order of the symbol that `view` has just read from `records`. */
export function viewedOrder(spec: SymbolSpec, view: OrderView, records: RecordBuffer): ViewedOrder {
  const { detailsAt, preventionAt } = view
  const row: OrderRow & { spec?: SymbolSpec; floor?: number | undefined } = orderRowOf(
    view,
    preventionAt < 0 ? 0 : PreventionSection.preventedMatchId(records, preventionAt) + 1,
    unpackClientOrderId(records.i32, view.idAt),
    detailsAt < 0 ? undefined : readDetailsSection(records, detailsAt),
  )
  // Set here, not by a spread, which takes six times as long: a list of open orders has thousands.
  row.spec = spec
  if (isRouted(view.terms)) row.floor = view.floor
  return row as ViewedOrder
}

/** Returns an order's record with the limit that its client sent: a peg's price stands beside it (OrderRow). */
export function asSent<Of extends PricedRecord>(record: Of): Of & Pick<OrderRow, 'peggedTicks'> {
  const { priceTicks: peggedTicks, details } = record
  if (details === undefined || details.pegLimitTicks < 0) return record
  return { ...record, priceTicks: details.pegLimitTicks, peggedTicks }
}
interface PricedRecord {
  readonly priceTicks: Ticks
  readonly details?: { readonly pegLimitTicks: Ticks } | undefined
}

/** Returns the record of a resting order, with the floor of a routed one. */
export const atRest = <Of extends { readonly terms: number }>(
  record: Of,
): Of & Pick<OrderRow, 'floor'> =>
  isRouted(record.terms) ? { ...record, floor: WorkingFloor.EXCHANGE } : record

/** The order's own id; '' where the record goes by it. */
export const renamedFrom = ({ idAt, ownIdAt }: OrderView, { i32 }: RecordBuffer): string =>
  idAt === ownIdAt ? '' : unpackClientOrderId(i32, ownIdAt)
