/**
 * `npm run bench -- engine`: the commands of the book benchmark as PlaceOrder and CancelOrder commands
 * to one matching engine, with ledger holds, self-trade checks, commissions and event records, in
 * batches that are settled but not journaled. The measure is the C++ book alone on the same commands.
 * The fills and the final book are compared with its before any clock counts.
 *
 * Options: `--rounds N` (7); `--accounts N` (100): how many trade. Each balance that a batch touches is
 * settled once, so the more accounts share the commands, the more there is to settle.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { packClientOrderId } from '#base/client-order-id.ts'
import {
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '#base/codes.ts'
import { ASSETS_MAX } from '#base/limits.ts'
import { type SymbolSpec, specifySymbol, usualAccount } from '#base/listing.ts'
import { Book } from '#core/book/book.ts'
import type { OrderBook } from '#core/book/face.ts'
import { AccountTable } from '#core/ledger/accounts.ts'
import { Balances } from '#core/ledger/balances.ts'
import { Holds } from '#core/ledger/holds.ts'
import { Counter } from '#core/matching/counters.ts'
import { Engine } from '#core/matching/engine.ts'
import { EngineOutput } from '#core/matching/output.ts'
import { headOf, RecordBuffer, recordLength, recordType } from '#layout/record-buffer.ts'
import {
  CancelOrder,
  COMMAND_SLOT_BYTES,
  PlaceOrder,
  RecordHeader,
  Trade,
} from '#layout/records.gen.ts'
import { raiseInliningBudget } from '#threads/optimizer.ts'
import { runNative } from '../native.ts'
import { type BenchResult, median, printTable } from '../report.ts'
import {
  type BookCommands,
  bookCommandsFile,
  COMMAND_WORDS,
  CommandKind,
  generateBookCommands,
} from '../workloads/book-commands.ts'

const BATCH_COMMANDS = 256
const WARM_UPS = 3
const START_MS = 1_700_000_000_000
const FUNDS_ATOMS = 2n ** 60n
const RATE = 100_000

interface Outcome {
  readonly hash: string
  readonly fills: number
  readonly seconds: readonly number[]
}

export async function run(args: string[]): Promise<BenchResult> {
  raiseInliningBudget()
  const rounds = Number(args[args.indexOf('--rounds') + 1]) || 7
  const commands = generateBookCommands({ accounts: accountsOf(args) })
  const { count } = commands.options
  const encoded = encode(commands)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-bench-'))
  try {
    const file = path.join(folder, 'book-commands.bin')
    writeFileSync(file, bookCommandsFile(commands))
    await compare(commands, encoded, file)
    for (let round = 0; round < WARM_UPS; round++) runOurs(commands, encoded)
    const ours: number[] = []
    const twin: number[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(runOurs(commands, encoded))
      twin.push(median((await runNative<Outcome>('book-twin', [file, '3', '1'])).seconds))
    }
    return report(commands, count / median(ours), count / median(twin))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The workload's accounts are halves of ours: one that buys, one that sells. */
const accountsOf = (args: readonly string[]): number =>
  Math.ceil((Number(args[args.indexOf('--accounts') + 1]) || 100) / 2)

/** Buyers and sellers are different accounts, so that every self-trade check is made and none hits. */
const ownerOf = (kind: number, account: number): number =>
  kind === CommandKind.BUY ? account * 2 - 1 : account * 2

/** One command in each slot, as gateways write them into rings. */
function encode({ words, options }: BookCommands): RecordBuffer {
  const buffer = RecordBuffer.allocate(options.count * COMMAND_SLOT_BYTES)
  const owners = [0]
  for (let index = 0; index < options.count; index++) {
    const at = index * COMMAND_SLOT_BYTES
    const [kind, value, lots, account] = words.subarray(index * COMMAND_WORDS)
    buffer.i32[(at >> 2) + RecordHeader.correlation] = index
    if (kind === CommandKind.CANCEL) {
      encodeCancel(buffer, at, owners[value!]!, value!)
    } else {
      const owner = ownerOf(kind!, account!)
      owners.push(owner)
      encodePlace(buffer, at, owner, kind as Side, value!, lots!, `order-${owners.length}`)
    }
  }
  return buffer
}

function encodePlace(
  { i32, f64 }: RecordBuffer,
  at: number,
  account: number,
  side: Side,
  priceTicks: number,
  lots: number,
  clientOrderId: string,
): void {
  const mode = SelfTradePrevention.EXPIRE_MAKER
  i32[(at >> 2) + RecordHeader.head] = headOf(PlaceOrder.type, PlaceOrder.bytes)
  i32[(at >> 2) + PlaceOrder.account] = account
  i32[(at >> 2) + PlaceOrder.terms] = packTerms(side, OrderType.LIMIT, TimeInForce.GTC, mode)
  f64[(at >> 3) + PlaceOrder.priceTicks] = priceTicks
  f64[(at >> 3) + PlaceOrder.lots] = lots
  f64[(at >> 3) + PlaceOrder.expiresMs] = START_MS + 5000
  packClientOrderId(clientOrderId, i32, (at >> 2) + PlaceOrder.clientOrderId)
}

function encodeCancel(
  { i32, f64 }: RecordBuffer,
  at: number,
  account: number,
  orderId: number,
): void {
  i32[(at >> 2) + RecordHeader.head] = headOf(CancelOrder.type, CancelOrder.bytes)
  i32[(at >> 2) + CancelOrder.account] = account
  f64[(at >> 3) + CancelOrder.orderId] = orderId
  f64[(at >> 3) + CancelOrder.expiresMs] = START_MS + 5000
  packClientOrderId(`cancel-${orderId}`, i32, (at >> 2) + CancelOrder.clientOrderId)
}

/** A symbol like BTCUSDT: a hundred million ticks, lots of 0.00001. */
function benchSymbol(priceTicksMax: number): SymbolSpec {
  const tickSize = '0.01000000'
  const stepSize = '0.00001000'
  const maxPrice = `${priceTicksMax / 100}.00000000`
  return specifySymbol({
    id: 0,
    name: 'BTCUSDT',
    base: { id: 0, name: 'BTC', decimals: 10 },
    quote: { id: 1, name: 'USDT', decimals: 8 },
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
      { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '9000.00000000', stepSize },
    ],
    preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  })
}

interface Stage {
  readonly engine: Engine
  readonly book: Book
  readonly holds: Holds
  readonly balances: Balances
  readonly output: EngineOutput
}

/** An empty book, and every account rich. */
function setStage({ options }: BookCommands): Stage {
  const { accountsMax, priceTicksMax } = options.shape
  const owners = ownerOf(CommandKind.SELL, options.accounts)
  const balances = new Balances(
    new SharedArrayBuffer(Balances.bytesFor(accountsMax, ASSETS_MAX)),
    accountsMax,
    ASSETS_MAX,
  )
  const holds = new Holds(balances, accountsMax, ASSETS_MAX)
  const accounts = new AccountTable(accountsMax)
  for (let id = 0; id <= owners; id++) {
    const rates = { makerRate: RATE, takerRate: RATE }
    accounts.set({ ...usualAccount, id, name: `${id}`, ...rates })
    if (id === 0) continue
    balances.credit(id, 0, FUNDS_ATOMS)
    balances.credit(id, 1, FUNDS_ATOMS)
  }
  const book = new Book(new SharedArrayBuffer(Book.bytesFor(options.shape)), options.shape)
  const engine = new Engine({ spec: benchSymbol(priceTicksMax), book, holds, accounts })
  return { engine, book, holds, balances, output: new EngineOutput() }
}

function runBatch(stage: Stage, encoded: RecordBuffer, from: number, to: number): void {
  const { engine, holds, output } = stage
  output.reset()
  for (let index = from; index < to; index++) {
    engine.execute(encoded, index * COMMAND_SLOT_BYTES, START_MS, output)
  }
  holds.settle(true)
}

/** Seconds that all commands take. */
function runOurs(commands: BookCommands, encoded: RecordBuffer): number {
  const { count } = commands.options
  const stage = setStage(commands)
  const start = process.hrtime.bigint()
  for (let from = 0; from < count; from += BATCH_COMMANDS) {
    runBatch(stage, encoded, from, Math.min(from + BATCH_COMMANDS, count))
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  if (stage.engine.counters[Counter.tradeId] !== commands.fills) {
    throw new Error('a timed run filled otherwise')
  }
  return seconds
}

/** Throws unless fills and final book are the C++ book's, and no money appeared or vanished. */
async function compare(commands: BookCommands, encoded: RecordBuffer, file: string): Promise<void> {
  const { count } = commands.options
  const stage = setStage(commands)
  const { balances, output, book, engine } = stage
  const before = [balances.total(0), balances.total(1)]
  let hash = 0
  for (let from = 0; from < count; from += BATCH_COMMANDS) {
    runBatch(stage, encoded, from, Math.min(from + BATCH_COMMANDS, count))
    if (output.repliesEnd > 0) throw new Error('a command was refused')
    hash = hashFills(output, hash)
  }
  const mine = (hashBook(book, hash) >>> 0).toString(16).padStart(8, '0')
  const twin = await runNative<Outcome>('book-twin', [file, '1', '0'])
  if (mine !== twin.hash || engine.counters[Counter.tradeId] !== twin.fills) {
    throw new Error(`the outcomes differ: ours ${mine}, the C++ book's ${twin.hash}`)
  }
  if (String([balances.total(0), balances.total(1)]) !== String(before)) {
    throw new Error('money appeared or vanished')
  }
}

/** As the twin hashes them: maker, taker, price, lots of each fill. */
function hashFills({ events, eventsEnd }: EngineOutput, start: number): number {
  let hash = start
  for (let at = 0; at < eventsEnd; at += recordLength(events, at)) {
    if (recordType(events, at) !== Trade.type) continue
    for (const field of ['makerOrderId', 'takerOrderId', 'priceTicks', 'tradeLots'] as const) {
      hash = mix(hash, events.f64[(at >> 3) + Trade[field]]!)
    }
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
      accounts: ownerOf(CommandKind.SELL, options.accounts),
      cancelShare: commands.cancelShare,
      fills: commands.fills,
      restingOrders: Math.round(commands.restingOrders),
      priceTicksMax: options.shape.priceTicksMax,
    },
  }
}
