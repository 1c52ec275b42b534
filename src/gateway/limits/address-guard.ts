/**
 * Counts of an address that no client sees: connections it opens, WebSockets it keeps open, requests
 * after refusals, signatures that cost a check. They stand in the address table, in shared memory, so
 * they hold over all gateways.
 *
 *   head  8 cells of 8 bytes before the table's rows: sockets open now, bans begun ever, six spare
 */
import { LIMIT_MAX } from '../../base/limits.ts'
import { Ms } from '../../base/units.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import {
  ADDRESS_SALT_CELL,
  AddressCell,
  type AddressHandle,
  ROW_CELLS,
  rowOf,
  stampOf,
} from './address-table.ts'
import type { LimitCells } from './limit-cells.ts'

/** Cells before the rows. */
export const GUARD_HEAD_CELLS = 8
const OPEN_SOCKETS = 0
const BANS_BEGUN = 1

/** The handle of unlimited addresses: all of them when limits are off. */
export const UNLIMITED: AddressHandle = -1
export const ACCEPT_INTERVAL_MS = 10_000
/** Refusals, bad signatures and refused orders are counted by the minute. */
export const GUARD_INTERVAL_MS = 60_000
/** Refusals in a minute; an address with more is closed at accept until the next minute. */
export const REFUSALS_MAX = 1_000
/** Refusals -1015 in a minute; an address with more is banned. */
export const ORDER_REFUSALS_MAX = 100
/** Wrong RSA and Ed25519 signatures in a minute; further ones are not checked. */
export const BAD_SIGNATURES_MAX = 100
/** Bytes of long frames and of long answers are counted in intervals of this length. */
export const BYTES_INTERVAL_MS = 10_000
/** Frames and answers that are not longer are not counted: other limits bound their number. */
export const LONG_BYTES = 1_024
/** Bytes of long WebSocket frames in such an interval; the connection that sends more is closed. */
export const FRAME_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of long answers in such an interval; further requests are refused until it ends. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024
/** Open WebSockets are counted in one interval that does not end. */
const FOREVER = 0

/** Counts no open socket any more. */
export function forgetSockets(head: BigInt64Array, rows: BigInt64Array): void {
  head[OPEN_SOCKETS] = 0n
  for (let at = 0; at < ADDRESS_SALT_CELL; at += ROW_CELLS) rows[at + AddressCell.WEB_SOCKETS] = 0n
}

export class AddressGuard {
  private readonly head: BigInt64Array
  private readonly counts: LimitCells
  private readonly counters: ThreadCounters
  private readonly acceptsMax: number

  /** `head` are the GUARD_HEAD_CELLS; `counts` covers the table's rows. */
  constructor(
    head: BigInt64Array,
    counts: LimitCells,
    counters: ThreadCounters,
    acceptsMax: number,
  ) {
    this.head = head
    this.counts = counts
    this.counters = counters
    this.acceptsMax = acceptsMax
  }

  /** Adds to the open sockets of all gateways. Returns their number. */
  countSockets(change: number): number {
    return Number(Atomics.add(this.head, OPEN_SOCKETS, BigInt(change))) + change
  }

  /** Grows with each ban of any gateway. */
  get bansBegun(): number {
    return Number(Atomics.load(this.head, BANS_BEGUN))
  }

  banBegan(): void {
    Atomics.add(this.head, BANS_BEGUN, 1n)
  }

  /** Counts a connection at its accept. Returns false when the address has no room for it. */
  accept(address: AddressHandle, nowMs: Ms): boolean {
    if (address === UNLIMITED) return true
    if (this.isShutOut(address, nowMs)) return false
    const room = this.acceptsMax - this.webSockets(address)
    return this.add(address, AddressCell.ACCEPTS, ACCEPT_INTERVAL_MS, nowMs, room) >= 0
  }

  /** Moves a connection that became a WebSocket to the count of open ones. */
  opened(address: AddressHandle, nowMs: Ms): void {
    if (address === UNLIMITED) return
    const row = rowOf(address)
    const accepted = stampAt(address, ACCEPT_INTERVAL_MS, nowMs)
    this.counts.giveBack(row + AddressCell.ACCEPTS, accepted, 1)
    this.counts.add(row + AddressCell.WEB_SOCKETS, stampOf(address, FOREVER), 1, LIMIT_MAX)
  }

  closed(address: AddressHandle): void {
    if (address === UNLIMITED) return
    const at = rowOf(address) + AddressCell.WEB_SOCKETS
    this.counts.giveBack(at, stampOf(address, FOREVER), 1)
  }

  /** The address's open WebSockets, at all gateways. */
  webSockets(address: AddressHandle): number {
    if (address === UNLIMITED) return 0
    return this.counts.count(rowOf(address) + AddressCell.WEB_SOCKETS, stampOf(address, FOREVER))
  }

  /** Counts a refusal by a limit or a ban. */
  refused(address: AddressHandle, nowMs: Ms): void {
    if (address === UNLIMITED) return
    const count = this.add(address, AddressCell.REFUSALS, GUARD_INTERVAL_MS, nowMs, LIMIT_MAX)
    if (count === REFUSALS_MAX + 1) this.counters.add(GatewayCounter.addressesShutOut, 1)
  }

  /** Whether the address sent so much after refusals that it gets no more responses. */
  isShutOut(address: AddressHandle, nowMs: Ms): boolean {
    return this.count(address, AddressCell.REFUSALS, nowMs) > REFUSALS_MAX
  }

  /** Counts a refusal -1015. Returns true when the caller must ban the address. */
  orderRefused(address: AddressHandle, nowMs: Ms): boolean {
    if (address === UNLIMITED) return false
    const cell = AddressCell.ORDER_REFUSALS
    return this.add(address, cell, GUARD_INTERVAL_MS, nowMs, ORDER_REFUSALS_MAX) < 0
  }

  /** Counts a wrong RSA or Ed25519 signature. */
  badSignature(address: AddressHandle, nowMs: Ms): void {
    if (address === UNLIMITED) return
    this.add(address, AddressCell.BAD_SIGNATURES, GUARD_INTERVAL_MS, nowMs, LIMIT_MAX)
  }

  /** Returns the address's wrong signatures in this minute. */
  badSignatures(address: AddressHandle, nowMs: Ms): number {
    return this.count(address, AddressCell.BAD_SIGNATURES, nowMs)
  }

  /** Counts a long frame. Returns false when the address has sent too many bytes of them. */
  frameArrived(address: AddressHandle, bytes: number, nowMs: Ms): boolean {
    if (address === UNLIMITED) return true
    const cell = AddressCell.FRAME_BYTES
    return this.add(address, cell, BYTES_INTERVAL_MS, nowMs, FRAME_BYTES_MAX, bytes) >= 0
  }

  /** Counts the answer to a request, of so many characters. */
  answered(address: AddressHandle, bytes: number, nowMs: Ms): void {
    if (address === UNLIMITED || bytes <= LONG_BYTES) return
    this.add(address, AddressCell.ANSWER_BYTES, BYTES_INTERVAL_MS, nowMs, LIMIT_MAX, bytes)
  }

  /** Whether the address had so many bytes of answers that it gets no more in this interval. */
  isAnsweredTooMuch(address: AddressHandle, nowMs: Ms): boolean {
    return (
      this.count(address, AddressCell.ANSWER_BYTES, nowMs, BYTES_INTERVAL_MS) >= ANSWER_BYTES_MAX
    )
  }

  private add(
    address: AddressHandle,
    cell: number,
    intervalMs: number,
    nowMs: Ms,
    limit: number,
    amount = 1,
  ): number {
    const stamp = stampAt(address, intervalMs, nowMs)
    return this.counts.add(rowOf(address) + cell, stamp, amount, limit)
  }

  private count(
    address: AddressHandle,
    cell: number,
    nowMs: Ms,
    intervalMs = GUARD_INTERVAL_MS,
  ): number {
    if (address === UNLIMITED) return 0
    return this.counts.count(rowOf(address) + cell, stampAt(address, intervalMs, nowMs))
  }
}

/** Returns the end of the interval in which bytes are counted, ms. */
export const bytesEndMs = (nowMs: Ms): Ms =>
  Ms((Math.floor(nowMs / BYTES_INTERVAL_MS) + 1) * BYTES_INTERVAL_MS)

/** Returns the end of the minute of these counts, ms. */
export const guardEndMs = (nowMs: Ms): Ms =>
  Ms((Math.floor(nowMs / GUARD_INTERVAL_MS) + 1) * GUARD_INTERVAL_MS)

const stampAt = (address: AddressHandle, intervalMs: number, nowMs: Ms): number =>
  stampOf(address, Math.floor(nowMs / intervalMs))
