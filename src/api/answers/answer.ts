/**
 * An answer is a table of elements, and typed rows. Handlers yield rows; a transport's encoder writes them,
 * and callers of this process read them as they are.
 */
import { type JsonBytes, type JsonWriter, Piece } from '../render/json-bytes.ts'
import {
  type Elements,
  type Form,
  isAlways,
  type RowOf,
  type Shown,
  type Table,
} from './element.ts'
import { type WriteRow, writerOf } from './json.ts'
import { object, type Schema, tuple } from './schema.ts'

export class Answer<const E extends Elements = Elements> implements Table<E> {
  readonly elements: E
  readonly isTuple: boolean
  readonly isKept: boolean
  /** For the documents, and the checks of the tests. */
  readonly schema: Schema
  #write: WriteRow | undefined

  constructor(elements: E, isTuple = false, isKept = false) {
    this.elements = elements
    this.isTuple = isTuple
    this.isKept = isKept
    const all = Object.entries(elements)
    const named = (isThere: boolean) =>
      Object.fromEntries(
        all
          .filter(([, one]) => isAlways(one) === isThere)
          .map(([name, { schema }]) => [name, schema]),
      )
    this.schema = isTuple
      ? tuple(...all.map(([, { schema }]) => schema))
      : object(named(true), named(false))
  }

  /** An answer whose rows never change and are shown in one form: the JSON of each is made once. */
  static kept<const E extends Elements>(elements: E): Answer<E> {
    return new Answer(elements, false, true)
  }

  /** Writes one row as JSON; made when it is first asked for. */
  get write(): WriteRow<RowOf<E>> {
    this.#write ??= writerOf(this)
    return this.#write as WriteRow<RowOf<E>>
  }
}

const comma = new Piece(',')
const begin = new Piece('[')
const end = new Piece(']')

/** The rows of one answer: one of them alone, or a list. */
export class Rows<E extends Elements = Elements> implements JsonWriter {
  readonly answer: Answer<E>
  readonly rows: RowOf<E> | readonly RowOf<E>[]
  readonly form: Form

  constructor(answer: Answer<E>, rows: RowOf<E> | readonly RowOf<E>[], form: Form) {
    this.answer = answer
    this.rows = rows
    this.form = form
  }

  write(to: JsonBytes): void {
    const { answer, rows, form } = this
    const { write } = answer
    if (!Array.isArray(rows)) {
      write(to, rows as RowOf<E>, form)
      return
    }
    to.piece(begin)
    for (let i = 0; i < rows.length; i++) {
      if (i > 0) to.piece(comma)
      write(to, rows[i] as RowOf<E>, form)
    }
    to.piece(end)
  }
}

/** Rows of any answer. */
export type AnyRows = Shown & JsonWriter

/** A list of rows of several answers. */
export class MixedRows implements JsonWriter {
  readonly parts: readonly AnyRows[]

  constructor(parts: readonly AnyRows[]) {
    this.parts = parts
  }

  write(to: JsonBytes): void {
    to.piece(begin)
    for (let i = 0; i < this.parts.length; i++) {
      if (i > 0) to.piece(comma)
      this.parts[i]!.write(to)
    }
    to.piece(end)
  }
}
