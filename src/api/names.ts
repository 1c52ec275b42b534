/** The enumerations of base/codes.ts as the wire spells them, by number. */
import {
  ExpiryReason,
  namesOf,
  OrderStatus,
  OrderType,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '../base/codes.ts'

export const sideNames = namesOf(Side)
export const typeNames = namesOf(OrderType)
export const timeInForceNames = namesOf(TimeInForce)
export const preventionNames = namesOf(SelfTradePrevention)
export const statusNames = namesOf(OrderStatus)
export const expiryReasonNames = namesOf(ExpiryReason)
export const symbolStatusNames = namesOf(SymbolStatus)
