/** Counts over the text of source files: raw offsets, files per order attribute, imports, circles. */
import { importsOf, pathOf } from './doors.ts'

/** Path → text of every TypeScript file. */
export type Texts = ReadonlyMap<string, string>

export interface FileCount {
  readonly file: string
  readonly count: number
}

/** What only some orders have; each is declared in the schema. */
const ATTRIBUTES = ['trailingDelta', 'icebergLots', 'strategyId', 'strategyType', 'stopTicks']

/**
 * Bytes that are read or written by hand: a view of a RecordBuffer that is indexed, by anything; a view of
 * a book's memory that is indexed by a number, not by a generated name; a DataView; numbers of a Buffer.
 */
const RAW_OFFSET = new RegExp(
  [
    /\b(?:i32|f64)\[|\bnew DataView\b/,
    /\b(?:head|records|amounts|tails)\[(?:[^\]\n]*[|+] *)?\d/,
    /\.(?:get|set|read|write)(?:Big)?(?:U?[Ii]nt|Float|Double)\d*(?:[BL]E)?\(/,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
)

const byHand = (texts: Texts): [file: string, text: string][] =>
  [...texts].filter(([file]) => file.startsWith('src/') && !file.includes('.gen.'))

/** Files that match, most matches first. */
function countMatches(files: Iterable<[string, string]>, pattern: RegExp): FileCount[] {
  return [...files]
    .map(([file, text]) => ({ file, count: text.match(pattern)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
}

/** Bytes that this project did not lay out. */
const FOREIGN: Readonly<Record<string, string>> = {
  'src/journal/environment.ts': 'heads of files of LMDB',
  'src/gateway/limits/address-table.ts': 'a random number',
  'src/api/render/json-bytes.ts': 'JSON, which is for clients',
}

/** Reads and writes of bytes by hand, in hand-written files of src. */
export const rawOffsets = (texts: Texts): FileCount[] =>
  countMatches(
    byHand(texts).filter(([file]) => FOREIGN[file] === undefined),
    RAW_OFFSET,
  )

/** Attribute → hand-written files of src that name it. */
export function attributeFiles(texts: Texts): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    ATTRIBUTES.map((name) => {
      const word = new RegExp(`${name}(?![a-z])`, 'i')
      return [name, byHand(texts).flatMap(([file, text]) => (word.test(text) ? [file] : []))]
    }),
  )
}

/** Imports of a whole file that is then taken apart, and imports by the package's own names. */
export const aliasedImports = (texts: Texts): FileCount[] =>
  [...texts]
    .map(([file, text]) => {
      const whole = [...text.matchAll(/^import \* as (\w+) from/gm)].map((match) => match[1]!)
      const apart = whole.filter((name) => new RegExp(`\\} = ${name}\\b`).test(text))
      const hashed = text.match(/^(?:import|\}) .*from '#/gm) ?? []
      return { file, count: apart.length + hashed.length }
    })
    .filter(({ count }) => count > 0)

/** Files that import each other in a circle: each circle once. Imports of types count if asked for. */
export function circles(texts: Texts, withTypes = false): string[][] {
  const targets = withTypes ? allImports : runtimeImports
  const places = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (file: string): number => {
    places.set(file, places.size)
    lowest.set(file, places.size - 1)
    open.push(file)
    for (const target of targets(file, texts.get(file)!)) {
      if (!texts.has(target)) continue
      const seen = places.has(target)
      if (seen && !open.includes(target)) continue
      const reached = seen ? places.get(target)! : visit(target)
      lowest.set(file, Math.min(lowest.get(file)!, reached))
    }
    const own = lowest.get(file)!
    if (own === places.get(file)) {
      const circle = open.splice(open.indexOf(file))
      if (circle.length > 1) found.push(circle.sort())
    }
    return own
  }
  for (const file of texts.keys()) if (!places.has(file)) visit(file)
  return found
}

const runtimeImports = (file: string, text: string): string[] =>
  [...text.matchAll(/^(?:import|export) (?!type )[^'"]*?from '(\.[^']+)'/gm)].map((match) =>
    pathOf(file, match[1]!),
  )

const allImports = (file: string, text: string): string[] =>
  importsOf(text).map((target) => pathOf(file, target))
