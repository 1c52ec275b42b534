/**
 * An answer is a table of elements and typed rows. Handlers yield rows; a transport's encoder writes them.
 * Callers of this process read them as they are.
 */
import { type Int64, product } from '../../base/int64.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { timeOf } from '../render/decimals.ts'
import { type JsonBytes, type JsonWriter, Piece } from '../render/json-bytes.ts'
import { object, type Schema } from '../shapes/schema.ts'
import { type Elements, type Kind, type RowOf, schemaOf, type Values } from './element.ts'

const quote = new Piece('"')
const comma = new Piece(',')
const begin = new Piece('[')
const end = new Piece(']')
const close = new Piece('}')

type Write<Value> = (to: JsonBytes, value: Value, symbol: SymbolSpec, microseconds: boolean) => void

/** The encoder of JSON, by kind. */
const writers: { readonly [K in Kind]: Write<Values[K]> } = {
  symbol: (to, { name }) => writeName(to, name),
  price: (to, ticks, { tickUnits }) => writeDecimal(to, product(ticks, tickUnits)),
  quantity: (to, lots, { lotUnits }) => writeDecimal(to, product(lots, lotUnits)),
  units: (to, units) => writeDecimal(to, units),
  time: (to, timeMs, _symbol, microseconds) => to.integer(timeOf(timeMs, microseconds)),
  integer: (to, value) => to.integer(value),
}

interface Member<Name> {
  readonly name: Name
  /** What stands before its value. */
  readonly begin: Piece
  readonly write: Write<never>
}

export class Answer<const E extends Elements> {
  readonly elements: E
  /** For the documents, and the checks of the tests. */
  readonly schema: Schema
  readonly #members: readonly Member<keyof E>[]

  constructor(elements: E) {
    this.elements = elements
    const all = Object.entries(elements)
    this.schema = object(Object.fromEntries(all.map(([name, kind]) => [name, schemaOf[kind]])))
    this.#members = all.map(([name, kind], i) => ({
      name,
      begin: new Piece(`${i === 0 ? '{' : ','}"${name}":`),
      write: writers[kind],
    }))
  }

  /** Writes one row as JSON. */
  write(to: JsonBytes, row: RowOf<E>, microseconds: boolean): void {
    const { symbol } = row as { readonly symbol?: SymbolSpec }
    for (const { name, begin, write } of this.#members) {
      to.piece(begin)
      write(to, row[name] as never, symbol as SymbolSpec, microseconds)
    }
    to.piece(close)
  }
}

function writeDecimal(to: JsonBytes, units: Int64): void {
  to.piece(quote)
  to.units(units)
  to.piece(quote)
}

/** Names of symbols have no character that JSON escapes. */
function writeName(to: JsonBytes, name: string): void {
  to.piece(quote)
  to.text(name)
  to.piece(quote)
}

/** The rows of one answer: one of them alone, or a list. */
export class Rows<E extends Elements = Elements> implements JsonWriter {
  readonly answer: Answer<E>
  readonly rows: RowOf<E> | readonly RowOf<E>[]
  readonly #microseconds: boolean

  constructor(answer: Answer<E>, rows: RowOf<E> | readonly RowOf<E>[], microseconds: boolean) {
    this.answer = answer
    this.rows = rows
    this.#microseconds = microseconds
  }

  write(to: JsonBytes): void {
    const { answer, rows } = this
    if (!Array.isArray(rows)) {
      answer.write(to, rows as RowOf<E>, this.#microseconds)
      return
    }
    to.piece(begin)
    rows.forEach((row: RowOf<E>, i) => {
      if (i > 0) to.piece(comma)
      answer.write(to, row, this.#microseconds)
    })
    to.piece(end)
  }
}
