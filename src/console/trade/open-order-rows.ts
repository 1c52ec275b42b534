/**
 * Own open orders, each in its own signal: an event renders one row, and the list only when an order
 * opens or closes.
 */
import { type Signal, signal } from '@preact/signals'
import { isOpen, type OrderRow } from './account-rows.ts'

/** Names an order: order ids count up in each market. */
export const keyOf = ({ symbol, orderId }: Pick<OrderRow, 'symbol' | 'orderId'>): string =>
  `${symbol} ${orderId}`

const byAge = (a: OrderRow, b: OrderRow) => b.time - a.time || b.orderId - a.orderId

export class OpenOrderRows {
  /** Keys, the newest order first. */
  readonly keys = signal<readonly string[]>([])
  /** Changes with each order, for painters. */
  version = 0
  private readonly rows = new Map<string, Signal<OrderRow>>()

  of(key: string): OrderRow | undefined {
    return this.rows.get(key)?.value
  }

  /** Newest first. Without a symbol those of all markets. */
  *all(symbol?: string): Iterable<OrderRow> {
    for (const key of this.keys.peek()) {
      const row = this.rows.get(key)!.peek()
      if (symbol === undefined || row.symbol === symbol) yield row
    }
  }

  count(symbol: string): number {
    return [...this.all(symbol)].length
  }

  markets(): ReadonlySet<string> {
    return new Set([...this.all()].map(({ symbol }) => symbol))
  }

  load(orders: readonly OrderRow[]): void {
    const sorted = [...orders].sort(byAge)
    this.rows.clear()
    for (const order of sorted) this.rows.set(keyOf(order), signal(order))
    this.keys.value = sorted.map(keyOf)
    this.version++
  }

  /** Takes an order as it stands now. */
  take(order: OrderRow): void {
    const key = keyOf(order)
    const { value: keys } = this.keys
    const row = this.rows.get(key)
    this.version++
    if (row !== undefined && isOpen(order)) row.value = order
    else if (row !== undefined) {
      this.keys.value = keys.filter((it) => it !== key)
      this.rows.delete(key)
    } else if (isOpen(order)) {
      // The newest, unless another event has overtaken this one.
      const at = keys.findIndex((it) => byAge(order, this.rows.get(it)!.peek()) < 0)
      this.rows.set(key, signal(order))
      this.keys.value = keys.toSpliced(at === -1 ? keys.length : at, 0, key)
    }
  }
}
