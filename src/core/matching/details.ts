/**
 * What only some open orders have: stops, icebergs, members of lists, orders with a strategy, that were
 * amended or that lost quantity to self-trade prevention. Sparse columns under the slot that the book
 * names the order by. A plain order, whose terms lack the DETAILED bit, takes no room in them: each
 * column returns its initial value for it. Writer: the engine of the symbol.
 *
 * ```
 * slot ──► row of the slot ──► one value in each column
 *          0 for plain          row 0 keeps the initial values
 * ```
 *
 * The columns come from layout/schema/order-fields.ts.
 */
import { OrderListId } from '../../base/units.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { OrderBook } from '../book/order-book.ts'
import { OrderColumns } from './order-columns.gen.ts'
import { SlotRows } from './sparse-column.ts'

/** In no list. */
export const NO_LIST = OrderListId(-1)

export class Details extends OrderColumns {
  private readonly book: Pick<OrderBook, 'slotShift' | 'orderId' | 'account'>
  private readonly rows: SlotRows
  private readonly free: number[] = []
  private fresh = 1

  constructor(book: Pick<OrderBook, 'slotShift' | 'orderId' | 'account'>) {
    const rows = new SlotRows(book.slotShift)
    super(rows)
    this.book = book
    this.rows = rows
  }

  /** The order becomes detailed. */
  add(slot: number): void {
    const row = this.free.pop() ?? this.fresh++
    for (const column of this.columns) column.reset(row)
    this.rows.set(slot, row)
  }

  /** The order has left: its columns read as those of a plain one. */
  remove(slot: number): void {
    this.free.push(this.rows.of(slot))
    this.rows.set(slot, 0)
  }

  /** The slots of all detailed orders, by order id. */
  sorted(): readonly number[] {
    const { orderId } = this.book
    return this.rows.slots().sort((a, b) => orderId[a]! - orderId[b]!)
  }

  /** Writes an order as the section at byte `at` of `records`; nothing where that is -1. */
  write(slot: number, records: RecordBuffer, at: number): void {
    if (at >= 0) this.writeSection(slot, records, at)
  }
}
