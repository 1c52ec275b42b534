/**
 * A bound on one kind of thing that clients make a gateway keep: by address and in all. Used on the
 * gateway's thread. Beyond a bound nothing is counted, and the caller must not keep the thing.
 */
import { ADDRESS_BYTES, isMapped } from '../../base/address-range.ts'
import { Tally } from './tally.ts'

const IPV4_BYTES = 4

export class Quota {
  private readonly perAddressMax: number
  private readonly max: number
  private readonly byAddress = new Tally()
  private _total = 0

  constructor(perAddressMax: number, max: number) {
    this.perAddressMax = perAddressMax
    this.max = max
  }

  get total(): number {
    return this._total
  }

  hasRoom(address: string, amount: number): boolean {
    const sum = this.byAddress.of(address) + amount
    return sum <= this.perAddressMax && this._total + amount <= this.max
  }

  /** Counts the amount. Returns false, and counts nothing, without room. */
  take(address: string, amount: number): boolean {
    if (!this.hasRoom(address, amount)) return false
    this._total += amount
    this.byAddress.add(address, amount)
    return true
  }

  /** Releases an amount that take() counted. */
  give(address: string, amount: number): void {
    this._total -= amount
    this.byAddress.add(address, -amount)
  }
}

/**
 * Returns the key by which clients are counted, of an address of 4 or 16 bytes: of IPv6 the first 8
 * bytes, since one client has a network of that size to itself.
 */
export function addressKey(address: ArrayBuffer): string {
  const bytes = new Uint8Array(address)
  if (bytes.length !== ADDRESS_BYTES) return textOf(bytes)
  return isMapped(bytes) ? textOf(bytes.subarray(-IPV4_BYTES)) : textOf(bytes.subarray(0, 8))
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
