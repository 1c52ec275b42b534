/**
 * What answers say of an order beyond its terms (supplement 2a.3, conditional fields): members that
 * are absent, not null, where there is nothing to say.
 */

import { OrderPhase } from '../../base/codes.ts'
import type { Ms } from '../../base/units.ts'
import type { OrderRowDetails } from '../../history/account-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { forEachLabel } from '../order-labels.ts'
import { priceText, quantityText, timeOf, ZERO } from './decimals.ts'

/** Members of placements, cancels and amendments, each after a comma. */
export function detailMembers(
  spec: SymbolSpec,
  details: OrderRowDetails,
  microseconds: boolean,
): string {
  // A trailing order may go without one.
  const stop = details.stopTicks > 0 ? `,"stopPrice":"${priceText(spec, details.stopTicks)}"` : ''
  const iceberg =
    details.icebergLots > 0 ? `,"icebergQty":"${quantityText(spec, details.icebergLots)}"` : ''
  return `${stop}${iceberg}${labelMembers(details, microseconds)}`
}

/** Members of order records, where stop price and iceberg quantity always stand. */
export function queriedDetailMembers(
  spec: SymbolSpec,
  details: OrderRowDetails | undefined,
  microseconds: boolean,
): string {
  if (details === undefined) return `,"stopPrice":"${ZERO}","icebergQty":"${ZERO}"`
  const stop = priceText(spec, details.stopTicks)
  const iceberg = quantityText(spec, details.icebergLots)
  return `,"stopPrice":"${stop}","icebergQty":"${iceberg}"${labelMembers(details, microseconds)}`
}

function labelMembers(details: OrderRowDetails, microseconds: boolean): string {
  const { trailingDelta, trailingMs } = details
  let text =
    trailingDelta > 0
      ? `,"trailingDelta":${trailingDelta},"trailingTime":${momentOf(trailingMs, microseconds)}`
      : ''
  forEachLabel(details, (name, value) => {
    text += `,"${name}":${value}`
  })
  return text
}

/** A time that may not have come yet: then -1 in every unit. */
export const momentOf = (timeMs: Ms, microseconds: boolean): number =>
  timeMs < 0 ? -1 : timeOf(timeMs, microseconds)

/** Whether the order works: it waits neither for its price nor for its list's working order. */
export const isWorking = (details: OrderRowDetails | undefined): boolean =>
  details === undefined || details.phase === OrderPhase.WORKING

export const listIdOf = (details: OrderRowDetails | undefined): number =>
  details === undefined ? -1 : details.orderListId
