/**
 * `npm run verify-journal -- --data DIR`: whether a data folder, a backup or a saved state is whole and sound
 * (audit/verify-folder.ts). Takes the settings of the exchange that runs on it. Exit code 0 when all
 * is well, 1 when something is wrong, 2 when it could not be found out.
 */
import { readFileSync } from 'node:fs'
import { parseConfig } from '../src/config/config.ts'
import { verifyFolder } from './audit/verify-folder.ts'
import { Progress } from './command-line/progress.ts'

const WRONG = 1
const UNKNOWN = 2
const helpText = `Checks all files of a data folder that no exchange runs on, of a backup, or of a saved state.

Usage: npm run verify-journal -- --data FOLDER [flags]

Takes the settings of the exchange (npm start -- --help), and goes by --data, --accounts,
--orders-per-symbol and --config.

Exit code 0: all is well. 1: something is wrong. 2: it could not be found out.
`

async function verify(argv: readonly string[]): Promise<number> {
  const { asked, config } = parseConfig(argv, process.env, (path) => readFileSync(path, 'utf8'))
  if (asked !== undefined) {
    process.stdout.write(helpText)
    return 0
  }
  let progress: Progress | undefined
  const { lines, findings, notes } = await verifyFolder({
    folder: config.data,
    accountsMax: config.accounts,
    ordersMax: config.ordersPerSymbol,
    begun: (blocks) => {
      progress = new Progress('blocks', 2 * blocks)
    },
    advanced: () => progress?.advance(1),
  })
  progress?.end()
  const isWell = findings.length === 0
  const end = notes.length === 0 ? ['All is well.'] : [...notes, 'All else is well.']
  process.stdout.write(`${[...lines, ...(isWell ? end : findings)].join('\n')}\n`)
  return isWell ? 0 : WRONG
}

try {
  process.exitCode = await verify(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = UNKNOWN
}
