/**
 * The history pool without threads: questions wait until the simulation answers one, from the real
 * archive and by the pool's own rule, once the archive has passed what was published when it was asked.
 */
import type { HistoryQueries } from '../../../src/api/context.ts'
import { HistoryFailure } from '../../../src/api/history-failure.ts'
import type { ListForm, ListName } from '../../../src/api/render/history-lists.ts'
import { archiveFolder } from '../../../src/archive/archive-writer.ts'
import { History } from '../../../src/archive/history.ts'
import { type HistoryAsk, HistoryDesk } from '../../../src/queries/history-desk.ts'
import type { FalseTime } from './false-time.ts'

/** How long a question waits for the archive. */
const WAIT_MS = 10_000

interface Question {
  readonly ask: HistoryAsk
  readonly query: unknown
  readonly form: ListForm | undefined
  readonly positions: readonly bigint[]
  readonly askedMs: number
  /** Whose timers come of the answer. */
  readonly owner: number
  readonly resolve: (rows: unknown) => void
  readonly reject: (error: Error) => void
}

export interface FalseHistoryOptions {
  readonly dataFolder: string
  readonly published: BigInt64Array
  readonly archived: BigInt64Array
  readonly time: FalseTime
}

export class FalseHistory {
  /** As a gateway asks. */
  readonly queries: HistoryQueries
  readonly #options: FalseHistoryOptions
  readonly #questions: Question[] = []
  #history: History | undefined
  #desk: HistoryDesk | undefined

  constructor(options: FalseHistoryOptions) {
    this.#options = options
    this.queries = new Proxy({} as HistoryQueries, {
      get: (_, ask: HistoryAsk | 'list') =>
        ask === 'list'
          ? (name: ListName, query: unknown, form: ListForm) => this.#ask(name, query, form)
          : (query: unknown) => this.#ask(ask, query, undefined),
    })
  }

  /** Answers the oldest question that can be; false when there is none. */
  answerOne(): boolean {
    const { archived, time } = this.#options
    const isPassed = ({ positions }: Question) =>
      positions.every((position, matcher) => archived[matcher]! >= position)
    const isLate = ({ askedMs }: Question) => time.passedMs - askedMs > WAIT_MS
    const at = this.#questions.findIndex((it) => isPassed(it) || isLate(it))
    if (at < 0) return false
    const [question] = this.#questions.splice(at, 1) as [Question]
    time.owner = question.owner
    if (isPassed(question)) question.resolve(this.now(question.ask, question.query, question.form))
    else question.reject(new HistoryFailure('TIMEOUT', 'The archive did not catch up in time.'))
    return true
  }

  /** What the archive says at this moment. */
  now(ask: HistoryAsk, query: unknown, form?: ListForm): unknown {
    this.#history ??= new History(archiveFolder(this.#options.dataFolder))
    this.#desk ??= new HistoryDesk(this.#history)
    return this.#desk.answer(ask, query, form)
  }

  close(): void {
    this.#history?.close()
    this.#history = undefined
    this.#desk = undefined
  }

  #ask(ask: HistoryAsk, query: unknown, form: ListForm | undefined): Promise<unknown> {
    const { published, time } = this.#options
    return new Promise((resolve, reject) => {
      const positions = [...published]
      const { passedMs: askedMs, owner } = time
      this.#questions.push({ ask, query, form, positions, askedMs, owner, resolve, reject })
    })
  }
}
