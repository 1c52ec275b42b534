/** Accessors of structures (rows of the archive, heads), and the keys of tables, from layout/schema.ts. */
import { type Field, fieldTypes, type Structure } from '../src/layout/schema/field.ts'
import { sharedCells } from '../src/layout/schema/heads.ts'
import {
  type KeyField,
  type KeySchema,
  keyBytes,
  keys,
  keysOfIds,
  type SharedKeyParts,
  sharedKeyParts,
} from '../src/layout/schema/keys.ts'
import { placesOf, sectionBytes, structures } from '../src/layout/schema.ts'
import {
  accessorsOf,
  constantName,
  findPlace,
  interfaceOf,
  legPlace,
  objectOf,
  objectReader,
  readerInto,
  writerFrom,
} from './field-accessors.ts'

/** Bytes of the id that most keys end in. */
const ID_BYTES = keyBytes.u48

export const rowsModule = (): string => structures.map(structureObject).join('\n')

/** Bytes of a line: cells of different writers are that far apart. */
const LINE_BYTES = 128
const CELL_BYTES = { i32: 4, i64: 8 } as const
const roundUp = (bytes: number, to: number): number => Math.ceil(bytes / to) * to

/** The place of each cell counts in numbers of its carrier. */
export function cellsModule(): string {
  const objects = sharedCells.map(({ name, meaning, cells, isFollowed }) => {
    let end = 0
    const members = cells.flatMap(([cell, carrier, count, what, beside]) => {
      const bytes = CELL_BYTES[carrier]
      const at = roundUp(end, beside === undefined ? LINE_BYTES : bytes)
      end = at + count * bytes
      const name = constantName(cell)
      const many = count > 1 ? [`  ${name}_COUNT: ${count},`] : []
      return [`  /** ${what} */`, `  ${name}: ${at / bytes},`, ...many]
    })
    const bytes = isFollowed ? roundUp(end, LINE_BYTES) : end
    return objectOf(name, meaning, [...members, `  bytes: ${bytes},`])
  })
  return objects.join('\n')
}

function structureObject(structure: Structure): string {
  const { name, meaning, legs = [], start } = structure
  const places = placesOf(structure)
  const groups = Object.entries(structure.groups ?? {}).map(([group, fields]) => ({
    group,
    object: `${name}${group}`,
    places: fields.map((field) => findPlace(name, places, field)),
  }))
  const row = objectOf(name, meaning, [
    `  bytes: ${sectionBytes(structure)},`,
    ...(start === undefined ? [] : [`  ${start}Start: ${findPlace(name, places, start).offset},`]),
    ...[...places, ...legs.map((field) => legPlace(name, places, field))].flatMap(accessorsOf),
    ...groups.flatMap(({ group, object, places: of }) => [
      ...objectReader(`${group[0]!.toLowerCase()}${group.slice(1)}Of`, of, object),
      ...readerInto(`read${group}`, of, object),
      ...writerFrom(`write${group}`, of, object),
    ]),
  ])
  const objects = groups.map(({ object, places: of }) =>
    interfaceOf(object, `Fields of ${name} that objects have.`, of),
  )
  return [...objects, row].join('\n')
}

export function keysModule(): string {
  return [
    'const WORD = 2 ** 32',
    '/** Bytes of the id that most keys end in, and the largest: a bound above every id. */',
    `export const KEY_ID_BYTES = ${ID_BYTES}`,
    'export const KEY_ID_MAX = 2 ** 48 - 1',
    '',
    'const u8 = (key: Uint8Array, at: number): number => key[at]!',
    'const u16 = (key: Uint8Array, at: number): number => (key[at]! << 8) | key[at + 1]!',
    'const i32 = (key: Uint8Array, at: number): number => (u16(key, at) << 16) | u16(key, at + 2)',
    'const u32 = (key: Uint8Array, at: number): number => i32(key, at) >>> 0',
    'const u48 = (key: Uint8Array, at: number): number => u16(key, at) * WORD + u32(key, at + 2)',
    'const u64 = (key: Uint8Array, at: number): number => u32(key, at) * WORD + u32(key, at + 4)',
    '',
    ...[...keys.map(keyClass), ...sharedKeyParts.map(sharedObject), idReader()],
  ].join('\n')
}

interface KeyPlace {
  readonly field: KeyField
  readonly offset: number
}

function keyPlaces({ fields }: KeySchema): readonly KeyPlace[] {
  let offset = 0
  return fields.map((field) => {
    const place = { field, offset }
    offset += keyBytes[field[1]]
    return place
  })
}

const lengthOf = ({ fields }: KeySchema): number =>
  fields.reduce((sum, [, carrier]) => sum + keyBytes[carrier], 0)

const unitOf = (type: Field[1]): string => fieldTypes[type].unit ?? 'number'

/** Ranges of ids begin and end at numbers that are no ids. */
const parameterOf = ([name, carrier, type]: KeyField): string =>
  `${name}: ${keyBytes[carrier] > 4 ? 'number' : unitOf(type)}`

function keyClass(key: KeySchema): string {
  const places = keyPlaces(key)
  return `/** ${key.meaning} */
export class ${key.name} {
  static readonly bytes = ${lengthOf(key)}
  readonly bytes = new Uint8Array(${lengthOf(key)})
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(${key.fields.map(parameterOf).join(', ')}): Uint8Array {
${places.flatMap(writesOf).join('\n')}
    return this.bytes
  }
${places.map((place) => `\n  static ${readerOf(place)}`).join('\n')}
}
`
}

function writesOf({ field: [name, carrier], offset }: KeyPlace): readonly string[] {
  const put = (method: string, at: number, value: string) =>
    `    this.view.set${method}(${at}, ${value})`
  if (carrier === 'u8') return [put('Uint8', offset, name)]
  if (carrier === 'u16') return [put('Uint16', offset, name)]
  if (carrier === 'i32') return [put('Int32', offset, name)]
  if (carrier === 'u32') return [put('Uint32', offset, name)]
  const high = carrier === 'u48' ? 2 : 4
  const method = carrier === 'u48' ? 'Uint16' : 'Uint32'
  return [put(method, offset, `${name} / WORD`), put('Uint32', offset + high, name)]
}

/** Reads without a view of the key's own. */
function readerOf({ field: [name, carrier, type], offset }: KeyPlace): string {
  const value = `${carrier}(key, ${offset})`
  return `${name}(key: Uint8Array): ${unitOf(type)} {\n    return ${value}${asUnit(type)}\n  }`
}

const asUnit = (type: Field[1]): string =>
  fieldTypes[type].unit === undefined ? '' : ` as ${unitOf(type)}`

function keyNamed(name: string): KeySchema {
  const key = keys.find((candidate) => candidate.name === name)
  if (key === undefined) throw new RangeError(`there is no key ${name}`)
  return key
}

/** Readers of parts that several keys have at one place. Throws when one has it elsewhere. */
function sharedObject({ name, meaning, fields, of }: SharedKeyParts): string {
  const placeOf = (key: string, field: string) =>
    keyPlaces(keyNamed(key)).find((place) => place.field[0] === field)
  const members = fields.map((field) => {
    const first = placeOf(of[0]!, field)!
    for (const other of of) {
      const place = placeOf(other, field)
      if (place?.offset !== first.offset || String(place.field) !== String(first.field)) {
        throw new RangeError(`${other} does not share ${field} of ${name}`)
      }
    }
    const { field: part, offset } = first
    const value = `${part[1]}(key, ${offset})`
    return `  ${field}: (key: Uint8Array): ${unitOf(part[2])} => ${value}${asUnit(part[2])},`
  })
  return objectOf(name, meaning, members)
}

/** Throws when a key does not end in an id. */
function idReader(): string {
  for (const name of keysOfIds) {
    if (keyNamed(name).fields.at(-1)![1] !== 'u48') throw new RangeError(`${name} ends in no id`)
  }
  return `/** Returns the last part of a key that ends in an id. */
export const keyId = (key: Uint8Array): number => u48(key, key.length - KEY_ID_BYTES)
`
}
