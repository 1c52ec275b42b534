/** Codecs, byte maps and the C++ header, from layout/schema.ts. */
import {
  COMMAND_SLOT_BYTES,
  type FieldType,
  fieldBytes,
  fieldsOf,
  flags,
  LIST_LEG_BYTES,
  type RecordSchema,
  recordBytes,
  schemas,
} from '../src/layout/schema.ts'

const elementOffset = (type: FieldType, offset: number) =>
  type === 'int' ? offset / 8 : offset / 4

/** The TypeScript module: for each record its type, size, offsets, reader and writer. */
export function recordsModule(): string {
  const parts = [
    '// Generated from layout/schema.ts by `npm run generate`. Do not edit.',
    "import { packClientOrderId, unpackClientOrderId } from '../base/client-order-id.ts'",
    "import { headOf, type RecordBuffer } from './record-buffer.ts'",
    '',
    `export const COMMAND_SLOT_BYTES = ${COMMAND_SLOT_BYTES}`,
    `export const LIST_LEG_BYTES = ${LIST_LEG_BYTES}`,
    '',
    ...flags.map(([name, bit, meaning]) => `/** ${meaning} */\nexport const FLAG_${name} = ${bit}`),
    '',
    '/** Number of each record type. */',
    `export const RecordType = {\n${schemas.map((s) => `  ${s.name}: ${s.type},`).join('\n')}\n} as const`,
    '',
    ...schemas.map(moduleOf),
  ]
  return `${parts.join('\n')}\n`
}

function moduleOf(schema: RecordSchema): string {
  const fields = fieldsOf(schema)
  const bytes = recordBytes(schema)
  const body = fields.slice(1)
  const shape = body.map((f) => `  ${f.name}: ${f.type === 'id' ? 'string' : 'number'}`)
  const reads = body.map((f) => {
    const at = elementOffset(f.type, f.offset)
    if (f.type === 'id') return `    ${f.name}: unpackClientOrderId(buffer.i32, word + ${at}),`
    return f.type === 'int'
      ? `    ${f.name}: buffer.f64[double + ${at}]!,`
      : `    ${f.name}: buffer.i32[word + ${at}]!,`
  })
  const writes = body.map((f) => {
    const at = elementOffset(f.type, f.offset)
    if (f.type === 'id') {
      return `  if (!packClientOrderId(record.${f.name}, buffer.i32, word + ${at}) && record.${f.name} !== '') throw new RangeError('${f.name} is not a client order id')`
    }
    return f.type === 'int'
      ? `  buffer.f64[double + ${at}] = record.${f.name}`
      : `  buffer.i32[word + ${at}] = record.${f.name}`
  })
  return `/** ${schema.meaning} */
export interface ${schema.name}Record {
${shape.join('\n')}
}

export function read${schema.name}(buffer: RecordBuffer, at: number): ${schema.name}Record {
  const word = at >> 2
${fields.some((f) => f.type === 'int') ? '  const double = at >> 3\n' : ''}  return {
${reads.join('\n')}
  }
}

/** Writes the whole record and answers the offset after it. */
export function write${schema.name}(
  buffer: RecordBuffer,
  at: number,
  record: ${schema.name}Record,
  flags = 0,
): number {
  const word = at >> 2
${fields.some((f) => f.type === 'int') ? '  const double = at >> 3\n' : ''}  buffer.i32[word] = headOf(${schema.type}, ${bytes}, flags)
${writes.join('\n')}
  return at + ${bytes}
}
`
}

/** The byte maps, for people. */
export function recordsMarkdown(): string {
  const parts = [
    '# Records',
    '',
    "Generated from `schema.ts` by `npm run generate`. Little-endian, aligned to 8 bytes. `i32`: two's",
    'complement. `int`: an integer within ±(2^53 - 1) carried as an IEEE-754 double. `id`: a client order',
    `id in eight words. Commands travel in slots of ${COMMAND_SLOT_BYTES} bytes; a larger one takes several.`,
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
    parts.push('| offset | bytes | type | field | meaning |', '|---|---|---|---|---|')
    for (const f of fieldsOf(schema)) {
      parts.push(`| ${f.offset} | ${fieldBytes(f.type)} | ${f.type} | ${f.name} | ${f.meaning} |`)
    }
  }
  return `${parts.join('\n')}\n`
}

/** The same layouts for C++. */
export function recordsHeader(): string {
  const cpp = { i32: 'int32_t', int: 'double', id: 'ClientOrderId' } as const
  const parts = [
    '// Generated from src/layout/schema.ts by `npm run generate`. Do not edit.',
    '#pragma once',
    '#include <cstddef>',
    '#include <cstdint>',
    '',
    'namespace ringbook {',
    '',
    'struct ClientOrderId { int32_t words[8]; };',
    `constexpr std::size_t kCommandSlotBytes = ${COMMAND_SLOT_BYTES};`,
  ]
  for (const schema of schemas) {
    const fields = fieldsOf(schema)
    parts.push('', `struct ${schema.name} {`)
    parts.push(`  static constexpr int kType = ${schema.type};`)
    for (const f of fields) parts.push(`  ${cpp[f.type]} ${f.name};`)
    parts.push('};')
    parts.push(`static_assert(sizeof(${schema.name}) == ${recordBytes(schema)});`)
    const last = fields.at(-1)!
    parts.push(`static_assert(offsetof(${schema.name}, ${last.name}) == ${last.offset});`)
  }
  parts.push('', '}  // namespace ringbook')
  return `${parts.join('\n')}\n`
}
