/**
 * `npm run export -- --data DIR --what orders|trades|ledger --format csv|jsonl --out FILE`: everything
 * that ever happened, from the journals (audit/export-rows.ts). Exit code 0 once the file is whole,
 * else 1 and one sentence.
 */
import { parseArgs } from 'node:util'
import { openDataFolder, ScriptError } from './audit/data-folder.ts'
import { exports } from './audit/export-rows.ts'
import { carriedBlocks } from './audit/left-journal.ts'
import { Progress } from './audit/progress.ts'
import { type Format, writeTable } from './audit/table-file.ts'

const formats: readonly Format[] = ['csv', 'jsonl']

async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string', default: './data' },
      what: { type: 'string', default: '' },
      format: { type: 'string', default: 'csv' },
      out: { type: 'string', default: '' },
    },
  })
  const wanted = exports[values.what]
  const format = formats.find((it) => it === values.format)
  if (wanted === undefined) {
    throw new ScriptError(`--what must be one of ${Object.keys(exports).join(', ')}.`)
  }
  if (format === undefined) throw new ScriptError(`--format must be one of ${formats.join(', ')}.`)
  if (values.out === '') throw new ScriptError('--out must name a file.')
  const data = await openDataFolder(values.data)
  const blocks = [...carriedBlocks(values.data).values()].reduce((sum, count) => sum + count, 0)
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
