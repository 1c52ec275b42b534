/** The generated accessors against the schema, and against the readers of whole records. */
import { describe, expect, test } from 'vitest'
import * as records from '../../../scripts/layout/codecs.gen.ts'
import { CLIENT_ORDER_ID_WORDS, packClientOrderId } from '../../../src/base/client-order-id.ts'
import * as accessors from '../../../src/layout/accessors.gen.ts'
import * as buffers from '../../../src/layout/record-buffer.ts'
import {
  RecordBuffer,
  recordFlags,
  recordLength,
  recordType,
} from '../../../src/layout/record-buffer.ts'
import {
  carrierOf,
  fieldBytes,
  type RecordSchema,
  type Section,
} from '../../../src/layout/schema/field.ts'
import { leg, sections, sideFields } from '../../../src/layout/schema/order-fields.ts'
import {
  blocks,
  fieldsOf,
  LEGS_MAX,
  legFields,
  recordBytes,
  schemas,
  sharedFields,
} from '../../../src/layout/schema.ts'
import { sampleOf } from './field-samples.ts'

type Accessor = (buffer: RecordBuffer, at: number, ...rest: unknown[]) => number
const members = accessors as unknown as Record<string, Record<string, Accessor>>
const codecs = records as unknown as Record<
  string,
  (buffer: RecordBuffer, at: number) => Record<string, number | string>
>

const AT = 64
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const idText = (n: number): string => `id-${n}`
function idWords(n: number): Int32Array {
  const words = new Int32Array(CLIENT_ORDER_ID_WORDS)
  packClientOrderId(idText(n), words, 0)
  return words
}

/** The accessor of a record's own field, or of one of the header. */
const accessorOf = (record: string, name: string): Accessor =>
  (members[record]![name] ?? members.EventHeader![name])!

/** Sets each field of a record to a different value; returns them. */
function fill(schema: RecordSchema, buffer: RecordBuffer, at: number): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [n, { name, type }] of fieldsOf(schema).slice(1).entries()) {
    const set = accessorOf(schema.name, `set${capital(name)}`)
    if (carrierOf(type) === 'id') {
      set(buffer, at, idWords(n), 0)
      values[name] = idText(n)
      continue
    }
    const value = sampleOf(carrierOf(type), n)
    set(buffer, at, value)
    values[name] = value
  }
  return values
}

describe.each(schemas.map((schema) => [schema.name, schema] as const))('%s', (name, schema) => {
  test('has a place for each field, in order, without overlap', () => {
    let end = 0
    for (const { type, offset } of fieldsOf(schema)) {
      expect(offset).toBe(end)
      end = offset + fieldBytes(type)
    }
    expect(members[name]).toMatchObject({ type: schema.type, bytes: (end + 7) & ~7 })
  })

  test('is read as it was written, within its bytes', () => {
    const buffer = RecordBuffer.allocate(1024)
    buffer.bytes.fill(0xa5)
    const values = fill(schema, buffer, AT)
    expect(codecs[`read${name}`]!(buffer, AT)).toMatchObject(values)
    for (const { name: field, type } of fieldsOf(schema).slice(1)) {
      if (carrierOf(type) !== 'id') expect(accessorOf(name, field)(buffer, AT)).toBe(values[field])
    }
    const end = AT + recordBytes(schema)
    const outside = [...buffer.bytes.subarray(0, AT), ...buffer.bytes.subarray(end)]
    expect(outside.every((byte) => byte === 0xa5)).toBe(true)
  })
})

describe('fields that records share', () => {
  test.each(sharedFields)('$name is read in each of its records', ({ name, fields, of }) => {
    for (const schema of schemas.filter((candidate) => of.includes(candidate.name))) {
      const buffer = RecordBuffer.allocate(1024)
      const values = fill(schema, buffer, AT)
      for (const field of fields) {
        const read = members[name]![field]
        if (read !== undefined) expect(read(buffer, AT)).toBe(values[field])
        else expect(members[name]![`${field}At`]!(AT as never, 0)).toBeGreaterThan(AT >> 2)
      }
    }
  })

  test.each(sharedFields)('$name copies its fields', ({ name, fields, of }) => {
    const schema = schemas.find((candidate) => candidate.name === of[0])!
    const from = RecordBuffer.allocate(1024)
    const to = RecordBuffer.allocate(1024)
    const values = fill(schema, from, AT)
    members[name]!.copy!(from, AT, to as never, 8)
    const copied = codecs[`read${schema.name}`]!(to, 8)
    for (const field of fields) expect(copied[field]).toBe(values[field])
  })

  test.each(blocks)('$name is read in each of its records', ({ name, fields, of }) => {
    const blockAt = `${name[0]!.toLowerCase()}${name.slice(1)}At`
    for (const schema of schemas.filter((candidate) => of.includes(candidate.name))) {
      const buffer = RecordBuffer.allocate(1024)
      const values = fill(schema, buffer, AT)
      const at = (members[schema.name]![blockAt] as unknown as (at: number) => number)(AT)
      for (const [field] of fields) {
        expect(members[name]![field]!(buffer, at)).toBe(values[field])
      }
    }
  })

  test.each(blocks)('$name is copied from objects, and into them', ({ name, fields, of }) => {
    const values = Object.fromEntries(
      fields.map(([field, type], n) => [field, sampleOf(carrierOf(type), n)]),
    )
    const blockAt = `${name[0]!.toLowerCase()}${name.slice(1)}At`
    for (const record of of) {
      const at = (members[record]![blockAt] as unknown as (at: number) => number)(AT)
      const [buffer, other] = [RecordBuffer.allocate(1024), RecordBuffer.allocate(1024)]
      members[record]![`write${name.replace(/Block$/, '')}`]!(buffer, AT, values)
      members[name]!.write!(other, at, values)
      expect(other.bytes).toEqual(buffer.bytes)
      const into = {}
      members[name]!.read!(buffer, at, into)
      expect(into).toEqual(values)
    }
  })

  test.each(legFields)('each leg of $record is read', ({ record, fields }) => {
    const schema = schemas.find((candidate) => candidate.name === record)!
    const buffer = RecordBuffer.allocate(1024)
    fill(schema, buffer, AT)
    for (const field of fields) {
      for (let leg = 0; leg < LEGS_MAX; leg++) {
        const numbered = members[record]![`${field}${leg + 1}`]
        if (numbered !== undefined) {
          const read = members[record]![`leg${capital(field)}`]!
          expect(read(buffer, AT, leg)).toBe(numbered(buffer, AT))
          continue
        }
        const at = members[record]![`leg${capital(field)}At`]!
        const one = members[record]![`${field}${leg + 1}At`]!
        expect(at(AT as never, leg)).toBe(one(AT as never, 0))
      }
    }
  })
})

/** A section of different values, from `first` on. */
const partOf = ({ fields }: Section, first: number): Record<string, number> =>
  Object.fromEntries(fields.map(([name], n) => [name, first + n] as const))

describe('sections', () => {
  const some = schemas.filter((schema) => schema.sections !== undefined)

  test.each(sections)('$name has a place for each field, without a gap', ({ name, fields }) => {
    const bytes = fields.reduce((sum, [, type]) => sum + fieldBytes(type), 0)
    expect(members[name]).toMatchObject({ bytes })
    expect(bytes % 8).toBe(0)
  })

  test.each(some)('of $name stand behind it, where its fields say so', (schema) => {
    const { name, sections: parts = [] } = schema
    const write = codecs[`write${name}`] as unknown as (...args: unknown[]) => number
    for (let present = 0; present < 1 << parts.length; present++) {
      const buffer = RecordBuffer.allocate(1024)
      const record: Record<string, unknown> = fill(schema, buffer, AT)
      const own: Record<string, unknown> = {}
      let bytes = recordBytes(schema)
      let flags = 0
      for (const [i, { name: part, section, field, mask, value }] of parts.entries()) {
        const isThere = mask === 0 || (present & (1 << i)) !== 0
        if (field === 'head') flags = isThere ? value >> 8 : 0
        else if (mask !== 0) record[field] = isThere ? value : 0
        record[part] = partOf(section, 100 * (i + 1))
        if (!isThere) continue
        own[part] = record[part]
        bytes += members[section.name]!.bytes as unknown as number
      }
      expect(write(buffer, AT, record, flags)).toBe(AT + bytes)
      expect(recordLength(buffer, AT)).toBe(bytes)
      for (const { name: part, section } of parts) {
        expect(codecs[`read${name}`]!(buffer, AT)[part]).toEqual(own[part])
        const at = members[name]![`${part}At`]!(buffer, AT)
        expect(at >= 0).toBe(own[part] !== undefined)
        for (const [field] of at < 0 ? [] : section.fields) {
          const expected = (record[part] as Record<string, number>)[field]
          expect(members[section.name]![field]!(buffer, at)).toBe(expected)
        }
      }
    }
  })

  test('that a record needs and does not get are an error', () => {
    const buffer = RecordBuffer.allocate(1024)
    const record = fill(schemas.find(({ name }) => name === 'OrderDecremented')!, buffer, AT)
    const write = codecs.writeOrderDecremented as unknown as (...args: unknown[]) => number
    expect(() => write(buffer, AT, record)).toThrow('a section is missing: prevention')
  })

  const sided = sideFields.flatMap((it) =>
    Object.entries(it.sides).map(([record, sides]) => ({ ...it, record, sides })),
  )
  test.each(sided)('$name is read on each side of a $record', (it) => {
    const schema = schemas.find(({ name }) => name === it.record)!
    const buffer = RecordBuffer.allocate(1024)
    const values = fill(schema, buffer, AT)
    for (const side of it.sides) {
      const at = (members[it.record]![`${side}At`] as unknown as (at: number) => number)(AT)
      const into: Record<string, unknown> = {}
      members[it.name]!.read!(buffer, at, into)
      for (const [field, type] of it.fields) {
        if (type === 'id') continue
        const own = values[`${side}${capital(field)}`]
        expect(members[it.name]![field]!(buffer, at)).toBe(own)
        expect(into[field]).toBe(own)
      }
    }
  })
})

test('a leg is cleared alone', () => {
  const schema = schemas.find(({ name }) => name === 'PlaceOrderList')!
  const buffer = RecordBuffer.allocate(1024)
  const values = fill(schema, buffer, AT)
  accessors.PlaceOrderList.clearLeg(buffer, AT, 1)
  const cleared = Object.keys(values).filter((name) => name.endsWith('2'))
  expect(cleared.length).toBe(leg(2).length)
  const none = cleared.map((name) => [name, name.startsWith('clientOrderId') ? '' : 0])
  const read = records.readPlaceOrderList(buffer, AT)
  expect(read).toEqual({ ...values, ...Object.fromEntries(none) })
})

test('a client order id is cleared alone', () => {
  const schema = schemas.find(({ name }) => name === 'OrderListRejected')!
  const buffer = RecordBuffer.allocate(1024)
  const values = fill(schema, buffer, AT)
  accessors.OrderListRejected.clearLegClientOrderId(buffer, AT, 1)
  expect(records.readOrderListRejected(buffer, AT)).toEqual({ ...values, clientOrderId2: '' })
})

test('a head is written, and takes a flag', () => {
  const buffer = RecordBuffer.allocate(64)
  buffers.writeHead(buffer, 8, accessors.Trade.type, accessors.Trade.bytes)
  expect(recordFlags(buffer, 8)).toBe(0)
  buffers.addFlag(buffer, 8, records.FLAG_LAST)
  expect(recordType(buffer, 8)).toBe(accessors.Trade.type)
  expect(recordLength(buffer, 8)).toBe(accessors.Trade.bytes)
  expect(recordFlags(buffer, 8)).toBe(records.FLAG_LAST)
})
