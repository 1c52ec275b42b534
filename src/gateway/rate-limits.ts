/**
 * How much each address and each account has used of its limits (spec, Limits; supplement 2g). Many
 * writers: every gateway, by compare-and-swap on cells that pack the number of an interval and the
 * count within it, so that a new interval begins by itself.
 *
 *   byte 0           accounts   16 bytes each: ORDERS per second, ORDERS per day
 *   byte 16 × accts  addresses  32 bytes each: address, weight, raw requests, connections
 *
 * A cell is i64: interval × 2^32 + count. Addresses stand in sets of 8; a new one in a full set takes
 * the place of the one that was quiet longest, so the table is bounded and never refuses.
 */
import { Fault } from '#api/errors.ts'
import { assert } from '#base/assert.ts'

export interface Limiter {
  readonly rateLimitType: 'REQUEST_WEIGHT' | 'RAW_REQUESTS' | 'ORDERS' | 'CONNECTIONS'
  readonly interval: 'SECOND' | 'MINUTE' | 'DAY'
  readonly intervalNum: number
  readonly limit: number
  readonly intervalMs: number
}

const limiter = (
  rateLimitType: Limiter['rateLimitType'],
  interval: Limiter['interval'],
  intervalNum: number,
  limit: number,
): Limiter => {
  const unitMs = { SECOND: 1_000, MINUTE: 60_000, DAY: 86_400_000 }[interval]
  return { rateLimitType, interval, intervalNum, limit, intervalMs: unitMs * intervalNum }
}

export const requestWeight = limiter('REQUEST_WEIGHT', 'MINUTE', 1, 6_000)
export const rawRequests = limiter('RAW_REQUESTS', 'MINUTE', 5, 61_000)
export const ordersPerSecond = limiter('ORDERS', 'SECOND', 1, 10)
export const ordersPerDay = limiter('ORDERS', 'DAY', 1, 160_000)
export const connections = limiter('CONNECTIONS', 'MINUTE', 5, 300)

/** The limits as exchange information publishes them. */
export const publishedLimits: readonly Omit<Limiter, 'intervalMs'>[] = [
  requestWeight,
  ordersPerSecond,
  ordersPerDay,
  rawRequests,
].map(({ intervalMs, ...published }) => published)

const ADDRESSES = 4096
const WAYS = 8
const ADDRESS_CELLS = 4
const ACCOUNT_CELLS = 2
/** Places of an address's cells. */
const WEIGHT = 1
const RAW = 2
const CONNECTIONS = 3
const COUNT_MASK = 0xffffffffn

export const limitBytes = (accountsMax: number): number =>
  8 * (ACCOUNT_CELLS * accountsMax + ADDRESS_CELLS * ADDRESSES)

/** Seconds until the limiter's current interval ends, at least 1. */
export const retryAfterSeconds = (limit: Limiter, nowMs: number): number =>
  Math.max(1, Math.ceil((limit.intervalMs - (nowMs % limit.intervalMs)) / 1000))

/** What a request refused by the limiter is told (supplement 2a.7). */
export function limitFault(limit: Limiter): Fault {
  if (limit === rawRequests) return new Fault('TOO_MANY_REQUESTS')
  const id = limit === requestWeight ? 'TOO_MUCH_WEIGHT' : 'TOO_MANY_ORDERS'
  return new Fault(id, limit.limit, limit.intervalNum, limit.interval)
}

export class RateLimits {
  /** Whether anything is counted at all. */
  readonly enabled: boolean
  readonly #cells: BigInt64Array
  readonly #addresses: number
  /** Counts after the last call that answered true, for headers. */
  weightUsed = 0
  ordersThisSecond = 0
  ordersThisDay = 0

  constructor(memory: SharedArrayBuffer, accountsMax: number, enabled: boolean) {
    assert(memory.byteLength >= limitBytes(accountsMax), 'limit cells were sized by limitBytes')
    this.#cells = new BigInt64Array(memory)
    this.#addresses = ACCOUNT_CELLS * accountsMax
    this.enabled = enabled
  }

  /**
   * Charges a request to its address; the limiter that refuses it, or undefined. `weightUsed` is then
   * what the address has used of its weight in this interval.
   */
  chargeRequest(address: number, weight: number, nowMs: number): Limiter | undefined {
    const raw = this.#charge(address + RAW, rawRequests, 1, nowMs)
    const used = this.#charge(address + WEIGHT, requestWeight, weight, nowMs)
    this.weightUsed = used < 0 ? this.#count(address + WEIGHT, requestWeight, nowMs) : used
    if (raw < 0) return rawRequests
    return used < 0 ? requestWeight : undefined
  }

  /** Gives weight back, of a request that turned out to be free. */
  refundWeight(address: number, weight: number, nowMs: number): void {
    this.weightUsed = this.#refund(address + WEIGHT, requestWeight, weight, nowMs)
  }

  /** Charges a connection attempt to its address; false when there were too many. */
  chargeConnection(address: number, nowMs: number): boolean {
    return this.#charge(address + CONNECTIONS, connections, 1, nowMs) >= 0
  }

  /** Charges orders to an account; the limiter that refuses them, or undefined. */
  chargeOrders(account: number, orders: number, nowMs: number): Limiter | undefined {
    const cell = ACCOUNT_CELLS * account
    // The day first: while it is exceeded, the second is not counted on.
    const day = this.#charge(cell + 1, ordersPerDay, orders, nowMs)
    if (day < 0) return ordersPerDay
    const second = this.#charge(cell, ordersPerSecond, orders, nowMs)
    if (second < 0) {
      this.#refund(cell + 1, ordersPerDay, orders, nowMs)
      return ordersPerSecond
    }
    this.ordersThisSecond = second
    this.ordersThisDay = day
    return undefined
  }

  /** The limiter that would refuse so many orders now, or undefined; charges nothing. */
  orderLimiter(account: number, orders: number, nowMs: number): Limiter | undefined {
    return this.orderCounts(account, nowMs).find(({ limit, count }) => count + orders > limit)
  }

  /** The day first, as it is charged. */
  orderCounts(account: number, nowMs: number): readonly (Limiter & { count: number })[] {
    const cell = ACCOUNT_CELLS * account
    return [
      { ...ordersPerDay, count: this.#count(cell + 1, ordersPerDay, nowMs) },
      { ...ordersPerSecond, count: this.#count(cell, ordersPerSecond, nowMs) },
    ]
  }

  /**
   * The handle of an address: 4 bytes, or 16 of which the first 8 count, since one client has a /64
   * network to itself. Later, when the table was full, it may have become another's.
   */
  addressOf(bytes: ArrayBuffer): number {
    const key = addressKey(new Uint8Array(bytes))
    const sets = ADDRESSES / WAYS
    const set = Number(BigInt.asUintN(32, (key * 0x9e3779b97f4a7c15n) >> 29n)) % sets
    const first = this.#addresses + set * WAYS * ADDRESS_CELLS
    for (;;) {
      let oldest = first
      let oldestCell = Atomics.load(this.#cells, first + RAW)
      for (let way = 0; way < WAYS; way++) {
        const at = first + way * ADDRESS_CELLS
        const holder = Atomics.load(this.#cells, at)
        if (holder === key) return at
        if (holder === 0n) {
          const found = Atomics.compareExchange(this.#cells, at, 0n, key)
          if (found === 0n || found === key) return at
        }
        const cell = Atomics.load(this.#cells, at + RAW)
        if (cell < oldestCell) {
          oldest = at
          oldestCell = cell
        }
      }
      if (this.#evict(oldest, key)) return oldest
    }
  }

  #evict(at: number, key: bigint): boolean {
    const holder = Atomics.load(this.#cells, at)
    if (Atomics.compareExchange(this.#cells, at, holder, key) !== holder) return false
    for (const cell of [WEIGHT, RAW, CONNECTIONS]) Atomics.store(this.#cells, at + cell, 0n)
    return true
  }

  #count(at: number, limit: Limiter, nowMs: number): number {
    const cell = Atomics.load(this.#cells, at)
    return cell >> 32n === intervalOf(limit, nowMs) ? Number(cell & COUNT_MASK) : 0
  }

  /** The count with `amount` added, or -1 when that is over the limit: then nothing is added. */
  #charge(at: number, limit: Limiter, amount: number, nowMs: number): number {
    const interval = intervalOf(limit, nowMs)
    for (;;) {
      const cell = Atomics.load(this.#cells, at)
      const count = (cell >> 32n === interval ? Number(cell & COUNT_MASK) : 0) + amount
      if (count > limit.limit) return -1
      const next = (interval << 32n) | BigInt(count)
      if (Atomics.compareExchange(this.#cells, at, cell, next) === cell) return count
    }
  }

  /** The count with `amount` taken back, floor 0; in a later interval there is nothing to take. */
  #refund(at: number, limit: Limiter, amount: number, nowMs: number): number {
    const interval = intervalOf(limit, nowMs)
    for (;;) {
      const cell = Atomics.load(this.#cells, at)
      if (cell >> 32n !== interval) return 0
      const count = Math.max(0, Number(cell & COUNT_MASK) - amount)
      const next = (interval << 32n) | BigInt(count)
      if (Atomics.compareExchange(this.#cells, at, cell, next) === cell) return count
    }
  }
}

/** Intervals are aligned to the epoch, not sliding; 31 bits of their number are enough to differ. */
const intervalOf = (limit: Limiter, nowMs: number): bigint =>
  BigInt(Math.floor(nowMs / limit.intervalMs) % 2 ** 31)

/** Never 0, which marks a free place. */
function addressKey(bytes: Uint8Array): bigint {
  const mapped =
    bytes.length === 16 &&
    bytes[10] === 0xff &&
    bytes[11] === 0xff &&
    bytes.subarray(0, 10).every((byte) => byte === 0)
  let key = 0n
  if (bytes.length === 16 && !mapped) {
    for (let i = 0; i < 8; i++) key = (key << 8n) | BigInt(bytes[i]!)
  } else {
    key = 0xffffn
    for (let i = mapped ? 12 : 0; i < bytes.length; i++) key = (key << 8n) | BigInt(bytes[i]!)
  }
  key = BigInt.asIntN(64, key)
  return key === 0n ? 1n : key
}
