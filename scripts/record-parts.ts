/** What the generators of records and of accessors share. */
import {
  type Field,
  type FieldType,
  fieldBytes,
  type RecordSchema,
  type RecordSection,
} from '../src/layout/schema/field.ts'
import { fieldsOf, recordBytes } from '../src/layout/schema.ts'

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
