/** What the polite clients received of their orders, and what of it a later query contradicts. */

export interface FillTold {
  readonly tradeId: number
  readonly price: string
  readonly qty: string
}

/** An order as answers and queries have it. */
export interface OrderTold {
  readonly orderId: number
  readonly clientOrderId: string
  readonly status: string
  readonly executedQty: string
  readonly fills?: readonly FillTold[]
}

/** One account's orders and trades, as the exchange has them now. */
export interface Found {
  readonly orders: ReadonlyMap<number, OrderTold>
  readonly trades: ReadonlyMap<number, { readonly price: string; readonly qty: string }>
}

export class Acknowledged {
  private readonly placedById = new Map<number, OrderTold>()
  private readonly canceledIds = new Set<number>()
  private readonly refusedIds = new Set<string>()

  get count(): number {
    return this.placedById.size + this.canceledIds.size
  }

  placed(order: OrderTold): void {
    this.placedById.set(order.orderId, order)
  }

  canceled(orderId: number): void {
    this.canceledIds.add(orderId)
  }

  /** By the answer the order does not exist. */
  refused(clientOrderId: string): void {
    this.refusedIds.add(clientOrderId)
  }

  /** One sentence for each acknowledgement that `found` contradicts. */
  contradictions({ orders, trades }: Found): string[] {
    const sentences: string[] = []
    for (const [orderId, told] of this.placedById) {
      const order = orders.get(orderId)
      if (order === undefined) sentences.push(`order ${orderId} is lost`)
      else if (Number(order.executedQty) < Number(told.executedQty)) {
        sentences.push(`order ${orderId} executed ${told.executedQty}, now ${order.executedQty}`)
      }
      for (const { tradeId, price, qty } of told.fills ?? []) {
        const trade = trades.get(tradeId)
        if (trade?.price !== price || trade.qty !== qty) sentences.push(`trade ${tradeId} is lost`)
      }
    }
    for (const orderId of this.canceledIds) {
      const status = orders.get(orderId)?.status
      if (status !== 'CANCELED') sentences.push(`order ${orderId} was canceled, is ${status}`)
    }
    for (const { clientOrderId } of orders.values()) {
      if (this.refusedIds.has(clientOrderId)) sentences.push(`${clientOrderId} was refused, exists`)
    }
    return sentences
  }
}

/** One sentence for each order that is another than before, though no client sent anything. */
export function changesBetween(before: Found, after: Found): string[] {
  const textOf = (order: OrderTold | undefined) =>
    order === undefined ? 'missing' : `${order.status} ${order.executedQty}`
  return [...before.orders.values()].flatMap((order) => {
    const [was, is] = [textOf(order), textOf(after.orders.get(order.orderId))]
    return was === is ? [] : [`order ${order.orderId} was ${was} before the kill, is ${is}`]
  })
}
