/**
 * `npm run load -- --keys FILE --scenario NAME --rate N`: loads an exchange that speaks this API and
 * checks its answers meanwhile (scripts/load/options.ts has the arguments). Exit code 0 when all checks
 * hold, 1 when one does not or a threshold is crossed, 2 when the load could not be carried out.
 */
import fs from 'node:fs'
import path from 'node:path'
import { fileFault } from '../src/base/file-fault.ts'
import { makeFolders } from '../src/journal/environment.ts'
import { checkWritable } from './command-line/tool.ts'
import { UsageError } from './command-line/usage-error.ts'
import { ExchangeProcess } from './exchange/exchange-process.ts'
import { Display } from './load/display.ts'
import { Load } from './load/load.ts'
import { helpText, type Options, readOptions } from './load/options.ts'
import { type LoadReport, reportOf } from './load/report.ts'
import { pageOf } from './load/report-page.ts'
import { readScenario, type Scenario } from './load/scenario.ts'
import { Schedule } from './load/schedule.ts'
import { summaryOf } from './load/summary.ts'

const UNSOUND = 1
const NOT_CARRIED_OUT = 2
/** `npm run` starts scripts in the project's folder. */
const SCENARIOS = 'scripts/load/scenarios'

async function load(options: Options): Promise<LoadReport> {
  const keysText = readText(options.keys)
  const scenario = scenarioOf(options.scenario)
  const symbols = options.symbols.length > 0 ? options.symbols : scenario.symbols
  const beganMs = Date.now()
  const plan = { options, keysText, scenario, symbols, beganMs }
  let display: Display | undefined
  const running = await Load.begin(plan, (shown) => display?.show(shown))
  display = new Display(1_000 * options.warmUpSeconds + new Schedule(options.steps).endMs)
  const abort = () => running.abort()
  process.once('SIGINT', abort)
  try {
    return reportOf({ title: scenario.title, options, symbols, beganMs, ...(await running.ended) })
  } finally {
    process.off('SIGINT', abort)
    display.end()
  }
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

async function run(args: string[]): Promise<number> {
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
  process.stdout.write(`${summaryOf(report)}${json}\n${page}\n`)
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
