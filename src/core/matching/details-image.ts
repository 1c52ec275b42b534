/** The rows of `Details` in a snapshot: every column of each, by order id. */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import type { Details } from './details.ts'

/** All columns but the order id, which names a row, and the client order id, which has eight words. */
const DOUBLES = [
  'lots',
  'stopTicks',
  'icebergLots',
  'hiddenLots',
  'preventedLots',
  'strategyId',
  'trailingMs',
  'extremeTicks',
  'workingMs',
  'orderListId',
  'priceTicks',
  'createdMs',
  'updatedMs',
  'costAtoms',
] as const satisfies readonly (keyof Details)[]
const WORDS = [
  'account',
  'terms',
  'strategyType',
  'trailingDelta',
  'amendments',
  'leg',
  'phase',
] as const satisfies readonly (keyof Details)[]

export function writeDetails(details: Details, image: ImageWriter): void {
  const rows = details.sorted()
  image.word(rows.length)
  for (const row of rows) {
    image.double(details.orderId[row]!)
    for (const column of DOUBLES) image.double(details[column][row]!)
    for (const column of WORDS) image.word(details[column][row]!)
    image.words(details.clientOrderId, row * CLIENT_ORDER_ID_WORDS, CLIENT_ORDER_ID_WORDS)
  }
}

/** Into details that have no rows. */
export function readDetails(details: Details, image: ImageReader): void {
  for (let left = image.word(); left > 0; left--) {
    const row = details.add(image.double())
    for (const column of DOUBLES) details[column][row] = image.double()
    for (const column of WORDS) details[column][row] = image.word()
    image.words(details.clientOrderId, row * CLIENT_ORDER_ID_WORDS, CLIENT_ORDER_ID_WORDS)
  }
}
