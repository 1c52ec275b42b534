/** Generated modules: their first line, and imports of what their texts name. */
import path from 'node:path'
import { sections } from '../src/layout/schema/order-fields.ts'
import { unitNames } from './field-accessors.ts'

/** By file, the names that generated modules take from it. Units are values where they are called. */
const exported: Readonly<Record<string, readonly string[]>> = {
  'src/base/client-order-id.ts': [
    ...['CLIENT_ORDER_ID_WORDS', 'copyClientOrderId', 'packClientOrderId', 'unpackClientOrderId'],
  ],
  'src/base/fixed-text.ts': ['readText', 'writeText'],
  'src/base/int64.ts': ['type Int64', 'readInt64', 'writeInt64'],
  'src/base/int96.ts': ['copyInt96'],
  'src/base/units.ts': [...unitNames, 'type Doubles', 'Int64s', 'type Words'],
  'src/core/book/memory-map.ts': ['doublesOf', 'type MemoryMap', 'wordsOf'],
  'src/core/book/order-book.ts': ['type OrderBook'],
  'src/core/matching/hash-sink.ts': ['type HashSink'],
  'src/core/matching/order-summary.ts': ['ExecutionOrder', 'type OrderSummary'],
  'src/core/matching/sparse-column.ts': ['SparseColumn', 'SparseInt64s', 'type SlotRows'],
  'src/history/account-history.ts': ['type OrderRow', 'type OrderRowDetails'],
  'src/layout/accessors.gen.ts': [
    ...['DetailsSection', 'ExtrasBlock', 'type ExtrasBlockFields', 'type OrderBlockFields'],
    'type ProgressBlockFields',
  ],
  'src/layout/image.ts': ['type ImageReader', 'type ImageWriter'],
  'src/layout/order.gen.ts': ['type StandingOrder'],
  'src/layout/record-buffer.ts': ['headOf', 'type RecordBuffer'],
  'src/layout/records.gen.ts': [
    'present',
    ...sections.flatMap(({ name }) => [`type ${name}Fields`, `read${name}`, `write${name}`]),
  ],
}

/** Returns the module's path and text. */
export function module(file: string, body: string): readonly [path: string, text: string] {
  const code = body.replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '')
  const imports = Object.entries(exported).flatMap(([from, names]) => {
    const used = names.filter((name) => isForeign(code, name)).map((name) => withKind(code, name))
    return used.length === 0 ? [] : [importOf(used, targetOf(file, from))]
  })
  const head = '// Generated from layout/schema.ts by the build. Do not edit.'
  return [file, [head, ...imports, '', body].join('\n')]
}

function targetOf(file: string, from: string): string {
  const target = path.posix.relative(path.posix.dirname(file), from)
  return target.startsWith('.') ? target : `./${target}`
}

const plain = (name: string): string => name.replace('type ', '')

/** Whether the code uses the name, and does not make it. */
function isForeign(code: string, name: string): boolean {
  const word = `${plain(name)}\\b`
  const isMade = new RegExp(`export (?:const|class|interface|type|function) ${word}`).test(code)
  return !isMade && new RegExp(`(?<!\\.)\\b${word}(?!:)`).test(code)
}

function withKind(code: string, name: string): string {
  const isValue = new RegExp(`(?<![.\\w])${name}\\(`).test(code)
  return unitNames.some((unit) => unit === name) && !isValue ? `type ${name}` : name
}

const importOf = (used: readonly string[], target: string): string =>
  used.every((name) => name.startsWith('type '))
    ? `import type { ${used.map(plain).join(', ')} } from '${target}'`
    : `import { ${used.join(', ')} } from '${target}'`
