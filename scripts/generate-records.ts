/** Codecs and byte maps, from layout/schema.ts. */

import { bookMemory } from '../src/layout/schema/book-memory.ts'
import {
  carrierOf,
  type FieldType,
  fieldBytes,
  fieldTypes,
  flags,
  type RecordSchema,
  type RecordSection,
  type Section,
  type Structure,
} from '../src/layout/schema/field.ts'
import { keyBytes, keys } from '../src/layout/schema/keys.ts'
import { repeated, sections } from '../src/layout/schema/order-fields.ts'
import {
  COMMAND_SLOT_BYTES,
  fieldsOf,
  placesOf,
  recordBytes,
  schemas,
  sectionBytes,
  structures,
} from '../src/layout/schema.ts'
import {
  bytesOf,
  isThere,
  placed,
  readOf,
  sectionStarts,
  unitOf,
  writeOf,
} from './field-accessors.ts'

/** A field in a byte map. */
function rowOf({ name, type, meaning, offset }: ReturnType<typeof fieldsOf>[number]): string {
  const { carrier, unit } = fieldTypes[type]
  return `| ${offset} | ${fieldBytes(type)} | ${carrier} | ${unit ?? ''} | ${name} | ${meaning} |`
}

/** What TypeScript takes a field for, once it is read. */
const typeOf = (type: FieldType): string => (carrierOf(type) === 'id' ? 'string' : unitOf(type))

/** Records that src reads or writes as objects; accessors do for the others. */
const inSrc = [
  ...['BlockTrade', 'BlockTradeState', 'CancelOpenOrders', 'CancelOrder', 'CancelSessionOrders'],
  ...['MatchPrevented', 'OrderAmended'],
  'OrderClosed',
  ...['OrderListChanged', 'OrderListRejected', 'Rejected', 'ReplaceResult'],
]
const isInSrc = ({ name }: RecordSchema): boolean => inSrc.includes(name)

/** The numbers of records, and the codecs that src uses. */
export function recordsModule(): string {
  return [
    `export const COMMAND_SLOT_BYTES = ${COMMAND_SLOT_BYTES}`,
    '',
    ...flags.map(([name, bit, meaning]) => `/** ${meaning} */\nexport const FLAG_${name} = ${bit}`),
    '',
    '/** Number of each record type. */',
    `export const RecordType = {\n${schemas.map((s) => `  ${s.name}: ${s.type},`).join('\n')}\n} as const`,
    '',
    '/** Throws a RangeError when the section is missing. */',
    'export function present<T>(section: T | undefined, name: string): T {',
    "  if (section === undefined) throw new RangeError('a section is missing: ' + name)",
    '  return section',
    '}',
    '',
    ...sections.map(sectionModule),
    ...schemas.filter(isInSrc).map(moduleOf),
  ].join('\n')
}

/** All other codecs, for programs beside src that read and write whole records, and those of src. */
export const codecsModule = (): string =>
  [
    "export * from '../../src/layout/records.gen.ts'\n",
    ...schemas.filter((schema) => !isInSrc(schema)).map(moduleOf),
  ].join('\n')

/** Reader and writer of a section, from where it begins. */
function sectionModule({ name, meaning, fields }: Section): string {
  const places = placed(fields)
  return `/** ${meaning} */
export interface ${name}Fields {
${places.map((f) => `  ${f.name}: ${typeOf(f.type)}`).join('\n')}
}

export function read${name}(buffer: RecordBuffer, at: number): ${name}Fields {
  return {
${places.map((f) => `    ${f.name}: ${readOf('buffer', 'at', f.type, f.offset)},`).join('\n')}
  }
}

/** Writes the section and returns the offset after it. */
export function write${name}(buffer: RecordBuffer, at: number, fields: ${name}Fields): number {
${places.map((f) => `  ${writeOf('buffer', 'at', f.type, f.offset, `fields.${f.name}`)}`).join('\n')}
  return at + ${bytesOf(fields)}
}
`
}

function moduleOf(schema: RecordSchema): string {
  const fields = fieldsOf(schema)
  const bytes = recordBytes(schema)
  const body = fields.slice(1)
  const shape = body.map((f) => `  ${f.name}: ${typeOf(f.type)}`)
  const reads = body.map(({ name, type, offset }) =>
    carrierOf(type) === 'id'
      ? `    ${name}: unpackClientOrderId(buffer.i32, (at >> 2) + ${offset / 4}),`
      : `    ${name}: ${readOf('buffer', 'at', type, offset)},`,
  )
  const writes = body.map(({ name, type, offset }) =>
    carrierOf(type) === 'id'
      ? `  if (!packClientOrderId(record.${name}, buffer.i32, (at >> 2) + ${offset / 4}) && ` +
        `record.${name} !== '') throw new RangeError('${name} is not a client order id')`
      : `  ${writeOf('buffer', 'at', type, offset, `record.${name}`)}`,
  )
  const found = schema.sections ?? []
  const wholes = found.map(({ name, section }) => `  ${name}?: ${section.name}Fields | undefined`)
  const starts = sectionStarts(schema)
  const finds = found.map(({ name }, i) => `  const ${name}At = ${starts[i]}`)
  const parts = found.map(
    ({ name, section }) =>
      `    ${name}: ${name}At < 0 ? undefined : read${section.name}(buffer, ${name}At),`,
  )
  const ends = found.map(({ name, section, ...it }) => {
    const write = `end = write${section.name}(buffer, end, present(record.${name}, '${name}'))`
    const condition = whereWritten({ name, section, ...it })
    return condition === 'true' ? `  ${write}` : `  if (${condition}) {\n    ${write}\n  }`
  })
  const isFixed = found.length === 0
  return `/** ${schema.meaning} */
export interface ${schema.name}Record {
${[...shape, ...wholes].join('\n')}
}

export function read${schema.name}(buffer: RecordBuffer, at: number): ${schema.name}Record {
${finds.map((it) => `${it}\n`).join('')}  return {
${[...reads, ...parts].join('\n')}
  }
}

/** Writes the whole record and returns the offset after it. */
export function write${schema.name}(
  buffer: RecordBuffer,
  at: number,
  record: ${schema.name}Record,
  flags = 0,
): number {
${
  isFixed
    ? `  buffer.i32[at >> 2] = headOf(${schema.type}, ${bytes}, flags)\n${writes.join('\n')}\n  ` +
      `return at + ${bytes}`
    : `${writes.join('\n')}\n  let end = at + ${bytes}\n${ends.join('\n')}\n  buffer.i32[at >> 2] ` +
      `= headOf(${schema.type}, end - at, flags)\n  return end`
}
}
`
}

const structureMap = (structure: Structure): string[] => [
  ...['', `## ${structure.name} (${sectionBytes(structure)} bytes)`, '', structure.meaning, ''],
  ...['| offset | bytes | type | unit | field | meaning |', '|---|---|---|---|---|---|'],
  ...placesOf(structure).map(rowOf),
]

/** Whether a section is written, as a condition on the record or on the flags of its head. */
const whereWritten = (it: RecordSection): string =>
  it.field === 'head'
    ? isThere({ ...it, mask: it.mask >> 8, value: it.value >> 8 }, 'flags')
    : isThere(it, `record.${it.field}`)

const whenThere = ({ mask, value, field }: RecordSection): string => {
  if (mask === 0) return 'always'
  return mask === -1 ? `when ${field} is ${value}` : `when ${field} has bit ${value}`
}

/** The byte maps, for people: a page of the documents. */
export function recordsMarkdown(): string {
  const parts = [
    '# Records',
    '',
    "Made from `src/layout/schema.ts`. Little-endian, aligned to 8 bytes. `i32`, `int64`: two's",
    'complement. `int`: an integer within ±(2^53 - 1) carried as an IEEE-754 double. `id`: a client order',
    `id in eight words. \`text64\` and the like: letters of Latin-1, zeros behind the last. Commands travel in slots of ${COMMAND_SLOT_BYTES} bytes; a larger one takes several.`,
    '',
    ...flags.map(([name, bit, meaning]) => `Flag ${name} (${bit}): ${meaning}.`),
  ]
  for (const schema of schemas) {
    parts.push(
      '',
      `## ${schema.name} (${schema.kind} ${schema.type}, ${recordBytes(schema)} bytes)`,
      '',
      schema.meaning,
      '',
    )
    parts.push('| offset | bytes | type | unit | field | meaning |', '|---|---|---|---|---|---|')
    parts.push(...fieldsOf(schema).map(rowOf))
    for (const it of schema.sections ?? []) {
      parts.push('', `Then ${it.section.name} (${it.name}), ${whenThere(it)}.`)
    }
  }
  parts.push(
    '',
    '## Sections',
    '',
    'Behind the fields of a record that says so; offsets from its end.',
  )
  for (const { name, meaning, fields } of [...sections, ...repeated]) {
    parts.push('', `## ${name} (${bytesOf(fields)} bytes)`, '', meaning, '')
    parts.push('| offset | bytes | type | unit | field | meaning |', '|---|---|---|---|---|---|')
    parts.push(...placed(fields).map(rowOf))
  }
  parts.push(
    '',
    '## Rows and heads',
    '',
    'What bytes outside records mean: values of tables, heads of blocks, files and frames. The accessors of',
    'each field: `rows.gen.ts`.',
  )
  parts.push(...structures.flatMap(structureMap))
  parts.push(
    '',
    '## The book',
    '',
    'Regions of its memory (core/book/memory-map.ts): the words of each entry.',
  )
  parts.push(...bookMemory.flatMap(structureMap))
  parts.push(
    '',
    '## Keys',
    '',
    'Of tables of LMDB: numbers in a row, big-endian. Classes: `keys.gen.ts`.',
    '',
  )
  parts.push('| key | parts, with their bytes | where |', '|---|---|---|')
  for (const { name, meaning, fields } of keys) {
    const row = fields.map(([field, carrier]) => `${field} ${keyBytes[carrier]}`).join(', ')
    parts.push(`| ${name} | ${row} | ${meaning} |`)
  }
  return `${parts.join('\n')}\n`
}
