/** Accessors of the first word of every record, from layout/schema/field.ts. */
import { header, headParts } from '../src/layout/schema/field.ts'
import { capital } from './field-accessors.ts'

/** Bits of a word. */
const WORD_BITS = 32

export function headModule(): string {
  if (header[0]?.[1] !== 'i32') throw new RangeError('records do not begin with a word')
  let shift = 0
  const parts = headParts.map((part) => {
    const place = { ...part, shift }
    shift += part.bits
    return place
  })
  if (shift !== WORD_BITS) throw new RangeError('the parts of a head do not fill its word')
  const shifted = parts.map(({ name, shift: by }) => (by === 0 ? name : `(${name} << ${by})`))
  const readers = parts.map(({ name, bits, shift: by }) => {
    const moved = by === 0 ? 'words.i32[at >> 2]!' : `(words.i32[at >> 2]! >>> ${by})`
    const last = by + bits === WORD_BITS
    const value = last ? moved.slice(1, -1) : `${moved} & ${2 ** bits - 1}`
    return `export const record${capital(name)} = (words: Words, at: number): number => ${value}`
  })
  const flagShift = parts.find(({ name }) => name === 'flags')!.shift
  return [
    '// Generated from layout/schema.ts by `npm run generate`. Do not edit.',
    '/** The view of a RecordBuffer that heads are in. */',
    'interface Words {',
    '  readonly i32: Int32Array',
    '}',
    '',
    '/** The head of a record. */',
    'export const headOf = (type: number, length: number, flags = 0): number =>',
    `  ${shifted.join(' | ')}`,
    ...readers,
    '',
    '/** Writes the head of a record. */',
    'export function writeHead(words: Words, at: number, type: number, length: number, flags = 0): void {',
    '  words.i32[at >> 2] = headOf(type, length, flags)',
    '}',
    '',
    '/** Sets a flag of a record that is written. */',
    'export function addFlag(words: Words, at: number, flag: number): void {',
    `  words.i32[at >> 2] = words.i32[at >> 2]! | (flag << ${flagShift})`,
    '}',
    '',
  ].join('\n')
}
