/**
 * How many sockets are open: of this gateway, and of all gateways together, since each costs memory
 * and a file handle of the process. Those of one address are counted in address-guard.ts.
 */
import type { AddressGuard } from './address-guard.ts'

export class SocketCounts {
  readonly #guard: AddressGuard
  readonly #max: number
  readonly #maxInAll: number
  #open = 0

  /** `max` is of this gateway, `maxInAll` of the process. */
  constructor(guard: AddressGuard, max: number, maxInAll: number) {
    this.#guard = guard
    this.#max = max
    this.#maxInAll = maxInAll
  }

  /** Counts a socket in, or, below zero, out. Returns whether there is room for it. */
  count(change: number): boolean {
    this.#open += change
    const openInAll = this.#guard.countSockets(change)
    return this.#open <= this.#max && openInAll <= this.#maxInAll
  }

  /** A WebSocket has closed, which uWebSockets.js does not report as a closed connection. */
  left(): void {
    this.count(-1)
  }
}
