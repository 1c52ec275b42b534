/**
 * The encoder of JSON: each answer's table becomes one function, whose text is put together here and
 * compiled once. It writes constant parts word by word and reads each property once, as code by hand would,
 * which a loop over elements does not (bench `gateway-instructions`).
 */
import { assert } from '../../base/assert.ts'
import { formatBigDecimal, formatDecimal } from '../../base/fixed.ts'
import { type Int64, product } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { Lots, Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type AnyRows, Encoded, type Reply } from './answer.ts'
import type { Element, Form, Kind, Source, Table } from './element.ts'
import { FunctionText, indexOf, isSymbol, type NameKind, ownSymbol, test } from './function-text.ts'
import { type JsonBytes, jsonBytes, Piece } from './json-bytes.ts'
import { rendererOf } from './shape-text.ts'

type WriteRow = (to: JsonBytes, row: never, form: Form) => void

const comma = new Piece(',')
const begin = new Piece('[')
const end = new Piece(']')

/** Writes an answer. */
export function writeJson(to: JsonBytes, reply: Reply): void {
  if ('rows' in reply) writeRows(to, reply)
  else if (reply instanceof Encoded) {
    assert(reply.encoding === 'JSON', 'an answer has one encoding')
    to.bytes(reply.bytes)
  } else {
    to.piece(begin)
    for (let i = 0; i < reply.parts.length; i++) {
      if (i > 0) to.piece(comma)
      writeRows(to, reply.parts[i]!)
    }
    to.piece(end)
  }
}

function writeRows(to: JsonBytes, { answer, rows, form }: AnyRows): void {
  const write = writerOf(answer)
  if (!Array.isArray(rows)) {
    write(to, rows as never, form)
    return
  }
  to.piece(begin)
  for (let i = 0; i < rows.length; i++) {
    if (i > 0) to.piece(comma)
    write(to, rows[i] as never, form)
  }
  to.piece(end)
}

/** Returns the JSON of an answer, until the thread's next one begins. */
export function bytesOf(reply: Reply): Uint8Array {
  jsonBytes.begin()
  writeJson(jsonBytes, reply)
  return jsonBytes.view()
}

export const textOf = (reply: Reply): string => Buffer.from(bytesOf(reply)).toString()

/** The text that writes values of a kind, given an expression of one; decimals stand between quotes. */
const bare: { readonly [Kind in Element['kind']['is']]?: (value: string) => string } = {
  integer: (value) => `to.int64(${value})`,
  time: (value) => `to.integer(form.microseconds ? ${value} * 1000 : ${value})`,
  timeOrNull: (value) =>
    `to.text(${value} === null ? 'null' : String(form.microseconds ? ${value} * 1000 : ${value}))`,
  moment: (value) => `to.integer(form.microseconds && ${value} >= 0 ? ${value} * 1000 : ${value})`,
  endTime: (value) => `to.integer(form.microseconds ? (${value} + 1) * 1000 - 1 : ${value})`,
  flag: (value) => `to.piece(${value} ? yes : no)`,
  text: (value) => `to.text(escaped(${value}))`,
  textOrNull: (value) => `to.text(escaped(${value}))`,
  any: (value) => `to.text(escaped(${value}))`,
  echo: (value) => `to.text(${value})`,
  assetOrNull: (value) => `to.text(${value} === null ? 'null' : escaped(${value}.name))`,
  answer: (value) => `writeAnswer(to, ${value})`,
  unitsOrNull: (value) => `to.text(${value} < 0 ? 'null' : escaped(signedText(${value})))`,
}
const quoted: typeof bare = {
  symbol: (value) => `to.text(${value}.name)`,
  symbolId: (value) => `to.text(${value}.name)`,
  asset: (value) => `to.text(${value}.name)`,
  id: (value) => `to.text(${value})`,
  decimalText: (value) => `to.text(${value})`,
  price: (value) => `to.units(product(${value}, spec.tickUnits))`,
  quantity: (value) => `to.units(product(${value}, spec.lotUnits))`,
  priceChange: (value) => `to.text(changeText(${value}, spec))`,
  volume: (value) => `to.text(volumeText(${value}, spec))`,
  units: (value) => `to.units(${value})`,
  signedUnits: (value) => `to.text(signedText(${value}))`,
}

/** What the texts name. */
const helpers: Readonly<Record<string, unknown>> = {
  product,
  yes: new Piece('true'),
  no: new Piece('false'),
  comma,
  escaped: JSON.stringify,
  changeText: (ticks: number, { tickUnits }: SymbolSpec) =>
    formatDecimal(product(ticks, tickUnits), WIRE_DECIMALS),
  volumeText: (lots: bigint, { lotUnits }: SymbolSpec) =>
    formatBigDecimal(lots * BigInt(lotUnits), WIRE_DECIMALS),
  signedText: (units: Int64) => formatDecimal(units, WIRE_DECIMALS),
  writeAnswer(to: JsonBytes, reply: Reply | null): void {
    const before = to.length
    if (reply === null) to.piece(nothing)
    else writeJson(to, reply)
    to.innerBytes = to.length - before
  },
  fixedText: formatDecimal,
  writeLevels,
}

const nothing = new Piece('null')

const [levelBegin, levelNext, levelMiddle, levelEnd] = ['["', ',["', '","', '"]'].map(
  (text) => new Piece(text),
) as [Piece, Piece, Piece, Piece]

function writeLevels(
  to: JsonBytes,
  levels: readonly (readonly [Ticks, Lots])[],
  { tickUnits, lotUnits }: SymbolSpec,
): void {
  for (let i = 0; i < levels.length; i++) {
    const [priceTicks, lots] = levels[i]!
    to.piece(i === 0 ? levelBegin : levelNext)
    to.units(product(priceTicks, tickUnits))
    to.piece(levelMiddle)
    to.units(product(lots, lotUnits))
    to.piece(levelEnd)
  }
}

/** Returns what writes a row of the table, compiled at the first call. */
function writerOf(table: Table): WriteRow {
  const { compiled } = table
  compiled.JSON ??= compile(table)
  return compiled.JSON as WriteRow
}

function compile(table: Table): WriteRow {
  const text = new WriterText()
  text.object(table, 'row')
  const write = text.compile()
  return table.isKept ? keeping(write) : write
}

/** Keeps the JSON of each row as long as there is the row. */
function keeping(write: WriteRow): WriteRow {
  const kept = new WeakMap<object, Uint8Array>()
  return (to, row: never, form) => {
    const known = kept.get(row)
    if (known !== undefined) {
      to.bytes(known)
      return
    }
    const { length } = to
    write(to, row, form)
    kept.set(row, to.view().slice(length))
  }
}

type Named = readonly [label: string, element: Element<never>]

class WriterText extends FunctionText {
  /** Constant JSON that is still to be written. */
  private pending = ''

  object({ elements, isTuple }: Table, row: string): void {
    const all = Object.entries(elements).map(([name, element], i): Named => {
      const separator = i === 0 ? '' : ','
      return [isTuple ? separator : `${separator}"${name}":`, element]
    })
    const own = all.map(([, element]) => ownSymbol(element, row)).find((spec) => spec !== undefined)
    // Each further one begins with a comma.
    const isFirstSure = all.length < 2 || all[0]![1].conditions.length === 0
    assert(isFirstSure, 'the first element of several is not optional')
    if (own !== undefined) this.open(`const spec = ${own}`)
    this.pending += isTuple ? '[' : '{'
    for (let i = 0; i < all.length; ) {
      const joined = joinedFrom(all, i)
      if (joined > 1) this.maskedNames(all.slice(i, i + joined), row)
      else this.element(all[i]!, row)
      i += joined
    }
    this.pending += isTuple ? ']' : '}'
    if (own !== undefined) this.close()
  }

  compile(): WriteRow {
    this.flush()
    return this.made(helpers) as WriteRow
  }

  private element([label, { kind, source, conditions }]: Named, row: string): void {
    if (conditions.length > 0)
      this.open(`if (${conditions.map((one) => test(one, row)).join(' && ')})`)
    this.pending += label
    if (kind.is === 'constant') this.pending += JSON.stringify(kind.value)
    else this.value(kind, isSymbol(kind) ? 'spec' : this.read(source, row))
    if (conditions.length > 0) this.close()
  }

  private value(kind: Kind, value: string): void {
    const { is } = kind
    if (is === 'row') this.row(kind.table, value)
    else if (is === 'rows') this.each(value, (row) => this.inner(kind.table, row))
    else if (is === 'list') this.each(value, (one) => this.value(kind.of, one))
    else if (is === 'variant') {
      const writers = Object.entries(kind.tables).map(([name, table]) => [name, writerOf(table)])
      this.line(
        `${this.named(Object.fromEntries(writers))}[${value}.${kind.by}](to, ${value}, form)`,
      )
    } else if (is === 'levels') {
      this.pending += '['
      this.line(`writeLevels(to, ${value}, spec)`)
      this.pending += ']'
    } else if (is === 'name') {
      const texts = kind.names.map((name) => new Piece(`${this.pending}"${name}"`))
      this.pending = ''
      this.lines.push(`to.piece(${this.named(texts)}[${indexOf(kind, value)}])`)
    } else if (is === 'wire') {
      this.line(`to.text(${this.named(rendererOf(kind.schema))}(${value}))`)
    } else if (is === 'fixed') {
      this.pending += '"'
      this.line(`to.text(fixedText(${value}, ${kind.decimals}))`)
      this.pending += '"'
    } else if (quoted[is] !== undefined) {
      this.pending += '"'
      this.line(quoted[is](value))
      this.pending += '"'
    } else this.line(bare[is]!(value))
  }

  /** Names in bits of one property become one piece. */
  private maskedNames(all: readonly Named[], row: string): void {
    const { source, kind } = all[0]![1]
    const names = kind as NameKind
    const texts = Array.from({ length: names.names.length }, (_, value) => {
      const members = all.map(([label, one]) => `${label}"${(one.kind as NameKind).names[value]}"`)
      return new Piece(this.pending + members.join(''))
    })
    this.pending = ''
    const index = indexOf(names, this.read(source, row))
    this.lines.push(`to.piece(${this.named(texts)}[${index}])`)
  }

  private row(table: Table, value: string): void {
    const name = `row${this.depth++}`
    this.open(`const ${name} = ${value}`)
    this.inner(table, name)
    this.close()
  }

  private inner(table: Table, row: string): void {
    if (table.isKept) this.line(`${this.named(writerOf(table))}(to, ${row}, form)`)
    else this.object(table, row)
  }

  private each(value: string, write: (one: string) => void): void {
    const depth = this.depth++
    const [list, at, name] = [`rows${depth}`, `i${depth}`, `row${depth}`]
    this.pending += '['
    this.open(`const ${list} = ${value}`)
    this.open(`for (let ${at} = 0; ${at} < ${list}.length; ${at}++)`)
    this.lines.push(`const ${name} = ${list}[${at}]`, `if (${at} > 0) to.piece(comma)`)
    write(name)
    this.close()
    this.close()
    this.pending += ']'
  }

  private line(text: string): void {
    this.flush()
    this.lines.push(text)
  }

  /** Constant JSON before a block is written in any case, and that in it at its end. */
  protected override open(head: string): void {
    this.flush()
    super.open(head)
  }

  protected override close(): void {
    this.flush()
    super.close()
  }

  private flush(): void {
    if (this.pending === '') return
    this.lines.push(`to.piece(${this.named(new Piece(this.pending))})`)
    this.pending = ''
  }
}

/** How many elements from here are names that bits of one property say; 1 for others. */
function joinedFrom(all: readonly Named[], from: number): number {
  const { kind, source, conditions } = all[from]![1]
  if (kind.is !== 'name' || !kind.isMasked || conditions.length > 0) return 1
  const isJoined = ([, other]: Named) =>
    other.kind.is === 'name' &&
    other.kind.isMasked &&
    other.kind.shift === kind.shift &&
    propertyOf(other.source) === propertyOf(source)
  const end = all.findIndex((one, i) => i > from && !isJoined(one))
  return (end < 0 ? all.length : end) - from
}

const propertyOf = (source: Source): string => ('property' in source ? source.property : '')
