/**
 * Hashes an account and a client order id. Clients choose the ids, so a hash that they know would let
 * them put all their orders into one chain. It therefore depends on a salt, which each start draws and
 * the caller passes. Chains depend on the salt; a book's decisions do not.
 *
 * The salt gives two odd factors. The rotation between them moves a difference in a word's high bits
 * to where the second factor spreads it. So no difference has a result known in advance.
 */
import { CLIENT_ORDER_ID_WORDS } from './client-order-id.ts'
import type { AccountId } from './units.ts'

export class ClientIdHash {
  private readonly start: number
  private readonly first: number
  private readonly second: number

  /** `salt` is any 32-bit word. */
  constructor(salt: number) {
    this.start = mix(salt)
    this.first = mix(salt + 0x9e3779b9) | 1
    this.second = mix(salt + 0x3c6ef372) | 1
  }

  /** Returns the hash of the id packed at words[at ..] (base/client-order-id.ts). */
  of(account: AccountId, words: Int32Array, at: number): number {
    const first = this.first
    const second = this.second
    // Else an account and a first word that differ in the same bits would share a hash.
    let mixed = this.start ^ Math.imul(account, second)
    for (let word = 0; word < CLIENT_ORDER_ID_WORDS; word++) {
      const value = words[at + word]!
      // Behind the end of the id all words are zero.
      if (value === 0) break
      mixed = Math.imul(mixed ^ value, first)
      mixed = Math.imul((mixed << 16) | (mixed >>> 16), second)
      mixed ^= mixed >>> 15
    }
    return mixed
  }
}

/** Each bit of the result depends on all bits of the value. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
