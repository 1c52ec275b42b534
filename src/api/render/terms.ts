/** Names of an order's terms, by number: the enumerations of base/codes.ts as the wire spells them. */
import {
  ExpiryReason,
  namesOf,
  OrderStatus,
  type OrderTerms,
  OrderType,
  preventionOf,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  sideOf,
  TimeInForce,
  timeInForceOf,
  typeOf,
} from '../../base/codes.ts'

export const sideNames = namesOf(Side)
export const typeNames = namesOf(OrderType)
export const timeInForceNames = namesOf(TimeInForce)
export const preventionNames = namesOf(SelfTradePrevention)
export const statusNames = namesOf(OrderStatus)
export const expiryReasonNames = namesOf(ExpiryReason)
export const symbolStatusNames = namesOf(SymbolStatus)

/** Side, type and time in force take the low six bits of the terms. */
const COMBINATIONS = 64

const membersByTerms = Array.from(
  { length: COMBINATIONS },
  (_, terms) =>
    `"timeInForce":"${timeInForceNames[timeInForceOf(terms)]}",` +
    `"type":"${typeNames[typeOf(terms)]}","side":"${sideNames[sideOf(terms)]}"`,
)

/** `"timeInForce":"GTC","type":"LIMIT","side":"BUY"` */
export const termsMembers = (terms: OrderTerms): string =>
  membersByTerms[terms & (COMBINATIONS - 1)] as string

export const preventionName = (terms: OrderTerms): string =>
  preventionNames[preventionOf(terms)] as string
