/**
 * `npm run export -- --data DIR --what orders|trades|allocations|block-trades|ledger --format csv|jsonl --out FILE`: everything
 * that ever happened, from the journals (audit/export-rows.ts). Exit code 0 once the file is whole,
 * else 1 and one sentence.
 */
import { openDataFolder } from './audit/data-folder.ts'
import { exports } from './audit/export-rows.ts'
import { checkpointedBlocks } from './audit/left-journal.ts'
import { type Format, writeTable } from './audit/table-file.ts'
import { Progress } from './command-line/progress.ts'
import { oneOf, readFlags } from './command-line/tool.ts'
import { UsageError } from './command-line/usage-error.ts'

const formats: readonly Format[] = ['csv', 'jsonl']
const tables = Object.keys(exports)
const tool = {
  name: 'export',
  about: 'Writes everything that ever happened to a file, from the journals of a data folder.',
  flags: {
    data: { value: 'FOLDER', about: 'That no exchange runs on', default: './data' },
    what: { value: 'TABLE', about: `One of ${tables.join(', ')}` },
    format: { value: 'NAME', about: `One of ${formats.join(', ')}`, default: 'csv' },
    out: { value: 'FILE', about: 'Where it is written' },
  },
} as const

async function run(args: string[]): Promise<void> {
  const values = readFlags(tool, args)
  if (values === undefined) return
  const wanted = exports[oneOf('what', values.what ?? '', tables)]!
  const format = oneOf('format', values.format, formats)
  if (values.out === undefined) throw new UsageError('--out must name a file.')
  const data = await openDataFolder(values.data)
  const blocks = [...checkpointedBlocks(values.data).values()].reduce(
    (sum, count) => sum + count,
    0,
  )
  const progress = new Progress('blocks', blocks)
  const rows = wanted.rows(data, () => progress.advance(1))
  const count = writeTable(values.out, format, wanted.columns, rows)
  progress.end()
  process.stdout.write(`${count} rows in ${values.out}\n`)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
