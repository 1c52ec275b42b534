/**
 * The file of alert targets (`--alerts`). It names programs that the exchange starts, so it belongs to the
 * process's user and no other user may write to it.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import type { Table } from '../../base/cold-input.ts'
import { StartError } from '../../base/start-error.ts'
import { ConfigError, readTables } from '../../config/config.ts'
import { TableReader } from '../../config/table-reader.ts'
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

/** Throws StartError with one sentence. */
export function readAlertFile(file: string): AlertTargets {
  const values = new TableReader(file, tableOf(file), (_, why) => {
    return new StartError(`In ${file}, ${why}.`)
  })
  const targets = {
    webhooks: values.list('webhooks', isWebhook, 'http or https URLs'),
    commands: values.list(
      'commands',
      isCommand,
      `lists of an absolute path and at most ${WORDS_MAX} arguments`,
    ),
    severities: values.list('severities', isSeverity, `of ${severities.join(' and ')}`, severities),
    off: values.list('off', isAlert, 'names of alerts'),
  }
  values.end()
  const count = targets.webhooks.length + targets.commands.length
  if (count === 0 || count > TARGETS_MAX) {
    values.refuse(`there must be 1 to ${TARGETS_MAX} webhooks and commands`)
  }
  return targets
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0')

function isWebhook(value: unknown): value is string {
  const url = isWord(value) && URL.canParse(value) ? new URL(value) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}

function isCommand(value: unknown): value is string[] {
  if (!Array.isArray(value) || !value.every(isWord)) return false
  const [program = '', ...words] = value
  return path.isAbsolute(program) && words.length <= WORDS_MAX
}

const isSeverity = (value: unknown): value is Severity =>
  (severities as readonly unknown[]).includes(value)
const isAlert = (value: unknown): value is string => alerts.some(({ name }) => name === value)

function tableOf(file: string): Table {
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
