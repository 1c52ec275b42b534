/**
 * The plain twin of accounts and symbols on several shards: one ledger, which takes each commit at its
 * moment and knows nothing of watermarks. It checks that each row may stand where it stands, and that
 * what the shards have settled and what they still have to settle are the ledger's own money.
 */
import type { Block, Order, Posting, Row } from '../../bench/scale-out/records.ts'
import { postingsOf, reservationOf } from '../../bench/scale-out/records.ts'

interface Money {
  free: number
  reserved: number
}

export class PlainVenue {
  /** By account and asset, as in one ledger. */
  readonly ledger = new Map<string, Money>()
  /** The same as far as the shards have settled. */
  readonly settled = new Map<string, Money>()
  /** What shards have to settle, by its text. */
  readonly #pending = new Map<string, number>()
  readonly #reserved = new Set<number>()
  readonly #opened = new Set<number>()
  readonly #lotsLeft = new Map<number, number>()
  readonly #deposits = new Map<number, number>()
  /** Of each order's reservation; all of it is filled or released in the end. */
  readonly reservations = new Map<number, number>()

  /** Throws for a row that must not be there. */
  commit(block: Block): void {
    for (const row of block.rows) this.#take(row)
  }

  /** Throws unless money is conserved and no balance is negative. */
  check(): void {
    const totals = new Map<number, number>()
    const add = (asset: number, amount: number) =>
      totals.set(asset, (totals.get(asset) ?? 0) + amount)
    for (const [key, { free, reserved }] of this.settled) {
      if (free < 0 || reserved < 0) throw new Error(`${key} has ${free} and ${reserved} reserved`)
      add(Number(key.split('/')[1]), free + reserved)
    }
    for (const [text, count] of this.#pending) {
      const { asset, free, reserved } = JSON.parse(text) as Posting
      add(asset, count * (free + reserved))
    }
    for (const [asset, deposit] of this.#deposits) {
      if (totals.get(asset) !== deposit) throw new Error(`asset ${asset} has ${totals.get(asset)}`)
    }
  }

  /** Throws unless all is settled, and each reservation filled or released. */
  checkEnd(): void {
    this.check()
    if (this.#pending.size > 0) throw new Error('a shard missed what it has to settle')
    if (this.#lotsLeft.size > 0) throw new Error('an order is open that was to be cancelled')
    if (this.reservations.size > 0) throw new Error('a reservation is left')
    const opened = [...this.#reserved].filter((id) => !this.#opened.has(id))
    if (opened.length > 0) throw new Error(`order ${opened[0]} reserved and was never matched`)
  }

  #take(row: Row): void {
    if (row.kind === 'deposited') {
      const { asset, free } = row.posting
      this.#deposits.set(asset, (this.#deposits.get(asset) ?? 0) + free)
      this.#post(this.ledger, row.posting)
      this.#post(this.settled, row.posting)
    } else if (row.kind === 'reserved') this.#reserve(row.order)
    else if (row.kind === 'settled') this.#settle(row.posting)
    else {
      this.#match(row)
      for (const posting of postingsOf(row)) {
        this.#post(this.ledger, posting)
        const text = JSON.stringify(posting)
        this.#pending.set(text, (this.#pending.get(text) ?? 0) + 1)
        this.#reduceReservation(posting)
      }
    }
  }

  #reserve(order: Order): void {
    if (this.#reserved.has(order.id)) throw new Error(`order ${order.id} reserved twice`)
    this.#reserved.add(order.id)
    const posting = reservationOf(order)
    this.reservations.set(order.id, posting.reserved)
    this.#post(this.ledger, posting)
    this.#post(this.settled, posting)
  }

  #settle(posting: Posting): void {
    const text = JSON.stringify(posting)
    const count = this.#pending.get(text) ?? 0
    if (count === 0) throw new Error(`settled without a reason: ${text}`)
    if (count === 1) this.#pending.delete(text)
    else this.#pending.set(text, count - 1)
    this.#post(this.settled, posting)
  }

  #match(row: Extract<Row, { kind: 'opened' | 'traded' | 'closed' }>): void {
    if (row.kind === 'opened') {
      const { id, lots } = row.order
      if (!this.#reserved.has(id)) throw new Error(`order ${id} never reserved`)
      if (this.#opened.has(id)) throw new Error(`order ${id} was opened twice`)
      this.#opened.add(id)
      this.#lotsLeft.set(id, lots)
    } else if (row.kind === 'closed') this.#reduce(row.order.id, row.lotsLeft)
    else {
      this.#reduce(row.trade.buy.id, row.trade.lots)
      this.#reduce(row.trade.sell.id, row.trade.lots)
    }
  }

  #reduce(id: number, lots: number): void {
    const left = (this.#lotsLeft.get(id) ?? 0) - lots
    if (left < 0) throw new Error(`order ${id} traded more than it had`)
    if (left === 0) this.#lotsLeft.delete(id)
    else this.#lotsLeft.set(id, left)
  }

  #reduceReservation({ order, reserved }: Posting): void {
    if (reserved === 0) return
    const left = this.reservations.get(order)! + reserved
    if (left === 0) this.reservations.delete(order)
    else this.reservations.set(order, left)
  }

  #post(to: Map<string, Money>, { account, asset, free, reserved }: Posting): void {
    const key = `${account}/${asset}`
    const money = to.get(key) ?? { free: 0, reserved: 0 }
    money.free += free
    money.reserved += reserved
    to.set(key, money)
  }
}
