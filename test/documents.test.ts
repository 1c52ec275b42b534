/** What the documents show is there: commands, flags, variables, files, names of code. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorAdvice } from '../scripts/api-pages/error-advice.ts'
import { errorCodes } from '../scripts/generate-api-docs.ts'
import { COMMON_FLAGS } from '../src/cli/cli.ts'
import { localActions } from '../src/cli/local-actions.ts'
import { settings } from '../src/config/settings.ts'
import { actions } from '../src/control/commands.ts'
import { commandsOf, flagsOf, pathsOf, quotesOf } from './document-words.ts'

const root = path.resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const documents = files.filter((file) => /^(README|(src|docs|examples)\/.*)\.md$/.test(file))

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const settingFlags: readonly string[] = [
  ...Object.values(settings).map(({ flag }) => flag),
  ...['config', 'help', 'version'],
]
const rows = [...actions, ...localActions]
/** Flags of other programs that the prose names. */
const foreign = ['report-on-signal', 'trace-gc', 'ulimit']
const helps = new Map<string, string>()
/** What a script of package.json prints for --help; '' for one without flags. */
function helpOf(script: string, bench: string): string {
  const key = `${script} ${bench}`
  const known = helps.get(key)
  if (known !== undefined) return known
  const [, program, ...verb] = (scripts[script] ?? '').split(' ')
  const words = [program ?? '', ...verb, ...(bench === '' ? [] : [bench]), '--help']
  const help = !program?.startsWith('dist/')
    ? ''
    : execFileSync('node', words, { cwd: root }).toString()
  helps.set(key, help)
  return help
}

/** What is wrong with `npm run SCRIPT -- flags`; '' when nothing is. */
function npmFault(words: readonly string[]): string {
  const [, verb = '', script = ''] = words
  const name = verb === 'run' ? script : verb
  if (['ci', 'pack', 'install', 'publish'].includes(name)) return ''
  if (scripts[name] === undefined) return `there is no script ${name}`
  const flags = flagsOf(words.slice(words.indexOf('--')))
  if (!words.includes('--') || flags.length === 0) return ''
  if (name === 'start') return flags.filter((flag) => !settingFlags.includes(flag)).join()
  const bench = name === 'bench' ? words[words.indexOf('--') + 1]! : ''
  const help = helpOf(name, bench)
  const own = ['help', ...(name === 'bench' ? ['keep'] : [])]
  return flags.filter((flag) => !own.includes(flag) && !help.includes(`--${flag} `)).join()
}

/** What is wrong with `ringbook ACT flags`, or with settings for the exchange itself; '' for nothing. */
function ringbookFault(words: readonly string[]): string {
  const [first = '', second = ''] = words
  if (first === '' || first.startsWith('--')) {
    return flagsOf(words)
      .filter((flag) => !settingFlags.includes(flag))
      .join()
  }
  const name = first === 'venue' ? `venue-${second}` : first
  if (['help', 'start', 'COMMAND'].includes(name)) return ''
  const row = rows.find((action) => action.name === name)
  if (row === undefined) return `there is no action ${name}`
  const known = [...COMMON_FLAGS, ...row.params.map((param) => param.name)]
  return flagsOf(words)
    .filter((flag) => !known.includes(flag))
    .join()
}

function faultOf(words: readonly string[]): string {
  if (words[0] === 'npm') return npmFault(words)
  if (words[0] === 'ringbook') return ringbookFault(words.slice(1))
  const program = words[1]!
  if (program === 'ringbook' || /^\.\/ringbook-/.test(program)) return ringbookFault(words.slice(2))
  return program === 'vitest' ? '' : `npx runs ${program}`
}

describe.each(documents)('%s', (file) => {
  const text = read(file)

  test('shows commands that there are', () => {
    const faults = commandsOf(text).map(({ line, words }) => [line, faultOf(words)])
    expect(faults.filter(([, fault]) => fault !== '')).toEqual([])
  })

  test('names flags and variables that there are', () => {
    const own = new Set([
      ...settingFlags,
      ...COMMON_FLAGS,
      ...rows.flatMap(({ params }) => params.map(({ name }) => name)),
      ...foreign,
    ])
    const quotes = quotesOf(text).filter((quote) => /^--[a-z]/.test(quote))
    const unknown = flagsOf(quotes).filter((flag) => !own.has(flag) && !isOfTool(flag))
    expect(unknown).toEqual([])
    const variables = [...text.matchAll(/\bRINGBOOK_[A-Z_]*[A-Z]\b/g)].map(([name]) => name)
    const isThere = (name: string) =>
      settingFlags.includes(name.replace('RINGBOOK_', '').toLowerCase().replaceAll('_', '-')) ||
      sources.includes(name)
    expect(variables.filter((name) => !isThere(name))).toEqual([])
  })

  test('names files that there are', () => {
    const isFile = (name: string) => files.some((it) => it === name || it.startsWith(`${name}/`))
    expect(pathsOf(text).filter((name) => !isFile(name))).toEqual([])
  })
})

/** All hand-written files of code, and of settings of other programs, in one text. */
const sources = files
  .filter((file) => /\.(tsx?|mjs|json|toml|sh|py|cpp|h|css|conf|cfg|yml|env)$/.test(file))
  .map(read)
  .join('\n')

/** Tools in the order of the scripts; each prints its flags. */
const tools = Object.keys(scripts).filter((name) =>
  /^node dist\/(scripts|bench|test)\/(?!generate|bench\/main)/.test(scripts[name]!),
)
const isOfTool = (flag: string): boolean =>
  tools.some((tool) => tool !== 'bench' && helpOf(tool, '').includes(`--${flag} `)) ||
  sources.includes(`--${flag}`)

test('code, its comments and types name pages that there are', () => {
  const code = files.filter((file) => /\.(tsx?|mjs|cjs|py|sh|cpp|h|toml|yml|service)$/.test(file))
  const named = code.flatMap((file) =>
    [
      ...read(file).matchAll(/(?<![\w./-])(?:docs\/[\w./-]*\w\.md|examples\/[\w./-]*\w\.\w+)\b/g),
    ].map(([name]) => [file, name] as const),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(([, name]) => !files.includes(name))).toEqual([])
})

test('each alert says what an operator does', () => {
  const namesIn = (file: string, pattern: RegExp) =>
    [...new Set(Array.from(read(file).matchAll(pattern), ([, name]) => name))].sort()
  const rows = namesIn('docs/watch.md', /^\| `(Ringbook\w+)` \|/gm)
  expect(rows).toEqual(namesIn('scripts/deploy/alerts.yml', /alert: (\w+)/g))
})

test('each error code says what a client does', () => {
  expect(
    Object.keys(errorAdvice)
      .map(Number)
      .sort((a, b) => b - a),
  ).toEqual(errorCodes)
})
