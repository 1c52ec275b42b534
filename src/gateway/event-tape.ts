/**
 * What happened to the orders of all accounts, for operators and programs that assert it: reports as clients get
 * them, numbered from 1, in the order of each symbol's events. It records from the first query on, and keeps the last
 * TAPE_EVENTS_MAX; a reader that is further behind gets an error instead.
 */
import { Rows } from '../api/answers/answer.ts'
import { plainRows } from '../api/answers/plain.ts'
import { executionReport } from '../api/answers/user-events.ts'
import type { Report } from '../api/rows/execution-reports.ts'
import type { Time, Timer } from '../base/time.ts'
import type { AccountId } from '../base/units.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type {
  EventPage,
  EventsQuery,
  OperatorQueryAnswer,
  OrderEventRow,
} from '../shared/operator-query.ts'
import type { UserStreams } from './streams/user-streams.ts'

/** Events that are kept; a page of them; queries that wait for the next one. */
export const TAPE_EVENTS_MAX = 10_000
export const TAPE_PAGE_MAX = 1_000
export const TAPE_WAITING_MAX = 64

interface TapedEvent {
  readonly account: AccountId
  readonly spec: SymbolSpec
  readonly report: Report
}

interface Waiting {
  readonly query: EventsQuery
  readonly timer: Timer
  readonly resolve: (answer: OperatorQueryAnswer) => void
}

export class EventTape {
  private readonly userStreams: Pick<UserStreams, 'reportAll'>
  private readonly wall: Time
  /** Other gateways, and other starts, have other ones: their numbers mean nothing here. */
  private readonly id: string
  private events: TapedEvent[] = []
  /** Number of the first event that is kept, and of the next one. */
  private first = 1
  private next = 1
  private isRecording = false
  private readonly waiting = new Set<Waiting>()

  constructor(userStreams: Pick<UserStreams, 'reportAll'>, { wall }: Pick<Time, 'wall'>) {
    this.userStreams = userStreams
    this.wall = wall
    this.id = String(wall.elapsedNs())
  }

  /** Resolves to events behind the query's place, at once or when one comes; to none when the wait is over. */
  read(query: EventsQuery): Promise<OperatorQueryAnswer> {
    this.record()
    if (query.after === undefined) return Promise.resolve({ value: this.pageAt(this.next) })
    const answer = this.answer(query)
    if ('refused' in answer || answer.value.rows.length > 0 || query.waitMs === 0) {
      return Promise.resolve(answer)
    }
    if (this.waiting.size === TAPE_WAITING_MAX) {
      return Promise.resolve({ refused: 'Too many programs wait for events.' })
    }
    return new Promise((resolve) => {
      const timer = this.wall.after(query.waitMs, () => this.end(waiting))
      const waiting: Waiting = { query, timer, resolve }
      this.waiting.add(waiting)
    })
  }

  /** Events were missed: the reader gets an error. */
  missed(): void {
    this.events = []
    this.next++
    this.first = this.next
    this.endAll()
  }

  /** Nothing waits any longer: the gateway stops. */
  endAll(): void {
    for (const waiting of [...this.waiting]) this.end(waiting)
  }

  private record(): void {
    if (this.isRecording) return
    this.isRecording = true
    this.userStreams.reportAll((account, spec, report) => {
      this.events.push({ account, spec, report })
      this.next++
      // Twice as many are kept for a while: moving them all at each event would cost too much.
      if (this.events.length >= 2 * TAPE_EVENTS_MAX) this.events.splice(0, TAPE_EVENTS_MAX)
      this.first = Math.max(this.first, this.next - Math.min(this.events.length, TAPE_EVENTS_MAX))
      for (const waiting of [...this.waiting]) {
        if (isWanted(waiting.query, account, spec)) this.end(waiting)
      }
    })
  }

  private end(waiting: Waiting): void {
    waiting.timer.cancel()
    this.waiting.delete(waiting)
    waiting.resolve(this.answer(waiting.query))
  }

  private answer(query: EventsQuery): { readonly value: EventPage } | { readonly refused: string } {
    const [id, number] = (query.after ?? '').split(':')
    const from = Number(number)
    if (id !== this.id) return { refused: 'The events are of another start, or of another state.' }
    if (!(from >= this.first && from <= this.next)) {
      return { refused: `Events were missed: ${TAPE_EVENTS_MAX} are kept. Begin again.` }
    }
    const rows: OrderEventRow[] = []
    let at = from
    for (; at < this.next && rows.length < Math.min(query.limit, TAPE_PAGE_MAX); at++) {
      const event = this.events[this.events.length - (this.next - at)]!
      if (isWanted(query, event.account, event.spec)) rows.push(rowOf(event, at))
    }
    return { value: this.pageAt(at, rows) }
  }

  private pageAt(number: number, rows: readonly OrderEventRow[] = []): EventPage {
    return { rows, more: `${this.id}:${number}` }
  }
}

const isWanted = (
  { account, symbolId }: EventsQuery,
  owner: AccountId,
  { id }: SymbolSpec,
): boolean =>
  (account === undefined || account === owner) && (symbolId === undefined || symbolId === id)

type Wire = Readonly<Record<string, string | number | boolean | null>>

function rowOf({ account, spec, report }: TapedEvent, number: number): OrderEventRow {
  const form = { spec, microseconds: false }
  const { T, s, x, X, i, c, C, g, S, o, p, q, z, l, L, t, m, n, N, I } = plainRows(
    new Rows(executionReport, report, form),
  ) as Wire
  const trade = { tradeId: t, lastQuantity: l, lastPrice: L, isMaker: m }
  return {
    number,
    time: T,
    account,
    symbol: s,
    event: x,
    status: X,
    orderId: i,
    // A cancel has its own client order id.
    clientOrderId: C === '' ? c : C,
    orderListId: g,
    side: S,
    type: o,
    price: p,
    quantity: q,
    filled: z,
    ...trade,
    commission: n,
    commissionAsset: N ?? '',
    executionId: I,
  } as OrderEventRow
}
