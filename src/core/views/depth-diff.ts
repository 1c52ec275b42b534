/**
 * The levels of a DepthView that changed since they were last taken: what one depth stream sends.
 * Each speed of a stream holds its own. Successive takes are contiguous: each begins one after the
 * update at which the last one ended.
 */
import { Side } from '../../base/codes.ts'
import { type Lots, Ticks } from '../../base/units.ts'
import type { DepthListener, DepthView } from './depth.ts'

/** A price in ticks and all that is open there in lots; 0 when the level is gone. */
export type DepthRow = readonly [priceTicks: Ticks, lots: Lots]

export interface DepthChanges {
  readonly firstUpdateId: number
  readonly finalUpdateId: number
  /** Best first. */
  readonly bids: readonly DepthRow[]
  readonly asks: readonly DepthRow[]
}

export class DepthDiff implements DepthListener {
  private readonly view: DepthView
  private readonly bids = new Set<Ticks>()
  private readonly asks = new Set<Ticks>()
  private takenUpdateId: number

  /** Collects from the view's present state on, or from its next book while it is not synced. */
  constructor(view: DepthView) {
    this.view = view
    this.takenUpdateId = view.updateId
    view.attach(this)
  }

  /** Stops collecting. */
  close(): void {
    this.view.detach(this)
  }

  mark(side: Side, priceTicks: Ticks): void {
    if (side === Side.BUY) this.bids.add(priceTicks)
    else this.asks.add(priceTicks)
  }

  rebase(): void {
    this.bids.clear()
    this.asks.clear()
    this.takenUpdateId = this.view.updateId
  }

  /** Whether the next take has any. */
  get hasChanges(): boolean {
    return this.view.synced && this.view.updateId !== this.takenUpdateId
  }

  /** What changed since the last take; undefined when nothing did or the view is not synced. */
  takeChanges(): DepthChanges | undefined {
    const view = this.view
    if (!this.hasChanges) return undefined
    const changes = {
      firstUpdateId: this.takenUpdateId + 1,
      finalUpdateId: view.updateId,
      bids: this.rows(Side.BUY, this.bids),
      asks: this.rows(Side.SELL, this.asks),
    }
    this.rebase()
    return changes
  }

  private rows(side: Side, prices: Set<Ticks>): DepthRow[] {
    const sorted = Float64Array.from(prices).sort()
    if (side === Side.BUY) sorted.reverse()
    return Array.from(sorted, (price) => {
      const priceTicks = Ticks(price)
      return [priceTicks, this.view.lotsAt(side, priceTicks)]
    })
  }
}
