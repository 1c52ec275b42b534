/**
 * `npm run verify-journal -- --data DIR`: whether a data folder's journals are whole and sound
 * (audit/journal-audit.ts). Takes the settings of the exchange that runs on it. Exit code 0 when all
 * is well, 1 when something is wrong, 2 when it could not be found out.
 */
import { readFileSync } from 'node:fs'
import { parseConfig } from '../src/config/config.ts'
import { openDataFolder } from './audit/data-folder.ts'
import { type AuditReport, auditJournals } from './audit/journal-audit.ts'
import { checkpointedBlocks } from './audit/left-journal.ts'
import { Progress } from './command-line/progress.ts'

const WRONG = 1
const UNKNOWN = 2
const helpText = `Checks the journals and snapshots of a data folder that no exchange runs on.

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
  const data = await openDataFolder(config.data)
  const blocks = [...checkpointedBlocks(config.data).values()].reduce(
    (sum, count) => sum + count,
    0,
  )
  const progress = new Progress('blocks', 2 * blocks)
  const report = auditJournals({
    data,
    accountsMax: config.accounts,
    ordersMax: config.ordersPerSymbol,
    advanced: () => progress.advance(1),
  })
  progress.end()
  process.stdout.write(textOf(report))
  return report.findings.length === 0 ? 0 : WRONG
}

function textOf({ journals, events, hash, snapshots, findings }: AuditReport): string {
  const lines = journals.map(
    ({ matcher, blocks, checkpointed, records }) =>
      `journal-${matcher}: ${blocks} whole blocks (${Math.max(0, blocks - checkpointed)} of them ` +
      `only in the write-ahead log), ${records} events`,
  )
  if (findings.length === 0) {
    lines.push(
      `${events} events applied, state hash ${hash}, deposits are balances and commissions`,
    )
    lines.push(`snapshots that agree: ${snapshots.join(', ') || 'there are none'}`)
    lines.push('All is well.')
  } else lines.push(...findings)
  return `${lines.join('\n')}\n`
}

try {
  process.exitCode = await verify(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = UNKNOWN
}
