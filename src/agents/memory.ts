/**
 * Sizes every shared region and makes it, once, at start. Each thread receives only the regions that it
 * uses; each region's class names its writer.
 */

import { SYMBOLS_MAX } from '../base/limits.ts'
import { StartError } from '../base/start-error.ts'
import type { Config } from '../config/config.ts'
import { PENDING_MAX } from '../gateway/engine-link/pending.ts'
import { limitBytes } from '../gateway/limits/rate-limits.ts'
import { listenKeyBytes } from '../gateway/streams/listen-keys.ts'
import { WAL_CELLS_BYTES } from '../journal/wal-cells.ts'
import type { SymbolSpec } from '../market/listing.ts'
import { commandRingBytes } from '../ring/command-ring.ts'
import { DOORBELL_BYTES } from '../ring/doorbell.ts'
import { eventRingBytes } from '../ring/event-ring.ts'
import { replyRingBytes } from '../ring/reply-ring.ts'
import { accountLatencyBytes } from '../shared/account-latency.ts'
import { ARCHIVE_CELLS_BYTES } from '../shared/archive-cells.ts'
import { countersBytes } from '../shared/counters.ts'
import { DISK_BYTES } from '../shared/disk.ts'
import { histogramsBytes } from '../shared/histograms.ts'
import { outcomesBytes } from '../shared/outcomes.ts'
import { ROLE_BYTES } from '../shared/role.ts'
import { stampsBytes } from '../shared/stamps.ts'
import { TradingLocks } from '../shared/trading-locks.ts'
import { type EngineRegions, engineMemory } from './book-memory.ts'

export interface Regions extends EngineRegions {
  /** Many writers (gateways), atomic cells. */
  readonly listenKeys: SharedArrayBuffer
  readonly limits: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
  readonly histograms: SharedArrayBuffer
  /** A block of each gateway, which writes it: shared/account-latency.ts. */
  readonly accountLatency: SharedArrayBuffer
  /** A block of each gateway, which writes it: shared/outcomes.ts. */
  readonly outcomes: SharedArrayBuffer
  /** By gateway; written by the matchers: shared/stamps.ts. */
  readonly stamps: readonly SharedArrayBuffer[]
  /** Position of the last published block, one 64-bit cell per matcher, which writes it. */
  readonly published: SharedArrayBuffer
  /** Position of the last archived block, one 64-bit cell per matcher; written by the indexer. */
  readonly archived: SharedArrayBuffer
  /** Where the archive is, and whether it has all rows: shared/archive-cells.ts. */
  readonly archive: SharedArrayBuffer
  /** One cell: queries that have found the archive behind; written by the gateways. */
  readonly archiveAwaited: SharedArrayBuffer
  /** By matcher: positions of its journal's write-ahead log (journal/wal-cells.ts). */
  readonly wals: readonly SharedArrayBuffer[]
  /** By gateway, then matcher. */
  readonly commandRings: readonly (readonly SharedArrayBuffer[])[]
  /** By gateway, then matcher, which writes it. */
  readonly replyRings: readonly (readonly SharedArrayBuffer[])[]
  /** By matcher, which writes it. */
  readonly eventRings: readonly SharedArrayBuffer[]
  /** One bell per matcher, one per gateway, then the indexer's, the checkpointer's and the snapshots'. */
  readonly bells: SharedArrayBuffer
  /** One cell, a `Phase`; written by the main thread. */
  readonly phase: SharedArrayBuffer
  /** One cell, 1 while maintenance is announced; written by the main thread. */
  readonly maintenance: SharedArrayBuffer
  /** One cell, 1 once requests of others were forwarded; written by the gateways. */
  readonly forwarding: SharedArrayBuffer
  /** A cell of each account, written by the indexer: shared/trading-locks.ts. */
  readonly tradingLocks: SharedArrayBuffer
  /** Written by the main thread and the replica thread: shared/role.ts. */
  readonly role: SharedArrayBuffer
  /** Written by the main thread: shared/disk.ts. */
  readonly disk: SharedArrayBuffer
}

/**
 * The phase of the whole exchange. RECOVERED: all balances add up, and matchers may write. STOPPING:
 * gateways are drained, matchers finish. MATCHED: no journal grows any more. ENDING: something failed;
 * writers leave between two transactions and finish nothing.
 */
export const Phase = {
  RECOVERING: 0,
  RECOVERED: 1,
  RUNNING: 2,
  STOPPING: 3,
  MATCHED: 4,
  ENDING: 5,
} as const

export const matcherBellOffset = (matcher: number): number => matcher * DOORBELL_BYTES
export const gatewayBellOffset = (gateway: number, matchers: number): number =>
  (matchers + gateway) * DOORBELL_BYTES

export const indexerBellOffset = (matchers: number, gateways: number): number =>
  (matchers + gateways) * DOORBELL_BYTES

export const checkpointerBellOffset = (matchers: number, gateways: number): number =>
  (matchers + gateways + 1) * DOORBELL_BYTES

export const snapshotBellOffset = (matchers: number, gateways: number): number =>
  (matchers + gateways + 2) * DOORBELL_BYTES

/**
 * The most bytes of waiting replies of a matcher to a gateway. Room for the pages that all bulk queries of
 * a gateway request at once (gateway/engine-link/bulk-queries.ts), for a piece of a book
 * (gateway/engine-link/book-loader.ts), and for the refusals of 10,000 commands in the quarter that is
 * kept for them.
 */
const REPLY_RING_BYTES = 1 << 21

/** `phase` has one cell. Throws StartError when the system lacks the memory. */
export function reserve(
  config: Config,
  symbols: readonly SymbolSpec[],
  phase = new SharedArrayBuffer(4),
): Regions {
  try {
    return { ...reserveAll(config, symbols), phase }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const { ordersPerSymbol, accounts } = config
    const asked = `--orders-per-symbol ${ordersPerSymbol} and --accounts ${accounts}`
    throw new StartError(`The system has no memory for ${symbols.length} books with ${asked}.`)
  }
}

function reserveAll(config: Config, symbols: readonly SymbolSpec[]): Omit<Regions, 'phase'> {
  const { matchers, gateways } = config
  const share = (bytes: number) => new SharedArrayBuffer(bytes)
  const perMatcher = <T>(make: () => T) => Array.from({ length: matchers }, make)
  return {
    ...engineMemory(symbols, config),
    listenKeys: share(listenKeyBytes(config.accounts)),
    limits: share(limitBytes(config.accounts)),
    counters: share(countersBytes(matchers, gateways, SYMBOLS_MAX)),
    histograms: share(histogramsBytes(matchers, gateways)),
    accountLatency: share(accountLatencyBytes(gateways)),
    outcomes: share(outcomesBytes(gateways)),
    stamps: Array.from({ length: gateways }, () => share(stampsBytes(PENDING_MAX))),
    published: share(8 * matchers),
    archived: share(8 * matchers),
    archive: share(ARCHIVE_CELLS_BYTES),
    archiveAwaited: share(4),
    wals: perMatcher(() => share(WAL_CELLS_BYTES)),
    commandRings: Array.from({ length: gateways }, () =>
      perMatcher(() => share(commandRingBytes(config.commandRingSlots))),
    ),
    replyRings: Array.from({ length: gateways }, () =>
      perMatcher(() => share(replyRingBytes(REPLY_RING_BYTES))),
    ),
    eventRings: perMatcher(() => share(eventRingBytes(config.eventRingBytes))),
    bells: share((matchers + gateways + 3) * DOORBELL_BYTES),
    maintenance: share(4),
    forwarding: share(4),
    tradingLocks: share(TradingLocks.bytesFor(config.accounts)),
    role: share(ROLE_BYTES),
    disk: share(DISK_BYTES),
  }
}

export function reservedBytes(regions: Regions): number {
  const sum = (value: unknown): number => {
    if (value instanceof SharedArrayBuffer) return value.byteLength
    return Array.isArray(value) ? value.reduce<number>((total, item) => total + sum(item), 0) : 0
  }
  return Object.values(regions).reduce<number>((total, region) => total + sum(region), 0)
}
