/**
 * Finds an open order by its account and client order id. The ids are chosen by clients, so that
 * nothing is known about their order: all eight words and the account are mixed into the home.
 * Orders without a client order id are not in it and cost it nothing. Writer: the symbol's matcher.
 */
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import type { Orders } from './orders.ts'
import type { Homes, SlotTable } from './slot-table.ts'

export class ClientIndex implements Homes {
  readonly table: SlotTable
  private readonly orders: Orders

  constructor(table: SlotTable, orders: Orders) {
    this.table = table
    this.orders = orders
  }

  homeOf(slot: number): number {
    const { account, clientOrderId } = this.orders
    return this.home(account[slot]!, clientOrderId, slot * CLIENT_ORDER_ID_WORDS)
  }

  private home(account: number, words: Int32Array, at: number): number {
    let mixed = account | 0
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
      mixed = Math.imul(mixed ^ words[at + word]!, 0x9e3779b1)
      mixed ^= mixed >>> 15
    }
    return mixed & this.table.mask
  }

  /** The order's words stand in its column already. */
  add(slot: number): void {
    this.table.add(this.homeOf(slot), slot)
  }

  delete(slot: number): void {
    this.table.remove(this.homeOf(slot), slot, this)
  }

  find(account: number, words: Int32Array, at: number): number {
    const table = this.table
    let position = this.home(account, words, at)
    for (;;) {
      const slot = table.slots[position]!
      if (slot === 0 || this.belongs(slot, account, words, at)) return slot
      position = table.next(position)
    }
  }

  private belongs(slot: number, owner: number, words: Int32Array, at: number): boolean {
    const { account, clientOrderId } = this.orders
    if (account[slot] !== owner) return false
    const own = slot * CLIENT_ORDER_ID_WORDS
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
      if (clientOrderId[own + word] !== words[at + word]) return false
    }
    return true
  }
}
