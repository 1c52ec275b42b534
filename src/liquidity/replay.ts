/** Plays a recording into the book, at its own pace or a multiple of it. */

import { open } from 'node:fs/promises'
import { fileFault } from '../base/file-fault.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import type { ReplayPlan } from './plan.ts'
import type { QuoteWorker } from './quote-worker.ts'
import { type LevelAction, RecordedBook } from './recorded-book.ts'
import { type RecordedEvent, readRecorded } from './recording.ts'
import type { Stop } from './stop.ts'

const AT_ONCE = 8

export interface ReplayCounts {
  readonly events: number
  /** Levels that the symbol's filters do not take. */
  readonly unfit: number
  /** How far behind the recording it was at most, ms. */
  readonly behindMs: number
}

interface Parts {
  readonly plan: ReplayPlan
  readonly worker: QuoteWorker
  readonly stop: Stop
  readonly time: Time
  readonly warn: (sentence: string) => void
  /** Called each time that the recording was played to its end. */
  readonly ended: (counts: ReplayCounts) => void
}

/**
 * Resolves when it has stopped and canceled its orders. The end of a recording leaves them until then; a
 * recording that cannot be read is logged.
 */
export async function replay(parts: Parts): Promise<void> {
  const { plan, worker, stop, warn, ended } = parts
  const market = await worker.market()
  if (market === undefined) return
  do {
    await worker.cancelAll()
    try {
      const counts = await playOnce(parts, new RecordedBook(market))
      if (!stop.isWanted) ended(counts)
      if (counts.events === 0) break
    } catch (error) {
      warn(`the recording ${plan.file} cannot be played: ${fileFault(error)}`)
      break
    }
  } while (plan.repeat && !stop.isWanted)
  await stop.wanted()
  await worker.cancelAll()
}

async function playOnce(
  { plan, worker, stop, time }: Parts,
  book: RecordedBook,
): Promise<ReplayCounts> {
  const file = await open(plan.file)
  let firstMs = 0
  let beganMs = 0
  let behindMs = 0
  let events = 0
  let at = 0
  try {
    for await (const line of file.readLines({ autoClose: false })) {
      at++
      if (stop.isWanted) break
      if (line.trim() === '') continue
      const event = eventOf(line, at, plan.recordedSymbol)
      if (event === undefined) continue
      if (event.timeMs > 0) {
        if (firstMs === 0) [firstMs, beganMs] = [event.timeMs, elapsedMs(time)]
        const waitMs = beganMs + (event.timeMs - firstMs) / plan.speed - elapsedMs(time)
        behindMs = Math.max(behindMs, -waitMs)
        await stop.wait(waitMs)
      }
      if (!stop.isWanted) await play(event, book, worker)
      events++
    }
  } finally {
    await file.close()
  }
  return { events, unfit: book.unfit, behindMs: Math.round(behindMs) }
}

function eventOf(line: string, at: number, symbol: string): RecordedEvent | undefined {
  try {
    return readRecorded(line, symbol)
  } catch (error) {
    throw new RangeError(`line ${at}: ${(error as Error).message}`)
  }
}

async function play(event: RecordedEvent, book: RecordedBook, worker: QuoteWorker): Promise<void> {
  if (event.event === 'trade') {
    const { side, price, quantity } = event
    book.touch(price)
    await worker.take({ side, price, quantity })
    return
  }
  const { cancels, places } = book.actions(event)
  await together(cancels, ({ action }) => worker.record(action))
  await together(places, async ({ key, action }) => book.placed(key, await worker.record(action)))
}

/** A few at a time. */
async function together(
  actions: readonly LevelAction[],
  carryOut: (action: LevelAction) => Promise<unknown>,
): Promise<void> {
  const left = [...actions]
  const next = async (): Promise<void> => {
    for (let action = left.shift(); action !== undefined; action = left.shift())
      await carryOut(action)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}
