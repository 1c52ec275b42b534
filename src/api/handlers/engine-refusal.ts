/** What the engine refused, as the error that clients get (errors.md). */
import { namesOf, RejectReason } from '../../base/codes.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { errorOfAmendReject, errorOfReject, Fault } from '../errors.ts'
import { largestNotionalFilter, smallestNotionalFilter } from './order-filters.ts'

const reasonNames = namesOf(RejectReason)

/** Reasons that are not called as the filter's failure is (filters.md, Failure names). */
const otherNames: Readonly<Record<number, string>> = {
  [RejectReason.MARKET_QUANTITY_TOO_LARGE]: 'MARKET_LOT_SIZE',
  [RejectReason.MAX_NUM_ALGO_ORDERS]: 'MAX_ALGO_ORDERS',
  [RejectReason.EXCHANGE_MAX_NUM_ALGO_ORDERS]: 'EXCHANGE_MAX_ALGO_ORDERS',
}

export function refusalOf(spec: SymbolSpec, reason: number): Fault {
  return refusalAs(errorOfReject(reason), spec, reason)
}

/** Refusals of an amendment, all with -2038. */
export function amendRefusalOf(spec: SymbolSpec, reason: number): Fault {
  return refusalAs(errorOfAmendReject(reason), spec, reason)
}

function refusalAs(id: Fault['id'], spec: SymbolSpec, reason: number): Fault {
  const isFilter =
    id === 'FILTER_FAILURE' || id === 'COUNTING_FILTER_FAILURE' || id === 'AMEND_FILTER_FAILURE'
  return isFilter ? new Fault(id, filterName(spec, reason)) : new Fault(id)
}

function filterName(spec: SymbolSpec, reason: number): string {
  if (reason === RejectReason.NOTIONAL_TOO_LARGE) return largestNotionalFilter(spec)
  if (reason === RejectReason.NOTIONAL_TOO_SMALL) return smallestNotionalFilter(spec)
  return otherNames[reason] ?? reasonNames[reason]!
}
