/** Texts of the accessors of fields, for records (generate-accessors.ts) and rows (generate-rows.ts). */
import { carrierOf, type FieldType, fieldTypes } from '../src/layout/schema/field.ts'
import { LEGS_MAX } from '../src/layout/schema.ts'
import type { Place } from './record-parts.ts'

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

export function elementOf(buffer: string, at: string, type: FieldType, offset: number): string {
  return carrierOf(type) === 'int'
    ? `${buffer}.f64[(${at} >> 3) + ${offset / 8}]`
    : `${buffer}.i32[(${at} >> 2) + ${offset / 4}]`
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
