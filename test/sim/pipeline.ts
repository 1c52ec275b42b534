/**
 * The whole way of a command from a seed, on one thread, with false time: gateways with real rings and
 * views, the real matchers on one ledger, journals in memory that refuse, tear and are recovered. Every
 * execution is predicted by the plain twin, and in the group by that of routing; what is settled, published
 * and shown is judged against what is journaled. At any moment power may be lost, processes killed, or the
 * exchange stopped in order.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import { Prng } from '../../src/base/prng.ts'
import { Ms } from '../../src/base/units.ts'
import type { Book } from '../../src/core/book/book.ts'
import { checkBook } from '../../src/core/book/invariants.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import type { Durability } from '../../src/journal/store.ts'
import { HOUR_MS } from '../../src/market/intervals.ts'
import { WALLET } from '../../src/market/listing.ts'
import type { WalletCommand } from './commands.ts'
import { checkHeld } from './held.ts'
import { PipelineDeferral } from './pipeline-deferral.ts'
import type { Continuation, Execution, WalletFiring } from './pipeline-engine.ts'
import { GATEWAYS, PipelineExchange } from './pipeline-exchange.ts'
import { PipelineFollower } from './pipeline-follower.ts'
import { PipelineGateway } from './pipeline-gateway.ts'
import { PipelineGroup, routed } from './pipeline-group.ts'
import { checkMoney, checkProof, checkShown } from './pipeline-money.ts'
import { PipelinePayments } from './pipeline-payments.ts'
import { DiskFault, type Fault, PipelineStore } from './pipeline-store.ts'
import { PipelineTwin } from './pipeline-twin.ts'
import {
  answer,
  compareWallet,
  fire,
  heldOf,
  WALLET_MATCHER,
  WalletWorkload,
} from './pipeline-wallet.ts'
import { eventCountOf, type NamedRecord } from './records.ts'
import { namesOf } from './simulation.ts'
import { Workload } from './workload.ts'
import { allSymbols, cellOf, isGrouped, MATCHERS, matcherOf, symbols } from './world.ts'

const START_MS = Ms(1_700_000_000_000)
/** Commands of a flood: their events are more than an event ring holds. */
const FLOOD_COMMANDS = 2_000
/** Commands are valid for about this long, so that some wait in their ring for too long. */
const WINDOW_MS = 12
/** Of the commands that come, those of the wallet. */
const WALLET_SHARE = 0.14
/** Of the others, those of the group. */
const GROUP_SHARE = 0.25

/** The follower is compared with its leader, and killed, in steps of such numbers. */
const COMPARED_STEPS = 7
const RESTARTED_STEPS = 211

/** How an exchange ends: what of the journal survives. */
type Ending = 'stop' | 'kill' | 'power loss'
const endings: readonly Ending[] = ['stop', 'kill', 'power loss']

export class Pipeline {
  /** How often each thing happened, so that a test can see that everything did. */
  readonly counts = new Map<string, number>()
  private readonly prng: Prng
  private readonly workload: Workload
  private readonly walletWorkload: WalletWorkload
  private readonly payments: PipelinePayments
  private readonly durability: Durability
  private readonly stores: PipelineStore[]
  private readonly twin: PipelineTwin
  private readonly hashOf = (symbolId: number) => this.symbolHash(symbolId)
  private readonly follower: PipelineFollower
  private exchange!: PipelineExchange
  private gateways!: PipelineGateway[]
  private group!: PipelineGroup
  private deferral!: PipelineDeferral
  /** By gateway: the step until which it does not read. */
  private asleepUntil: number[] = []
  /** The chance of a broken disk in a step: little in some seeds, so that slow readers are overrun. */
  private readonly trouble: number
  private epoch = 0
  private steps = 0
  private nowMs = START_MS
  private latestMs = START_MS

  constructor(seed: number) {
    this.prng = new Prng(seed)
    this.workload = new Workload(this.prng, allSymbols)
    this.walletWorkload = new WalletWorkload(this.prng)
    this.payments = new PipelinePayments(this.prng, (what) => this.count(what))
    this.durability = this.prng.chance(0.5) ? 'flushed' : 'committed'
    this.trouble = this.prng.pick([0.006, 0.0004])
    this.stores = Array.from(
      { length: MATCHERS },
      () => new PipelineStore(this.durability, this.prng.between(2, 8)),
    )
    this.follower = new PipelineFollower(this.stores)
    this.start()
    this.twin = new PipelineTwin(
      this.hashOf,
      (symbolId) => this.exchange.engines[symbolId]!,
      () => this.group,
    )
    for (const [index, store] of this.stores.entries()) {
      store.witness = {
        appending: () => this.appending(index),
        appended: (block) => this.appended(index, block),
      }
    }
  }

  /** One random step of one party, with everything checked after it. */
  step(): void {
    const prng = this.prng
    this.steps++
    this.tick()
    const matcher = prng.below(MATCHERS)
    const dice = prng.unit()
    if (dice < 0.5) this.submit()
    else if (dice < 0.72) this.work(matcher)
    else if (dice < 0.93) this.read(matcher)?.check(this.exchange)
    else if (dice < 0.95) this.pay()
    else if (dice < 0.985) this.takeDiff()
    else if (dice < 0.99) this.fallAsleep()
    else if (dice < 0.99 + this.trouble) this.breakDisk(matcher)
    else if (dice < 0.99 + this.trouble * 1.5) this.end(prng.pick(endings))
    // A reorganisation is short.
    else if (this.exchange.isTakingBack) this.end(prng.pick(endings))
    this.checkMoney()
  }

  /** Lets everything come to rest, and expects that nothing waits then. */
  finish(): void {
    for (const store of this.stores) store.fault = 'none'
    for (let turn = 0; turn < 1000 && !this.gateways.every((it) => it.isQuiet()); turn++) {
      for (let matcher = 0; matcher < MATCHERS; matcher++) {
        for (const gateway of this.gateways) gateway.poll(matcher)
        this.work(matcher)
      }
    }
    for (const gateway of this.gateways) {
      assert(gateway.isQuiet(), 'every command is answered and every book rebuilt')
      gateway.check(this.exchange)
    }
    this.end('stop')
    this.checkMoney()
    this.payments.checkOnce(this.twin.recordsOf(this.stores[WALLET_MATCHER]!))
  }

  /** The clock continues, stands, and now and then steps back, or by hours either way. */
  private tick(): void {
    const prng = this.prng
    this.nowMs = Ms(this.nowMs + (prng.chance(0.01) ? -prng.below(40) : prng.below(3)))
    if (prng.chance(0.001)) this.setClock()
    this.latestMs = Ms(Math.max(this.latestMs, this.nowMs))
  }

  /** The clock is wrong by hours from now on, or right again. */
  private setClock(): void {
    const passedMs = START_MS + this.steps
    this.nowMs = Ms(passedMs + this.prng.pick([0, 0, 1, 3, -2]) * HOUR_MS)
    this.latestMs = Ms(Math.max(this.latestMs, this.nowMs))
    this.count('clock set')
  }

  private submit(): void {
    const prng = this.prng
    const gateway = prng.pick(this.gateways)
    for (let left = prng.between(1, 3); left > 0; left--) {
      if (prng.chance(WALLET_SHARE)) {
        this.submitToWallet(gateway)
        continue
      }
      const { markets } = this.twin.world
      const ofGroup = markets.slice(symbols.length)
      const others = markets.slice(0, symbols.length)
      const { spec, state } = prng.pick(prng.chance(GROUP_SHARE) ? ofGroup : others)
      const next = this.workload.next(spec, Ms(this.nowMs + WINDOW_MS), state)
      const command = isGrouped(spec.id) ? routed(next, prng) : next
      if (command === undefined) continue
      if (!gateway.submit(command)) this.count('command ring full')
    }
  }

  private submitToWallet(gateway: PipelineGateway): void {
    const command = this.walletWorkload.next(this.twin.wallet, this.nowMs + WINDOW_MS)
    if (!gateway.submit(command)) this.count(`no room for ${command.name}`)
  }

  /** The sender takes a step with one of the withdrawals that were reported to it. */
  private pay(): void {
    const step = this.payments.step(this.flushedWallet)
    if (step === undefined) return
    try {
      this.exchange.journalPayment(step)
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      this.fail(WALLET_MATCHER, error)
      return
    }
    this.worked(WALLET_MATCHER)
  }

  /** The wallet as far as no power loss can take it back. */
  private get flushedWallet() {
    return this.twin.walletAt(this.stores[WALLET_MATCHER]!.flushedPosition)
  }

  private work(index: number): void {
    const store = this.stores[index]!
    const unflushed = store.lastPosition - store.flushedPosition
    try {
      const done = this.exchange.doWork(index)
      this.deferral.worked(index, this.exchange.isFull(index), this.exchange.lackedRoom)
      if (done > 0 && unflushed > 0 && store.flushedPosition === store.lastPosition) {
        this.count('flush')
      }
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      this.fail(index, error)
      return
    }
    this.worked(index)
  }

  /** What the matcher did is journaled, settled and published. */
  private worked(index: number): void {
    if (this.exchange.isShort) this.count('reply ring full')
    const store = this.stores[index]!
    const isFlushed = store.flushedPosition === store.lastPosition
    assert(isFlushed || this.durability === 'committed', 'flushed means flushed')
    if (isFlushed) this.twin.world.ledger.settle(index)
    else this.twin.world.ledger.commit(index)
    this.twin.published(index)
    for (const gateway of this.gateways) gateway.published(index)
    this.follow(index)
    const payments = this.exchange.matchers[index]!.takePayments()
    this.payments.take(payments, this.flushedWallet)
    for (const { id } of allSymbols) {
      if (matcherOf(id) !== index) continue
      const { book } = this.exchange.engines[id]!
      checkBook(book as Book)
      if (isGrouped(id)) continue
      strictEqual(book.restingCount, this.twin.symbols[id]!.market.resting().length)
    }
  }

  /** The follower takes what is flushed. Now and then it is compared with the leader, or killed. */
  private follow(index: number): void {
    const follower = this.follower
    follower.follow(index)
    if (follower.isLevel && this.steps % COMPARED_STEPS === 0) {
      strictEqual(follower.hash, this.hash(), 'a follower has what its leader has')
      this.count('follower compared')
    }
    if (this.steps % RESTARTED_STEPS !== 0) return
    follower.restart()
    this.count('follower restarted')
  }

  /** The matcher met a fault: the process is over, and the batch must not have been seen. */
  private fail(index: number, { message }: DiskFault): void {
    this.count(`fault in ${message}`)
    this.checkMoney()
    assert(!this.exchange.hasPublished(index), 'a batch that failed is not published')
    for (const gateway of this.gateways) {
      for (let matcher = 0; matcher < MATCHERS; matcher++) gateway.poll(matcher)
    }
    this.end(this.prng.pick(['kill', 'power loss']))
  }

  private read(matcher: number): PipelineGateway | undefined {
    const index = this.prng.below(GATEWAYS)
    if (this.steps < this.asleepUntil[index]!) return undefined
    const gateway = this.gateways[index]!
    gateway.poll(matcher)
    return gateway
  }

  /** While a matcher is in the middle of a batch, gateways continue. */
  private interleave(): void {
    const prng = this.prng
    const dice = prng.unit()
    if (dice < 0.1) this.submit()
    else if (dice < 0.2) this.read(prng.below(MATCHERS))
    else if (dice < 0.22) this.takeDiff()
  }

  private takeDiff(): void {
    this.prng.pick(this.gateways).takeDiff(this.prng.below(allSymbols.length))
  }

  /** A gateway is slow for so long that its readers may be overrun. */
  private fallAsleep(): void {
    this.asleepUntil[this.prng.below(GATEWAYS)] = this.steps + this.prng.between(100, 1500)
  }

  /** So many orders come while a gateway sleeps that the event rings overrun its readers. */
  flood(): void {
    this.fallAsleep()
    for (let order = 0; order < FLOOD_COMMANDS; order++) {
      this.tick()
      this.submit()
      this.work(order % MATCHERS)
      this.read(order % MATCHERS)
    }
  }

  private breakDisk(matcher: number): void {
    const faults: readonly Fault[] = ['none', 'none', 'append', 'doubt', 'flush']
    this.stores[matcher]!.fault = this.prng.pick(faults)
  }

  /** An engine executed a command: the twin has what that must have caused. */
  private executed(execution: Execution): void {
    const { symbolId, gateway, timeMs, clockMs, records } = execution
    // A start cancels by itself what sessions of the last one have left open.
    if (gateway >= 0) {
      const asked = this.gateways[gateway]!.sent(execution.correlation)
      this.deferral.executed(asked, records, this.exchange.lackedRoom)
    }
    const command = gateway < 0 ? execution.command : this.gateways[gateway]!.executed(execution)
    if (isGrouped(symbolId)) {
      this.group.executed(records)
      if (this.group.areUnfinished) this.count(`unfinished in the group: ${command.name}`)
      this.groupWritten(records)
      return
    }
    const room = eventCountOf(records)
    deepStrictEqual(records, this.twin.predict(command, timeMs, clockMs, room))
    assert(clockMs === this.nowMs, 'expiry is judged by the clock as it is')
    if (timeMs > clockMs + HOUR_MS / 2) this.count(`an hour behind: ${records[0]!.name}`)
    if (this.twin.symbols[symbolId]!.isUnfinished) this.count(`unfinished: ${command.name}`)
    this.written(execution)
    this.interleave()
  }

  private walletExecuted(execution: Execution<WalletCommand>): void {
    const { gateway, timeMs, clockMs, records } = execution
    const command = gateway < 0 ? execution.command : this.gateways[gateway]!.executed(execution)
    answer(this.twin.wallet, command, timeMs, clockMs, records)
    if (this.twin.wallet.isTakingBack) this.count('blocks taken back')
    this.walletWritten(records)
  }

  private walletFired({ timeMs, clockMs, records }: WalletFiring): void {
    fire(this.twin.wallet, timeMs, clockMs)
    this.count(this.twin.wallet.isTakingBack ? 'unfinished: ChangeChain' : 'due in the wallet')
    this.walletWritten(records)
  }

  private walletWritten(records: readonly NamedRecord[]): void {
    this.twin.walletWrote(eventCountOf(records))
    for (const record of records) for (const what of namesOf(record)) this.count(what)
    compareWallet(this.twin.wallet, this.exchange.wallet)
    checkProof(this.twin.world.ledger, heldOf(this.twin.wallet))
    this.interleave()
  }

  /** A further batch continued with a command, whose gateway may wait, or with what follows from it. */
  private wentOn(continuation: Continuation): void {
    const { symbolId, timeMs, records } = continuation
    if (isGrouped(symbolId)) {
      this.wentOnInGroup(records)
      return
    }
    deepStrictEqual(records, this.twin.goOn(symbolId, timeMs, eventCountOf(records)))
    const { gateway, correlation } = records[0]!
    if (Number(gateway) >= 0) this.gateways[Number(gateway)]!.wentOn(Number(correlation), records)
    this.count('gone on')
    this.written(continuation)
  }

  private wentOnInGroup(records: readonly NamedRecord[]): void {
    const { gateway, correlation } = records[0]!
    if (Number(gateway) >= 0) this.gateways[Number(gateway)]!.wentOn(Number(correlation), records)
    this.count('gone on in the group')
    this.groupWritten(records)
  }

  private groupWritten(records: readonly NamedRecord[]): void {
    this.twin.groupChanged()
    for (const { name } of records) if (name === 'Allocation') this.count(name)
    checkHeld(this.twin.world, this.group.locked)
    this.interleave()
  }

  private written({ symbolId, timeMs, records }: Continuation): void {
    for (const record of records) for (const what of namesOf(record)) this.count(what)
    checkHeld(this.twin.world, this.group.locked)
    const engine = this.exchange.engines[symbolId]!
    strictEqual(engine.isUnfinished, this.twin.symbols[symbolId]!.isUnfinished)
    const { eventTimesMs } = this.exchange
    assert(timeMs >= this.nowMs && timeMs <= this.latestMs, "a batch's time is the clock's")
    assert(timeMs >= eventTimesMs[symbolId]!, "a symbol's time never falls")
    if (timeMs > this.nowMs) this.count('clock behind')
    eventTimesMs[symbolId] = timeMs
  }

  /** A block is about to be written: neither ledger nor rings may know of it. */
  private appending(matcher: number): void {
    checkShown(this.exchange.balances, this.twin.world.ledger)
    assert(!this.exchange.hasPublished(matcher), 'nothing is published before it is journaled')
    this.interleave()
  }

  /** Replies are published, and events are or will be. */
  private publishing(matcher: number, areEventsVisible: boolean): void {
    for (const gateway of this.gateways) {
      if (areEventsVisible) gateway.published(matcher)
      else gateway.replied(matcher)
    }
    this.interleave()
  }

  private appended(matcher: number, bytes: Uint8Array): void {
    this.interleave()
    this.twin.appended(matcher, bytes, this.hashOf)
  }

  /** The exchange ends and starts again from what survives. */
  private end(ending: Ending): void {
    this.count(ending)
    if (this.twin.symbols.some(({ isUnfinished }) => isUnfinished)) {
      this.count(`${ending} in a cascade`)
    }
    if (this.exchange.isTakingBack) this.count('end in a reorganisation')
    const before = ending === 'stop' ? this.stopInOrder() : undefined
    const acknowledged = [WALLET, ...allSymbols.map(({ id }) => id)].map((id) =>
      Math.max(...this.gateways.map((gateway) => gateway.seenSequence[cellOf(id)]!)),
    )
    for (const [index, store] of this.stores.entries()) {
      const unflushed = store.lastPosition - store.flushedPosition
      const kept = ending === 'power loss' ? this.prng.between(0, unflushed) : unflushed
      if (kept < unflushed) this.count('torn tail')
      store.tear(kept)
      this.twin.tear(index, store.lastPosition)
    }
    if (this.prng.chance(0.3)) this.setClock()
    this.start()
    this.twin.restart(this.hashOf)
    compareWallet(this.twin.wallet, this.exchange.wallet)
    this.payments.restarted(this.flushedWallet)
    this.follower.followAll()
    strictEqual(this.follower.hash, this.hash(), 'a follower has what its leader recovers')
    if (before !== undefined) strictEqual(this.hash(), before, 'what was stopped is recovered')
    if (ending !== 'power loss' || this.durability !== 'committed') {
      for (const { id } of allSymbols) {
        const { counters } = this.exchange.engines[id]!
        assert(
          counters[Counter.sequence]! >= acknowledged[cellOf(id)]!,
          'what was published survives',
        )
      }
      const { sequence } = this.exchange.wallet.state
      assert(sequence >= acknowledged[cellOf(WALLET)]!, 'what was published survives')
    }
    this.cancelLeft()
  }

  /** No session outlives a start: what any has left open is canceled, unless the start fails first. */
  private cancelLeft(): void {
    for (let index = 0; index < MATCHERS; index++) this.exchange.endLeftCountdowns(index)
    for (let index = 0; index < MATCHERS; ) {
      if (this.prng.chance(0.02)) {
        this.end(this.prng.pick(['kill', 'power loss']))
        return
      }
      try {
        if (this.exchange.finishLeft(index)) this.count('gone on at start')
        else if (index === WALLET_MATCHER && this.exchange.fireWallet()) {
          this.count('due in the wallet at start')
        } else if (!this.exchange.cancelLeft(index)) {
          index++
          continue
        } else this.count('canceled at start')
      } catch (error) {
        if (!(error instanceof DiskFault)) throw error
        this.fail(index, error)
        return
      }
      this.worked(index)
    }
    assert(this.twin.wallet.due(this.nowMs) === undefined, 'a start does what fell due')
    assert(!this.twin.wallet.isTakingBack, 'a start finishes a reorganisation')
    for (const symbol of this.twin.symbols) {
      assert(!symbol.isUnfinished, 'a start finishes what the last one began')
    }
    for (const { state } of this.twin.symbols) {
      assert(
        state.countdowns.every(({ deadlineMs }) => deadlineMs > this.nowMs),
        'a start fires countdowns that are over',
      )
      assert(
        state.orders.every(({ session }) => session === 0),
        'at start no session has open orders',
      )
    }
  }

  /** Finishes what is in flight and flushes; answers the state's hash. */
  private stopInOrder(): string {
    for (const store of this.stores) store.fault = 'none'
    for (const [index, matcher] of this.exchange.matchers.entries()) {
      do {
        while (matcher.hasWork()) this.work(index)
      } while (this.readForOldest(index))
      matcher.close()
      this.twin.world.ledger.settle(index)
    }
    this.deferral.stopped()
    this.checkMoney()
    return this.hash()
  }

  /** Gateways read on while a matcher stops. Returns whether one has made room for a command that waits for it. */
  private readForOldest(index: number): boolean {
    const gateway = this.deferral.oldest(index)
    return gateway !== undefined && this.gateways[gateway]!.poll(index)
  }

  /** Starts the exchange from the journals, with gateways that know nothing yet. */
  private start(): void {
    const clock = { nowMs: () => this.nowMs, elapsedNs: () => this.steps }
    const locked = this.twin?.lockedInGroup ?? new Map()
    this.group = new PipelineGroup(WALLET_MATCHER, locked, {
      ledger: () => this.twin.world.ledger,
      count: (what) => this.count(what),
    })
    this.exchange = new PipelineExchange(
      this.stores,
      ++this.epoch,
      clock,
      {
        executed: (execution) => this.executed(execution),
        walletExecuted: (execution) => this.walletExecuted(execution),
        walletFired: (firing) => this.walletFired(firing),
        wentOn: (continuation) => this.wentOn(continuation),
        countdownsExpired: (symbolId, clockMs) =>
          this.twin.symbols[symbolId]?.expireCountdowns(clockMs),
      },
      (matcher, areEventsVisible) => this.publishing(matcher, areEventsVisible),
      this.group,
    )
    this.gateways = Array.from(
      { length: GATEWAYS },
      (_, index) =>
        new PipelineGateway(index, this.exchange, {
          journaledSequence: (symbolId) => this.twin.sequences[cellOf(symbolId)]!,
          trades: (symbolId) => this.twin.trades[symbolId]!,
          count: (what) => this.count(what),
          below: (bound) => this.prng.below(bound),
        }),
    )
    this.asleepUntil = this.gateways.map(() => 0)
    this.deferral = new PipelineDeferral(
      () => this.twin,
      (what) => this.count(what),
    )
    this.exchange.refused = () => this.deferral.refused()
    this.exchange.oldestDeferred = (matcher) => this.deferral.oldest(matcher)
    this.exchange.arrived = (gateway, correlation) => {
      const asked = this.gateways[gateway]!.sent(correlation)
      const isOfWallet = asked.command.record.symbolId === WALLET
      if (asked.arrival === 0 && !isOfWallet) this.deferral.arrived(asked)
    }
  }

  private checkMoney(): void {
    const { ledger } = this.twin.world
    checkMoney(this.exchange.balances, ledger, this.twin.heldShown)
    checkProof(ledger, heldOf(this.twin.wallet))
  }

  private symbolHash(symbolId: number): number {
    if (symbolId === WALLET) return this.exchange.walletHash
    const nothing = new Balances(new SharedArrayBuffer(Balances.bytesFor(1, 1)), 1, 1)
    return stateHash([this.exchange.engines[symbolId]!], nothing)
  }

  private hash(): string {
    return this.exchange.hash
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}
