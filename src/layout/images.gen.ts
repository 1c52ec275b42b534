// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { CLIENT_ORDER_ID_WORDS } from '../base/client-order-id.ts'
import type { AccountId, Ms, OrderListId } from '../base/units.ts'
import type { ImageReader, ImageWriter } from './image.ts'

function readId(image: ImageReader): Int32Array {
  const words = new Int32Array(CLIENT_ORDER_ID_WORDS)
  image.words(words, 0, CLIENT_ORDER_ID_WORDS)
  return words
}

/** How far a snapshot reaches; its places follow (agents/covered.ts). */
export interface CoveredImageFields {
  /** events before it */
  readonly events: number
  /** time of the last block */
  readonly journaledMs: Ms
  /** the last that was given */
  readonly orderListId: OrderListId
  /** how many places follow */
  readonly placeCount: number
}
export const CoveredImage = {
  write: (image: ImageWriter, part: CoveredImageFields): void => {
    image.double(part.events)
    image.double(part.journaledMs)
    image.double(part.orderListId)
    image.word(part.placeCount)
  },
  read: (image: ImageReader): CoveredImageFields => ({
    events: image.double(),
    journaledMs: image.double() as Ms,
    orderListId: image.double() as OrderListId,
    placeCount: image.word(),
  }),
} as const

/** The last block of one journal that a snapshot covers. */
export interface PlaceImageFields {
  readonly matcher: number
  readonly checksum: number
  readonly position: number
}
export const PlaceImage = {
  write: (image: ImageWriter, part: PlaceImageFields): void => {
    image.word(part.matcher)
    image.word(part.checksum)
    image.double(part.position)
  },
  read: (image: ImageReader): PlaceImageFields => ({
    matcher: image.word(),
    checksum: image.word(),
    position: image.double(),
  }),
} as const

/** An open order list; ids of its legs follow (core/matching/symbol-image.ts). */
export interface ListImageFields {
  readonly orderListId: OrderListId
  /** owner */
  readonly account: AccountId
  /** OrderListKind */
  readonly kind: number
  /** how many, open or not */
  readonly legs: number
  /** a bit for each leg */
  readonly openLegs: number
  readonly listClientOrderId: Int32Array
}
export const ListImage = {
  write: (image: ImageWriter, part: ListImageFields): void => {
    image.double(part.orderListId)
    image.word(part.account)
    image.word(part.kind)
    image.word(part.legs)
    image.word(part.openLegs)
    image.words(part.listClientOrderId, 0, CLIENT_ORDER_ID_WORDS)
  },
  read: (image: ImageReader): ListImageFields => ({
    orderListId: image.double() as OrderListId,
    account: image.word() as AccountId,
    kind: image.word(),
    legs: image.word(),
    openLegs: image.word(),
    listClientOrderId: readId(image),
  }),
} as const
