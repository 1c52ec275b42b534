/**
 * The command line of operators' actions: `ringbook ACTION arguments`, a client of the running exchange's admin server.
 * Arguments are `--name value`, or values alone in the order of the action's parameters; `@path` stands
 * for the content of a file.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { readInput } from '../base/cold-input.ts'
import { fileFault } from '../base/file-fault.ts'
import { type CommandLine, type Grammar, glance, readCommandLine } from '../config/command-line.ts'
import { type Setting, settings } from '../config/settings.ts'
import {
  type ActionAnswer,
  ActionError,
  type ActionRow,
  Arguments,
  previewText,
} from '../control/action.ts'
import type { ActionPreview } from '../control/listed-action.ts'
import { readToken } from '../control/token.ts'
import { counted, ordinal } from '../control/words.ts'
import { StorageError } from '../journal/environment.ts'
import { actionText, type Format, formats } from './action-text.ts'
import { actionHelp, SWITCH_PARAMS } from './help.ts'
import { InitError } from './init.ts'
import type { LocalAction } from './local-action.ts'
import { describedActions, findAction } from './local-actions.ts'
import { type Paint, plain } from './paint.ts'
import type { Terminal } from './terminal.ts'

/** Flags that name the exchange that is asked; settings read them. No action has a parameter of these names. */
export const WHERE_FLAGS: readonly string[] = ['data', 'admin-port', 'config']

/** Names the file of an operator's token; without it the data folder's token is used. */
const TOKEN_FLAG = 'token-file'
/** Flags that are no arguments of an action. */
const OWN_FLAGS = [...WHERE_FLAGS, TOKEN_FLAG, 'output']
const OPTIONAL = ['watch']
const SHORT = { o: 'output' }
/** Switches of every action. */
const SWITCHES = ['json', 'help', 'yes', 'dry-run']
/** Flags of every action's line. */
export const COMMON_FLAGS: readonly string[] = [...OWN_FLAGS, ...OPTIONAL, ...SWITCHES]

/** Returns the word that names the action or `start`, and the flags before and behind it that name an exchange. */
export function glanceAt(words: readonly string[]) {
  const params = describedActions().flatMap((row) => row.params.map(({ name }) => name))
  const settingFlags = Object.values<Setting>(settings).map(({ flag }) => flag)
  const valued = [...OWN_FLAGS, ...settingFlags, ...params]
  const flags = valued.filter((name) => !SWITCH_PARAMS.includes(name))
  return glance(words, { flags, short: SHORT })
}

/** Whether a line is of an action. A line of settings may have a word where a flag is misspelled. */
export const isAction = ([first = '']: readonly string[], word: string): boolean =>
  !first.startsWith('-') || word === 'venue' || describedActions().some(({ name }) => name === word)

/** With the flags of this action alone, so that a wrong one is found, and the nearest is named. */
function grammarOf({ params }: ActionRow | LocalAction): Grammar {
  const names = params.map(({ name }) => name)
  return {
    flags: [...OWN_FLAGS, ...names.filter((name) => !SWITCH_PARAMS.includes(name))],
    switches: [...SWITCHES, ...names.filter((name) => SWITCH_PARAMS.includes(name))],
    optional: OPTIONAL,
    short: SHORT,
    hasWords: true,
  }
}
const WATCH_SECONDS_MAX = 3_600
const PROGRESS_MS = 1_000

export interface ActionCall {
  /** The action's name first. */
  readonly words: readonly string[]
  /** Data folder of the running exchange. */
  readonly data: string
  readonly adminPort: number
  /** The process of the folder's exchange, where it was killed. */
  readonly killed?: number | undefined
  /** Plain when left out. */
  readonly paint?: Paint
  /** Whether the same call was printed before: CSV names its columns once. */
  readonly isRepeated?: boolean
}

export interface Printed {
  readonly text: string
  readonly code: 0 | 1
  /** For stderr, beside the text. */
  readonly note?: string
  /** The action is asked again after so many seconds. */
  readonly watchSeconds?: number
}

/** Why no request was sent: one sentence. */
class UsageError extends Error {}
/** Whose sentences are printed alone. */
const OPERATORS_ERRORS = [UsageError, StorageError, InitError, ActionError]

/**
 * Sends the action to the running exchange. Asks the terminal first before what cannot be undone. Returns
 * the text to print, on stderr when the code is 1.
 */
export async function callAction(call: ActionCall, terminal?: Terminal): Promise<Printed> {
  const { paint = plain } = call
  try {
    const row = actionOf(call.words)
    const read = readCommandLine(call.words, grammarOf(row), UsageError)
    const line = { ...read, words: withoutSpaces(read.words) }
    const [, ...words] = line.words
    if (line.switches.has('help')) return { text: actionHelp(row, paint), code: 0 }
    const given = readArguments(row, { ...line, words })
    const watchSeconds = watchOf(line, row)
    if (isLocal(row)) {
      const { data } = call
      if (line.switches.has('dry-run')) throw new UsageError(noDryRun(row))
      return {
        text: await row.run(new Arguments(row, given), { data, paint, terminal }),
        code: 0,
      }
    }
    const format = formatOf(line)
    const answer = await sendAction(call, row, { line, given, terminal })
    const watch = watchSeconds === undefined ? {} : { watchSeconds }
    return { ...actionText(answer, format, paint, call.isRepeated), ...watch, code: 0 }
  } catch (error) {
    if (OPERATORS_ERRORS.some((kind) => error instanceof kind)) {
      return { text: `${(error as Error).message}\n`, code: 1 }
    }
    throw error
  }
}

const isLocal = (row: ActionRow | LocalAction): row is LocalAction => !('role' in row)

/** Throws ActionError when the line names no action. */
function actionOf(words: readonly string[]): ActionRow | LocalAction {
  const { word = '' } = glanceAt(words)
  return findAction(word === 'venue' && words.includes('apply') ? 'venue-apply' : word)
}

const noDryRun = ({ name }: Pick<ActionRow, 'name'>): string =>
  `${name} has no dry run. Nothing was changed.`

/** `venue apply FILE` and `faults-apply FILE` are the actions with the file's text. */
function withoutSpaces(words: readonly string[]): readonly string[] {
  const isVenue = words[0] === 'venue' && words[1] === 'apply'
  if (!isVenue && words[0] !== 'faults-apply') return words
  const action = isVenue ? 'venue-apply' : 'faults-apply'
  const [file, ...more] = words.slice(isVenue ? 2 : 1)
  if (file === undefined) return [action]
  return [action, /^[@-]/.test(file) ? file : `@${file}`, ...more]
}

function formatOf({ flags, switches }: CommandLine): Format {
  const text = flags.get('output') ?? (switches.has('json') ? 'json' : 'table')
  return readInput({ kind: 'choice', choices: formats }, text, (must) => {
    throw new UsageError(`-o must be ${must}; it is ${text}.`)
  })
}

/** Returns the seconds between two rounds; undefined without `--watch`. */
function watchOf({ flags }: CommandLine, row: ActionRow | LocalAction): number | undefined {
  const text = flags.get('watch')
  if (text === undefined) return undefined
  if (isLocal(row) || row.role !== 'watch') {
    throw new UsageError(`--watch repeats commands that only read; ${row.name} is none.`)
  }
  if (text === '') return 1
  return readInput({ kind: 'integer', min: 1, max: WATCH_SECONDS_MAX }, text, (must) => {
    throw new UsageError(`--watch must be ${must}; it is ${text}.`)
  })
}

async function sendAction(
  call: ActionCall,
  row: ActionRow,
  how: {
    readonly line: CommandLine
    readonly given: Readonly<Record<string, string>>
    readonly terminal: Terminal | undefined
  },
): Promise<ActionAnswer> {
  const { line, given, terminal } = how
  const asked = { ...call, tokenFile: line.flags.get(TOKEN_FLAG) }
  const isDry = line.switches.has('dry-run')
  if (isDry && row.previews === undefined) throw new UsageError(noDryRun(row))
  const asks = terminal !== undefined && row.previews !== undefined && !line.switches.has('yes')
  const preview = isDry || asks ? await previewOf(asked, row, given) : null
  if (isDry) return dryRun(preview)
  if (asks && preview !== null && !(await terminal.confirm(`${previewText(preview)} (yes/no) `))) {
    throw new UsageError('Nothing was changed.')
  }
  // Saying yes is what the parameter is for.
  const yes = asks && row.params.some(({ name }) => name === 'yes') ? { yes: 'on' } : {}
  const answer = ask(asked, row.name, { ...given, ...yes })
  if (terminal !== undefined && row.progressIn !== undefined) {
    await follow(row.progressIn, answer, asked, terminal)
  }
  return (await answer) as ActionAnswer
}

type Asked = Parameters<typeof ask>[0]

async function previewOf(
  asked: Asked,
  { name }: ActionRow,
  given: Readonly<Record<string, string>>,
) {
  const answer = await ask(asked, `${name}?preview`, given)
  return (answer as { preview: ActionPreview | null }).preview
}

/** Says what the action would do: "Would cancel …". */
function dryRun(preview: ActionPreview | null): ActionAnswer {
  if (preview === null) return { said: 'Dry run: nothing would change.', rows: [] }
  const { does, note, rows } = preview
  const would = `would ${does.charAt(0).toLowerCase()}${does.slice(1)}.`
  return { said: `Dry run, nothing was changed: ${would} ${note}`.trim(), rows }
}

/** Shows how far a long action is until it is done. */
async function follow(
  what: string,
  done: Promise<unknown>,
  asked: Asked,
  terminal: Terminal,
): Promise<void> {
  const ended = done.then(
    () => true,
    () => true,
  )
  const passed = () => pause(PROGRESS_MS, false, { ref: false })
  while (!(await Promise.race([ended, passed()]))) {
    const status = (await ask(asked, 'status', {}).catch(() => undefined)) as
      | ActionAnswer
      | undefined
    const row = status?.rows.find((it) => it.what === what)
    if (row !== undefined) terminal.showProgress(`${row.value} ${row.unit}`)
  }
  terminal.showProgress('')
}

/** How `fetch` names the end of a connection on which a request was sent. */
const CUT_OFF: readonly (string | undefined)[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']
/** An exchange that was killed is back by then, if something starts it again. */
const ASK_AGAIN_TIMES = 20
const ASK_AGAIN_MS = 250

/** Sends the request; after a lost answer again, with the same key: the action is carried out once. */
async function ask(
  call: ActionCall & { readonly tokenFile: string | undefined },
  path: string,
  given: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { adminPort, killed } = call
  if (killed !== undefined) throw new UsageError(killedText(call.data, killed))
  const request = {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokenFor(call)}`,
      Connection: 'close',
      'Idempotency-Key': randomUUID(),
    },
    body: JSON.stringify(given),
  }
  for (let sent = 0, isLost = false; ; sent++) {
    try {
      const response = await fetch(`http://127.0.0.1:${adminPort}/actions/${path}`, request)
      const answer = await response.json()
      if (response.ok) return answer
      throw new UsageError((answer as { error: string }).error)
    } catch (error) {
      if (error instanceof UsageError) throw error
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
      isLost ||= CUT_OFF.includes(code)
      if (!isLost) throw new UsageError(noExchange(adminPort))
      if (sent === ASK_AGAIN_TIMES) throw new UsageError(LOST)
      await pause(ASK_AGAIN_MS)
    }
  }
}

const LOST = 'The exchange ended before it answered, so it may have done it or not.'
const killedText = (data: string, processId: number): string =>
  `No exchange runs on ${data}: its process ${processId} was killed. Start it again, or pass --admin-port.`
const noExchange = (port: number): string =>
  `No exchange answers on port ${port}. Start one (ringbook start) or pass --admin-port.`

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

/** The action's arguments, by the names of its parameters. */
function readArguments(
  row: ActionRow | LocalAction,
  { flags, words, switches }: CommandLine,
): Record<string, string> {
  const own = [...flags].filter(([name]) => ![...OWN_FLAGS, ...OPTIONAL].includes(name))
  const given = Object.fromEntries(own.map(([name, value]) => [name, fileOr(value)]))
  for (const { name } of row.params) if (switches.has(name)) given[name] = 'on'
  const placed = row.params.filter(({ name }) => !SWITCH_PARAMS.includes(name))
  const open = placed.filter(({ name }) => given[name] === undefined)
  if (words.length > open.length) {
    throw new UsageError(surplus({ name: row.name, params: placed }, given, words[open.length]!))
  }
  words.forEach((value, index) => {
    given[open[index]!.name] = fileOr(value)
  })
  return given
}

function surplus(
  { name, params }: Pick<ActionRow, 'name' | 'params'>,
  given: object,
  word: string,
): string {
  if (params.length === 0) return `${name} takes no arguments; "${word}" is one.`
  const takes = `${name} takes ${counted(params.length, 'argument')}`
  const position = params.length + 1
  return Object.keys(given).length === 0
    ? `${takes}; "${word}" is a ${ordinal(position)}.`
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
