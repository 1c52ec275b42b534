/**
 * A local copy of one symbol's book: a snapshot by REST and the diffs of `@depth`, joined as the
 * protocol's documents describe. It is either live and right, or not live: a gap in the update ids
 * ends it until the next snapshot.
 *
 * A snapshot has so many levels. Worse levels than its last one are not known, so the book ends
 * there (its horizon). It requests another snapshot when too little is left before it.
 */

/** Price and quantity, integers of the symbol's scales. */
export type Level = readonly [price: number, quantity: number]

export interface Snapshot {
  readonly lastUpdateId: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

/** One event of `@depth`: absolute quantities; zero removes the level. */
export interface Diff {
  readonly firstUpdateId: number
  readonly lastUpdateId: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

/** Diffs that wait for a snapshot. More mean that the snapshot is too late: the oldest are dropped. */
export const WAITING_MAX = 1_024
/** Below this share of the snapshot's levels the book requests another one. */
const THIN = 0.25
/** At this multiple of the snapshot's levels the book requests another one, to forget the deep ones. */
const THICK = 8

/** Levels of one side, the best one last: changes come near the end, where they cost least. */
export class BookSide {
  readonly prices: number[] = []
  readonly quantities: number[] = []
  /** 1 for bids, whose best price is the highest; -1 for asks. */
  private readonly sign: 1 | -1

  constructor(sign: 1 | -1) {
    this.sign = sign
  }

  get size(): number {
    return this.prices.length
  }

  get best(): number | undefined {
    return this.prices.at(-1)
  }

  /** Sets a level's quantity; zero removes it. */
  set(price: number, quantity: number): void {
    const at = this.indexOf(price)
    const isThere = this.prices[at] === price
    if (quantity === 0) {
      if (!isThere) return
      this.prices.splice(at, 1)
      this.quantities.splice(at, 1)
    } else if (isThere) {
      this.quantities[at] = quantity
    } else {
      this.prices.splice(at, 0, price)
      this.quantities.splice(at, 0, quantity)
    }
  }

  quantityAt(price: number): number {
    const at = this.indexOf(price)
    return this.prices[at] === price ? this.quantities[at]! : 0
  }

  clear(): void {
    this.prices.length = 0
    this.quantities.length = 0
  }

  /** Whether `price` is worse than `limit`. */
  isWorse(price: number, limit: number): boolean {
    return this.sign * price < this.sign * limit
  }

  /** Returns the first index whose price is at least as good. */
  private indexOf(price: number): number {
    const sign = this.sign
    let low = 0
    let high = this.prices.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sign * this.prices[middle]! < sign * price) low = middle + 1
      else high = middle
    }
    return low
  }
}

export class LocalBook {
  readonly bids = new BookSide(1)
  readonly asks = new BookSide(-1)
  /** Changes whenever a level does, for painters. */
  version = 0
  /** Gaps met; each ended the copy for a time. */
  gaps = 0
  private _isLive = false
  private _lastUpdateId = 0
  private waiting: Diff[] = []
  private levelsMax = 0
  private horizons: Readonly<Record<'bids' | 'asks', number | undefined>> = noHorizons

  /** Whether the levels are the exchange's at `lastUpdateId`. */
  get isLive(): boolean {
    return this._isLive
  }

  get lastUpdateId(): number {
    return this._lastUpdateId
  }

  /** Whether a snapshot is wanted: the copy is not live, or its edge has come near. */
  get wantsSnapshot(): boolean {
    return !this._isLive || this.isThin('bids') || this.isThin('asks') || this.isThick()
  }

  /** Whether all levels of a side are known, and not only those before the horizon. */
  isWhole(name: 'bids' | 'asks'): boolean {
    return this.horizons[name] === undefined
  }

  /** Forgets everything: the stream broke, or another symbol is shown. */
  reset(): void {
    this._isLive = false
    this.waiting = []
    this.bids.clear()
    this.asks.clear()
    this.version++
  }

  /** Takes one event of the stream. Returns whether the copy is live after it. */
  takeDiff(diff: Diff): boolean {
    if (!this._isLive) {
      this.keep(diff)
      return false
    }
    if (diff.lastUpdateId <= this._lastUpdateId) return true
    if (diff.firstUpdateId > this._lastUpdateId + 1) {
      this.gaps++
      this.reset()
      this.keep(diff)
      return false
    }
    this.apply(diff)
    return true
  }

  /**
   * Takes a snapshot, of at most `levelsMax` levels a side. Returns whether the copy is live now. It is
   * not when the snapshot is older than the first diff that waits: the caller requests another one.
   */
  takeSnapshot(snapshot: Snapshot, levelsMax: number): boolean {
    if (this._isLive && snapshot.lastUpdateId < this._lastUpdateId) return true
    const later = this.waiting.filter((diff) => diff.lastUpdateId > snapshot.lastUpdateId)
    if (later[0] !== undefined && later[0].firstUpdateId > snapshot.lastUpdateId + 1) return false
    this.load(snapshot, levelsMax)
    this.waiting = []
    for (const diff of later) this.takeDiff(diff)
    return this._isLive
  }

  private keep(diff: Diff): void {
    if (this.waiting.length === WAITING_MAX) this.waiting.shift()
    this.waiting.push(diff)
  }

  private load({ lastUpdateId, bids, asks }: Snapshot, levelsMax: number): void {
    this.bids.clear()
    this.asks.clear()
    for (const [price, quantity] of bids) this.bids.set(price, quantity)
    for (const [price, quantity] of asks) this.asks.set(price, quantity)
    const edge = (levels: readonly Level[]) =>
      levels.length < levelsMax ? undefined : levels.at(-1)![0]
    this.horizons = { bids: edge(bids), asks: edge(asks) }
    this.levelsMax = levelsMax
    this._lastUpdateId = lastUpdateId
    this._isLive = true
    this.version++
  }

  private apply(diff: Diff): void {
    this.applyTo('bids', diff.bids)
    this.applyTo('asks', diff.asks)
    this._lastUpdateId = diff.lastUpdateId
    this.version++
  }

  private applyTo(name: 'bids' | 'asks', levels: readonly Level[]): void {
    const side = this[name]
    const horizon = this.horizons[name]
    for (const [price, quantity] of levels) {
      if (horizon === undefined || !side.isWorse(price, horizon)) side.set(price, quantity)
    }
  }

  private isThin(name: 'bids' | 'asks'): boolean {
    return this.horizons[name] !== undefined && this[name].size < this.levelsMax * THIN
  }

  private isThick(): boolean {
    return Math.max(this.bids.size, this.asks.size) > this.levelsMax * THICK
  }
}

const noHorizons = { bids: undefined, asks: undefined }
