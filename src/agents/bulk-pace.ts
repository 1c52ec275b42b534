/**
 * The pace of work that outgrows a batch: a cancel of all orders, a cascade of stops. A quarter of the
 * event ring goes at once, then as many bytes a millisecond as gateways can read. A matcher waits for no
 * reader, but one client's cancels must not overrun them all.
 */
const BYTES_PER_MS = 16 * 1024
const NS_PER_MS = 1e6

export class BulkPace {
  readonly #burstBytes: number
  #creditBytes: number
  #seenNs = 0

  /** `ringBytes` is the capacity of the matcher's event ring. */
  constructor(ringBytes: number) {
    this.#burstBytes = ringBytes / 4
    this.#creditBytes = this.#burstBytes
  }

  /** Counts a further batch of `bytes`, published now. Returns the ms to rest. */
  published(bytes: number, nowNs: number): number {
    const earned = ((nowNs - this.#seenNs) / NS_PER_MS) * BYTES_PER_MS
    this.#seenNs = nowNs
    this.#creditBytes = Math.min(this.#burstBytes, this.#creditBytes + earned) - bytes
    return Math.max(0, -this.#creditBytes / BYTES_PER_MS)
  }
}
