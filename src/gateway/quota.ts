/**
 * How much clients make one gateway keep of one thing: by address and in all. Used on the gateway's
 * thread. What is beyond a bound is not counted, and the caller must not keep it.
 */
export class Quota {
  readonly #perAddressMax: number
  readonly #max: number
  readonly #byAddress = new Map<string, number>()
  #total = 0

  constructor(perAddressMax: number, max: number) {
    this.#perAddressMax = perAddressMax
    this.#max = max
  }

  get total(): number {
    return this.#total
  }

  hasRoom(address: string, amount: number): boolean {
    const sum = (this.#byAddress.get(address) ?? 0) + amount
    return sum <= this.#perAddressMax && this.#total + amount <= this.#max
  }

  /** Counts the amount in. Returns whether there was room for it. */
  take(address: string, amount: number): boolean {
    if (!this.hasRoom(address, amount)) return false
    this.#total += amount
    if (amount > 0) this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + amount)
    return true
  }

  /** Counts out what take() counted in. */
  give(address: string, amount: number): void {
    if (amount === 0) return
    const rest = this.#byAddress.get(address)! - amount
    this.#total -= amount
    if (rest === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, rest)
  }
}

/** An address as clients are counted by it. */
export const addressKey = (peer: ArrayBuffer): string => Buffer.from(peer).toString('latin1')
