/**
 * The history pool without threads: queries wait until the simulation answers one, from the real
 * archive and by the pool's own rule, once the archive has passed what was published when it was queried.
 */

import { HistoryFailure } from '../../../src/api/history-failure.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import type { ManualClock } from '../../../src/base/manual-time.ts'
import {
  type HistoryName,
  type HistoryQueries,
  historyQueries,
  type ListForm,
} from '../../../src/history/queries.ts'
import { QueryService } from '../../../src/queries/query-service.ts'

/** How long a query waits for the archive. */
const WAIT_MS = 10_000

interface Question {
  readonly name: HistoryName
  readonly query: unknown
  readonly form: ListForm | undefined
  readonly positions: readonly bigint[]
  readonly askedMs: number
  readonly resolve: (rows: unknown) => void
  readonly reject: (error: Error) => void
}

export interface FalseHistoryOptions {
  readonly dataFolder: string
  readonly published: BigInt64Array
  readonly archived: BigInt64Array
  readonly time: ManualClock
}

export class FalseHistory {
  /** As a gateway queries. */
  readonly queries: HistoryQueries
  private readonly options: FalseHistoryOptions
  private readonly questions: Question[] = []
  private history: History | undefined = undefined
  private service: QueryService | undefined = undefined

  constructor(options: FalseHistoryOptions) {
    this.options = options
    this.queries = historyQueries((name, query, form) => this.ask(name, query, form))
  }

  /** Replies to the oldest answerable query; false when there is none. */
  answerOne(): boolean {
    const { archived, time } = this.options
    const isPassed = ({ positions }: Question) =>
      positions.every((position, matcher) => archived[matcher]! >= position)
    const isLate = ({ askedMs }: Question) => time.passedMs - askedMs > WAIT_MS
    const at = this.questions.findIndex((it) => isPassed(it) || isLate(it))
    if (at < 0) return false
    const [question] = this.questions.splice(at, 1) as [Question]
    if (isPassed(question)) question.resolve(this.now(question.name, question.query, question.form))
    else question.reject(new HistoryFailure('TIMEOUT', 'The archive did not answer in time.'))
    return true
  }

  /** What the archive has at this moment. */
  now(name: HistoryName, query: unknown, form?: ListForm): unknown {
    this.history ??= new History(archiveFolder(this.options.dataFolder))
    this.service ??= new QueryService(this.history)
    return this.service.read(name, query, form)
  }

  close(): void {
    this.history?.close()
    this.history = undefined
    this.service = undefined
  }

  private ask(name: HistoryName, query: unknown, form: ListForm | undefined): Promise<unknown> {
    const { published, time } = this.options
    return new Promise((resolve, reject) => {
      const positions = [...published]
      const { passedMs: askedMs } = time
      this.questions.push({ name, query, form, positions, askedMs, resolve, reject })
    })
  }
}
