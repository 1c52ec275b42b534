/**
 * The encoder of SBE: each answer's table and template become one function, whose text is put together here and
 * compiled once, as that of JSON is. A template says where an element stands and how; the table, what it shows.
 */
import { assert } from '../../base/assert.ts'
import { parseInt64, powerOfTen } from '../../base/fixed.ts'
import { type Int64, product } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { Lots, Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type AnyRows, Encoded, type Reply } from '../answers/answer.ts'
import type { Element, Form, Kind, RowOf, Table } from '../answers/element.ts'
import { type ErrorRow, limitedData } from '../answers/errors.ts'
import { FunctionText, indexOf, isSymbol, ownSymbol, test } from '../answers/function-text.ts'
import { eventFrame, subscriptionEvent } from '../answers/session.ts'
import { listTemplates, reportTables, templateOf } from './answer-templates.ts'
import { codesSince } from './codes.ts'
import {
  blockBytes,
  type Codes,
  type Data,
  type Field,
  type Group,
  ITSELF,
  type Members,
  NON_REPRESENTABLE,
  PRIMITIVE_BYTES,
  type Primitive,
  type Template,
} from './fields.ts'
import { NO_SUBSCRIPTION, type SbeBytes, type SchemaVersion, sbeBytes } from './sbe-bytes.ts'
import { STREAM_SCHEMA_ID, STREAM_SCHEMA_VERSION } from './stream-templates.ts'
import { filterTemplates, general, orders, SCHEMA_ID } from './templates.ts'

type WriteRow = (to: SbeBytes, row: never, form: Form) => void

const STREAM_SCHEMA = { id: STREAM_SCHEMA_ID, version: STREAM_SCHEMA_VERSION }
const nothing = new Uint8Array()

/** Minor versions of the schema that messages can be written in. */
export const sbeVersions = [4, 5] as const
export type SbeVersion = (typeof sbeVersions)[number]

/** Returns the message of an answer, until the thread's next one begins. */
export function sbeOf(version: SbeVersion, reply: Reply, isDeprecated = false): Uint8Array {
  if (reply instanceof Encoded) {
    assert(reply.encoding === encodingOf(version), 'an answer has one encoding')
    return reply.bytes
  }
  const schema = { id: SCHEMA_ID, version, isDeprecated }
  for (let exponent = -WIRE_DECIMALS; exponent <= WIRE_DECIMALS; exponent++) {
    if (isExact(schema, exponent, exponent, reply)) return sbeBytes.view()
  }
  sbeBytes.beginWith(schema, 0, 0)
  sbeBytes.header(0, general.nonRepresentable.id)
  return sbeBytes.view()
}

/**
 * Returns the message of a market stream's frame, until the thread's next one; an empty one where no exponents show
 * all of it, or a side has more levels than a count of 16 bits. Quantities have their own exponent, since books of
 * tiny prices have large ones.
 */
export function streamMessageOf(frame: AnyRows): Uint8Array {
  const usual = -WIRE_DECIMALS
  if (isExact(STREAM_SCHEMA, usual, usual, frame)) return sbeBytes.view()
  const { tickUnits, lotUnits } = (frame.rows as { readonly spec: SymbolSpec }).spec
  const [ofPrices, ofQuantities] = [exponentOf(tickUnits), exponentOf(lotUnits)]
  const isWhole =
    isExact(STREAM_SCHEMA, usual, ofQuantities, frame) ||
    isExact(STREAM_SCHEMA, ofPrices, usual, frame) ||
    isExact(STREAM_SCHEMA, ofPrices, ofQuantities, frame)
  return isWhole ? sbeBytes.view() : nothing
}

/** The largest that shows each multiple of a step. */
function exponentOf(units: number): number {
  let zeros = 0
  while (units % 10 ** (zeros + 1) === 0) zeros++
  return zeros - WIRE_DECIMALS
}

/** Writes a message with these exponents. Returns whether they show all of it. */
function isExact(
  schema: SchemaVersion,
  exponent: number,
  qtyExponent: number,
  reply: Reply,
): boolean {
  sbeBytes.beginWith(schema, exponent, qtyExponent)
  writeReply(sbeBytes, reply)
  return !sbeBytes.isInexact
}

/** The newest version that a gateway answers in; undefined while SBE is switched off. */
export interface SbeSwitch {
  newest: SbeVersion | undefined
}

/** Of a schema that the settings name, as 3:5. */
export const sbeVersionOf = (schema: string): SbeVersion | undefined =>
  sbeVersions.find((version) => schema === `${SCHEMA_ID}:${version}`)

/** The name of the encoder, which lists of history threads have too. */
export const encodingOf = (version: SbeVersion): `SBE 3:${SbeVersion}` => `SBE 3:${version}`

function writeReply(to: SbeBytes, reply: Reply): void {
  if (reply instanceof Encoded) to.bytes(reply.bytes)
  else if ('parts' in reply) writeParts(to, reply.parts)
  else if (reply.answer === subscriptionEvent) {
    const { id, event } = reply.rows as RowOf<typeof subscriptionEvent.elements>
    to.subscriptionId = id as number
    writeReply(to, event!)
    to.subscriptionId = NO_SUBSCRIPTION
  } else if (reply.answer === eventFrame) {
    writeReply(to, (reply.rows as RowOf<typeof eventFrame.elements>).event!)
  } else {
    const { answer, rows, form } = reply
    const template = Array.isArray(rows)
      ? listTemplates.get(answer)
      : templateOf(answer, rows as never)
    if (template === undefined) to.header(0, general.nonRepresentable.id)
    else writerOf(answer, template)(to, rows as never, form)
  }
}

/** The text of a request's id, which came as JSON. */
export function idText(json: string): string {
  if (json === 'null') return ''
  return json.startsWith('"') ? JSON.parse(json) : json
}

/** What canceling all orders of a symbol answers: a message for each order, and for each list. */
function writeParts(to: SbeBytes, parts: readonly AnyRows[]): void {
  to.header(0, orders.allCanceled.id)
  to.group32(0, parts.length)
  for (let i = 0; i < parts.length; i++) writeInner(to, parts[i]!, 2)
}

function writeInner(to: SbeBytes, reply: Reply, lengthBytes: 1 | 2 | 4): void {
  const from = to.beginInner(lengthBytes)
  writeReply(to, reply)
  to.endInner(from, lengthBytes)
}

/** The times of a limit's refusal are fields; other data is a message, where it has one. */
function writeError(to: SbeBytes, { code, message, data }: ErrorRow): void {
  to.header(blockBytes(general.error.members), general.error.id)
  const at = to.take(18)
  to.fields.setInt16(at, code, true)
  const isLimit = data?.answer === limitedData
  const limit = isLimit
    ? (data.rows as { readonly nowMs: number; readonly retryMs: number })
    : undefined
  if (limit === undefined) {
    to.nullInt64(at + 2)
    to.nullInt64(at + 10)
  } else {
    to.int64(at + 2, limit.nowMs * 1000)
    to.int64(at + 10, limit.retryMs * 1000)
  }
  to.text(message, 2)
  const hasMessage =
    data !== undefined && !isLimit && templateOf(data.answer, data.rows as never) !== undefined
  if (hasMessage) writeInner(to, data, 4)
  else to.text('', 4)
}

/** Returns what writes a row of the table, or a list of them, by the template: compiled at the first call. */
function writerOf(table: Table, template: Template): WriteRow {
  table.compiled.SBE ??= new Map()
  const writers = table.compiled.SBE as Map<Template, WriteRow>
  let write = writers.get(template)
  if (write === undefined) {
    write = template === general.error ? writeError : compiled(table, template)
    writers.set(template, write)
  }
  return write
}

function compiled(table: Table, template: Template): WriteRow {
  const text = new MessageText()
  text.message(table, template)
  const write = text.compile()
  return table.isKept ? keeping(write) : write
}

/** Keeps the bytes of each row as long as there is the row, by version. Its decimals have their exponents with them. */
function keeping(write: WriteRow): WriteRow {
  const keptOf = sbeVersions.map(() => new WeakMap<object, Uint8Array>())
  return (to, row: never, form) => {
    const kept = keptOf[to.version - sbeVersions[0]]!
    const known = kept.get(row)
    if (known !== undefined) {
      to.bytes(known)
      return
    }
    const { length } = to
    write(to, row, form)
    if (!to.isInexact) kept.set(row, to.view().slice(length))
  }
}

/** Texts of decimals as numbers of 10^-8, by kind. */
const unitsTexts: { readonly [Is in Kind['is']]?: (value: string) => string } = {
  price: (value) => `product(${value}, spec.tickUnits)`,
  priceChange: (value) => `product(${value}, spec.tickUnits)`,
  quantity: (value) => `product(${value}, spec.lotUnits)`,
  volume: (value) => `${value} * BigInt(spec.lotUnits)`,
  units: (value) => value,
  signedUnits: (value) => value,
  unitsOrNull: (value) => value,
  decimalText: (value) => `parseInt64(${value}, ${WIRE_DECIMALS})`,
}

/** Texts of texts, by kind. */
const textTexts: typeof unitsTexts = {
  symbol: () => 'spec.name',
  symbolId: () => 'spec.name',
  asset: (value) => `${value}.name`,
  assetOrNull: (value) => `(${value} === null ? '' : ${value}.name)`,
  id: (value) => value,
  text: (value) => value,
  textOrNull: (value) => `(${value} ?? '')`,
  echo: (value) => `idText(${value})`,
}

/** Texts of microseconds, by kind. */
const timeTexts: typeof unitsTexts = {
  time: (value) => `${value} * 1000`,
  timeOrNull: (value) => `${value} * 1000`,
  moment: (value) => `${value} * 1000`,
  endTime: (value) => `(${value} + 1) * 1000 - 1`,
}

const setters: Readonly<Record<Primitive, string>> = {
  int8: 'setInt8',
  uint8: 'setUint8',
  int16: 'setInt16',
  uint16: 'setUint16',
  int32: 'setInt32',
  uint32: 'setUint32',
  float: 'setFloat32',
  int64: '',
  uint64: '',
  mantissa128: '',
}
const nulls: Readonly<Record<Primitive, number>> = {
  int8: -(2 ** 7),
  uint8: 2 ** 8 - 1,
  int16: -(2 ** 15),
  uint16: 2 ** 16 - 1,
  int32: -(2 ** 31),
  uint32: 2 ** 32 - 1,
  float: Number.NaN,
  int64: 0,
  uint64: 0,
  mantissa128: 0,
}

/** Texts of fields that no element shows, but the message. */
const ownTexts: { readonly [Shows in Field['shows']]?: (at: string, name: string) => string } = {
  exponent: (at, name) => `setInt8(${at}, to.${name === QTY_EXPONENT ? name : 'exponent'})`,
  deprecated: (at) => `setUint8(${at}, to.isDeprecated ? 1 : 0)`,
  subscription: (at) => `setUint16(${at}, to.subscriptionId, true)`,
}

/** What the texts name. */
const helpers: Readonly<Record<string, unknown>> = {
  product,
  parseInt64,
  writeInner,
  idText,
  scaled: (value: Int64, unit: number): Int64 =>
    typeof value === 'number' ? product(value, unit) : value * BigInt(unit),
  bitsOf: (values: readonly number[], bits: readonly number[]): number =>
    values.reduce((sum, value) => sum | (1 << bits[value]!), 0),
  writeLevels(
    to: SbeBytes,
    levels: readonly (readonly [Ticks, Lots])[],
    { tickUnits, lotUnits }: SymbolSpec,
  ): void {
    let at = to.take(LEVEL_BYTES * levels.length)
    for (let i = 0; i < levels.length; i++, at += LEVEL_BYTES) {
      const [priceTicks, lots] = levels[i]!
      to.mantissa(at, product(priceTicks, tickUnits))
      to.quantity(at + 8, product(lots, lotUnits))
    }
  },
  writeVariant(to: SbeBytes, row: never, form: Form, table: Table, template: Template): void {
    const from = to.beginInner(1)
    writerOf(table, template)(to, row, form)
    to.endInner(from, 1)
  },
}
const LEVEL_BYTES = 16

/** An element, and the texts of its row and of what must hold for it to stand. */
interface Found {
  readonly element: Element<never>
  readonly row: string
  readonly conditions: readonly string[]
}
/** What a path is looked up in: a row of a table, or a list or a value by itself. */
interface Scope {
  readonly table?: Table
  readonly row: string
  readonly itself?: Kind
}

/** The text of one function. */
class MessageText extends FunctionText {
  /** Texts of rows within rows that have a name already. */
  private readonly inner = new Map<string, string>()
  /** What an answer within the row is of. */
  private reports: Table | undefined = undefined

  message(table: Table, template: Template): void {
    const { id, members } = template
    this.reports = reportTables.get(template)
    this.lines.push(`to.header(${blockBytes(members)}, ${id})`)
    const isList = Object.values(members).some(({ path }) => path === ITSELF)
    if (isList) this.members(members, { row: 'row', itself: { is: 'rows', table } })
    else this.members(members, { table, row: 'row' })
  }

  compile(): WriteRow {
    return this.made(helpers) as WriteRow
  }

  members(members: Members, scope: Scope): void {
    const own =
      scope.table === undefined
        ? undefined
        : Object.values(scope.table.elements)
            .map((one) => ownSymbol(one, scope.row))
            .find((spec) => spec !== undefined)
    if (own !== undefined) this.open(`const spec = ${own}`)
    const all = Object.entries(members)
    this.block(
      all.filter((one): one is [string, Field] => one[1].is === 'field'),
      scope,
    )
    for (const [name, one] of all) {
      if (one.is === 'group') this.group(name, one, scope)
      else if (one.is !== 'field') this.data(name, one, scope)
    }
    if (own !== undefined) this.close()
  }

  private block(fields: readonly (readonly [string, Field])[], scope: Scope): void {
    if (fields.length === 0) return
    const found = fields.map(([name, one]) => this.find(one.path ?? name, scope))
    const at = `at${this.depth++}`
    const bytes = fields.reduce((sum, [, { primitive }]) => sum + PRIMITIVE_BYTES[primitive], 0)
    this.lines.push(`const ${at} = to.take(${bytes})`, `const ${at}f = to.fields`)
    let offset = 0
    fields.forEach(([name, one], i) => {
      this.field(name, one, found[i], `${at} + ${offset}`, `${at}f`, scope)
      offset += PRIMITIVE_BYTES[one.primitive]
    })
  }

  private field(
    name: string,
    one: Field,
    found: Found | undefined,
    at: string,
    fields: string,
    scope: Scope,
  ): void {
    const own = ownTexts[one.shows]
    if (own !== undefined) {
      this.lines.push(`${fields}.${own(at, name)}`)
      return
    }
    const missing = () => {
      assert(one.isOptional === true || one.usual !== undefined, `${name} has no value`)
      return one.isOptional === true
        ? nullText(one, at, fields)
        : numberText(one, `${one.usual}`, at, fields)
    }
    if (found === undefined) {
      this.lines.push(missing())
      return
    }
    const { element, row, conditions } = found
    if (conditions.length > 0) this.open(`if (${conditions.join(' && ')})`)
    const value = `x${this.depth++}`
    const { kind } = element
    const text =
      kind.is === 'constant' ? JSON.stringify(kind.value) : this.read(element.source, row)
    this.open(`const ${value} = ${text}`)
    const absent = this.absence(one, kind, value, scope)
    const write = numberText(one, this.number(name, one, kind, value), at, fields)
    this.lines.push(absent === undefined ? write : `if (${absent}) ${missing()}\nelse ${write}`)
    this.close()
    if (conditions.length === 0) return
    this.close()
    this.open('else')
    this.lines.push(missing())
    this.close()
  }

  /** The text of whether the field is null, though its element stands. */
  private absence(one: Field, kind: Kind, value: string, scope: Scope): string | undefined {
    if (one.absentWith !== undefined) {
      const { element, row } = this.find(one.absentWith, scope)!
      return `${this.read(element.source, row)} == 0`
    }
    if (one.isOptional === true && kind.is === 'timeOrNull') return `${value} === null`
    const mayBeNone = kind.is === 'moment' || kind.is === 'unitsOrNull'
    if (one.isOptional === true && mayBeNone) return `${value} < 0`
    return one.absent === undefined ? undefined : `${value} == ${one.absent}`
  }

  /** The text of the number of a value. */
  private number(name: string, one: Field, kind: Kind, value: string): string {
    const { is } = kind
    switch (one.shows) {
      case 'integer':
        if (is === 'integer') return value
        break
      case 'flag':
        if (is === 'flag' || is === 'constant') return `${value} ? 1 : 0`
        break
      case 'time':
        if (timeTexts[is] !== undefined) return timeTexts[is](value)
        break
      case 'decimal':
        if (is === 'fixed') return `scaled(${value}, ${powerOfTen(WIRE_DECIMALS - kind.decimals)})`
        if (unitsTexts[is] !== undefined) return unitsTexts[is](value)
        break
      case 'ratio':
        if (is === 'fixed') return `Number(${value}) / ${powerOfTen(kind.decimals)}`
        break
      case 'code':
        if (is === 'constant') return `${one.codes![String(kind.value)] ?? NON_REPRESENTABLE}`
        if (is === 'id') {
          const codes = this.named(new Map(Object.entries(one.codes!)))
          return `${codes}.get(${value}) ?? ${NON_REPRESENTABLE}`
        }
        if (is === 'name') return `${this.codes(one.codes!, kind.names)}[${indexOf(kind, value)}]`
        break
      case 'set':
        if (is === 'list' && kind.of.is === 'name') {
          const { names } = kind.of
          return `bitsOf(${value}, ${this.named(names.map((each) => one.codes![each]))})`
        }
        break
    }
    throw new RangeError(`${name} cannot show ${is}`)
  }

  /** The text of the list of codes, by the place of a name. */
  private codes(codes: Codes, names: readonly string[]): string {
    const listed = sbeVersions.map((version) => {
      const later = Object.entries(codesSince)
        .filter(([since]) => Number(since) > version)
        .flatMap(([, late]) => late)
      return names.map((each) =>
        later.includes(each) ? NON_REPRESENTABLE : (codes[each] ?? NON_REPRESENTABLE),
      )
    })
    return `${this.named(listed)}[to.version - ${sbeVersions[0]}]`
  }

  private group(name: string, { path = name, countBytes, members }: Group, scope: Scope): void {
    const head = `to.group${8 * countBytes}(${blockBytes(members)}, `
    const found = this.find(path, scope)
    if (found === undefined) {
      this.lines.push(`${head}0)`)
      return
    }
    const { element, row, conditions } = found
    const { kind } = element
    if (conditions.length > 0) this.open(`if (${conditions.join(' && ')})`)
    const value = path === ITSELF ? row : this.read(element.source, row)
    if (kind.is === 'row') {
      this.lines.push(`${head}1)`)
      this.entry(members, kind, value)
    } else this.entries(head, members, kind, value)
    if (conditions.length === 0) return
    this.close()
    this.open('else')
    this.lines.push(`${head}0)`)
    this.close()
  }

  private entries(head: string, members: Members, kind: Kind, value: string): void {
    const depth = this.depth++
    const [list, at, one] = [`rows${depth}`, `i${depth}`, `row${depth}`]
    const isAnswer = kind.is === 'answer'
    this.open(`const ${list} = ${isAnswer ? `${value}.rows` : value}`)
    this.lines.push(`${head}${list}.length)`)
    if (kind.is === 'levels') this.lines.push(`writeLevels(to, ${list}, spec)`)
    else {
      this.open(`for (let ${at} = 0; ${at} < ${list}.length; ${at}++)`)
      this.lines.push(`const ${one} = ${list}[${at}]`)
      this.entry(members, isAnswer ? { is: 'rows', table: this.reports! } : kind, one)
      this.close()
    }
    this.close()
  }

  private entry(members: Members, kind: Kind, one: string): void {
    if (kind.is === 'list') this.members(members, { row: one, itself: kind.of })
    else if (kind.is === 'rows' || kind.is === 'row') {
      // A list that stays empty.
      if (Object.keys(kind.table.elements).length === 0) return
      const isWhole = Object.values(members)[0]?.path === ITSELF
      if (isWhole) this.members(members, { row: one, itself: { is: 'row', table: kind.table } })
      else if (kind.table.isKept)
        this.lines.push(`${this.keptEntry(members, kind.table)}(to, ${one}, form)`)
      else this.members(members, { table: kind.table, row: one })
    } else throw new RangeError(`no group shows ${kind.is}`)
  }

  private keptEntry(members: Members, table: Table): string {
    const text = new MessageText()
    text.members(members, { table, row: 'row' })
    return this.named(keeping(text.compile()))
  }

  private data(name: string, one: Data, scope: Scope): void {
    const { is, path = name, lengthBytes, otherwise, absent } = one
    const found = this.find(path, scope)
    if (found === undefined) {
      this.lines.push(`to.text('', ${lengthBytes})`)
      return
    }
    const { element, row, conditions } = found
    const { kind } = element
    if (conditions.length > 0) this.open(`if (${conditions.join(' && ')})`)
    const value = path === ITSELF ? row : isSymbol(kind) ? 'spec' : this.read(element.source, row)
    if (is === 'text') {
      const text =
        kind.is === 'name'
          ? `${this.named(kind.names.map((each) => (each === absent ? '' : each)))}[${indexOf(kind, value)}]`
          : textTexts[kind.is]?.(value)
      if (text === undefined) throw new RangeError(`${name} cannot show ${kind.is}`)
      this.lines.push(`to.text(${text}, ${lengthBytes})`)
    } else this.innerMessage(kind, value, lengthBytes)
    if (conditions.length === 0) return
    this.close()
    this.open('else')
    if (otherwise === undefined) this.lines.push(`to.text('', ${lengthBytes})`)
    else {
      const { otherwise: _, ...second } = one
      this.data(name, { ...second, path: otherwise }, scope)
    }
    this.close()
  }

  private innerMessage(kind: Kind, value: string, lengthBytes: 1 | 2 | 4): void {
    if (kind.is === 'answer') {
      const empty = `to.text('', ${lengthBytes})`
      this.lines.push(
        `if (${value} === null) ${empty}\nelse writeInner(to, ${value}, ${lengthBytes})`,
      )
    } else if (kind.is === 'variant') {
      const [tables, templates] = [this.named(kind.tables), this.named(filterTemplates)]
      const by = `[${value}.${kind.by}]`
      this.lines.push(`writeVariant(to, ${value}, form, ${tables}${by}, ${templates}${by})`)
    } else if (kind.is === 'row') {
      const [table, template] = [
        this.named(kind.table),
        this.named(templateOf(kind.table, {} as never)),
      ]
      this.lines.push(`writeVariant(to, ${value}, form, ${table}, ${template})`)
    } else throw new RangeError(`no message shows ${kind.is}`)
  }

  /** Returns the element of a path; undefined where the answer has none. */
  private find(path: string, { table, row, itself }: Scope): Found | undefined {
    if (path === ITSELF) {
      const element: Element<never> = { ...valueItself, kind: itself! }
      return { element, row, conditions: [] }
    }
    const [name = '', ...others] = path.split('.')
    const element = table?.elements[name]
    if (element === undefined) return undefined
    const conditions = element.conditions.map((condition) => test(condition, row))
    if (others.length === 0) return { element, row, conditions }
    assert(element.kind.is === 'row' && conditions.length === 0, `${path} is in a row`)
    return this.find(others.join('.'), {
      table: element.kind.table,
      row: this.innerRow(name, element, row),
    })
  }

  private innerRow(name: string, { source }: Element<never>, row: string): string {
    const key = `${row}.${name}`
    let known = this.inner.get(key)
    if (known === undefined) {
      known = `inner${this.depth++}`
      this.lines.push(`const ${known} = ${this.read(source, row)}`)
      this.inner.set(key, known)
    }
    return known
  }
}

const valueItself: Element<never> = {
  kind: { is: 'flag' },
  source: { property: '' },
  conditions: [],
  schema: {},
}

const QTY_EXPONENT = 'qtyExponent'
const wides = { mantissa: 'wideMantissa', quantity: 'wideQuantity' }

/** The text that writes a field. */
function numberText(
  { primitive, shows, exponent }: Field,
  value: string,
  at: string,
  fields: string,
): string {
  if (shows === 'decimal') {
    const is = exponent === QTY_EXPONENT ? 'quantity' : 'mantissa'
    return `to.${primitive === 'mantissa128' ? wides[is] : is}(${at}, ${value})`
  }
  return setters[primitive] === ''
    ? `to.int64(${at}, ${value})`
    : `${fields}.${setters[primitive]}(${at}, ${value}, true)`
}

function nullText({ primitive }: Field, at: string, fields: string): string {
  if (primitive === 'uint64') return `to.int64(${at}, -1)`
  return setters[primitive] === ''
    ? `to.nullInt64(${at})`
    : `${fields}.${setters[primitive]}(${at}, ${nulls[primitive]}, true)`
}
