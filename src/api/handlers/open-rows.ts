/** What the engine answers of open orders, as rows like those of the archive. */
import type { HistoryQueries } from '../../history/queries.ts'
import { OrderState } from '../../layout/accessors.gen.ts'
import { OrderView } from '../../layout/order-view.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type ViewedOrder, viewedOrder } from '../rows/viewed-order.ts'

const view = new OrderView()

export class OpenRows {
  readonly rows: ViewedOrder[] = []
  private readonly spec: SymbolSpec

  constructor(spec: SymbolSpec) {
    this.spec = spec
  }

  /** Takes in the next reply to the query. */
  add(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) !== OrderState.type) return
    view.read(buffer, at)
    this.rows.push(viewedOrder(this.spec, view, buffer))
  }
}

/** Whether an open order has lost quantity to self-trade prevention, as DECREMENT does. */
export const wasPrevented = (row: ViewedOrder): boolean => row.preventedLots > 0

/**
 * The row with the id of its last prevented match, which only the archive remembers. A row of
 * another kind is answered as it is.
 */
export async function withPreventedMatch(
  row: ViewedOrder,
  history: HistoryQueries,
): Promise<ViewedOrder> {
  if (!wasPrevented(row)) return row
  const { account, orderId, spec } = row
  const archived = await history.order({ account, symbolId: spec.id, orderId })
  return archived === undefined
    ? row
    : { ...row, preventedMatchIdPlusOne: archived.preventedMatchIdPlusOne }
}
