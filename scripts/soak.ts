/**
 * `npm run soak -- --hours 8 [--rate 20]`: hours of ordinary use of a separate exchange
 * (soak/soak.ts), with a sample of memory, handles and files now and then. It ends with slopes per hour
 * against their bounds, as one line of JSON, and a plot; Ctrl-C ends it early. Samples stay in its folder
 * as lines of JSON: `--evaluate FOLDER` evaluates those of a run that was cut. Exit code 1 when a bound is
 * broken or anything acknowledged is lost.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeFolders } from '../src/journal/environment.ts'
import { keepRun } from './benchmarks/kept-runs.ts'
import { checkWritable, readFlags, runTool, wholeNumber } from './command-line/tool.ts'
import { SEED_FLAG, seedOf } from './command-line/trial.ts'
import { UsageError } from './command-line/usage-error.ts'
import { pictureOf } from './soak/picture.ts'
import { keptOf, readReport, textOf } from './soak/report.ts'
import { SAMPLES, Soak } from './soak/soak.ts'

const KEPT_PICTURE = 'docs/pictures/soak.svg'
const RATE_MAX = 100
/** Size of the small disk: the reserve and a start; then for each request for an order a second in an hour. */
const DISK_MIB = 1_536
const DISK_MIB_PER_ORDER_HOUR = 20

const tool = {
  name: 'soak',
  about: 'Uses an exchange for hours, and holds the growth of memory, handles and files to bounds.',
  flags: {
    hours: { value: 'N', about: 'How long; 0.1 is six minutes', default: '1' },
    rate: { value: 'N', about: `Requests for orders a second, at most ${RATE_MAX}`, default: '20' },
    folder: {
      value: 'FOLDER',
      about: 'For samples, log, plot and backups; a temporary one without it',
    },
    data: { value: 'FOLDER', about: 'A new data folder; on a small disk of its own without it' },
    'disk-mb': {
      value: 'N',
      about:
        'Size of the small disk, a tmpfs, which takes root; 0 for none; else by hours and rate',
    },
    seed: SEED_FLAG,
    evaluate: { value: 'FOLDER', about: 'Evaluates the samples of an earlier run instead' },
    keep: { about: 'Keeps the result in bench/kept and the plot in docs/pictures' },
  },
} as const

async function run(args: string[]): Promise<boolean> {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const isKept = values.keep !== undefined
  if (values.evaluate !== undefined) return evaluate(values.evaluate, isKept)
  const hours = Number(values.hours)
  if (!(hours > 0)) throw new UsageError(`--hours must be above 0; it is ${values.hours}.`)
  const rate = wholeNumber('rate', values.rate)
  if (rate > RATE_MAX) throw new UsageError(`--rate must be at most ${RATE_MAX}; it is ${rate}.`)
  const seed = seedOf(values.seed)
  const usualMib = Math.ceil(DISK_MIB + DISK_MIB_PER_ORDER_HOUR * rate * hours)
  const diskMib = wholeNumber('disk-mb', values['disk-mb'] ?? String(usualMib), 0)
  const folder = folderOf(values.folder)
  process.stdout.write(`seed ${seed}, ${hours} h, ${rate} a second, ${folder}\n`)
  const aborting = new AbortController()
  process.once('SIGINT', () => {
    process.stdout.write('It ends early.\n')
    aborting.abort()
  })
  const soak = new Soak({
    hours,
    rate,
    seed,
    folder,
    diskMib,
    data: values.data === undefined ? undefined : path.resolve(values.data),
    said: (sentence) => process.stdout.write(`${sentence}\n`),
    aborted: aborting.signal,
  })
  await soak.run()
  return evaluate(folder, isKept)
}

function folderOf(given: string | undefined): string {
  if (given === undefined) return fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-soak-'))
  const folder = path.resolve(given)
  makeFolders(folder)
  checkWritable('folder', folder)
  if (fs.existsSync(path.join(folder, SAMPLES))) {
    throw new UsageError(`${given} has a run already; --evaluate evaluates it.`)
  }
  return folder
}

function evaluate(folder: string, isKept: boolean): boolean {
  const file = path.join(folder, SAMPLES)
  if (!fs.existsSync(file)) throw new UsageError(`${folder} has no ${SAMPLES}.`)
  const { log, report } = readReport(file)
  const picture = path.join(folder, 'soak.svg')
  fs.writeFileSync(picture, pictureOf(log))
  if (isKept) {
    keepRun(
      'soak',
      ['--hours', String(report.hours), '--rate', String(report.rate)],
      keptOf(report),
    )
    fs.copyFileSync(picture, KEPT_PICTURE)
  }
  process.stdout.write(`${textOf(report)}${picture}\n${JSON.stringify(report)}\n`)
  return report.isWell
}

await runTool(run)
