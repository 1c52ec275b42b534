/** What a snapshot covers: how far into each journal it reaches, and what was counted on the way. */
import { Ms, OrderListId } from '../base/units.ts'
import type { JournalPlace } from '../journal/chain.ts'
import type { ImageReader, ImageWriter } from '../layout/image.ts'
import { CoveredImage, PlaceImage } from '../layout/images.gen.ts'
import type { Replayed } from './replay.ts'

export interface Covered {
  /** By matcher: the last block of its journal that is in it. */
  readonly places: ReadonlyMap<number, JournalPlace>
  readonly events: number
  /** Time of the last block. */
  readonly journaledMs: Ms
  /** Last id given to an order list. */
  readonly orderListId: OrderListId
}

export const NOTHING_COVERED: Covered = {
  places: new Map(),
  events: 0,
  journaledMs: Ms(0),
  orderListId: OrderListId(0),
}

/** What is covered after a replay. A journal that has not grown is covered as far as before. */
export function advanced(covered: Covered, replayed: Replayed, orderListId: OrderListId): Covered {
  return {
    places: new Map([...covered.places, ...replayed.places]),
    events: covered.events + replayed.events,
    journaledMs: Ms(Math.max(covered.journaledMs, replayed.journaledMs)),
    orderListId,
  }
}

export function readCovered(image: ImageReader): Covered {
  const { placeCount, ...covered } = CoveredImage.read(image)
  const places = new Map<number, JournalPlace>()
  for (let left = placeCount; left > 0; left--) {
    const { matcher, ...place } = PlaceImage.read(image)
    places.set(matcher, place)
  }
  return { ...covered, places }
}

export function writeCovered(covered: Covered, image: ImageWriter): void {
  CoveredImage.write(image, { ...covered, placeCount: covered.places.size })
  for (const [matcher, place] of covered.places) PlaceImage.write(image, { ...place, matcher })
}
