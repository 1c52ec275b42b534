/**
 * Each account's trading on each symbol at the last status, and the resulting locks. The archive's writer
 * makes it from activity.ts every half minute, so that all gateways show the same until the next. The table
 * also keeps locks over a restart.
 *
 * | key, big-endian     | value                                     |
 * |---------------------|-------------------------------------------|
 * | 0, one byte         | time of the status, ms                    |
 * | account 4           | until when the account is locked, ms      |
 * | account 4, symbol 2 | TallyValue                                |
 */

import type { TradingStatusRow } from '../history/account-history.ts'
import {
  INDICATOR_WINDOW_MS,
  isSetOff,
  LOCK_MS,
  type OrderTally,
} from '../history/trading-indicators.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { type Activity, readTally, TallyValue, writeTally } from './activity.ts'
import { TableName } from './tables.ts'

const AS_OF_KEY = new Uint8Array([0])
const LOCK_KEY_BYTES = 4

export class TradingStatusWriter {
  readonly #table: Table
  readonly #activity: Activity
  readonly #row = RecordBuffer.allocate(TallyValue.bytes)
  readonly #lockedUntilMs = new Map<number, number>()

  constructor(environment: Environment, activity: Activity) {
    this.#table = environment.table(TableName.TRADING_STATUS)
    this.#activity = activity
    this.load()
  }

  /** By account: when its last lock ends or ended, ms. Those long past are left out. */
  get lockedUntilMs(): ReadonlyMap<number, number> {
    return this.#lockedUntilMs
  }

  /** Takes what the table has for what is so. */
  load(): void {
    this.#lockedUntilMs.clear()
    for (const { key, value } of this.#table.rows({})) {
      if (key.length !== LOCK_KEY_BYTES) continue
      const account = new DataView(key.buffer, key.byteOffset).getUint32(0)
      this.#lockedUntilMs.set(account, readTime(value))
    }
  }

  /** Makes the status of `nowMs`, a whole span, within a transaction. */
  refresh(nowMs: number, locksEnabled: boolean): void {
    this.#table.clear()
    this.#putTime(AS_OF_KEY, nowMs)
    for (const { account, symbolId, tally } of this.#activity.window(nowMs)) {
      writeTally(tally, this.#row)
      this.#table.put(keyOf(account, symbolId), this.#row.bytes)
    }
    if (locksEnabled) this.#lock(nowMs)
    else this.#lockedUntilMs.clear()
    for (const [account, untilMs] of this.#lockedUntilMs) {
      if (untilMs <= nowMs - INDICATOR_WINDOW_MS) this.#lockedUntilMs.delete(account)
      else this.#putTime(keyOf(account), untilMs)
    }
  }

  /** Orders from before the end of an account's last lock lead to no other. */
  #lock(nowMs: number): void {
    const freshSinceMs = (account: number) => this.#lockedUntilMs.get(account) ?? 0
    for (const { account, tally } of this.#activity.window(nowMs, freshSinceMs)) {
      if (isSetOff(tally)) this.#lockedUntilMs.set(account, nowMs + LOCK_MS)
    }
  }

  #putTime(key: Uint8Array, timeMs: number): void {
    this.#row.f64[0] = timeMs
    this.#table.put(key, this.#row.bytes.subarray(0, 8))
  }
}

/** At the environment's last refresh; `asOfMs` is 0 before the first. */
export function readTradingStatus(table: Table, account: number): TradingStatusRow {
  const asOf = table.get(AS_OF_KEY)
  const asOfMs = asOf === undefined ? 0 : readTime(asOf)
  const row = RecordBuffer.allocate(TallyValue.bytes)
  const symbols: { symbolId: number; tally: OrderTally }[] = []
  let lockedUntilMs = 0
  for (const { key, value } of table.rows({ start: keyOf(account), end: keyOf(account + 1) })) {
    if (key.length === LOCK_KEY_BYTES) {
      lockedUntilMs = readTime(value)
      continue
    }
    row.bytes.set(value)
    const tally = { orders: 0, filled: 0, immediate: 0, expired: 0, lasting: 0, canceled: 0 }
    readTally(row, tally)
    symbols.push({ symbolId: new DataView(key.buffer, key.byteOffset).getUint16(4), tally })
  }
  return { asOfMs, lockedUntilMs, symbols }
}

const readTime = (value: Uint8Array): number =>
  new DataView(value.buffer, value.byteOffset).getFloat64(0, true)

function keyOf(account: number, symbolId?: number): Uint8Array {
  const key = new Uint8Array(symbolId === undefined ? LOCK_KEY_BYTES : LOCK_KEY_BYTES + 2)
  const view = new DataView(key.buffer)
  view.setUint32(0, account)
  if (symbolId !== undefined) view.setUint16(LOCK_KEY_BYTES, symbolId)
  return key
}
