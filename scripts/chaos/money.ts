/** What trades move and what open orders hold, in units of 1e-8, by the protocol. */
import { isOpen, type KnownOrder } from './known-orders.ts'
import { type Market, markets } from './lane.ts'
import type { FoundTrade } from './recovered.ts'

const UNITS = 100_000_000n

/** What one trade did to its owner's balances, by asset. */
export function effectsOf(trade: FoundTrade, { base, quote }: Market): [string, bigint][] {
  const { isBuyer, qty, quoteQty, commission, commissionAsset } = trade
  return [
    [base, isBuyer ? qty : -qty],
    [quote, isBuyer ? -quoteQty : quoteQty],
    [commissionAsset, -commission],
  ]
}

/** What an account's open orders hold, by asset: a list holds no more than its dearest leg. */
export function lockedBy(open: readonly KnownOrder[]): Map<string, bigint> {
  const byOrder = new Map<string, [asset: string, held: bigint]>()
  for (const order of open.filter(isOpen)) {
    if (order.status === 'PENDING_NEW') continue
    const { base, quote } = markets.find(({ symbol }) => symbol === order.symbol)!
    const left = order.origQty - order.executedQty
    const isBuy = order.side === 'BUY'
    const held = isBuy ? (left * order.price) / UNITS : left
    const { orderListId } = order
    const key = orderListId >= 0 ? `list ${orderListId}` : `${order.symbol} ${order.orderId}`
    const before = byOrder.get(key)?.[1] ?? 0n
    byOrder.set(key, [isBuy ? quote : base, held > before ? held : before])
  }
  const locked = new Map<string, bigint>()
  for (const [asset, held] of byOrder.values()) locked.set(asset, (locked.get(asset) ?? 0n) + held)
  return locked
}
