/**
 * The archivist's thread. A start waits for it for a moment only. An archive that is further behind, as
 * one that is folded again at a start or later, is brought up to date beside the running exchange; until
 * then queries of it are refused (history-pool.ts). Then it runs its rounds (agents/archivist-rounds.ts).
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import { Archivist } from '../agents/archivist.ts'
import { ArchivistRounds } from '../agents/archivist-rounds.ts'
import { CatchUp } from '../agents/catch-up.ts'
import type { Valuation } from '../archive/volumes.ts'
import { RealTime } from '../base/real-time.ts'
import { AssetId } from '../base/units.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { Announcement } from '../market/announcement.ts'
import { CountedBell } from '../ring/counted-bell.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { ArchiveCells } from '../shared/archive-cells.ts'
import { TradingLocks } from '../shared/trading-locks.ts'
import { stepBack } from './background.ts'
import { turnLoop } from './loop-turn.ts'
import { archivistBellOffset, Phase } from './memory.ts'
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

async function run({
  config,
  regions,
  symbols,
  valuationAsset,
  retention,
}: ThreadStart): Promise<void> {
  let valuation: Valuation = { symbols, assetId: AssetId(valuationAsset?.id ?? -1) }
  const archivist = new Archivist({
    dataFolder: config.data,
    matchers: config.matchers,
    wals: regions.wals.map((memory) => new WalCells(memory)),
    archived: new BigInt64Array(regions.archived),
    cells: new ArchiveCells(regions.archive),
    valuation,
    retention,
    nowMs: () => time.nowMs(),
    ...(config.tradingLocks === 'on' ? { locks: new TradingLocks(regions.tradingLocks) } : {}),
    counters: regions.counters,
    log: warn,
    logMended: (message) => report({ report: 'log', level: 'info', fields: {}, message }),
    degraded: (why) => report({ report: 'degraded', why }),
  })
  const catchUp = new CatchUp(archivist, (fields, message) =>
    report({ report: 'log', level: 'info', fields, message }),
  )
  if (catchUp.run(START_WAIT_MS)) archivist.tend(time.nowMs())
  else {
    warn(BEHIND_SENTENCE)
    report({ report: 'degraded', why: BEHIND_SENTENCE })
  }
  // Threads that serve clients go first (bench `wire`).
  report({ report: 'ready', thread: stepBack() })
  const phase = new Int32Array(regions.phase)
  const bell = new Doorbell(regions.bells, archivistBellOffset(config.matchers, config.gateways))
  const countedBell = new CountedBell(bell, regions.archiveAwaited)
  const rounds = new ArchivistRounds(archivist, countedBell, time)
  const applyNews = (announcement: Announcement) => {
    const { symbols, assetId } = valuation
    if (announcement.kind === 'listing') {
      const { symbol } = announcement.listed
      // One that began after the action has it already.
      if (symbol.id < symbols.length) return
      valuation = { symbols: [...symbols, symbol], assetId }
    } else if (announcement.kind === 'asset' && announcement.isValuation) {
      valuation = { symbols, assetId: announcement.asset.id }
    } else return
    archivist.setValuation(valuation)
  }
  const isOver = () => Atomics.load(phase, 0) >= Phase.MATCHED
  while (!isOver()) {
    applyAll(applyNews)
    if (archivist.isCurrent) rounds.run()
    else if (archivist.waitMs === 0) catchUp.run(PIECE_MS)
    else {
      // It shows that it is alive.
      archivist.doWork()
      bell.sleep(isOver, Math.min(archivist.waitMs, PIECE_MS))
    }
    await turnLoop()
  }
  // An archive that is far behind is left to the next start.
  const isEnding = () => Atomics.load(phase, 0) === Phase.ENDING
  while (!isEnding() && archivist.isCurrent && archivist.doWork() > 0);
  archivist.close()
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
