/** A journal or a snapshot has more on one symbol than the book of this start has room for. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
  readonly symbol: string
  readonly ordersMax: number

  constructor(symbol: string, ordersMax: number) {
    super(`The book of ${symbol} has no room for what was open on it.`)
    this.symbol = symbol
    this.ordersMax = ordersMax
  }
}
