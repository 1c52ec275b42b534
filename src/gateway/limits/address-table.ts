/**
 * The client addresses that the limits know, and the place of their counts: a table of fixed size in
 * shared memory, which every gateway writes by compare-and-swap.
 *
 *   row   16 cells of 8 bytes: the address's key, then those of AddressCell, two spare
 *   set   8 rows; an address may stand in any row of the set that its key falls into
 *   salt  the last cell: an odd factor of the keys' hash, drawn by the first gateway of a start
 *
 * Without the salt a client with many IPv6 networks could choose eight that fall into its neighbour's set,
 * and evict the neighbour's counts and bans.
 *
 * A new address in a full set takes the row of the unbanned address that was quiet longest; when all
 * are banned, that of the ban that ends first. So the table never refuses, and an evicted count favours
 * the client. A row with a new owner need not be cleared: its counts carry their owner's tag, and
 * under another tag they are 0. In a race two gateways may give one address two rows; the first found
 * counts, and the other is evicted later.
 */
import { randomBytes } from 'node:crypto'
import { ADDRESS_BYTES, isMapped } from '../../base/address-range.ts'
import { LIMIT_MAX } from '../../base/limits.ts'
import type { Ms } from '../../base/units.ts'
import { type Bans, TAG_BITS } from './bans.ts'
import { type LimitCells, STAMP_BITS } from './limit-cells.ts'

const ROWS = 4096
const WAYS = 8
export const ROW_CELLS = 16
const TAGS = 2 ** TAG_BITS
/** Numbers of intervals are kept modulo this: years of minutes. */
const INTERVALS = 2 ** (STAMP_BITS - TAG_BITS)
const SET_SHIFT = 55n
const TAG_SHIFT = 32n
/** IPv4 addresses map to reserved networks of IPv6, which have no hosts. */
const MAPPED_KEY = 0xffff_0000_0000

/** The salt's cell; 0 until it is drawn. */
export const ADDRESS_SALT_CELL = ROWS * ROW_CELLS
export const ADDRESS_TABLE_CELLS = ADDRESS_SALT_CELL + 1

/** Places of an address's cells in its row. */
export const AddressCell = {
  WEIGHT: 1,
  RAW_REQUESTS: 2,
  CONNECTIONS: 3,
  WEIGHT_STRIKES: 4,
  RAW_REQUEST_STRIKES: 5,
  BAN: 6,
  ACCEPTS: 7,
  WEB_SOCKETS: 8,
  REFUSALS: 9,
  ORDER_REFUSALS: 10,
  BAD_SIGNATURES: 11,
  FRAME_BYTES: 12,
  ANSWER_BYTES: 13,
} as const

/** The row of an address and its tag there, as one number. The row may get another owner. */
export type AddressHandle = number

/** The first cell of the handle's row. */
export const rowOf = (handle: AddressHandle): number => Math.floor(handle / TAGS)
export const tagOf = (handle: AddressHandle): number => handle % TAGS
/** The stamp of an interval's counts of this address. */
export const stampOf = (handle: AddressHandle, interval: number): number =>
  tagOf(handle) * INTERVALS + (interval % INTERVALS)

export class AddressTable {
  private readonly keys: BigInt64Array
  private readonly factor: bigint
  private readonly counts: LimitCells
  private readonly bans: Bans
  private readonly evicted: () => void

  /** The keys are in the same rows as the cells of `counts` and `bans`. Calls `evicted` for each. */
  constructor(cells: BigInt64Array, counts: LimitCells, bans: Bans, evicted: () => void) {
    this.keys = cells
    this.factor = saltOf(cells)
    this.counts = counts
    this.bans = bans
    this.evicted = evicted
  }

  /**
   * Returns the handle of an address of 4 or 16 bytes. Of an IPv6 address the first 8 bytes count,
   * since one client has a network of that size to itself.
   */
  find(address: Uint8Array, nowMs: Ms): AddressHandle {
    const key = keyOf(address)
    const hash = this.hashOf(key)
    const tag = tagOfHash(hash)
    const first = Number(hash >> SET_SHIFT) * WAYS * ROW_CELLS
    for (;;) {
      const at = this.lookIn(first, key)
      if (at >= 0) return at * TAGS + tag
      const victim = this.victimIn(first, nowMs)
      const holder = Atomics.load(this.keys, victim)
      if (holder === key) return victim * TAGS + tag
      if (Atomics.compareExchange(this.keys, victim, holder, key) === holder) {
        this.evicted()
        return victim * TAGS + tag
      }
    }
  }

  /** Returns the row of the key, or a free one that it takes; -1 when there is neither. */
  private lookIn(first: number, key: bigint): number {
    for (let way = 0; way < WAYS; way++) {
      const at = first + way * ROW_CELLS
      let holder = Atomics.load(this.keys, at)
      if (holder === 0n) holder = Atomics.compareExchange(this.keys, at, 0n, key) || key
      if (holder === key) return at
    }
    return -1
  }

  private victimIn(first: number, nowMs: Ms): number {
    let victim = first
    let least = Number.POSITIVE_INFINITY
    for (let way = 0; way < WAYS; way++) {
      const at = first + way * ROW_CELLS
      const rank = this.rankOf(at, nowMs)
      if (rank < least) {
        victim = at
        least = rank
      }
    }
    return victim
  }

  /** Returns a lower number for earlier eviction: by the latest interval, with bans above all. */
  private rankOf(at: number, nowMs: Ms): number {
    const tag = tagOfHash(this.hashOf(Atomics.load(this.keys, at)))
    const banEndsMs = this.bans.endsMs(at + AddressCell.BAN, tag)
    if (banEndsMs > nowMs) return INTERVALS + banEndsMs
    const { stamp, count } = this.counts.read(at + AddressCell.RAW_REQUESTS)
    return Math.floor(stamp / INTERVALS) === tag
      ? (stamp % INTERVALS) + count / (LIMIT_MAX + 1)
      : -1
  }

  private hashOf(key: bigint): bigint {
    return BigInt.asUintN(64, key * this.factor)
  }
}

const tagOfHash = (hash: bigint): number => Number((hash >> TAG_SHIFT) & BigInt(TAGS - 1))

/** Returns the salt of the cells. Of several gateways that begin at once, the first draws it. */
function saltOf(cells: BigInt64Array): bigint {
  Atomics.compareExchange(cells, ADDRESS_SALT_CELL, 0n, randomBytes(8).readBigInt64LE() | 1n)
  return Atomics.load(cells, ADDRESS_SALT_CELL)
}

/** Never 0, which marks a free row. */
function keyOf(address: Uint8Array): bigint {
  const end = address.length
  if (end === ADDRESS_BYTES && !isMapped(address)) {
    const key = (BigInt(wordAt(address, 0)) << 32n) | BigInt(wordAt(address, 4))
    return BigInt.asIntN(64, key) || 1n
  }
  return BigInt(MAPPED_KEY + wordAt(address, end - 4))
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
