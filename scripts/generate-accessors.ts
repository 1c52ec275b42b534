/**
 * Accessors of single fields, from layout/schema.ts: the only code that knows which view and which
 * offset a field has. They are functions of a buffer and of the byte `at` where a record begins, in
 * one const object for each record, because V8 folds and inlines these into the plain array access.
 * Objects that wrap a record (flyweights) took 8 to 15 % of the engine's rate (bench `engine`).
 */

import {
  carrierOf,
  type FieldType,
  fieldTypes,
  type RecordSchema,
} from '../src/layout/schema/field.ts'
import { sections, sideFields } from '../src/layout/schema/order-fields.ts'
import {
  blocks,
  fieldBytes,
  fieldsOf,
  LEGS_MAX,
  legFields,
  recordBytes,
  schemas,
  sharedFields,
  sideStart,
} from '../src/layout/schema.ts'
import { bytesOf, type Place, placed, sectionStarts } from './record-parts.ts'

/** A field's place; with a stride, from one leg to the next. */
interface LegPlace extends Place {
  readonly stride?: number
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const lowered = (text: string): string => text[0]!.toLowerCase() + text.slice(1)

const units = Object.values(fieldTypes)
  .map(({ unit }) => unit)
  .filter((unit) => unit !== undefined)
  .sort()

export function accessorsModule(): string {
  return [
    '// Generated from layout/schema.ts by `npm run generate`. Do not edit.',
    "import { CLIENT_ORDER_ID_WORDS, copyClientOrderId } from '../base/client-order-id.ts'",
    `import type { ${units.join(', ')} } from '../base/units.ts'`,
    "import type { RecordBuffer } from './record-buffer.ts'",
    '',
    '/** The largest order list has so many legs. */',
    `export const LEGS_MAX = ${LEGS_MAX}`,
    '',
    ...sharedFields.map(({ name, meaning, fields, of }) =>
      sharedObject(
        name,
        meaning,
        fields.map((field) => sharedPlace(field, of)),
      ),
    ),
    ...blocks.map(({ name, meaning, fields }) =>
      objectOf(name, meaning, placed(fields).flatMap(accessorsOf)),
    ),
    ...sections.map(({ name, meaning, fields }) =>
      objectOf(name, meaning, [
        `  bytes: ${bytesOf(fields)},`,
        ...placed(fields).flatMap(accessorsOf),
      ]),
    ),
    ...sideFields.map(({ name, meaning, fields }) =>
      objectOf(name, meaning, placed(fields).flatMap(accessorsOf)),
    ),
    ...schemas.map((schema) => objectOf(schema.name, schema.meaning, membersOf(schema))),
  ].join('\n')
}

function objectOf(name: string, meaning: string, members: readonly string[]): string {
  return `/** ${meaning} */\nexport const ${name} = {\n${members.join('\n')}\n} as const\n`
}

/** With a function that copies the fields from one record to another. */
function sharedObject(name: string, meaning: string, places: readonly Place[]): string {
  const copies = places.map(({ type, offset }) => {
    if (carrierOf(type) === 'id') {
      const word = offset / 4
      return `    copyClientOrderId(from.i32, (at >> 2) + ${word}, to.i32, (toAt >> 2) + ${word})`
    }
    return `    ${elementOf('to', 'toAt', type, offset)} = ${elementOf('from', 'at', type, offset)}!`
  })
  const end = Math.max(...places.map(({ type, offset }) => offset + fieldBytes(type)))
  return objectOf(name, meaning, [
    `  /** To the end of the last of these fields. */\n  bytes: ${end},`,
    ...places.flatMap(accessorsOf),
    '  copy: (from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void => {',
    ...copies,
    '  },',
  ])
}

function elementOf(buffer: string, at: string, type: FieldType, offset: number): string {
  return carrierOf(type) === 'int'
    ? `${buffer}.f64[(${at} >> 3) + ${offset / 8}]`
    : `${buffer}.i32[(${at} >> 2) + ${offset / 4}]`
}

function membersOf(schema: RecordSchema): readonly string[] {
  const [, ...fields] = fieldsOf(schema)
  return [
    `  type: ${schema.type},`,
    ...(schema.sections === undefined ? [] : ['  /** Without sections. */']),
    `  bytes: ${recordBytes(schema)},`,
    ...fields.flatMap(accessorsOf),
    ...legFields
      .filter(({ record }) => record === schema.name)
      .flatMap((legs) => legs.fields.map((field) => legPlace(schema, field)))
      .flatMap(accessorsOf),
    ...blocks
      .filter(({ of }) => of.includes(schema.name))
      .map((block) => {
        const offset = blockOffset(schema, block.fields)
        return `  ${lowered(block.name)}At: (at: number): number => at + ${offset},`
      }),
    ...sideFields
      .filter(({ record }) => record === schema.name)
      .flatMap((it) =>
        it.sides.map((side) => `  ${side}At: (at: number): number => at + ${sideStart(it, side)},`),
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

/** Reader and writer of a field; of a client order id, the word at which it begins, and its copier. */
function accessorsOf({ name, type, meaning, offset, stride }: LegPlace): readonly string[] {
  const leg = stride === undefined ? '' : ', leg: number'
  const from = stride === undefined ? 'at' : `(at + leg * ${stride})`
  const comment = meaning === '' ? [] : [`  /** ${meaning} */`]
  if (carrierOf(type) === 'id') {
    const word = `(${from} >> 2) + ${offset / 4}`
    return [
      ...comment,
      `  ${name}At: (at: number${leg}): number => ${word},`,
      `  set${capital(name)}: (buffer: RecordBuffer, at: number${leg}, words: Int32Array, ` +
        'wordsAt: number): void => {',
      `    copyClientOrderId(words, wordsAt, buffer.i32, ${word})`,
      '  },',
      `  clear${capital(name)}: (buffer: RecordBuffer, at: number${leg}): void => {`,
      `    buffer.i32.fill(0, ${word}, ${word} + CLIENT_ORDER_ID_WORDS)`,
      '  },',
    ]
  }
  const element = elementOf('buffer', from, type, offset)
  const { unit = 'number' } = fieldTypes[type]
  const asUnit = unit === 'number' ? '!' : ` as ${unit}`
  const record = `buffer: RecordBuffer, at: number${leg}`
  return [
    ...comment,
    `  ${name}: (${record}): ${unit} => ${element}${asUnit},`,
    `  set${capital(name)}: (${record}, value: ${unit}): void => {`,
    `    ${element} = value`,
    '  },',
  ]
}

function schemaOf(name: string): RecordSchema {
  const schema = schemas.find((candidate) => candidate.name === name)
  if (schema === undefined) throw new RangeError(`there is no record ${name}`)
  return schema
}

function placeIn(schema: RecordSchema, field: string): Place {
  const place = fieldsOf(schema).find(({ name }) => name === field)
  if (place === undefined) throw new RangeError(`${schema.name} has no field ${field}`)
  return place
}

function sharedPlace(field: string, records: readonly string[]): Place {
  const [first, ...others] = records.map((name) => placeIn(schemaOf(name), field))
  for (const [i, { type, offset }] of others.entries()) {
    if (type !== first!.type || offset !== first!.offset)
      throw new RangeError(`${records[i + 1]} does not share ${field}`)
  }
  return first!
}

function blockOffset(
  schema: RecordSchema,
  fields: readonly (readonly [string, FieldType, string])[],
): number {
  const places = placed(fields)
  const start = placeIn(schema, places[0]!.name).offset
  for (const { name, type, offset } of places) {
    const place = placeIn(schema, name)
    if (place.type !== type || place.offset !== start + offset)
      throw new RangeError(`${schema.name}.${name} is not where its block has it`)
  }
  return start
}

function legPlace(schema: RecordSchema, field: string): LegPlace {
  const legs = Array.from({ length: LEGS_MAX }, (_, leg) => placeIn(schema, `${field}${leg + 1}`))
  const [first, second] = legs as [Place, Place]
  const stride = second.offset - first.offset
  for (const [leg, { type, offset }] of legs.entries()) {
    if (type !== first.type || offset !== first.offset + leg * stride)
      throw new RangeError(
        `${schema.name}.${field}${leg + 1} is not one stride from the leg before`,
      )
  }
  return { ...first, name: `leg${capital(field)}`, stride }
}
