/**
 * Open sockets of this gateway, and of all gateways together, since each costs memory and a file
 * handle of the process. address-guard.ts counts those of one address.
 */
import type { AddressGuard } from './address-guard.ts'

export class SocketCounts {
  private readonly guard: AddressGuard
  private readonly max: number
  private readonly maxInAll: number
  private open = 0

  /** `max` is of this gateway, `maxInAll` of the process. */
  constructor(guard: AddressGuard, max: number, maxInAll: number) {
    this.guard = guard
    this.max = max
    this.maxInAll = maxInAll
  }

  /** Adds to the sockets, or subtracts. Returns whether there is room. */
  count(change: number): boolean {
    this.open += change
    const openInAll = this.guard.countSockets(change)
    return this.open <= this.max && openInAll <= this.maxInAll
  }

  /** Counts all open sockets of another gateway as sockets of this one. */
  takeOver(before: SocketCounts): void {
    const { open } = before
    before.count(-open)
    this.count(open)
  }

  /** Counts a closed WebSocket, which uWebSockets.js does not report as a closed connection. */
  left(): void {
    this.count(-1)
  }
}
