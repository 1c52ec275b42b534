/**
 * Finds an open order by its account and client order id. The ids are chosen by clients, so that
 * nothing is known about their order: all their words and the account are mixed into a salted hash.
 * Orders without a client order id are not in it and cost it nothing. Writer: the symbol's matcher.
 */

import { ClientIdHash } from '../../base/client-id-hash.ts'
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import type { AccountId } from '../../base/units.ts'
import { Head, type MemoryMap, TailWord, wordsOf } from './memory-map.ts'
import type { Orders } from './orders.ts'
import { SlotIndex } from './slot-index.ts'

export class ClientIndex {
  readonly index: SlotIndex
  readonly hash: ClientIdHash
  private readonly orders: Orders

  /** Orders that stand in the memory were added under the same salt. */
  constructor(memory: SharedArrayBuffer, map: MemoryMap, orders: Orders, salt: number) {
    this.hash = new ClientIdHash(salt)
    const homes = wordsOf(memory, map.clientHomes)
    const links = wordsOf(memory, map.tails, TailWord.CLIENT_CHAIN)
    const head = wordsOf(memory, map.head)
    const hashOf = (slot: number) => this.hashOf(slot)
    this.index = new SlotIndex(homes, links, 1, head, Head.CLIENT_MASK, hashOf)
    this.orders = orders
  }

  /** The order's words stand in its column already; `hash` is that of its account and them. */
  add(slot: number, hash: number): void {
    this.index.add(hash, slot)
  }

  delete(slot: number): void {
    this.index.remove(slot)
  }

  find(account: AccountId, words: Int32Array, at: number, hash: number): number {
    const { index } = this
    let slot = index.first(hash)
    for (; slot > 0; slot = index.next(slot)) {
      if (this.belongs(slot, account, words, at)) return slot
    }
    return 0
  }

  private hashOf(slot: number): number {
    const { account, clientOrderId } = this.orders
    return this.hash.of(account[slot]!, clientOrderId, this.orders.clientOrderIdAt(slot))
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
