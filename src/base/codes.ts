/**
 * Every enumeration of the protocol that crosses the rings or the journal: the number that bytes
 * carry and the name that the wire carries, one table each. Numbers are part of the journal's format:
 * append, never renumber. Names: enums.md, Order status (expiry reasons).
 */
type Code<Table> = Table[keyof Table]

export const Side = { BUY: 0, SELL: 1 } as const
export type Side = Code<typeof Side>

export const OrderType = {
  LIMIT: 0,
  MARKET: 1,
  LIMIT_MAKER: 2,
  STOP_LOSS: 3,
  STOP_LOSS_LIMIT: 4,
  TAKE_PROFIT: 5,
  TAKE_PROFIT_LIMIT: 6,
} as const
export type OrderType = Code<typeof OrderType>

export const TimeInForce = { GTC: 0, IOC: 1, FOK: 2 } as const
export type TimeInForce = Code<typeof TimeInForce>

export const SelfTradePrevention = {
  NONE: 0,
  EXPIRE_TAKER: 1,
  EXPIRE_MAKER: 2,
  EXPIRE_BOTH: 3,
  DECREMENT: 4,
  TRANSFER: 5,
} as const
export type SelfTradePrevention = Code<typeof SelfTradePrevention>

/** The four types that wait for a price: stop-loss and take-profit, market and limit. */
export const isStopType = (type: OrderType): boolean => type >= OrderType.STOP_LOSS

const MARKET_TYPES =
  (1 << OrderType.MARKET) | (1 << OrderType.STOP_LOSS) | (1 << OrderType.TAKE_PROFIT)

/** The types without a limit price. */
export const isMarketType = (type: OrderType): boolean => ((MARKET_TYPES >> type) & 1) !== 0

/** The side of the book that gives a pegged order its price: its own, or the other. 0 of an order that is not pegged. */
export const PegPriceType = { PRIMARY_PEG: 1, MARKET_PEG: 2 } as const
export type PegPriceType = Code<typeof PegPriceType>

export const PegOffsetType = { PRICE_LEVEL: 1 } as const

export const OrderStatus = {
  NEW: 0,
  PARTIALLY_FILLED: 1,
  FILLED: 2,
  CANCELED: 3,
  PENDING_CANCEL: 4,
  REJECTED: 5,
  EXPIRED: 6,
  EXPIRED_IN_MATCH: 7,
  PENDING_NEW: 8,
} as const
export type OrderStatus = Code<typeof OrderStatus>

export const ExpiryReason = {
  NONE: 0,
  REJECTED: 1,
  EXCHANGE_CANCELED: 2,
  OCO_TRIGGER: 3,
  OTO_PHASE_ONE_EXPIRED: 4,
  UNFILLED_IOC_QUANTITY_EXPIRED: 5,
  UNFILLED_FOK_ORDER_EXPIRED: 6,
  INSUFFICIENT_LIQUIDITY: 7,
  EXECUTION_RULE_PRICE_RANGE_EXCEEDED: 8,
} as const
export type ExpiryReason = Code<typeof ExpiryReason>

export const SymbolStatus = {
  PRE_TRADING: 0,
  TRADING: 1,
  POST_TRADING: 2,
  END_OF_DAY: 3,
  HALT: 4,
  AUCTION_MATCH: 5,
  BREAK: 6,
  CANCEL_ONLY: 7,
} as const
export type SymbolStatus = Code<typeof SymbolStatus>

/** What changed the phase of a symbol: an operator or the schedule, a price, or the end of a call that ends by itself. */
export const PhaseCause = { OPERATOR: 0, VOLATILITY: 1, CALL_ENDED: 2, EXTENDED: 3 } as const
export type PhaseCause = Code<typeof PhaseCause>

/** What follows the last extension of a call whose price is out of its corridor. */
export const CorridorEnd = { BOUND: 0, OPERATOR: 1 } as const
export type CorridorEnd = Code<typeof CorridorEnd>

/** Where the reference price of a symbol comes from (docs/reference-price.md). */
export const ReferenceCalculation = { NONE: 0, ARITHMETIC_MEAN: 1, EXTERNAL: 2 } as const
export type ReferenceCalculation = Code<typeof ReferenceCalculation>

/** The side that has lots left at the price of an auction. */
export const SurplusSide = { BUY: 0, SELL: 1, NONE: 2 } as const

/** What became of one level of a mass quote: its order stands as it was, with less, or is new; or was refused. */
export const QuoteOutcomeKind = { KEPT: 0, LOWERED: 1, PLACED: 2, REFUSED: 3 } as const

/** How a trade came about, as own fills show it (executionReport `b`, myTrades `matchType`). */
export const MatchType = { AUCTION: 0, ONE_PARTY_TRADE_REPORT: 1 } as const

/** Where a routed order was last at work: over the books of its group, or in its own symbol's (faqs/sor_faq.md). */
export const WorkingFloor = { EXCHANGE: 0, SOR: 1 } as const
export type WorkingFloor = (typeof WorkingFloor)[keyof typeof WorkingFloor]

/** Whether the day's trading is over, and its last price is the official close. */
export const isAfterTrading = (status: SymbolStatus): boolean =>
  status === SymbolStatus.POST_TRADING || status === SymbolStatus.END_OF_DAY

/** Whether the market is closed to orders of every type. */
export const isClosed = (status: SymbolStatus): boolean =>
  status === SymbolStatus.HALT ||
  status === SymbolStatus.BREAK ||
  status === SymbolStatus.CANCEL_ONLY

/** Whether orders only gather in the phase, and the book may be crossed. */
export const isCall = (status: SymbolStatus): boolean =>
  status === SymbolStatus.PRE_TRADING || status === SymbolStatus.AUCTION_MATCH

/** As clients are told it (deposit history). */
export const DepositStatus = {
  PENDING: 0,
  /** Credited and unlocked. */
  SUCCESS: 1,
  /** Its block was taken back, and the transfer is lost. */
  REJECTED: 2,
  /** Credited; not to be withdrawn yet. */
  CREDITED: 6,
  /** Its memo belongs to no account, or it is below the least amount: it is not credited. */
  WRONG: 7,
} as const
export type DepositStatus = Code<typeof DepositStatus>

/** As clients are told it (withdraw history). */
export const WithdrawalStatus = {
  EMAIL_SENT: 0,
  CANCELLED: 1,
  AWAITING_APPROVAL: 2,
  REJECTED: 3,
  PROCESSING: 4,
  FAILURE: 5,
  COMPLETED: 6,
} as const
export type WithdrawalStatus = Code<typeof WithdrawalStatus>

export const TransferType = { EXTERNAL: 0, INTERNAL: 1 } as const
export type TransferType = Code<typeof TransferType>

export const WithdrawalDecision = {
  /** The link in an e-mail was followed: an operator's action stands for it. */
  CONFIRM: 1,
  /** By its account, before it is confirmed. */
  CANCEL: 2,
  APPROVE: 3,
  REJECT: 4,
  /** The transaction that pays it is made. */
  SIGN: 5,
  /** The chain took the transaction. */
  SEND: 6,
  /** The chain will never have it. */
  FAIL: 7,
} as const
export type WithdrawalDecision = Code<typeof WithdrawalDecision>

export const ChainChange = {
  STOP: 1,
  RESUME: 2,
  /** Blocks are taken back; their transfers come into later ones. */
  REORGANISE: 3,
  CONGEST: 4,
  /** As REORGANISE, but transfers from outside to the exchange are lost with the blocks. */
  DROP: 5,
} as const
export type ChainChange = Code<typeof ChainChange>

/** What a QueryWallet is about. */
export const WalletSubject = {
  FUNDS: 1,
  /** What withdrawals of an account that have not ended took, by asset. */
  WITHDRAWING: 2,
  CHAIN: 3,
  /** Deposits that may still change. */
  DEPOSITS: 4,
  /** Withdrawals that have not ended. */
  WITHDRAWALS: 5,
  /** Transactions that are signed, of withdrawals that have not ended. */
  TRANSACTIONS: 6,
  /** Withdrawals that have not ended and are not signed: an operator may decide them. */
  UNDECIDED: 7,
} as const
export type WalletSubject = Code<typeof WalletSubject>

/** Why the wallet refuses a command. */
export const WalletRefusal = {
  NO_NETWORK: 1,
  SUSPENDED: 2,
  BAD_ADDRESS: 3,
  BAD_TAG: 4,
  BELOW_MINIMUM: 5,
  ABOVE_MAXIMUM: 6,
  NOT_A_MULTIPLE: 7,
  ABOVE_DAY_LIMIT: 8,
  INSUFFICIENT_BALANCE: 9,
  NOT_UNLOCKED: 10,
  IN_DEBT: 11,
  ACCOUNT_CLOSED: 12,
  OTHER_CONTENT: 13,
  NO_WITHDRAWAL: 14,
  WRONG_STATUS: 15,
  NO_CHAIN: 16,
  FULL: 17,
  TIMESTAMP_OUTSIDE_WINDOW: 18,
  NOT_LEADING: 19,
  NOT_ARCHIVED: 20,
} as const
export type WalletRefusal = Code<typeof WalletRefusal>

export const CancelRestrictions = { NONE: 0, ONLY_NEW: 1, ONLY_PARTIALLY_FILLED: 2 } as const
export type CancelRestrictions = Code<typeof CancelRestrictions>

/** REACHED: its cancels are to come, or under way. TRIPPED: orders are refused until it is reset. */
export const ProtectionStatus = { WATCHING: 0, REACHED: 1, TRIPPED: 2 } as const
export type ProtectionStatus = Code<typeof ProtectionStatus>

/** What a countdown was set for: one symbol, or all. An account may have both on a symbol. */
export const CountdownScope = { SYMBOL: 0, ALL: 1 } as const
export type CountdownScope = Code<typeof CountdownScope>

/** The phase of an order (enums.md, Order status): PENDING is the wire's PENDING_NEW. */
export const OrderPhase = { WORKING: 0, UNTRIGGERED: 1, PENDING: 2 } as const
export type OrderPhase = Code<typeof OrderPhase>

/** All but OCO are OTO on the wire. */
export const OrderListKind = { OCO: 0, OTO: 1, OTOCO: 2, OPO: 3, OPOCO: 4 } as const
export type OrderListKind = Code<typeof OrderListKind>

/** Whether one of two orders can be filled once the working one was. */
export const hasPendingPair = (kind: number): boolean =>
  kind === OrderListKind.OTOCO || kind === OrderListKind.OPOCO

/** Whether the pending orders sell what the working one buys (faqs/opo.md). */
export const paysPending = (kind: number): boolean => kind >= OrderListKind.OPO

export const legsOf = (kind: number): number => (hasPendingPair(kind) ? 3 : 2)

export const ListStatusType = { RESPONSE: 0, EXEC_STARTED: 1, ALL_DONE: 2, UPDATED: 3 } as const
export type ListStatusType = Code<typeof ListStatusType>

export const ListOrderStatus = { EXECUTING: 0, ALL_DONE: 1, REJECT: 2 } as const
export type ListOrderStatus = Code<typeof ListOrderStatus>

export const CancelReplaceMode = { STOP_ON_FAILURE: 0, ALLOW_FAILURE: 1 } as const
export type CancelReplaceMode = Code<typeof CancelReplaceMode>

/** Names by number: the inverse of one of the tables above. */
export function namesOf<T extends Record<string, number>>(table: T): readonly (keyof T & string)[] {
  const names: (keyof T & string)[] = []
  for (const name of Object.keys(table)) names[table[name] as number] = name
  return names
}

/**
 * Why the matching engine refused a command. The gateway's error table maps each reason to its code
 * and message; the number travels in the `Rejected` record.
 */
export const RejectReason = {
  DUPLICATE_ORDER: 1,
  MARKET_CLOSED: 2,
  INSUFFICIENT_BALANCE: 3,
  WOULD_MATCH_IMMEDIATELY: 4,
  NO_DEPTH: 5,
  LIQUIDITY_BELOW_LOT_SIZE: 6,
  LIQUIDITY_BELOW_MARKET_LOT_SIZE: 7,
  LIQUIDITY_BELOW_MINIMUM: 8,
  UNKNOWN_ORDER: 9,
  NO_SUCH_ORDER: 10,
  CANCEL_RESTRICTED: 11,
  TIMESTAMP_OUTSIDE_WINDOW: 12,
  BOOK_FULL: 13,
  NOTIONAL_TOO_LARGE: 14,
  MARKET_QUANTITY_TOO_LARGE: 15,
  CLIENT_ORDER_ID_INVALID: 16,
  ACCOUNT_DISABLED: 17,
  WOULD_TRIGGER_IMMEDIATELY: 19,
  /** The prices of a list's legs are not on the sides of the last price that its kind requires. */
  PRICES_NOT_RELATED: 20,
  /** The symbol's phase accepts orders, but not of this type (enums.md, Symbol status). */
  PHASE_REFUSES_TYPE: 21,
  PHASE_REQUIRES_GTC: 22,
  MAX_NUM_ORDERS: 23,
  MAX_NUM_ALGO_ORDERS: 24,
  MAX_NUM_ICEBERG_ORDERS: 25,
  MAX_NUM_ORDER_LISTS: 26,
  MAX_POSITION: 27,
  EXCHANGE_MAX_NUM_ORDERS: 28,
  EXCHANGE_MAX_NUM_ALGO_ORDERS: 29,
  EXCHANGE_MAX_NUM_ICEBERG_ORDERS: 30,
  EXCHANGE_MAX_NUM_ORDER_LISTS: 31,
  AMEND_INCREASES: 32,
  AMEND_CHANGES_NOTHING: 33,
  MAX_NUM_ORDER_AMENDS: 34,
  /** Of amendments, pegged orders and those that get their quantity late; the gateway judges others. */
  NOTIONAL_TOO_SMALL: 35,
  /** The reply ring has no room for the result of a query. */
  NO_ROOM_FOR_ANSWER: 36,
  /** The order would move more than ORDER_ATOMS_MAX of an asset. No filter covers this. */
  AMOUNT_TOO_LARGE: 37,
  /** One execution has no room for all that the order would meet: EXECUTION_MATCHES_MAX. */
  TOO_MANY_MATCHES: 38,
  /** The price level would show more than LEVEL_LOTS_MAX. */
  LEVEL_FULL: 39,
  /** Too many commands of the symbol or the account wait for what the symbol is doing. */
  SYMBOL_BUSY: 40,
  /** The account's protection has tripped, and was not reset. */
  PROTECTED: 41,
  /** There is no protection to reset. */
  NO_PROTECTION: 42,
  /** The order would move more of an asset than one order may. */
  MAX_ASSET: 43,
  /** The order waits for another to give it a quantity. */
  AMEND_PENDING: 44,
  /** The symbol's reference price does not come from outside. */
  NO_EXTERNAL_PRICE: 46,
  /** The book lacks the level that a pegged order names. */
  PEG_LIQUIDITY: 47,
  /** Of the price of a pegged order; the gateway judges prices that clients send. */
  PRICE_FILTER: 48,
  PERCENT_PRICE: 49,
  PERCENT_PRICE_BY_SIDE: 50,
  NOTIONAL_IS_ZERO: 51,
  /** So many block trades are newer that only the archive knows whether one has this id. */
  ID_FORGOTTEN: 52,
} as const
export type RejectReason = Code<typeof RejectReason>

/**
 * An order's terms packed into one word, as ring, journal and book columns carry them:
 * bit 0 side, bits 1-3 type, bits 4-5 time in force, bits 6-8 self-trade prevention mode, bit 9
 * detailed: the order has more than its terms (`DetailsSection`), bits 10-30 the session whose end
 * cancels the order, 0 for none, bit 31 routed: it takes from all books of its symbol's group (core/matching/routing.ts).
 */
export type OrderTerms = number

/** The first bit of the self-trade prevention mode. */
export const PREVENTION_SHIFT = 6
const SESSION_SHIFT = 10

export const DETAILED = 1 << 9
export const ROUTED = 1 << 31

export function packTerms(
  side: Side,
  type: OrderType,
  timeInForce: TimeInForce,
  prevention: SelfTradePrevention,
): OrderTerms {
  return side | (type << 1) | (timeInForce << 4) | (prevention << PREVENTION_SHIFT)
}

export const isDetailed = (terms: OrderTerms): boolean => (terms & DETAILED) !== 0
/** Returns the terms for an order that ends with a session: 1 to SESSION_MAX, 0 for none. */
export const withSession = (terms: OrderTerms, session: number): OrderTerms =>
  terms | (session << SESSION_SHIFT)
export const sessionOf = (terms: OrderTerms): number => (terms & ~ROUTED) >> SESSION_SHIFT
/** Whether the order was placed with smart order routing. Its bit is the sign. */
export const isRouted = (terms: OrderTerms): boolean => terms < 0
export const sideOf = (terms: OrderTerms): Side => (terms & 1) as Side
export const typeOf = (terms: OrderTerms): OrderType => ((terms >> 1) & 7) as OrderType
export const timeInForceOf = (terms: OrderTerms): TimeInForce => ((terms >> 4) & 3) as TimeInForce
export const preventionOf = (terms: OrderTerms): SelfTradePrevention =>
  ((terms >> PREVENTION_SHIFT) & 7) as SelfTradePrevention
