/**
 * Accessors of single fields, from layout/schema.ts: the only code that knows which view and which
 * offset a field has. They are functions of a buffer and of the byte `at` where a record begins, in
 * one const object for each record, because V8 views and inlines these into the plain array access.
 * Objects that wrap a record (flyweights) took 8 to 15 % of the engine's rate (bench `engine`).
 */

import {
  carrierOf,
  type Field,
  fieldBytes,
  type RecordSchema,
  type SideFields,
} from '../src/layout/schema/field.ts'
import { repeated, sections, sideFields } from '../src/layout/schema/order-fields.ts'
import {
  type Block,
  blocks,
  fieldsOf,
  LEGS_MAX,
  type LegFields,
  legFields,
  recordBytes,
  type SharedFields,
  schemas,
  sharedFields,
  sideStart,
} from '../src/layout/schema.ts'
import {
  accessorsOf,
  bytesOf,
  copiesOf,
  findPlace,
  interfaceOf,
  legPlace,
  objectOf,
  type Place,
  placed,
  readerInto,
  sectionStarts,
  writerFrom,
} from './field-accessors.ts'

const lowered = (text: string): string => text[0]!.toLowerCase() + text.slice(1)

export function accessorsModule(): string {
  return [
    '/** The largest order list has so many legs. */',
    `export const LEGS_MAX = ${LEGS_MAX}`,
    '',
    ...sharedFields.map(sharedObject),
    ...blocks.flatMap(blockObject),
    ...[...sections, ...repeated].map(({ name, meaning, fields }) =>
      objectOf(name, meaning, [
        `  bytes: ${bytesOf(fields)},`,
        ...placed(fields).flatMap(accessorsOf),
      ]),
    ),
    ...sideFields.flatMap(sideObject),
    ...schemas.map((schema) => objectOf(schema.name, schema.meaning, membersOf(schema))),
  ].join('\n')
}

/** With functions that read and write all of its fields. */
function blockObject({ name, meaning, fields }: Block): readonly string[] {
  const places = placed(fields)
  return [
    interfaceOf(`${name}Fields`, meaning, places),
    objectOf(name, meaning, [
      ...places.flatMap(accessorsOf),
      ...readerInto('read', places, `${name}Fields`),
      ...writerFrom('write', places, `${name}Fields`),
    ]),
  ]
}

/** With a function that reads all of its fields except ids. */
function sideObject({ name, meaning, fields }: SideFields): readonly string[] {
  const places = placed(fields)
  const numbers = places.filter(({ type }) => carrierOf(type) !== 'id')
  return [
    interfaceOf(`${name}Fields`, meaning, numbers),
    objectOf(name, meaning, [
      ...places.flatMap(accessorsOf),
      ...readerInto('read', numbers, `${name}Fields`),
    ]),
  ]
}

/**
 * Where a block begins, and a separate writer for each record: V8 sees which objects each is written
 * from, where a common one would be slower for all.
 */
function blockMembers(block: Block, offset: number): readonly string[] {
  const places = placed(block.fields).map((place) => ({ ...place, offset: place.offset + offset }))
  const writer = `write${block.name.replace(/Block$/, '')}`
  return [blockStart(block, offset), ...writerFrom(writer, places, `${block.name}Fields`)]
}

/** With a function that copies the fields from one record to another. */
function sharedObject({ name, meaning, fields, of }: SharedFields): string {
  const places = fields.map((field) => sharedPlace(field, of))
  const copies = places.flatMap(({ type, offset }) => {
    if (carrierOf(type) === 'id') {
      const word = offset / 4
      return [`copyClientOrderId(from.i32, (at >> 2) + ${word}, to.i32, (toAt >> 2) + ${word})`]
    }
    return copiesOf(type, offset)
  })
  const end = Math.max(...places.map(({ type, offset }) => offset + fieldBytes(type)))
  return objectOf(name, meaning, [
    `  /** To the end of the last of these fields. */\n  bytes: ${end},`,
    ...places.flatMap(accessorsOf),
    ...blocks
      .filter((block) => of.every((record) => block.of.includes(record)))
      .flatMap((block) => blockMembers(block, sharedBlockOffset(block, of))),
    '  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {',
    ...copies.map((copy) => `    ${copy}`),
    '  },',
  ])
}

/** Those of the header stand in RecordHeader and EventHeader alone. */
function membersOf(schema: RecordSchema): readonly string[] {
  const fields = fieldsOf(schema)
  return [
    `  type: ${schema.type},`,
    ...(schema.sections === undefined ? [] : ['  /** Without sections. */']),
    `  bytes: ${recordBytes(schema)},`,
    ...fields.slice(fields.length - schema.fields.length).flatMap(accessorsOf),
    ...legFields
      .filter(({ record }) => record === schema.name)
      .flatMap((legs) => legs.fields.map((field) => legPlace(schema.name, fieldsOf(schema), field)))
      .flatMap(accessorsOf),
    ...legFields.filter(({ record }) => record === schema.name).flatMap(legBlocks),
    ...legFields
      .filter(({ record }) => record === schema.name)
      .flatMap((it) => legClearer(schema, it)),
    ...blocks
      .filter(({ of }) => of.includes(schema.name))
      .flatMap((block) => blockMembers(block, blockOffset(schema, block.fields))),
    ...sideFields.flatMap((it) =>
      (it.sides[schema.name] ?? []).map(
        (side) => `  ${side}At: (at: number): number => at + ${sideStart(it, schema.name, side)},`,
      ),
    ),
    ...sectionStarts(schema).flatMap((start, i) => {
      const { name } = schema.sections![i]!
      const buffer = start.includes('buffer') ? 'buffer' : '_buffer'
      return [
        `  /** Where its ${name} stand; -1 for none. */`,
        `  ${name}At: (${buffer}: RecordBuffer, at: number): number => ${start},`,
      ]
    }),
  ]
}

/** Clears one leg, where the fields of each stand in their own row. */
function legClearer(schema: RecordSchema, { fields }: LegFields): readonly string[] {
  const places = fields.map((field) => legPlace(schema.name, fieldsOf(schema), field))
  const { offset, stride } = places[0]!
  const bytes = places.reduce((sum, { type }) => sum + fieldBytes(type), 0)
  if (fields.length === 1 || stride !== bytes) return []
  return [
    '  clearLeg: (buffer: RecordBuffer, at: number, leg: number): void => {',
    `    const from = at + ${offset} + leg * ${stride}`,
    `    buffer.bytes.fill(0, from, from + ${bytes})`,
    '  },',
  ]
}

function schemaOf(name: string): RecordSchema {
  const schema = schemas.find((candidate) => candidate.name === name)
  if (schema === undefined) throw new RangeError(`there is no record ${name}`)
  return schema
}

const placeIn = (schema: RecordSchema, field: string): Place =>
  findPlace(schema.name, fieldsOf(schema), field)

function sharedPlace(field: string, records: readonly string[]): Place {
  const [first, ...others] = records.map((name) => placeIn(schemaOf(name), field))
  for (const [i, { type, offset }] of others.entries()) {
    if (type !== first!.type || offset !== first!.offset)
      throw new RangeError(`${records[i + 1]} does not share ${field}`)
  }
  return first!
}

function blockOffset(schema: RecordSchema, fields: readonly Field[]): number {
  const places = placed(fields)
  const start = placeIn(schema, places[0]!.name).offset
  for (const { name, type, offset } of places) {
    const place = placeIn(schema, name)
    if (place.type !== type || place.offset !== start + offset)
      throw new RangeError(`${schema.name}.${name} is not where its block has it`)
  }
  return start
}

const blockStart = ({ name }: Block, offset: number): string =>
  `  ${lowered(name)}At: (at: number): number => at + ${offset},`

function sharedBlockOffset({ fields }: Block, of: readonly string[]): number {
  const [first, ...others] = of.map((record) => blockOffset(schemaOf(record), fields))
  if (others.some((offset) => offset !== first)) throw new RangeError('a block has several places')
  return first!
}

/** Where the blocks of each leg begin that the legs have whole. */
function legBlocks({ record, fields }: LegFields): readonly string[] {
  const whole = blocks.filter((block) => block.fields.every(([name]) => fields.includes(name)))
  return whole.map((block) => {
    const places = placed(block.fields)
    const [first, ...others] = places.map(({ name }) =>
      legPlace(record, fieldsOf(schemaOf(record)), name),
    )
    for (const [i, { offset }] of others.entries()) {
      if (offset - first!.offset !== places[i + 1]!.offset)
        throw new RangeError(`${record} does not have ${block.name} in a row`)
    }
    const start = `at + leg * ${first!.stride} + ${first!.offset}`
    return `  leg${block.name}At: (at: number, leg: number): number => ${start},`
  })
}
