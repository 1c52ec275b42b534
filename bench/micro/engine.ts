/**
 * `npm run bench -- engine`: the commands of the book benchmark as PlaceOrder and CancelOrder commands
 * to one matching engine, with ledger holds, self-trade checks, commissions and event records, in
 * batches that are settled but not journaled. The measure is the C++ book alone on the same commands.
 * The fills and the final book are compared with its before any clock counts.
 *
 * Options: `--rounds N` (7); `--commands N` (1,000,000); `--accounts N` (100): how many trade. Each balance that a batch touches is
 * settled once, so the more accounts share the commands, the more there is to settle.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Side } from '../../src/base/codes.ts'
import type { OrderBook } from '../../src/core/book/order-book.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { EngineOutput } from '../../src/core/matching/output.ts'
import { Trade } from '../../src/layout/accessors.gen.ts'
import { type RecordBuffer, recordLength, recordType } from '../../src/layout/record-buffer.ts'
import { raiseInliningBudget } from '../../src/workers/optimizer.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { runNative } from '../harness/native.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import {
  type BookCommands,
  bookCommandsDefaults,
  bookCommandsFile,
  generateBookCommands,
} from '../workloads/book-commands.ts'
import {
  BATCH_COMMANDS,
  EngineStage,
  encodeCommands,
  richLedger,
  totalsIn,
  tradersOf,
} from '../workloads/engine-stage.ts'

/** V8 compiles beside the first runs, and late when the machine is busy. */
const WARM_UPS = 12
interface Outcome {
  readonly hash: string
  readonly fills: number
  readonly seconds: readonly number[]
}

export const flags = {
  rounds: 7,
  commands: bookCommandsDefaults.count,
  accounts: 100,
} as const satisfies Flags

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  raiseInliningBudget()
  const { rounds, accounts, commands: count } = settings
  // The workload's accounts are halves of ours: one that buys, one that sells.
  const commands = generateBookCommands({ count, accounts: Math.ceil(accounts / 2) })
  const encoded = encodeCommands(commands)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-bench-'))
  try {
    const file = path.join(folder, 'book-commands.bin')
    writeFileSync(file, bookCommandsFile(commands))
    await compare(commands, encoded, file)
    const stage = new EngineStage(commands, encoded, richLedger(commands, 1))
    for (let round = 0; round < WARM_UPS; round++) runOurs(stage)
    const ours: number[] = []
    const twin: number[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(runOurs(stage))
      twin.push(median((await runNative<Outcome>('book-twin', [file, '3', '1'])).seconds))
    }
    return report(commands, count / median(ours), count / median(twin))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Seconds that all commands take; the stage is empty again after it. */
function runOurs(stage: EngineStage): number {
  const seconds = stage.run()
  stage.clear()
  return seconds
}

/** Throws unless fills and final book are the C++ book's, and no money appeared or vanished. */
async function compare(commands: BookCommands, encoded: RecordBuffer, file: string): Promise<void> {
  const ledger = richLedger(commands, 1)
  const before = totalsIn(ledger, commands, 1)
  const stage = new EngineStage(commands, encoded, ledger)
  let hash = 0
  stage.run((output) => {
    if (output.repliesEnd > 0) throw new Error('a command was refused')
    hash = hashFills(output, hash)
  })
  const mine = (hashBook(stage.book, hash) >>> 0).toString(16).padStart(8, '0')
  const twin = await runNative<Outcome>('book-twin', [file, '1', '0'])
  if (mine !== twin.hash || stage.engine.counters[Counter.tradeId] !== twin.fills) {
    throw new Error(`the outcomes differ: ours ${mine}, the C++ book's ${twin.hash}`)
  }
  if (String(totalsIn(ledger, commands, 1)) !== String(before)) {
    throw new Error('money appeared or vanished')
  }
}

/** As the twin hashes them: maker, taker, price, lots of each fill. */
function hashFills({ events, eventsEnd }: EngineOutput, start: number): number {
  let hash = start
  for (let at = 0; at < eventsEnd; at += recordLength(events, at)) {
    if (recordType(events, at) !== Trade.type) continue
    hash = mix(hash, Trade.makerOrderId(events, at))
    hash = mix(hash, Trade.takerOrderId(events, at))
    hash = mix(hash, Trade.priceTicks(events, at))
    hash = mix(hash, Trade.tradeLots(events, at))
  }
  return hash
}

function hashBook(book: OrderBook, start: number): number {
  let hash = start
  for (const side of [Side.BUY, Side.SELL]) {
    for (let slot = book.bestOrder(side); slot !== 0; slot = book.nextOrder(slot)) {
      hash = mix(hash, book.orderId[slot]!)
      hash = mix(hash, book.priceTicksOf(slot))
      hash = mix(hash, book.openLots[slot]!)
    }
  }
  return hash
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function report(commands: BookCommands, ours: number, twin: number): BenchResult {
  const { options } = commands
  printTable('commands through one matching engine, beside the C++ book alone', [
    ['', 'M commands/s', 'ns each'],
    ['engine', ours / 1e6, 1e9 / ours],
    ['C++ book', twin / 1e6, 1e9 / twin],
  ])
  return {
    ratios: { oursOverTwin: ours / twin },
    figures: {
      oursPerSecond: Math.round(ours),
      twinPerSecond: Math.round(twin),
      commands: options.count,
      seed: options.seed,
      batchCommands: BATCH_COMMANDS,
      accounts: tradersOf(commands),
      cancelShare: commands.cancelShare,
      fills: commands.fills,
      restingOrders: Math.round(commands.restingOrders),
      priceTicksMax: options.shape.priceTicksMax,
    },
  }
}
