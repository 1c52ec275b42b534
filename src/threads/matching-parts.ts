/** What a matcher's worker is made of, whether it has a thread or shares an event loop. */
import type { DeferralBounds } from '../agents/deferred-commands.ts'
import { Matcher, type MatcherOptions } from '../agents/matcher.ts'
import { MatcherCounts } from '../agents/matcher-counts.ts'
import { MatcherSymbols } from '../agents/matcher-symbols.ts'
import { correctedMs } from '../base/corrections.ts'
import type { Clock } from '../base/time.ts'
import { AccountId, type Ms } from '../base/units.ts'
import { BlockWriter } from '../journal/block.ts'
import { readCorrections } from '../journal/corrections.ts'
import { StorageError } from '../journal/environment.ts'
import { type Journal, type JournalQuorum, openJournal } from '../journal/journal.ts'
import type { JournalStore } from '../journal/store.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { SEGMENT_BYTES } from '../journal/wal-writer.ts'
import type { ControlMessage, OrdersToCancel } from '../market/control-message.ts'
import { CommandRingConsumer } from '../ring/command-ring.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { EventRingWriter } from '../ring/event-ring.ts'
import { ReplyRingWriter } from '../ring/reply-ring.ts'
import { MatcherCounter, ThreadCounters } from '../shared/counters.ts'
import { BatchStamps } from '../shared/stamps.ts'
import { checkpointerBellOffset, gatewayBellOffset, matcherBellOffset } from './memory.ts'
import { recoverSymbols } from './recover.ts'
import { journalQuorum } from './replica-link.ts'
import type { ThreadStart } from './thread-messages.ts'
import type { AgentWays } from './worker-agent.ts'

/** The longest wait of a matcher for the checkpointer while its write-ahead log is full. */
const ROOM_WAIT_MS = 30_000
/** Bytes of a segment of a WAL on one loop: a start, which writes each segment once, is sooner done. */
const LOOP_SEGMENT_BYTES = 1 << 20

/** What a matcher asks of where it runs. */
export interface MatcherWays extends Pick<AgentWays, 'report'> {
  readonly time: Clock
  /** Blocks the thread; undefined where the matcher has none of its own. */
  readonly rest?: (ms: number) => void
  /** A simulator's bounds of what the matcher defers, in place of the usual ones. */
  readonly deferralBounds?: DeferralBounds
}

/** How the worker waits: a thread rests, and waits for the checkpointer; on one loop it calls it. */
export interface MatchingWays extends AgentWays, Pick<MatcherWays, 'rest'> {
  /** Runs the checkpointer once, where the matcher has no thread of its own. */
  readonly checkpoint?: () => void
  /** The way to the quorum, where it is not the replica thread. */
  readonly quorumOf?: ((matcher: number) => JournalQuorum) | undefined
  /** Bytes of a segment of the write-ahead log. */
  readonly segmentBytes?: number | undefined
  /** Whether flushes run beside the matcher, which has no thread of its own, and no quorum. */
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

/**
 * Recovers the matcher's books and its part of the ledger, opens its journal and reports that it has
 * recovered. Returns undefined when the exchange ends meanwhile.
 */
export function openMatching(start: ThreadStart, ways: MatchingWays): Matching | undefined {
  const symbols = new MatcherSymbols(start)
  const recovered = recoverSymbols(start, symbols, ways)
  if (recovered === undefined) return undefined
  const { index, regions } = start
  const counters = ThreadCounters.ofMatcher(regions.counters, index)
  const journal = openOwnJournal(start, ways, counters)
  const { lastChecksum: previous } = journal
  const { journaledMs } = recovered
  const made = makeMatcher(start, ways, symbols, { journal, previous, journaledMs })
  ways.report({ report: 'recovered', ...recovered })
  return { ...made, symbols, journal, counters }
}

/** A matcher's journal, as recovery leaves it. */
export interface RecoveredJournal<Kept extends JournalStore> {
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
  const { engines, holds, lastPrices, output } = symbols
  const own = { engines, holds, lastPrices, output, journal, journaledMs }
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
export const correctionOf = ({ config }: ThreadStart): number =>
  correctedMs(readCorrections(config.data))

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
export function quorumOf(
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

/** Finishes what the last start left: large commands, and orders that end with their sessions. */
export function finishLastStart(
  matcher: Matcher,
  epoch: number,
  report: MatchingWays['report'],
): void {
  while (matcher.finishLeft());
  let sessions = 0
  // Under an id that names this start.
  while (matcher.cancelLeft(`start-${epoch}`)) sessions++
  if (sessions === 0) return
  const message = 'canceled orders that sessions of the last start had left open'
  report({ report: 'log', level: 'info', fields: { sessions }, message })
}

/** Applies an operator's message, between two batches. A pause is only begun. */
export function applyToMatcher(
  message: ControlMessage,
  { matcher, symbols }: Pick<Matching, 'matcher' | 'symbols'>,
  accounts: number,
): void {
  if (message.kind === 'cancelOrders') cancelOrders(matcher, message, accounts)
  else if (message.kind === 'pause') matcher.flush()
  else if (message.kind === 'settle') matcher.settlePhases()
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
