/**
 * Workers of a whole exchange on the event loop of the caller: matchers, checkpointer, indexer, snapshots,
 * backups, gateways with their queries, and market makers. Each works in bounded pieces, between which the loop
 * serves everything else: a batch of a matcher, a transaction of the archive or of the journal, a query
 * within its row limit, a slice of a snapshot, a piece of a backup. Only libuv's pool has threads, for flushes of
 * write-ahead logs and file reads that Node.js makes on it.
 *
 * A transaction of LMDB holds up the loop for as long as the disk takes. Its asynchronous commits would let the
 * checkpointer free a segment, and the indexer publish a position, before the disk has what they stand for: both
 * would need a second way through a transaction, for a pause that folders in memory do not have.
 *
 * Its member of a quorum is the caller's: one with a replica thread blocks while PostgreSQL answers.
 */

import { BackupAgent } from '../../agents/backup-agent.ts'
import {
  CheckpointerAgent,
  checkpointerOf,
  type JournalsCheckpointer,
} from '../../agents/checkpointer-agent.ts'
import { GatewayAgent } from '../../agents/gateway-agent.ts'
import { IndexerAgent } from '../../agents/indexer-agent.ts'
import { LiquidityAgent } from '../../agents/liquidity-agent.ts'
import { MatchingAgent } from '../../agents/matching-agent.ts'
import type { GatewayStart, ThreadStart, WorkerStarts } from '../../agents/messages.ts'
import { SnapshotAgent } from '../../agents/snapshot-agent.ts'
import type { AgentWays, MakeAgent } from '../../agents/worker-agent.ts'
import { StartError } from '../../base/start-error.ts'
import { onWall, type Time, tick } from '../../base/time.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { InlineHistory } from '../../queries/inline-history.ts'
import type { Scheduler } from '../../workers/background.ts'
import { readConsole } from '../../workers/console-parts.ts'
import type { WorkerKind } from '../../workers/hosting.ts'
import { driveOnLoop, LoopWorker } from '../../workers/loop-worker.ts'
import type { Hire, WorkerStart } from '../../workers/worker-handle.ts'
import type { Workers } from '../stages/starting.ts'
import type { LoopParts } from './loop-parts.ts'

const NO_PAGES = { files: [], docs: [], demoKeys: [] }
/** The heap is the caller's: a gateway bounds what clients have open, not what the process uses. */
const UNWATCHED = { heapBytes: 0, heapMax: 1, processBytes: 0, processMax: 0 }

export const onOneLoop =
  (parts: LoopParts): Workers =>
  (time) => ({ hire: hireOn(time, parts), scheduler: noScheduler })

/** Market makers share no client's limits. */
const HOUSE_ADDRESS = new Uint8Array([127, 0, 0, 2]).buffer

/** No worker on a loop has a thread to schedule. */
const noScheduler: Scheduler = {
  probe: () => Promise.reject(new Error('no threads')),
  holdDiskClass: async () => {},
  give: async () => {},
}

/** Workers whose timers clients notice: those of all others take the machine's time, as their disk does. */
const ofClients: readonly WorkerKind[] = ['gateway', 'liquidity']

function hireOn(time: Time, parts: LoopParts): Hire {
  const loop = new OneLoop(parts)
  return (kind, index, events) => {
    if (kind === 'replica') {
      throw new StartError('An exchange on one event loop is no member of a quorum.')
    }
    const ownTime = ofClients.includes(kind) ? time : onWall(time)
    // A matcher measures by the machine's time, and sleeps until a phase ends by the time of clients.
    const { drive = driveOnLoop(kind === 'matching' ? time : ownTime) } = parts
    const make: MakeAgent<WorkerStart> = (start, ways) => loop.make[kind](start as never, ways)
    return new LoopWorker(`${kind}-${index}`, events, { time: ownTime, drive, make })
  }
}

type LoopKind = Exclude<WorkerKind, 'replica'>

/** The agents of one exchange. They call each other directly, where threads would ring and wait. */
class OneLoop {
  private readonly parts: LoopParts
  private checkpointer: JournalsCheckpointer | undefined = undefined
  private indexer: IndexerAgent | undefined = undefined
  /** The first one. */
  private gateway: Gateway | undefined = undefined

  readonly make: { readonly [Kind in LoopKind]: MakeAgent<WorkerStarts[Kind]> } = {
    matching: (start, ways) => {
      const { quorumOf, segmentBytes, flushesBeside, watch } = this.parts
      return new MatchingAgent(start, {
        ...ways,
        quorumOf,
        segmentBytes,
        flushesBeside,
        checkpoint: () => void this.checkpointerOf(start, ways).doWork(),
        opened: (matching) => watch?.matching?.(matching, start),
      })
    },
    checkpointer: (start, ways) =>
      new CheckpointerAgent(start, ways, this.checkpointerOf(start, ways)),
    indexer: (start, ways) => {
      this.indexer = new IndexerAgent(start, ways)
      return this.indexer
    },
    snapshot: (start, ways) => new SnapshotAgent(start, ways),
    gateway: (start, ways) => this.makeGateway(start, ways),
    backup: (start, ways) => new BackupAgent(start, ways),
    liquidity: (start, ways) =>
      new LiquidityAgent(start, ways, async (method, target, headers) => {
        const asked = { method, target, headers, address: HOUSE_ADDRESS }
        const { body, ...answer } = await this.gateway!.request(asked)
        return { ...answer, body: Buffer.from(body).toString() }
      }),
  }

  constructor(parts: LoopParts) {
    this.parts = parts
  }

  /** Made when it is needed first: a matcher that recovers may need room. */
  private checkpointerOf(start: ThreadStart, { report }: AgentWays): JournalsCheckpointer {
    this.checkpointer ??= checkpointerOf(start, report)
    return this.checkpointer
  }

  /** Its queries of the archive are on the same loop. */
  private makeGateway(start: GatewayStart, ways: AgentWays): GatewayAgent {
    const { config, regions } = start
    const history = new InlineHistory({
      dataFolder: config.data,
      published: regions.published,
      archived: regions.archived,
      archive: regions.archive,
      awaitIndexer: () => this.indexer?.round() ?? tick(ways.time),
      warn: (reason, message) =>
        ways.report({ report: 'log', level: 'warn', fields: { reason }, message }),
    })
    const { sockets, services, gatewayBell, watch, clock } = this.parts
    const agent = new GatewayAgent(start, ways, {
      sockets,
      services: services?.(start),
      bell: gatewayBell?.(start),
      history: history.queries,
      clock,
      // Without the console no documents are served either.
      console: config.console === 'off' ? NO_PAGES : readConsole(config),
      readMemory: () => UNWATCHED,
      closed: () => {
        clock?.forget(agent.gateway)
        history.close()
      },
    })
    clock?.watch(agent.gateway)
    this.gateway ??= agent.gateway
    watch?.gateway?.(agent.gateway, start)
    return agent
  }
}
