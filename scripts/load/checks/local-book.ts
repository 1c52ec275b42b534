/**
 * A book kept in the documented way: a snapshot, and the diffs that follow it without a gap. Levels
 * are compared as numbers, so that targets may write decimals as they like.
 */

export type Level = readonly [price: string, quantity: string]

export interface DepthSnapshot {
  readonly lastUpdateId: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

export interface DepthDiff {
  /** First and last update id. */
  readonly U: number
  readonly u: number
  readonly b: readonly Level[]
  readonly a: readonly Level[]
}

export class LocalBook {
  private readonly bids = new Map<number, number>()
  private readonly asks = new Map<number, number>()
  private bestBid = 0
  private bestAsk = Number.POSITIVE_INFINITY
  private _lastUpdateId: number

  constructor({ lastUpdateId, bids, asks }: DepthSnapshot) {
    this._lastUpdateId = lastUpdateId
    this.applyLevels(bids, asks)
  }

  get lastUpdateId(): number {
    return this._lastUpdateId
  }

  /** The middle between the best prices; undefined while one side is empty. */
  get middle(): number | undefined {
    const isTwoSided = this.bids.size > 0 && this.asks.size > 0
    return isTwoSided ? (this.bestBid + this.bestAsk) / 2 : undefined
  }

  /** Returns what is wrong with the diff, in which case it changes nothing; one of the past is not. */
  apply({ U, u, b, a }: DepthDiff): string | undefined {
    if (U > u) return `a diff from ${U} to ${u}`
    if (u <= this._lastUpdateId) return undefined
    if (U > this._lastUpdateId + 1) return `a gap between ${this._lastUpdateId} and ${U}`
    this._lastUpdateId = u
    this.applyLevels(b, a)
    return undefined
  }

  /**
   * The first way in which the two differ; undefined when they do not. Only levels that lie within
   * the range that both of them know, `depth` on each side, are compared.
   */
  differenceFrom(other: LocalBook, depth: number): string | undefined {
    return (
      differenceOf('bid', this.sorted('bids'), other.sorted('bids'), depth) ??
      differenceOf('ask', this.sorted('asks'), other.sorted('asks'), depth)
    )
  }

  private sorted(side: 'bids' | 'asks'): (readonly [number, number])[] {
    const levels = [...(side === 'bids' ? this.bids : this.asks)]
    return levels.sort(([a], [b]) => (side === 'bids' ? b - a : a - b))
  }

  private applyLevels(bids: readonly Level[], asks: readonly Level[]): void {
    for (const [price, quantity] of bids) set(this.bids, Number(price), Number(quantity))
    for (const [price, quantity] of asks) set(this.asks, Number(price), Number(quantity))
    if (bids.length > 0) this.bestBid = best(this.bids, (a, b) => a > b, 0)
    if (asks.length > 0) this.bestAsk = best(this.asks, (a, b) => a < b, Number.POSITIVE_INFINITY)
  }
}

function differenceOf(
  side: string,
  kept: readonly (readonly [number, number])[],
  fresh: readonly (readonly [number, number])[],
  depth: number,
): string | undefined {
  for (let index = 0; index < depth; index++) {
    const [a, b] = [kept[index], fresh[index]]
    if (a === undefined && b === undefined) return undefined
    if (a?.[0] === b?.[0] && a?.[1] === b?.[1]) continue
    return `${side} ${index + 1} is ${textOf(a)} by the diffs, ${textOf(b)} by a fresh snapshot`
  }
  return undefined
}

const textOf = (level: readonly [number, number] | undefined): string =>
  level === undefined ? 'none' : `${level[1]} at ${level[0]}`

/** Quantities are absolute; zero removes the level. */
function set(side: Map<number, number>, price: number, quantity: number): void {
  if (quantity === 0) side.delete(price)
  else side.set(price, quantity)
}

function best(
  side: ReadonlyMap<number, number>,
  isBetter: (a: number, b: number) => boolean,
  none: number,
): number {
  let found = none
  for (const price of side.keys()) if (isBetter(price, found)) found = price
  return found
}
