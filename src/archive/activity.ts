/**
 * How many orders each account placed on each symbol, and what became of them, by spans of half a
 * minute in which they were placed: what the indicators of API trading status are made of. Part of
 * the index. Few spans matter, so all of it is kept in memory, and in a table for the next
 * start; older spans are removed as time goes by.
 */
import { OrderStatus, OrderType, TimeInForce, timeInForceOf, typeOf } from '../base/codes.ts'
import { AccountId, Ms, SymbolId } from '../base/units.ts'
import {
  INDICATOR_REFRESH_MS,
  INDICATOR_WINDOW_MS,
  type OrderTally,
} from '../history/trading-indicators.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { ActivityKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { TallyValue } from '../layout/rows.gen.ts'
import { TableName } from './tables.ts'

/** Spans of the window, and those that are kept: one more is under way, one may be awaited. */
const WINDOW_SPANS = INDICATOR_WINDOW_MS / INDICATOR_REFRESH_MS
const SPANS_KEPT = WINDOW_SPANS + 2
/** Symbol ids stay below 2^10. */
const SYMBOL_IDS = 1024

class Tally implements OrderTally {
  orders = 0
  filled = 0
  immediate = 0
  expired = 0
  lasting = 0
  canceled = 0
  isDirty = false
  readonly span: number
  readonly owner: number

  constructor(span: number, owner: number) {
    this.span = span
    this.owner = owner
  }

  add(other: OrderTally): void {
    this.orders += other.orders
    this.filled += other.filled
    this.immediate += other.immediate
    this.expired += other.expired
    this.lasting += other.lasting
    this.canceled += other.canceled
  }
}

/** Tally of one account on one symbol. */
export interface AccountTally {
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly tally: OrderTally
}

type SpanTallies = Map<number, Tally>

const spanOf = (timeMs: Ms): number => Math.floor(timeMs / INDICATOR_REFRESH_MS)
const isImmediate = (terms: number): boolean => timeInForceOf(terms) !== TimeInForce.GTC

export class Activity {
  private readonly table: Table
  private readonly row = RecordBuffer.allocate(TallyValue.bytes)
  /** By span, then by account × SYMBOL_IDS + symbol. */
  private readonly spans = new Map<number, SpanTallies>()
  private newestSpan = 0
  private changed: Tally[] = []
  /** The span that was met last, since most orders are of the same. */
  private lastSpan = -1
  private lastTallies: SpanTallies = new Map()

  constructor(environment: Environment) {
    this.table = environment.table(TableName.ACTIVITY)
    this.load()
  }

  /** Trusts the table's current contents. */
  load(): void {
    this.spans.clear()
    this.newestSpan = 0
    this.lastSpan = -1
    this.changed = []
    for (const { key, value } of this.table.rows({})) {
      this.row.bytes.set(value)
      const span = ActivityKey.span(key)
      const tally = this.tallyIn(span, ActivityKey.account(key), ActivityKey.symbolId(key))
      readTally(this.row, tally)
      this.newestSpan = Math.max(this.newestSpan, span)
    }
  }

  placed(account: AccountId, symbolId: SymbolId, terms: number, timeMs: Ms): void {
    const tally = this.tally(account, symbolId, timeMs)
    if (tally === undefined) return
    tally.orders++
    if (isImmediate(terms)) tally.immediate++
    else if (typeOf(terms) !== OrderType.MARKET) tally.lasting++
  }

  /** The first fill of an order placed at `placedMs`. */
  filled(account: AccountId, symbolId: SymbolId, placedMs: Ms): void {
    const tally = this.tally(account, symbolId, placedMs)
    if (tally !== undefined) tally.filled++
  }

  /** The end of an order placed at `placedMs`. */
  closed(
    account: AccountId,
    symbolId: SymbolId,
    terms: number,
    status: OrderStatus,
    placedMs: Ms,
  ): void {
    const tally = this.tally(account, symbolId, placedMs)
    if (tally === undefined) return
    if (status === OrderStatus.CANCELED) {
      if (!isImmediate(terms) && typeOf(terms) !== OrderType.MARKET) tally.canceled++
    } else if (isImmediate(terms)) tally.expired++
  }

  /** Writes what has changed and removes what is too old, within a transaction. */
  store(): void {
    for (const tally of this.changed) {
      writeTally(tally, this.row)
      this.table.put(keyOf(tally.span, tally.owner), this.row.bytes)
      tally.isDirty = false
    }
    this.changed = []
    for (const [span, tallies] of this.spans) {
      if (span > this.newestSpan - SPANS_KEPT) continue
      for (const owner of tallies.keys()) this.table.remove(keyOf(span, owner))
      this.spans.delete(span)
      if (span === this.lastSpan) this.lastSpan = -1
    }
  }

  /**
   * The tallies of the window that ends at `endMs`, a whole span, of the orders placed since what
   * `sinceMs` answers for their account.
   */
  window(endMs: Ms, sinceMs: (account: AccountId) => Ms = () => Ms(0)): AccountTally[] {
    const end = spanOf(endMs)
    const sums = new Map<number, Tally>()
    for (let span = end - WINDOW_SPANS; span < end; span++) {
      for (const [owner, tally] of this.spans.get(span) ?? []) {
        if (span * INDICATOR_REFRESH_MS < sinceMs(AccountId(Math.floor(owner / SYMBOL_IDS))))
          continue
        const sum = sums.get(owner)
        if (sum === undefined) sums.set(owner, sumOf(tally))
        else sum.add(tally)
      }
    }
    return Array.from(sums, ([owner, tally]) => ({
      account: AccountId(Math.floor(owner / SYMBOL_IDS)),
      symbolId: SymbolId(owner % SYMBOL_IDS),
      tally,
    }))
  }

  /** The caller may change it; undefined when what was placed then matters no more. */
  private tally(account: AccountId, symbolId: SymbolId, placedMs: Ms): Tally | undefined {
    const span = spanOf(placedMs)
    if (span > this.newestSpan) this.newestSpan = span
    else if (span <= this.newestSpan - SPANS_KEPT) return undefined
    const tally = this.tallyIn(span, account, symbolId)
    if (!tally.isDirty) this.changed.push(tally)
    tally.isDirty = true
    return tally
  }

  private tallyIn(span: number, account: AccountId, symbolId: SymbolId): Tally {
    const tallies = span === this.lastSpan ? this.lastTallies : this.talliesOf(span)
    const owner = account * SYMBOL_IDS + symbolId
    let tally = tallies.get(owner)
    if (tally === undefined) {
      tally = new Tally(span, owner)
      tallies.set(owner, tally)
    }
    return tally
  }

  private talliesOf(span: number): SpanTallies {
    let tallies = this.spans.get(span)
    if (tallies === undefined) {
      tallies = new Map()
      this.spans.set(span, tallies)
    }
    this.lastSpan = span
    this.lastTallies = tallies
    return tallies
  }
}

function sumOf(tally: Tally): Tally {
  const sum = new Tally(tally.span, tally.owner)
  sum.add(tally)
  return sum
}

const keyOf = (span: number, owner: number): Uint8Array =>
  new ActivityKey().of(
    span,
    AccountId(Math.floor(owner / SYMBOL_IDS)),
    SymbolId(owner % SYMBOL_IDS),
  )

export function writeTally(tally: OrderTally, row: RecordBuffer): void {
  TallyValue.setOrders(row, 0, tally.orders)
  TallyValue.setFilled(row, 0, tally.filled)
  TallyValue.setImmediate(row, 0, tally.immediate)
  TallyValue.setExpired(row, 0, tally.expired)
  TallyValue.setLasting(row, 0, tally.lasting)
  TallyValue.setCanceled(row, 0, tally.canceled)
}

export function readTally(
  row: RecordBuffer,
  into: { -readonly [Name in keyof OrderTally]: number },
): void {
  into.orders = TallyValue.orders(row, 0)
  into.filled = TallyValue.filled(row, 0)
  into.immediate = TallyValue.immediate(row, 0)
  into.expired = TallyValue.expired(row, 0)
  into.lasting = TallyValue.lasting(row, 0)
  into.canceled = TallyValue.canceled(row, 0)
}
