/**
 * Every parameter that any operation takes: its slot, its kind, what it means. A kind says which
 * texts are legal, which number a text stands for, and which error refuses it. Read by params.ts,
 * check.ts and the generated documents (rest-api.md).
 */
import {
  CancelReplaceMode,
  CancelRestrictions,
  DepositStatus,
  namesOf,
  OrderType,
  PegOffsetType,
  PegPriceType,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
  WithdrawalStatus,
} from '../base/codes.ts'
import { DecimalFault, parseDecimal, parseInt64 } from '../base/fixed.ts'
import type { Int64 } from '../base/int64.ts'
import {
  CLIENT_ORDER_ID_CHARS_MAX,
  COUNTDOWN_MS_MAX,
  COUNTDOWN_MS_MIN,
  MICROSECONDS_FROM,
  PEG_LEVELS_MAX,
  PROTECTION_FILLS_MAX,
  PROTECTION_WINDOW_MS_MAX,
  WIRE_DECIMALS,
} from '../base/limits.ts'
import { DAY_MS, HOUR_MS, Interval, MINUTE_MS } from '../market/intervals.ts'
import { NAME_CHARS } from '../market/listed-name.ts'
import type { ErrorId } from './errors.ts'
import {
  labelFields,
  labelNames,
  type OrderLabel,
  type PrefixedLabel,
  prefixedLabels,
} from './order-labels.ts'

/** Places of the values that most requests take, in `Params`. Names are case-sensitive. */
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
  strategyId: 22,
  strategyType: 23,
  computeCommissionRates: 24,
  limit: 25,
  symbols: 26,
  symbolStatus: 27,
  permissions: 28,
  showPermissionSets: 29,
  omitZeroBalances: 30,
  startTime: 31,
  endTime: 32,
  fromId: 33,
  listenKey: 34,
  returnRateLimits: 35,
  subscriptionId: 36,
} as const
/** A place of a value. */
export type Param = number

const otherNames = [
  'interval',
  'timeZone',
  'windowSize',
  'pegPriceType',
  'pegOffsetType',
  'pegOffsetValue',
  'orderListId',
  'listClientOrderId',
  'newQty',
  'fromExecutionId',
  'preventedMatchId',
  'fromPreventedMatchId',
  'fromAllocationId',
  'cancelReplaceMode',
  'cancelOrderId',
  'cancelOrigClientOrderId',
  'cancelNewClientOrderId',
  'orderRateLimitExceededMode',
  'limitClientOrderId',
  'limitIcebergQty',
  'stopClientOrderId',
  'stopIcebergQty',
  'stopLimitPrice',
  'stopLimitTimeInForce',
  'workingSide',
  'workingQuantity',
  'pendingSide',
  'pendingQuantity',
  'asset',
  'category',
  'receipt',
  'enabled',
  'heartbeatMs',
  'rule',
  'name',
  'amount',
  'orders',
  'minPrice',
  'maxPrice',
  'clientOrderIdPrefix',
  'quoteId',
  'bids',
  'asks',
  'postOnly',
  'refusal',
  'events',
  'countdownTime',
  'windowMs',
  'maxFills',
  'maxNotional',
  'needBtcValuation',
  'email',
  'fromEmail',
  'toEmail',
  'isFreeze',
  'status',
  'page',
  'size',
  'coin',
  'network',
  'address',
  'addressTag',
  'withdrawOrderId',
  'clientTranId',
  'fromAccountType',
  'toAccountType',
  'requestId',
  'transactionFeeFlag',
  'walletType',
  'txId',
  'idList',
  'includeSource',
  'offset',
] as const

/** The orders of an old OCO, as the names of their parameters begin. */
const oldPrefixes = ['limit', 'stop'] as const
type OldLabelName = PrefixedLabel<(typeof oldPrefixes)[number]>
const oldLabelNames: readonly OldLabelName[] = oldPrefixes.flatMap(prefixedLabels)

/** The orders of a list, as the names of their parameters begin (rest-api.md, order lists). */
const legPrefixes = [
  'above',
  'below',
  'working',
  'pending',
  'pendingAbove',
  'pendingBelow',
] as const
export type LegPrefix = (typeof legPrefixes)[number]

const legFields = [
  'Type',
  'Price',
  'StopPrice',
  'TrailingDelta',
  'IcebergQty',
  'TimeInForce',
  'ClientOrderId',
  'PegPriceType',
  'PegOffsetType',
  'PegOffsetValue',
  ...labelFields,
] as const
type LegField = (typeof legFields)[number]
/** A working order is LIMIT or LIMIT_MAKER and has no trigger. */
type LegName = Exclude<`${LegPrefix}${LegField}`, 'workingStopPrice' | 'workingTrailingDelta'>

const legNames = legPrefixes
  .flatMap((prefix) => legFields.map((field) => `${prefix}${field}` as LegName))
  .filter((name) => !['workingStopPrice', 'workingTrailingDelta'].includes(name))

type RareName = (typeof otherNames)[number] | OldLabelName | LegName
export type ParamName = keyof typeof Param | RareName

const commonNames: readonly ParamName[] = namesOf(Param)
const rareNames: readonly RareName[] = [...otherNames, ...oldLabelNames, ...legNames]
export const paramNames: readonly ParamName[] = [...commonNames, ...rareNames]
/** The places below it are every request's; the others are there where one of them was sent. */
export const COMMON_PARAM_COUNT = commonNames.length
export const PARAM_COUNT = paramNames.length

const slots = new Map<ParamName, Param>(paramNames.map((name, slot) => [name, slot]))
export const slotOf = (name: ParamName): Param => slots.get(name) as Param

/** Places of what only few requests take. */
export const RareParam = Object.fromEntries(
  rareNames.map((name) => [name, slotOf(name)]),
) as Readonly<Record<RareName, Param>>

/** What `ParamKind.read` returns, below zero, for a text it refuses. */
export const Refusal = {
  /** Outside the kind's legal range: -1100. */
  ILLEGAL: DecimalFault.SYNTAX,
  /** More decimals than the wire has: -1111. */
  PRECISION: DecimalFault.PRECISION,
  /** More than 64 bits: -1108. */
  OVERFLOW: DecimalFault.OVERFLOW,
  /** Legal characters, but not a value of the kind: the kind's own error. */
  INVALID: -4,
} as const

export interface ParamKind {
  /** For the documents. */
  readonly label: string
  /** The legal range as -1100 shows it; '' when no text is illegal. */
  readonly range: string
  /** The regular expression of legal texts, with the flag `u`, where it is another than `range`. */
  readonly pattern?: string
  /** All legal texts, where they can be listed. */
  readonly values?: readonly string[]
  readonly invalid: ErrorId
  /** The number that the text stands for (0 where only the text matters), or a `Refusal`. */
  readonly read: (text: string) => number
}

const LONG_RANGE = '^[0-9]{1,20}$'
const DECIMAL_RANGE = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const SYMBOL_RANGE = '^[A-Z0-9-_.]{1,20}$'
const SYMBOLS_RANGE = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$'
const ASSET_RANGE = '^[A-Z0-9]{1,20}$'
/** A range as it is shown, whose names may have capital letters and digits of all scripts. */
const withAllScripts = (range: string) =>
  range.replaceAll('A-Z0-9-_.', `${NAME_CHARS}\\-_.`).replaceAll('A-Z0-9', NAME_CHARS)
const CLIENT_ORDER_ID_RANGE = `^[a-zA-Z0-9-_.:/]{1,${CLIENT_ORDER_ID_CHARS_MAX}}$`

/** A kind whose text is kept and only its characters are checked. */
function textKind(label: string, range: string, source = range): ParamKind {
  const legal = new RegExp(source, 'u')
  return {
    label,
    range,
    pattern: source,
    invalid: 'INVALID_PARAMETER',
    read: (text) => (legal.test(text) ? 0 : Refusal.ILLEGAL),
  }
}

/** A text kind for texts that requests repeat: comparing with the last legal one costs less than matching. */
function repeatedTextKind(label: string, range: string, source: string): ParamKind {
  const kind = textKind(label, range, source)
  let last: string | undefined
  return {
    ...kind,
    read: (text) => {
      if (text === last) return 0
      const number = kind.read(text)
      if (number === 0) last = text
      return number
    },
  }
}

function enumKind(
  label: string,
  codes: Readonly<Record<string, number>>,
  invalid: ErrorId = 'INVALID_PARAMETER',
): ParamKind {
  const values = Object.keys(codes)
  const numbers = Object.values(codes)
  return {
    label,
    range: '',
    values,
    invalid,
    // Comparing a few texts is faster than hashing one.
    read: (text) => {
      for (let i = 0; i < values.length; i++) if (values[i] === text) return numbers[i]!
      return Refusal.INVALID
    },
  }
}

/** Values above 2^53 - 1 are read as this; `Params.long` and `Params.units` have all of their digits. */
export const WIDE = Number.MAX_SAFE_INTEGER
const narrowed = (value: Int64): number => (typeof value === 'number' ? value : WIDE)

/** Integers of 10^-decimals up to 2^63 - 1. */
function decimalKind(label: string, decimals: number): ParamKind {
  return {
    label,
    range: DECIMAL_RANGE,
    invalid: 'INVALID_PARAMETER',
    read: (text) => narrowed(parseInt64(text, decimals)),
  }
}

const long: ParamKind = {
  label: 'LONG',
  range: LONG_RANGE,
  invalid: 'INVALID_PARAMETER',
  read: (text) => parseDecimal(text, 0),
}

/**
 * `long`, but a decimal point is as illegal as a letter: parseDecimal would pass "1.0". Below `least`
 * it is `invalid`, above `most` it overflows.
 */
function wholeKind(
  label: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
  invalid: ErrorId = 'INVALID_PARAMETER',
): ParamKind {
  return {
    ...long,
    label,
    invalid,
    read: (text) => {
      if (text.includes('.')) return Refusal.ILLEGAL
      const value = parseDecimal(text, 0)
      if (value >= 0 && value < least) return Refusal.INVALID
      return value > most ? Refusal.OVERFLOW : value
    },
  }
}

/** A whole number of `kind` that is 0 or at least `least`. */
const zeroOr = (least: number, kind: ParamKind): ParamKind => ({
  ...kind,
  read: (text) => {
    const value = kind.read(text)
    return value > 0 && value < least ? Refusal.INVALID : value
  },
})

/** `kind` up to 2^63 - 1. No id and no time of the exchange comes near WIDE, so it finds what the number would. */
const longKind = (kind: ParamKind): ParamKind => ({
  ...kind,
  read: (text) => {
    const value = kind.read(text)
    return value === Refusal.OVERFLOW ? narrowed(parseInt64(text, 0)) : value
  },
})

export const NewOrderRespType = { ACK: 0, RESULT: 1, FULL: 2 } as const
/** What a mass quote does with a level that is refused. */
export const QuoteRefusal = { LEVEL: 0, WHOLE: 1 } as const
/** What cancelReplace does when the order count is used up (rest-api.md, cancelReplace). */
export const RateLimitExceededMode = { DO_NOTHING: 0, CANCEL_ONLY: 1 } as const

/** Smaller ones are reserved (rest-api.md, -1134). */
const STRATEGY_TYPE_MIN = 1_000_000
const INT_MAX = 2 ** 31 - 1

const LONG = longKind(wholeKind('LONG', 0))
/**
 * A bound in ms or µs, in ms. Rows have times of whole ms, so `round` loses none of them: up for the
 * first ms wanted, down for the last.
 */
const timeKind = (round: (ms: number) => number): ParamKind => ({
  ...LONG,
  read: (text) => {
    const time = LONG.read(text)
    return time >= MICROSECONDS_FROM ? round(time / 1000) : time
  },
})
const COUNT = longKind(wholeKind('INT', 1))
/** Also of amounts that move; where an amount of the sandbox may be left out it is any text. */
export const DECIMAL = decimalKind('DECIMAL', WIRE_DECIMALS)
const BOOLEAN = enumKind('BOOL', { false: 0, true: 1 })
const SYMBOL = repeatedTextKind('STRING', SYMBOL_RANGE, withAllScripts(SYMBOL_RANGE))
const ASSET = textKind('STRING', ASSET_RANGE, withAllScripts(ASSET_RANGE))
const SYMBOLS = textKind('STRING', SYMBOLS_RANGE, withAllScripts(SYMBOLS_RANGE))
const CLIENT_ORDER_ID = textKind('STRING', CLIENT_ORDER_ID_RANGE)
const EMAIL = textKind('STRING', '^[a-zA-Z0-9@._%+-]{1,128}$')
const ADDRESS = textKind('STRING', '^[!-~]{1,128}$')
const ADDRESS_TAG = textKind('STRING', '^[!-~]{1,64}$')
const REQUEST_ID = ADDRESS_TAG
/** Accounts have no other wallet. */
const SPOT_WALLET = enumKind('ENUM', { SPOT: 0 })
const codesOf = (codes: Readonly<Record<string, number>>): ParamKind =>
  enumKind('ENUM', Object.fromEntries(Object.values(codes).map((code) => [code, code])))
export const DEPOSIT_STATUS = codesOf(DepositStatus)
export const WITHDRAWAL_STATUS = codesOf(WithdrawalStatus)
const LISTED_IDS_MAX = 45
const ID_LIST = textKind('STRING', `^[0-9]{1,15}(,[0-9]{1,15}){0,${LISTED_IDS_MAX - 1}}$`)
const ANY_TEXT: ParamKind = { ...textKind('STRING', ''), read: () => 0 }
/** Lists that handlers read: orders of a batch, levels of a quote. */
export const ORDERS: ParamKind = { ...ANY_TEXT, label: 'JSON' }
const LEVELS = ORDERS
const SIDE = enumKind('ENUM', Side, 'INVALID_SIDE')
const ORDER_TYPE = enumKind('ENUM', OrderType, 'INVALID_ORDER_TYPE')
const { LIMIT, LIMIT_MAKER } = OrderType
const WORKING_TYPE = enumKind('ENUM', { LIMIT, LIMIT_MAKER }, 'INVALID_ORDER_TYPE')
const TIME_IN_FORCE = enumKind('ENUM', TimeInForce, 'INVALID_TIME_IN_FORCE')
/** A client that only answers pings sends every 20 seconds. */
const HEARTBEAT_MS_MIN = 1_000
const HEARTBEAT_MS_MAX = 60_000
const HEARTBEAT_MS = wholeKind('INT', HEARTBEAT_MS_MIN, HEARTBEAT_MS_MAX)
const COUNTDOWN_MS = zeroOr(COUNTDOWN_MS_MIN, wholeKind('LONG', 0, COUNTDOWN_MS_MAX))
const ACKNOWLEDGED_EVENTS = wholeKind('INT', 1, INT_MAX)
const STRATEGY_TYPE = wholeKind('INT', STRATEGY_TYPE_MIN, INT_MAX, 'BAD_STRATEGY_TYPE')

const PEG_PRICE_TYPE = enumKind('ENUM', PegPriceType, 'INVALID_PEG_PRICE_TYPE')
const PEG_OFFSET_TYPE = enumKind('ENUM', PegOffsetType, 'INVALID_PEG_OFFSET_TYPE')
const PEG_LEVELS = wholeKind('INT', 1, PEG_LEVELS_MAX)

/** Minutes ahead of UTC, counted from the westernmost zone, so that no value is below zero. */
export const TIME_ZONE_FIRST_MINUTES = -12 * 60
const TIME_ZONE_LAST_MINUTES = 14 * 60

/** A plus sign that was not percent-encoded arrives as a space. */
const TIME_ZONE_TEXT = /^([+ -]?)(\d{1,2})(?::(\d{2}))?$/

const TIME_ZONE: ParamKind = {
  label: 'STRING',
  range: '',
  invalid: 'INVALID_PARAMETER',
  read: (text) => {
    const match = TIME_ZONE_TEXT.exec(text)
    if (match === null) return Refusal.INVALID
    const [, sign, hours, minutes = '0'] = match
    if (Number(minutes) > 59) return Refusal.INVALID
    const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    const isKnown = ahead >= TIME_ZONE_FIRST_MINUTES && ahead <= TIME_ZONE_LAST_MINUTES
    return isKnown ? ahead - TIME_ZONE_FIRST_MINUTES : Refusal.INVALID
  },
}

/** Units cannot be combined. */
const WINDOW_UNITS: Readonly<Record<string, readonly [unitMs: number, countMax: number]>> = {
  m: [MINUTE_MS, 59],
  h: [HOUR_MS, 23],
  d: [DAY_MS, 7],
}

/** In ms. */
const WINDOW_SIZE: ParamKind = {
  label: 'ENUM',
  range: '',
  invalid: 'INVALID_PARAMETER',
  read: (text) => {
    const match = /^([1-9]\d?)([mhd])$/.exec(text)
    if (match === null) return Refusal.INVALID
    const [unitMs, countMax] = WINDOW_UNITS[match[2]!]!
    const count = Number(match[1])
    return count <= countMax ? count * unitMs : Refusal.INVALID
  },
}

/** What a ticker answers; its parameter is named as an order's type is. */
export const TickerType = { FULL: 0, MINI: 1 } as const
export const TICKER_TYPE = enumKind('ENUM', TickerType, 'INVALID_TICKER_TYPE')

const { TRADING, HALT, BREAK } = SymbolStatus
const { ONLY_NEW, ONLY_PARTIALLY_FILLED } = CancelRestrictions

interface ParamMeaning {
  readonly kind: ParamKind
  readonly meaning: string
}

const of = (kind: ParamKind, meaning: string): ParamMeaning => ({ kind, meaning })

const labelMeanings: Readonly<Record<OrderLabel, ParamMeaning>> = {
  strategyId: of(LONG, "the client's label"),
  strategyType: of(STRATEGY_TYPE, "the client's label, at least 1000000"),
}
/** Each prefix before each label, with the label's meaning. */
const ofLabels = <Prefix extends string>(prefixes: readonly Prefix[]) =>
  Object.fromEntries(
    prefixes.flatMap((prefix) =>
      prefixedLabels(prefix).map((name, i) => [name, labelMeanings[labelNames[i]!]]),
    ),
  ) as Readonly<Record<PrefixedLabel<Prefix>, ParamMeaning>>

/** One leg's parameters mean what an order's do. */
const legMeanings: Readonly<Record<LegField, ParamMeaning>> = {
  ...ofLabels(['']),
  Type: of(ORDER_TYPE, 'order type'),
  Price: of(DECIMAL, 'limit price'),
  StopPrice: of(DECIMAL, 'trigger price; of a trailing order, where tracking starts'),
  TrailingDelta: of(LONG, 'basis points'),
  IcebergQty: of(DECIMAL, 'quantity shown at a time; needs GTC'),
  TimeInForce: of(TIME_IN_FORCE, 'GTC, IOC or FOK'),
  ClientOrderId: of(CLIENT_ORDER_ID, 'unique among open orders; generated when not sent'),
  PegPriceType: of(
    PEG_PRICE_TYPE,
    "PRIMARY_PEG, the best price of the order's side, or MARKET_PEG",
  ),
  PegOffsetType: of(PEG_OFFSET_TYPE, 'PRICE_LEVEL, with the offset'),
  PegOffsetValue: of(PEG_LEVELS, `levels behind the best price, 1 to ${PEG_LEVELS_MAX}`),
}
const ofLegs = Object.fromEntries(
  legPrefixes.flatMap((prefix) =>
    legFields.map((field) => [`${prefix}${field}`, legMeanings[field]]),
  ),
) as Readonly<Record<LegName, ParamMeaning>>

export const parameters: Readonly<Record<ParamName, ParamMeaning>> = {
  ...ofLegs,
  ...ofLabels(oldPrefixes),
  ...labelMeanings,
  workingType: of(WORKING_TYPE, 'LIMIT or LIMIT_MAKER'),
  symbol: of(SYMBOL, 'one symbol'),
  side: of(SIDE, 'BUY or SELL'),
  type: of(ORDER_TYPE, 'order type'),
  timeInForce: of(TIME_IN_FORCE, 'GTC, IOC or FOK'),
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
  icebergQty: legMeanings.IcebergQty,
  stopPrice: legMeanings.StopPrice,
  trailingDelta: legMeanings.TrailingDelta,
  pegPriceType: legMeanings.PegPriceType,
  pegOffsetType: legMeanings.PegOffsetType,
  pegOffsetValue: legMeanings.PegOffsetValue,
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
  startTime: of(timeKind(Math.ceil), 'ms or µs, by the number of digits; inclusive'),
  endTime: of(timeKind(Math.floor), 'ms or µs, by the number of digits; inclusive'),
  fromId: of(LONG, 'first trade id wanted'),
  listenKey: of(textKind('STRING', '^[a-zA-Z0-9]{1,128}$'), ''),
  returnRateLimits: of(BOOLEAN, 'WebSocket API only'),
  receipt: of(BOOLEAN, 'WebSocket API only: whether the answer says where its time went'),
  subscriptionId: of(LONG, 'WebSocket API only'),
  interval: of(enumKind('ENUM', Interval, 'INVALID_INTERVAL'), 'kline interval'),
  timeZone: of(TIME_ZONE, '-12:00 to +14:00, hours or hours and minutes; default 0'),
  windowSize: of(WINDOW_SIZE, '1m to 59m, 1h to 23h or 1d to 7d; default 1d'),
  orderListId: of(LONG, ''),
  listClientOrderId: of(CLIENT_ORDER_ID, 'unique among open lists; generated when not sent'),
  newQty: of(DECIMAL, "below the order's quantity, above what is filled"),
  fromExecutionId: of(LONG, 'first execution id wanted'),
  preventedMatchId: of(LONG, ''),
  fromPreventedMatchId: of(LONG, 'first prevented match id wanted'),
  fromAllocationId: of(LONG, ''),
  cancelReplaceMode: of(enumKind('ENUM', CancelReplaceMode), 'STOP_ON_FAILURE or ALLOW_FAILURE'),
  cancelOrderId: of(LONG, 'the order to cancel'),
  cancelOrigClientOrderId: of(CLIENT_ORDER_ID, 'the order to cancel'),
  cancelNewClientOrderId: of(CLIENT_ORDER_ID, "the cancel's own id; generated when not sent"),
  orderRateLimitExceededMode: of(
    enumKind('ENUM', RateLimitExceededMode),
    'DO_NOTHING (default) or CANCEL_ONLY',
  ),
  limitClientOrderId: legMeanings.ClientOrderId,
  limitIcebergQty: legMeanings.IcebergQty,
  stopClientOrderId: legMeanings.ClientOrderId,
  stopIcebergQty: legMeanings.IcebergQty,
  stopLimitPrice: of(DECIMAL, 'makes the stop leg STOP_LOSS_LIMIT'),
  stopLimitTimeInForce: of(TIME_IN_FORCE, 'needed with stopLimitPrice'),
  workingSide: of(SIDE, 'BUY or SELL'),
  workingQuantity: of(DECIMAL, 'of the base asset'),
  pendingSide: of(SIDE, 'BUY or SELL'),
  pendingQuantity: of(DECIMAL, 'of the base asset'),
  asset: of(ASSET, 'one asset'),
  category: of(ANY_TEXT, 'what it was given for'),
  enabled: of(BOOLEAN, 'whether orders placed from now on end with the connection'),
  heartbeatMs: of(
    HEARTBEAT_MS,
    '1000 to 60000: the connection ends when nothing comes for so long',
  ),
  rule: of(ANY_TEXT, 'JSON object with the fields of a fault rule'),
  name: of(ANY_TEXT, 'of a fault rule'),
  amount: of(
    ANY_TEXT,
    'a decimal; of an order also a share, as 30%; all that there is, when left out',
  ),
  orders: of(BOOLEAN, 'whether an order acknowledges the oldest event too; true by default'),
  countdownTime: of(
    COUNTDOWN_MS,
    `ms until the account's open orders are canceled: ${COUNTDOWN_MS_MIN} to ${COUNTDOWN_MS_MAX}; 0 ends it`,
  ),
  minPrice: of(DECIMAL, 'lowest limit price'),
  maxPrice: of(DECIMAL, 'highest limit price'),
  quoteId: of(CLIENT_ORDER_ID, "which quote: its orders' ids begin with it; at most 12 letters"),
  bids: of(LEVELS, 'JSON array of up to 20 [price, quantity]'),
  asks: of(LEVELS, 'JSON array of up to 20 [price, quantity]'),
  postOnly: of(BOOLEAN, 'whether orders are LIMIT_MAKER; false by default'),
  refusal: of(enumKind('ENUM', QuoteRefusal), 'LEVEL (default) or WHOLE'),
  clientOrderIdPrefix: of(CLIENT_ORDER_ID, 'how their client order ids begin'),
  windowMs: of(
    wholeKind('LONG', 0, PROTECTION_WINDOW_MS_MAX),
    `window in which fills count, ms: 1 to ${PROTECTION_WINDOW_MS_MAX}; 0 ends the protection`,
  ),
  maxFills: of(
    wholeKind('INT', 0, PROTECTION_FILLS_MAX),
    `fills within the window that trip it, at most ${PROTECTION_FILLS_MAX}; 0 for any number`,
  ),
  maxNotional: of(
    DECIMAL,
    'what fills pay within the window that trips it, in the quote asset; 0 for any',
  ),
  needBtcValuation: of(BOOLEAN, 'default false'),
  fromEmail: of(EMAIL, 'whose funds are moved'),
  toEmail: of(EMAIL, 'who gets them'),
  isFreeze: of(BOOLEAN, 'those that are frozen or closed, or the others'),
  email: of(EMAIL, "an account's address"),
  status: of(enumKind('ENUM', { enabled: 1, disabled: 0 }), 'enabled or disabled'),
  page: of(COUNT, 'which page, from 1; default 1'),
  size: of(COUNT, 'rows of a page'),
  coin: of(ASSET, 'one asset'),
  network: of(ASSET, "a chain that carries the coin; the coin's default when left out"),
  address: of(ADDRESS, 'where it goes'),
  addressTag: of(ADDRESS_TAG, 'the memo, where the chain has one'),
  withdrawOrderId: of(
    REQUEST_ID,
    "the client's id of a withdrawal: the same one again withdraws nothing more",
  ),
  clientTranId: of(
    REQUEST_ID,
    "the client's id of a transfer: the same one again moves nothing more",
  ),
  fromAccountType: of(SPOT_WALLET, 'SPOT'),
  toAccountType: of(SPOT_WALLET, 'SPOT'),
  requestId: of(CLIENT_ORDER_ID, "the client's id of it: the same one again sends nothing more"),
  transactionFeeFlag: of(BOOLEAN, 'has no effect: a transfer within the exchange pays the fee too'),
  walletType: of(enumKind('ENUM', { 0: 0, 1: 1 }), 'is answered; both are the spot wallet'),
  txId: of(ADDRESS, 'id of a transaction'),
  idList: of(ID_LIST, `ids of withdrawals, joined by commas; at most ${LISTED_IDS_MAX}`),
  includeSource: of(BOOLEAN, 'has no effect: where deposits came from is not known'),
  offset: of(LONG, 'how many of the newest are left out; default 0'),
  events: of(ACKNOWLEDGED_EVENTS, 'how many; 1 by default'),
}

/** Kinds by slot, for loops that must not look a name up. */
export const kindOf: readonly ParamKind[] = paramNames.map((name) => parameters[name].kind)
