/**
 * Reads a table of rows in chunks (row-form.ts), by the environment's last refresh. It keeps the chunk that
 * it read last, so after a refresh it must forget.
 */
import { Ms } from '../base/units.ts'
import type { Table } from '../journal/environment.ts'
import { KEY_ID_MAX, keyId } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { CHUNK_BYTES, lowerBound, type RowForm, rowId } from './row-form.ts'

/** Ids wanted, both included, and whether the limit counts from the first or from the last. */
export interface RowWindow {
  readonly from: number
  readonly to: number
  readonly newest: boolean
}

/** Returns a time of a row, as accessors do. */
type TimeOf = (rows: RecordBuffer, at: number) => Ms

/** No owner. */
const NONE = -1

export class RowReader {
  /** The chunk that was read last. */
  readonly rows = RecordBuffer.allocate(CHUNK_BYTES)
  private readonly table: Table
  private readonly form: RowForm
  private owner = NONE
  private first = 0
  private end = 0
  /** No chunk begins behind first and up to this id. */
  private upTo = 0

  constructor(table: Table, form: RowForm) {
    this.table = table
    this.form = form
  }

  /** Lets the next call read what was written since. */
  forget(): void {
    this.owner = NONE
  }

  /** Returns the byte of `rows` where a row begins; -1 when there is none. Valid until the next call. */
  find(owner: number, id: number): number {
    if (id > KEY_ID_MAX || !this.load(owner, id)) return -1
    const at = lowerBound(this.form, this.rows, 0, this.end, id)
    return at < this.end && rowId(this.rows, at) === id ? at : -1
  }

  /** Returns the byte of `rows` where the owner's newest row begins; -1 when there is none. */
  findLast(owner: number): number {
    return this.load(owner, KEY_ID_MAX) ? this.end - this.form.bytes : -1
  }

  /** Returns the id of the owner's newest row; 0 when there is none. */
  lastId(owner: number): number {
    const at = this.findLast(owner)
    return at < 0 ? 0 : rowId(this.rows, at)
  }

  /**
   * Returns the lowest id of the owner's rows of `timeMs` or later, where times do not fall as ids rise;
   * past `lastId`, the newest, when there is none.
   */
  firstAt(owner: number, timeOf: TimeOf, timeMs: Ms, lastId: number): number {
    let low = 0
    let high = lastId + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (!this.load(owner, middle)) low = middle + 1
      else if (timeOf(this.rows, 0) >= timeMs) high = this.first
      else if (timeOf(this.rows, this.end - this.form.bytes) >= timeMs) {
        return this.firstWithin(timeOf, timeMs)
      } else low = Math.max(middle, this.lastIn()) + 1
    }
    return low
  }

  /**
   * Calls `visit` for at most `limit` rows of the window, with the byte of `rows` where each begins: the
   * oldest, ascending, or the newest, descending, by the window. Ends once it returns false.
   */
  each(
    owner: number,
    { from, to, newest }: RowWindow,
    limit: number,
    visit: (at: number) => boolean,
  ): void {
    if (from > to || limit <= 0) return
    const { bytes, keyOf } = this.form
    let left = limit
    /** Returns whether the next chunk may hold more. */
    const visitChunk = (end: number): boolean => {
      const begin = lowerBound(this.form, this.rows, 0, end, from)
      const past = lowerBound(this.form, this.rows, 0, end, to + 1)
      for (let i = 0; i < past - begin; i += bytes) {
        if (left-- === 0 || !visit(newest ? past - bytes - i : begin + i)) return false
      }
      return newest ? begin === 0 : past === end
    }
    let next = newest ? to : from
    if (this.load(owner, next)) {
      next = newest ? this.first - 1 : this.lastIn() + 1
      // Most windows end within one chunk.
      if (!visitChunk(this.end)) return
    } else if (newest) return
    this.forget()
    const range = { start: keyOf(owner, next), end: keyOf(owner, newest ? 0 : to + 1) }
    for (const { value } of this.table.rows({ ...range, reverse: newest })) {
      this.rows.bytes.set(value)
      if (!visitChunk(value.length)) return
    }
  }

  /** Reads the owner's last chunk that begins at or below the id. False when there is none. */
  private load(owner: number, id: number): boolean {
    if (owner === this.owner && id >= this.first && id <= this.upTo) return true
    const { keyOf } = this.form
    const range = { start: keyOf(owner, id), end: keyOf(owner, 0), reverse: true, limit: 1 }
    for (const key of this.table.keys(range)) {
      const first = keyId(key)
      if (owner !== this.owner || first !== this.first) {
        const stored = this.table.get(key)!
        this.rows.bytes.set(stored)
        this.owner = owner
        this.first = first
        this.end = stored.length
        this.upTo = this.lastIn()
      }
      this.upTo = Math.max(this.upTo, id)
      return true
    }
    return false
  }

  /** The last id of the chunk. */
  private lastIn(): number {
    return rowId(this.rows, this.end - this.form.bytes)
  }

  private firstWithin(timeOf: TimeOf, timeMs: Ms): number {
    let low = 0
    let high = this.end / this.form.bytes - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (timeOf(this.rows, middle * this.form.bytes) < timeMs) low = middle + 1
      else high = middle
    }
    return rowId(this.rows, low * this.form.bytes)
  }
}

/**
 * Returns the ids that a query wants (history.ts). `timeOf` reads the time that the query's bounds are about.
 */
export function windowOf(
  reader: RowReader,
  owner: number,
  timeOf: TimeOf,
  query: { readonly startTime?: Ms; readonly endTime?: Ms },
  fromId: number | undefined,
): RowWindow {
  const { startTime, endTime } = query
  const lastId = reader.lastId(owner)
  const fromTime = startTime === undefined ? 0 : reader.firstAt(owner, timeOf, startTime, lastId)
  return {
    from: Math.max(fromId ?? 0, fromTime),
    to: endTime === undefined ? lastId : reader.firstAt(owner, timeOf, Ms(endTime + 1), lastId) - 1,
    newest: fromId === undefined && startTime === undefined,
  }
}

/** Returns the window's rows, ascending. */
export function readRows<Row>(
  reader: RowReader,
  owner: number,
  window: RowWindow,
  limit: number,
  make: (rows: RecordBuffer, at: number) => Row,
): Row[] {
  const found: Row[] = []
  reader.each(owner, window, limit, (at) => found.push(make(reader.rows, at)) > 0)
  return window.newest ? found.reverse() : found
}
