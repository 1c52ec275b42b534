/**
 * The indexer as a worker. A start waits for it briefly. An archive that is further behind, as one
 * that is applied again at a start or later, is brought up to date beside the running exchange; until then
 * queries of it are refused (history-pool.ts). Then it runs its rounds.
 */
import type { Valuation } from '../archive/volumes.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import { AssetId } from '../base/units.ts'
import { distributionsIn } from '../control/distributions.ts'
import { readCorrections } from '../journal/corrections.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { CountedBell } from '../ring/counted-bell.ts'
import { ArchiveCells } from '../shared/archive-cells.ts'
import type { ControlMessage } from '../shared/control-message.ts'
import { TradingLocks } from '../shared/trading-locks.ts'
import { Indexer } from './indexer.ts'
import { indexerBellOffset, Phase } from './memory.ts'
import type { ThreadOrder, ThreadStart } from './messages.ts'
import { type LogProgress, Progress } from './progress.ts'
import { type AgentWays, BellAgent } from './worker-agent.ts'

/** The longest wait of a start for the archive, so that the gateways find all trades. */
const START_WAIT_MS = 2_000
/** Time of catching up in one duty cycle, on a thread and on a loop. */
const PIECE_MS = 50
const LOOP_PIECE_MS = 5
const BEHIND_SENTENCE =
  'The archive is behind: what asks it is refused (-1008) until it is up to date.'

/** The most time between two rounds without a query. */
const PACE_MS = 100
/** The rest after a transaction, however many queries wait: each takes a processor from orders. */
const LULL_MS = 20

export class IndexerAgent extends BellAgent {
  /** Rung by queries that wait for it. */
  private readonly awaited: CountedBell
  /** Queries on the same loop. */
  private waiting: (() => void)[] = []
  private readonly indexer: Indexer
  private readonly catchUp: CatchUp
  private readonly rounds: IndexerRounds
  private readonly pieceMs: number
  private readonly startUntilMs: number
  private valuation: Valuation
  private isReady = false

  constructor(start: ThreadStart, ways: AgentWays) {
    const { config, regions, symbols, valuationAsset, klines } = start
    const { time, report } = ways
    super('indexer', indexerBellOffset(config.matchers, config.gateways), start, ways)
    const corrections = readCorrections(config.data).length
    this.valuation = { symbols, assetId: AssetId(valuationAsset?.id ?? -1), klines, corrections }
    this.indexer = openIndexer(start, ways, this.valuation)
    this.catchUp = new CatchUp(this.indexer, time, (fields, message) =>
      report({ report: 'log', level: 'info', fields, message }),
    )
    this.awaited = new CountedBell(this.waitsFor, regions.archiveAwaited)
    this.rounds = new IndexerRounds(this.indexer, this.awaited, ways)
    this.pieceMs = ways.rest === undefined ? LOOP_PIECE_MS : PIECE_MS
    this.startUntilMs = elapsedMs(time) + START_WAIT_MS
  }

  get idleMsMax(): number {
    const { indexer } = this
    return indexer.isCurrent ? this.rounds.dueInMs : Math.min(indexer.waitMs, PIECE_MS)
  }

  start(): undefined {}

  /** The main part waits for it. */
  take(order: ThreadOrder): void {
    if (order.order !== 'control') return
    for (const message of order.messages) this.apply(message)
    this.ways.report({ report: 'applied', number: order.number })
  }

  hasWork(): boolean {
    const { indexer } = this
    return this.isOver || (indexer.isCurrent ? this.rounds.isAwaited : indexer.waitMs === 0)
  }

  doWork(): number {
    const done = this.cycle()
    for (const resolve of this.waiting.splice(0)) resolve()
    return done
  }

  /** For a query on the same loop: resolves after a round, which begins soon. */
  round(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.awaited.ring()
    })
  }

  override close(): void {
    this.indexer.close()
    super.close()
  }

  private cycle(): number {
    const { indexer } = this
    if (this.isOver) return this.finish()
    if (!this.isReady) return this.catchUpFirst()
    if (indexer.isCurrent) return this.rounds.run()
    if (indexer.waitMs === 0) {
      this.catchUp.run(this.pieceMs)
      return 1
    }
    // It shows that it is alive.
    indexer.doWork()
    return 0
  }

  /** Whether no journal grows any more. */
  private get isOver(): boolean {
    return this.at >= Phase.MATCHED
  }

  /** A start does not wait for an archive that has to wait itself. */
  private catchUpFirst(): number {
    const { indexer, ways } = this
    const { time, report } = ways
    const isCurrent = this.catchUp.run(this.pieceMs)
    if (!isCurrent && indexer.waitMs === 0 && elapsedMs(time) < this.startUntilMs) return 1
    this.isReady = true
    if (isCurrent) indexer.tend(time.nowMs())
    else {
      report({ report: 'log', level: 'warn', fields: {}, message: BEHIND_SENTENCE })
      report({ report: 'degraded', why: BEHIND_SENTENCE })
    }
    report({ report: 'ready' })
    return 1
  }

  /** An archive that is far behind is left to the next start. */
  private finish(): number {
    const isEnding = this.at === Phase.ENDING
    const events = isEnding || !this.indexer.isCurrent ? 0 : this.indexer.doWork()
    this._isDone = events === 0
    return events
  }

  /** Applies an operator's message, between two transactions. */
  private apply(message: ControlMessage): void {
    const { symbols } = this.valuation
    if (message.kind === 'distribution') {
      this.indexer.distribute(message.distribution)
      return
    }
    if (message.kind === 'listing') {
      const { symbol } = message.listed
      // One that began after the action has it already.
      if (symbol.id < symbols.length) return
      this.valuation = { ...this.valuation, symbols: [...symbols, symbol] }
    } else if (message.kind === 'asset' && message.isValuation) {
      this.valuation = { ...this.valuation, assetId: message.asset.id }
    } else return
    this.indexer.setValuation(this.valuation)
  }
}

function openIndexer(
  { config, regions, retention }: ThreadStart,
  { time, report }: AgentWays,
  valuation: Valuation,
): Indexer {
  const log = (level: 'info' | 'warn') => (message: string) =>
    report({ report: 'log', level, fields: {}, message })
  return new Indexer({
    dataFolder: config.data,
    matchers: config.matchers,
    wals: regions.wals.map((memory) => new WalCells(memory)),
    archived: new BigInt64Array(regions.archived),
    cells: new ArchiveCells(regions.archive),
    valuation,
    distributions: () => distributionsIn(config.data),
    retention,
    time,
    ...(config.tradingLocks === 'on' ? { locks: new TradingLocks(regions.tradingLocks) } : {}),
    counters: regions.counters,
    log: log('warn'),
    logMended: log('info'),
    degraded: (why) => report({ report: 'degraded', why }),
  })
}

/** Brings the archive up to date, in pieces of a given time, and logs its progress. */
export class CatchUp {
  private readonly indexer: CaughtUp
  private readonly time: Time
  private readonly log: LogProgress
  private progress: Progress | undefined = undefined
  private blocks = 0
  private events = 0

  constructor(indexer: CaughtUp, time: Time, log: LogProgress) {
    this.indexer = indexer
    this.time = time
    this.log = log
  }

  /** Continues for about this time, unless the archive has to wait. Returns whether it is up to date. */
  run(lengthMs: number): boolean {
    const indexer = this.indexer
    const untilMs = elapsedMs(this.time) + lengthMs
    while (indexer.isProving && elapsedMs(this.time) < untilMs) indexer.doWork()
    if (indexer.isProving) return false
    this.progress ??= this.begin()
    while (!indexer.isCurrent && indexer.waitMs === 0 && elapsedMs(this.time) < untilMs) {
      this.events += indexer.doWork()
      this.progress.at(this.blocks - indexer.blocksLeft(), this.events)
    }
    if (indexer.isCurrent) this.end()
    // It may begin from nothing then.
    else if (indexer.waitMs > 0) this.progress = undefined
    return indexer.isCurrent
  }

  private begin(): Progress {
    this.blocks = this.indexer.blocksLeft()
    this.events = 0
    return new Progress('bringing the archive up to date', this.blocks, this.time, this.log)
  }

  private end(): void {
    this.progress?.end(this.events)
    this.progress = undefined
  }
}

type CaughtUp = Pick<Indexer, 'isCurrent' | 'isProving' | 'doWork' | 'blocksLeft' | 'waitMs'>

type RoundWays = Pick<AgentWays, 'time' | 'rest' | 'throttle'>

/**
 * The rounds of an indexer that is up to date. It archives at intervals, not at every block, since a few
 * large transactions are cheaper than many small ones. A query that waits for it rings its bell. While more
 * waits than one transaction takes, the next round is due at once.
 */
export class IndexerRounds {
  private readonly indexer: Pick<Indexer, 'doWork' | 'hasMore' | 'tend'>
  private readonly bell: Pick<CountedBell, 'acknowledge' | 'hasRung'>
  private readonly ways: RoundWays
  private dueMs: number

  /** Without `rest` it blocks no thread. */
  constructor(
    indexer: Pick<Indexer, 'doWork' | 'hasMore' | 'tend'>,
    bell: Pick<CountedBell, 'acknowledge' | 'hasRung'>,
    ways: RoundWays,
  ) {
    this.indexer = indexer
    this.bell = bell
    this.ways = ways
    this.dueMs = elapsedMs(ways.time)
  }

  /** Time until the next round, if no query waits for it. */
  get dueInMs(): number {
    return Math.max(0, this.dueMs - elapsedMs(this.ways.time))
  }

  get isAwaited(): boolean {
    return this.indexer.hasMore || this.bell.hasRung
  }

  /** Archives waiting blocks, if the round is due or a query waits for it. Returns the number of events. */
  run(): number {
    if (!this.isAwaited && this.dueInMs > 0) return 0
    const { indexer } = this
    // First: a query that rings from here on may wait for blocks behind those archived now.
    this.bell.acknowledge()
    const events = indexer.doWork(indexer.hasMore ? undefined : this.ways.throttle)
    indexer.tend(this.ways.time.nowMs())
    if (events > 0 && !indexer.hasMore) this.ways.rest?.(LULL_MS)
    this.dueMs = elapsedMs(this.ways.time) + PACE_MS - LULL_MS
    return events
  }
}
