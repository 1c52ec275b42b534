/**
 * Every bound of the design (those of a deployment are in config/settings.ts), and the relations between bounds
 * that arithmetic relies on, asserted when this file is loaded.
 */
import { assert } from './assert.ts'
import { INT64_MAX } from './int64.ts'
import { Atoms } from './units.ts'

/** The most atoms of either asset that one order may move: an amount is a 64-bit integer. */
export const ORDER_ATOMS_MAX = Atoms(INT64_MAX)
/** Largest price in ticks and largest quantity in lots that a listing may allow: a price is a key of 32 bits. */
export const PRICE_TICKS_MAX = 2 ** 31 - 1
export const QTY_LOTS_MAX = 2 ** 43

/** Largest distance of a trailing stop, in basis points: 100 times the price. */
export const TRAILING_DELTA_MAX = 1_000_000

/** The longest time that a filter's average price may cover, minutes: its trades are kept. */
export const AVERAGE_MINUTES_MAX = 1_440

/** Decimals of every asset: an atom is 10^-8, the last digit that the wire shows. */
export const WIRE_DECIMALS = 8
/** The most decimals of the quote asset that a tick × lot may have; amounts are rounded to 8. */
export const TICK_LOT_DECIMALS = 12
/** The most parts of an atom (base/notional.ts). */
export const TICK_LOT_PARTS_MAX = 10 ** (TICK_LOT_DECIMALS - WIRE_DECIMALS)
/** Commission rates are integers in this many decimals. */
export const RATE_DECIMALS = 8
/** A rate above this is refused when it is set, in 1e-8: 0.5. */
export const RATE_MAX = 50_000_000

export const CLIENT_ORDER_ID_CHARS_MAX = 36

export const SYMBOLS_MAX = 4096
export const ASSETS_MAX = 1024
/** Balances of a ledger, one for each account and asset: a typed array of a few numbers for each can be made. */
const LEDGER_CELLS_MAX = 2 ** 26
/** Returns the assets that a ledger of so many accounts has room for: below ASSETS_MAX from 65,537 accounts on. */
export const assetsMaxOf = (accountsMax: number): number =>
  Math.min(ASSETS_MAX, Math.floor(LEDGER_CELLS_MAX / accountsMax))
export const MATCHERS_MAX = 32
export const GATEWAYS_MAX = 32
/** Numbers for sessions that cancel on disconnect: an order's terms have room for these. */
export const SESSIONS_PER_GATEWAY = 2 ** 16
export const SESSION_MAX = 2 ** 21 - 1

/** Commands taken from the rings into one batch, and so into one journal block. */
export const BATCH_COMMANDS_MAX = 1024
/** Of these, commands of the wallet. */
export const WALLET_COMMANDS_MAX = 16
/** Letters of the id of the transaction that pays a withdrawal, and of the transaction. */
export const TX_ID_MAX = 128
export const WITHDRAWAL_TEXT_MAX = 512
/**
 * A batch ends once its events have grown to this many bytes. A command with more to do, a cancel of
 * all orders or a cascade of stops, continues in the next batch.
 */
export const BATCH_EVENT_BYTES = 192 << 10
/**
 * The weight that one order may meet in its execution: 1 for a trade with a plain order, MATCH_WEIGHT_MAX
 * for a trade with any other order or slice, and for a prevented match. More is refused.
 */
export const EXECUTION_MATCHES_MAX = 2048
export const MATCH_WEIGHT_MAX = 4
/** What a routed order weighs for each order that it meets: two executions, and an allocation. */
export const ROUTED_WEIGHT = 6
/** Levels of a side of a mass quote. */
export const QUOTE_LEVELS_MAX = 20
/** Open orders and accounts of one owner that an order of a call may have to look through. More is refused. */
export const OWN_ORDERS_LOOKED_MAX = 1 << 15
/** The last interruptions of a symbol whose times are kept, and so the largest bound on them in an hour. */
export const INTERRUPTIONS_KEPT = 8
/** Bytes of events that a match of weight 1 causes at most; core/matching/reach.ts asserts it. */
export const MATCH_EVENT_BYTES = 408
/** Bytes of events of an execution besides its matches: up to three legs, their list, orders that end. */
export const EXECUTION_EVENT_BYTES = 4 << 10
/** The most bytes of events of one batch, which ends behind the execution that fills it. */
export const BATCH_EVENT_BYTES_MAX =
  BATCH_EVENT_BYTES + EXECUTION_MATCHES_MAX * MATCH_EVENT_BYTES + EXECUTION_EVENT_BYTES
/** The smallest event ring: the largest batch fits. */
export const EVENT_RING_BYTES_MIN = 1 << 20
/** Levels behind the best one that a pegged order may name. */
export const PEG_LEVELS_MAX = 100
/** Lots that one price level may show, so that its sum is an exact number. */
export const LEVEL_LOTS_MAX = Number.MAX_SAFE_INTEGER
/** The largest journal block that a reader accepts, bytes. Written blocks are far smaller. */
export const BLOCK_BYTES_MAX = 1 << 28
/** Largest limit on requests or orders: what a cell of gateway/limits/limit-cells.ts holds. */
export const LIMIT_MAX = 2 ** 28 - 1
/** Accounts that a key may be granted beside its own, for its drop copy. */
export const GRANTED_ACCOUNTS_MAX = 100
/** Timestamps and time parameters below this are in ms, from it on in µs (16 digits). */
export const MICROSECONDS_FROM = 10 ** 15
export const RECV_WINDOW_MS_DEFAULT = 5_000
export const RECV_WINDOW_MS_MAX = 60_000
/** Bounds of a countdown (docs/decisions/countdowns.md): a renewal has time to arrive; it is no standing order. */
export const COUNTDOWN_MS_MIN = 1_000
export const COUNTDOWN_MS_MAX = 24 * 60 * 60 * 1000
/** Bounds of a protection (docs/decisions/protections.md). */
export const PROTECTION_WINDOW_MS_MAX = 60 * 60 * 1000
export const PROTECTION_FILLS_MAX = 1_000_000

/** Operators' ids of block trades that a symbol knows: the newest. */
export const BLOCK_TRADES_KNOWN_MAX = 1_024
/** Shares of a protection's window: fills within one count as one moment. */
export const PROTECTION_MOMENTS = 256
/** Buckets of a reference price's window, and how long that may be. */
export const REFERENCE_BUCKETS_MAX = 1024
export const REFERENCE_WINDOW_MS_MAX = 24 * 60 * 60 * 1000
/** A timestamp this far ahead of the server's clock is refused. */
export const TIMESTAMP_AHEAD_MS_MAX = 1_000

assert(QTY_LOTS_MAX <= Number.MAX_SAFE_INTEGER, 'a quantity in lots is an exact number')
assert(
  PRICE_TICKS_MAX * (10_000 + TRAILING_DELTA_MAX) <= Number.MAX_SAFE_INTEGER,
  'a trailing trigger compares exact numbers',
)
assert(
  GATEWAYS_MAX * SESSIONS_PER_GATEWAY <= SESSION_MAX + 1,
  'the sessions of all gateways have numbers of their own',
)
assert(BATCH_EVENT_BYTES_MAX <= EVENT_RING_BYTES_MIN, 'a batch fits into every event ring')
assert(EVENT_RING_BYTES_MIN <= BLOCK_BYTES_MAX, 'a batch fits into a block')
assert(RATE_MAX < 10 ** RATE_DECIMALS, 'a commission never exceeds what it is charged on')

/** Basis points of a whole. */
export const BASIS_POINTS = 10_000
