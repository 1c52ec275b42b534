/**
 * `npm run house`: counts what shows the state of the code: raw offsets, files per order attribute, aliased
 * imports, circles of imports, long functions, doors used and unused. The last line is one JSON object.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readFlags, runTool } from './command-line/tool.ts'
import {
  aliasedImports,
  attributeFiles,
  circles,
  type FileCount,
  rawOffsets,
} from './house/counts.ts'
import { readDoors } from './house/doors.ts'
import { functionLengths } from './house/functions.ts'

/** Functions past it do not fit a screen. */
const LINES_MAX = 70
const SHOWN = 10

const tool = {
  name: 'house',
  about:
    'Counts raw offsets, files per order attribute, imports, circles, long functions and doors.',
  flags: { folder: { value: 'FOLDER', about: 'The project to read', default: '.' } },
} as const

const list = (lines: readonly string[]): string => lines.map((line) => `  ${line}\n`).join('')
const sum = (counts: readonly FileCount[]): number =>
  counts.reduce((total, { count }) => total + count, 0)
const counted = (counts: readonly FileCount[]): string =>
  list(counts.slice(0, SHOWN).map(({ file, count }) => `${String(count).padStart(4)} ${file}`))

function run(args: string[]): boolean {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const root = path.resolve(values.folder)
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], {
    cwd: root,
  })
  const paths = files
    .toString()
    .split('\n')
    .filter((file) => file !== '')
  const texts = new Map(paths.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
  const print = (text: string) => process.stdout.write(text)

  const raw = rawOffsets(texts)
  print(`raw offsets: ${sum(raw)} in ${raw.length} files\n${counted(raw)}`)
  const attributes = Object.entries(attributeFiles(texts)).map(
    ([name, found]) => [name, found.length] as const,
  )
  print('hand-written files of src that name an order attribute\n')
  print(list(attributes.map(([name, count]) => `${String(count).padStart(4)} ${name}`)))
  const aliased = aliasedImports(texts)
  print(`aliased imports: ${sum(aliased)} in ${aliased.length} files\n${counted(aliased)}`)
  const rounds = circles(texts)
  const typed = circles(texts, true)
  const joined = list([...rounds, ...typed].map((round) => round.join(', ')))
  print(`circles of imports: ${rounds.length}, with types ${typed.length}\n${joined}`)
  const lengths = functionLengths(root, (file) => file.startsWith('src/'))
  const long = lengths.filter(({ lines }) => lines > LINES_MAX)
  print(`functions of src longer than ${LINES_MAX} lines: ${long.length}; the longest:\n`)
  const shown = lengths.slice(0, Math.max(long.length, SHOWN))
  print(
    list(shown.map(({ lines, name, place }) => `${String(lines).padStart(4)} ${name} ${place}`)),
  )
  const doors = readDoors(texts)
  print(`doors: ${doors.used.length} used, ${doors.unused.length} unused\n${list(doors.unused)}`)
  print(`imports without a door: ${doors.shut.length}\n${list(doors.shut)}`)
  const house = {
    rawOffsets: sum(raw),
    attributeFiles: Object.fromEntries(attributes),
    aliasedImports: sum(aliased),
    circles: rounds.length,
    circlesWithTypes: typed.length,
    longFunctions: long.length,
    longestFunction: lengths[0]?.lines ?? 0,
    doors: { used: doors.used.length, unused: doors.unused.length, shut: doors.shut.length },
  }
  print(`${JSON.stringify({ house })}\n`)
  return true
}

await runTool(run)
