/**
 * The use of each address's and each account's limits, for all gateways together
 * (rest-api.md, limits). Servers of requests charge them here first and report the use to clients. An address
 * that continues after a refusal is banned.
 *
 *   accounts   4 cells each: ORDERS per second, ORDERS per day, own weight, connections logged on
 *   guard      address-guard.ts: its head
 *   addresses  address-table.ts
 */
import type { ArrivalLimit } from '../../api/answers/limits.ts'
import { Fault } from '../../api/errors.ts'
import {
  type AddressRange,
  isInRange,
  mappedAddress,
  parseAddressRanges,
} from '../../base/address-range.ts'
import { assert } from '../../base/assert.ts'
import { LIMIT_MAX } from '../../base/limits.ts'
import type { AccountId, Ms } from '../../base/units.ts'
import type { AccountLimits, AccountSpec } from '../../market/listing.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import {
  AddressGuard,
  bytesEndMs,
  forgetSockets,
  GUARD_HEAD_CELLS,
  UNLIMITED,
} from './address-guard.ts'
import {
  ADDRESS_TABLE_CELLS,
  AddressCell,
  type AddressHandle,
  AddressTable,
  rowOf,
  stampOf,
  tagOf,
} from './address-table.ts'
import type { BanCause, BanLog } from './ban-log.ts'
import { Bans } from './bans.ts'
import { LimitCells } from './limit-cells.ts'
import { intervalOf, type Limiter, type Limiters, limitersOf, retryMs } from './limiters.ts'

/** The settings that this room reads, as config.ts describes them. */
export interface LimitSettings {
  readonly limits: 'on' | 'off'
  readonly weightLimit: number
  readonly rawRequestsLimit: number
  readonly connectionsLimit: number
  readonly ordersPerSecond: number
  readonly ordersPerDay: number
  readonly makerFillCredit: number
  readonly orderWeight: 'failed' | 'every'
  readonly banAfter: number
  readonly banSeconds: number
  readonly exemptAddresses: string
  readonly socketsMax: number
  readonly socketsPerAddress: number
  readonly unreadMb: number
  readonly unreadMbPerAddress: number
  readonly acceptsPerAddress: number
  readonly trustedProxies: string
}

/** Why a request is refused, and when to retry. */
export interface Refusal {
  readonly fault: Fault
  /** Whole seconds since the Unix epoch, in ms. */
  readonly untilMs: Ms
}

const ACCOUNT_CELLS = 4
/** The counter of an account's orders of a day, behind that of a second. */
const DAY_CELL = 1
const WEIGHT_CELL = 2
const SESSIONS_CELL = 3
const TAKER_FILL_CREDIT = 1

/** What limits know of an account. */
type Limited = Pick<AccountSpec, 'id' | 'limits'>

/** What an account has used of one of its ORDERS limits. */
interface OrderCount {
  readonly limiter: Limiter
  readonly count: number
}

export const limitBytes = (accountsMax: number): number =>
  8 * (ACCOUNT_CELLS * accountsMax + GUARD_HEAD_CELLS + ADDRESS_TABLE_CELLS)

/** Copies all counts between memories of one size, except those of open sockets: the copy has none. */
export function copyLimits(to: SharedArrayBuffer, from: SharedArrayBuffer): void {
  const cells = new BigInt64Array(to)
  cells.set(new BigInt64Array(from))
  const rowsAt = cells.length - ADDRESS_TABLE_CELLS
  const accountCells = rowsAt - GUARD_HEAD_CELLS
  for (let at = SESSIONS_CELL; at < accountCells; at += ACCOUNT_CELLS) cells[at] = 0n
  forgetSockets(cells.subarray(rowsAt - GUARD_HEAD_CELLS, rowsAt), cells.subarray(rowsAt))
}

export class RateLimits {
  /** Whether limits are on. */
  readonly enabled: boolean
  readonly limiters: Limiters
  readonly guard: AddressGuard
  private readonly settings: LimitSettings
  private readonly counters: ThreadCounters
  private exempted: readonly AddressRange[] = []
  private readonly accounts: LimitCells
  /** The memory of the counts, for what is counted without an interval. */
  private readonly accountCells: BigInt64Array
  private readonly ownLimiters = new WeakMap<AccountLimits, Limiters>()
  private readonly counts: LimitCells
  private readonly bans: Bans
  private readonly addresses: AddressTable
  private readonly banLog: BanLog | undefined
  /** Weight used by the address of the last charged request, for headers. */
  weightUsed = 0
  /** Counts of the account of the last charged orders, for headers. */
  ordersThisSecond = 0
  ordersThisDay = 0

  /** `memory` is sized by limitBytes and zeroed before its first use; `counters` are this thread's. */
  constructor(
    memory: SharedArrayBuffer,
    accountsMax: number,
    settings: LimitSettings,
    counters: ThreadCounters,
    banLog?: BanLog,
  ) {
    assert(memory.byteLength >= limitBytes(accountsMax), 'limit cells were sized by limitBytes')
    this.enabled = settings.limits === 'on'
    this.limiters = limitersOf(settings)
    this.settings = settings
    this.counters = counters
    this.banLog = banLog
    this.exempt(settings.exemptAddresses)
    const accountCells = ACCOUNT_CELLS * accountsMax
    this.accountCells = new BigInt64Array(memory, 0, accountCells)
    this.accounts = new LimitCells(this.accountCells)
    const head = new BigInt64Array(memory, 8 * accountCells, GUARD_HEAD_CELLS)
    const rowsAt = 8 * (accountCells + GUARD_HEAD_CELLS)
    const cells = new BigInt64Array(memory, rowsAt, ADDRESS_TABLE_CELLS)
    this.counts = new LimitCells(cells)
    this.guard = new AddressGuard(head, this.counts, counters, settings.acceptsPerAddress)
    this.bans = new Bans(cells, settings.banSeconds)
    this.addresses = new AddressTable(cells, this.counts, this.bans, () =>
      counters.add(GatewayCounter.addressesForgotten, 1),
    )
  }

  /** Returns the handle of an address, 4 or 16 bytes as sockets report it. Valid for one request. */
  addressOf(bytes: ArrayBuffer | Uint8Array, nowMs: Ms): AddressHandle {
    if (!this.enabled) return UNLIMITED
    const address = new Uint8Array(bytes)
    if (this.exempted.length > 0) {
      const mapped = mappedAddress(address)
      if (this.exempted.some((range) => isInRange(mapped, range))) return UNLIMITED
    }
    return this.addresses.find(address, nowMs)
  }

  /** Returns the handle of an address even if it is exempt. */
  rowOf(bytes: ArrayBuffer, nowMs: Ms): AddressHandle {
    return this.addresses.find(new Uint8Array(bytes), nowMs)
  }

  /** Exempts these addresses from now on, and no others. */
  exempt(addresses: string): void {
    const exempted = parseAddressRanges(addresses)
    assert(exempted !== undefined, 'the settings were checked when they were read')
    this.exempted = exempted
  }

  /**
   * Charges a request by the limiter of its transport, and sets `weightUsed` to its address's use in this interval. Where
   * connections are counted, its connection was when it opened.
   */
  chargeRequest(
    address: AddressHandle,
    weight: number,
    nowMs: Ms,
    limiter: ArrivalLimit = 'RAW_REQUESTS',
  ): Refusal | undefined {
    this.weightUsed = weight
    if (address === UNLIMITED) return undefined
    const isRaw = limiter === 'RAW_REQUESTS'
    return (
      this.banOn(address, nowMs) ??
      this.overAnswered(address, nowMs) ??
      (isRaw ? this.charge(address, AddressCell.RAW_REQUESTS, 1, nowMs) : undefined) ??
      this.charge(address, AddressCell.WEIGHT, weight, nowMs)
    )
  }

  /** Charges the weight of one part of a batch, whose arrival was charged, to its address or the account that pays. */
  chargePart(
    address: AddressHandle,
    weight: number,
    nowMs: Ms,
    payer?: Limited,
  ): Refusal | undefined {
    this.weightUsed = weight
    if (address === UNLIMITED) return undefined
    if (payer !== undefined) return this.chargeOwn(payer, weight, nowMs)
    return this.charge(address, AddressCell.WEIGHT, weight, nowMs)
  }

  /**
   * Charges an attempt to open a WebSocket. A ban does not refuse it: the error of a ban tells clients
   * to use streams.
   */
  chargeConnection(address: AddressHandle, nowMs: Ms): Refusal | undefined {
    if (address === UNLIMITED) return undefined
    return (
      this.charge(address, AddressCell.CONNECTIONS, 1, nowMs) ??
      this.charge(address, AddressCell.RAW_REQUESTS, 1, nowMs)
    )
  }

  /** Whether a ban of the address is on. */
  isBanned(address: AddressHandle, nowMs: Ms): boolean {
    if (address === UNLIMITED) return false
    return this.bans.endsMs(rowOf(address) + AddressCell.BAN, tagOf(address)) > nowMs
  }

  /** Counts an order refused with -1015. Returns the ban that too many of them cause, if those of the account do. */
  orderRefused(address: AddressHandle, nowMs: Ms, account?: Limited): Refusal | undefined {
    if (account?.limits?.bansNone || !this.guard.orderRefused(address, nowMs)) return undefined
    return this.ban(address, 'orders', nowMs)
  }

  /** Charges nothing, and sets `weightUsed` to the address's use in this interval. */
  readWeight(address: AddressHandle, nowMs: Ms): void {
    this.weightUsed = address === UNLIMITED ? 0 : this.weightOf(address, nowMs)
  }

  /** Returns the limits of the account, or of none: its own, and the exchange's where it has none. */
  limitersFor(account: Limited | undefined): Limiters {
    const limits = account?.limits
    if (limits === undefined) return this.limiters
    let limiters = this.ownLimiters.get(limits)
    if (limiters === undefined) {
      const weightLimit = limits.weight ?? this.settings.weightLimit
      limiters = limitersOf({ ...this.settings, ...limits, weightLimit })
      this.ownLimiters.set(limits, limiters)
    }
    return limiters
  }

  /**
   * Charges weight to an account that has its own limit. The address, which was charged before the account was known,
   * gets it back unless the account is refused: who goes on after that meets the limit of the address.
   */
  chargeAccount(
    account: Limited,
    address: AddressHandle,
    weight: number,
    nowMs: Ms,
  ): Refusal | undefined {
    const refusal = this.chargeOwn(account, weight, nowMs)
    if (refusal !== undefined) return refusal
    const used = this.weightUsed
    this.settleWeight(address, weight, 0, nowMs)
    this.weightUsed = used
    return undefined
  }

  /** Charges an account that has its own limit. */
  private chargeOwn(account: Limited, weight: number, nowMs: Ms): Refusal | undefined {
    const { requestWeight } = this.limitersFor(account)
    const cell = ACCOUNT_CELLS * account.id + WEIGHT_CELL
    const interval = intervalOf(requestWeight, nowMs)
    const count = this.accounts.add(cell, interval, weight, requestWeight.limit)
    this.weightUsed = count < 0 ? this.accounts.count(cell, interval) : count
    return count < 0 ? this.refusal(requestWeight, nowMs) : undefined
  }

  /** Counts a connection that logs on. Returns false, and counts nothing, at the account's own most. */
  takeSession({ id, limits }: Limited): boolean {
    const cell = ACCOUNT_CELLS * id + SESSIONS_CELL
    const before = Number(Atomics.add(this.accountCells, cell, 1n))
    if (!this.enabled || before < (limits?.sessions ?? Number.POSITIVE_INFINITY)) return true
    Atomics.sub(this.accountCells, cell, 1n)
    return false
  }

  /** A connection that takeSession counted is logged on no more. */
  giveSession({ id }: Limited): void {
    Atomics.sub(this.accountCells, ACCOUNT_CELLS * id + SESSIONS_CELL, 1n)
  }

  /** Refunds a successful order, which may cost less than one that fails. */
  settleSuccess(
    address: AddressHandle,
    charged: number,
    weightOnSuccess: number,
    chargedMs: Ms,
    account?: Limited,
  ): void {
    const settled = this.settings.orderWeight === 'every' ? charged : weightOnSuccess
    this.settleWeight(address, charged, settled, chargedMs, account)
  }

  /**
   * Refunds weight beyond the request's final weight. `chargedMs` is the time of the charge: an interval
   * that is over gets no refund. `account`: which was charged in place of the address.
   */
  settleWeight(
    address: AddressHandle,
    charged: number,
    settled: number,
    chargedMs: Ms,
    account?: Limited,
  ): void {
    this.weightUsed = settled
    if (address === UNLIMITED) return
    const interval = intervalOf(this.limiters.requestWeight, chargedMs)
    const isOwn = account !== undefined
    const counts = isOwn ? this.accounts : this.counts
    const at = isOwn
      ? ACCOUNT_CELLS * account.id + WEIGHT_CELL
      : rowOf(address) + AddressCell.WEIGHT
    const stamp = isOwn ? interval : stampOf(address, interval)
    counts.giveBack(at, stamp, charged - settled)
    this.weightUsed = counts.count(at, stamp)
  }

  /** Charges orders to an account, all of them or none. */
  chargeOrders(account: Limited, orders: number, nowMs: Ms): Refusal | undefined {
    const { ordersPerDay, ordersPerSecond } = this.limitersFor(account)
    const cell = ACCOUNT_CELLS * account.id
    const today = intervalOf(ordersPerDay, nowMs)
    // The day first: while it is exceeded, the second is not counted on.
    const day = this.accounts.add(cell + DAY_CELL, today, orders, ordersPerDay.limit)
    if (day < 0) return this.refusal(ordersPerDay, nowMs)
    const thisSecond = intervalOf(ordersPerSecond, nowMs)
    const second = this.accounts.add(cell, thisSecond, orders, ordersPerSecond.limit)
    if (second < 0) {
      this.accounts.giveBack(cell + DAY_CELL, today, orders)
      return this.refusal(ordersPerSecond, nowMs)
    }
    this.ordersThisSecond = second
    this.ordersThisDay = day
    return undefined
  }

  /** Returns the refusal that this many orders would meet now, or undefined. Charges nothing. */
  orderRefusal(account: Limited, orders: number, nowMs: Ms): Refusal | undefined {
    if (!this.enabled) return undefined
    const full = this.orderCounts(account, nowMs).find(
      ({ count, limiter }) => count + orders > limiter.limit,
    )
    return full === undefined ? undefined : this.refusal(full.limiter, nowMs)
  }

  /** An account's unfilled orders, of the day and of the second. */
  orderCounts(account: Limited, nowMs: Ms): readonly [OrderCount, OrderCount] {
    const { ordersPerDay, ordersPerSecond } = this.limitersFor(account)
    const cell = ACCOUNT_CELLS * account.id
    const countOf = (limiter: Limiter, at: number): OrderCount => ({
      limiter,
      count: this.accounts.count(at, intervalOf(limiter, nowMs)),
    })
    return [countOf(ordersPerDay, cell + DAY_CELL), countOf(ordersPerSecond, cell)]
  }

  /** Credits the account for the first fill of an order, whenever it was placed. */
  creditFill(account: AccountId, isMaker: boolean, nowMs: Ms): void {
    const credit = isMaker ? this.settings.makerFillCredit : TAKER_FILL_CREDIT
    const { ordersPerDay, ordersPerSecond } = this.limiters
    const cell = ACCOUNT_CELLS * account
    this.accounts.credit(cell, intervalOf(ordersPerSecond, nowMs), credit)
    this.accounts.credit(cell + DAY_CELL, intervalOf(ordersPerDay, nowMs), credit)
  }

  /** Returns the refusal of a banned address. */
  private banOn(address: AddressHandle, nowMs: Ms): Refusal | undefined {
    const untilMs = this.bans.endsMs(rowOf(address) + AddressCell.BAN, tagOf(address))
    return untilMs > nowMs ? this.banned(address, untilMs, nowMs) : undefined
  }

  /** Returns the refusal of an address whose answers were too many bytes. */
  private overAnswered(address: AddressHandle, nowMs: Ms): Refusal | undefined {
    if (!this.guard.isAnsweredTooMuch(address, nowMs)) return undefined
    this.counters.add(GatewayCounter.limitsReached, 1)
    this.counters.add(GatewayCounter.answersRefused, 1)
    this.guard.refused(address, nowMs)
    this.readWeight(address, nowMs)
    return { fault: this.limiters.requestWeight.fault, untilMs: bytesEndMs(nowMs) }
  }

  private ban(address: AddressHandle, cause: BanCause, nowMs: Ms): Refusal {
    this.counters.add(GatewayCounter.addressesBanned, 1)
    this.counters.add(counterOfCause[cause], 1)
    this.banLog?.began(cause)
    const ban = rowOf(address) + AddressCell.BAN
    const untilMs = this.bans.begin(ban, tagOf(address), nowMs)
    this.guard.banBegan()
    return this.banned(address, untilMs, nowMs)
  }

  private banned(address: AddressHandle, untilMs: Ms, nowMs: Ms): Refusal {
    this.counters.add(GatewayCounter.limitsReached, 1)
    this.guard.refused(address, nowMs)
    this.readWeight(address, nowMs)
    return { fault: new Fault('ADDRESS_BANNED', untilMs), untilMs }
  }

  /** Adds to one of an address's counts, or returns the refusal. */
  private charge(
    address: AddressHandle,
    cell: ChargedCell,
    amount: number,
    nowMs: Ms,
  ): Refusal | undefined {
    const limiter = this.limiters[limiterOfCell[cell]]
    const stamp = stampOf(address, intervalOf(limiter, nowMs))
    const count = this.counts.add(rowOf(address) + cell, stamp, amount, limiter.limit)
    if (count < 0) return this.strike(address, cell, nowMs)
    if (cell === AddressCell.WEIGHT) this.weightUsed = count
    return undefined
  }

  /** Counts a refusal; bans an address with too many in one interval. */
  private strike(address: AddressHandle, cell: ChargedCell, nowMs: Ms): Refusal {
    const limiter = this.limiters[limiterOfCell[cell]]
    const strikes = strikesOfCell[cell]
    if (strikes !== undefined) {
      const at = rowOf(address) + strikes.cell
      const stamp = stampOf(address, intervalOf(limiter, nowMs))
      const count = this.counts.add(at, stamp, 1, LIMIT_MAX)
      // The first refusal only warns; later ones count.
      if (count > this.settings.banAfter) {
        this.counts.giveBack(at, stamp, count)
        return this.ban(address, strikes.cause, nowMs)
      }
    }
    this.readWeight(address, nowMs)
    this.guard.refused(address, nowMs)
    return this.refusal(limiter, nowMs)
  }

  private weightOf(address: AddressHandle, nowMs: Ms): number {
    const stamp = stampOf(address, intervalOf(this.limiters.requestWeight, nowMs))
    return this.counts.count(rowOf(address) + AddressCell.WEIGHT, stamp)
  }

  private refusal(limiter: Limiter, nowMs: Ms): Refusal {
    this.counters.add(GatewayCounter.limitsReached, 1)
    return { fault: limiter.fault, untilMs: retryMs(limiter, nowMs) }
  }
}

type ChargedCell =
  | typeof AddressCell.WEIGHT
  | typeof AddressCell.RAW_REQUESTS
  | typeof AddressCell.CONNECTIONS

const limiterOfCell: Readonly<Record<ChargedCell, keyof Limiters>> = {
  [AddressCell.WEIGHT]: 'requestWeight',
  [AddressCell.RAW_REQUESTS]: 'rawRequests',
  [AddressCell.CONNECTIONS]: 'connections',
}

/** Attempts to connect cause no ban: a client that lost many connections at once retries each. */
const strikesOfCell: Readonly<Record<ChargedCell, { cell: number; cause: BanCause } | undefined>> =
  {
    [AddressCell.WEIGHT]: { cell: AddressCell.WEIGHT_STRIKES, cause: 'requestWeight' },
    [AddressCell.RAW_REQUESTS]: { cell: AddressCell.RAW_REQUEST_STRIKES, cause: 'rawRequests' },
    [AddressCell.CONNECTIONS]: undefined,
  }

const counterOfCause: Readonly<Record<BanCause, number>> = {
  requestWeight: GatewayCounter.bansOfWeight,
  rawRequests: GatewayCounter.bansOfRawRequests,
  orders: GatewayCounter.bansOfOrders,
}
