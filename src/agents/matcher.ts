/**
 * The matcher: owns some of the symbols and one journal. Each duty cycle takes a bounded batch from
 * the command rings, executes it, writes its events to the journal, settles balances and publishes.
 * No other thread sees a batch's decisions before its block is written.
 */
import { assert } from '../base/assert.ts'
import { RejectReason, WalletRefusal } from '../base/codes.ts'
import { BATCH_COMMANDS_MAX, WALLET_COMMANDS_MAX } from '../base/limits.ts'
import { type Clock, elapsedMs, type Time } from '../base/time.ts'
import { type AccountId, Ms, type OrderId, type SymbolId, Ticks } from '../base/units.ts'
import type { Holds } from '../core/ledger/holds.ts'
import type { LastPrices } from '../core/ledger/last-prices.ts'
import { Counter } from '../core/matching/counters.ts'
import type { Engine } from '../core/matching/engine.ts'
import type { EngineOutput } from '../core/matching/output.ts'
import { sessionOwners } from '../core/matching/session-orders.ts'
import type { Payment, Wallet } from '../core/wallet/wallet.ts'
import type { BlockWriter } from '../journal/block.ts'
import type { JournalStore } from '../journal/store.ts'
import {
  CancelOpenOrders,
  CancelOrder,
  CancelSessionOrders,
  DecideWithdrawal,
  QueryWallet,
  RecordHeader,
  Rejected,
} from '../layout/accessors.gen.ts'
import {
  RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
  writeHead,
} from '../layout/record-buffer.ts'
import {
  FLAG_LAST,
  FLAG_TIMED,
  writeCancelOpenOrders,
  writeCancelOrder,
  writeCancelSessionOrders,
  writeRejected,
} from '../layout/records.gen.ts'
import { WALLET } from '../market/listing.ts'
import { type CommandRingConsumer, commandSlots } from '../ring/command-ring.ts'
import type { Doorbell } from '../ring/doorbell.ts'
import type { EventRingWriter } from '../ring/event-ring.ts'
import type { ReplyRingWriter } from '../ring/reply-ring.ts'
import type { PaymentStep } from '../shared/payment.ts'
import type { BatchStamps } from '../shared/stamps.ts'
import { BulkThrottle } from './bulk-throttle.ts'
import { Calls } from './calls.ts'
import { ClockLag } from './clock-lag.ts'
import { CountdownWatch } from './countdown-watch.ts'
import { Deferral, type DeferralBounds, DeferredCommands, isQuery } from './deferred-commands.ts'
import type { MatcherCounts } from './matcher-counts.ts'

/**
 * What is left of a large command continues in batches of this share of the usual bytes, so that commands of
 * other symbols come between them.
 */
const LEFT_BATCH_SHARE = 6
const REST_MS = 1
const NO_PAYMENTS: readonly Payment[] = []

/** An order of one of this matcher's symbols. */
export interface OrderToCancel {
  readonly symbolId: SymbolId
  readonly account: AccountId
  readonly orderId: OrderId
}

export interface MatcherOptions {
  readonly index: number
  /** By symbol id; only the symbols that this matcher owns. */
  readonly engines: readonly (Engine | undefined)[]
  /** Matcher 0 has it. */
  readonly wallet?: Wallet | undefined
  readonly holds: Holds
  /** This matcher writes the cells of its symbols. */
  readonly lastPrices: LastPrices
  /** Where its engines write. */
  readonly output: EngineOutput
  /** The rings of all gateways to this matcher. */
  readonly rings: readonly CommandRingConsumer[]
  /** To all gateways, in the order of `rings`. */
  readonly replies: readonly ReplyRingWriter[]
  /** Left out while another member leads: until `lead`, only queries are executed. */
  readonly blocks?: BlockWriter
  readonly journal: JournalStore
  readonly events: EventRingWriter
  /** The bells of all gateways, in the order of `rings`. */
  readonly readerBells: readonly Doorbell[]
  /** Position of the last published block, by matcher; this one writes its own. */
  readonly published: BigInt64Array
  readonly clock: Clock & Pick<Time, 'steered'>
  /** Time of the last journaled batch of any matcher, ms; time within a symbol never falls. */
  readonly journaledMs: Ms
  readonly counts: MatcherCounts
  readonly stamps: BatchStamps
  /** The bounds of deferred-commands.ts when left out. */
  readonly deferralBounds?: DeferralBounds
  /** Logs a line about the clock. */
  readonly warn: (message: string) => void
  /** Blocks the thread. Left out where no other thread runs. */
  readonly rest?: (ms: number) => void
}

export class Matcher {
  private readonly options: MatcherOptions
  /** Once it was looked for. */
  private left: ReturnType<typeof leftBy> | undefined = undefined
  private readonly lag: ClockLag
  private readonly throttle: BulkThrottle | undefined = undefined
  /** Undefined while another member leads. */
  private blocks: BlockWriter | undefined
  /** Engines that a full batch has left in the middle of a command or of what follows from it. */
  private unfinished: Engine[]
  /** Commands of the batch that the wallet has executed. */
  private walletCommands = 0
  /** Whether what is due in the wallet goes before commands: they take turns. */
  private isWalletFirst = true
  private readonly deferred: DeferredCommands
  /** Engines whose phase ends by itself, or whose auction is to come. */
  private readonly calls: Calls
  private readonly countdowns: CountdownWatch
  /** Commands of a batch that waits for its flush; undefined when none does. */
  private unsettled: number | undefined = undefined
  private appendedNs = 0
  private isLeftFirst = true
  private firstRing = 0
  /** The batch's time: the clock's, or the journal's last while the clock is behind it. */
  private nowMs: Ms
  /** The clock's time, which decides whether requests have expired. */
  private clockMs = Ms(0)
  private lagMs = 0
  /** Time of the journal's end as this matcher has begun to lead. */
  private ledFromMs: Ms

  constructor(options: MatcherOptions) {
    const isOurs = (engine?: Engine) => engine === undefined || engine.output === options.output
    assert(options.engines.every(isOurs), 'engines write where their matcher reads')
    this.options = options
    this.nowMs = options.journaledMs
    this.ledFromMs = options.journaledMs
    this.lag = new ClockLag(options.warn)
    this.calls = new Calls(options.engines)
    this.countdowns = new CountdownWatch(
      options.engines,
      options.rings,
      (gateway) => !options.replies[gateway]!.hasRoom(),
    )
    this.deferred = new DeferredCommands(
      (commands, at) => this.engineOf(commands, at).lacksFunds(commands, at),
      options.deferralBounds,
    )
    this.throttle =
      options.rest && new BulkThrottle(options.events.capacity, () => elapsedMs(options.clock))
    this.readClock()
    this.blocks = options.blocks
    // What a leader has left unfinished, it continues itself.
    this.findTimed()
    this.unfinished = this.isLeading ? unfinishedOf(options.engines) : []
    this.publishPrices()
    options.counts.symbols(options.engines)
    options.counts.wallet(options.wallet)
  }

  /** How long it may idle: time alone ends calls and countdowns, and makes indicative prices due. */
  get idleMsMax(): number {
    // A flush that is under way rings its bell.
    if (this.unsettled !== undefined) return Number.POSITIVE_INFINITY
    const dueMs = Math.min(this.countdowns.dueMs, this.walletDueMs)
    if (!this.calls.areAny && dueMs === Number.POSITIVE_INFINITY) return dueMs
    const nowMs = this.options.clock.nowMs()
    const callsMs = this.calls.waitMs(nowMs, this.isLeading)
    return this.isLeading ? Math.max(0, Math.min(callsMs, dueMs - nowMs)) : callsMs
  }

  /** When the wallet changes by itself; infinite when it does not. */
  private get walletDueMs(): number {
    const dueMs = this.options.wallet?.dueMs ?? Number.POSITIVE_INFINITY
    return this.isTimeAwaited && dueMs > this.ledFromMs ? Number.POSITIVE_INFINITY : dueMs
  }

  private get isWalletDue(): boolean {
    return this.isLeading && this.walletDueMs <= this.clockMs
  }

  private get isTimeAwaited(): boolean {
    return this.options.clock.steered?.isAwaited === true
  }

  /** The batch's time for the wallet: while the true one is awaited, chains make no block. */
  private get chainMs(): Ms {
    return this.isTimeAwaited ? this.ledFromMs : this.nowMs
  }

  private findTimed(): void {
    this.calls.find()
    this.countdowns.find()
    this.options.wallet?.recovered()
    for (const engine of this.options.engines) engine?.recovered()
  }

  get isLeading(): boolean {
    return this.blocks !== undefined
  }

  /** This member leads from now on: continues the journal, whose last block has the time `journaledMs`. */
  lead(blocks: BlockWriter, journaledMs: Ms): void {
    assert(!this.isLeading, 'a matcher begins to lead once')
    this.blocks = blocks
    this.nowMs = Ms(Math.max(this.nowMs, journaledMs))
    this.ledFromMs = this.nowMs
    this.findTimed()
    this.takeUnfinished()
  }

  /** Called between two batches, when operators' decisions or the time have left engines something to do. */
  takeUnfinished(): void {
    if (this.isLeading) this.unfinished = unfinishedOf(this.options.engines)
  }

  /** An event of the leader that this member follows has changed a phase. */
  followedPhase(): void {
    this.calls.find()
  }

  /** Another member leads from now on: only queries are executed. */
  leave(): void {
    this.blocks = undefined
    this.unfinished = []
  }

  /** Bytes of events that the slowest gateway has not read. */
  get behindBytes(): number {
    const { events, replies } = this.options
    let passed = events.position
    for (const ring of replies) passed = Math.min(passed, ring.passed)
    return events.position - passed
  }

  hasWork(): boolean {
    if (this.unsettled !== undefined) return !this.isFlushing()
    if (this.unfinished.length !== 0) return true
    const { rings, replies } = this.options
    const hasRoom = (gateway: number) => replies[gateway]!.hasRoom()
    if (this.deferred.count > 0 && this.deferred.canRelease(hasRoom)) return true
    return rings.some((ring, gateway) => ring.available() > 0 && hasRoom(gateway))
  }

  /** Makes one batch: alternates what is left of large commands with commands that may pass it. */
  doWork(): number {
    if (this.unsettled !== undefined) {
      if (this.isFlushing()) return 0
      this.settleFlushed(this.unsettled)
      return 1
    }
    const isLeftFirst = this.isLeftFirst
    this.isLeftFirst = !isLeftFirst
    if (this.calls.areAny && this.isLeading) this.endPhases()
    if (this.countdowns.dueMs !== Number.POSITIVE_INFINITY && this.isLeading) this.endCountdowns()
    if (isLeftFirst && this.continueLeft()) return 1
    if (this.isWalletFirst && this.fireWallet()) return 1
    this.isWalletFirst = true
    this.options.output.reset()
    const commands = this.drain()
    const indicated = this.calls.areAny ? this.calls.indicate(this.nowMs, this.isLeading) : 0
    if (commands + indicated > 0) {
      this.finishBatch(commands)
      return commands + indicated
    }
    if (!isLeftFirst && this.continueLeft()) return 1
    if (this.fireWallet()) return 1
    // The quorum has a follower's blocks.
    if (!this.isLeading) return 0
    if (this.unfinished.length === 0) return this.flushIfDue()
    this.options.rest?.(REST_MS)
    return 1
  }

  /**
   * Continues, for one batch, commands that the previous batch, or the last start, left unfinished, each
   * when it is executed. Returns false when there are none.
   */
  finishLeft(): boolean {
    const { output } = this.options
    this.settleNow()
    const left = this.unfinished
    if (left.length === 0) return false
    output.reset(LEFT_BATCH_SHARE)
    this.readClock()
    let continued = 0
    while (continued < left.length && !output.isFull) {
      left[continued++]!.goOn(this.nowMs)
    }
    const inTurn = [...left.slice(continued), ...left.slice(0, continued)]
    this.unfinished = inTurn.filter((engine) => engine.isUnfinished)
    this.finishBatch(0)
    return true
  }

  /**
   * Before gateways begin: cancels the open orders of one session that ended with the last start, on
   * one symbol, under the id `clientOrderId`. Each has its own batches, so that after a kill the next
   * start cancels the remaining ones. Returns false when there is none.
   */
  cancelLeft(clientOrderId: string): boolean {
    const { engines, output } = this.options
    this.settleNow()
    this.left ??= engines.flatMap((engine) => (engine === undefined ? [] : leftBy(engine)))
    const next = this.left.shift()
    if (next === undefined) return false
    const { engine, account, session } = next
    const asked = { symbolId: engine.spec.id, gateway: -1, correlation: 0 }
    const command = RecordBuffer.allocate(CancelSessionOrders.bytes)
    writeCancelSessionOrders(command, 0, { ...asked, account, session, clientOrderId })
    output.reset()
    this.readClock()
    this.execute(engine, command, 0)
    this.finishBatch(1)
    while (this.finishLeft());
    return true
  }

  /**
   * Cancels the account's open orders on one of this matcher's symbols, or on the named one, under the id
   * `clientOrderId`, in separate batches. Called between two batches, until it returns false: then no
   * such order is open.
   */
  cancelOrders(account: AccountId, clientOrderId: string, symbolId?: SymbolId): boolean {
    const { engines } = this.options
    this.finishAll()
    const isMeant = (it: Engine) => symbolId === undefined || it.spec.id === symbolId
    const engine = engines.find((it) => it && isMeant(it) && it.hasOpenOrders(account))
    if (engine === undefined) return false
    const asked = { symbolId: engine.spec.id, gateway: -1, correlation: 0 }
    const command = RecordBuffer.allocate(CancelOpenOrders.bytes)
    const record = { ...asked, account, spare: 0, expiresMs: Ms(0), clientOrderId }
    writeCancelOpenOrders(command, 0, record)
    this.executeAlone(engine, command)
    return true
  }

  /**
   * Cancels one order of this matcher's symbols under the id `clientOrderId`, in a separate batch. Called
   * between two batches. Returns false when the account has no such open order.
   */
  cancelOrder(order: OrderToCancel, clientOrderId: string): boolean {
    const { symbolId, account, orderId } = order
    this.finishAll()
    const engine = this.options.engines.find((it) => it?.spec.id === symbolId)
    if (engine?.isOpen(account, orderId) !== true) return false
    const command = RecordBuffer.allocate(CancelOrder.bytes)
    writeCancelOrder(command, 0, {
      ...order,
      gateway: -1,
      correlation: 0,
      expiresMs: Ms(0),
      restrictions: 0,
      origClientOrderId: '',
      clientOrderId,
    })
    this.executeAlone(engine, command)
    return true
  }

  /** Executes a command that no gateway sent, in a separate batch. */
  private executeAlone(engine: Engine, command: RecordBuffer): void {
    this.settleNow()
    this.options.output.reset()
    this.readClock()
    this.execute(engine, command, 0)
    this.finishBatch(1)
    this.finishAll()
    this.settleNow()
  }

  /** Takes withdrawals that are to be signed or sent, once all that led to them is on the disk or the quorum. */
  takePayments(): readonly Payment[] {
    const { wallet, journal } = this.options
    if (wallet?.hasUnpaid !== true || !this.isLeading) return NO_PAYMENTS
    if (journal.flushedPosition !== journal.lastPosition) return NO_PAYMENTS
    return wallet.takeUnpaid()
  }

  /** Journals, in a separate batch, what the sender has done with a withdrawal. Called between two batches. */
  decideWithdrawal({ withdrawalId, decision, txId, transaction }: PaymentStep): void {
    const { wallet, output } = this.options
    if (wallet === undefined || !this.isLeading) return
    this.settleNow()
    const command = RecordBuffer.allocate(DecideWithdrawal.bytes)
    writeHead(command, 0, DecideWithdrawal.type, DecideWithdrawal.bytes)
    RecordHeader.setSymbolId(command, 0, WALLET)
    RecordHeader.setGateway(command, 0, -1)
    DecideWithdrawal.setWithdrawalId(command, 0, withdrawalId)
    DecideWithdrawal.setDecision(command, 0, decision)
    DecideWithdrawal.setTxId(command, 0, txId)
    DecideWithdrawal.setTransaction(command, 0, transaction)
    output.reset()
    this.readClock()
    wallet.execute(command, 0, this.chainMs, this.clockMs)
    // No gateway asked.
    output.repliesEnd = 0
    this.finishBatch(1)
  }

  /** Continues all that is unfinished to its end, before any other command. */
  private finishAll(): void {
    while (this.unfinished.length > 0) {
      if (!this.continueLeft()) this.options.rest?.(REST_MS)
    }
  }

  /** Ends the phases whose time has come. */
  private endPhases(): void {
    this.readClock()
    if (this.calls.end(this.nowMs)) this.takeUnfinished()
  }

  /** Has countdowns fire that are over. */
  private endCountdowns(): void {
    this.readClock()
    if (this.countdowns.expireBehindArrived(this.clockMs)) this.takeUnfinished()
  }

  /** Does, in a batch of its own, some of what is due in the wallet. Returns false when nothing is. */
  fireWallet(): boolean {
    const { wallet, output } = this.options
    if (wallet === undefined || this.walletDueMs === Number.POSITIVE_INFINITY) return false
    this.settleNow()
    this.readClock()
    if (!this.isWalletDue) return false
    const { chainMs } = this
    output.reset()
    wallet.fire(chainMs, Ms(Math.min(chainMs, this.clockMs)))
    this.isWalletFirst = false
    this.finishBatch(0)
    return true
  }

  /** Before gateways begin: has countdowns fire that were over while nothing ran. `finishLeft` cancels. */
  endLeftCountdowns(): void {
    this.readClock()
    if (this.countdowns.expire(this.clockMs)) this.takeUnfinished()
  }

  /** Ends the phases whose time has come, and holds their auctions to the end, before what comes next. */
  settlePhases(): void {
    if (this.isLeading) this.endPhases()
    this.flush()
  }

  private continueLeft(): boolean {
    return this.mayContinue() && this.finishLeft()
  }

  /** Whether gateways have read enough for the next batch of what is left. */
  private mayContinue(): boolean {
    if (this.unfinished.length === 0 || this.throttle === undefined) return true
    return this.throttle.mayContinue(this.behindBytes)
  }

  /** Flushes what is journaled, between two batches: an operator's backup reads it. */
  flush(): void {
    this.finishAll()
    this.settleNow()
    this.flushJournal()
  }

  /** Has no batch wait for its flush: blocks until the disk has it. Call it before anything between two batches. */
  settleNow(): void {
    if (this.unsettled === undefined) return
    this.options.journal.flush()
    this.settleFlushed(this.unsettled)
  }

  close(): void {
    this.settleNow()
    this.flushJournal()
    this.options.journal.close()
  }

  /** Journals, settles and publishes the events of a batch; once they are flushed, where that takes a while. */
  private finishBatch(commands: number): void {
    const { output, clock, counts } = this.options
    if (output.hasPhaseChanged) this.calls.find()
    if (output.hasCountdownChanged) this.countdowns.find()
    if (output.eventsEnd > 0) {
      this.append()
      if (this.isFlushing()) {
        this.unsettled = commands
        return
      }
      counts.flushed(clock.elapsedNs() - this.appendedNs)
    }
    this.settle(commands)
  }

  private isFlushing(): boolean {
    return this.options.journal.isFlushing?.() === true
  }

  /** The journal's flush is over. */
  private settleFlushed(commands: number): void {
    const { output, holds, clock, counts } = this.options
    this.unsettled = undefined
    if (output.eventsEnd > 0) {
      counts.flushed(clock.elapsedNs() - this.appendedNs)
      this.settle(commands)
    } else holds.settle(true)
  }

  private settle(commands: number): void {
    const { output, holds, events, published, index, journal, clock, stamps } = this.options
    if (stamps.isTimed) stamps.journaled(clock.elapsedNs())
    holds.settle(journal.flushedPosition === journal.lastPosition, this.nowMs)
    if (output.eventsEnd > 0) {
      this.publishPrices()
      events.write(output.events, output.eventsEnd)
    }
    if (output.noticesEnd > 0) events.write(output.notices, output.noticesEnd)
    Atomics.store(published, index, BigInt(journal.lastPosition))
    if (stamps.isTimed) stamps.published(clock.elapsedNs())
    this.publish(output.eventsEnd + output.noticesEnd > 0)
    this.count(commands)
  }

  /**
   * Replies first: a gateway that sees an event then sees every reply that precedes it. Without events
   * only gateways with replies are woken.
   */
  private publish(hasEvents: boolean): void {
    const { replies, events, readerBells } = this.options
    for (let gateway = 0; gateway < replies.length; gateway++) {
      if (replies[gateway]!.publish() && !hasEvents) readerBells[gateway]!.ring()
    }
    if (!hasEvents) return
    events.publish()
    for (const bell of readerBells) bell.ring()
  }

  /** The clock may step back; the journal's time does not. */
  private readClock(): void {
    const { clock, counts } = this.options
    this.clockMs = clock.nowMs()
    this.nowMs = Ms(Math.max(this.nowMs, this.clockMs))
    const lagMs = this.nowMs - this.clockMs
    if (lagMs === this.lagMs) return
    this.lagMs = lagMs
    counts.clockLag(lagMs)
    this.lag.note(lagMs, clock.elapsedNs())
  }

  /** Executes deferred commands that may go now, then waiting ones, beginning with another ring each time. */
  private drain(): number {
    const { rings } = this.options
    this.readClock()
    let left = BATCH_COMMANDS_MAX
    this.walletCommands = 0
    this.deferred.begin(this.unfinished)
    if (this.deferred.count > 0) left -= this.drainDeferred()
    for (let i = 0; i < rings.length && left > 0; i++) {
      left -= this.drainRing((this.firstRing + i) % rings.length, left)
    }
    this.firstRing = (this.firstRing + 1) % rings.length
    for (const [gateway, ring] of rings.entries()) ring.defer(this.deferred.of(gateway))
    return BATCH_COMMANDS_MAX - left
  }

  private drainDeferred(): number {
    const { output, replies } = this.options
    let done = 0
    this.deferred.release((commands, at) => {
      const ring = replies[RecordHeader.gateway(commands, at)]!
      if (output.isFull || done === BATCH_COMMANDS_MAX || !ring.hasRoom()) return false
      this.take(commands, at, ring)
      done++
      return true
    })
    return done
  }

  /** A command is taken only when its refusal has room; the others wait for their gateway to read. */
  private drainRing(gateway: number, limit: number): number {
    const { output } = this.options
    const ring = this.options.rings[gateway]!
    const replies = this.options.replies[gateway]!
    const waiting = ring.available()
    let slots = 0
    let done = 0
    while (slots < waiting && done < limit && !output.isFull) {
      if (!replies.hasRoom()) break
      const at = ring.slotAt(slots)
      const bytes = recordLength(ring.buffer, at)
      if (bytes > 0 && !this.mayTake(ring.buffer, at)) break
      if (bytes > 0 && this.takeOrDefer(ring.buffer, at, replies)) done++
      slots += commandSlots(bytes)
    }
    ring.release(slots)
    return done
  }

  /** Whether this batch takes the command: the wallet executes a few of its own in each, behind what is due. */
  private mayTake(commands: RecordBuffer, at: number): boolean {
    if (RecordHeader.symbolId(commands, at) !== WALLET) return true
    return this.walletCommands < WALLET_COMMANDS_MAX && !this.isWalletDue
  }

  /** Returns false when the command waits. */
  private takeOrDefer(commands: RecordBuffer, at: number, replies: ReplyRingWriter): boolean {
    if (RecordHeader.symbolId(commands, at) === WALLET) {
      this.takeWallet(commands, at, replies)
      return true
    }
    const { deferred } = this
    const { counts } = this.options
    const deferral = deferred.isActive ? deferred.judge(commands, at) : Deferral.PASSES
    if (deferral === Deferral.WAITS) {
      counts.deferred()
      return false
    }
    if (deferral === Deferral.PASSES) this.take(commands, at, replies)
    else {
      counts.deferredWereFull()
      this.refuse(commands, at, RejectReason.SYMBOL_BUSY)
      this.reply(replies, commands, at)
    }
    return true
  }

  private engineOf(commands: RecordBuffer, at: number): Engine {
    const engine = this.options.engines[RecordHeader.symbolId(commands, at)]
    assert(engine !== undefined, 'a command reaches only the matcher that owns its symbol')
    return engine
  }

  private takeWallet(commands: RecordBuffer, at: number, replies: ReplyRingWriter): void {
    const { wallet, output } = this.options
    assert(wallet !== undefined, 'commands of the wallet reach the matcher that has it')
    this.walletCommands++
    const isRefused = !this.isLeading && recordType(commands, at) !== QueryWallet.type
    if (isRefused) wallet.refuse(commands, at, WalletRefusal.NOT_LEADING)
    else wallet.execute(commands, at, this.chainMs, this.clockMs)
    if (output.repliesEnd > 0) this.reply(replies, commands, at)
  }

  /** Executes the command at byte `at`, and sends its replies. */
  private take(commands: RecordBuffer, at: number, replies: ReplyRingWriter): void {
    const { output } = this.options
    const engine = this.engineOf(commands, at)
    if ((recordFlags(commands, at) & FLAG_TIMED) === 0) this.execute(engine, commands, at)
    else this.executeTimed(engine, commands, at)
    if (output.repliesEnd > 0) this.reply(replies, commands, at)
  }

  /** A full batch takes no further command. What it left unfinished, no command of the symbol passes. */
  private execute(engine: Engine, buffer: RecordBuffer, at: number): void {
    const { output } = this.options
    if (!this.isLeading && !isQuery(buffer, at)) {
      this.refuse(buffer, at, RejectReason.MARKET_CLOSED)
      return
    }
    engine.execute(buffer, at, this.nowMs, this.clockMs)
    if (!output.isFull) return
    for (const changed of engine.group) {
      if (!changed.isUnfinished || this.unfinished.includes(changed)) continue
      this.unfinished.push(changed)
      this.deferred.block(changed)
    }
  }

  /** Sends the replies to the command at byte `at` to its gateway alone, or keeps them for all. */
  private reply(ring: ReplyRingWriter, commands: RecordBuffer, at: number): void {
    const { output, events, counts } = this.options
    if (output.hasNotice()) {
      output.keepNotice()
      return
    }
    const position = events.position + output.eventsEnd
    if (!ring.write(position, output.replies, output.repliesEnd)) {
      counts.answerHadNoRoom()
      this.refuse(commands, at, RejectReason.NO_ROOM_FOR_ANSWER)
      const isWritten = ring.write(position, output.replies, Rejected.bytes)
      assert(isWritten, 'a command is taken only when its refusal has room')
    }
    output.repliesEnd = 0
  }

  /** Makes a refusal of the command at byte `at` its only reply. */
  private refuse(commands: RecordBuffer, at: number, reason: RejectReason): void {
    const { output } = this.options
    const symbolId = RecordHeader.symbolId(commands, at)
    const gateway = RecordHeader.gateway(commands, at)
    const correlation = RecordHeader.correlation(commands, at)
    const refusal = { symbolId, gateway, correlation, reason, spare: 0 }
    writeRejected(output.replies, 0, refusal, FLAG_LAST)
    output.repliesEnd = Rejected.bytes
  }

  private executeTimed(engine: Engine, buffer: RecordBuffer, at: number): void {
    const { clock, stamps } = this.options
    const gateway = RecordHeader.gateway(buffer, at)
    const correlation = RecordHeader.correlation(buffer, at)
    const begunNs = clock.elapsedNs()
    this.execute(engine, buffer, at)
    stamps.executed(gateway, correlation, begunNs, clock.elapsedNs())
  }

  /** Committed blocks are flushed once there is nothing else to do, or when enough have gathered. */
  private flushIfDue(): number {
    const { journal } = this.options
    if (journal.flushedPosition === journal.lastPosition) return 0
    if (journal.beginFlush === undefined) this.flushJournal()
    else {
      journal.beginFlush()
      this.unsettled = 0
    }
    return 1
  }

  private flushJournal(): void {
    const { journal, holds } = this.options
    journal.flush()
    holds.settle(true)
  }

  private append(): void {
    const { journal, output, clock } = this.options
    const blocks = this.blocks
    assert(blocks !== undefined, 'only a leader writes events')
    this.appendedNs = clock.elapsedNs()
    const { lastPosition, flushedPosition } = journal
    const unflushed = lastPosition - flushedPosition
    journal.append(
      blocks.seal(output.events, output.eventsEnd, lastPosition + 1, this.nowMs, unflushed),
    )
  }

  private publishPrices(): void {
    const { engines, lastPrices } = this.options
    for (const engine of engines) {
      if (engine === undefined) continue
      lastPrices.publish(engine.spec.id, Ticks(engine.counters[Counter.lastPriceTicks]!))
    }
  }

  private count(commands: number): void {
    const { counts, output, engines, events, wallet } = this.options
    counts.published(commands, output.eventsEnd, events.oversizedCount)
    if (output.eventsEnd === 0) return
    counts.symbols(engines)
    counts.wallet(wallet)
  }
}

const unfinishedOf = (engines: readonly (Engine | undefined)[]): Engine[] =>
  engines.flatMap((engine) => (engine?.isUnfinished ? [engine] : []))

const leftBy = (engine: Engine) =>
  sessionOwners(engine.state).map((owner) => ({ ...owner, engine }))
