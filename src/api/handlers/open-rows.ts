/** What the engine answers of open orders, as rows like those of the archive. */
import type { HistoryQueries } from '../../history/queries.ts'
import { OrderState } from '../../layout/accessors.gen.ts'
import { OrderFold } from '../../layout/order-fold.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type FoldedOrder, foldedOrder } from '../rows/folded-order.ts'

const fold = new OrderFold()

export class OpenRows {
  readonly rows: FoldedOrder[] = []
  readonly #spec: SymbolSpec

  constructor(spec: SymbolSpec) {
    this.#spec = spec
  }

  /** Takes in the next reply to the query. */
  add(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) !== OrderState.type) return
    fold.read(buffer, at)
    this.rows.push(foldedOrder(this.#spec, fold, buffer))
  }
}

/** Whether an open order has lost quantity to self-trade prevention, as DECREMENT does. */
export const wasPrevented = (row: FoldedOrder): boolean => row.preventedLots > 0

/**
 * The row with the id of its last prevented match, which only the archive remembers. A row of
 * another kind is answered as it is.
 */
export async function withPreventedMatch(
  row: FoldedOrder,
  history: HistoryQueries,
): Promise<FoldedOrder> {
  if (!wasPrevented(row)) return row
  const { account, orderId, spec } = row
  const archived = await history.order({ account, symbolId: spec.id, orderId })
  return archived === undefined
    ? row
    : { ...row, preventedMatchIdPlusOne: archived.preventedMatchIdPlusOne }
}
