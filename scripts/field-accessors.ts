/** Places of fields, and texts of their accessors: what the generators of layouts share. */
import {
  carrierOf,
  type Field,
  type FieldType,
  fieldBytes,
  fieldTypes,
  isText,
  type RecordSchema,
  type RecordSection,
} from '../src/layout/schema/field.ts'
import { fieldsOf, LEGS_MAX, recordBytes } from '../src/layout/schema.ts'

export const bytesOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, [, type]) => sum + fieldBytes(type), 0)

export interface Place {
  readonly name: string
  readonly type: FieldType
  readonly meaning: string
  readonly offset: number
}

/** Fields in a row, with their byte offsets from the first. */
export function placed(fields: readonly Field[]): readonly Place[] {
  let offset = 0
  return fields.map(([name, type, meaning]) => {
    const place = { name, type, meaning, offset }
    offset += fieldBytes(type)
    return place
  })
}

/** Whether a section is there, as a condition on its field. */
export function isThere({ mask, value }: RecordSection, field: string): string {
  if (mask === 0) return 'true'
  return mask === -1 ? `${field} === ${value}` : `(${field} & ${mask}) === ${value}`
}

/** For each section of a record: the byte where it begins, or -1, as an expression. */
export function sectionStarts(schema: RecordSchema): readonly string[] {
  const fields = fieldsOf(schema)
  const wordOf = (field: string) => fields.find(({ name }) => name === field)!.offset / 4
  let start = `at + ${recordBytes(schema)}`
  return (schema.sections ?? []).map((it) => {
    const condition = isThere(it, `buffer.i32[(at >> 2) + ${wordOf(it.field)}]!`)
    const bytes = bytesOf(it.section.fields)
    const own = start
    start += condition === 'true' ? ` + ${bytes}` : ` + (${condition} ? ${bytes} : 0)`
    return condition === 'true' ? own : `${condition} ? ${own} : -1`
  })
}

/** A field's place; with a stride, from one leg to the next. */
interface LegPlace extends Place {
  readonly stride?: number
}

/** A constant's name: `lagMs` is LAG_MS. */
export const constantName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

export const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** Units of base/units.ts that fields have. */
export const unitNames = [...new Set(Object.values(fieldTypes).map(({ unit }) => unit))]
  .filter((unit) => unit !== undefined)
  .sort()

export function objectOf(name: string, meaning: string, members: readonly string[]): string {
  return `/** ${meaning} */\nexport const ${name} = {\n${members.join('\n')}\n} as const\n`
}

const textPlace = (buffer: string, at: string, type: FieldType, offset: number): string =>
  `${buffer}.bytes, ${at} + ${offset}, ${fieldBytes(type)}`

/** Where a field's value stands in the view that it is read through. */
function placeOf(buffer: string, at: string, type: FieldType, offset: number): [string, string] {
  return carrierOf(type) === 'int'
    ? [`${buffer}.f64`, `(${at} >> 3) + ${offset / 8}`]
    : [`${buffer}.i32`, `(${at} >> 2) + ${offset / 4}`]
}

/** Reads a field of one number, as a value of its unit, or of text. */
export function readOf(buffer: string, at: string, type: FieldType, offset: number): string {
  if (isText(type)) return `readText(${textPlace(buffer, at, type, offset)})`
  const [view, place] = placeOf(buffer, at, type, offset)
  const { unit } = fieldTypes[type]
  if (carrierOf(type) === 'int64') {
    return `readInt64(${view}, ${place})${unit === undefined ? '' : ` as ${unit}`}`
  }
  return `${view}[${place}]${unit === undefined ? '!' : ` as ${unit}`}`
}

export function writeOf(
  ...[buffer, at, type, offset, value]: [string, string, FieldType, number, string]
): string {
  if (isText(type)) return `writeText(${textPlace(buffer, at, type, offset)}, ${value})`
  const [view, place] = placeOf(buffer, at, type, offset)
  return carrierOf(type) === 'int64'
    ? `writeInt64(${view}, ${place}, ${value})`
    : `${view}[${place}] = ${value}`
}

/** Copies it, word by word: as a double, an int64 might not come through. */
export function copiesOf(type: FieldType, offset: number): readonly string[] {
  const isInt64 = carrierOf(type) === 'int64'
  return (isInt64 ? [offset, offset + 4] : [offset]).map((from) => {
    const [view, place] = placeOf('from', 'at', isInt64 ? 'i32' : type, from)
    const [toView, toPlace] = placeOf('to', 'toAt', isInt64 ? 'i32' : type, from)
    return `${toView}[${toPlace}] = ${view}[${place}]!`
  })
}

/** An object's members for fields of one number each. */
export const interfaceOf = (name: string, meaning: string, places: readonly Place[]): string =>
  `/** ${meaning} */\nexport interface ${name} {\n` +
  `${places.map((place) => `  ${place.name}: ${unitOf(place.type)}`).join('\n')}\n}\n`

/** Reads fields into an object's members of the same names. */
export const readerInto = (name: string, places: readonly Place[], object: string): string[] => [
  `  ${name}: (buffer: RecordBuffer, at: number, into: ${object}): void => {`,
  ...places.map(
    ({ name: field, type, offset }) =>
      `    into.${field} = ${readOf('buffer', 'at', type, offset)}`,
  ),
  '  },',
]

/** Returns an object with them. */
export const objectReader = (name: string, places: readonly Place[], object: string): string[] => [
  `  ${name}: (buffer: RecordBuffer, at: number): ${object} => ({`,
  ...places.map(
    ({ name: field, type, offset }) => `    ${field}: ${readOf('buffer', 'at', type, offset)},`,
  ),
  '  }),',
]

/** Writes them from there. */
export const writerFrom = (name: string, places: readonly Place[], object: string): string[] => [
  `  ${name}: (buffer: RecordBuffer, at: number, from: Readonly<${object}>): void => {`,
  ...places.map(
    ({ name: field, type, offset }) =>
      `    ${writeOf('buffer', 'at', type, offset, `from.${field}`)}`,
  ),
  '  },',
]

/** The method of an image (layout/image.ts) that carries a field of one number or of text. */
export function streamOf(type: FieldType): 'double' | 'int64' | 'text' | 'word' {
  if (isText(type)) return 'text'
  const carrier = carrierOf(type)
  if (carrier === 'int64') return carrier
  return carrier === 'int' ? 'double' : 'word'
}

/** What TypeScript takes a field's value for. */
export function unitOf(type: FieldType): string {
  if (isText(type)) return 'string'
  return fieldTypes[type].unit ?? (carrierOf(type) === 'int64' ? 'Int64' : 'number')
}

/** Reader and writer of a field; of one of several words, the word at which it begins, and its copiers. */
export function accessorsOf({ name, type, meaning, offset, stride }: LegPlace): readonly string[] {
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
  if (carrierOf(type) === 'int96') {
    const word = `(${from} >> 2) + ${offset / 4}`
    const parameters = `at: number${leg}, words: Int32Array, wordsAt: number`
    return [
      ...comment,
      `  get${capital(name)}: (buffer: RecordBuffer, ${parameters}): void => {`,
      `    copyInt96(buffer.i32, ${word}, words, wordsAt)`,
      '  },',
      `  set${capital(name)}: (buffer: RecordBuffer, ${parameters}): void => {`,
      `    copyInt96(words, wordsAt, buffer.i32, ${word})`,
      '  },',
    ]
  }
  const unit = unitOf(type)
  const record = `buffer: RecordBuffer, at: number${leg}`
  return [
    ...comment,
    `  ${name}: (${record}): ${unit} => ${readOf('buffer', from, type, offset)},`,
    `  set${capital(name)}: (${record}, value: ${unit}): void => {`,
    `    ${writeOf('buffer', from, type, offset, 'value')}`,
    '  },',
  ]
}

export function findPlace(owner: string, places: readonly Place[], field: string): Place {
  const place = places.find(({ name }) => name === field)
  if (place === undefined) throw new RangeError(`${owner} has no field ${field}`)
  return place
}

/** The place of a field of the first leg. Throws when the legs are not at equal distances. */
export function legPlace(owner: string, places: readonly Place[], field: string): LegPlace {
  const legs = Array.from({ length: LEGS_MAX }, (_, leg) =>
    findPlace(owner, places, `${field}${leg + 1}`),
  )
  const [first, second] = legs as [Place, Place]
  const stride = second.offset - first.offset
  for (const [leg, { type, offset }] of legs.entries()) {
    if (type !== first.type || offset !== first.offset + leg * stride)
      throw new RangeError(`${owner}.${field}${leg + 1} is not one stride from the leg before`)
  }
  return { ...first, name: `leg${capital(field)}`, stride }
}
