/** Actions that ask no running exchange: they print, or make files and folders. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { didYouMean } from '../base/cold-input.ts'
import { PACKAGE_FOLDER } from '../base/package-folder.ts'
import { helpText } from '../config/config.ts'
import { ActionError, type ActionRow } from '../control/action.ts'
import { actions } from '../control/commands.ts'
import { counted } from '../control/words.ts'
import type { BackupManifest } from '../journal/backup.ts'
import { inUseText, lockFolder } from '../journal/folder-lock.ts'
import { restoreBackup } from '../journal/restore.ts'
import { completionFor } from './completion.ts'
import { actionHelp, actionsHelp, type DescribedAction } from './help.ts'
import { initQuestions, initVenue } from './init.ts'
import { ownCommand } from './invocation.ts'
import type { LocalAction } from './local-action.ts'
import { quorumTrim } from './quorum-trim.ts'
import { salvage } from './salvage.ts'
import type { Terminal } from './terminal.ts'

const PROGRESS_MS = 100

export const localActions: readonly LocalAction[] = [
  {
    name: 'init',
    group: 'market',
    example: 'init venue.toml --symbols BTC/USDT,ETH/USDT --accounts alice',
    about: 'Writes the file of a first venue: asks for what is not given, or takes the usual.',
    isImmediate: true,
    params: [
      { name: 'file', kind: 'text', about: 'The new file; venue.toml when left out.' },
      ...initQuestions.map(({ flag, question, usual }) => ({
        name: flag,
        kind: 'text' as const,
        about: `${question}; ${usual} when left out.`,
      })),
    ],
    run: (args, { terminal }) => {
      const file = args.has('file') ? args.text('file') : 'venue.toml'
      const given = initQuestions
        .filter(({ flag }) => args.has(flag))
        .map(({ flag }) => [flag, args.text(flag)] as const)
      return initVenue(file, new Map(given), terminal)
    },
  },
  {
    name: 'restore',
    group: 'exchange',
    example: 'restore /backups/monday --data ./data',
    about: 'Makes the data folder of a backup; it must be new, or empty except for its secret.key.',
    isImmediate: true,
    params: [{ name: 'backup', kind: 'text', about: 'Folder of the backup.', required: true }],
    run: (args, { data, terminal }) => {
      const { blocks, timeMs } = restoreInto(data, args.text('backup'), terminal)
      terminal?.showProgress('')
      const made = new Date(timeMs).toISOString()
      return `${data} is as it was at ${made}, with ${counted(blocks, 'block')}.\n`
    },
  },
  salvage,
  quorumTrim,
  {
    name: 'completion',
    group: 'operators',
    example: 'completion bash > /etc/bash_completion.d/ringbook',
    about: 'Prints what makes bash complete commands, flags and values.',
    isImmediate: true,
    params: [
      { name: 'shell', kind: 'text', about: 'The shell.', choices: ['bash'], required: true },
    ],
    run: (args) => completionFor(args.text('shell') as 'bash', describedActions()),
  },
  {
    name: 'python-path',
    group: 'sandbox',
    example: 'python-path',
    about:
      'Prints the folder of ringbook_venue.py, for PYTHONPATH: an exchange in tests in Python.',
    isImmediate: true,
    params: [],
    run: () => `${path.join(PACKAGE_FOLDER, 'examples/embedded')}\n`,
  },
  {
    name: 'help',
    group: 'operators',
    example: 'help orders',
    about: 'Explains one command, or lists all.',
    isImmediate: true,
    params: [{ name: 'command', kind: 'text', about: 'One command; all without it.' }],
    run: (args, { paint }) => {
      if (!args.has('command')) return actionsHelp(describedActions(), ownCommand(), paint)
      if (args.text('command') === 'start') return helpText()
      return actionHelp(findAction(args.text('command')), paint)
    },
  },
]

/** Restores while no exchange runs on the folder. Throws ActionError and StorageError. */
function restoreInto(data: string, backup: string, terminal: Terminal | undefined): BackupManifest {
  const copied = progressOf(terminal)
  if (process.platform !== 'linux' || !existsSync(data)) return restoreBackup(backup, data, copied)
  const lock = lockFolder(data)
  try {
    if (lock.isTaken) throw new ActionError(inUseText(data))
    return restoreBackup(backup, data, copied)
  } finally {
    lock.close()
  }
}

/** Shows a terminal how far the copying is. */
function progressOf(terminal: Terminal | undefined) {
  const beganMs = performance.now()
  let shownMs = beganMs
  return (bytes: number, ofAll: number): void => {
    const nowMs = performance.now()
    if (terminal === undefined || nowMs - shownMs < PROGRESS_MS) return
    shownMs = nowMs
    const seconds = (nowMs - beganMs) / 1_000
    const rate = Math.round(bytes / seconds / 1e6)
    const left = Math.ceil((seconds / bytes) * (ofAll - bytes))
    terminal.showProgress(
      `${Math.floor((100 * bytes) / ofAll)} %, ${rate} MB a second, ${left} seconds left`,
    )
  }
}

export const describedActions = (): readonly DescribedAction[] => [...actions, ...localActions]

/** Throws ActionError when there is no such action. */
export function findAction(name: string): ActionRow | LocalAction {
  const all = [...actions, ...localActions]
  const found = all.find((row) => row.name === name)
  if (found !== undefined) return found
  const hint = didYouMean(name, [...all.map((row) => row.name), 'start']) || ' See ringbook help.'
  throw new ActionError(`Unknown command "${name}".${hint}`)
}
