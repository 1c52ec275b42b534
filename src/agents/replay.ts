/**
 * Recovery: applies journaled blocks into symbols and adds up their effects on balances. The same code
 * restores a matcher at start and makes snapshots beside it.
 */

import { Ms } from '../base/units.ts'
import type { EffectSums } from '../core/ledger/effect-sums.ts'
import { applyEffects, applyWalletEffects } from '../core/ledger/effects.ts'
import type { JournalPoint } from '../journal/chain.ts'
import type { JournalMerge } from '../journal/recovery.ts'
import { RecordHeader } from '../layout/accessors.gen.ts'
import { type RecordBuffer, recordLength } from '../layout/record-buffer.ts'
import { type SymbolSpec, WALLET } from '../market/listing.ts'

/** Takes the events of one symbol or of the wallet: its engine, or the state of a snapshot. */
export interface Recovering {
  recover(events: RecordBuffer, at: number): void
}

export interface ReplayOptions {
  readonly merge: JournalMerge
  /** By symbol id; events of other symbols are skipped. */
  readonly recovering: readonly (Recovering | undefined)[]
  readonly symbols: readonly SymbolSpec[]
  /** Takes the wallet's events; they are skipped when it is left out. */
  readonly wallet?: Recovering | undefined
  readonly sums: EffectSums
  /** Called before each block; false ends the replay there. */
  readonly goesOn?: (replayed: Replayed) => boolean
}

export interface Replayed {
  /** Events of the given symbols, and of the wallet. */
  readonly events: number
  /** Records of all symbols. */
  readonly records: number
  readonly blocks: number
  /** Time of the last block of any journal; 0 without one. */
  readonly journaledMs: Ms
  /** By matcher: the last block of its journal, where there was one. */
  readonly points: ReadonlyMap<number, JournalPoint>
  /** Whether it reached the journals' end. */
  readonly isWhole: boolean
}

/** Applies the blocks of `merge`, to its end. */
export function replay({ goesOn = () => true, ...options }: ReplayOptions): Replayed {
  const steps = replaySteps(options)
  let step = steps.next()
  while (step.done !== true && goesOn(step.value)) step = steps.next()
  return step.value
}

/** `replay` as a generator, which yields before each block. */
export function* replaySteps(
  options: Omit<ReplayOptions, 'goesOn'>,
): Generator<Replayed, Replayed, void> {
  const { merge, recovering, symbols, wallet, sums } = options
  const points = new Map<number, JournalPoint>()
  const replayed = { events: 0, records: 0, blocks: 0, journaledMs: Ms(0), points, isWhole: false }
  while (true) {
    yield replayed
    const block = merge.next()
    if (block === undefined) {
      replayed.isWhole = true
      break
    }
    const { matcher, position, checksum, timeMs, records, end } = block
    replayed.blocks++
    replayed.records += block.recordCount
    replayed.journaledMs = Ms(Math.max(replayed.journaledMs, timeMs))
    points.set(matcher, { position, checksum })
    sums.beginBlock(timeMs)
    for (let at = block.start; at < end; at += recordLength(records, at)) {
      const symbolId = RecordHeader.symbolId(records, at)
      const taker = symbolId === WALLET ? wallet : recovering[symbolId]
      if (taker === undefined) continue
      taker.recover(records, at)
      if (symbolId === WALLET) applyWalletEffects(records, at, sums)
      else applyEffects(records, at, symbols[symbolId]!, sums)
      replayed.events++
    }
    sums.endBlock()
  }
  return replayed
}
