/**
 * `npm run load -- --keys FILE --scenario NAME --rate N`: loads an exchange that speaks this API and
 * checks its answers meanwhile (scripts/load/options.ts has the arguments). Exit code 0 when all checks
 * hold, 1 when one does not or a threshold is crossed, 2 when the load could not be carried out.
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileFault } from '../src/base/file-fault.ts'
import { makeFolders } from '../src/journal/environment.ts'
import { checkWritable } from './command-line/tool.ts'
import { UsageError } from './command-line/usage-error.ts'
import { ExchangeProcess } from './exchange/exchange-process.ts'
import { comparisonPageOf, comparisonText } from './load/comparison-page.ts'
import { Display, type Shown } from './load/display.ts'
import { readKeys } from './load/keys.ts'
import { LivePage } from './load/live-page.ts'
import { mergedParts, mergedShown } from './load/merged.ts'
import {
  type Comparison,
  helpText,
  type Options,
  readComparison,
  readOptions,
} from './load/options.ts'
import { type LoadReport, reportOf } from './load/report.ts'
import { csvOf } from './load/report-csv.ts'
import { bodyOf, pageOf } from './load/report-page.ts'
import { readScenario, type Scenario } from './load/scenario.ts'
import { Schedule } from './load/schedule.ts'
import { beginShare, plansOf, type RunningShare, type ShareState } from './load/share.ts'
import { ShareThread } from './load/share-thread.ts'
import { summaryOf } from './load/summary.ts'

const UNSOUND = 1
const NOT_CARRIED_OUT = 2
/** `npm run` starts scripts in the project's folder. */
const SCENARIOS = 'scripts/load/scenarios'

async function load(options: Options): Promise<LoadReport> {
  const keysText = readText(options.keys)
  readKeys(options.keys, keysText)
  const scenario = scenarioOf(options.scenario)
  const symbols = options.symbols.length > 0 ? options.symbols : scenario.symbols
  const beganMs = Date.now()
  const plans = plansOf({ options, keysText, scenario, symbols, beganMs })
  let display: Display | undefined
  const lastShown = new Map<number, Shown>()
  const show = (index: number, shown: Shown) => {
    lastShown.set(index, shown)
    display?.show(mergedShown([...lastShown.values()]))
  }
  const shares =
    plans.length === 1
      ? [await beginShare(plans[0]!, (shown) => show(0, shown))]
      : await ShareThread.beginAll(plans, show)
  const ends = endedTogether(shares, options.isRamp)
  display = new Display(1_000 * options.warmUpSeconds + new Schedule(options.steps).endMs)
  const reportOfAll = async (states: readonly Promise<ShareState>[]) => {
    const parts = mergedParts(await Promise.all(states))
    return reportOf({ title: scenario.title, options, symbols, beganMs, ...parts })
  }
  let live: LivePage | undefined
  try {
    if (options.livePort > 0) {
      const bodyNow = async () => bodyOf(await reportOfAll(shares.map((share) => share.state())))
      live = await LivePage.open(options.livePort, scenario.title, bodyNow)
      process.stderr.write(`${live.url} shows the load while it runs\n`)
    }
    return await reportOfAll(ends)
  } catch (error) {
    for (const share of shares) share.abort()
    await Promise.allSettled(ends)
    throw error
  } finally {
    display.end()
    live?.close()
  }
}

/** The ends of all shares. SIGINT ends all early, and so does, in a ramp, the first that ends. */
function endedTogether(shares: readonly RunningShare[], isRamp: boolean): Promise<ShareState>[] {
  const abort = () => {
    for (const share of shares) share.abort()
  }
  process.once('SIGINT', abort)
  const ends = shares.map(({ ended }) => ended)
  const first = Promise.race(ends)
  if (isRamp) first.then(abort, () => {})
  void Promise.allSettled(ends).then(() => process.off('SIGINT', abort))
  return ends
}

/** Loads a separate exchange: limits off, demo accounts, no other orders. */
async function loadOwn(options: Options): Promise<LoadReport> {
  process.stderr.write('starting an exchange\n')
  const exchange = await ExchangeProcess.start()
  try {
    return await load({
      ...options,
      url: exchange.url,
      wsApiUrl: `${exchange.wsUrl}/ws-api/v3`,
      streamsUrl: `${exchange.wsUrl}/stream`,
      keys: path.join(exchange.data, 'demo-keys.json'),
    })
  } finally {
    await exchange.stop()
    await exchange.remove()
  }
}

/** One of those shipped when it has neither a folder nor an ending. */
function scenarioOf(name: string): Scenario {
  if (!/^[a-z-]+$/.test(name)) return readScenario(name, readText(name))
  const shipped = fs.readdirSync(SCENARIOS).map((file) => path.basename(file, '.toml'))
  if (!shipped.includes(name)) {
    throw new UsageError(`--scenario must be a TOML file, or one of ${shipped.join(', ')}.`)
  }
  const file = path.join(SCENARIOS, `${name}.toml`)
  return readScenario(file, readText(file))
}

/** Before the load, which is in vain when its report cannot be written. */
function makeFolder(folder: string): void {
  try {
    makeFolders(path.resolve(folder))
  } catch (error) {
    throw new UsageError(`--report cannot be made: ${fileFault(error)}.`)
  }
  checkWritable('report', folder)
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${fileFault(error)}.`)
  }
}

function compare({ compared, report, isOpened }: Comparison): number {
  const [before, after] = compared.map(reportIn) as [LoadReport, LoadReport]
  makeFolder(report)
  const page = path.join(report, 'compare.html')
  fs.writeFileSync(page, comparisonPageOf([before, after]))
  process.stdout.write(`${comparisonText([before, after])}${page}\n`)
  if (isOpened) openPage(page)
  return 0
}

function reportIn(file: string): LoadReport {
  const text = readText(file)
  try {
    const report: LoadReport | null = JSON.parse(text)
    if (report?.version === 1) return report
  } catch {
    // It is refused as any other file that is no report.
  }
  throw new UsageError(`${file} is no report of a load.`)
}

/** By the desktop's own program; without one the page is still there to be opened. */
function openPage(page: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  execFile(program, [page], (error) => {
    if (error !== null) process.stderr.write(`${program} could not open the page\n`)
  })
}

async function run(args: string[]): Promise<number> {
  const comparison = readComparison(args)
  if (comparison !== undefined) return compare(comparison)
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(helpText)
    return 0
  }
  makeFolder(options.report)
  const report = await (options.isOwnExchange ? loadOwn(options) : load(options))
  const json = path.join(options.report, 'report.json')
  const page = path.join(options.report, 'report.html')
  fs.writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  fs.writeFileSync(page, pageOf(report))
  fs.writeFileSync(path.join(options.report, 'report.csv'), csvOf(report))
  process.stdout.write(`${summaryOf(report)}${json}\n${page}\n`)
  if (options.isOpened) openPage(page)
  const isCrossed = report.thresholds.some((threshold) => threshold.isCrossed)
  return report.isSound && !isCrossed ? 0 : UNSOUND
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const { message, stack } = error as Error
  process.stderr.write(`${error instanceof UsageError ? message : stack}\n`)
  process.exitCode = NOT_CARRIED_OUT
}
