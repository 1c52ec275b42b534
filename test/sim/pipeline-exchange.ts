/**
 * One start of the simulated exchange: its matchers by hand, on rings so small that they are often full, with
 * engines and event rings that tell what they do.
 */
import { strictEqual } from 'node:assert/strict'
import { Following } from '../../src/agents/following.ts'
import type { Matcher, MatcherOptions } from '../../src/agents/matcher.ts'
import { gatewayBellOffset, type Regions } from '../../src/agents/memory.ts'
import type { ThreadStart } from '../../src/agents/messages.ts'
import { assert } from '../../src/base/assert.ts'
import type { Clock } from '../../src/base/time.ts'
import type { Balances } from '../../src/core/ledger/balances.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import { StateHash, stateHash } from '../../src/core/state-hash.ts'
import type { Wallet } from '../../src/core/wallet/wallet.ts'
import { EventHeader, RecordHeader } from '../../src/layout/accessors.gen.ts'
import { recordLength } from '../../src/layout/record-buffer.ts'
import { CommandRingConsumer, commandSlots } from '../../src/ring/command-ring.ts'
import { EventRingReader, type EventRingWriter } from '../../src/ring/event-ring.ts'
import { ReplyRingReader, ReplyRingWriter, replyRingBytes } from '../../src/ring/reply-ring.ts'
import type { PaymentStep } from '../../src/shared/payment.ts'
import { startOf } from '../fixtures/thread-start.ts'
import { HandMatchers } from './hand-matchers.ts'
import { type WalletWatch, type Watch, watchEngine, watchWallet } from './pipeline-engine.ts'
import type { PipelineGroup } from './pipeline-group.ts'
import type { PipelineStore } from './pipeline-store.ts'
import { chains, networks, WALLET_MATCHER } from './pipeline-wallet.ts'
import {
  ACCOUNTS,
  accounts,
  allSymbols,
  BATCH_BYTES,
  deferralBounds,
  deposits,
  exchange,
  group,
  MATCHERS,
  matcherOf,
  ORDERS_MAX,
  tightBounds,
} from './world.ts'

export const GATEWAYS = 2
/** So few that a ring is often full. */
export const COMMAND_SLOTS = 8
const settings = {
  matchers: MATCHERS,
  gateways: GATEWAYS,
  accounts: ACCOUNTS,
  ordersPerSymbol: ORDERS_MAX,
  // The least that an event ring may have: a few hundred commands overrun a reader that sleeps.
  commandRingSlots: COMMAND_SLOTS,
  eventRingBytes: 1 << 16,
}
/** A few answers fill a reply ring, and many a query has no room at all. */
const REPLY_RING_BYTES = 1 << 11
/** A doorbell's cell while its owner sleeps, and after it was rung. */
const ASLEEP = 1
const AWAKE = 0

function startWith(epoch: number, follows: boolean): ThreadStart {
  const start = startOf({ epoch, idSalt: epoch, symbols: allSymbols, accounts, exchange }, settings)
  const replyRings = start.regions.replyRings.map((rings) =>
    rings.map(() => new SharedArrayBuffer(replyRingBytes(REPLY_RING_BYTES))),
  )
  const owners = allSymbols.map(({ id }) => matcherOf(id))
  const facts = { chains, networks, groups: [group], matcherOf: owners }
  return { ...start, ...facts, regions: { ...start.regions, replyRings }, follows }
}

/** Lets gateways continue right before and after a matcher publishes events. */
function watchEvents(events: EventRingWriter, publishing: (areVisible: boolean) => void): void {
  const publish = events.publish.bind(events)
  events.publish = () => {
    publishing(false)
    publish()
    publishing(true)
  }
}

export class PipelineExchange {
  readonly regions: Regions
  readonly balances: Balances
  /** By symbol id. */
  readonly engines: readonly Engine[]
  readonly matchers: readonly Matcher[]
  readonly wallet: Wallet
  /** What a follower's matchers have. */
  readonly followings: readonly Following[]
  /** By symbol id: the time of its last event, 0 when it has none. */
  readonly eventTimesMs: number[] = allSymbols.map(() => 0)
  /** Whether a reply ring had no room for a further refusal after the last work. */
  isShort = false
  /** Whether a reply ring had no room during the last work. */
  lackedRoom = false
  /** Called when a matcher first looks at a command, and when it refuses that one unexecuted. */
  arrived: (gateway: number, correlation: number) => void = () => {}
  refused: () => void = () => {}
  /** Returns the gateway of the oldest command that the matcher has deferred; undefined without one. */
  oldestDeferred: (matcher: number) => number | undefined = () => undefined
  /** Commands that engines executed or continued, and those that were refused unexecuted. */
  private executions = 0
  private refusals = 0
  /** Whether the matcher has looked at commands in its rings. */
  private isDrained = false
  private readonly outputs: readonly EngineOutput[]
  private readonly published: BigInt64Array
  private readonly bells: Int32Array
  private readonly stores: readonly PipelineStore[]
  private readonly clock: Clock
  /** By matcher: readers that only look whether anything was published. */
  private readonly spies: readonly EventRingReader[]
  /** By gateway, then by matcher: readers of replies that only look. */
  private readonly replySpies: readonly (readonly ReplyRingReader[])[]

  constructor(
    stores: readonly PipelineStore[],
    epoch: number,
    clock: Clock,
    watch: Watch & WalletWatch,
    publishing: (matcher: number, areEventsVisible: boolean) => void,
    grouped?: PipelineGroup,
  ) {
    this.stores = stores
    this.clock = clock
    const start = startWith(epoch, grouped === undefined)
    const { matchers, engines, balances, wallet, made } = new HandMatchers({
      start,
      stores,
      clock,
      deposits,
      deferralBounds,
      parts: () => ({ output: new EngineOutput(1024, BATCH_BYTES), bounds: tightBounds }),
      made: (engine) => {
        this.noteTimes(engine)
        grouped?.enclose(engine)
        watchEngine(engine, this.counted(watch))
      },
    })
    const { output, holds } = made[WALLET_MATCHER]!.options
    watchWallet(wallet, output, this.counted(watch))
    grouped?.mirror(holds, output)
    this.regions = start.regions
    this.balances = balances
    this.engines = engines
    this.matchers = matchers
    this.wallet = wallet
    this.followings = made.map(({ options, point }, index) => {
      const phaseChanged = () => matchers[index]!.followedPhase()
      return new Following({ ...options, point, phaseChanged })
    })
    this.outputs = made.map(({ options }) => options.output)
    for (const [index, { options }] of made.entries()) {
      watchEvents(options.events, (areVisible) => publishing(index, areVisible))
      this.watchRings(options)
    }
    const { replyRings, eventRings, published, bells } = start.regions
    this.replySpies = replyRings.map((rings) => rings.map((memory) => new ReplyRingReader(memory)))
    this.spies = eventRings.map((memory) => new EventRingReader(memory))
    this.published = new BigInt64Array(published)
    this.bells = new Int32Array(bells)
  }

  /** Reports each command that the matcher looks at, and of each that it has no room to defer. */
  private watchRings({ rings, replies, counts }: Omit<MatcherOptions, 'blocks'>): void {
    for (const [gateway, ring] of rings.entries()) {
      const slotAt = ring.slotAt.bind(ring)
      ring.slotAt = (slot) => {
        const at = slotAt(slot)
        this.isDrained = true
        if (recordLength(ring.buffer, at) > 0) {
          this.arrived(gateway, RecordHeader.correlation(ring.buffer, at))
        }
        return at
      }
    }
    for (const reply of replies) {
      const hasRoom = reply.hasRoom.bind(reply)
      reply.hasRoom = () => {
        const has = hasRoom()
        this.lackedRoom ||= !has
        return has
      }
    }
    const deferredWereFull = counts.deferredWereFull.bind(counts)
    counts.deferredWereFull = () => {
      this.refusals++
      deferredWereFull()
      this.refused()
    }
  }

  /** Notes the times of the events that the engine recovers. */
  private noteTimes(engine: Engine): void {
    const recover = engine.recover.bind(engine)
    engine.recover = (events, at) => {
      recover(events, at)
      this.eventTimesMs[engine.spec.id] = EventHeader.timeMs(events, at)
    }
  }

  private counted({
    executed,
    wentOn,
    walletExecuted,
    walletFired,
    ...watch
  }: Watch & WalletWatch): Watch & WalletWatch {
    return {
      ...watch,
      walletExecuted: (execution) => {
        this.executions++
        walletExecuted(execution)
      },
      walletFired: (firing) => {
        this.executions++
        walletFired(firing)
      },
      executed: (execution) => {
        this.executions++
        executed(execution)
      },
      wentOn: (continuation) => {
        this.executions++
        wentOn?.(continuation)
      },
    }
  }

  /** Whether the matcher has published anything since its last work was done. */
  hasPublished(matcher: number): boolean {
    const isReplied = this.replySpies.some((spies) => spies[matcher]!.hasNext())
    return isReplied || this.spies[matcher]!.hasNext()
  }

  /** What was published is seen. */
  private look(matcher: number): void {
    this.spies[matcher]!.resume()
    for (const spies of this.replySpies) {
      const spy = spies[matcher]!
      spy.look(Number.MAX_SAFE_INTEGER)
      while (spy.nextPosition < Number.POSITIVE_INFINITY) spy.deliver(() => {})
    }
  }

  /** Has countdowns fire, as a start does, that were over meanwhile. */
  endLeftCountdowns(index: number): void {
    this.matchers[index]!.endLeftCountdowns()
  }

  /** Cancels as a start does; returns false when no session has left anything open. */
  cancelLeft(index: number): boolean {
    const isCanceled = this.matchers[index]!.cancelLeft('start')
    if (isCanceled) this.look(index)
    return isCanceled
  }

  /** Does, as a start does, what was due in the wallet; returns false when nothing is. */
  fireWallet(): boolean {
    const hasFired = this.matchers[WALLET_MATCHER]!.fireWallet()
    if (hasFired) this.look(WALLET_MATCHER)
    return hasFired
  }

  /** Journals what the sender has done with a withdrawal. */
  journalPayment(step: PaymentStep): void {
    this.matchers[WALLET_MATCHER]!.decideWithdrawal(step)
    this.look(WALLET_MATCHER)
  }

  private isWalletDue(index: number): boolean {
    return index === WALLET_MATCHER && this.wallet.dueMs <= this.clock.nowMs()
  }

  /** Whether a reorganisation is not done. */
  get isTakingBack(): boolean {
    return this.wallet.state.takenBack.length > 0
  }

  /** Hash of all that a start continues with. */
  get hash(): string {
    return `${stateHash(this.engines, this.balances)} ${this.walletHash}`
  }

  get walletHash(): number {
    const hash = new StateHash()
    this.wallet.state.hash(hash)
    return hash.value
  }

  /** Whether the matcher's batch is full. */
  isFull(index: number): boolean {
    return this.outputs[index]!.isFull
  }

  /** Whether a batch of the matcher has left something to do. */
  isUnfinished(index: number): boolean {
    return this.engines.some((engine) => matcherOf(engine.spec.id) === index && engine.isUnfinished)
  }

  /** Continues as a start does, batch by batch; returns false when the last one left nothing unfinished. */
  finishLeft(index: number): boolean {
    const isFinished = !this.matchers[index]!.finishLeft()
    if (!isFinished) this.spies[index]!.resume()
    return !isFinished
  }

  /** One duty cycle, after which everything written is published and every sleeper rung. */
  doWork(index: number): number {
    this.bells.fill(ASLEEP)
    const hasRoom = this.regions.replyRings.map((rings) =>
      new ReplyRingWriter(rings[index]!).hasRoom(),
    )
    const waiting = this.regions.commandRings.map((rings) => waitingIn(rings[index]!))
    const isUnfinished = this.isUnfinished(index)
    const hasWork = this.matchers[index]!.hasWork()
    const mustWork =
      isUnfinished ||
      waiting.some(({ size }, gateway) => size > 0 && hasRoom[gateway]) ||
      hasRoom[this.oldestDeferred(index) ?? -1] === true
    // A command that waited behind an unfinished one is no longer in the ring.
    assert(hasWork || !mustWork, 'a matcher sees its work')
    const wasDue = this.isWalletDue(index)
    const before = this.executions + this.refusals
    this.isDrained = false
    this.lackedRoom = false
    const done = this.matchers[index]!.doWork()
    // Time alone makes countdowns fire.
    if (!hasWork && !this.hasPublished(index)) return done
    const isDone = this.executions + this.refusals > before
    const after = this.regions.commandRings.map((rings) => waitingIn(rings[index]!))
    const left = waiting.map((before, gateway) =>
      [...before].filter((it) => after[gateway]!.has(it)),
    )
    // Commands of the wallet wait until it has done what is due, and what is behind them in their ring.
    const isDue = wasDue || this.isWalletDue(index)
    const isEnded = !this.isDrained || this.lackedRoom || this.isFull(index) || isDue
    assert(isEnded || left.flat().length === 0, 'no symbol stops a ring')
    const hasHeld = waiting.some(({ size }, gateway) => left[gateway]!.length < size)
    assert(isDone || hasHeld, 'a matcher takes what has room for its answer')
    this.isShort = this.regions.replyRings.some(
      (rings) => !new ReplyRingWriter(rings[index]!).hasRoom(),
    )
    strictEqual(this.published[index], BigInt(this.stores[index]!.lastPosition))
    strictEqual(this.hasPublished(index), isDone, 'every command is answered')
    const hasEvents = this.spies[index]!.hasNext()
    for (const [gateway, spies] of this.replySpies.entries()) {
      const cell = this.bells[gatewayBellOffset(gateway, MATCHERS) / 4]
      if (hasEvents || spies[index]!.hasNext()) strictEqual(cell, AWAKE, 'who sleeps is rung')
    }
    this.look(index)
    return done
  }
}

/** Correlation ids of the commands in the ring. */
export function waitingIn(memory: SharedArrayBuffer): ReadonlySet<number> {
  const ring = new CommandRingConsumer(memory)
  const slots = ring.available()
  const waiting = new Set<number>()
  for (let slot = 0; slot < slots; ) {
    const at = ring.slotAt(slot)
    const bytes = recordLength(ring.buffer, at)
    slot += commandSlots(bytes)
    if (bytes > 0) waiting.add(RecordHeader.correlation(ring.buffer, at))
  }
  return waiting
}
