/**
 * Writes a table of rows in chunks (row-form.ts) within the archive's transactions. Chunks that were
 * touched stay in memory, each is stored once for a transaction, and most rows cost no call of LMDB. The
 * memory is bounded: when it is full, all chunks are stored and forgotten, within the transaction under
 * way. A chunk grows while it is in memory, and is never read to grow again: owners that trade often
 * fill theirs, and a rare owner's row costs one put.
 *
 * It must be the table's only writer; after others wrote, or a transaction failed, it must forget.
 */
import type { Table } from '../journal/environment.ts'
import { KEY_ID_MAX, keyId } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { CHUNK_BYTES, lowerBound, type RowForm, rowId, rowsPerChunk, setRowId } from './row-form.ts'

/** The journal and the archive do not fit together: the archive must be applied again. */
export class ArchiveDamage extends Error {
  override readonly name = 'ArchiveDamage'
}

/** Chunks in memory, unless the owners are few: about 16 MB, as far as they are used. */
const CHUNKS_MAX = 4_096

export class RowWriter {
  /** The rows in memory; each chunk has CHUNK_BYTES of it. */
  readonly values: RecordBuffer
  private readonly table: Table
  private readonly form: RowForm
  private readonly keyOf: RowForm['keyOf']
  private readonly chunkRows: number
  private readonly chunksMax: number
  /**
   * By chunk: its owner, the id of its first row, its rows, whether its rows are the owner's last when it is
   * the last in memory, and whether it must be stored.
   */
  private readonly owners: Float64Array
  private readonly firsts: Float64Array
  private readonly rows: Int32Array
  private readonly isNewest: Uint8Array
  private readonly isChanged: Uint8Array
  /** Chunks to be stored. */
  private readonly changed: Int32Array
  private changedCount = 0
  private count = 0
  /** By owner: its chunks in memory, ascending. */
  private readonly chunksOf = new Map<number, number[]>()

  constructor(table: Table, form: RowForm, chunksMax = CHUNKS_MAX) {
    this.table = table
    this.form = form
    this.keyOf = form.makeKeys()
    this.chunkRows = rowsPerChunk(form)
    this.chunksMax = chunksMax
    this.values = RecordBuffer.allocate(chunksMax * CHUNK_BYTES)
    this.owners = new Float64Array(chunksMax)
    this.firsts = new Float64Array(chunksMax)
    this.rows = new Int32Array(chunksMax)
    this.isNewest = new Uint8Array(chunksMax)
    this.isChanged = new Uint8Array(chunksMax)
    this.changed = new Int32Array(chunksMax)
  }

  /**
   * Returns the byte of `values` where a new row begins; only its id is set. The id must be above
   * the owner's others. Valid until the next call.
   */
  append(owner: number, id: number): number {
    const chunks = this.chunks(owner)
    let chunk = chunks.at(-1) ?? -1
    let rows = chunk >= 0 && this.isNewest[chunk] === 1 ? this.rows[chunk]! : 0
    if (rows > 0 && this.idAt(chunk, rows - 1) >= id) {
      throw new ArchiveDamage(`Row ${id} is not above the last one in the archive.`)
    }
    if (rows === 0 || rows === this.chunkRows) {
      chunk = this.take(owner, id)
      this.isNewest[chunk] = 1
      chunks.push(chunk)
      rows = 0
    }
    this.rows[chunk] = rows + 1
    this.change(chunk)
    const at = chunk * CHUNK_BYTES + rows * this.form.bytes
    setRowId(this.values, at, id)
    return at
  }

  /**
   * Returns the byte of `values` where a row begins that the caller will change; -1 when there is none.
   * Valid until the next call.
   */
  find(owner: number, id: number): number {
    const chunks = this.chunks(owner)
    const index = this.indexOf(chunks, id)
    const known = index < 0 ? -1 : chunks[index]!
    if (known >= 0) {
      const at = this.within(known, id)
      const isLast = index === chunks.length - 1 && this.isNewest[known] === 1
      if (at >= 0 || isLast) return at
    }
    // It may be in a chunk between these that is not in memory.
    const chunk = this.load(owner, id, known)
    if (chunk < 0) return -1
    chunks.splice(index + 1, 0, chunk)
    return this.within(chunk, id)
  }

  /** Writes the chunks that changed, within a transaction. */
  store(): void {
    const { bytes } = this.values
    for (let i = 0; i < this.changedCount; i++) {
      const chunk = this.changed[i]!
      const at = chunk * CHUNK_BYTES
      const key = this.keyOf(this.owners[chunk]!, this.firsts[chunk]!)
      this.table.put(key, bytes.subarray(at, at + this.rows[chunk]! * this.form.bytes))
      this.isChanged[chunk] = 0
    }
    this.changedCount = 0
  }

  /** Removes all rows of an owner, within a transaction that has stored them. */
  clear(owner: number): void {
    const { keyOf } = this.form
    const range = { start: keyOf(owner, 0), end: keyOf(owner, KEY_ID_MAX) }
    for (const key of [...this.table.keys(range)]) this.table.remove(key)
    this.chunksOf.delete(owner)
  }

  /** Forgets what is in memory: the next call reads the table. */
  forget(): void {
    this.chunksOf.clear()
    this.isChanged.fill(0, 0, this.count)
    this.changedCount = 0
    this.count = 0
  }

  /** The owner's chunks in memory, where there is room for another. */
  private chunks(owner: number): number[] {
    if (this.count === this.chunksMax) {
      this.store()
      this.forget()
    }
    let chunks = this.chunksOf.get(owner)
    if (chunks === undefined) {
      chunks = []
      this.chunksOf.set(owner, chunks)
    }
    return chunks
  }

  /** The index of the last of these that begins at or below the id; -1 when none does. */
  private indexOf(chunks: readonly number[], id: number): number {
    let low = 0
    let high = chunks.length
    if (high > 0 && this.firsts[chunks[high - 1]!]! <= id) return high - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.firsts[chunks[middle]!]! <= id) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  private within(chunk: number, id: number): number {
    const begin = chunk * CHUNK_BYTES
    const end = begin + this.rows[chunk]! * this.form.bytes
    const at = lowerBound(this.form, this.values, begin, end, id)
    if (at === end || rowId(this.values, at) !== id) return -1
    this.change(chunk)
    return at
  }

  private idAt(chunk: number, row: number): number {
    return rowId(this.values, chunk * CHUNK_BYTES + row * this.form.bytes)
  }

  /**
   * Reads the last stored chunk that begins at or below the id. Returns -1 when there is none, or it is
   * `known`.
   */
  private load(owner: number, id: number, known: number): number {
    const keyOf = this.keyOf
    // A rare owner's rows are separate chunks.
    let first = id
    let stored = this.table.get(keyOf(owner, id))
    if (stored === undefined) {
      first = this.firstUpTo(owner, id)
      if (first < 0 || (known >= 0 && first === this.firsts[known]!)) return -1
      stored = this.table.get(keyOf(owner, first))
    }
    const length = stored?.length ?? 0
    if (length === 0 || length > CHUNK_BYTES || length % this.form.bytes !== 0) {
      throw new ArchiveDamage('A chunk of rows in the archive is not whole.')
    }
    const chunk = this.take(owner, first)
    this.values.bytes.set(stored!, chunk * CHUNK_BYTES)
    this.rows[chunk] = length / this.form.bytes
    return chunk
  }

  /** The first id of that chunk; -1 when there is none. */
  private firstUpTo(owner: number, id: number): number {
    const { keyOf } = this.form
    const range = { start: keyOf(owner, id), end: keyOf(owner, 0), reverse: true, limit: 1 }
    for (const key of this.table.keys(range)) return keyId(key)
    return -1
  }

  private take(owner: number, first: number): number {
    const chunk = this.count++
    this.owners[chunk] = owner
    this.firsts[chunk] = first
    this.rows[chunk] = 0
    this.isNewest[chunk] = 0
    return chunk
  }

  private change(chunk: number): void {
    if (this.isChanged[chunk] === 1) return
    this.isChanged[chunk] = 1
    this.changed[this.changedCount++] = chunk
  }
}
