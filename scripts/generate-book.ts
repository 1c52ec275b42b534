/** Words of the book's memory, and the image of an open order, from layout/schema/book-memory.ts. */
import {
  bookAmounts,
  bookHead,
  bookRecords,
  bookTail,
  givenFields,
  linkFields,
  orderImage,
  orderMethods,
  recordColumns,
} from '../src/layout/schema/book-memory.ts'
import {
  carrierOf,
  type Field,
  type FieldType,
  type Structure,
} from '../src/layout/schema/field.ts'
import { order, progress } from '../src/layout/schema/order-fields.ts'
import { placesOf, sectionBytes } from '../src/layout/schema.ts'
import { constantName, streamOf, unitOf } from './field-accessors.ts'

/** A record's words; slots are multiples of it. */
const RECORD_WORDS = 8

/** Place by name, in words or, where a field is of 8 bytes, in doubles. */
function wordsOf(structures: readonly Structure[]): string[] {
  const found = new Map<string, { at: number; meaning: string }>()
  for (const structure of structures) {
    for (const { name, type, meaning, offset } of placesOf(structure)) {
      if (name.startsWith('unused')) continue
      const at = isDouble(type) || isInt64(type) ? offset / 8 : offset / 4
      const before = found.get(name)
      if (before !== undefined && before.at !== at) {
        throw new RangeError(`${structure.name}.${name} is not where other records have it`)
      }
      const meanings = [before?.meaning ?? '', meaning].filter((text) => text !== '')
      found.set(name, { at, meaning: meanings.join('; ') })
    }
  }
  return [...found].flatMap(([name, { at, meaning }]) => [
    ...(meaning === '' ? [] : [`  /** ${meaning} */`]),
    `  ${constantName(name)}: ${at},`,
  ])
}

const constant = (name: string, meaning: string, structures: readonly Structure[]): string =>
  `/** ${meaning} */\nexport const ${name} = {\n${wordsOf(structures).join('\n')}\n} as const\n`

/** One number, the slot, finds an order in all regions: their sizes stand in fixed ratios. */
function checkSizes(): void {
  for (const record of bookRecords) {
    if (sectionBytes(record) !== RECORD_WORDS * 4)
      throw new RangeError(`${record.name} is no record`)
  }
  if (sectionBytes(bookAmounts) !== RECORD_WORDS * 8)
    throw new RangeError('amounts are not at slot |')
  if (sectionBytes(bookTail) !== RECORD_WORDS * 2)
    throw new RangeError('tails are not at slot >> 1')
}

export function bookWordsModule(): string {
  checkSizes()
  return [
    '/** Words of the head, and its size in words. */',
    `export const HEAD_WORDS = ${sectionBytes(bookHead) / 4}`,
    '/** Words of a record. Slots are multiples of it, and of 2 to the power of SLOT_SHIFT. */',
    `export const RECORD_WORDS = ${RECORD_WORDS}`,
    `export const SLOT_SHIFT = ${Math.log2(RECORD_WORDS)}`,
    `export const AMOUNTS_BYTES = ${sectionBytes(bookAmounts)}`,
    `export const TAIL_BYTES = ${sectionBytes(bookTail)}`,
    '',
    constant('Head', 'Words of the head.', [bookHead]),
    constant(
      'RecordWord',
      'Words of a record, at its number | these. LOTS counts in doubles: (level >> 1) | LOTS.',
      bookRecords,
    ),
    constant('AmountDouble', "Doubles of an order's amounts, at slot | these.", [
      { ...bookAmounts, fields: bookAmounts.fields.filter(([, type]) => type !== 'id') },
    ]),
    constant('TailWord', 'Words of a tail, at (slot >> 1) | these.', [bookTail]),
  ].join('\n')
}

/** Columns by slot: views of a book's regions, each from one of its words on. */
export function bookColumnsModule(): string {
  const record = bookRecords.find(({ name }) => name === 'BookOrder')!
  const columns = [
    ...placesOf(bookAmounts).map((place) => ({ ...place, region: 'amounts' })),
    ...placesOf(record)
      .filter(({ name }) => recordColumns.includes(name))
      .map((place) => ({ ...place, region: 'records' })),
  ]
  const typeOf = (type: FieldType): string => {
    const unit = unitOf(type)
    if (isInt64(type)) return `Int64s<${unit}>`
    if (isDouble(type)) return unit === 'number' ? 'Float64Array' : `Doubles<${unit}>`
    return unit === 'number' ? 'Int32Array' : `Words<${unit}>`
  }
  const viewOf = ({ type, offset, region }: (typeof columns)[number]): string => {
    if (isDouble(type)) return `doublesOf(memory, map.${region}, ${offset / 8})`
    const words = `wordsOf(memory, map.${region}, ${offset / 4})`
    return isInt64(type) ? `new Int64s(${words})` : words
  }
  return [
    "/** Columns of a book's orders: views of its records and amounts, each from one of its words on. */",
    'export class BookColumns {',
    ...columns.flatMap(({ name, type, meaning }) => [
      ...(meaning === '' ? [] : [`  /** ${meaning} */`]),
      `  readonly ${name}: ${typeOf(type)}`,
    ]),
    '',
    '  constructor(memory: SharedArrayBuffer, map: MemoryMap) {',
    ...columns.map((column) => `    this.${column.name} = ${viewOf(column)}`),
    '  }',
    '}',
    '',
    ...resetOf([
      ...placesOf(bookAmounts).map((place) => ({
        ...place,
        region: 'amounts',
        step: 8,
        of: 'slot',
      })),
      ...placesOf(record).map((place) => ({ ...place, region: 'records', step: 4, of: 'slot' })),
      ...placesOf(bookTail).map((place) => ({ ...place, region: 'tails', step: 4, of: 'tail' })),
    ]),
    '',
  ].join('\n')
}

interface SlotField {
  readonly name: string
  readonly type: FieldType
  readonly offset: number
  readonly region: string
  /** Bytes of the region's numbers. */
  readonly step: number
  /** The number of the slot's first one in the region. */
  readonly of: string
}

/** Writes a slot for a new order. Of an id only the first word counts: after an empty one no word is read. */
function resetOf(fields: readonly SlotField[]): string[] {
  const sets = fields
    .filter(({ name }) => !linkFields.includes(name))
    .map(({ name, region, offset, step, of }) => {
      const value = givenFields.includes(name) ? name : '0'
      return `  ${region}[${of} | ${offset / step}] = ${value}`
    })
  return [
    '/** Gives all that a slot holds, but its links, to a new order. */',
    'export function resetSlot(',
    '  amounts: Float64Array,',
    '  records: Int32Array,',
    '  tails: Int32Array,',
    '  slot: number,',
    ...givenFields.map((given) => {
      const { type } = fields.find(({ name }) => name === given)!
      return `  ${given}: ${unitOf(type)},`
    }),
    '): void {',
    '  const tail = slot >> 1',
    ...sets,
    '}',
  ]
}

const isDouble = (type: FieldType): boolean => carrierOf(type) === 'int'
const isInt64 = (type: FieldType): boolean => carrierOf(type) === 'int64'

const asUnit = (type: FieldType): string => (unitOf(type) === 'number' ? '' : ` as ${unitOf(type)}`)

/** Where the book has a value of an order. */
function sourceOf([name, type]: Field): string {
  if (orderMethods.includes(name)) return `book.${name}Of(slot)`
  return isInt64(type) ? `book.${name}.of(slot)` : `book.${name}[slot]!`
}

/** Whether a summary of an order (core/matching/order-summary.ts) lacks the field. */
const isOwn = ([name]: Field): boolean => ![...order, ...progress].some(([field]) => field === name)

export function orderImageModule(): string {
  const plain = orderImage.filter(([, type]) => type !== 'id')
  const ids = orderImage.filter(([, type]) => type === 'id')
  const put = (field: Field) => `    image.${streamOf(field[1])}(${sourceOf(field)})`
  const view = (field: Field) =>
    `    hash.${carrierOf(field[1]) === 'i32' ? 'word' : 'int'}(${sourceOf(field)})`
  const take = ([name, type]: Field) =>
    `    this.${name} = image.${streamOf(type)}()${asUnit(type)}`
  return [
    '/** What snapshots and hashes have of an open order. */',
    'export class OrderImage extends ExecutionOrder {',
    ...plain.filter(isOwn).map(([name, type]) => `  ${name} = 0${asUnit(type)}`),
    '',
    '  /** Takes an order that `write` wrote. */',
    '  read(image: ImageReader): void {',
    ...plain.map(take),
    '    image.words(this.idWords, 0, CLIENT_ORDER_ID_WORDS)',
    '  }',
    '',
    '  /** Copies what the book says of an open order. */',
    '  static copy(book: OrderBook, slot: number, into: OrderSummary): void {',
    ...plain
      .filter((field) => !isOwn(field))
      .map((field) => `    into.${field[0]} = ${sourceOf(field)}`),
    ...ids.flatMap(([name]) => [
      `    into.idWords = book.${name}`,
      `    into.idAt = book.${name}At(slot)`,
    ]),
    '  }',
    '',
    '  static write(book: OrderBook, slot: number, image: ImageWriter): void {',
    ...plain.map(put),
    ...ids.map(
      ([name]) => `    image.words(book.${name}, book.${name}At(slot), CLIENT_ORDER_ID_WORDS)`,
    ),
    '  }',
    '',
    '  static hash(book: OrderBook, slot: number, hash: HashSink): void {',
    ...plain.map(view),
    ...ids.flatMap(([name]) => [
      `    const ${name} = book.${name}At(slot)`,
      `    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) hash.word(book.${name}[${name} + i]!)`,
    ]),
    '  }',
    '}',
    '',
  ].join('\n')
}
