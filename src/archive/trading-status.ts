/**
 * Each account's trading on each symbol at the last status, and the resulting locks. The archive's writer
 * makes it from activity.ts every half minute, so that all gateways show the same until the next. The table
 * also keeps locks over a restart.
 *
 * | key       | value                                           |
 * |-----------|-------------------------------------------------|
 * | AS_OF_KEY | StatusTimeValue: when the status was made       |
 * | LockKey   | StatusTimeValue: until when the account is locked |
 * | StatusKey | TallyValue                                      |
 */

import { AccountId, Ms, type SymbolId } from '../base/units.ts'
import type { TradingStatusRow } from '../history/account-history.ts'
import {
  INDICATOR_WINDOW_MS,
  isSetOff,
  LOCK_MS,
  type OrderTally,
} from '../history/trading-indicators.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { LockKey, StatusKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { StatusTimeValue, TallyValue } from '../layout/rows.gen.ts'
import { type Activity, readTally, writeTally } from './activity.ts'
import { TableName } from './tables.ts'

const AS_OF_KEY = new Uint8Array([0])

export class TradingStatusWriter {
  private readonly table: Table
  private readonly activity: Activity
  private readonly row = RecordBuffer.allocate(TallyValue.bytes)
  private readonly time = RecordBuffer.allocate(StatusTimeValue.bytes)
  private readonly _lockedUntilMs = new Map<AccountId, Ms>()

  constructor(environment: Environment, activity: Activity) {
    this.table = environment.table(TableName.TRADING_STATUS)
    this.activity = activity
    this.load()
  }

  /** By account: when its last lock ends or ended, ms. Those long past are left out. */
  get lockedUntilMs(): ReadonlyMap<AccountId, Ms> {
    return this._lockedUntilMs
  }

  /** Trusts the table's current contents. */
  load(): void {
    this._lockedUntilMs.clear()
    for (const { key, value } of this.table.rows({})) {
      if (key.length !== LockKey.bytes) continue
      const account = LockKey.account(key)
      this._lockedUntilMs.set(account, readTime(value))
    }
  }

  /** Makes the status of `nowMs`, a whole span, within a transaction. */
  refresh(nowMs: Ms, locksEnabled: boolean): void {
    this.table.clear()
    this.putTime(AS_OF_KEY, nowMs)
    for (const { account, symbolId, tally } of this.activity.window(nowMs)) {
      writeTally(tally, this.row)
      this.table.put(new StatusKey().of(account, symbolId), this.row.bytes)
    }
    if (locksEnabled) this.lock(nowMs)
    else this._lockedUntilMs.clear()
    for (const [account, untilMs] of this._lockedUntilMs) {
      if (untilMs <= nowMs - INDICATOR_WINDOW_MS) this._lockedUntilMs.delete(account)
      else this.putTime(lockKeyOf(account), untilMs)
    }
  }

  /** Orders from before the end of an account's last lock lead to no other. */
  private lock(nowMs: Ms): void {
    const freshSinceMs = (account: AccountId) => this._lockedUntilMs.get(account) ?? Ms(0)
    for (const { account, tally } of this.activity.window(nowMs, freshSinceMs)) {
      if (isSetOff(tally)) this._lockedUntilMs.set(account, Ms(nowMs + LOCK_MS))
    }
  }

  private putTime(key: Uint8Array, timeMs: Ms): void {
    StatusTimeValue.setTimeMs(this.time, 0, timeMs)
    this.table.put(key, this.time.bytes)
  }
}

/** Reads what the environment's last refresh shows; `asOfMs` is 0 before the first status. */
export function readTradingStatus(table: Table, account: AccountId): TradingStatusRow {
  const asOf = table.get(AS_OF_KEY)
  const asOfMs = asOf === undefined ? Ms(0) : readTime(asOf)
  const row = RecordBuffer.allocate(TallyValue.bytes)
  const symbols: { symbolId: SymbolId; tally: OrderTally }[] = []
  let lockedUntilMs = Ms(0)
  for (const { key, value } of table.rows({
    start: lockKeyOf(account),
    end: lockKeyOf(AccountId(account + 1)),
  })) {
    if (key.length === LockKey.bytes) {
      lockedUntilMs = readTime(value)
      continue
    }
    row.bytes.set(value)
    const tally = { orders: 0, filled: 0, immediate: 0, expired: 0, lasting: 0, canceled: 0 }
    readTally(row, tally)
    symbols.push({ symbolId: StatusKey.symbolId(key), tally })
  }
  return { asOfMs, lockedUntilMs, symbols }
}

function readTime(value: Uint8Array): Ms {
  const row = RecordBuffer.allocate(StatusTimeValue.bytes)
  row.bytes.set(value)
  return StatusTimeValue.timeMs(row, 0)
}

const lockKeyOf = (account: AccountId): Uint8Array => new LockKey().of(account)
