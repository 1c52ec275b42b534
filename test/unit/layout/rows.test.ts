/** Generated accessors of rows and heads, and generated keys, against the schema. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CLIENT_ORDER_ID_WORDS } from '../../../src/base/client-order-id.ts'
import type { Int64 } from '../../../src/base/int64.ts'
import { AccountId } from '../../../src/base/units.ts'
import * as keyClasses from '../../../src/layout/keys.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import * as rows from '../../../src/layout/rows.gen.ts'
import { carrierOf, fieldBytes, type Structure } from '../../../src/layout/schema/field.ts'
import {
  type KeyCarrier,
  type KeySchema,
  keyBytes,
  keys,
  keysOfIds,
  sharedKeyParts,
} from '../../../src/layout/schema/keys.ts'
import { LEGS_MAX, placesOf, sectionBytes, structures } from '../../../src/layout/schema.ts'
import { sampleOf } from './field-samples.ts'

type Accessor = (...args: unknown[]) => number
const members = rows as unknown as Record<string, Record<string, Accessor>>

const AT = 64
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const wordsOf = (first: number, count: number): Int32Array =>
  Int32Array.from({ length: count }, (_, i) => first + i)

/** Sets each field to a different value; returns them, those of several words as arrays. */
function fill(
  structure: Structure,
  buffer: RecordBuffer,
): Record<string, Int64 | string | number[]> {
  const values: Record<string, Int64 | string | number[]> = {}
  for (const [n, { name, type }] of placesOf(structure).entries()) {
    const set = members[structure.name]![`set${capital(name)}`]!
    const carrier = carrierOf(type)
    if (carrier === 'id' || carrier === 'int96') {
      const words = wordsOf(1000 * (n + 1), fieldBytes(type) / 4)
      set(buffer, AT, words, 0)
      values[name] = [...words]
      continue
    }
    const value = sampleOf(carrier, n)
    set(buffer, AT, value)
    values[name] = value
  }
  return values
}

/** Reads a field, or the words of one. */
function read(
  structure: Structure,
  field: string,
  buffer: RecordBuffer,
): Int64 | string | number[] {
  const { type } = placesOf(structure).find(({ name }) => name === field)!
  const of = members[structure.name]!
  if (carrierOf(type) === 'int96') {
    const words = new Int32Array(3)
    of[`get${capital(field)}`]!(buffer, AT, words, 0)
    return [...words]
  }
  if (carrierOf(type) !== 'id') return of[field]!(buffer, AT)
  const at = of[`${field}At`]!(AT)
  return [...buffer.i32.subarray(at, at + CLIENT_ORDER_ID_WORDS)]
}

describe.each(structures.map((it) => [it.name, it] as const))('%s', (name, structure) => {
  test('has a place for each field, in order, without a gap', () => {
    let end = 0
    for (const { type, offset } of placesOf(structure)) {
      expect(offset).toBe(end)
      end = offset + fieldBytes(type)
    }
    expect(members[name]!.bytes).toBe(end)
    if (structure.start !== undefined) {
      const { offset } = placesOf(structure).find((it) => it.name === structure.start)!
      expect(members[name]![`${structure.start}Start`]).toBe(offset)
    }
  })

  test('is read as it was written, in all of its bytes and no others', () => {
    const [zeros, ones] = [0, 0xff].map((pattern) => {
      const buffer = RecordBuffer.allocate(1024)
      buffer.bytes.fill(pattern)
      return buffer
    }) as [RecordBuffer, RecordBuffer]
    const values = fill(structure, zeros)
    fill(structure, ones)
    for (const field of Object.keys(values)) {
      expect(read(structure, field, zeros)).toEqual(values[field])
    }
    const written = (byte: number) => zeros.bytes[byte] === ones.bytes[byte]
    const end = AT + sectionBytes(structure)
    for (let byte = 0; byte < 1024; byte++) expect(written(byte)).toBe(byte >= AT && byte < end)
  })

  test.each(
    Object.entries(structure.groups ?? {}),
  )('its fields of %s are copied from objects, and into them', (group, fields) => {
    const of = members[name]!
    const buffer = RecordBuffer.allocate(1024)
    const values = fill(structure, buffer)
    const own = Object.fromEntries(fields.map((field) => [field, values[field]]))
    const into = {}
    of[`read${group}`]!(buffer, AT, into)
    expect(into).toEqual(own)
    expect(of[`${group[0]!.toLowerCase()}${group.slice(1)}Of`]!(buffer, AT)).toEqual(own)
    const other = RecordBuffer.allocate(1024)
    of[`write${group}`]!(other, AT, own)
    for (const field of fields) expect(read(structure, field, other)).toEqual(values[field])
  })

  test.each(structure.legs ?? [])('%s is read leg by leg', (field) => {
    const buffer = RecordBuffer.allocate(1024)
    fill(structure, buffer)
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      const one = members[name]![`${field}${leg + 1}`]
      const of = members[name]![`leg${capital(field)}`]
      if (one !== undefined) expect(of!(buffer, AT, leg)).toBe(one(buffer, AT))
      else {
        const legAt = members[name]![`leg${capital(field)}At`]!
        expect(legAt(AT, leg)).toBe(members[name]![`${field}${leg + 1}At`]!(AT))
      }
    }
  })
})

interface KeyClass {
  new (): { of(...parts: number[]): Uint8Array }
  readonly bytes: number
}
const classes = keyClasses as unknown as Record<string, KeyClass & Record<string, Accessor>>

const highest: Record<KeyCarrier, number> = {
  u8: 2 ** 8,
  u16: 2 ** 16,
  u32: 2 ** 32,
  i32: 2 ** 31,
  u48: 2 ** 48,
  u64: 2 ** 53,
}

const partsOf = ({ fields }: KeySchema) =>
  fc.tuple(
    ...fields.map(([, carrier]) =>
      fc.maxSafeInteger().map((n) => {
        const high = highest[carrier]
        return Math.abs(n) % high
      }),
    ),
  )
const compared = (a: readonly number[], b: readonly number[]): number => {
  const first = a.findIndex((part, i) => part !== b[i])
  return first < 0 ? 0 : Math.sign(a[first]! - b[first]!)
}

describe.each(keys.map((key) => [key.name, key] as const))('%s', (name, key) => {
  const of = classes[name]!

  test('is read as it was written, and sorts as its parts do', () => {
    expect(of.bytes).toBe(key.fields.reduce((sum, [, carrier]) => sum + keyBytes[carrier], 0))
    fc.assert(
      fc.property(partsOf(key), partsOf(key), fc.nat(key.fields.length), (a, b, same) => {
        const other = [...a.slice(0, same), ...b.slice(same)]
        const [one, two] = [new of().of(...a), new of().of(...other)]
        // A table hands keys out as parts of larger memory.
        const stored = new Uint8Array([1, 2, 3, ...one]).subarray(3)
        expect(key.fields.map(([field]) => of[field]!(stored))).toEqual(a)
        for (const shared of sharedKeyParts.filter((it) => it.of.includes(name))) {
          const readers = classes[shared.name]!
          for (const field of shared.fields)
            expect(readers[field]!(stored)).toBe(of[field]!(stored))
        }
        if (keysOfIds.includes(name)) expect(keyClasses.keyId(stored)).toBe(a.at(-1))
        expect(Math.sign(Buffer.compare(one, two))).toBe(compared(a, other))
      }),
    )
  })
})

test('a signed part of a key keeps its sign', () => {
  const key = new keyClasses.ListClientIdKey().of(AccountId(1), -2, -(2 ** 31), 3)
  expect(keyClasses.ListClientIdKey.hashLow(key)).toBe(-2)
  expect(keyClasses.ListClientIdKey.hashHigh(key)).toBe(-(2 ** 31))
})
