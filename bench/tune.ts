/**
 * `npm run tune [-- --seconds 4 --gateways 1,2 --matchers 1,2 --commands 1000000 --durability flushed
 * --report tune.html --port 18500]`: measures this machine, then a short load at several combinations of gateways and
 * matchers, and prints which to use and why. Needs make and g++, for the load generator; the disk is that
 * of the temporary folder (TMPDIR). Takes some ten seconds for each combination, and the machine whole.
 */
import { spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checkWritable, oneOf, readFlags, runTool } from '../scripts/command-line/tool.ts'
import { UsageError } from '../scripts/command-line/usage-error.ts'
import { advise } from './tune/advice.ts'
import { type HostFigures, measureHost } from './tune/host.ts'
import { flagsOf, pageOf, type Tuning, textOf } from './tune/report.ts'
import { type Combination, combinationsFor, tryAll } from './tune/trials.ts'
import type { Durability } from './wire/server.ts'

interface Settings {
  readonly seconds: number
  readonly commands: number
  readonly port: number
  readonly durability: Durability
  readonly report: string
  /** Undefined: as many as fit the processors. */
  readonly gateways: readonly number[] | undefined
  readonly matchers: readonly number[] | undefined
}

const tool = {
  name: 'tune',
  about:
    'Measures this machine, then a short load, and says how many gateways and matchers to use.',
  flags: {
    seconds: { value: 'N', about: 'How long each combination is loaded', default: '4' },
    gateways: { value: 'N,N', about: 'How many to try; else what the processors have room for' },
    matchers: { value: 'N,N', about: 'How many to try; else what the processors have room for' },
    commands: { value: 'N', about: 'How many commands measure matching', default: '1000000' },
    durability: { value: 'HOW', about: 'One of flushed, committed', default: 'flushed' },
    report: { value: 'FILE', about: 'The HTML page with the plots', default: 'tune.html' },
    port: { value: 'N', about: 'A port that is free, as is the next', default: '18500' },
  },
} as const

const COUNTS = /^[1-9][0-9]?(,[1-9][0-9]?)*$/

/** Undefined when help was asked for. Throws UsageError. */
function settingsOf(args: string[]): Settings | undefined {
  const values = readFlags(tool, args)
  if (values === undefined) return undefined
  const durability = oneOf('durability', values.durability, ['flushed', 'committed'])
  const { report } = values
  const seconds = Number(values.seconds)
  if (!(seconds >= 1 && seconds <= 600)) throw new UsageError('--seconds must be 1 to 600.')
  const commands = Number(values.commands)
  if (!(Number.isInteger(commands) && commands >= 10_000 && commands <= 1_000_000)) {
    throw new UsageError('--commands must be 10000 to 1000000.')
  }
  const port = Number(values.port)
  if (!(Number.isInteger(port) && port >= 1024 && port < 65_535)) {
    throw new UsageError('--port must be 1024 to 65534.')
  }
  if (statSync(report, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--report must be a file; ${report} is a folder.`)
  }
  checkWritable('report', path.dirname(report))
  const counts = (name: 'gateways' | 'matchers') => {
    const text = values[name]
    if (text === undefined) return undefined
    if (!COUNTS.test(text)) throw new UsageError(`--${name} must be counts such as 1,2,4.`)
    return text.split(',').map(Number)
  }
  const workers = { gateways: counts('gateways'), matchers: counts('matchers') }
  return { seconds, commands, port, durability, report, ...workers }
}

/** What was asked for, the rest as the machine allows. */
function combinationsOf(settings: Settings, { processors }: HostFigures): readonly Combination[] {
  const usual = combinationsFor(processors)
  const { gateways, matchers } = settings
  if (gateways === undefined && matchers === undefined) return usual
  const of = (name: keyof Combination) => [...new Set(usual.map((it) => it[name]))]
  return (gateways ?? of('gateways')).flatMap((count) =>
    (matchers ?? of('matchers')).map((other) => ({ gateways: count, matchers: other })),
  )
}

async function tune(args: string[]): Promise<boolean> {
  const settings = settingsOf(args)
  if (settings === undefined) return true
  const { port, commands, durability, seconds, report } = settings
  for (const tool of ['make', 'g++']) {
    if (spawnSync(tool, ['--version']).status !== 0) {
      throw new UsageError(`The load generator is built with make and g++: ${tool} is not there.`)
    }
  }
  const say = (what: string) => process.stderr.write(`measuring ${what} …\n`)
  const began = new Date().toISOString()
  const host = await measureHost(port, commands, say)
  const combinations = combinationsOf(settings, host)
  const trials = await tryAll(combinations, { port, durability, seconds }, say)
  const tuning: Tuning = { host, trials, advice: advise(host, trials), durability, began }
  writeFileSync(report, pageOf(tuning))
  process.stdout.write(`${textOf(tuning)}\nPlots are in ${report}.\n`)
  const { advice, ...measured } = tuning
  process.stdout.write(`${JSON.stringify({ ...measured, use: flagsOf(advice) })}\n`)
  return true
}

await runTool(tune)
