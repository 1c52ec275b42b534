/**
 * Recovery itself: folds journaled blocks into symbols and adds up what they do to balances. The same
 * code brings back a matcher at start and makes snapshots beside it.
 */

import type { EffectSums } from '../core/ledger/effect-sums.ts'
import { applyEffects } from '../core/ledger/effects.ts'
import type { JournalPlace } from '../journal/chain.ts'
import type { JournalMerge } from '../journal/recovery.ts'
import { RecordHeader } from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordLength } from '../layout/record-buffer.ts'
import type { SymbolSpec } from '../market/listing.ts'

/** Where the events of one symbol go: its engine, or what a snapshot is made of. */
export interface Recovering {
  recover(events: RecordBuffer, at: number): void
}

export interface ReplayOptions {
  readonly merge: JournalMerge
  /** By symbol id; events of symbols that are not wanted are passed over. */
  readonly recovering: readonly (Recovering | undefined)[]
  readonly symbols: readonly SymbolSpec[]
  readonly sums: EffectSums
  /** Asked before each block; false ends the replay there. */
  readonly goesOn?: (replayed: Replayed) => boolean
}

export interface Replayed {
  /** Of the symbols that were wanted. */
  readonly events: number
  /** Of all symbols. */
  readonly records: number
  readonly blocks: number
  /** Time of the last block of any journal; 0 without one. */
  readonly journaledMs: number
  /** By matcher: the last block of its journal, where there was one. */
  readonly places: ReadonlyMap<number, JournalPlace>
  /** Whether all that the journals hold was folded. */
  readonly isWhole: boolean
}

/** Folds what `merge` gives, to its end. */
export function replay(options: ReplayOptions): Replayed {
  const { merge, recovering, symbols, sums, goesOn = () => true } = options
  const places = new Map<number, JournalPlace>()
  const replayed = { events: 0, records: 0, blocks: 0, journaledMs: 0, places, isWhole: false }
  while (goesOn(replayed)) {
    const block = merge.next()
    if (block === undefined) {
      replayed.isWhole = true
      break
    }
    const { matcher, position, checksum, timeMs, records, end } = block
    replayed.blocks++
    replayed.records += block.recordCount
    replayed.journaledMs = Math.max(replayed.journaledMs, timeMs)
    places.set(matcher, { position, checksum })
    sums.timeMs = timeMs
    for (let at = block.start; at < end; at += recordLength(records, at)) {
      const symbolId = RecordHeader.symbolId(records, at)
      const symbol = recovering[symbolId]
      if (symbol === undefined) continue
      symbol.recover(records, at)
      applyEffects(records, at, symbols[symbolId]!, sums)
      replayed.events++
    }
  }
  return replayed
}
