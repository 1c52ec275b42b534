/**
 * The exchange's counters, in shared memory that any thread may read at no cost to the writers. Each
 * matcher and each gateway has a block of cells that it alone writes, plainly. The matcher that owns a
 * symbol writes the symbol's block, matcher 0 the wallet's, and the thread that writes a store the store's. Every thread writes the
 * block of the whole exchange, atomically. Every counter is one row below.
 *
 *   blocks   exchange, matcher 0, gateway 0, … (32 of each), control, archive, journal 0, … (32), wallet, symbol 0, …
 *   cell     8 bytes: i64 in the block of the exchange, f64 in all others
 *
 * No decision may depend on a counter: a reader sees the cells at different moments.
 */
import { assert } from '../base/assert.ts'
import { GATEWAYS_MAX, MATCHERS_MAX } from '../base/limits.ts'
import type { SymbolId } from '../base/units.ts'

export type CounterScope = 'exchange' | 'matcher' | 'gateway' | 'store' | 'wallet' | 'symbol'
/** A `total` only grows; a `gauge` is the value last set; a `maximum` the largest seen. */
export type CounterKind = 'total' | 'gauge' | 'maximum'
type CounterRow = readonly [kind: CounterKind, unit: string, meaning: string]

/** Every counter, by the threads that count it. */
const exchangeRows = {
  threads: ['total', 'threads', 'that were started'],
  warnings: ['total', 'lines', 'of warnings logged'],
  alertsSent: ['total', 'messages', 'of alerts that a receiver took'],
  alertFailures: ['total', 'messages', 'of alerts that did not arrive'],
  doorDisplaced: ['total', 'connections', 'at the admin server closed to make room for another'],
} as const satisfies Record<string, CounterRow>

const matcherRows = {
  commands: ['total', 'commands', 'executed'],
  batchCommandsMax: ['maximum', 'commands', 'in one batch'],
  idleNs: ['total', 'ns', 'asleep, waiting for commands'],
  eventBytes: ['total', 'bytes', 'of events journaled'],
  batchEventBytesMax: ['maximum', 'bytes', 'of events in one batch'],
  flushNsMax: ['maximum', 'ns', 'spent on one block'],
  pausedNsMax: ['maximum', 'ns', 'paused at one moment, for a backup'],
  clockLagMs: ['gauge', 'ms', "that the clock is behind the journal's last time"],
  walFull: ['total', 'waits', 'for room in the write-ahead log of the journal'],
  oversizedPublications: ['total', 'batches', 'too large for the event ring; all readers resync'],
  commandsHeld: ['total', 'commands', 'that waited behind a large one, while others passed'],
  deferredFull: [
    'total',
    'commands',
    'refused because too many of their symbol or account waited behind a large one',
  ],
  answersWithoutRoom: ['total', 'queries', 'answered busy because a reply ring was full'],
} as const satisfies Record<string, CounterRow>

const gatewayRows = {
  requests: ['total', 'requests', 'received over HTTP and WebSocket API'],
  commands: ['total', 'commands', 'sent to matchers'],
  commandRingFull: ['total', 'requests', 'answered busy because a command ring was full'],
  pendingFull: ['total', 'requests', 'answered busy because too many were waiting'],
  diskRefused: ['total', 'requests', 'that place orders, refused on the reserve of the disk'],
  queriesFull: ['total', 'queries', 'answered busy because too many were waiting'],
  inquiriesFull: ['total', 'requests', 'for open orders answered busy because too many waited'],
  pendingTimeouts: ['total', 'requests', 'whose answer did not come in time'],
  records: ['total', 'records', 'read from event rings'],
  readerOverrun: ['total', 'overruns', 'of this reader by a matcher; its streams were closed'],
  connections: ['gauge', 'connections', 'open WebSockets'],
  streamMessages: ['total', 'messages', 'published on streams'],
  slowClientsClosed: ['total', 'connections', 'closed because they read too slowly'],
  limitsReached: ['total', 'requests', 'refused by a rate limit or a ban'],
  addressesBanned: ['total', 'bans', 'of addresses that kept sending after a refusal'],
  bansOfWeight: ['total', 'bans', 'of addresses that kept sending beyond the request weight'],
  bansOfRawRequests: ['total', 'bans', 'of addresses that kept sending beyond the raw requests'],
  bansOfOrders: ['total', 'bans', 'of addresses whose orders kept coming after -1015'],
  addressesShutOut: [
    'total',
    'addresses',
    'closed at accept for a minute, since they kept sending',
  ],
  socketsRefused: ['total', 'sockets', 'closed at accept: too many, of one address or of all'],
  signaturesUnchecked: ['total', 'requests', 'refused unchecked after many bad signatures'],
  addressesForgotten: ['total', 'addresses', 'whose counts made room for those of another'],
  sleeps: ['total', 'sleeps', 'of the poller while no reply was pending'],
  eventBytesWaiting: ['gauge', 'bytes', 'that waited in event rings when last looked at'],
  eventBytesWaitingMax: ['maximum', 'bytes', 'that waited in one event ring'],
  pendingRequests: ['gauge', 'requests', 'waiting for an answer of a matcher'],
  streamSubscriptions: ['gauge', 'subscriptions', 'to market streams'],
  userSubscriptions: ['gauge', 'subscriptions', "to accounts' streams"],
  heapBytes: ['gauge', 'bytes', 'used of the heap of its thread'],
  streamNames: ['gauge', 'names', 'that connections have asked for and that are kept'],
  namesRefused: ['total', 'names', 'of streams, because the address or the gateway had too many'],
  unreadBytes: ['gauge', 'bytes', 'that clients have not read, or not sent in full'],
  backlogBytes: ['gauge', 'bytes', 'of frames that readers of WebSockets were behind by'],
  unreadRefused: ['total', 'requests', 'closed or refused: no room for unread bytes'],
  memoryLevel: ['gauge', 'level', 'of memory pressure: 0 none, 1 nothing new, 2 connections end'],
  framesUnpaced: ['total', 'frames', 'of streams sent out of pace: too many waited'],
  framesCulled: [
    'total',
    'frames',
    'of bestBidAsk that gave way to newer ones before they were sent',
  ],
  commandsPaced: ['total', 'ticks', 'in which commands waited: frames of streams were far behind'],
  framesRefused: ['total', 'frames', 'closed with their connection: too many bytes of one address'],
  answersRefused: ['total', 'requests', 'refused after too many bytes of answers to their address'],
  memoryShed: ['total', 'connections', 'closed or refused under memory pressure'],
  faultsTouched: ['total', 'matches', 'of fault rules of the sandbox that the rule touched'],
  faultDelaysSkipped: ['total', 'delays', 'of the sandbox, since too much was delayed already'],
} as const satisfies Record<string, CounterRow>

const storeRows = {
  fileBytes: ['gauge', 'bytes', 'of its file'],
  freeBytes: ['gauge', 'bytes', 'of its file that hold nothing'],
  freeEntries: ['gauge', 'entries', 'in its list of free pages'],
  readerAgeMs: ['gauge', 'ms', 'that its oldest reader has held one state'],
} as const satisfies Record<string, CounterRow>

/** A `moment` is in ms since 1970, and shown as the time since. */
const walletRows = {
  events: ['total', 'events', 'of the wallet ever journaled'],
  withdrawalsWaiting: ['gauge', 'withdrawals', 'that wait for an operator'],
  waitingSinceMs: ['gauge', 'moment', 'since the oldest of these was applied for; 0 without one'],
  withdrawalsProcessing: ['gauge', 'withdrawals', 'that are PROCESSING'],
  processingSinceMs: ['gauge', 'moment', 'that the oldest of these has been so; 0 without one'],
  chainsStopped: ['gauge', 'chains', 'that make no blocks'],
  assetsOwed: ['gauge', 'assets', 'of which accounts owe deposits that were taken back'],
} as const satisfies Record<string, CounterRow>

const symbolRows = {
  events: ['total', 'events', 'ever journaled'],
  orders: ['total', 'orders', 'ever accepted'],
  trades: ['total', 'trades', 'ever made'],
  restingOrders: ['gauge', 'orders', 'open on the book'],
  waitingOrders: ['gauge', 'orders', 'open beside the book: stops, and pending legs of lists'],
  levels: ['gauge', 'levels', 'of prices on the book'],
  phase: [
    'gauge',
    'phase',
    'that it is in: 1 PRE_TRADING, 2 TRADING, 3 POST_TRADING, 4 END_OF_DAY, 5 HALT, 6 AUCTION_MATCH, ' +
      '7 BREAK, 8 CANCEL_ONLY',
  ],
  waitsForOperator: ['gauge', 'calls', 'that last until an operator ends them: 1 or 0'],
} as const satisfies Record<string, CounterRow>

const scopes: readonly {
  readonly scope: CounterScope
  readonly rows: Readonly<Record<string, CounterRow>>
  readonly blockOf: (index: number) => number
}[] = [
  { scope: 'exchange', rows: exchangeRows, blockOf: () => 0 },
  { scope: 'matcher', rows: matcherRows, blockOf: matcherBlock },
  { scope: 'gateway', rows: gatewayRows, blockOf: gatewayBlock },
  { scope: 'store', rows: storeRows, blockOf: storeBlock },
  { scope: 'wallet', rows: walletRows, blockOf: walletBlock },
  { scope: 'symbol', rows: symbolRows, blockOf: symbolBlock },
]

/** The cell of each counter within its block. */
export const ExchangeCounter = idsOf(exchangeRows)
export const MatcherCounter = idsOf(matcherRows)
export const GatewayCounter = idsOf(gatewayRows)
export const StoreCounter = idsOf(storeRows)
export const WalletCounter = idsOf(walletRows)
export const SymbolCounter = idsOf(symbolRows)

/** The stores' places among blocks. */
export const CONTROL_STORE = 0
export const ARCHIVE_STORE = 1
export const journalStore = (matcher: number): number => 2 + matcher
export const storeName = (store: number): string =>
  ['control', 'archive'][store] ?? `journal-${store - journalStore(0)}`

/** Cells of a block: room for every scope, and a multiple of two cache lines between writers. */
const BLOCK_CELLS = 48
const BLOCK_BYTES = BLOCK_CELLS * 8
for (const { rows } of scopes) {
  assert(Object.keys(rows).length <= BLOCK_CELLS, 'a block of counters has room for its rows')
}

/** Returns the bytes of shared memory for these threads and symbols. */
export function countersBytes(matchers: number, gateways: number, symbols = 0): number {
  assert(matchers <= MATCHERS_MAX && gateways <= GATEWAYS_MAX, 'counters have room for all threads')
  return symbolBlock(symbols) * BLOCK_BYTES
}

/** The block of one matcher, gateway, store or symbol: only one thread may write through it. */
export class ThreadCounters {
  private readonly cells: Float64Array

  private constructor(memory: SharedArrayBuffer, block: number) {
    this.cells = new Float64Array(memory, block * BLOCK_BYTES, BLOCK_CELLS)
  }

  /** For cells named by MatcherCounter. */
  static ofMatcher(memory: SharedArrayBuffer, index: number): ThreadCounters {
    return new ThreadCounters(memory, matcherBlock(index))
  }

  /** For cells named by GatewayCounter. */
  static ofGateway(memory: SharedArrayBuffer, index: number): ThreadCounters {
    return new ThreadCounters(memory, gatewayBlock(index))
  }

  /** For cells named by StoreCounter; the thread that writes the store writes. */
  static ofStore(memory: SharedArrayBuffer, store: number): ThreadCounters {
    return new ThreadCounters(memory, storeBlock(store))
  }

  /** For cells named by WalletCounter; matcher 0 writes. */
  static ofWallet(memory: SharedArrayBuffer): ThreadCounters {
    return new ThreadCounters(memory, walletBlock())
  }

  /** For cells named by SymbolCounter; the matcher that owns the symbol writes. */
  static ofSymbol(memory: SharedArrayBuffer, symbolId: SymbolId): ThreadCounters {
    return new ThreadCounters(memory, symbolBlock(symbolId))
  }

  add(cell: number, amount: number): void {
    this.cells[cell] = this.cells[cell]! + amount
  }

  set(cell: number, value: number): void {
    this.cells[cell] = value
  }

  /** Keeps the larger of the two. */
  raise(cell: number, value: number): void {
    if (value > this.cells[cell]!) this.cells[cell] = value
  }
}

/** The block of the whole exchange: any thread may write, at the price of an atomic addition. */
export class ExchangeCounters {
  private readonly cells: BigInt64Array

  constructor(memory: SharedArrayBuffer) {
    this.cells = new BigInt64Array(memory, 0, BLOCK_CELLS)
  }

  /** For cells named by ExchangeCounter; `amount` is an integer. */
  add(cell: number, amount: number): void {
    Atomics.add(this.cells, cell, BigInt(amount))
  }
}

export interface CounterReading {
  readonly scope: CounterScope
  /** Which matcher, gateway, store or symbol; 0 for the exchange and the wallet. */
  readonly index: number
  readonly name: string
  readonly kind: CounterKind
  readonly unit: string
  readonly meaning: string
  readonly value: number
}

/** Returns the counters of these threads, their stores and symbols, in the order of the tables. */
export function readCounters(
  memory: SharedArrayBuffer,
  matchers: number,
  gateways: number,
  symbols = 0,
): CounterReading[] {
  const plain = new Float64Array(memory)
  const atomic = new BigInt64Array(memory)
  const shown = {
    exchange: 1,
    matcher: matchers,
    gateway: gateways,
    store: journalStore(matchers),
    wallet: 1,
    symbol: symbols,
  }
  const readings: CounterReading[] = []
  for (const { scope, rows, blockOf } of scopes) {
    for (let index = 0; index < shown[scope]; index++) {
      let cell = blockOf(index) * BLOCK_CELLS
      for (const [name, [kind, unit, meaning]] of Object.entries(rows)) {
        const value = scope === 'exchange' ? Number(Atomics.load(atomic, cell)) : plain[cell]!
        readings.push({ scope, index, name, kind, unit, meaning, value })
        cell++
      }
    }
  }
  return readings
}

/** Returns one counter of the first `count` threads, stores or symbols, by index. */
export function counterColumn(
  memory: SharedArrayBuffer,
  scope: Exclude<CounterScope, 'exchange' | 'wallet'>,
  name: string,
  count: number,
): readonly number[] {
  const { rows, blockOf } = scopes.find((it) => it.scope === scope)!
  const index = Object.keys(rows).indexOf(name)
  assert(index >= 0, 'a counter has a row')
  const cells = new Float64Array(memory)
  return Array.from({ length: count }, (_, at) => cells[blockOf(at) * BLOCK_CELLS + index]!)
}

function matcherBlock(index: number): number {
  return 1 + 2 * index
}

function gatewayBlock(index: number): number {
  return 2 + 2 * index
}

function storeBlock(index: number): number {
  return 1 + 2 * Math.max(MATCHERS_MAX, GATEWAYS_MAX) + index
}

function walletBlock(): number {
  return storeBlock(journalStore(MATCHERS_MAX))
}

function symbolBlock(index: number): number {
  return walletBlock() + 1 + index
}

function idsOf<T extends Record<string, CounterRow>>(
  rows: T,
): { readonly [Name in keyof T]: number } {
  const ids: Record<string, number> = {}
  for (const name of Object.keys(rows)) ids[name] = Object.keys(ids).length
  return ids as { readonly [Name in keyof T]: number }
}
