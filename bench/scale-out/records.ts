/**
 * What the journals of the simulated shards hold. The shard of an account owns its balances and
 * reservations; the shard of a symbol owns its book. Each block says how far its writer had read the
 * journals of the other kind: what was read and what followed from it are committed together, or neither.
 */

export const Side = { buy: 0, sell: 1 } as const
export type Side = (typeof Side)[keyof typeof Side]

/** A limit order that stays until it is filled or cancelled. */
export interface Order {
  readonly id: number
  readonly account: number
  readonly symbol: number
  readonly side: Side
  readonly price: number
  readonly lots: number
}

/** What a record does to one balance; the postings of a trade add up to zero in each asset. */
export interface Posting {
  readonly account: number
  readonly order: number
  readonly asset: number
  readonly free: number
  readonly reserved: number
}

export interface Trade {
  readonly buy: Order
  readonly sell: Order
  readonly price: number
  readonly lots: number
}

/** The first three are an account shard's, the others a symbol shard's. */
export type Row =
  | { readonly kind: 'deposited'; readonly posting: Posting }
  | { readonly kind: 'reserved'; readonly order: Order }
  | { readonly kind: 'settled'; readonly posting: Posting }
  | { readonly kind: 'opened'; readonly order: Order }
  | { readonly kind: 'traded'; readonly trade: Trade }
  | { readonly kind: 'closed'; readonly order: Order; readonly lotsLeft: number }

export interface Block {
  /** By shard of the other kind: how many of its blocks the writer had read. */
  readonly watermarks: readonly number[]
  readonly rows: readonly Row[]
}

export type Command =
  | { readonly kind: 'place'; readonly order: Order }
  | { readonly kind: 'cancel'; readonly order: Order }

/** What a shard of either kind does. All of its state follows from its own journal. */
export interface Shard {
  /** Returns the rows that a client's command leads to; none for one that changes nothing. */
  execute(command: Command): readonly Row[]
  /** Returns the rows that a block of the other kind's shard leads to. */
  take(block: Block): readonly Row[]
  /** Repeats a row of the own journal. */
  apply(row: Row): void
}

/** Asset 0 pays for all; symbol s trades asset s + 1. */
export const QUOTE = 0
export const baseOf = (symbol: number): number => symbol + 1

/** Returns what an order of so many lots reserves. */
export function reservationOf(order: Order, lots = order.lots): Posting {
  const isBuy = order.side === Side.buy
  const amount = isBuy ? order.price * lots : lots
  const asset = isBuy ? QUOTE : baseOf(order.symbol)
  return { account: order.account, order: order.id, asset, free: -amount, reserved: amount }
}

/** Returns what a row of a symbol shard does to balances. */
export function postingsOf(row: Row): readonly Posting[] {
  if (row.kind === 'closed') {
    const { free, reserved, ...owner } = reservationOf(row.order, row.lotsLeft)
    return [{ ...owner, free: -free, reserved: -reserved }]
  }
  if (row.kind !== 'traded') return []
  const { buy, sell, price, lots } = row.trade
  const base = baseOf(buy.symbol)
  const buyer = { account: buy.account, order: buy.id }
  const seller = { account: sell.account, order: sell.id }
  return [
    // A buyer who reserved at a higher price gets the difference back.
    { ...buyer, asset: QUOTE, free: (buy.price - price) * lots, reserved: -buy.price * lots },
    { ...buyer, asset: base, free: lots, reserved: 0 },
    { ...seller, asset: base, free: 0, reserved: -lots },
    { ...seller, asset: QUOTE, free: price * lots, reserved: 0 },
  ]
}
