/**
 * An answer is a table of elements, and typed rows. Handlers yield rows; a transport's encoder writes them,
 * and callers of this process read them as they are.
 */
import {
  type Elements,
  type Form,
  isAlways,
  type RowOf,
  type Shown,
  type Table,
} from './element.ts'
import { object, type Schema, tuple } from './schema.ts'

export class Answer<const E extends Elements = Elements> implements Table<E> {
  readonly elements: E
  readonly isTuple: boolean
  readonly isKept: boolean
  /** For the documents, and the checks of the tests. */
  readonly schema: Schema
  readonly compiled = {}

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
}

/** The rows of one answer: one of them alone, or a list. */
export class Rows<E extends Elements = Elements> implements Shown {
  readonly answer: Answer<E>
  readonly rows: RowOf<E> | readonly RowOf<E>[]
  readonly form: Form

  constructor(answer: Answer<E>, rows: RowOf<E> | readonly RowOf<E>[], form: Form) {
    this.answer = answer
    this.rows = rows
    this.form = form
  }
}

/** Rows of any answer. */
export type AnyRows = Shown

/** A list of rows of several answers. */
export class MixedRows {
  readonly parts: readonly AnyRows[]

  constructor(parts: readonly AnyRows[]) {
    this.parts = parts
  }
}

/** Rows that were encoded before, perhaps on another thread: their encoder passes the bytes on. */
export class Encoded {
  /** The encoder's name. */
  readonly encoding: string
  readonly bytes: Uint8Array

  constructor(encoding: string, bytes: Uint8Array) {
    this.encoding = encoding
    this.bytes = bytes
  }
}

/** What a request is answered with. */
export type Reply = AnyRows | MixedRows | Encoded
