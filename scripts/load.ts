/**
 * `npm run load -- --keys FILE --scenario NAME --rate N`: loads an exchange that speaks this API and
 * checks its answers meanwhile (scripts/load/options.ts has the arguments). Exit code 0 when all checks
 * hold, 1 when one does not, 2 when the load could not be carried out.
 */
import fs from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Market, marketOf, type SymbolInfo } from '../src/liquidity/market.ts'
import { checkWritable } from './command-line/tool.ts'
import { UsageError } from './command-line/usage-error.ts'
import { Cast, keysOf } from './load/cast.ts'
import { cleanUp } from './load/clean-up.ts'
import { Display } from './load/display.ts'
import { Driver } from './load/driver.ts'
import { readKeys } from './load/keys.ts'
import { LimitGate } from './load/limit-gate.ts'
import { Measure } from './load/measure.ts'
import { helpText, type Options, readOptions } from './load/options.ts'
import { type LoadReport, reportOf } from './load/report.ts'
import { pageOf } from './load/report-page.ts'
import { readScenario, type Scenario } from './load/scenario.ts'
import { Schedule } from './load/schedule.ts'
import { summaryOf } from './load/summary.ts'
import { Target } from './load/target.ts'
import { Watch } from './load/watch.ts'

const UNSOUND = 1
const NOT_CARRIED_OUT = 2
/** `npm run` starts scripts in the project's folder. */
const SCENARIOS = 'scripts/load/scenarios'

async function load(options: Options): Promise<LoadReport> {
  const keys = readKeys(options.keys, readText(options.keys))
  const scenario = scenarioOf(options.scenario)
  const symbols = options.symbols.length > 0 ? options.symbols : scenario.symbols
  const target = new Target(options.url, options.connections, options.timeoutMs)
  try {
    await target.readClock()
    const markets = await readMarkets(target, symbols)
    return await drive({ options, keys, scenario, symbols, target, markets })
  } finally {
    await target.close()
  }
}

interface Stage {
  readonly options: Options
  readonly keys: ReturnType<typeof readKeys>
  readonly scenario: Scenario
  readonly symbols: readonly string[]
  readonly target: Target
  readonly markets: readonly Market[]
}

async function drive(stage: Stage): Promise<LoadReport> {
  const { options, keys, scenario, symbols, target, markets } = stage
  const beganMs = Date.now()
  let cast: Cast | undefined
  const watch = new Watch({
    target,
    wsApiUrl: options.wsApiUrl,
    streamsUrl: options.streamsUrl,
    markets,
    keys: keysOf(scenario.actors, keys),
    subscribers: scenario.subscribers,
    prices: scenario.prices,
    onReport: (account, report) => cast?.desk(account)?.report(report),
  })
  try {
    await watch.open()
    const places = markets.map((market) => watch.place(market))
    const prefix = `l${beganMs.toString(36)}-`
    cast = new Cast(scenario.actors, keys, places, watch.orders, prefix, options.seed)
    const schedule = new Schedule(options.steps)
    const measure = new Measure(schedule.endMs)
    const gate = new LimitGate()
    const display = new Display(measure, schedule.endMs)
    const actors = cast
    const driver = new Driver({
      ...options,
      schedule,
      measure,
      gate,
      target,
      pick: () => actors.pick(),
      shown: (elapsedMs) => display.show(elapsedMs),
    })
    const abort = () => driver.abort()
    process.once('SIGINT', abort)
    const idle = performance.eventLoopUtilization()
    const elapsedMs = await driver.run()
    const { utilization } = performance.eventLoopUtilization(idle)
    process.off('SIGINT', abort)
    display.end()
    const leftOpen = await cleanUp(cast.desks, target)
    await watch.end()
    return reportOf({
      title: scenario.title,
      options,
      symbols,
      beganMs,
      elapsedMs,
      measure,
      checks: watch.results(),
      orders: watch.orders.counts,
      leftOpen,
      steps: driver.steps,
      limits: gate.report(),
      usage: target.usage,
      streams: watch.streams(),
      sentInAll: target.requests + watch.requests,
      busyShare: utilization,
    })
  } finally {
    watch.close()
  }
}

async function readMarkets(target: Target, symbols: readonly string[]): Promise<readonly Market[]> {
  const info = await target.ask<{ symbols: readonly SymbolInfo[] }>('/api/v3/exchangeInfo', {
    params: { symbols: JSON.stringify(symbols) },
  })
  return symbols.map((symbol) => {
    const row = info.symbols.find((it) => it.symbol === symbol)
    const market = row === undefined ? undefined : marketOf(row)
    if (market?.isTrading === true) return market
    throw new UsageError(`The target does not trade ${symbol}.`)
  })
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
    // Not by `recursive`, which tries for ever where the system answers ENOENT, as it does in /proc.
    for (const missing of missingFolders(path.resolve(folder))) fs.mkdirSync(missing)
  } catch (error) {
    throw new UsageError(`--report cannot be made: ${(error as Error).message}`)
  }
  checkWritable('report', folder)
}

/** It and the folders above it, from the top down. */
function missingFolders(folder: string): readonly string[] {
  return fs.existsSync(folder) ? [] : [...missingFolders(path.dirname(folder)), folder]
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

async function run(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(helpText)
    return 0
  }
  makeFolder(options.report)
  const report = await load(options)
  const json = path.join(options.report, 'report.json')
  const page = path.join(options.report, 'report.html')
  fs.writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  fs.writeFileSync(page, pageOf(report))
  process.stdout.write(`${summaryOf(report)}${json}\n${page}\n`)
  return report.isSound ? 0 : UNSOUND
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const { message, stack } = error as Error
  process.stderr.write(`${error instanceof UsageError ? message : stack}\n`)
  process.exitCode = NOT_CARRIED_OUT
}
