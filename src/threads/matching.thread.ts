/**
 * A matcher's thread: recovers its books and its part of the ledger, then runs the
 * matcher until the exchange stops. It may block in Atomics.wait, so cells and its bell tell it of the
 * stop, and that there is a message to look for.
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import { Gathering } from '../agents/gathering.ts'
import { assert } from '../base/assert.ts'
import { RealTime } from '../base/real-time.ts'
import { BlockWriter } from '../journal/block.ts'
import { StorageError } from '../journal/environment.ts'
import { SEGMENT_BYTES } from '../journal/wal-writer.ts'
import { Hold } from '../market/announcement.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { MatcherCounter } from '../shared/counters.ts'
import { FollowedBlocks } from './followed-blocks.ts'
import { waitHeld } from './held.ts'
import { applyToMatcher, finishLastStart, type Matching, openMatching } from './matching-parts.ts'
import { matcherBellOffset, Phase } from './memory.ts'
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
const rest = (ms: number) => time.idle(ms)
run(start)

function run(start: ThreadStart): void {
  const { regions, follows, epoch } = start
  const matching = openMatching(start, {
    ...{ time, report, rest, segmentBytes: SEGMENT_BYTES },
    makeRoom: (cells, position) => {
      if (cells.waitCheckpointed(time, position, ROOM_WAIT_MS)) return
      throw new StorageError(
        `The write-ahead log of journal-${start.index} is full, and the checkpointer does not empty it.`,
      )
    },
  })
  if (matching === undefined) {
    report({ report: 'stopped' })
    return
  }
  const { matcher, options } = matching
  const phase = new Int32Array(regions.phase)
  while (Atomics.load(phase, 0) === Phase.RECOVERING) time.wait(phase, 0, Phase.RECOVERING)
  // The main thread has not confirmed that the balances add up.
  if (Atomics.load(phase, 0) === Phase.ENDING) return
  const followed = follows ? new FollowedBlocks(start, { ...options, rest }, matcher) : undefined
  if (followed === undefined) finishLastStart(matcher, epoch, report)
  report({ report: 'ready', thread: threadNumber() })
  work(start, { ...matching, followed })
  matcher.close()
  report({ report: 'stopped' })
}

interface Duty extends Matching {
  /** While another member leads. */
  followed: FollowedBlocks | undefined
}

/** Continues the journal that it has followed. */
function lead({ replica, index, config }: ThreadStart, duty: Duty, epoch: number): void {
  const { matcher, journal, followed } = duty
  assert(replica !== undefined && followed !== undefined, 'a member that followed begins to lead')
  const { place, journaledMs } = followed.following
  journal.lead(journalQuorum(replica, index, config.replicaSeconds, time))
  const { checksum: previous } = place
  matcher.lead(new BlockWriter({ epoch, matcher: index, previous }), journaledMs)
  duty.followed = undefined
  finishLastStart(matcher, epoch, report)
}

/** Runs the matcher until the exchange stops. */
function work(start: ThreadStart, duty: Duty): void {
  const { index, config, regions } = start
  const { matcher, counters } = duty
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
      applyNews(start, duty)
    }
    if (gathering.doWork() > 0) continue
    if (Atomics.load(phase, 0) === Phase.STOPPING) break
    idle(() => bell.sleep(hasWork, SLEEP_MS))
  }
}

/** Applies operators' announcements, between two batches. */
function applyNews(start: ThreadStart, duty: Duty): void {
  const { matcher, counters } = duty
  const { accounts } = start.config
  for (let post = receiveMessageOnPort(port); post; post = receiveMessageOnPort(port)) {
    const { number, announcements }: ThreadNews = post.message
    for (const announcement of announcements) {
      if (announcement.kind === 'lead') lead(start, duty, announcement.epoch)
      else applyToMatcher(announcement, duty, accounts)
    }
    report({ report: 'applied', number })
    for (const announcement of announcements) {
      if (announcement.kind !== 'hold') continue
      const heldNs = time.elapsedNs()
      const state = waitHeld(time, new Int32Array(announcement.cell), announcement.msMax)
      if (state === Hold.LEFT) matcher.leave()
      counters.raise(MatcherCounter.heldNsMax, time.elapsedNs() - heldNs)
    }
  }
}
