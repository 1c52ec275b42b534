/** The shard that owns some accounts: their balances, and what their open orders reserve. */
import {
  type Block,
  type Command,
  type Posting,
  postingsOf,
  type Row,
  reservationOf,
  type Shard,
} from './records.ts'

export interface Balance {
  free: number
  reserved: number
}

export class AccountShard implements Shard {
  readonly #isOwn: (account: number) => boolean
  /** By `balanceKey`. */
  readonly balances = new Map<number, Balance>()
  /** What is left of the reservation of each order that has one. */
  readonly reservations = new Map<number, number>()
  /** All orders that ever reserved: an order that a client sends again changes nothing. */
  readonly #known = new Set<number>()

  constructor(isOwn: (account: number) => boolean) {
    this.#isOwn = isOwn
  }

  execute(command: Command): readonly Row[] {
    if (command.kind === 'cancel' || this.#known.has(command.order.id)) return []
    const { account, asset, reserved } = reservationOf(command.order)
    if (this.#balanceOf(account, asset).free < reserved) return []
    return this.#done([{ kind: 'reserved', order: command.order }])
  }

  take(block: Block): readonly Row[] {
    return this.#done(
      block.rows
        .flatMap(postingsOf)
        .filter(({ account }) => this.#isOwn(account))
        .map((posting) => ({ kind: 'settled', posting })),
    )
  }

  apply(row: Row): void {
    if (row.kind === 'reserved') {
      this.#known.add(row.order.id)
      this.#post(reservationOf(row.order))
    } else if (row.kind === 'deposited' || row.kind === 'settled') this.#post(row.posting)
  }

  #done(rows: readonly Row[]): readonly Row[] {
    for (const row of rows) this.apply(row)
    return rows
  }

  #post({ account, order, asset, free, reserved }: Posting): void {
    const balance = this.#balanceOf(account, asset)
    balance.free += free
    balance.reserved += reserved
    if (reserved === 0) return
    const left = (this.reservations.get(order) ?? 0) + reserved
    if (left === 0) this.reservations.delete(order)
    else this.reservations.set(order, left)
  }

  #balanceOf(account: number, asset: number): Balance {
    const key = balanceKey(account, asset)
    const known = this.balances.get(key)
    if (known !== undefined) return known
    const balance = { free: 0, reserved: 0 }
    this.balances.set(key, balance)
    return balance
  }
}

export const balanceKey = (account: number, asset: number): number => account * 65_536 + asset
