/**
 * The indexer's thread. A start waits for it for a moment only. An archive that is further behind, as
 * one that is applied again at a start or later, is brought up to date beside the running exchange; until
 * then queries of it are refused (history-pool.ts). Then it runs its rounds (agents/indexer-rounds.ts).
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import { CatchUp } from '../agents/catch-up.ts'
import { IndexerRounds } from '../agents/indexer-rounds.ts'
import { RealTime } from '../base/real-time.ts'
import type { Announcement } from '../market/announcement.ts'
import { CountedBell } from '../ring/counted-bell.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { stepBack } from './background.ts'
import { openIndexer } from './indexer-parts.ts'
import { turnLoop } from './loop-turn.ts'
import { indexerBellOffset, Phase } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { ThreadNews, ThreadReport, ThreadStart } from './thread-messages.ts'

/** Time of catching up between two checks for a stop or for announcements. */
const PIECE_MS = 50
/** The longest wait of a start for the archive, so that the gateways find all trades. */
const START_WAIT_MS = 2_000
const BEHIND_SENTENCE =
  'The archive is behind: what asks it is refused (-1008) until it is up to date.'

const time = new RealTime()
const { port, start } = startedWith<ThreadStart>()
const report = (message: ThreadReport) => port.postMessage(message)
const warn = (message: string) => report({ report: 'log', level: 'warn', fields: {}, message })
await run(start)

async function run(start: ThreadStart): Promise<void> {
  const { config, regions } = start
  const { indexer, apply: applyNews } = openIndexer(start, time, report)
  const catchUp = new CatchUp(indexer, time, (fields, message) =>
    report({ report: 'log', level: 'info', fields, message }),
  )
  if (catchUp.run(START_WAIT_MS)) indexer.tend(time.nowMs())
  else {
    warn(BEHIND_SENTENCE)
    report({ report: 'degraded', why: BEHIND_SENTENCE })
  }
  // Threads that serve clients go first (bench `wire`).
  report({ report: 'ready', thread: stepBack() })
  const phase = new Int32Array(regions.phase)
  const bell = new Doorbell(regions.bells, indexerBellOffset(config.matchers, config.gateways))
  const countedBell = new CountedBell(bell, regions.archiveAwaited)
  const rounds = new IndexerRounds(indexer, countedBell, time)
  const isOver = () => Atomics.load(phase, 0) >= Phase.MATCHED
  while (!isOver()) {
    applyAll(applyNews)
    if (indexer.isCurrent) rounds.run()
    else if (indexer.waitMs === 0) catchUp.run(PIECE_MS)
    else {
      // It shows that it is alive.
      indexer.doWork()
      bell.sleep(isOver, Math.min(indexer.waitMs, PIECE_MS))
    }
    await turnLoop(time)
  }
  // An archive that is far behind is left to the next start.
  const isEnding = () => Atomics.load(phase, 0) === Phase.ENDING
  while (!isEnding() && indexer.isCurrent && indexer.doWork() > 0);
  indexer.close()
  report({ report: 'stopped' })
}

/** The main thread waits for it, and rings the bell. */
function applyAll(applyNews: (announcement: Announcement) => void): void {
  for (let post = receiveMessageOnPort(port); post; post = receiveMessageOnPort(port)) {
    const { number, announcements }: ThreadNews = post.message
    announcements.forEach(applyNews)
    report({ report: 'applied', number })
  }
}
