/**
 * `npm run bench -- book`: places (match, then rest) and cancels on one book, through its face, with
 * no ledger and no events. Beside it, on the same commands: its C++ twin, and the two order books of
 * the npm registry. All outcomes are compared before any time is measured.
 *
 * Options: `--rounds N` (7); `--commands N` (1,000,000).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { giveOwnCode } from '../../src/base/own-code.ts'
import { Book } from '../../src/core/book/book.ts'
import { raiseInliningBudget } from '../../src/workers/optimizer.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { runNative } from '../harness/native.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import {
  type BookCommands,
  bookCommandsDefaults,
  bookCommandsFile,
  COMMAND_WORDS,
  CommandKind,
  generateBookCommands,
} from '../workloads/book-commands.ts'
import { BookRun } from '../workloads/book-run.ts'

/** The npm books run on at most this many commands from the start of the file, the same for every round. */
const NPM_COMMANDS = 200_000
const NPM_ROUNDS = 3
/** V8 compiles beside the first runs, and late when the machine is busy. */
const WARM_UPS = 12
/** Runs of each side in a round; their median counts. */
const RUNS = 3

interface Outcome {
  readonly hash: string
  readonly fills: number
}

interface TwinOutcome extends Outcome {
  /** Seconds of each run. */
  readonly seconds: readonly number[]
}

export const flags = { rounds: 7, commands: bookCommandsDefaults.count } as const satisfies Flags

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  raiseInliningBudget()
  const { rounds, commands: count } = settings
  const commands = generateBookCommands({ count })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-bench-'))
  try {
    const file = path.join(folder, 'book-commands.bin')
    writeFileSync(file, bookCommandsFile(commands))
    const { ours, twin } = await race(commands, file, rounds)
    const npm = Object.entries(npmBooks).map(([name, open]) => [name, raceNpm(commands, open)])
    const rates = Object.fromEntries([['ours', ours], ['twin', twin], ...npm]) as Rates
    return report(commands, rates, count)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Rates = Readonly<Record<string, number>>

/** Commands per second of ours and of the twin: medians of alternating rounds. */
async function race(
  commands: BookCommands,
  file: string,
  rounds: number,
): Promise<{ ours: number; twin: number }> {
  const stage = stageOf(commands)
  let mine = runOurs(stage, commands)
  for (let round = 0; round < WARM_UPS; round++) mine = runOurs(stage, commands)
  const { hash, fills } = await runNative<Outcome>('book-twin', [file, '1', '0'])
  if (hash !== mine.hash || fills !== mine.fills) {
    throw new Error(`the outcomes differ: ${mine.hash} after ${mine.fills}, twin ${hash}, ${fills}`)
  }
  const ours: number[] = []
  const twin: number[] = []
  for (let round = 0; round < rounds; round++) {
    const own = Array.from({ length: RUNS }, () => runOurs(stage, commands).seconds)
    ours.push(median(own))
    const theirs = await runNative<TwinOutcome>('book-twin', [file, String(RUNS), '1'])
    twin.push(median(theirs.seconds))
  }
  const { count } = commands.options
  return { ours: count / median(ours), twin: count / median(twin) }
}

/** What executes commands on an empty book, with its own code for a command, as an engine has. */
export function stageOf({ options }: BookCommands): BookRun {
  const { shape } = options
  const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
  const stage = new BookRun(book)
  giveOwnCode(stage, 'executeAt', 2)
  return stage
}

/** The book is empty again after it. */
function runOurs(
  stage: BookRun,
  { words, options }: BookCommands,
): Outcome & { readonly seconds: number } {
  const start = process.hrtime.bigint()
  stage.execute(words, 0, options.count)
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const hash = stage.outcome().toString(16).padStart(8, '0')
  const { fills } = stage
  stage.clear()
  return { hash, fills, seconds }
}

/** What the two npm books have in common, as far as it is used here. */
interface NpmBook {
  limit(order: { id: string; side: string; size: number; price: number }): unknown
  cancel(id: string): unknown
  depth(): [asks: NpmLevel[], bids: NpmLevel[]]
}
type NpmLevel = [price: number, size: number]

const npmBooks: Record<string, () => NpmBook> = {
  nodejsOrderBook: () => openNpmBook('nodejs-order-book'),
  hftLimitOrderBook: () => openNpmBook('hft-limit-order-book'),
}

function openNpmBook(name: string): NpmBook {
  const { OrderBook } = createRequire(import.meta.url)(name)
  return new OrderBook()
}

/** Commands per second; the calls' arguments are made before the clock starts. */
function raceNpm(commands: BookCommands, open: () => NpmBook): number {
  const calls = npmCalls(commands.words.subarray(0, NPM_COMMANDS * COMMAND_WORDS))
  compareDepth(commands, calls, open())
  const seconds: number[] = []
  for (let round = 0; round < NPM_ROUNDS; round++) {
    const book = open()
    const start = process.hrtime.bigint()
    executeNpm(book, calls)
    seconds.push(Number(process.hrtime.bigint() - start) / 1e9)
  }
  return calls.length / median(seconds)
}

type NpmCall = string | { id: string; side: string; size: number; price: number }

function npmCalls(words: Int32Array): NpmCall[] {
  const calls: NpmCall[] = []
  let orderId = 0
  for (let at = 0; at < words.length; at += COMMAND_WORDS) {
    const kind = words[at]
    if (kind === CommandKind.CANCEL) calls.push(String(words[at + 1]))
    else {
      const side = kind === CommandKind.BUY ? 'buy' : 'sell'
      calls.push({ id: String(++orderId), side, size: words[at + 2]!, price: words[at + 1]! })
    }
  }
  return calls
}

function executeNpm(book: NpmBook, calls: readonly NpmCall[]): void {
  for (const call of calls) {
    if (typeof call === 'string') book.cancel(call)
    else book.limit(call)
  }
}

/** Throws unless the npm book ends with our levels. */
function compareDepth(commands: BookCommands, calls: readonly NpmCall[], book: NpmBook): void {
  executeNpm(book, calls)
  const { shape } = commands.options
  const ours = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
  new BookRun(ours).execute(commands.words, 0, calls.length)
  const levels: NpmLevel[] = []
  for (const side of [0, 1]) ours.forEachLevel(side, (price, lots) => levels.push([price, lots]))
  const byPrice = (a: NpmLevel, b: NpmLevel) => a[0] - b[0]
  const theirs = book.depth().flat().sort(byPrice)
  if (String(theirs) !== String(levels.sort(byPrice))) throw new Error('an npm book ends otherwise')
}

function report(commands: BookCommands, rates: Rates, count: number): BenchResult {
  const { options } = commands
  const npm = Math.max(rates.nodejsOrderBook!, rates.hftLimitOrderBook!)
  const bytes = Book.bytesFor(options.shape) / options.shape.ordersMax
  const rows = Object.entries(rates).map(([name, rate]) => [name, rate / 1e6, 1e9 / rate])
  printTable('place and cancel on one book', [['', 'M commands/s', 'ns each'], ...rows])
  return {
    ratios: { oursOverTwin: rates.ours! / rates.twin!, oursOverNpm: rates.ours! / npm },
    figures: {
      ...Object.fromEntries(
        Object.entries(rates).map(([name, rate]) => [`${name}PerSecond`, Math.round(rate)]),
      ),
      commands: count,
      npmCommands: Math.min(count, NPM_COMMANDS),
      seed: options.seed,
      cancelShare: commands.cancelShare,
      marketableShareOfPlaces: options.marketableShare,
      fills: commands.fills,
      restingOrders: Math.round(commands.restingOrders),
      restingLevels: Math.round(commands.restingLevels),
      priceTicksMax: options.shape.priceTicksMax,
      ordersMax: options.shape.ordersMax,
      bytesPerOrder: bytes,
    },
  }
}
