/**
 * Every parameter that any operation takes: its slot, its kind, what it means. A kind says which
 * texts are legal, which number a text stands for, and which error refuses it. Read by params.ts,
 * check.ts and the generated documents. Spec, Endpoints; supplement 2a.2 and 2a.7.
 */
import {
  CancelRestrictions,
  namesOf,
  OrderType,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '#base/codes.ts'
import { DecimalFault, parseDecimal } from '#base/fixed.ts'
import { CLIENT_ORDER_ID_CHARS_MAX, WIRE_DECIMALS } from '#base/limits.ts'
import type { ErrorId } from './errors.ts'

/** Place of each parameter's value in `Params`. Names are case-sensitive. */
export const Param = {
  symbol: 0,
  side: 1,
  type: 2,
  timeInForce: 3,
  quantity: 4,
  price: 5,
  quoteOrderQty: 6,
  newClientOrderId: 7,
  newOrderRespType: 8,
  selfTradePreventionMode: 9,
  timestamp: 10,
  recvWindow: 11,
  signature: 12,
  apiKey: 13,
  orderId: 14,
  origClientOrderId: 15,
  clOrdId: 16,
  origClOrdId: 17,
  cancelRestrictions: 18,
  icebergQty: 19,
  stopPrice: 20,
  trailingDelta: 21,
  computeCommissionRates: 22,
  limit: 23,
  symbols: 24,
  symbolStatus: 25,
  permissions: 26,
  showPermissionSets: 27,
  omitZeroBalances: 28,
  startTime: 29,
  endTime: 30,
  fromId: 31,
  listenKey: 32,
  returnRateLimits: 33,
  subscriptionId: 34,
} as const
export type Param = (typeof Param)[keyof typeof Param]
export type ParamName = keyof typeof Param

export const paramNames: readonly ParamName[] = namesOf(Param)
export const PARAM_COUNT = paramNames.length

/** What `ParamKind.read` answers, below zero, for a text it refuses. */
export const Refusal = {
  /** Outside the kind's legal range: -1100. */
  ILLEGAL: DecimalFault.SYNTAX,
  /** More decimals than the wire has: -1111. */
  PRECISION: DecimalFault.PRECISION,
  /** Larger than the fixed-point range: -1108. */
  OVERFLOW: DecimalFault.OVERFLOW,
  /** Legal characters, but not a value of the kind: the kind's own error. */
  INVALID: -4,
} as const

export interface ParamKind {
  /** For the documents. */
  readonly label: string
  /** The legal range as -1100 shows it; '' when no text is illegal. */
  readonly range: string
  /** The error of `Refusal.INVALID`. */
  readonly invalid: ErrorId
  /** The number that the text stands for (0 where only the text matters), or a `Refusal`. */
  readonly read: (text: string) => number
}

const LONG_RANGE = '^[0-9]{1,20}$'
const DECIMAL_RANGE = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const SYMBOL_RANGE = '^[A-Z0-9-_.]{1,20}$'
const SYMBOLS_RANGE = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$'
const CLIENT_ORDER_ID_RANGE = `^[a-zA-Z0-9-_.:/]{1,${CLIENT_ORDER_ID_CHARS_MAX}}$`

/** A kind whose text is kept and only its characters are checked. */
function textKind(label: string, range: string, source = range): ParamKind {
  const legal = new RegExp(source)
  return {
    label,
    range,
    invalid: 'INVALID_PARAMETER',
    read: (text) => (legal.test(text) ? 0 : Refusal.ILLEGAL),
  }
}

function enumKind(
  label: string,
  codes: Readonly<Record<string, number>>,
  invalid: ErrorId = 'INVALID_PARAMETER',
): ParamKind {
  const numbers = new Map(Object.entries(codes))
  return { label, range: '', invalid, read: (text) => numbers.get(text) ?? Refusal.INVALID }
}

function decimalKind(label: string, decimals: number): ParamKind {
  return {
    label,
    range: DECIMAL_RANGE,
    invalid: 'INVALID_PARAMETER',
    read: (text) => parseDecimal(text, decimals),
  }
}

const long: ParamKind = {
  label: 'LONG',
  range: LONG_RANGE,
  invalid: 'INVALID_PARAMETER',
  read: (text) => parseDecimal(text, 0),
}

/** `long`, but a decimal point is as illegal as a letter: parseDecimal would pass "1.0". */
function wholeKind(label: string, least: number): ParamKind {
  return {
    ...long,
    label,
    read: (text) => {
      if (text.includes('.')) return Refusal.ILLEGAL
      const value = parseDecimal(text, 0)
      return value >= 0 && value < least ? Refusal.INVALID : value
    },
  }
}

export const NewOrderRespType = { ACK: 0, RESULT: 1, FULL: 2 } as const

const LONG = wholeKind('LONG', 0)
const COUNT = wholeKind('INT', 1)
const DECIMAL = decimalKind('DECIMAL', WIRE_DECIMALS)
const BOOLEAN = enumKind('BOOL', { false: 0, true: 1 })
const SYMBOL = textKind('STRING', SYMBOL_RANGE)
const SYMBOLS = textKind('STRING', SYMBOLS_RANGE)
const CLIENT_ORDER_ID = textKind('STRING', CLIENT_ORDER_ID_RANGE)
const ANY_TEXT = textKind('STRING', '', '')

const { TRADING, HALT, BREAK } = SymbolStatus
const { ONLY_NEW, ONLY_PARTIALLY_FILLED } = CancelRestrictions

interface ParamMeaning {
  readonly kind: ParamKind
  readonly meaning: string
}

const of = (kind: ParamKind, meaning: string): ParamMeaning => ({ kind, meaning })

export const parameters: Readonly<Record<ParamName, ParamMeaning>> = {
  symbol: of(SYMBOL, 'one symbol'),
  side: of(enumKind('ENUM', Side, 'INVALID_SIDE'), 'BUY or SELL'),
  type: of(enumKind('ENUM', OrderType, 'INVALID_ORDER_TYPE'), 'order type'),
  timeInForce: of(enumKind('ENUM', TimeInForce, 'INVALID_TIME_IN_FORCE'), 'GTC, IOC or FOK'),
  quantity: of(DECIMAL, 'of the base asset'),
  price: of(DECIMAL, 'limit price'),
  quoteOrderQty: of(DECIMAL, 'amount of the quote asset that a MARKET order spends or receives'),
  newClientOrderId: of(CLIENT_ORDER_ID, 'unique among open orders; generated when not sent'),
  newOrderRespType: of(enumKind('ENUM', NewOrderRespType), 'ACK, RESULT or FULL'),
  selfTradePreventionMode: of(enumKind('ENUM', SelfTradePrevention), "the symbol's modes"),
  timestamp: of(LONG, 'ms or µs since the Unix epoch, by the number of digits'),
  recvWindow: of(decimalKind('DECIMAL', 3), 'ms, at most 60000, three decimals'),
  signature: of(ANY_TEXT, 'over all the others'),
  apiKey: of(ANY_TEXT, 'WebSocket API only'),
  orderId: of(LONG, ''),
  origClientOrderId: of(CLIENT_ORDER_ID, ''),
  clOrdId: of(CLIENT_ORDER_ID, 'another spelling of newClientOrderId'),
  origClOrdId: of(CLIENT_ORDER_ID, 'another spelling of origClientOrderId'),
  cancelRestrictions: of(
    enumKind('ENUM', { ONLY_NEW, ONLY_PARTIALLY_FILLED }, 'INVALID_CANCEL_RESTRICTIONS'),
    'ONLY_NEW or ONLY_PARTIALLY_FILLED',
  ),
  icebergQty: of(DECIMAL, ''),
  stopPrice: of(DECIMAL, ''),
  trailingDelta: of(LONG, ''),
  computeCommissionRates: of(BOOLEAN, 'default false'),
  limit: of(COUNT, 'most rows wanted'),
  symbols: of(SYMBOLS, 'JSON array of symbols'),
  symbolStatus: of(
    enumKind('ENUM', { TRADING, HALT, BREAK }, 'INVALID_SYMBOL_STATUS'),
    'TRADING, HALT or BREAK',
  ),
  permissions: of(
    textKind('STRING', '^[A-Z0-9_]{1,30}$', '^(?:[A-Z0-9_]{1,30}|\\[(?:"[A-Z0-9_]{1,30}",?)*\\])$'),
    'one permission, or a JSON array of them',
  ),
  showPermissionSets: of(BOOLEAN, 'default true'),
  omitZeroBalances: of(BOOLEAN, 'default false'),
  startTime: of(LONG, 'ms, inclusive'),
  endTime: of(LONG, 'ms, inclusive'),
  fromId: of(LONG, 'first trade id wanted'),
  listenKey: of(textKind('STRING', '^[a-zA-Z0-9]{1,128}$'), ''),
  returnRateLimits: of(BOOLEAN, 'WebSocket API only'),
  subscriptionId: of(LONG, 'WebSocket API only'),
}

/** Kinds by slot, for loops that must not look a name up. */
export const kindOf: readonly ParamKind[] = paramNames.map((name) => parameters[name].kind)
