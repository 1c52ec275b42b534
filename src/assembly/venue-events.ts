/** Events of an embedded exchange: pages of an operators' action, which waits at the exchange for the next one. */
import { Turns } from '../base/turns.ts'
import type { Operate, Operated } from './operate.ts'
import type { VenueEvent, VenueEvents, VenueEventsOf } from './options.ts'

/** How long one request waits. An event that comes meanwhile answers it at once. */
const WAIT_MS = 1_000

export class OperatedEvents implements VenueEvents {
  readonly ready: Promise<void>
  private readonly operate: Operate
  private readonly of: VenueEventsOf
  private readonly isClosed: () => boolean
  private events: VenueEvent[] = []
  private after: string | undefined = undefined
  private isDone = false
  /** One request at a time. */
  private readonly turns = new Turns()

  constructor(operate: Operate, of: VenueEventsOf, isClosed: () => boolean) {
    this.operate = operate
    this.of = of
    this.isClosed = isClosed
    this.ready = this.ask({}).then(({ more }) => {
      this.after = more
    })
    // A reader gets the error.
    this.turns.run(() => this.ready).catch(() => {})
  }

  next(): Promise<IteratorResult<VenueEvent>> {
    return this.turns.run(async () => {
      while (this.events.length === 0 && !this.isDone) await this.fetch(WAIT_MS)
      const value = this.events.shift()
      return value === undefined ? { done: true, value: undefined } : { done: false, value }
    })
  }

  read(): Promise<readonly VenueEvent[]> {
    return this.turns.run(async () => {
      for (let count = -1; count !== this.events.length && !this.isDone; ) {
        count = this.events.length
        await this.fetch(0)
      }
      return this.events.splice(0)
    })
  }

  async return(): Promise<IteratorResult<VenueEvent>> {
    this.isDone = true
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Takes in what came since; after a close there is no more. */
  private async fetch(waitMs: number): Promise<void> {
    try {
      const { rows, more } = await this.ask({ after: this.after, wait: waitMs })
      this.after = more
      this.events.push(...(rows as unknown as VenueEvent[]))
    } catch (error) {
      this.isDone = true
      if (!this.isClosed()) throw error
    }
  }

  private ask(given: Readonly<Record<string, unknown>>): Promise<Operated> {
    return this.operate('events', { ...this.of, ...given })
  }
}
