#!/usr/bin/env node
import { readFileSync } from 'node:fs'
/**
 * `start`, or flags alone: settings → exchange → signals. What goes wrong before "started" is one sentence
 * and exit code 1. With the name of an operator's action: asks the exchange that runs, and ends. Alone: says
 * what it can do.
 */
import { RealTime } from './base/real-time.ts'
import { type ConfigResult, helpText, parseConfig } from './config/config.ts'
import { settings as settingsTable } from './config/settings.ts'
import { readVersion } from './config/version.ts'

/** Errors that are the operator's to mend; anything else is a defect and keeps its stack. */
const OPERATING_ERRORS = [
  'ConfigError',
  'PlanError',
  'StartError',
  'VaultError',
  'TokenError',
  'ListenError',
  'StorageError',
  'JournalDamage',
  'LayoutError',
]

function fail(error: unknown): never {
  const { name, message, stack } = error as Error
  process.stderr.write(`${OPERATING_ERRORS.includes(name) ? message : stack}\n`)
  process.exit(1)
}

const settings = (argv: readonly string[]): ConfigResult =>
  parseConfig(argv, process.env, (path) => readFileSync(path, 'utf8'))

async function act(argv: readonly string[], flags: ReadonlyMap<string, string>): Promise<void> {
  const { WHERE_FLAGS } = await import('./cli/cli.ts')
  const { processScreen } = await import('./cli/process-screen.ts')
  const { showAction } = await import('./cli/watch.ts')
  const { terminalOf } = await import('./cli/terminal.ts')
  const { paintFor } = await import('./cli/paint.ts')
  const where = [...flags].filter(([name]) => WHERE_FLAGS.includes(name))
  const { config, warnings } = settings(where.map(([name, value]) => `--${name}=${value}`))
  for (const warning of warnings ?? []) process.stderr.write(`${warning}\n`)
  const { adminAddress } = await import('./control/admin-address.ts')
  const { data } = config!
  const isGiven = flags.has('admin-port') || config!.adminPort !== settingsTable.adminPort.default
  const { port: adminPort, killed } = adminAddress(data, isGiven ? config!.adminPort : undefined)
  const call = { words: argv, data, adminPort, killed, paint: paintFor(process.stdout) }
  process.exitCode = await showAction(call, terminalOf(process), processScreen(process))
}

async function start(argv: readonly string[]): Promise<void> {
  const { asked, config, file, warnings } = settings(argv)
  if (asked !== undefined) {
    process.stdout.write(asked === 'help' ? helpText() : `ringbook ${readVersion()}\n`)
    return
  }
  // uWebSockets.js reads it once, when the first thread loads it.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(config.headerBytes)
  const { ownCommand } = await import('./cli/invocation.ts')
  const about = { version: readVersion(), command: ownCommand() }
  const { run } =
    config.clock === 'virtual'
      ? await import('./assembly/run-virtually.ts')
      : await import('./assembly/run.ts')
  const readAgain = file === undefined ? undefined : () => settings(argv).config!
  await run({ config, readAgain, time: new RealTime(), warnings, ...about })
}

async function startOrAct(argv: readonly string[]): Promise<void> {
  const { glanceAt, isAction } = await import('./cli/cli.ts')
  const { word, flags } = glanceAt(argv)
  const asksHelp = word === undefined && (argv.length === 0 || argv.includes('--help'))
  if (asksHelp) await act(['help'], flags)
  else if (word === 'start') await start(argv.toSpliced(argv.indexOf('start'), 1))
  else if (word === undefined || !isAction(argv, word)) await start(argv)
  else await act(argv, flags)
}

try {
  const argv = process.argv.slice(2)
  // Loads no actions: they take 30 ms.
  if (argv[0] === 'start') await start(argv.slice(1))
  else await startOrAct(argv)
} catch (error) {
  fail(error)
}
