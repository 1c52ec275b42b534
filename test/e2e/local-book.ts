/**
 * A book kept by the streams' documentation: buffer diffs, take a snapshot,
 * drop what the snapshot has, and apply the rest without a gap. It knows nothing of the exchange
 * but its addresses, and throws where the documented way would not work.
 */
import { eventually } from '../fixtures/eventually.ts'
import { FrameLog } from './frame-log.ts'

export type Level = readonly [price: string, quantity: string]

export interface DepthSnapshot {
  readonly lastUpdateId: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

interface DepthUpdate {
  /** First and last update id of the event. */
  readonly U: number
  readonly u: number
  readonly b: readonly Level[]
  readonly a: readonly Level[]
}

export class LocalBook {
  private readonly log: FrameLog
  private readonly bids = new Map<string, string>()
  private readonly asks = new Map<string, string>()
  private lastUpdateId = 0
  private lastEvent: DepthUpdate | undefined = undefined
  private applied = 0

  private constructor(log: FrameLog) {
    this.log = log
  }

  /** `stream` is the address of one diff stream; `snapshot` requests the book. */
  static async open(stream: string, snapshot: () => Promise<DepthSnapshot>): Promise<LocalBook> {
    const log = await FrameLog.open(stream)
    const book = new LocalBook(log)
    const first = await eventually('a first diff', () => book.event(0))
    const start = await eventually('a snapshot that the diffs reach back to', async () => {
      const taken = await snapshot()
      return taken.lastUpdateId >= first.U ? taken : undefined
    })
    book.lastUpdateId = start.lastUpdateId
    apply(book.bids, start.bids)
    apply(book.asks, start.asks)
    return book
  }

  get diffs(): number {
    return this.log.frames.length
  }

  /** Applies all that has arrived; answers the update id that the book stands at. */
  advance(): number {
    while (this.applied < this.log.frames.length) {
      this.receive(this.event(this.applied) as DepthUpdate)
      this.applied++
    }
    return this.lastUpdateId
  }

  /** The book in the shape of a snapshot, best prices first. */
  contents(): DepthSnapshot {
    const ascending = ([a]: Level, [b]: Level) => Number(a) - Number(b)
    return {
      lastUpdateId: this.lastUpdateId,
      bids: [...this.bids].sort(ascending).reverse(),
      asks: [...this.asks].sort(ascending),
    }
  }

  close(): Promise<void> {
    return this.log.close()
  }

  private event(index: number): DepthUpdate | undefined {
    return this.log.frames[index] as unknown as DepthUpdate | undefined
  }

  private receive(event: DepthUpdate): void {
    const previous = this.lastEvent
    this.lastEvent = event
    if (event.U > event.u) throw new Error(`an event from ${event.U} to ${event.u}`)
    if (previous !== undefined && event.U !== previous.u + 1)
      throw new Error(`an event that starts at ${event.U} follows one that ends at ${previous.u}`)
    if (event.u <= this.lastUpdateId) return
    if (event.U > this.lastUpdateId + 1)
      throw new Error(`a gap between ${this.lastUpdateId} and ${event.U}`)
    apply(this.bids, event.b)
    apply(this.asks, event.a)
    this.lastUpdateId = event.u
  }
}

/** Quantities are absolute; zero removes the level. */
function apply(side: Map<string, string>, levels: readonly Level[]): void {
  for (const [price, quantity] of levels) {
    if (Number(quantity) === 0) side.delete(price)
    else side.set(price, quantity)
  }
}
