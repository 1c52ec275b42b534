/** What a snapshot covers: how far into each journal it reaches, and what was counted on the way. */
import { Ms, OrderListId } from '../base/units.ts'
import type { JournalPoint } from '../journal/chain.ts'
import type { ImageReader, ImageWriter } from '../layout/image.ts'
import { CoveredImage, PlaceImage } from '../layout/images.gen.ts'
import type { Replayed } from './replay.ts'

export interface Covered {
  /** By matcher: the last block of its journal that is in it. */
  readonly points: ReadonlyMap<number, JournalPoint>
  readonly events: number
  /** Time of the last block. */
  readonly journaledMs: Ms
  /** Last id given to an order list. */
  readonly orderListId: OrderListId
}

export const NOTHING_COVERED: Covered = {
  points: new Map(),
  events: 0,
  journaledMs: Ms(0),
  orderListId: OrderListId(0),
}

/** What is covered after a replay. A journal that has not grown is covered as far as before. */
export function advanced(covered: Covered, replayed: Replayed, orderListId: OrderListId): Covered {
  return {
    points: new Map([...covered.points, ...replayed.points]),
    events: covered.events + replayed.events,
    journaledMs: Ms(Math.max(covered.journaledMs, replayed.journaledMs)),
    orderListId,
  }
}

export function readCovered(image: ImageReader): Covered {
  const { placeCount, ...covered } = CoveredImage.read(image)
  const points = new Map<number, JournalPoint>()
  for (let left = placeCount; left > 0; left--) {
    const { matcher, ...point } = PlaceImage.read(image)
    points.set(matcher, point)
  }
  return { ...covered, points }
}

export function writeCovered(covered: Covered, image: ImageWriter): void {
  CoveredImage.write(image, { ...covered, placeCount: covered.points.size })
  for (const [matcher, point] of covered.points) PlaceImage.write(image, { ...point, matcher })
}
