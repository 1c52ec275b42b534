/**
 * Rows of a table of chunks (row-form.ts) to be removed or replaced, for retention: each chunk is read and
 * written once. The table's writer must forget its chunks afterwards.
 */
import type { Table } from '../journal/environment.ts'
import { KEY_ID_MAX, keyId } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { CHUNK_BYTES, type RowForm, rowId } from './row-form.ts'

interface Edit {
  readonly owner: number
  readonly id: number
  /** What replaces the row; undefined removes it. */
  readonly row: Uint8Array | undefined
}

export class RowEdits {
  private readonly table: Table
  private readonly form: RowForm
  private readonly chunk = RecordBuffer.allocate(CHUNK_BYTES)
  private edits: Edit[] = []

  constructor(table: Table, form: RowForm) {
    this.table = table
    this.form = form
  }

  /** Rows to be removed or replaced. */
  get count(): number {
    return this.edits.length
  }

  /** A row that is there. */
  remove(owner: number, id: number): void {
    this.edits.push({ owner, id, row: undefined })
  }

  /** A row that is there, by one with the same id. */
  replace(owner: number, id: number, row: Uint8Array): void {
    this.edits.push({ owner, id, row })
  }

  /** Within a transaction. */
  apply(): void {
    const edits = this.edits.sort((a, b) => a.owner - b.owner || a.id - b.id)
    this.edits = []
    for (let next = 0; next < edits.length; ) next = this.applyToChunk(edits, next)
  }

  /** Applies the edits from `next` on that are of its chunk. Returns the first that is not. */
  private applyToChunk(edits: readonly Edit[], next: number): number {
    const { bytes } = this.form
    const { owner, id } = edits[next]!
    const key = this.keyUpTo(owner, id)
    const stored = key && this.table.get(key)
    if (key === undefined || stored === undefined) return next + 1
    this.chunk.bytes.set(stored)
    const rows = this.chunk
    const end = stored.length
    const lastId = rowId(rows, end - bytes)
    let kept = 0
    let edit = next
    for (let at = 0; at < end; at += bytes) {
      const id = rowId(rows, at)
      while (edit < edits.length && isBefore(edits[edit]!, owner, id)) edit++
      const found = edits[edit]
      const isMeant = found?.owner === owner && found.id === id
      if (isMeant && found.row === undefined) continue
      if (isMeant) rows.bytes.set(found.row!, at)
      rows.bytes.copyWithin(kept, at, at + bytes)
      kept += bytes
    }
    const first = kept > 0 ? rowId(rows, 0) : -1
    if (first !== keyId(key)) this.table.remove(key)
    if (kept > 0) this.table.put(this.form.keyOf(owner, first), rows.bytes.subarray(0, kept))
    while (edit < edits.length && isBefore(edits[edit]!, owner, lastId + 1)) edit++
    return Math.max(edit, next + 1)
  }

  private keyUpTo(owner: number, id: number): Uint8Array | undefined {
    const { keyOf } = this.form
    const start = keyOf(owner, Math.min(id, KEY_ID_MAX))
    const range = { start, end: keyOf(owner, 0), reverse: true, limit: 1 }
    for (const key of this.table.keys(range)) return key
    return undefined
  }
}

const isBefore = (edit: Edit, owner: number, id: number): boolean =>
  edit.owner < owner || (edit.owner === owner && edit.id < id)
