/**
 * One start of matchers, made by the functions that their workers use: fresh memory, everything recovered from
 * journals in memory, and duty cycles that a simulator calls itself. It ends when the simulator drops it; what
 * outlives it is in the journals alone.
 *
 * No assembly: the journals tear and refuse, gateways without sockets act in the middle of a batch, and a start
 * may end between two batches that finish the last one. A worker does each of these at once.
 */
import { strictEqual } from 'node:assert/strict'
import type { DeferralBounds } from '../../src/agents/deferred-commands.ts'
import type { Matcher } from '../../src/agents/matcher.ts'
import { MatcherSymbols, type MatcherSymbolsParts } from '../../src/agents/matcher-symbols.ts'
import { makeMatcher } from '../../src/agents/matching-agent.ts'
import type { Regions } from '../../src/agents/memory.ts'
import type { ThreadStart } from '../../src/agents/messages.ts'
import { replayInto } from '../../src/agents/recover.ts'
import { assert } from '../../src/base/assert.ts'
import type { Clock } from '../../src/base/time.ts'
import { Ms } from '../../src/base/units.ts'
import type { Balances } from '../../src/core/ledger/balances.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import type { Wallet } from '../../src/core/wallet/wallet.ts'
import { BEGINNING, type JournalPoint } from '../../src/journal/chain.ts'
import { type JournalBlock, JournalMerge } from '../../src/journal/recovery.ts'
import { type Deposit, deposit } from '../fixtures/thread-start.ts'
import type { FaultyStore } from './faulty-store.ts'

export interface HandOptions {
  readonly start: ThreadStart
  /** By matcher. */
  readonly stores: readonly FaultyStore[]
  readonly clock: Clock
  readonly deposits: readonly Deposit[]
  readonly deferralBounds?: DeferralBounds
  /** Parts for each matcher's engines, instead of the usual ones. */
  readonly parts?: () => MatcherSymbolsParts
  /** Called with each engine before it recovers. */
  readonly made?: (engine: Engine) => void
}

export class HandMatchers {
  readonly regions: Regions
  readonly balances: Balances
  /** By symbol id. */
  readonly engines: readonly Engine[]
  readonly matchers: readonly Matcher[]
  readonly wallet: Wallet
  /** By matcher: what it was made of, and its journal's last block. */
  readonly made: readonly (Made & { readonly point: JournalPoint })[]

  constructor(options: HandOptions) {
    const { start, stores, clock, deposits, parts, deferralBounds, made = () => {} } = options
    const ways = { time: clock, report: () => {}, ...(deferralBounds && { deferralBounds }) }
    const { symbols, matcherOf } = start
    const starts = stores.map((_, index) => ({ ...start, index }))
    this.regions = start.regions
    this.balances = deposit(start, deposits)
    const own = starts.map((it) => new MatcherSymbols(it, parts?.()))
    this.engines = symbols.map(({ id }) => own[matcherOf[id]!]!.engines[id]!)
    for (const engine of this.engines) made(engine)
    this.wallet = own[0]!.wallet!
    const recovered = starts.map((it, index) =>
      replayInto(it, own[index]!, new CheckedMerge(stores, start.epoch), ways),
    )
    strictEqual(this.balances.firstNegative(), undefined, 'recovery leaves nothing negative')
    this.made = starts.map((it, index) => {
      const { points, journaledMs } = recovered[index]!
      const point = points.get(index) ?? BEGINNING
      const journal = { journal: stores[index]!, previous: point.checksum, journaledMs }
      return { ...makeMatcher(it, ways, own[index]!, journal), point }
    })
    this.matchers = this.made.map(({ matcher }) => matcher)
  }

  /** Hash of all that a start continues with. */
  get hash(): number {
    return stateHash(this.engines, this.balances)
  }
}

type Made = ReturnType<typeof makeMatcher<FaultyStore>>

/** All journals from their beginnings. Their times never fall, and no block is of this start or a later one. */
class CheckedMerge extends JournalMerge {
  private readonly epoch: number
  /** By matcher. */
  private readonly timesMs: Ms[]

  constructor(stores: readonly FaultyStore[], epoch: number) {
    super([...stores.keys()], (matcher) => stores[matcher]!.readable(`journal-${matcher}`))
    this.epoch = epoch
    this.timesMs = stores.map(() => Ms(0))
  }

  override next(): JournalBlock | undefined {
    const block = super.next()
    if (block === undefined) return undefined
    assert(block.epoch < this.epoch, 'a start recovers what earlier ones wrote')
    assert(block.timeMs >= this.timesMs[block.matcher]!, 'the time of blocks never falls')
    this.timesMs[block.matcher] = block.timeMs
    return block
  }
}
