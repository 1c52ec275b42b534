/**
 * Recovery at start: the main thread chooses the newest usable snapshot and takes the ledger from it;
 * each matcher takes its symbols from it, and applies the journals behind it. So the number of matchers
 * may change.
 */

import { assetsMaxOf } from '../base/limits.ts'
import { StartError } from '../base/start-error.ts'
import type { Clock } from '../base/time.ts'
import { Ms } from '../base/units.ts'
import type { Balances } from '../core/ledger/balances.ts'
import { EffectSums } from '../core/ledger/effect-sums.ts'
import { OrderListIds } from '../core/matching/order-list-ids.ts'
import { NoRoomError } from '../core/matching/symbol-state.ts'
import { type JournalMerge, journalsIn, openMerge } from '../journal/recovery.ts'
import type { MatcherSymbols } from './matcher-symbols.ts'
import { Phase } from './memory.ts'
import type { ThreadReport, ThreadStart } from './messages.ts'
import { Progress } from './progress.ts'
import { type Replayed, replay } from './replay.ts'
import { newestSnapshot, Snapshot } from './snapshots.ts'

/** Blocks between two readings of the clock. */
const LOOK_BLOCKS = 64

interface RecoveryWays {
  readonly time: Clock
  readonly report: (message: ThreadReport) => void
}

type Recovered = Pick<Replayed, 'events' | 'blocks' | 'journaledMs'>

/** The snapshot that a start uses. */
export interface ChosenSnapshot {
  readonly snapshot: number
  /** Events that matchers need not apply. */
  readonly events: number
}

/**
 * Adds the balances and ids of the newest usable snapshot, once, before any matcher recovers. Returns
 * undefined when there is none. `log` gets the reasons for skipping others.
 */
export function takeSnapshot(
  start: Omit<ThreadStart, 'index' | 'snapshot'>,
  balances: Balances,
  log: (sentence: string) => void,
): ChosenSnapshot | undefined {
  const { config, regions, symbols } = start
  const snapshot = newestSnapshot(config.data, symbols.length, log)
  if (snapshot === undefined) return undefined
  const sums = new EffectSums(config.accounts, assetsMaxOf(config.accounts))
  snapshot.readLedger(sums)
  sums.settle(balances)
  new OrderListIds(regions.orderListIds).recovered(snapshot.covered.orderListId)
  snapshot.close()
  return { snapshot: snapshot.number, events: snapshot.covered.events }
}

/**
 * Restores the symbols of one matcher, by id, and their part of the ledger. Returns the events applied
 * behind the snapshot, and the time of the last block of all; undefined when it gave up because the
 * exchange is ending. Throws StartError when a book is too small.
 */
export function recoverSymbols(
  start: ThreadStart,
  symbols: MatcherSymbols,
  ways: RecoveryWays,
): Recovered | undefined {
  try {
    return recover(start, symbols, ways)
  } catch (error) {
    throw withSetting(error)
  }
}

/** Returns a sentence about the setting when an event has no room in a book. */
export function withSetting(error: unknown): unknown {
  if (!(error instanceof NoRoomError)) return error
  const { symbol, ordersMax } = error
  const why = `more orders, or price levels, were open on ${symbol}`
  return new StartError(`--orders-per-symbol must be above ${ordersMax}: ${why}.`)
}

function recover(
  start: ThreadStart,
  symbols: MatcherSymbols,
  ways: RecoveryWays,
): Recovered | undefined {
  const { config } = start
  const snapshot = start.snapshot === 0 ? undefined : new Snapshot(config.data, start.snapshot)
  for (const engine of symbols.engines) {
    if (engine !== undefined) snapshot?.readSymbol(engine.spec.id, engine.state)
  }
  if (symbols.wallet !== undefined) snapshot?.readWallet(symbols.wallet.state)
  const { points, journaledMs: coveredMs = Ms(0) } = snapshot?.covered ?? {}
  const merge = openMerge(config.data, journalsIn(config.data), points)
  const replayed = replayInto(start, symbols, merge, ways)
  merge.close()
  snapshot?.close()
  if (!replayed.isWhole) return undefined
  const { events, blocks } = replayed
  return { events, blocks, journaledMs: Ms(Math.max(coveredMs, replayed.journaledMs)) }
}

/**
 * Applies the blocks of `merge` into one matcher's symbols and their part of the ledger. Gives up, with nothing
 * added to the ledger, when the exchange is ending.
 */
export function replayInto(
  { config, symbols, regions }: ThreadStart,
  { engines, balances, wallet }: MatcherSymbols,
  merge: JournalMerge,
  { time, report }: RecoveryWays,
): Replayed {
  const phase = new Int32Array(regions.phase)
  const sums = new EffectSums(config.accounts, assetsMaxOf(config.accounts))
  const progress = new Progress('recovering', merge.blocksLeft(), time, (fields, message) =>
    report({ report: 'log', level: 'info', fields, message }),
  )
  const goesOn = ({ blocks, events }: Replayed) => {
    if (blocks % LOOK_BLOCKS === 0) progress.at(blocks, events)
    return Atomics.load(phase, 0) !== Phase.ENDING
  }
  const replayed = replay({ merge, recovering: engines, symbols, wallet, sums, goesOn })
  if (replayed.isWhole) sums.settle(balances)
  return replayed
}
