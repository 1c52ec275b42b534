/**
 * Every refusal that a client can get: one row each, with the code and the message that clients
 * match on to the letter, the HTTP status and who raises it. Read by the checks, the handlers and the
 * gateway; nothing else in the source spells an error code (errors.md).
 */

import { RejectReason } from '../base/codes.ts'

/** Who notices: the gateway, a parameter check, a handler, or the matching engine. */
export type ErrorOrigin = 'gateway' | 'check' | 'handler' | 'engine'

export interface ErrorRow {
  /** Negative, as the payload carries it. */
  readonly code: number
  /** `{0}`, `{1}`… stand for details. */
  readonly message: string
  /** HTTP status, and `status` of a WebSocket API answer. */
  readonly status: number
  readonly origin: ErrorOrigin
}

const of =
  (origin: ErrorOrigin) =>
  (code: number, message: string, status = 400): ErrorRow => ({ code, message, status, origin })
const gateway = of('gateway')
const check = of('check')
const handler = of('handler')
const engine = of('engine')

const overloaded =
  'Server is currently overloaded with other requests. Please try again in a few minutes.'
const diskReserve =
  'This server takes no new orders, because its disk is almost full. Cancels continue.'
const unknownFate =
  'Timeout waiting for response from backend server. Send status unknown; execution status unknown.'
const tooMuchWeight =
  'Too much request weight used; current limit is {0} request weight per {1} {2}. Please ' +
  'use WebSocket Streams for live updates to avoid polling the API.'
const banned =
  'Way too much request weight used; IP banned until {0}. Please use WebSocket Streams for ' +
  'live updates to avoid bans.'
const notLeading =
  'This server takes no orders, because another one leads. Please try again at the leader.'
const cutOff =
  'The quorum does not confirm that this server leads, so what it knows may be of the past. ' +
  'Please try again at another one.'
const frozen = 'This account may not place or cancel orders.'
const partlyFailed = 'Order cancel-replace partially failed.'
const bothFailed = 'Order cancel-replace failed.'
const stpRefused = 'This symbol does not allow the specified self-trade prevention mode.'

const rows = {
  NOT_LEADING: gateway(-1001, notLeading, 503),
  CUT_OFF: gateway(-1001, cutOff, 503),
  TOO_MUCH_WEIGHT: gateway(-1003, tooMuchWeight, 429),
  ADDRESS_BANNED: gateway(-1003, banned, 418),
  TOO_MANY_REQUESTS: gateway(-1003, 'Too many requests queued.', 429),
  TIMEOUT: engine(-1007, unknownFate, 504),
  SERVER_BUSY: handler(-1008, overloaded, 503),
  DISK_RESERVE: gateway(-1008, diskReserve, 503),
  TOO_MANY_CONNECTIONS: gateway(
    -1034,
    'Too many concurrent connections; current limit is {0}.',
    429,
  ),
  TOO_MANY_ORDERS: gateway(
    -1015,
    'Too many new orders; current limit is {0} orders per {1} {2}.',
    429,
  ),
  SHUTTING_DOWN: engine(-1016, 'This service is no longer available.', 503),
  UNSUPPORTED_OPERATION: gateway(-1020, 'This operation is not supported.'),
  TIMESTAMP_TOO_OLD: engine(-1021, 'Timestamp for this request is outside of the recvWindow.'),
  TIMESTAMP_AHEAD: gateway(
    -1021,
    "Timestamp for this request was 1000ms ahead of the server's time.",
  ),
  INVALID_SIGNATURE: gateway(-1022, 'Signature for this request is not valid.'),

  INVALID_QUANTITY: handler(-1013, 'Invalid quantity.'),
  INVALID_PRICE: handler(-1013, 'Invalid price.'),
  FILTER_FAILURE: handler(-1013, 'Filter failure: {0}'),
  PREVENTION_MODE_REFUSED: handler(-1013, stpRefused),
  ILLEGAL_CHARACTERS: check(
    -1100,
    "Illegal characters found in parameter '{0}'; legal range is '{1}'.",
  ),
  BROKEN_ENCODING: check(-1100, 'Illegal characters found in a parameter.'),
  DUPLICATE_PARAMETER: check(-1101, 'Duplicate values for a parameter detected.'),
  TOO_MANY_PARAMETERS: check(-1101, 'Too many parameters sent for this endpoint.'),
  MORE_PARAMETERS_THAN_TAKEN: check(
    -1101,
    "Too many parameters; expected '{0}' and received '{1}'.",
  ),
  TOO_MANY_VALUES: handler(
    -1101,
    "Too many values sent for parameter '{0}', maximum allowed up to {1}.",
  ),
  BODY_TOO_LARGE: gateway(-1101, 'Too many parameters sent for this endpoint.', 413),
  MANDATORY_PARAMETER: check(
    -1102,
    "Mandatory parameter '{0}' was not sent, was empty/null, or malformed.",
  ),
  ONE_OF_TWO_PARAMETERS: check(
    -1102,
    "Param '{0}' or '{1}' must be sent, but both were empty/null!",
  ),
  RECV_WINDOW_TOO_LARGE: gateway(
    -1102,
    "'recvWindow' contains unexpected value. Cannot be greater than 60000.",
  ),
  UNREAD_PARAMETERS: check(
    -1104,
    "Not all sent parameters were read; read '{0}' parameter(s) but was sent '{1}'.",
  ),
  PARAMETER_EMPTY: check(-1105, "Parameter '{0}' was empty."),
  PARAMETER_NOT_REQUIRED: handler(-1106, "Parameter '{0}' sent when not required."),
  PARAMETER_OVERFLOW: check(-1108, "Parameter '{0}' overflowed."),
  AMOUNT_TOO_LARGE: engine(-1108, 'Price * QTY overflowed.'),
  BAD_PRECISION: check(-1111, "Parameter '{0}' has too much precision."),
  NO_DEPTH: engine(-1112, 'No orders on book for symbol.'),
  TIME_IN_FORCE_NOT_REQUIRED: handler(-1114, 'TimeInForce parameter sent when not required.'),
  INVALID_TIME_IN_FORCE: check(-1115, 'Invalid timeInForce.'),
  INVALID_ORDER_TYPE: check(-1116, 'Invalid orderType.'),
  INVALID_SIDE: check(-1117, 'Invalid side.'),
  EMPTY_CLIENT_ORDER_ID: check(-1118, 'New client order ID was empty.'),
  EMPTY_ORIG_CLIENT_ORDER_ID: check(-1119, 'Original client order ID was empty.'),
  INVALID_INTERVAL: check(-1120, 'Invalid interval.'),
  INVALID_TICKER_TYPE: check(-1139, 'Invalid ticker type.'),
  INVALID_SYMBOL: handler(-1121, 'Invalid symbol.'),
  INVALID_TIME_UNIT: gateway(
    -1194,
    'Invalid value for time unit; expected either MICROSECOND or MILLISECOND.',
  ),
  INVALID_SBE_HEADER: gateway(
    -1152,
    'Invalid `X-MBX-SBE` header; expected `<SCHEMA_ID>:<VERSION>`.',
  ),
  UNSUPPORTED_SBE_SCHEMA: gateway(
    -1153,
    'Unsupported SBE schema ID or version specified in the `X-MBX-SBE` header.',
  ),
  INVALID_SBE_SCHEMA: gateway(-1153, 'Invalid SBE schema ID or version specified.'),
  SBE_DISABLED: gateway(-1155, 'SBE is not enabled.'),
  SBE_NOT_ACCEPTABLE: gateway(-1155, 'SBE is not enabled.', 406),
  INVALID_SYMBOL_STATUS: check(-1122, 'Invalid symbolStatus.'),
  INVALID_LISTEN_KEY: handler(-1125, 'This listenKey does not exist.'),
  MORE_THAN_24_HOURS: handler(-1127, 'More than 24 hours between startTime and endTime.'),
  BAD_COMBINATION: check(-1128, 'Combination of optional parameters invalid.'),
  COMBINATION_LACKS: handler(
    -1128,
    "Combination of optional parameters invalid. Recommendation: '{0}' should also be sent.",
  ),
  QUOTE_CROSSED: handler(-1130, 'The best bid of a quote must be below its best ask.'),
  INVALID_PARAMETER: check(-1130, "Data sent for parameter '{0}' is not valid."),
  BAD_STRATEGY_TYPE: check(-1134, 'strategyType was less than 1000000.'),
  INVALID_JSON: gateway(-1135, 'Invalid JSON Request'),
  INVALID_CANCEL_RESTRICTIONS: check(-1145, 'Invalid cancelRestrictions'),
  DUPLICATE_SYMBOLS: handler(-1151, 'Symbol is present multiple times in the list.'),
  OPO_WORKING_MUST_BE_BUY: handler(-1222, 'Working order in an OPO list must be a bid.'),
  OPO_PENDING_MUST_BE_SELL: handler(-1223, 'Pending orders in an OPO list must be asks.'),
  OCO_TYPE_NOT_SUPPORTED: handler(-1158, 'Order type not supported in OCO.'),
  ICEBERG_REQUIRES_GTC: handler(-1160, "Parameter '{0}' is not supported if '{1}' is not GTC."),
  OCO_LIMIT_OF_BUY_ABOVE: handler(-1165, 'A limit order in a buy OCO must be below.'),
  OCO_LIMIT_OF_SELL_BELOW: handler(-1166, 'A limit order in a sell OCO must be above.'),
  OCO_WITHOUT_TRIGGER: handler(-1168, 'At least one OCO order must be contingent.'),
  OCO_STOP_LOSS_OF_BUY_BELOW: handler(-1196, 'A stop loss order in a buy OCO must be above.'),
  OCO_STOP_LOSS_OF_SELL_ABOVE: handler(-1197, 'A stop loss order in a sell OCO must be below.'),
  OCO_TAKE_PROFIT_OF_BUY_ABOVE: handler(-1198, 'A take profit order in a buy OCO must be below.'),
  OCO_TAKE_PROFIT_OF_SELL_BELOW: handler(-1199, 'A take profit order in a sell OCO must be above.'),
  INVALID_PEG_PRICE_TYPE: check(-1210, 'Invalid pegPriceType.'),
  INVALID_PEG_OFFSET_TYPE: check(-1211, 'Invalid pegOffsetType.'),
  SYMBOL_STATUS_MISMATCH: handler(
    -1220,
    "The symbol's status does not match the requested symbolStatus.",
  ),

  DUPLICATE_ORDER: engine(-2010, 'Duplicate order sent.'),
  MARKET_CLOSED: engine(-2010, 'Market is closed.'),
  INSUFFICIENT_BALANCE: engine(-2010, 'Account has insufficient balance for requested action.'),
  ORDER_TYPE_NOT_SUPPORTED: handler(-2010, '{0} orders are not supported for this symbol.'),
  ORDER_LIST_NOT_SUPPORTED: handler(-2010, '{0} orders are not supported for this symbol'),
  QUOTE_AMOUNT_NOT_SUPPORTED: handler(
    -2010,
    'Quote order qty market orders are not support for this symbol.',
  ),
  REPLACE_NOT_SUPPORTED: handler(-2010, 'Order cancel-replace is not supported for this symbol.'),
  UNSUPPORTED_COMBINATION: handler(-2010, 'Unsupported order combination'),
  ICEBERG_EXCEEDS_QUANTITY: handler(-2010, 'IcebergQty exceeds QTY.'),
  NOTIONAL_IS_ZERO: handler(-2010, 'Price * QTY is zero or less.'),
  PEG_NOT_SUPPORTED: handler(-2010, 'Pegged orders are not supported for this symbol.'),
  PEG_OF_OTHER_TYPE: handler(-2010, 'This order type may not use pegged price.'),
  PEG_NOT_OF_TYPE: handler(-2010, 'This price peg cannot be used with this order type.'),
  PEG_LIQUIDITY: engine(-2010, 'Order book liquidity is too low for this pegged order.'),
  ACCOUNT_FROZEN: handler(-2010, frozen),
  SYMBOL_NOT_PERMITTED: handler(-2010, 'This symbol is not permitted for this account.'),
  SYMBOL_RESTRICTED: handler(-2010, 'This symbol is restricted for this account.'),
  ACCOUNT_DISABLED: engine(-2010, 'This action is disabled on this account.'),
  WOULD_MATCH_IMMEDIATELY: engine(-2010, 'Order would immediately match and take.'),
  BOOK_FULL: engine(-2010, 'Order book is full.'),
  TOO_MANY_MATCHES: engine(-2010, 'Order would match too many orders.'),
  LEVEL_FULL: engine(-2010, 'Order exceeds the quantity that its price level can hold.'),
  LIQUIDITY_BELOW_LOT_SIZE: engine(
    -2010,
    'Order book liquidity is less than `LOT_SIZE` filter minimum quantity.',
  ),
  LIQUIDITY_BELOW_MARKET_LOT_SIZE: engine(
    -2010,
    'Order book liquidity is less than `MARKET_LOT_SIZE` filter minimum quantity.',
  ),
  LIQUIDITY_BELOW_MINIMUM: engine(
    -2010,
    'Order book liquidity is less than symbol minimum quantity.',
  ),
  PROTECTED: engine(-2010, "The account's protection has tripped; reset it first."),
  NO_PROTECTION: engine(-2011, 'There is no protection to reset.'),
  WOULD_TRIGGER_IMMEDIATELY: engine(-2010, 'Order would trigger immediately.'),
  PRICES_NOT_RELATED: engine(
    -2010,
    'The relationship of the prices for the orders is not correct.',
  ),
  PHASE_REFUSES_TYPE: engine(-2010, 'This order type is not possible in this trading phase.'),
  PHASE_REQUIRES_GTC: engine(-2010, 'Limit orders require GTC for this phase.'),
  COUNTING_FILTER_FAILURE: engine(-2010, 'Filter failure: {0}'),
  UNKNOWN_ORDER: engine(-2011, 'Unknown order sent.'),
  CANCEL_RESTRICTED: engine(-2011, 'Order was not canceled due to cancel restrictions.'),
  CANCEL_WITHOUT_ID: handler(-2011, 'Cancel order is invalid. Check origClOrdId and orderId.'),
  CANCEL_FROZEN: handler(-2011, frozen),
  NO_SUCH_ORDER: engine(-2013, 'Order does not exist.'),
  NO_SUCH_ORDER_LIST: handler(-2018, 'Order list does not exist.'),
  BAD_API_KEY_FORMAT: gateway(-2014, 'API-key format invalid.', 401),
  REJECTED_API_KEY: gateway(-2015, 'Invalid API-key, IP, or permissions for action.', 401),
  REPLACE_FAILED_PARTLY: engine(-2021, partlyFailed, 409),
  /** The order count was used up, and so only the cancel was tried. */
  REPLACE_ONLY_CANCELED: engine(-2021, partlyFailed, 429),
  REPLACE_FAILED: engine(-2022, bothFailed),
  REPLACE_FAILED_TO_CANCEL: engine(-2022, bothFailed, 429),
  ORDER_ARCHIVED: handler(
    -2026,
    'Order was canceled or expired with no executed qty over 90 days ago and has been archived.',
  ),
  SUBSCRIPTION_ACTIVE: gateway(-2035, 'User Data Stream subscription already active.'),
  SUBSCRIPTION_NOT_ACTIVE: gateway(-2036, 'User Data Stream subscription not active.'),
  AMEND_INCREASES: engine(-2038, 'Order amend (quantity increase) is not supported.'),
  AMEND_PENDING: engine(-2038, 'Order amend (pending OPO order) is not supported.'),
  AMEND_CHANGES_NOTHING: engine(-2038, 'The requested action would change no state; rejecting'),
  AMEND_FILTER_FAILURE: engine(-2038, 'Filter failure: {0}'),
  AMEND_NOT_SUPPORTED: handler(-2038, 'Order amend is not supported for this symbol.'),
  AMEND_UNKNOWN_ORDER: engine(-2038, 'Unknown order sent.'),
  AMEND_DUPLICATE_ORDER: engine(-2038, 'Duplicate order sent.'),
  AMEND_FROZEN: handler(-2038, frozen),
  CLIENT_ORDER_ID_MISMATCH: handler(-2039, 'Client order ID is not correct for this order ID.'),
  SUBSCRIPTION_IDS_EXHAUSTED: gateway(
    -2042,
    'Maximum subscription ID reached for this connection.',
  ),
  NO_REFERENCE_PRICE: handler(-2043, "This symbol doesn't have a reference price."),
  INVALID_EMAIL: handler(-4003, 'Your input email is invalid.'),
  MASTER_ONLY: handler(-4006, 'Support main account only.'),
  BAD_ADDRESS: engine(-4007, 'Address validation is not passed.'),
  BAD_ADDRESS_TAG: engine(-4008, 'Address tag validation is not passed.'),
  TOO_MANY_WITHDRAWALS: engine(-4005, 'Too many new requests.'),
  WITHDRAWAL_LIMITED: engine(-4015, 'Withdraw is limited.'),
  NO_SUCH_ASSET: handler(-4018, "We don't have this asset."),
  NOT_OPEN_FOR_WITHDRAWAL: engine(-4019, 'Current asset is not open for withdrawal.'),
  WITHDRAWAL_NOT_A_MULTIPLE: engine(-4021, 'Asset withdrawal must be an integer multiple of {0}.'),
  WITHDRAWAL_BELOW_MINIMUM: engine(-4022, 'Not less than the minimum pick-up quantity {0}.'),
  WITHDRAWALS_OF_DAY: engine(-4023, 'Within 24 hours, the withdrawal exceeds the maximum amount.'),
  WITHDRAWAL_IN_DEBT: engine(-4025, 'The number of hold asset is less than zero.'),
  WITHDRAWAL_EXCEEDS_BALANCE: engine(-4026, 'You have insufficient balance.'),
  WITHDRAWAL_BELOW_FEE: engine(
    -4028,
    'The amount of withdrawal must be greater than the Commission.',
  ),
  ADDRESS_NOT_LISTED: handler(
    -4035,
    'This address is not on the whitelist. Please join and try again.',
  ),
  NO_DEPOSIT_ADDRESS: handler(-4042, 'This asset cannot get deposit address again.'),
  MORE_THAN_90_DAYS: handler(-4047, 'Time interval must be within 0-90 days'),
  NOT_UNLOCKED: engine(
    -4060,
    'As your deposit has not reached the required block confirmations, we have temporarily locked {0} asset',
  ),
  OTHER_WITHDRAWAL: engine(-4115, 'Another withdrawal has this withdrawOrderId.'),
  OTHER_TRANSFER: engine(-4115, 'Another transfer has this clientTranId.'),
  LOGON_KEY_TYPE: gateway(-4056, 'HMAC_SHA256 API key is not supported.'),
} satisfies Record<string, ErrorRow>

export type ErrorId = keyof typeof rows

export const errors: Readonly<Record<ErrorId, ErrorRow>> = rows

/** An error and what fills its message. */
export class Fault {
  readonly id: ErrorId
  readonly detail: readonly (string | number)[]

  constructor(id: ErrorId, ...detail: readonly (string | number)[]) {
    this.id = id
    this.detail = detail
  }
}

/** Every code of a refusal, and every status of an answer: what can be counted by them. */
export const errorCodes: readonly number[] = distinct(({ code }) => code)
export const answerStatuses: readonly number[] = [
  ...new Set([200, 404, ...distinct(({ status }) => status)]),
]

/** By code: the message, '' where several messages have the code. */
export const errorMessages: ReadonlyMap<number, string> = new Map(
  errorCodes.map((code) => {
    const [first, ...others] = Object.values(errors).filter((row) => row.code === code)
    return [code, others.length === 0 ? first!.message : '']
  }),
)

function distinct(pick: (row: ErrorRow) => number): number[] {
  return [...new Set(Object.values(errors).map(pick))]
}

export const errorStatus = (id: ErrorId): number => errors[id].status
export const errorCode = (id: ErrorId): number => errors[id].code

/** The message, with the details in their places. */
export const errorMessage = (id: ErrorId, detail: readonly (string | number)[] = []): string =>
  errors[id].message.replace(/\{(\d)\}/g, (placeholder, at: string) =>
    String(detail[Number(at)] ?? placeholder),
  )

/** Exhaustive: a reason without a row does not compile. */
const rejects: Readonly<Record<RejectReason, ErrorId>> = {
  [RejectReason.DUPLICATE_ORDER]: 'DUPLICATE_ORDER',
  [RejectReason.MARKET_CLOSED]: 'MARKET_CLOSED',
  [RejectReason.INSUFFICIENT_BALANCE]: 'INSUFFICIENT_BALANCE',
  [RejectReason.WOULD_MATCH_IMMEDIATELY]: 'WOULD_MATCH_IMMEDIATELY',
  [RejectReason.NO_DEPTH]: 'NO_DEPTH',
  [RejectReason.LIQUIDITY_BELOW_LOT_SIZE]: 'LIQUIDITY_BELOW_LOT_SIZE',
  [RejectReason.LIQUIDITY_BELOW_MARKET_LOT_SIZE]: 'LIQUIDITY_BELOW_MARKET_LOT_SIZE',
  [RejectReason.LIQUIDITY_BELOW_MINIMUM]: 'LIQUIDITY_BELOW_MINIMUM',
  [RejectReason.UNKNOWN_ORDER]: 'UNKNOWN_ORDER',
  [RejectReason.NO_SUCH_ORDER]: 'NO_SUCH_ORDER',
  [RejectReason.CANCEL_RESTRICTED]: 'CANCEL_RESTRICTED',
  [RejectReason.TIMESTAMP_OUTSIDE_WINDOW]: 'TIMESTAMP_TOO_OLD',
  [RejectReason.BOOK_FULL]: 'BOOK_FULL',
  [RejectReason.NOTIONAL_TOO_LARGE]: 'FILTER_FAILURE',
  [RejectReason.MARKET_QUANTITY_TOO_LARGE]: 'FILTER_FAILURE',
  [RejectReason.CLIENT_ORDER_ID_INVALID]: 'BROKEN_ENCODING',
  [RejectReason.ACCOUNT_DISABLED]: 'ACCOUNT_DISABLED',
  [RejectReason.WOULD_TRIGGER_IMMEDIATELY]: 'WOULD_TRIGGER_IMMEDIATELY',
  [RejectReason.PRICES_NOT_RELATED]: 'PRICES_NOT_RELATED',
  [RejectReason.PHASE_REFUSES_TYPE]: 'PHASE_REFUSES_TYPE',
  [RejectReason.PHASE_REQUIRES_GTC]: 'PHASE_REQUIRES_GTC',
  [RejectReason.MAX_NUM_ORDERS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.MAX_NUM_ALGO_ORDERS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.MAX_NUM_ICEBERG_ORDERS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.MAX_NUM_ORDER_LISTS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.MAX_POSITION]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.EXCHANGE_MAX_NUM_ORDERS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.EXCHANGE_MAX_NUM_ALGO_ORDERS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.EXCHANGE_MAX_NUM_ICEBERG_ORDERS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.EXCHANGE_MAX_NUM_ORDER_LISTS]: 'COUNTING_FILTER_FAILURE',
  [RejectReason.AMEND_INCREASES]: 'AMEND_INCREASES',
  [RejectReason.AMEND_PENDING]: 'AMEND_PENDING',
  [RejectReason.AMEND_CHANGES_NOTHING]: 'AMEND_CHANGES_NOTHING',
  [RejectReason.MAX_NUM_ORDER_AMENDS]: 'AMEND_FILTER_FAILURE',
  [RejectReason.NOTIONAL_TOO_SMALL]: 'FILTER_FAILURE',
  [RejectReason.NO_ROOM_FOR_ANSWER]: 'SERVER_BUSY',
  [RejectReason.AMOUNT_TOO_LARGE]: 'AMOUNT_TOO_LARGE',
  [RejectReason.TOO_MANY_MATCHES]: 'TOO_MANY_MATCHES',
  [RejectReason.LEVEL_FULL]: 'LEVEL_FULL',
  [RejectReason.SYMBOL_BUSY]: 'SERVER_BUSY',
  [RejectReason.PROTECTED]: 'PROTECTED',
  [RejectReason.NO_PROTECTION]: 'NO_PROTECTION',
  [RejectReason.MAX_ASSET]: 'FILTER_FAILURE',
  [RejectReason.NO_EXTERNAL_PRICE]: 'NO_REFERENCE_PRICE',
  [RejectReason.PEG_LIQUIDITY]: 'PEG_LIQUIDITY',
  [RejectReason.PRICE_FILTER]: 'FILTER_FAILURE',
  [RejectReason.PERCENT_PRICE]: 'FILTER_FAILURE',
  [RejectReason.PERCENT_PRICE_BY_SIDE]: 'FILTER_FAILURE',
  [RejectReason.NOTIONAL_IS_ZERO]: 'NOTIONAL_IS_ZERO',
  [RejectReason.ID_FORGOTTEN]: 'SERVER_BUSY',
}

/** The row for a `Rejected` record's reason; a filter's failure still lacks its name. */
export const errorOfReject = (reason: number): ErrorId => rejects[reason as RejectReason]

/** What amendments are refused for as cancels or placements are, but under their own code. */
const amendRejects: Readonly<Partial<Record<number, ErrorId>>> = {
  [RejectReason.UNKNOWN_ORDER]: 'AMEND_UNKNOWN_ORDER',
  [RejectReason.DUPLICATE_ORDER]: 'AMEND_DUPLICATE_ORDER',
}
export const errorOfAmendReject = (reason: number): ErrorId =>
  amendRejects[reason] ?? errorOfReject(reason)
