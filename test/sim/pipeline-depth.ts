/**
 * A subscriber's local book: a snapshot of a gateway's depth, kept up to date by diffs alone. After
 * each diff it must be what the gateway's depth is.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { Side } from '../../src/base/codes.ts'
import type { DepthView } from '../../src/core/views/depth.ts'
import { DepthDiff, type DepthRow } from '../../src/core/views/depth-diff.ts'

export class LocalDepth {
  private readonly depth: DepthView
  private readonly diff: DepthDiff
  private readonly sides = [new Map<number, number>(), new Map<number, number>()] as const
  private updateId = -1

  constructor(depth: DepthView) {
    this.depth = depth
    this.diff = new DepthDiff(depth)
  }

  /** Forgets its book, as a client does whose connection was closed. */
  reset(): void {
    this.updateId = -1
  }

  /** Takes a diff, or its first snapshot. Returns whether there was one to apply. */
  take(): boolean {
    if (!this.depth.synced) return false
    const changes = this.diff.takeChanges()
    if (this.updateId < 0) {
      this.begin()
      return false
    }
    if (changes === undefined) {
      strictEqual(this.updateId, this.depth.updateId, 'no diff means no change')
      return false
    }
    strictEqual(changes.firstUpdateId, this.updateId + 1, 'a diff begins where the last one ended')
    this.updateId = changes.finalUpdateId
    this.apply(Side.BUY, changes.bids)
    this.apply(Side.SELL, changes.asks)
    for (const side of [Side.BUY, Side.SELL]) {
      deepStrictEqual(this.sides[side], this.levels(side), 'snapshot and diffs are the depth')
    }
    return true
  }

  private begin(): void {
    this.updateId = this.depth.updateId
    for (const side of [Side.BUY, Side.SELL]) {
      this.sides[side].clear()
      for (const [priceTicks, lots] of this.levels(side)) this.sides[side].set(priceTicks, lots)
    }
  }

  private apply(side: Side, rows: readonly DepthRow[]): void {
    for (const [priceTicks, lots] of rows) {
      if (lots === 0) this.sides[side].delete(priceTicks)
      else this.sides[side].set(priceTicks, lots)
    }
  }

  private levels(side: Side): Map<number, number> {
    const levels = new Map<number, number>()
    this.depth.levels(side, Number.POSITIVE_INFINITY, (priceTicks, lots) => {
      levels.set(priceTicks, lots)
    })
    return levels
  }
}
