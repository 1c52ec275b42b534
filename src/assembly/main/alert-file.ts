/**
 * The file of alert targets (`--alerts`). It names programs that the exchange starts, so it belongs to the
 * process's user and no other user may write to it.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { StartError } from '../../base/start-error.ts'
import { ConfigError, readTables } from '../../config/config.ts'
import { alerts, type Severity, severities } from '../../telemetry/alerts.ts'

export interface AlertTargets {
  readonly webhooks: readonly string[]
  /** Each a program by its absolute path, and its arguments. */
  readonly commands: readonly (readonly string[])[]
  /** Severities that are sent. */
  readonly severities: readonly Severity[]
  /** Names of alerts that are not. */
  readonly off: readonly string[]
}

export const TARGETS_MAX = 8
const BYTES_MAX = 64 * 1_024
const WORDS_MAX = 32
/** Rights of group and others to write. */
const WRITABLE = 0o022
const KEYS = ['webhooks', 'commands', 'severities', 'off']

/** Throws StartError with one sentence. */
export function readAlertFile(file: string): AlertTargets {
  const table = tableOf(file)
  const fail = (what: string): never => {
    throw new StartError(`${what} in ${file}.`)
  }
  for (const key of Object.keys(table)) {
    if (!KEYS.includes(key)) fail(`${key} is none of ${KEYS.join(', ')}`)
  }
  const { webhooks = [], commands = [], severities: wanted = severities, off = [] } = table
  const isWords = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((it) => typeof it === 'string' && !it.includes('\0'))
  if (!isWords(webhooks) || !webhooks.every(isWebhook)) fail('webhooks must be http or https URLs')
  if (!Array.isArray(commands) || !commands.every((it) => isWords(it) && isCommand(it))) {
    fail(`commands must be lists of an absolute path and at most ${WORDS_MAX} arguments`)
  }
  if (!isWords(wanted) || !wanted.every((it) => (severities as readonly string[]).includes(it))) {
    fail(`severities must be of ${severities.join(' and ')}`)
  }
  if (!isWords(off) || !off.every((name) => alerts.some((row) => row.name === name))) {
    fail('off must be names of alerts')
  }
  const targets = { webhooks, commands, severities: wanted, off } as AlertTargets
  const count = targets.webhooks.length + targets.commands.length
  if (count === 0 || count > TARGETS_MAX) fail(`1 to ${TARGETS_MAX} webhooks and commands must be`)
  return targets
}

function isWebhook(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}

const isCommand = ([program = '', ...words]: readonly string[]): boolean =>
  path.isAbsolute(program) && words.length <= WORDS_MAX

function tableOf(file: string): Record<string, unknown> {
  try {
    return readTables(`file ${file}`, () => ownText(file))
  } catch (error) {
    throw error instanceof ConfigError ? new StartError(error.message) : error
  }
}

/** The open file is judged, not its name: another file may have the name a moment later. */
function ownText(file: string): string {
  // A pipe would block the process.
  const open = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  try {
    const { uid, mode, size } = fs.fstatSync(open)
    const fault = (what: string) => new StartError(`The file ${file} ${what}.`)
    if (!fs.fstatSync(open).isFile()) throw fault('is no file')
    if (uid !== process.geteuid?.()) throw fault("must belong to the exchange's user")
    if ((mode & WRITABLE) !== 0) throw fault('can be written by others: chmod go-w')
    if (size > BYTES_MAX) throw fault(`has more than ${BYTES_MAX} bytes`)
    return fs.readFileSync(open, 'utf8')
  } finally {
    fs.closeSync(open)
  }
}

/** States where alerts go. */
export const targetsText = ({ webhooks, commands }: AlertTargets): string =>
  `Alerts go to ${webhooks.length} webhooks and ${commands.length} commands.`
