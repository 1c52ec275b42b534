/**
 * `npm run record`: writes down what the built exchange answers to some thousands of requests, and what its
 * streams send, so that two builds can be compared. Two recordings of one build are alike.
 *
 *   npm run record -- --out FILE                      records this build
 *   npm run record -- --build FOLDER --out FILE       the same of the build in another working tree
 *   npm run record -- --out FILE --compare FILE       and compares it with an earlier recording
 *
 * Exit code 1 when a recording differs; the first differences are printed.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readFlags, runTool } from '../../scripts/command-line/tool.ts'
import { UsageError } from '../../scripts/command-line/usage-error.ts'
import { fileFault } from '../../src/base/file-fault.ts'
import { recordEveryOperation } from './every-operation.ts'
import { LIMIT_FLAGS, recordLimits } from './limits.ts'
import { recordSessions } from './sessions.ts'
import { Stage } from './stage.ts'
import { recordStreams } from './streams.ts'
import { recordTrading } from './trading.ts'

const SHOWN_MAX = 20

interface Part {
  readonly name: string
  readonly flags: readonly string[]
  readonly record: (stage: Stage) => Promise<void>
}

/**
 * Each on a separate exchange. With limits a client may send five frames in a second to streams, which the
 * machine's clock counts.
 */
const parts: readonly Part[] = [
  { name: 'operations', flags: [], record: recordEveryOperation },
  {
    name: 'unlimited',
    flags: ['--limits', 'off', '--cors-origins', 'https://page.example'],
    record: recordEveryOperation,
  },
  { name: 'trading', flags: ['--limits', 'off'], record: recordTrading },
  { name: 'sessions', flags: [], record: recordSessions },
  { name: 'limits', flags: LIMIT_FLAGS, record: recordLimits },
  { name: 'streams', flags: ['--limits', 'off'], record: recordStreams },
]

const tool = {
  name: 'record',
  about: 'Writes down what the built exchange answers, so that two builds can be compared.',
  flags: {
    out: { value: 'FILE', about: 'Where the recording is written' },
    build: { value: 'FOLDER', about: 'The working tree whose dist/ is recorded', default: '.' },
    compare: { value: 'FILE', about: 'An earlier recording that this one must be alike' },
    parts: {
      value: 'NAMES',
      about: 'What is recorded, with commas',
      default: parts.map(({ name }) => name).join(),
    },
  },
} as const

async function run(args: string[]): Promise<boolean> {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const { out, compare } = values
  if (out === undefined) throw new UsageError('--out must name a file.')
  const [outFile, before] = [path.resolve(out), compare && read(compare)]
  process.chdir(values.build)
  const wanted = values.parts.split(',')
  const lines: string[] = []
  for (const { name, flags, record } of parts.filter((part) => wanted.includes(part.name))) {
    lines.push(`## ${name}`)
    const stage = await Stage.open(flags, lines)
    try {
      await record(stage)
    } finally {
      await stage.close()
    }
    process.stderr.write(`${name}: ${lines.length} lines\n`)
  }
  const text = `${lines.join('\n')}\n`
  writeFileSync(outFile, text)
  const digest = createHash('sha256').update(text).digest('hex')
  process.stdout.write(`${lines.length} lines, ${text.length} characters, SHA-256 ${digest}\n`)
  return before === undefined || areAlike(before.split('\n'), text.split('\n'))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--compare: ${file} cannot be read: ${fileFault(error)}.`)
  }
}

/** Prints the first differences, with the request before each. */
function areAlike(before: readonly string[], now: readonly string[]): boolean {
  let differences = 0
  let request = ''
  for (let i = 0; i < Math.max(before.length, now.length); i++) {
    if (now[i]?.startsWith(' ') === false) request = now[i]!
    if (before[i] === now[i]) continue
    if (++differences > SHOWN_MAX) continue
    const text = `line ${i + 1}, of ${request}\n- ${before[i] ?? ''}\n+ ${now[i] ?? ''}\n`
    process.stdout.write(text)
  }
  const count = `${differences} lines differ`
  process.stdout.write(differences === 0 ? 'The recordings are alike.\n' : `${count}.\n`)
  return differences === 0
}

await runTool(run)
