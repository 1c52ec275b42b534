/**
 * Codes of what answers name by words, in schema 3:5 (sbe/schemas/spot_3_5.xml of Binance's documents).
 */
import { type Codes, code, usually } from './fields.ts'

/** Codes of symbolStatus that the schema's version lacks. */
export const codesSince: Readonly<Record<number, readonly string[]>> = { 5: ['CANCEL_ONLY'] }

export const symbolStatus: Codes = { TRADING: 0, END_OF_DAY: 1, HALT: 2, BREAK: 3, CANCEL_ONLY: 4 }
export const orderTypes: Codes = {
  MARKET: 0,
  LIMIT: 1,
  STOP_LOSS: 2,
  STOP_LOSS_LIMIT: 3,
  TAKE_PROFIT: 4,
  TAKE_PROFIT_LIMIT: 5,
  LIMIT_MAKER: 6,
}
export const orderStatus: Codes = {
  NEW: 0,
  PARTIALLY_FILLED: 1,
  FILLED: 2,
  CANCELED: 3,
  PENDING_CANCEL: 4,
  REJECTED: 5,
  EXPIRED: 6,
  EXPIRED_IN_MATCH: 9,
  PENDING_NEW: 11,
  UNKNOWN: 253,
}
const preventionModes: Codes = {
  NONE: 1,
  EXPIRE_TAKER: 2,
  EXPIRE_MAKER: 3,
  EXPIRE_BOTH: 4,
  DECREMENT: 5,
  TRANSFER: 6,
}
/** Bits, where a symbol allows several. */
export const preventionBits: Codes = {
  NONE: 0,
  EXPIRE_TAKER: 1,
  EXPIRE_MAKER: 2,
  EXPIRE_BOTH: 3,
  DECREMENT: 4,
  TRANSFER: 5,
}
export const expiryReasons: Codes = {
  REJECTED: 1,
  EXCHANGE_CANCELED: 2,
  OCO_TRIGGER: 3,
  OTO_PHASE_ONE_EXPIRED: 4,
  UNFILLED_IOC_QUANTITY_EXPIRED: 5,
  UNFILLED_FOK_ORDER_EXPIRED: 6,
  INSUFFICIENT_LIQUIDITY: 7,
  EXECUTION_RULE_PRICE_RANGE_EXCEEDED: 8,
}
export const executionTypes: Codes = {
  NEW: 0,
  CANCELED: 1,
  REPLACED: 2,
  REJECTED: 3,
  TRADE: 4,
  EXPIRED: 5,
  TRADE_PREVENTION: 8,
  UNKNOWN: 253,
}
export const rateLimitTypes: Codes = {
  RAW_REQUESTS: 0,
  CONNECTIONS: 1,
  REQUEST_WEIGHT: 2,
  ORDERS: 3,
}
export const replaceStatus: Codes = { SUCCESS: 0, FAILURE: 1, NOT_ATTEMPTED: 2 }
export const side = code({ BUY: 0, SELL: 1 })
export const timeInForce = code({ GTC: 0, IOC: 1, FOK: 2 })
export const selfTradePreventionMode = code(preventionModes)
export const contingencyType = code({ OCO: 1, OTO: 2 })
export const listOrderStatus = code({ CANCELING: 0, EXECUTING: 1, ALL_DONE: 2, REJECT: 3 })
export const listStatusType = code({ RESPONSE: 0, EXEC_STARTED: 1, ALL_DONE: 2, UPDATED: 3 })

const [PRINCIPAL, EXCHANGE, AUTO_MATCH] = [1, 1, 1]
export const orderCapacity = usually(PRINCIPAL, code({ PRINCIPAL, AGENCY: 2 }))
export const workingFloor = usually(EXCHANGE, code({ EXCHANGE, BROKER: 2, SOR: 3 }))
export const matchType = usually(AUTO_MATCH, code({ AUTO_MATCH, ONE_PARTY_TRADE_REPORT: 2 }))
