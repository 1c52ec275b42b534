/**
 * How many sockets one gateway keeps open: of all clients, since each costs memory and a file handle,
 * and WebSockets of one address, which stay for hours. Connections for requests are closed by their
 * silence (uWebSockets.js, 10 s), so attempts bound those of an address well enough.
 */
export class SocketCounts {
  readonly #max: number
  readonly #perAddress: number
  readonly #byAddress = new Map<string, number>()
  #open = 0

  constructor(max: number, perAddress: number) {
    this.#max = max
    this.#perAddress = perAddress
  }

  /** Counts a socket in, or, below zero, out. Answers whether there is room for it. */
  count(change: number): boolean {
    this.#open += change
    return this.#open <= this.#max
  }

  hasRoom(address: string): boolean {
    return (this.#byAddress.get(address) ?? 0) < this.#perAddress
  }

  entered(address: string): void {
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1)
  }

  /** A WebSocket has closed, of which nobody tells when it was a connection for requests. */
  left(address: string): void {
    this.#open--
    const rest = this.#byAddress.get(address)! - 1
    if (rest === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, rest)
  }
}
