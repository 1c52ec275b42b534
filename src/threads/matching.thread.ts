/**
 * A matcher's thread: recovers its books and its part of the ledger, then runs the
 * matcher until the exchange stops. It may block in Atomics.wait, so cells and its bell tell it of the
 * stop, and that there is a message to look for.
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import { Gathering } from '../agents/gathering.ts'
import { Matcher, type MatcherOptions } from '../agents/matcher.ts'
import { MatcherCounts } from '../agents/matcher-counts.ts'
import { MatcherSymbols } from '../agents/matcher-symbols.ts'
import { assert } from '../base/assert.ts'
import { ASSETS_MAX } from '../base/limits.ts'
import { giveOwnCode } from '../base/own-code.ts'
import { RealTime } from '../base/real-time.ts'
import { AccountId } from '../base/units.ts'
import { Balances } from '../core/ledger/balances.ts'
import { Holds } from '../core/ledger/holds.ts'
import { LastPrices } from '../core/ledger/last-prices.ts'
import { EngineOutput } from '../core/matching/output.ts'
import { BlockWriter } from '../journal/block.ts'
import { StorageError } from '../journal/environment.ts'
import { type Journal, openJournal, type WalParts } from '../journal/journal.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { Hold, type OrdersToCancel } from '../market/announcement.ts'
import { CommandRingConsumer } from '../ring/command-ring.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { EventRingWriter } from '../ring/event-ring.ts'
import { ReplyRingWriter } from '../ring/reply-ring.ts'
import { MatcherCounter, ThreadCounters } from '../shared/counters.ts'
import { BatchStamps } from '../shared/stamps.ts'
import { FollowedBlocks } from './followed-blocks.ts'
import { waitHeld } from './held.ts'
import { checkpointerBellOffset, gatewayBellOffset, matcherBellOffset, Phase } from './memory.ts'
import { recoverSymbols } from './recover.ts'
import { journalQuorum } from './replica-link.ts'
import { startedWith } from './start-gate.ts'
import type { ThreadNews, ThreadReport, ThreadStart } from './thread-messages.ts'
import { threadNumber } from './thread-number.ts'

/** The longest sleep of a matcher between two checks of the phase. */
const SLEEP_MS = 100
/** The longest wait of a matcher for the checkpointer while its write-ahead log is full. */
const ROOM_WAIT_MS = 30_000

const time = new RealTime()
const { port, start } = startedWith<ThreadStart>()
const report = (message: ThreadReport) => port.postMessage(message)
/** No thread notifies it. */
const still = new Int32Array(new SharedArrayBuffer(4))
const rest = (ms: number): void => void Atomics.wait(still, 0, 0, ms)
run(start)

function run(start: ThreadStart): void {
  const { index, config, regions } = start
  const balances = new Balances(regions.balances, config.accounts, ASSETS_MAX)
  const holds = new Holds(balances, config.accounts, ASSETS_MAX)
  giveOwnCode(holds, 'settle', 2)
  const lastPrices = new LastPrices(regions.lastPrices)
  const output = new EngineOutput()
  const symbols = new MatcherSymbols(start, holds, lastPrices, output)
  const { engines } = symbols
  const folded = recoverSymbols(start, engines, balances, report)
  if (folded === undefined) {
    report({ report: 'stopped' })
    return
  }
  const { journaledMs, ...recovered } = folded
  const counters = ThreadCounters.ofMatcher(regions.counters, index)
  const { follows } = start
  const journal = follows ? openFollowed(start, counters) : openOwn(start, counters)
  const options = optionsOf(start, { engines, holds, lastPrices, output, journal, journaledMs })
  const matcher = new Matcher(follows ? options : { ...options, blocks: blocksOf(start, journal) })
  Atomics.store(new BigInt64Array(regions.published), index, BigInt(journal.lastPosition))
  report({ report: 'recovered', ...recovered })
  const phase = new Int32Array(regions.phase)
  while (Atomics.load(phase, 0) === Phase.RECOVERING) Atomics.wait(phase, 0, Phase.RECOVERING)
  // The main thread has not confirmed that the balances add up.
  if (Atomics.load(phase, 0) === Phase.ENDING) return
  const followed = follows ? new FollowedBlocks(start, options, matcher) : undefined
  if (followed === undefined) {
    while (matcher.finishLeft());
    cancelLeft(matcher, start.epoch)
  }
  report({ report: 'ready', thread: threadNumber() })
  work(start, symbols, { matcher, journal, followed }, counters)
  matcher.close()
  report({ report: 'stopped' })
}

interface OwnParts
  extends Pick<MatcherOptions, 'engines' | 'holds' | 'lastPrices' | 'output' | 'journaledMs'> {
  readonly journal: Journal
}

/** The journal that this member's matcher writes. */
function openOwn(start: ThreadStart, counters: ThreadCounters): Journal {
  const { index, config } = start
  const { replica } = start
  const quorum = replica && journalQuorum(replica, index, config.replicaSeconds)
  // A member that may follow leads with this durability, whatever it is set to.
  const durability = replica === undefined ? config.durability : 'replicated'
  return openJournal(config.data, index, durability, walParts(start, counters), quorum)
}

/** The journal of another member's blocks, which the quorum has. */
function openFollowed(start: ThreadStart, counters: ThreadCounters): Journal {
  return openJournal(start.config.data, start.index, 'committed', walParts(start, counters))
}

function blocksOf({ index, epoch }: ThreadStart, { lastChecksum }: Journal): BlockWriter {
  return new BlockWriter({ epoch, matcher: index, previous: lastChecksum })
}

function optionsOf({ index, config, regions }: ThreadStart, own: OwnParts) {
  return {
    ...own,
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
    rest,
  }
}

interface Duty {
  readonly matcher: Matcher
  readonly journal: Journal
  /** While another member leads. */
  followed: FollowedBlocks | undefined
}

/** Continues the journal that it has followed. */
function lead({ replica, index, config }: ThreadStart, duty: Duty, epoch: number): void {
  const { matcher, journal, followed } = duty
  assert(replica !== undefined && followed !== undefined, 'a member that followed begins to lead')
  const { place, journaledMs } = followed.following
  journal.lead(journalQuorum(replica, index, config.replicaSeconds))
  const { checksum: previous } = place
  matcher.lead(new BlockWriter({ epoch, matcher: index, previous }), journaledMs)
  duty.followed = undefined
  while (matcher.finishLeft());
  cancelLeft(matcher, epoch)
}

/** Runs the matcher until the exchange stops. */
function work(
  start: ThreadStart,
  symbols: MatcherSymbols,
  duty: Duty,
  counters: ThreadCounters,
): void {
  const { index, config, regions } = start
  const { matcher } = duty
  const bell = new Doorbell(regions.bells, matcherBellOffset(index))
  const phase = new Int32Array(regions.phase)
  const announced = new Int32Array(regions.announced)
  let heard = 0
  const hasNews = () => Atomics.load(announced, 0) !== heard
  const hasWork = () => matcher.hasWork() || duty.followed?.hasWork() || hasNews()
  const idle = (sleep: () => void) => {
    const asleepNs = time.elapsedNs()
    sleep()
    counters.add(MatcherCounter.idleNs, time.elapsedNs() - asleepNs)
  }
  const batches = {
    hasWork: () => matcher.hasWork(),
    doWork: () => (duty.followed?.doWork() ?? 0) + matcher.doWork(),
    sleep: (ms: number) => idle(() => rest(ms)),
  }
  const gatherUs = config.durability === 'flushed' ? config.gatherUs : 0
  const gathering = new Gathering(batches, time, gatherUs)
  while (true) {
    if (hasNews()) {
      heard = Atomics.load(announced, 0)
      applyNews(start, symbols, duty, counters)
    }
    if (gathering.doWork() > 0) continue
    if (Atomics.load(phase, 0) === Phase.STOPPING) break
    idle(() => bell.sleep(hasWork, SLEEP_MS))
  }
}

/** Orders that sessions of the last start left open are canceled under an id that names this start. */
function cancelLeft(matcher: Matcher, epoch: number): void {
  let sessions = 0
  while (matcher.cancelLeft(`start-${epoch}`)) sessions++
  if (sessions === 0) return
  const message = 'canceled orders that sessions of the last start had left open'
  report({ report: 'log', level: 'info', fields: { sessions }, message })
}

/** Applies operators' announcements, between two batches. */
function applyNews(
  start: ThreadStart,
  symbols: MatcherSymbols,
  duty: Duty,
  counters: ThreadCounters,
): void {
  const { matcher } = duty
  const { accounts } = start.config
  for (let post = receiveMessageOnPort(port); post; post = receiveMessageOnPort(port)) {
    const { number, announcements }: ThreadNews = post.message
    for (const announcement of announcements) {
      if (announcement.kind === 'cancelOrders') cancelOrders(matcher, announcement, accounts)
      else if (announcement.kind === 'hold') matcher.flush()
      else if (announcement.kind === 'lead') lead(start, duty, announcement.epoch)
      else symbols.apply(announcement)
    }
    report({ report: 'applied', number })
    for (const announcement of announcements) {
      if (announcement.kind !== 'hold') continue
      const heldNs = time.elapsedNs()
      const state = waitHeld(new Int32Array(announcement.cell), announcement.msMax)
      if (state === Hold.LEFT) matcher.leave()
      counters.raise(MatcherCounter.heldNsMax, time.elapsedNs() - heldNs)
    }
  }
}

function cancelOrders(matcher: Matcher, news: OrdersToCancel, accounts: number): void {
  const { account, symbolId, orderId, clientOrderId } = news
  if (orderId !== undefined) {
    matcher.cancelOrder({ symbolId: symbolId!, account: account!, orderId }, clientOrderId)
    return
  }
  const [first, end] = account === undefined ? [0, accounts] : [account, account + 1]
  for (let id = first; id < end; id++) {
    while (matcher.cancelOrders(AccountId(id), clientOrderId, symbolId));
  }
}

function walParts({ index, config, regions }: ThreadStart, counters: ThreadCounters): WalParts {
  const cells = new WalCells(regions.wals[index]!)
  const bell = new Doorbell(regions.bells, checkpointerBellOffset(config.matchers, config.gateways))
  return {
    cells,
    segmentBegun: () => bell.ring(),
    makeRoom: (position) => {
      counters.add(MatcherCounter.walFull, 1)
      bell.ring()
      if (cells.waitCheckpointed(position, ROOM_WAIT_MS)) return
      throw new StorageError(
        `The write-ahead log of journal-${index} is full, and the checkpointer does not empty it.`,
      )
    },
  }
}
