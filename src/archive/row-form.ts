/**
 * Tables of many small rows of a fixed length: orders, sides of trades, the tape, aggregate trades and
 * recent client ids. A put costs about as much for a page as for a row, so rows stand in chunks:
 *
 * ```
 * key                     value: at most CHUNK_BYTES
 * owner, first row's id   ┌──────────────┬──────────────┬─────┐
 *                         │ id, fields   │ id, fields   │ ... │   ids ascend
 *                         └──────────────┴──────────────┴─────┘
 * ```
 *
 * An owner is an account on a symbol, or a symbol. No two chunks of an owner overlap. Chunks need not be
 * full: those of an owner that trades rarely have a row each. Written by row-writer.ts and row-edits.ts, read
 * by row-reader.ts.
 */
import { AccountId, SymbolId } from '../base/units.ts'
import {
  AggregateKey,
  OrderKey,
  PreventedKey,
  RecentIdKey,
  TapeKey,
  TradeKey,
} from '../layout/keys.gen.ts'
import type { RecordBuffer } from '../layout/record-buffer.ts'
import {
  AggregateValue,
  AllocationValue,
  OrderValue,
  RecentIdEntry,
  TapeValue,
  TradeValue,
} from '../layout/rows.gen.ts'

/** What fits one page of LMDB behind its head, rounded down to whole rows of each kind. */
export const CHUNK_BYTES = 4032
/** Chunks in memory of a table whose owners are symbols. */
export const MARKET_CHUNKS_MAX = 512
/** Symbol ids stay below 2^10. */
const SYMBOL_IDS = 1024

type KeyOf = (owner: number, id: number) => Uint8Array

export interface RowForm {
  readonly bytes: number
  /** Returns a key in separate memory, since a range holds two. */
  readonly keyOf: KeyOf
  /** Returns a maker of keys, each in the memory of the one before. */
  makeKeys(): KeyOf
}

/**
 * The id of a row of any form. All begin with theirs, so one accessor serves them: V8 puts it in place,
 * unlike one that each form brings.
 */
export const rowId = (rows: RecordBuffer, at: number): number => TradeValue.fill(rows, at)
export const setRowId = (rows: RecordBuffer, at: number, id: number): void =>
  TradeValue.setFill(rows, at, id)

/** Owns the rows of an account on a symbol. Symbols own rows of the market by their ids. */
export const ownerOf = (account: AccountId, symbolId: SymbolId): number =>
  account * SYMBOL_IDS + symbolId
const accountOf = (owner: number): AccountId => AccountId(Math.floor(owner / SYMBOL_IDS))
const symbolOf = (owner: number): SymbolId => SymbolId(owner % SYMBOL_IDS)

type AccountKey = new () => { of(account: AccountId, symbolId: SymbolId, id: number): Uint8Array }
type MarketKey = new () => { of(symbolId: SymbolId, id: number): Uint8Array }

const ofAccounts = (bytes: number, Key: AccountKey): RowForm => {
  const keyWith =
    (key: InstanceType<AccountKey>): KeyOf =>
    (owner, id) =>
      key.of(accountOf(owner), symbolOf(owner), id)
  return {
    bytes,
    keyOf: (owner, id) => keyWith(new Key())(owner, id),
    makeKeys: () => keyWith(new Key()),
  }
}
const ofSymbols = (bytes: number, Key: MarketKey): RowForm => {
  const keyWith =
    (key: InstanceType<MarketKey>): KeyOf =>
    (owner, id) =>
      key.of(SymbolId(owner), id)
  return {
    bytes,
    keyOf: (owner, id) => keyWith(new Key())(owner, id),
    makeKeys: () => keyWith(new Key()),
  }
}

export const orderRows = ofAccounts(OrderValue.bytes, OrderKey)
export const tradeRows = ofAccounts(TradeValue.bytes, TradeKey)
export const allocationRows = ofAccounts(AllocationValue.bytes, PreventedKey)
export const tapeRows = ofSymbols(TapeValue.bytes, TapeKey)
export const aggregateRows = ofSymbols(AggregateValue.bytes, AggregateKey)
export const recentIdRows = ofSymbols(RecentIdEntry.bytes, RecentIdKey)

/** Rows that a chunk takes. */
export const rowsPerChunk = ({ bytes }: RowForm): number => Math.floor(CHUNK_BYTES / bytes)

/**
 * Returns the byte of the first row with an id of at least `id` among the rows at rows[at .. end), which
 * ascend; `end` when there is none.
 */
export function lowerBound(
  { bytes }: RowForm,
  rows: RecordBuffer,
  at: number,
  end: number,
  id: number,
): number {
  let low = 0
  let high = (end - at) / bytes
  while (low < high) {
    const middle = (low + high) >> 1
    if (rowId(rows, at + middle * bytes) < id) low = middle + 1
    else high = middle
  }
  return at + low * bytes
}
