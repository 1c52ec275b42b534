/**
 * Finds an open order by its account and client order id. The ids are chosen by clients, so that
 * nothing is known about their order: all their words and the account are mixed into the home.
 * Orders without a client order id are not in it and cost it nothing. Writer: the symbol's matcher.
 */
import { CLIENT_ORDER_ID_WORDS } from '#base/client-order-id.ts'
import type { Chains } from './chains.ts'
import type { Orders } from './orders.ts'

export class ClientIndex {
  readonly index: Chains
  private readonly orders: Orders

  constructor(index: Chains, orders: Orders) {
    this.index = index
    this.orders = orders
  }

  private homeOf(slot: number): number {
    const { account, clientOrderId } = this.orders
    return this.home(account[slot]!, clientOrderId, this.orders.clientOrderIdAt(slot))
  }

  private home(account: number, words: Int32Array, at: number): number {
    let mixed = account | 0
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
      const value = words[at + word]!
      // Behind the end of the id all words are zero.
      if (value === 0) break
      mixed = Math.imul(mixed ^ value, 0x9e3779b1)
      mixed ^= mixed >>> 15
    }
    return mixed & this.index.mask
  }

  /** The order's words stand in its column already. */
  add(slot: number): void {
    this.index.add(this.homeOf(slot), slot)
  }

  delete(slot: number): void {
    this.index.remove(this.homeOf(slot), slot)
  }

  find(account: number, words: Int32Array, at: number): number {
    const { index } = this
    let slot = index.homes[this.home(account, words, at)]!
    while (slot !== 0 && !this.belongs(slot, account, words, at)) slot = index.next(slot)
    return slot
  }

  private belongs(slot: number, owner: number, words: Int32Array, at: number): boolean {
    const { account, clientOrderId } = this.orders
    if (account[slot] !== owner) return false
    const own = this.orders.clientOrderIdAt(slot)
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
      const value = words[at + word]!
      if (clientOrderId[own + word] !== value) return false
      if (value === 0) break
    }
    return true
  }
}
