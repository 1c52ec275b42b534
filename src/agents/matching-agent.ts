/**
 * A matcher as a worker: recovers its books and its part of the ledger, waits until the main part has confirmed
 * that all balances add up, then works until the exchange stops. Between two batches it applies operators'
 * messages. For a backup it pauses at one moment with all other matchers, so that their positions can be
 * read. While another member leads, it takes that member's blocks, and executes queries only.
 */

import { assert } from '../base/assert.ts'
import { correctedMs } from '../base/corrections.ts'
import { type Clock, elapsedMs } from '../base/time.ts'
import { AccountId, type Ms } from '../base/units.ts'
import { BlockWriter } from '../journal/block.ts'
import { readCorrections } from '../journal/corrections.ts'
import { StorageError } from '../journal/environment.ts'
import { type Journal, type JournalQuorum, openJournal } from '../journal/journal.ts'
import type { JournalStore } from '../journal/store.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { SEGMENT_BYTES } from '../journal/wal-writer.ts'
import { CommandRingConsumer } from '../ring/command-ring.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { EventRingWriter } from '../ring/event-ring.ts'
import { ReplyRingWriter } from '../ring/reply-ring.ts'
import { type ControlMessage, type OrdersToCancel, Pause } from '../shared/control-message.ts'
import { MatcherCounter, ThreadCounters } from '../shared/counters.ts'
import type { Payment } from '../shared/payment.ts'
import { BatchStamps } from '../shared/stamps.ts'
import type { DeferralBounds } from './deferred-commands.ts'
import { FollowedBlocks } from './followed-blocks.ts'
import { Gathering } from './gathering.ts'
import { Matcher, type MatcherOptions } from './matcher.ts'
import { MatcherCounts } from './matcher-counts.ts'
import { MatcherSymbols } from './matcher-symbols.ts'
import { checkpointerBellOffset, gatewayBellOffset, matcherBellOffset, Phase } from './memory.ts'
import type { ControlMessages, ThreadOrder, ThreadStart } from './messages.ts'
import { recoverSymbols } from './recover.ts'
import { journalQuorum } from './replica-link.ts'
import { type AgentWays, BellAgent } from './worker-agent.ts'

/** The longest pause, unless the message gives one: far more than the time of a message. */
const PAUSE_MS_MAX = 2_000
/** The longest wait of a matcher for the checkpointer while its write-ahead log is full. */
const ROOM_WAIT_MS = 30_000
/** Bytes of a segment of a WAL on one loop: a start, which writes each segment once, is sooner done. */
const LOOP_SEGMENT_BYTES = 1 << 20

/** What a matcher needs of its hosting. */
interface MatcherWays extends Pick<AgentWays, 'report' | 'rest'> {
  readonly time: Clock
  /** A simulator's bounds of what the matcher defers, in place of the usual ones. */
  readonly deferralBounds?: DeferralBounds
}

/** A thread rests, and waits for the checkpointer; on one loop the matcher calls it. */
interface MatchingWays extends AgentWays {
  /** Runs the checkpointer once, where the matcher has no thread. */
  readonly checkpoint?: () => void
  /** The way to the quorum, where it is not the replica thread. */
  readonly quorumOf?: ((matcher: number) => JournalQuorum) | undefined
  /** Bytes of a segment of the write-ahead log. */
  readonly segmentBytes?: number | undefined
  /** Whether flushes run beside the matcher, which has no thread and no quorum. */
  readonly flushesBeside?: boolean | undefined
  /** Called when the books are recovered, and nothing is written yet. */
  readonly opened?: (matching: Matching) => void
}

export interface Matching {
  readonly matcher: Matcher
  readonly symbols: MatcherSymbols
  readonly journal: Journal
  readonly options: Omit<MatcherOptions, 'blocks'> & { readonly journal: Journal }
  readonly counters: ThreadCounters
}

interface Paused {
  readonly cell: Int32Array
  readonly untilMs: number
  readonly beganNs: number
}

export class MatchingAgent extends BellAgent<MatchingWays> {
  private readonly begun: ThreadStart
  /** Messages that are not applied. */
  private readonly messages: ControlMessages[] = []
  /** Once it has recovered. */
  private matching: Matching | undefined = undefined
  /** Once it may write. */
  private gathering: Gathering | undefined = undefined
  /** While another member leads. */
  private followed: FollowedBlocks | undefined = undefined
  private paused: Paused | undefined = undefined

  constructor(start: ThreadStart, ways: MatchingWays) {
    const { index } = start
    super(`matching-${index}`, matcherBellOffset(index), start, ways)
    this.begun = start
  }

  get idleMsMax(): number {
    const { paused } = this
    if (paused === undefined) return this.matching?.matcher.idleMsMax ?? Number.POSITIVE_INFINITY
    return Math.max(0, paused.untilMs - elapsedMs(this.ways.time))
  }

  start(): undefined {
    this.matching = openMatching(this.begun, this.ways)
    if (this.matching !== undefined) this.ways.opened?.(this.matching)
  }

  take(order: ThreadOrder): void {
    if (order.order === 'control') this.messages.push(order)
  }

  slept(ns: number): void {
    this.matching?.counters.add(MatcherCounter.idleNs, ns)
  }

  hasWork(): boolean {
    const { at } = this
    if (at >= Phase.STOPPING) return true
    if (this.gathering === undefined) return at !== Phase.RECOVERING
    if (this.paused !== undefined) return !this.mustWait(this.paused)
    return this.matching!.matcher.hasWork() || this.followed?.hasWork() || this.messages.length > 0
  }

  doWork(): number {
    const { gathering } = this
    if (gathering === undefined) return this.awaitRelease()
    if (this.paused !== undefined && !this.endPause(this.paused)) return 0
    if (this.messages.length > 0) this.applyMessages()
    const done = this.paused === undefined ? gathering.doWork() : 0
    this.reportPayments(this.matching!.matcher)
    const { at } = this
    if (at >= Phase.STOPPING && (done === 0 || at === Phase.ENDING)) this._isDone = true
    return done
  }

  override close(): void {
    this.matching?.matcher.close()
    super.close()
  }

  /** It writes nothing before the main part has confirmed that the balances add up. */
  private awaitRelease(): number {
    const { matching, at } = this
    if (matching === undefined || at === Phase.ENDING) this._isDone = true
    else if (at !== Phase.RECOVERING) this.begin(matching)
    return 0
  }

  private begin({ matcher, options }: Matching): void {
    const { config, epoch, follows } = this.begun
    const { time, report, rest } = this.ways
    if (follows) this.followed = new FollowedBlocks(this.begun, options, matcher)
    else finishLastStart(matcher, epoch, report)
    const batches = {
      hasWork: () => matcher.hasWork(),
      doWork: () => (this.followed?.doWork() ?? 0) + matcher.doWork(),
      sleep: (ms: number) => {
        const asleepNs = time.elapsedNs()
        rest?.(ms)
        this.slept(time.elapsedNs() - asleepNs)
      },
    }
    const gathers = config.durability === 'flushed' && rest !== undefined
    this.gathering = new Gathering(batches, time, gathers ? config.gatherUs : 0)
    report({ report: 'ready' })
  }

  /** Reports withdrawals that are to be signed or sent. */
  private reportPayments(matcher: Matcher): void {
    const payments = matcher.takePayments()
    if (payments.length > 0)
      this.ways.report({ report: 'payments', payments: payments.map(paymentOf) })
  }

  private applyMessages(): void {
    this.matching!.matcher.settleNow()
    while (this.paused === undefined) {
      const message = this.messages.shift()
      if (message === undefined) return
      this.apply(message)
    }
  }

  private apply({ number, messages }: ControlMessages): void {
    const { config } = this.begun
    const { time, report } = this.ways
    for (const message of messages) {
      if (message.kind === 'lead') this.lead(message.epoch)
      else applyToMatcher(message, this.matching!, config.accounts)
    }
    report({ report: 'applied', number })
    for (const message of messages) {
      if (message.kind !== 'pause') continue
      const { cell, msMax = PAUSE_MS_MAX } = message
      const untilMs = elapsedMs(time) + msMax
      this.paused = { cell: new Int32Array(cell), untilMs, beganNs: time.elapsedNs() }
    }
  }

  /** Continues the journal that it has followed. */
  private lead(epoch: number): void {
    const { index } = this.begun
    const { matcher, journal } = this.matching!
    const { followed } = this
    const { report } = this.ways
    const quorum = quorumOf(this.begun, this.ways)
    assert(quorum !== undefined && followed !== undefined, 'a member that followed begins to lead')
    const { point, journaledMs } = followed.following
    journal.lead(quorum)
    const { checksum: previous } = point
    const correctedMs = correctionOf(this.begun)
    matcher.lead(new BlockWriter({ epoch, matcher: index, previous, correctedMs }), journaledMs)
    this.followed = undefined
    finishLastStart(matcher, epoch, report)
  }

  private mustWait({ cell, untilMs }: Paused): boolean {
    return (
      Atomics.load(cell, 0) === Pause.PAUSED &&
      elapsedMs(this.ways.time) < untilMs &&
      this.at < Phase.STOPPING
    )
  }

  /**
   * Returns false during the pause. A matcher that paused for too long continues and marks the cell, so
   * that the positions read then are not used.
   */
  private endPause(paused: Paused): boolean {
    if (this.mustWait(paused)) return false
    const { matcher, counters } = this.matching!
    const { cell, beganNs } = paused
    if (Atomics.compareExchange(cell, 0, Pause.PAUSED, Pause.GIVEN_UP) === Pause.LEFT)
      matcher.leave()
    counters.raise(MatcherCounter.pausedNsMax, this.ways.time.elapsedNs() - beganNs)
    this.paused = undefined
    return true
  }
}

/**
 * Recovers the matcher's books and its part of the ledger, opens its journal and reports that it has
 * recovered. Returns undefined when the exchange ends meanwhile.
 */
function openMatching(start: ThreadStart, ways: MatchingWays): Matching | undefined {
  const symbols = new MatcherSymbols(start)
  const recovered = recoverSymbols(start, symbols, ways)
  if (recovered === undefined) return undefined
  const { index, regions } = start
  const counters = ThreadCounters.ofMatcher(regions.counters, index)
  const journal = openOwnJournal(start, ways, counters)
  const { lastChecksum: previous } = journal
  const { journaledMs } = recovered
  const made = makeMatcher(start, ways, symbols, { journal, previous, journaledMs })
  const walletAtoms = symbols.wallet?.state.heldAtoms(start.assets.length)
  ways.report({ report: 'recovered', ...recovered, walletAtoms })
  return { ...made, symbols, journal, counters }
}

/** A matcher's journal, as recovery leaves it. */
interface RecoveredJournal<Kept extends JournalStore> {
  readonly journal: Kept
  /** Checksum of its last block; 0 for none. */
  readonly previous: number
  /** Time of the last block of any journal; 0 without one. */
  readonly journaledMs: Ms
}

/** Makes the matcher of symbols that are recovered, and publishes where its journal ends. */
export function makeMatcher<Kept extends JournalStore>(
  start: ThreadStart,
  ways: MatcherWays,
  symbols: MatcherSymbols,
  { journal, previous, journaledMs }: RecoveredJournal<Kept>,
) {
  const { index, epoch, follows } = start
  const { engines, wallet, holds, lastPrices, output } = symbols
  const own = { engines, wallet, holds, lastPrices, output, journal, journaledMs }
  const options = { ...own, ...optionsOf(start, ways) }
  const blocks = new BlockWriter({
    epoch,
    matcher: index,
    previous,
    correctedMs: correctionOf(start),
  })
  const matcher = new Matcher(follows ? options : { ...options, blocks })
  Atomics.store(options.published, index, BigInt(journal.lastPosition))
  return { matcher, options }
}

/** What the time of its blocks is ahead by. */
const correctionOf = ({ config }: ThreadStart): number => correctedMs(readCorrections(config.data))

/** The journal that this member's matcher writes, or of another member's blocks, which the quorum has. */
function openOwnJournal(start: ThreadStart, ways: MatchingWays, counters: ThreadCounters): Journal {
  const { index, config, regions, replica, follows } = start
  const { time, checkpoint } = ways
  const usualBytes = checkpoint === undefined ? SEGMENT_BYTES : LOOP_SEGMENT_BYTES
  const cells = new WalCells(regions.wals[index]!)
  const bell = new Doorbell(regions.bells, checkpointerBellOffset(config.matchers, config.gateways))
  const parts = {
    cells,
    segmentBytes: ways.segmentBytes ?? usualBytes,
    segmentBegun: () => bell.ring(),
    makeRoom: (position: number) => {
      counters.add(MatcherCounter.walFull, 1)
      if (checkpoint !== undefined) {
        while (cells.checkpointed < position) checkpoint()
        return
      }
      bell.ring()
      if (cells.waitCheckpointed(time, position, ROOM_WAIT_MS)) return
      throw new StorageError(
        `The write-ahead log of journal-${index} is full, and the checkpointer does not empty it.`,
      )
    },
  }
  if (follows) return openJournal(config.data, index, 'committed', { ...parts, isMembers: true })
  if (replica === undefined) {
    const own = new Doorbell(regions.bells, matcherBellOffset(index))
    const flushed = ways.flushesBeside === true ? () => own.ring() : undefined
    return openJournal(config.data, index, config.durability, { ...parts, flushed })
  }
  // A member that may follow leads with this durability, whatever it is set to.
  return openJournal(config.data, index, 'replicated', parts, quorumOf(start, ways))
}

/** The journal's way to the quorum, of a member of one. */
function quorumOf(
  { replica, index, config }: ThreadStart,
  { time, quorumOf }: MatchingWays,
): JournalQuorum | undefined {
  if (replica === undefined) return undefined
  return quorumOf?.(index) ?? journalQuorum(replica, index, config.replicaSeconds, time)
}

function optionsOf({ index, config, regions }: ThreadStart, ways: MatcherWays) {
  const { time, report, rest, deferralBounds } = ways
  return {
    index,
    rings: regions.commandRings.map((rings) => new CommandRingConsumer(rings[index]!)),
    replies: regions.replyRings.map((rings) => new ReplyRingWriter(rings[index]!)),
    events: new EventRingWriter(regions.eventRings[index]!),
    readerBells: regions.commandRings.map(
      (_, gateway) => new Doorbell(regions.bells, gatewayBellOffset(gateway, config.matchers)),
    ),
    published: new BigInt64Array(regions.published),
    clock: time,
    counts: new MatcherCounts(index, regions.counters, regions.histograms),
    stamps: new BatchStamps(regions.stamps),
    warn: (message: string) =>
      report({ report: 'log', level: 'warn', fields: { matcher: index }, message }),
    ...(rest && { rest }),
    ...(deferralBounds && { deferralBounds }),
  }
}

/** Finishes what the last start left: large commands, countdowns, and orders that end with their sessions. */
function finishLastStart(matcher: Matcher, epoch: number, report: MatchingWays['report']): void {
  matcher.endLeftCountdowns()
  while (matcher.finishLeft());
  while (matcher.fireWallet());
  let sessions = 0
  // Under an id that names this start.
  while (matcher.cancelLeft(`start-${epoch}`)) sessions++
  if (sessions === 0) return
  const message = 'canceled orders that sessions of the last start had left open'
  report({ report: 'log', level: 'info', fields: { sessions }, message })
}

/** Without what the sender has no use for: it passes between threads. */
const paymentOf = (payment: Payment): Payment => ({
  withdrawalId: payment.withdrawalId,
  chain: payment.chain,
  networkId: payment.networkId,
  assetId: payment.assetId,
  atoms: payment.atoms,
  address: payment.address,
  tag: payment.tag,
  txId: payment.txId,
  transaction: payment.transaction,
})

/** Applies an operator's message, between two batches. A pause is only begun. */
function applyToMatcher(
  message: ControlMessage,
  { matcher, symbols }: Pick<Matching, 'matcher' | 'symbols'>,
  accounts: number,
): void {
  if (message.kind === 'cancelOrders') cancelOrders(matcher, message, accounts)
  else if (message.kind === 'pause') matcher.flush()
  else if (message.kind === 'settle') matcher.settlePhases()
  else if (message.kind === 'payment') matcher.decideWithdrawal(message)
  else {
    symbols.apply(message)
    if (message.kind === 'symbol' || message.kind === 'listing') matcher.takeUnfinished()
  }
}

function cancelOrders(matcher: Matcher, message: OrdersToCancel, accounts: number): void {
  const { account, symbolId, orderId, clientOrderId } = message
  if (orderId !== undefined) {
    matcher.cancelOrder({ symbolId: symbolId!, account: account!, orderId }, clientOrderId)
    return
  }
  const [first, end] = account === undefined ? [0, accounts] : [account, account + 1]
  for (let id = first; id < end; id++) {
    while (matcher.cancelOrders(AccountId(id), clientOrderId, symbolId));
  }
}
