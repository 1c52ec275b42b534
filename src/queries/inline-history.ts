/**
 * Queries of the archive on the caller's own thread, for an exchange on one event loop. Each query is one
 * bounded piece: its row limit bounds its time. A query carries the positions that matchers had published
 * when it arrived, and waits until the archive has passed them, as in history-pool.ts.
 */
import { existsSync } from 'node:fs'
import { ArchiveBehind, HistoryFailure } from '../api/history-failure.ts'
import { archiveFolder } from '../archive/archive-folder.ts'
import { History } from '../archive/history.ts'
import {
  type HistoryName,
  type HistoryQueries,
  historyQueries,
  type ListForm,
} from '../history/queries.ts'
import { isRefusal, LongRead, StorageError } from '../journal/environment.ts'
import { ArchiveCells, ArchiveState } from '../shared/archive-cells.ts'
import { QueryService } from './query-service.ts'

export interface InlineHistoryOptions {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position published, and the last archived. */
  readonly published: SharedArrayBuffer
  readonly archived: SharedArrayBuffer
  /** shared/archive-cells.ts. */
  readonly archive: SharedArrayBuffer
  /** Wakes the indexer; resolves after one of its rounds. */
  readonly awaitIndexer: () => Promise<void>
  /** Logs why the archive could not be read. */
  readonly warn: (reason: string, message: string) => void
}

/** Rounds of the indexer after which a query fails with TIMEOUT (-1007). */
const ROUNDS_MAX = 1_000

export class InlineHistory {
  /** They reject with HistoryFailure. */
  readonly queries: HistoryQueries
  private readonly options: InlineHistoryOptions
  private readonly published: BigInt64Array
  private readonly archived: BigInt64Array
  private readonly archive: ArchiveCells
  private opened: { readonly number: number; history: History; service: QueryService } | undefined =
    undefined
  private isClosed = false

  constructor(options: InlineHistoryOptions) {
    this.options = options
    this.published = new BigInt64Array(options.published)
    this.archived = new BigInt64Array(options.archived)
    this.archive = new ArchiveCells(options.archive)
    this.queries = historyQueries((name, query, form) => this.run(name, query, form))
  }

  /** Waiting queries fail with TIMEOUT. */
  close(): void {
    this.isClosed = true
    this.leave()
  }

  private async run(
    name: HistoryName,
    query: unknown,
    form: ListForm | undefined,
  ): Promise<unknown> {
    const { state } = this.archive
    if (state !== ArchiveState.CURRENT && state !== ArchiveState.STALLED) throw new ArchiveBehind()
    const positions = Array.from(this.published, (_, at) => Atomics.load(this.published, at))
    if (!this.hasPassed(positions) && state === ArchiveState.STALLED) throw new ArchiveBehind()
    for (let rounds = 0; !this.hasPassed(positions); rounds++) {
      if (rounds === ROUNDS_MAX || this.isClosed) throw tooLate()
      await this.options.awaitIndexer()
    }
    if (this.isClosed) throw tooLate()
    return this.read(name, query, form)
  }

  private hasPassed(positions: readonly bigint[]): boolean {
    return positions.every((position, at) => Atomics.load(this.archived, at) >= position)
  }

  private read(name: HistoryName, query: unknown, form: ListForm | undefined): unknown {
    try {
      return this.service().read(name, query, form)
    } catch (error) {
      if (error instanceof LongRead) throw tooLate()
      this.leave()
      if (!(error instanceof StorageError)) throw error
      if (!isRefusal(error)) this.archive.setDamaged(this.archive.number)
      this.options.warn(error.message, 'the archive could not be read')
      throw new ArchiveBehind()
    }
  }

  /** Returns the query service of the present archive, which may have been made again. */
  private service(): QueryService {
    const { number } = this.archive
    if (this.opened?.number === number) return this.opened.service
    this.leave()
    const folder = archiveFolder(this.options.dataFolder, number)
    // LMDB would create it, and only the indexer may.
    if (!existsSync(folder)) throw new ArchiveBehind()
    const history = new History(folder)
    this.opened = { number, history, service: new QueryService(history) }
    return this.opened.service
  }

  private leave(): void {
    this.opened?.history.close()
    this.opened = undefined
  }
}

const tooLate = () => new HistoryFailure('TIMEOUT', 'The archive did not answer in time.')
