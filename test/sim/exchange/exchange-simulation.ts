/**
 * The whole exchange from a seed, on one thread, with false time: clients sign requests and read
 * answers and streams, real gateways encode, answer and view, real matchers write real journals, which
 * are checkpointed, archived, made snapshots of and recovered from, by another number of matchers each time.
 * Every execution is predicted by the plain twin; what is settled, sent and archived is judged by it. At
 * any step, or while anything is done with a file, process or power may go, or the disk refuse. With a quorum
 * up to two more members follow (membership.ts), and any of them may have to take the lead.
 */

import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import fs from 'node:fs'
import { crc32 } from 'node:zlib'
import { assert } from '../../../src/base/assert.ts'
import { WithdrawalStatus } from '../../../src/base/codes.ts'
import { ManualClock } from '../../../src/base/manual-time.ts'
import { Prng } from '../../../src/base/prng.ts'
import { AssetId, SymbolId } from '../../../src/base/units.ts'
import type { Book } from '../../../src/core/book/book.ts'
import { checkBook } from '../../../src/core/book/invariants.ts'
import { StorageError } from '../../../src/journal/environment.ts'
import { journalFolder, LmdbStore } from '../../../src/journal/lmdb-store.ts'
import { recoverWals } from '../../../src/journal/recovery.ts'
import type { Durability } from '../../../src/journal/store.ts'
import { HOUR_MS } from '../../../src/market/intervals.ts'
import { QuorumRefusal } from '../../../src/replica/quorum.ts'
import type { PlainWithdrawal } from '../../model/plain-wallet.ts'
import { checkHeld } from '../held.ts'
import type { Continuation, Execution } from '../pipeline-engine.ts'
import { checkShown } from '../pipeline-money.ts'
import { makeQuickFolder } from '../quick-folder.ts'
import type { NamedRecord } from '../records.ts'
import { namesOf } from '../simulation.ts'
import { Backups } from './backups.ts'
import { Crowd } from './crowd.ts'
import { FalseChain } from './false-chain.ts'
import { FalseChance } from './false-chance.ts'
import { FalseQuorum } from './false-quorum.ts'
import { isRefused } from './false-replica.ts'
import { isRefusal, Killed, type Trouble } from './faulty-disk.ts'
import { foundWorld, START_MS } from './founding.ts'
import { tearArchive } from './losses.ts'
import { Machine } from './machine.ts'
import { Membership } from './membership.ts'
import { MoneyMovers } from './money-movers.ts'
import { Operators } from './operators.ts'
import { checkPast } from './past.ts'
import { GATEWAYS, PROMOTE_AFTER_SECONDS } from './process-config.ts'
import { type LifecycleOptions, ProcessLifecycle } from './process-lifecycle.ts'
import { ExchangeTwin } from './twin.ts'
import { WanderingClock } from './wandering-clock.ts'

const MATCHERS_MAX = 3
const TURNS_MAX = 4_000
/** Until withdrawals are paid: a node that fails again and again is asked ever less often. */
const PAID_TURNS_MAX = 1_000

type Ending = 'stop' | 'kill' | 'power loss'

/** Parties that may be slow: gateways, then matchers, then these. */
const CHECKPOINTER = 20
const INDEXER = 21
const MATCHER = 10
/** Beats of a leader, and how long each lets it lead: no longer than others wait for the next one. */
const BEAT_MS = 300
const LEASE_MS = PROMOTE_AFTER_SECONDS * 1_000
/** In a step, while flushes are under way, that one is over. */
const FLUSH_CHANCE = 0.2
/** Lower for one that another has passed: its file is written again before it is over. */
const LATE_FLUSH_CHANCE = 0.04
/** In a step, where anything may fail. */
const CUT_CHANCE = 0.001
/** In a step of an exchange that has calls. */
const CALL_CHANCE = 0.03
/** Backups draw separate numbers, and what moves money over chains. */
const BACKUPS = 0xbacc
const MONEY = 0x30e7
/** In a step, that the node of the chains answers. */
const NODE_CHANCE = 0.2
/** Timers of the main part in a step. */
const MAIN_TIMERS = 2

export class ExchangeSimulation {
  /** How often each thing happened, so that a test can see that everything did. */
  readonly counts = new Map<string, number>()
  /** Checksum of all that happened until now: what was written, what clients received, and what went wrong. */
  trace = 0
  private readonly prng: Prng
  private readonly durability: Durability
  private readonly flushesBeside: boolean
  private readonly quorum: FalseQuorum | undefined
  private readonly members: Membership | undefined
  private readonly backups: Backups
  private readonly time = new ManualClock(START_MS)
  private readonly chance: FalseChance
  private readonly clock: WanderingClock
  private readonly root: string
  private readonly twin = new ExchangeTwin()
  private readonly crowd: Crowd
  private readonly operators: Operators
  private readonly chain: FalseChain
  private readonly movers: MoneyMovers
  /** Whether operators open and close symbols by auctions. */
  private readonly hasCalls: boolean
  /** The chance of a fault in a step. */
  private readonly trouble: number
  /** For how many steps a slow party may be slow. */
  private readonly slowness: number
  private readonly hashOf = (symbolId: number) => this.process.symbolHash(SymbolId(symbolId))
  /** By party: the step until which it does nothing. */
  private readonly asleepUntil = new Map<number, number>()
  /** Matchers that wait for the quorum. */
  private readonly waiting = new Set<number>()
  /** When the leader beat last. */
  private beatMs = Number.NEGATIVE_INFINITY
  /** The leader's. */
  private machine: Machine
  /** The leader, or the last one. */
  private process!: ProcessLifecycle
  private steps = 0
  private isStarted = false

  constructor(seed: number, hasCalls = false) {
    this.hasCalls = hasCalls
    this.prng = new Prng(seed)
    this.chance = new FalseChance(seed)
    this.clock = new WanderingClock(this.time, this.prng, (what) => this.count(what))
    this.durability = this.prng.pick(['flushed', 'committed', 'replicated'])
    if (this.durability === 'replicated') {
      this.quorum = new FalseQuorum(this.prng, (what) => this.count(what))
    }
    this.flushesBeside = this.durability !== 'replicated' && seed % 2 === 0
    this.trouble = this.prng.pick([0, 0.001, 0.006])
    this.slowness = this.prng.pick([400, 1200, 3000])
    this.root = makeQuickFolder('ringbook-sim-')
    this.machine = this.newMachine('a')
    foundWorld(this.machine.folder)
    this.backups = new Backups({
      prng: new Prng(seed ^ BACKUPS),
      root: this.root,
      count: (what) => this.count(what),
      options: (own) => ({
        ...this.optionsOf(),
        flushesBeside: false,
        disk: this.disk,
        ...own,
      }),
      goesOn: () => this.goOn(),
    })
    this.members = this.quorum && this.newMembership(this.quorum)
    this.crowd = new Crowd({
      prng: this.prng,
      time: this.time,
      twin: this.twin,
      isAsleep: (gateway) => this.isAsleep(gateway),
      count: (what) => this.count(what),
      told: (answer) => this.note(answer),
    })
    const money = new Prng(seed ^ MONEY)
    this.chain = new FalseChain({
      prng: money,
      count: (what) => this.count(what),
      safe: (id) => this.safeWithdrawal(id),
    })
    this.movers = new MoneyMovers({
      prng: money,
      time: this.time,
      twin: this.twin,
      isAsleep: (gateway) => this.isAsleep(gateway),
      count: (what) => this.count(what),
      told: (answer) => this.note(answer),
    })
    this.operators = new Operators({
      prng: this.prng,
      twin: this.twin,
      count: (what) => this.count(what),
    })
  }

  /** One random step of one party, with everything checked after it. */
  async step(): Promise<void> {
    if (!this.isStarted) {
      this.isStarted = true
      await this.start()
    }
    this.steps++
    this.clock.tick()
    try {
      if (this.disk.isFlushing && this.prng.chance(FLUSH_CHANCE)) this.endFlush()
      else if (this.disk.isFlushingLate && this.prng.chance(LATE_FLUSH_CHANCE)) this.endLateFlush()
      else await this.doSomething()
      await this.moveMoney()
      await this.backUp()
      await this.beMember()
    } catch (error) {
      if (!this.isFault(error)) throw error
      await this.end(this.prng.pick(['kill', 'power loss']))
    }
    this.checkMoney()
    this.chain.check()
  }

  /** Lets everything come to rest, stops in order, and leaves nothing behind. */
  async finish(): Promise<void> {
    this.disk.disarm()
    while (await isRefused(this.finishMoney())) await this.end('kill')
    while (await isRefused(this.stop())) await this.end('kill')
    this.twin.end(this.positions(this.flushed()))
    this.dispose()
  }

  /** Removes what it kept on the disk, however far it came. */
  dispose(): void {
    this.bury()
    this.members?.bury()
    fs.rmSync(this.root, { recursive: true, force: true })
    this.chance.leave()
  }

  private get folder(): string {
    return this.machine.folder
  }

  private get disk() {
    return this.machine.disk
  }

  private get replica() {
    return this.machine.replica
  }

  private newMachine(name: string): Machine {
    return new Machine(name, this.root, {
      prng: this.prng,
      time: this.time,
      clock: this.clock,
      quorum: this.quorum,
      count: (what) => this.count(what),
      replica: {
        meanwhile: (matcher) => this.meanwhile(matcher),
        mayBeOvertaken: () => this.quorum!.isTroubled && this.members!.count === 0,
      },
      options: (own) => ({ ...this.optionsOf(), ...own }),
      followed: (process, { journal, position, checksum }) => {
        const expected = this.twin.hashesAt(journal, position, checksum)
        const found = [...expected].map(([id]) => [id, process.symbolHash(SymbolId(id))])
        deepStrictEqual(found, [...expected], 'a follower has what its leader had')
      },
    })
  }

  private newMembership(quorum: FalseQuorum): Membership {
    return new Membership({
      prng: this.prng,
      time: this.time,
      clock: this.clock,
      quorum,
      count: (what) => this.count(what),
      newMachine: (name) => this.newMachine(name),
      leader: () => this.machine,
      backup: () => this.backups.newest,
    })
  }

  private async doSomething(): Promise<void> {
    const prng = this.prng
    if (this.hasCalls && prng.chance(CALL_CHANCE)) return this.operators.changePhase(this.process)
    const dice = prng.unit()
    const trouble = this.trouble
    if (dice < 0.34) await this.crowd.submit()
    else if (dice < 0.355) await this.operators.enter(this.process)
    else if (dice < 0.58) await this.turnGateway(prng.below(GATEWAYS))
    else if (dice < 0.8) this.work(prng.below(this.process.matchers.length))
    else if (dice < 0.85) this.archive()
    else if (dice < 0.9) await this.answerHistory()
    else if (dice < 0.93) this.crowd.read()
    else if (dice < 0.95) this.checkpoint()
    else if (dice < 0.965) await this.crowd.loseConnection()
    else if (dice < 0.97) this.fallAsleep()
    else if (dice < 0.976) await this.operators.act(this.process)
    else if (dice < 0.98) this.snapshot()
    else if (dice < 0.981 + trouble) this.arm()
    else if (dice < 0.981 + trouble * 1.5) await this.end(prng.pick(['stop', 'kill', 'power loss']))
    else await this.turnGateway(prng.below(GATEWAYS))
  }

  private isAsleep(party: number): boolean {
    return this.steps < (this.asleepUntil.get(party) ?? 0)
  }

  private fallAsleep(): void {
    const prng = this.prng
    const party = prng.pick([0, 1, 0, 1, MATCHER, CHECKPOINTER, INDEXER])
    this.asleepUntil.set(party, this.steps + prng.between(50, this.slowness))
    this.count('slow party')
  }

  /** Some ticks of a gateway's event loop. */
  private async turnGateway(gateway: number): Promise<void> {
    if (this.isAsleep(gateway)) return
    await this.process.turnGateway(gateway, this.prng.between(1, 6))
  }

  private endFlush(): void {
    this.disk.endFlush()
    this.count('flush beside')
  }

  private endLateFlush(): void {
    this.disk.endLateFlush()
    this.count('flush beside')
  }

  private work(index: number): void {
    if (index >= this.process.matchers.length || this.isAsleep(MATCHER + index)) return
    if (this.waiting.has(index)) return
    this.process.work(index)
  }

  /** While a block is on its way to the quorum, other matchers work, and the checkpointer. */
  private meanwhile(matcher: number): void {
    const prng = this.prng
    this.waiting.add(matcher)
    for (let left = prng.between(1, 3); left > 0; left--) {
      this.work(prng.below(MATCHERS_MAX))
      if (prng.chance(0.1)) this.checkpoint()
    }
    this.waiting.delete(matcher)
  }

  /** Money moves over chains, and the node that pays withdrawals comes to answer. */
  private async moveMoney(): Promise<void> {
    await this.movers.step(this.process)
    this.movers.read()
    if (this.prng.chance(NODE_CHANCE)) await this.process.turn(() => this.chain.stir())
    await this.process.turnMain(MAIN_TIMERS)
  }

  /** Each withdrawal that is on its way comes to its end. */
  private async finishMoney(): Promise<void> {
    this.asleepUntil.clear()
    this.clock.catchUp()
    for (let turns = 0; this.hasUnderWay; turns++) {
      assert(turns < PAID_TURNS_MAX, 'a withdrawal is paid')
      await this.movers.resume(this.process)
      this.clock.advance(200)
      await this.turnAll()
      this.chain.check()
    }
    this.chain.checkPaid(this.twin.wallet.plain.withdrawals)
  }

  private get hasUnderWay(): boolean {
    const { withdrawals } = this.twin.wallet.plain
    return withdrawals.some(({ status }) => status === WithdrawalStatus.PROCESSING)
  }

  /** The withdrawal, unless something of it may be lost. */
  private safeWithdrawal(id: number): PlainWithdrawal {
    const [journal] = this.process.journals
    const { plain } = this.twin.wallet
    const row = plain.withdrawals.find((it) => it.id === id)
    const events = this.twin.eventsOfWithdrawal(id)
    assert(row !== undefined && events.length > 0, 'what is signed or sent was journaled')
    for (const [, position] of events) {
      assert(journal!.flushedPosition >= position, 'and nothing of it is lost')
      assert(this.quorum?.isSafe(0, position) ?? true, 'the quorum has it')
    }
    return row
  }

  /** An operator's backup, of this moment, which is copied later, while the exchange continues. */
  private async backUp(): Promise<void> {
    await this.backups.step(this.process, (action) => this.disk.around(action))
  }

  private goOn(): void {
    const prng = this.prng
    if (prng.chance(0.2)) this.work(prng.below(this.process.matchers.length))
    if (prng.chance(0.1)) this.checkpoint()
  }

  /** What members of a quorum do beside the leader, and what befalls them. */
  private async beMember(): Promise<void> {
    const members = this.members
    if (members === undefined) return
    await this.beat()
    if (members.mayBeCut && this.prng.chance(CUT_CHANCE)) return this.cutOff(members)
    const heir = await members.step()
    if (heir === undefined) {
      for (const { process } of members.level()) {
        strictEqual(process!.hash, this.process.hash, 'who is level has all that its leader has')
        deepStrictEqual(process!.prices, this.process.prices, 'and publishes the same prices')
      }
      return
    }
    // The leader before finds out with its next beat, and ends.
    this.count('deposed')
    this.checkLease(members)
    await this.replica!.checkFence()
    this.bury()
    this.disk.settle()
    await this.lead(heir, members)
  }

  private async beat(): Promise<void> {
    const { passedMs } = this.time
    if (this.replica === undefined || passedMs - this.beatMs < BEAT_MS) return
    this.beatMs = passedMs
    if (await this.replica.beat()) this.process.role.confirm(passedMs + LEASE_MS)
    if (this.prng.chance(0.5)) await this.replica.mark()
  }

  /**
   * The leader reaches the quorum no more, and lives on. It leads no longer than its lease, and sends nothing
   * definite once another member leads.
   */
  private async cutOff(members: Membership): Promise<void> {
    const prng = this.prng
    this.count('leader cut off')
    this.replica!.isCut = true
    this.crowd.isCutOff = true
    let heir: Machine | undefined
    while (heir === undefined) {
      this.clock.advance(prng.between(5, 80))
      if (this.process.role.isLeading) await this.crowd.submit()
      for (let gateway = 0; gateway < GATEWAYS; gateway++) await this.turnGateway(gateway)
      this.workUncertain()
      this.crowd.read()
      if (prng.chance(0.05)) this.quorum!.stir()
      heir = await members.succeed()
    }
    this.checkLease(members)
    if (!this.process.role.isLeading) {
      for (let gateway = 0; gateway < GATEWAYS; gateway++) {
        await this.crowd.askDeposed(gateway, () => this.turnGateway(gateway))
      }
    }
    await this.replica!.checkFence()
    this.crowd.isCutOff = false
    this.bury()
    this.disk.settle()
    await this.lead(heir, members)
    this.checkAcknowledged(false)
  }

  private checkLease({ isAsked }: Membership): void {
    const { isLeading } = this.process.role
    assert(isAsked || !isLeading, 'who takes the lead by itself waits until nobody leads')
  }

  /** Matchers of a leader that is cut off work until they have something to bring to the quorum. */
  private workUncertain(): void {
    for (const index of this.process.matchers.keys()) {
      try {
        this.work(index)
      } catch (error) {
        if (!(error instanceof QuorumRefusal)) throw error
        this.waiting.add(index)
      }
    }
  }

  /** A member that has taken the lead, and has followed all there was, leads. */
  private async lead(heir: Machine, members: Membership): Promise<void> {
    const process = heir.process!
    members.replace(heir, this.machine)
    this.machine = heir
    this.process = process
    heir.led()
    const positions = process.journals.map(({ lastPosition }) => lastPosition)
    this.twin.end(positions)
    this.twin.restart(process, positions, this.hashOf)
    this.asleepUntil.clear()
    await process.lead(heir.replica!)
    this.beatMs = Number.NEGATIVE_INFINITY
    await this.beat()
    this.crowd.enter(process)
    this.quorum!.isTroubled = true
    this.count('promoted')
    if (this.hasUnderWay) this.count('promoted: a withdrawal is under way')
  }

  /** What a batch has done is as settled as in the journal, and sent to all. */
  private worked(index: number): void {
    const journal = this.process.journals[index]!
    // A batch that waits for its flush has settled nothing.
    if (journal.cells.written < journal.lastPosition) return
    const isFlushed = journal.flushedPosition === journal.lastPosition
    assert(isFlushed || this.durability === 'committed', 'flushed means flushed')
    const { world } = this.twin
    if (isFlushed) world.ledger.settle(index)
    else world.ledger.commit(index)
    this.twin.published(index)
    this.crowd.published()
    for (const { spec, market } of this.twin.symbols) {
      if (this.process.matcherOf[spec.id] !== index) continue
      const { book } = this.process.engines[spec.id]!
      checkBook(book as Book)
      strictEqual(book.restingCount, market.resting().length)
    }
  }

  private checkpoint(): void {
    if (this.isAsleep(CHECKPOINTER)) return
    if (this.process.checkpoint() > 0) this.count('checkpointed')
  }

  private archive(): void {
    if (this.isAsleep(INDEXER)) return
    if (this.process.archive() > 0) this.count('archived')
  }

  private async answerHistory(): Promise<void> {
    await this.process.turn(() => {
      if (this.process.history.answerOne()) this.count('history')
    })
  }

  /** Made beside the exchange, which continues meanwhile, and perhaps given up. */
  private snapshot(): void {
    const prng = this.prng
    const isGivenUp = prng.chance(0.1)
    const mayDie = this.trouble > 0 && prng.chance(0.2)
    if (mayDie) this.disk.arm('kill', prng.between(1, 60))
    const goesOn = () => {
      if (prng.chance(0.1)) this.work(prng.below(this.process.matchers.length))
      if (prng.chance(0.05)) this.checkpoint()
      return !isGivenUp || prng.chance(0.9)
    }
    const made = this.disk.around(() => this.process.makeSnapshot(goesOn))
    if (made) this.count('snapshot')
    else if (isGivenUp) this.count('snapshot given up')
  }

  private arm(): void {
    const prng = this.prng
    const troubles: readonly Trouble[] = ['kill', 'refuse write', 'refuse flush']
    this.disk.arm(prng.pick(troubles), prng.between(1, 30))
  }

  private isFault(error: unknown): boolean {
    if (this.disk.isDying || error instanceof Killed || error instanceof QuorumRefusal) return true
    return isRefusal(error) || (error instanceof StorageError && isRefusal(error.cause))
  }

  /** An engine executed a command: the twin has what that must have caused. */
  private executed(execution: Execution): void {
    const { timeMs, clockMs, command, records } = execution
    deepStrictEqual(records, this.twin.predict(command, timeMs, clockMs))
    for (const record of records) for (const what of namesOf(record)) this.count(what)
    checkHeld(this.twin.world)
    assert(timeMs <= this.clock.latestMs, "a batch's time was the clock's")
    assert(clockMs === this.time.wallMs, 'expiry is judged by the clock as it is')
    if (timeMs > clockMs + HOUR_MS / 2) this.count(`an hour behind: ${records[0]!.name}`)
    this.crowd.executed(execution)
  }

  private wentOn({ symbolId, timeMs, records }: Continuation): void {
    deepStrictEqual(records, this.twin.goOn(symbolId, timeMs))
    for (const record of records) for (const what of namesOf(record)) this.count(what)
    checkHeld(this.twin.world)
  }

  /** The wallet has written these. */
  private moved(records: readonly NamedRecord[]): void {
    for (const record of records) for (const what of namesOf(record)) this.count(what)
    checkHeld(this.twin.world)
  }

  private async end(ending: Ending): Promise<void> {
    this.count(ending)
    if (this.twin.symbols.some(({ state }) => state.auctionTicks !== 0)) {
      this.count(`${ending} in an auction`)
    }
    if (this.hasUnderWay) this.count(`${ending}: a withdrawal is under way`)
    const before = ending === 'stop' ? await this.stop() : undefined
    const ends = this.twin.symbols.flatMap(({ state: { endsMs, countdowns } }) => [
      ...(endsMs > 0 ? [endsMs] : []),
      ...countdowns.map(({ deadlineMs }) => deadlineMs),
    ])
    const walletEvents = this.twin.walletEvents.length
    const members = this.members
    const isInherited = members !== undefined && members.running > 0 && this.prng.chance(0.5)
    const isHandedOver = before !== undefined && isInherited && (await members.handOver())
    const flushed = this.flushed()
    this.bury()
    if (ending === 'power loss') this.losePower()
    else this.disk.settle()
    if (isHandedOver || (isInherited && before === undefined)) await this.inherit(members!)
    else await this.startAgain(flushed)
    // A phase or a countdown whose time came meanwhile ends at the start.
    const isSame =
      ends.every((endsMs) => endsMs > this.clock.latestMs) &&
      this.twin.walletEvents.length === walletEvents
    if (before !== undefined && isSame) {
      strictEqual(this.process.hash, before, 'what was stopped is recovered')
    }
    this.checkAcknowledged(ending === 'power loss' && this.durability === 'committed')
  }

  /** Another member takes the lead from one that is gone. */
  private async inherit(members: Membership): Promise<void> {
    let heir = members.heir
    while (heir === undefined) {
      this.clock.advance(this.prng.between(50, 300))
      heir = await members.succeed()
    }
    await this.lead(heir, members)
  }

  private async startAgain(flushed: readonly number[]): Promise<void> {
    this.replica?.mayMoveFrom(this.folder)
    await this.replica?.join(this.folder)
    const positions = this.positions(flushed)
    this.twin.end(positions)
    if (this.prng.chance(0.3)) this.clock.set()
    await this.start()
  }

  private checkAcknowledged(mayLose: boolean): void {
    this.chain.checkSurvived(this.twin.wallet.plain.withdrawals)
    this.movers.checkAcknowledged(mayLose)
    for (const [symbolId, told] of this.crowd.acknowledged.entries()) {
      const known = this.twin.events[symbolId]!.length
      if (mayLose) this.crowd.acknowledged[symbolId] = Math.min(told, known)
      else assert(known >= told, 'what a client was told survives')
    }
  }

  private bury(): void {
    if (this.quorum !== undefined) this.quorum.isTroubled = false
    this.waiting.clear()
    this.crowd.leave()
    this.movers.leave()
    this.backups.forget()
    this.machine.bury()
  }

  private losePower(): void {
    this.disk.losePower()
    if (tearArchive(this.folder, this.prng)) this.count('torn archive')
  }

  /** By matcher: up to which block none is lost. With a quorum its blocks say so. */
  private flushed(): readonly number[] {
    const isHere = this.quorum === undefined
    return this.process.journals.map(({ flushedPosition }) => (isHere ? flushedPosition : 0))
  }

  /** How many blocks of each journal survive, once their write-ahead logs are checkpointed. */
  private positions(flushed: readonly number[]): readonly number[] {
    const folder = this.folder
    // Killed in the middle of it, a start checkpoints what is left the next time.
    if (this.prng.chance(0.3)) {
      this.disk.arm('kill', this.prng.between(1, 6))
      try {
        this.disk.around(() => recoverWals(folder))
      } catch (error) {
        if (!this.isFault(error)) throw error
        this.count('killed while write-ahead logs are checkpointed')
      }
      this.disk.bury(() => {})
    }
    recoverWals(folder)
    return this.process.matchers.map((_, matcher) => {
      const store = new LmdbStore(journalFolder(folder, matcher))
      const { lastPosition } = store
      store.close()
      assert(lastPosition >= flushed[matcher]!, 'what was flushed is there')
      return lastPosition
    })
  }

  /** Starts the exchange, as often as it takes: a start may be killed as well. */
  private async start(): Promise<void> {
    for (;;) {
      this.machine.rename()
      try {
        await this.tryStart()
        return
      } catch (error) {
        if (!this.isFault(error)) throw error
        this.count('killed at start')
        this.bury()
        if (this.prng.chance(0.5)) this.losePower()
        else this.disk.settle()
      }
    }
  }

  private async tryStart(): Promise<void> {
    const prng = this.prng
    if (prng.chance(0.15)) this.disk.arm('kill', prng.between(1, 40))
    const killsBetween = prng.chance(0.1) ? prng.between(1, 12) : 0
    let betweens = 0
    await this.replica?.join(this.folder)
    const { folder, disk, replica } = this
    const own = { folder, disk, follows: false, replica }
    const options = {
      ...this.optionsOf(),
      ...own,
      matchers: prng.between(1, MATCHERS_MAX),
      between: () => {
        if (++betweens === killsBetween) throw new Killed('between two steps of a start')
      },
    }
    this.process = new ProcessLifecycle(options)
    this.machine.process = this.process
    await this.process.recover()
    this.disk.disarm()
    const survivors = this.process.journals.map(({ lastPosition }) => lastPosition)
    this.twin.restart(this.process, survivors, this.hashOf)
    this.asleepUntil.clear()
    this.beatMs = Number.NEGATIVE_INFINITY
    await this.beat()
    await this.serve()
    if (this.quorum !== undefined) this.quorum.isTroubled = true
    this.members?.note(this.machine)
  }

  /** What processes of all machines have in common; only the leader's is watched. */
  private optionsOf(): Omit<LifecycleOptions, 'folder' | 'disk' | 'follows' | 'replica'> {
    return {
      matchers: 1,
      durability: this.durability,
      flushesBeside: this.flushesBeside,
      time: this.time,
      watch: (process) => ({
        executed: (execution: Execution) => {
          if (process === this.process) this.executed(execution)
        },
        wentOn: (continuation: Continuation) => {
          if (process === this.process) this.wentOn(continuation)
        },
        phaseEnded: (symbolId: number) => {
          if (process === this.process) this.twin.symbols[symbolId]!.endPhase()
        },
        countdownsExpired: (symbolId: number, clockMs: number) => {
          if (process === this.process) this.twin.symbols[symbolId]!.expireCountdowns(clockMs)
        },
      }),
      watchWallet: (process) => ({
        walletExecuted: (execution) => {
          if (process !== this.process) return
          this.twin.wallet.executed(execution, process.wallet.state)
          this.moved(execution.records)
        },
        walletFired: (firing) => {
          if (process !== this.process) return
          this.twin.wallet.fired(firing, process.wallet.state)
          this.moved(firing.records)
        },
      }),
      chainPort: (process) => this.chain.portOf(() => process === this.process),
      witness: (matcher, process) => ({
        appending: (block: Uint8Array, flushed: number) => {
          if (process !== this.process) return
          this.note(block)
          checkShown(process.balances, this.twin.world.ledger)
          assert(!process.hasPublished(matcher), 'nothing is published before it is journaled')
          this.twin.appending(matcher, block, flushed, this.hashOf)
        },
        appended: (position: number) => {
          if (process !== this.process) return
          const isSafe = this.quorum?.isSafe(matcher, position) ?? true
          assert(isSafe, 'nothing is settled before the quorum has it')
          assert(!process.hasPublished(matcher), 'nothing is published before it is settled')
        },
      }),
      log: (sentence: string) =>
        this.count(sentence.replaceAll(this.root, '').replaceAll(/\d+/g, 'n')),
      overrun: (gateway, process) => {
        if (process === this.process) this.crowd.overrun(gateway)
      },
      worked: (matcher, process) => {
        if (process === this.process) this.worked(matcher)
      },
      copy: (cut, process) => this.backups.want(cut, process),
      between: () => {},
    }
  }

  /** Lets gateways fetch their books until they listen. */
  private async serve(): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX && this.process.running === undefined; turn++) {
      await this.turnAll()
    }
    assert(this.process.running !== undefined, 'every gateway comes to listen')
    this.crowd.enter(this.process)
  }

  private async turnAll(): Promise<void> {
    this.clock.advance(5)
    await this.beat()
    for (let gateway = 0; gateway < GATEWAYS; gateway++) {
      await this.turnGateway(gateway)
      await this.process.turn(() => this.process.history.answerOne())
    }
    if (this.disk.isFlushing) this.endFlush()
    if (this.disk.isFlushingLate) this.endLateFlush()
    for (const index of this.process.matchers.keys()) this.work(index)
    this.checkpoint()
    this.archive()
    this.crowd.read()
    this.movers.read()
    await this.process.turn(() => this.chain.stir())
    await this.process.turnMain(MAIN_TIMERS)
  }

  /** Lets all come to rest, checks it, stops in order and answers the state's hash. */
  private async stop(): Promise<number> {
    this.disk.disarm()
    this.asleepUntil.clear()
    const isQuiet = () =>
      this.crowd.isQuiet && this.process.matchers.every((matcher) => !matcher.hasWork())
    for (let turn = 0; turn < TURNS_MAX && !isQuiet(); turn++) await this.turnAll()
    assert(isQuiet(), 'every client is answered')
    // Countdowns fire meanwhile, and chains make blocks.
    const events = () =>
      this.twin.symbols.reduce((sum, { state }) => sum + state.sequence, 0) +
      this.twin.walletEvents.length
    for (let quiet = 0, before = events(); quiet < 60; before = events()) {
      await this.turnAll()
      quiet = events() === before ? quiet + 1 : 0
    }
    this.checkMoney()
    this.crowd.check()
    await this.process.stop(() => this.turnAll())
    for (const { state } of this.twin.symbols) {
      const bound = state.orders.filter(({ session }) => session > 0)
      assert(bound.length === 0, 'a stop cancels what is to end with sessions')
    }
    for (const index of this.process.matchers.keys()) this.twin.world.ledger.settle(index)
    const orders = checkPast(this.process.history, this.twin)
    this.counts.set('archived orders', (this.counts.get('archived orders') ?? 0) + orders)
    this.process.leave()
    return this.process.hash
  }

  private checkMoney(): void {
    const { balances } = this.process
    checkShown(balances, this.twin.world.ledger)
    for (const [asset, atoms] of this.twin.total.entries()) {
      strictEqual(balances.total(AssetId(asset)), atoms, `sum of asset ${asset}`)
    }
  }

  private note(what: string | Uint8Array): void {
    this.trace = crc32(what, this.trace)
  }

  private count(what: string): void {
    this.note(what)
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}
