/**
 * Workers of a whole exchange on the event loop of the caller: matchers, checkpointer, indexer, snapshots,
 * backups, gateways with their queries, and market makers. Each works in bounded pieces, between which the loop
 * serves everything else: a batch of a matcher, a transaction of the archive or of the journal, a query
 * within its row limit, a slice of a snapshot, a piece of a backup. Only libuv's pool has threads, for flushes and
 * file reads that Node.js makes on it.
 *
 * There is no quorum on one loop: its members block while PostgreSQL answers.
 */
import { CheckpointerAgent } from '../../agents/checkpointer.ts'
import { onWall, type Time } from '../../base/time.ts'
import { WalCells } from '../../journal/wal-cells.ts'
import type { Scheduler } from '../../threads/background.ts'
import { StartError } from '../../threads/exclusive.ts'
import type {
  BackupStart,
  GatewayStart,
  LiquidityStart,
  ThreadStart,
} from '../../threads/thread-messages.ts'
import type { Hire, WorkerKind } from '../../threads/worker-handle.ts'
import type { Workers } from '../assemble.ts'
import { LoopBackup } from './loop-backup.ts'
import { LoopCheckpointer } from './loop-checkpointer.ts'
import { LoopGateway } from './loop-gateway.ts'
import { LoopIndexer } from './loop-indexer.ts'
import { LoopMarketMakers } from './loop-market-makers.ts'
import { LoopMatcher } from './loop-matcher.ts'
import type { LoopParts } from './loop-parts.ts'
import { LoopSnapshots } from './loop-snapshots.ts'
import { LoopWorker, type MakeDuty, turn } from './loop-worker.ts'

export const onOneLoop =
  (parts: LoopParts): Workers =>
  (time) => ({ hire: hireOn(time, parts), scheduler: noScheduler })

/** No worker on a loop has a thread to schedule. */
const noScheduler: Scheduler = {
  probe: () => Promise.reject(new Error('no threads')),
  holdDiskClass: async () => {},
  give: async () => {},
}

/** Workers whose timers clients notice: those of all others take the machine's time, as their disk does. */
const ofClients: readonly WorkerKind[] = ['gateway', 'liquidity']

function hireOn(time: Time, parts: LoopParts): Hire {
  const shared = new LoopShared(time)
  const makers: Partial<Record<WorkerKind, MakeDuty>> = {
    matching: (start, ways) =>
      new LoopMatcher(start as ThreadStart, ways, {
        ...parts,
        checkpointer: () => shared.checkpointer(start as ThreadStart),
      }),
    checkpointer: (start, ways) =>
      new LoopCheckpointer(start as ThreadStart, ways, shared.checkpointer(start as ThreadStart)),
    indexer: (start, ways) => shared.indexer(new LoopIndexer(start as ThreadStart, ways)),
    snapshot: (start, ways) => new LoopSnapshots(start as ThreadStart, ways),
    gateway: (start, ways) =>
      new LoopGateway(start as GatewayStart, ways, {
        ...parts,
        awaitIndexer: () => shared.round(),
      }),
    backup: (start, ways) => new LoopBackup(start as BackupStart, ways),
    liquidity: (start, ways) => new LoopMarketMakers(start as LiquidityStart, ways),
  }
  return (kind, index, events) => {
    const make = makers[kind]
    if (make === undefined) {
      throw new StartError('An exchange on one event loop is no member of a quorum.')
    }
    const ownTime = ofClients.includes(kind) ? time : onWall(time)
    return new LoopWorker(`${kind}-${index}`, events, ownTime, make)
  }
}

/** What workers of one loop ask of each other directly, where threads would ring and wait. */
class LoopShared {
  private readonly time: Time
  private checkpointerAgent: CheckpointerAgent | undefined = undefined
  private loopIndexer: LoopIndexer | undefined = undefined

  constructor(time: Time) {
    this.time = time
  }

  /** The checkpointer, made when it is needed first: a matcher that recovers may need room. */
  checkpointer({ config, regions }: ThreadStart): CheckpointerAgent {
    this.checkpointerAgent ??= new CheckpointerAgent({
      dataFolder: config.data,
      wals: regions.wals.map((memory) => new WalCells(memory)),
      counters: regions.counters,
    })
    return this.checkpointerAgent
  }

  indexer(indexer: LoopIndexer): LoopIndexer {
    this.loopIndexer = indexer
    return indexer
  }

  /** Resolves after a round of the indexer. */
  round(): Promise<void> {
    return this.loopIndexer?.round() ?? turn(this.time)
  }
}
