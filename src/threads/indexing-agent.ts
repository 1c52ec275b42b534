/**
 * The indexer as a worker. A start waits for it briefly. An archive that is further behind, as one
 * that is applied again at a start or later, is brought up to date beside the running exchange; until then
 * queries of it are refused (history-pool.ts). Then it runs its rounds (agents/indexer-rounds.ts).
 */
import { CatchUp } from '../agents/catch-up.ts'
import { Indexer } from '../agents/indexer.ts'
import { IndexerRounds, type Rests } from '../agents/indexer-rounds.ts'
import type { Valuation } from '../archive/volumes.ts'
import { elapsedMs } from '../base/time.ts'
import { AssetId } from '../base/units.ts'
import { readCorrections } from '../journal/corrections.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { ControlMessage } from '../market/control-message.ts'
import { CountedBell } from '../ring/counted-bell.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { ArchiveCells } from '../shared/archive-cells.ts'
import { TradingLocks } from '../shared/trading-locks.ts'
import { indexerBellOffset, Phase } from './memory.ts'
import type { ThreadOrder, ThreadStart } from './thread-messages.ts'
import type { AgentWays, WorkerAgent } from './worker-agent.ts'

/** The longest wait of a start for the archive, so that the gateways find all trades. */
const START_WAIT_MS = 2_000
/** Time of catching up in one duty cycle, on a thread and on a loop. */
const PIECE_MS = 50
const LOOP_PIECE_MS = 5
const BEHIND_SENTENCE =
  'The archive is behind: what asks it is refused (-1008) until it is up to date.'

export class IndexingAgent implements WorkerAgent {
  readonly name = 'indexer'
  readonly waitsFor: Doorbell
  /** Rung by queries that wait for it. */
  protected readonly awaited: CountedBell
  private readonly ways: AgentWays
  private readonly phase: Int32Array
  private readonly indexer: Indexer
  private readonly catchUp: CatchUp
  private readonly rounds: IndexerRounds
  private readonly pieceMs: number
  private readonly startUntilMs: number
  private valuation: Valuation
  private isReady = false
  private _isDone = false

  /** Without `rests` it blocks no thread. */
  constructor(start: ThreadStart, ways: AgentWays, rests?: Rests) {
    const { config, regions, symbols, valuationAsset, klines } = start
    const { time, report } = ways
    this.ways = ways
    this.phase = new Int32Array(regions.phase)
    const offset = indexerBellOffset(config.matchers, config.gateways)
    this.waitsFor = new Doorbell(regions.bells, offset)
    const corrections = readCorrections(config.data).length
    this.valuation = { symbols, assetId: AssetId(valuationAsset?.id ?? -1), klines, corrections }
    this.indexer = openIndexer(start, ways, this.valuation)
    this.catchUp = new CatchUp(this.indexer, time, (fields, message) =>
      report({ report: 'log', level: 'info', fields, message }),
    )
    this.awaited = new CountedBell(this.waitsFor, regions.archiveAwaited)
    this.rounds = new IndexerRounds(this.indexer, this.awaited, time, rests)
    this.pieceMs = rests === undefined ? LOOP_PIECE_MS : PIECE_MS
    this.startUntilMs = elapsedMs(time) + START_WAIT_MS
  }

  get idleMsMax(): number {
    const { indexer } = this
    return indexer.isCurrent ? this.rounds.dueInMs : Math.min(indexer.waitMs, PIECE_MS)
  }

  get isDone(): boolean {
    return this._isDone
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

  close(): void {
    this.indexer.close()
    this.waitsFor.leave()
    this.ways.report({ report: 'stopped' })
  }

  /** Whether no journal grows any more. */
  private get isOver(): boolean {
    return Atomics.load(this.phase, 0) >= Phase.MATCHED
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
    const isEnding = Atomics.load(this.phase, 0) === Phase.ENDING
    const events = isEnding || !this.indexer.isCurrent ? 0 : this.indexer.doWork()
    this._isDone = events === 0
    return events
  }

  /** Applies an operator's message, between two transactions. */
  private apply(message: ControlMessage): void {
    const { symbols } = this.valuation
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
    retention,
    time,
    ...(config.tradingLocks === 'on' ? { locks: new TradingLocks(regions.tradingLocks) } : {}),
    counters: regions.counters,
    log: log('warn'),
    logMended: log('info'),
    degraded: (why) => report({ report: 'degraded', why }),
  })
}
