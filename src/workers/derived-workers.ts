/**
 * The threads that keep what can be made again from the journals, indexer and snapshots': their start,
 * their scheduling and their end. None of them ends the exchange.
 */
import type { Logger } from 'pino'
import type { Regions } from '../agents/memory.ts'
import type { ThreadStart } from '../agents/messages.ts'
import { ArchiveCells } from '../shared/archive-cells.ts'
import { Background, type Scheduler } from './background.ts'
import { DerivedWorker, type DerivedWorkerParts } from './derived-worker.ts'
import type { WorkerKind } from './hosting.ts'
import type { WorkerEvents, WorkerHandle } from './worker-handle.ts'

export interface DerivedWorkersParts extends Pick<DerivedWorkerParts, 'time' | 'log' | 'degrade'> {
  readonly launch: (
    kind: WorkerKind,
    events: Pick<WorkerEvents, 'onFailure' | 'onDegraded'>,
  ) => WorkerHandle
  readonly log: Logger
  readonly scheduler: Scheduler
  /** Called with each worker that is created. */
  readonly created: (worker: DerivedWorker) => void
}

export class DerivedWorkers {
  readonly indexer: DerivedWorker
  private readonly parts: DerivedWorkersParts
  private readonly all: DerivedWorker[] = []
  private background: Background | undefined = undefined
  private cells = new ArchiveCells()

  /** Creates the indexer, for which a start waits. */
  constructor(parts: DerivedWorkersParts) {
    this.parts = parts
    this.indexer = this.create('indexer', () => this.cells.beats)
  }

  /** Resolves when the indexer is ready, or has failed. */
  beginIndexer(regions: Regions, start: () => ThreadStart): Promise<void> {
    this.cells = new ArchiveCells(regions.archive)
    this.indexer.begin(start)
    return this.indexer.ready()
  }

  /** Creates the snapshots' thread, which loads while clients are served already. */
  beginSnapshots(start: () => ThreadStart): DerivedWorker {
    const snapshots = this.create('snapshot')
    snapshots.begin(start)
    return snapshots
  }

  /** Schedules the threads. No start waits for it: it runs some programs. */
  schedule(regions: Regions): void {
    const background = new Background({
      time: this.parts.time,
      published: new BigInt64Array(regions.published),
      archived: new BigInt64Array(regions.archived),
      isPaused: () => this.cells.isPaused,
      hurries: () => this.cells.hurries,
      log: (sentence) => this.parts.log.info(sentence),
      scheduler: this.parts.scheduler,
    })
    this.background = background
    void Promise.all(this.all.map((worker) => worker.thread())).then((threads) =>
      background.start(threads.filter((thread) => thread !== undefined)),
    )
  }

  /** Resolves when the threads are of the normal class: a stop waits for their remaining work. */
  async unschedule(): Promise<void> {
    await this.background?.stop()
  }

  async stopped(): Promise<void> {
    await Promise.all(this.all.map((worker) => worker.stopped()))
  }

  private create(kind: WorkerKind, beats?: () => number): DerivedWorker {
    const { launch, time, log, degrade, created } = this.parts
    const worker = new DerivedWorker({
      launch: (events) => launch(kind, events),
      time,
      log,
      degrade,
      replaced: (ended, thread) => this.background?.replace(ended, thread),
      ...(beats && { beats }),
    })
    this.all.push(worker)
    created(worker)
    return worker
  }
}
