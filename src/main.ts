/** Settings → exchange → signals. What goes wrong before "started" is one sentence and exit code 1. */
import { readFileSync } from 'node:fs'
import { parseConfig } from './config.ts'

/** Errors that are the operator's to mend; anything else is a defect and keeps its stack. */
const OPERATING_ERRORS = [
  'ConfigError',
  'StartError',
  'VaultError',
  'StorageError',
  'JournalDamage',
]

function fail(error: unknown): never {
  const { name, message, stack } = error as Error
  process.stderr.write(`${OPERATING_ERRORS.includes(name) ? message : stack}\n`)
  process.exit(1)
}

try {
  const { help, config } = parseConfig(process.argv.slice(2), process.env, (path) =>
    readFileSync(path, 'utf8'),
  )
  if (help !== undefined) process.stdout.write(help)
  else await (await import('#threads/run.ts')).run(config)
} catch (error) {
  fail(error)
}
