/**
 * The command line of operators' acts: `ringbook ACT arguments`, a client of the running exchange's door.
 * Arguments are `--name value`, or values alone in the order of the act's parameters; `@path` stands
 * for the content of a file. Prints a table, or with `--json` the door's response.
 */
import { readFileSync } from 'node:fs'
import { fileFault } from '../base/file-fault.ts'
import { type CommandLine, type Grammar, readCommandLine } from '../command-line.ts'
import { restoreBackup } from '../journal/backup.ts'
import { StorageError } from '../journal/environment.ts'
import type { ActParam, ActRow, TableRow } from './act.ts'
import type { ActAnswer } from './command-executor.ts'
import { actNamed, acts } from './commands.ts'
import { InitError, initQuestions, initVenue } from './init.ts'
import type { Terminal } from './terminal.ts'
import { readToken } from './token.ts'
import { closest, counted, ordinal } from './words.ts'

/** Flags that name the exchange that is asked; settings read them. No act has a parameter of these names. */
export const WHERE_FLAGS: readonly string[] = ['data', 'admin-port', 'config']

export const actGrammar: Grammar = { switches: ['json', 'help', 'yes', 'dry-run'], hasWords: true }
/** Names the file of an operator's token; without it the data folder's token is used. */
const TOKEN_FLAG = 'token-file'

export interface ActCall {
  /** The act's name first. */
  readonly words: readonly string[]
  /** Of the running exchange. */
  readonly data: string
  readonly adminPort: number
}

export interface Printed {
  readonly text: string
  readonly code: 0 | 1
}

/** Why no request was sent: one sentence. */
class UsageError extends Error {}
/** Whose sentences are printed alone. */
const OPERATORS_ERRORS = [UsageError, StorageError, InitError]
const initGrammar: Grammar = {
  flags: initQuestions.map(({ flag }) => flag),
  switches: ['help'],
  hasWords: true,
}

/**
 * Sends the act to the running exchange. Asks the terminal first before what cannot be undone. Returns
 * the text to print, on stderr when the code is 1.
 */
export async function callAct(call: ActCall, terminal?: Terminal): Promise<Printed> {
  const [name = '', ...rest] = withoutSpaces(call.words)
  if (name === 'help') return { text: actsHelp(), code: 0 }
  const row = actNamed(name)
  try {
    if (name === 'init') return { text: await init(rest, terminal), code: 0 }
    if (name === 'restore') return { text: restore(rest, call.data), code: 0 }
    if (row === undefined) throw new UsageError(unknownAct(name))
    const line = readCommandLine(rest, actGrammar, UsageError)
    if (line.switches.has('help')) return { text: actHelp(row), code: 0 }
    const given = readArguments(row, line)
    const asked = { ...call, tokenFile: line.flags.get(TOKEN_FLAG) }
    if (terminal !== undefined && row.warns !== undefined && !line.switches.has('yes')) {
      const { warning } = (await ask(asked, `${name}?warning`, given)) as { warning: string | null }
      const isYes = warning === null || (await terminal.confirm(`${warning} Go on? (yes/no) `))
      if (!isYes) throw new UsageError('Nothing was changed.')
    }
    const answer = await ask(asked, name, given)
    const isJson = line.switches.has('json')
    return { text: isJson ? `${JSON.stringify(answer)}\n` : print(answer as ActAnswer), code: 0 }
  } catch (error) {
    if (OPERATORS_ERRORS.some((kind) => error instanceof kind)) {
      return { text: `${(error as Error).message}\n`, code: 1 }
    }
    throw error
  }
}

/** `venue apply FILE` is venue-apply with the file's text. */
function withoutSpaces(words: readonly string[]): readonly string[] {
  if (words[0] !== 'venue' || words[1] !== 'apply') return words
  const isFile = (word: string) => !word.startsWith('@') && !word.startsWith('-')
  const at = words.findIndex((word, index) => index > 1 && isFile(word) && !isValue(words, index))
  return ['venue-apply', ...words.slice(2).map((word, i) => (i + 2 === at ? `@${word}` : word))]
}

/** Whether the word belongs to the flag before it. */
function isValue(words: readonly string[], index: number): boolean {
  const before = words[index - 1] ?? ''
  const isFlag = before.startsWith('--') && !before.includes('=')
  return isFlag && !(actGrammar.switches ?? []).includes(before.slice(2))
}

async function init(args: readonly string[], terminal: Terminal | undefined): Promise<string> {
  const { words, flags, switches } = readCommandLine(args, initGrammar, UsageError)
  const [file = 'venue.toml', ...more] = words
  if (switches.has('help') || more.length > 0) {
    const usage = initQuestions.map(({ flag, usual }) => `[--${flag} ${usual}]`).join(' ')
    throw new UsageError(`Usage: ringbook init [FILE] ${usage}`)
  }
  return initVenue(file, flags, terminal)
}

/** Makes the data folder out of a backup; no exchange runs on it. Throws StorageError. */
function restore(args: readonly string[], data: string): string {
  const { words, switches } = readCommandLine(args, actGrammar, UsageError)
  const [backup, ...more] = words
  if (switches.has('help') || backup === undefined || more.length > 0) {
    throw new UsageError('Usage: ringbook restore BACKUP --data FOLDER (a new or empty folder)')
  }
  const { blocks, timeMs } = restoreBackup(backup, data)
  const made = new Date(timeMs).toISOString()
  return `${data} is as it was at ${made}, with ${counted(blocks, 'block')}.\n`
}

function unknownAct(name: string): string {
  const meant = closest(name, ['help', ...acts.map((row) => row.name)])
  const hint = meant === undefined ? 'see ringbook help' : `did you mean ${meant}?`
  return `There is no act ${name}; ${hint}${meant === undefined ? '.' : ''}`
}

async function ask(
  call: ActCall & { readonly tokenFile: string | undefined },
  path: string,
  given: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { adminPort } = call
  const token = tokenFor(call)
  let isRefused: boolean
  let answer: unknown
  try {
    const response = await fetch(`http://127.0.0.1:${adminPort}/acts/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
      body: JSON.stringify(given),
    })
    isRefused = !response.ok
    answer = await response.json()
  } catch {
    throw new UsageError(`No exchange answers on port ${adminPort} (--admin-port).`)
  }
  if (isRefused) throw new UsageError((answer as { error: string }).error)
  return answer
}

function tokenFor({ data, tokenFile }: { data: string; tokenFile: string | undefined }): string {
  if (tokenFile !== undefined) return fileOr(`@${tokenFile}`).trim()
  try {
    return readToken(data)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'it has never run an exchange' : 'its token cannot be read'
    throw new UsageError(`The data folder ${data} is not usable: ${why} (--data).`)
  }
}

/** The act's arguments, by the names of its parameters. */
function readArguments(
  row: ActRow,
  { flags, words, switches }: CommandLine,
): Record<string, string> {
  const own = [...flags].filter(([name]) => ![...WHERE_FLAGS, TOKEN_FLAG].includes(name))
  const given = Object.fromEntries(own.map(([name, value]) => [name, fileOr(value)]))
  for (const { name } of row.params) if (switches.has(name)) given[name] = 'on'
  const open = row.params.filter(({ name }) => given[name] === undefined)
  if (words.length > open.length) {
    throw new UsageError(surplus(row, given, words[open.length]!))
  }
  words.forEach((value, index) => {
    given[open[index]!.name] = fileOr(value)
  })
  return given
}

function surplus({ name, params }: ActRow, given: object, word: string): string {
  if (params.length === 0) return `${name} takes no arguments; "${word}" is one.`
  const takes = `${name} takes ${counted(params.length, 'argument')}`
  const place = params.length + 1
  return Object.keys(given).length === 0
    ? `${takes}; "${word}" is a ${ordinal(place)}.`
    : `${takes}, some of them given by name; "${word}" is one too many.`
}

function fileOr(value: string): string {
  if (!value.startsWith('@')) return value
  try {
    return readFileSync(value.slice(1), 'utf8')
  } catch (error) {
    throw new UsageError(`The file ${value.slice(1)} cannot be read: ${fileFault(error)}.`)
  }
}

function print({ said, rows }: ActAnswer): string {
  return rows.length === 0 ? `${said}\n` : `${said}\n\n${tableText(rows)}`
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/** Returns columns under their names; numbers are aligned right. */
function tableText(rows: readonly TableRow[]): string {
  const names = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => names.map((name) => String(row[name])))
  const lines = [names, names.map((name) => '-'.repeat(name.length)), ...cells]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const isNumeric = names.map((_, column) => cells.every((line) => NUMBER.test(line[column]!)))
  const padded = lines.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column]!
        return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
  return `${padded.join('\n')}\n`
}

const paramText = ({ name, required }: ActParam): string =>
  required ? `--${name} …` : `[--${name} …]`

function actsHelp(): string {
  const rows = acts.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`)
  return `Usage: ringbook ACT [arguments] [--json] [--data FOLDER] [--admin-port PORT]

Asks the exchange that runs on the data folder. Arguments are --name value, or values alone in their
order; @path stands for what a file holds. ringbook ACT --help tells more of one act.

${rows.join('\n')}
`
}

function actHelp({ name, about, isImmediate, params }: ActRow): string {
  const rows = params.map((param) => {
    const choices = param.choices === undefined ? '' : ` (${param.choices.join(' | ')})`
    return `  --${param.name.padEnd(18)} ${param.about}${choices}\n`
  })
  const when = isImmediate ? '' : ' It takes effect at the next start.'
  const usage = ['ringbook', name, ...params.map(paramText)].join(' ')
  return `${about}${when}\n\nUsage: ${usage}\n\n${rows.join('')}`
}
