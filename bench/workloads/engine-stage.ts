/**
 * The commands of the book benchmark as PlaceOrder and CancelOrder commands to one matching engine, and
 * the stage that they are executed on: a book, a ledger, rich accounts. Several stages may share one
 * ledger, as matchers do; each has its own base asset, and the quote asset in common.
 */
import { engineMemory } from '../../src/agents/book-memory.ts'
import { packClientOrderId } from '../../src/base/client-order-id.ts'
import {
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '../../src/base/codes.ts'
import { ASSETS_MAX } from '../../src/base/limits.ts'
import { AccountId, AssetId, Lots, Ms, OrderId, SymbolId, Ticks } from '../../src/base/units.ts'
import type { OrderBook } from '../../src/core/book/order-book.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import type { Holds } from '../../src/core/ledger/holds.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import type { EngineOutput } from '../../src/core/matching/output.ts'
import { CancelOrder, PlaceOrder, RecordHeader } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../src/layout/record-buffer.ts'
import { COMMAND_SLOT_BYTES } from '../../src/layout/records.gen.ts'
import { type SymbolSpec, specifySymbol, usualAccount } from '../../src/market/listing.ts'
import { type BookCommands, COMMAND_WORDS, CommandKind } from './book-commands.ts'
import { enginesOf } from './engines.ts'

export const BATCH_COMMANDS = 256
const START_MS = Ms(1_700_000_000_000)
const FUNDS_ATOMS = 2n ** 60n
const RATE = 100_000
const QUOTE_ID = 0

/** Buyers and sellers are different accounts, so that every self-trade check is made and none hits. */
const ownerOf = (kind: number, account: number): number =>
  kind === CommandKind.BUY ? account * 2 - 1 : account * 2

/** How many accounts trade: the workload's are halves of ours, one that buys, one that sells. */
export const tradersOf = ({ options }: BookCommands): number =>
  ownerOf(CommandKind.SELL, options.accounts)

/** One command in each slot, as gateways write them into rings. */
export function encodeCommands({ words, options }: BookCommands): RecordBuffer {
  const buffer = RecordBuffer.allocate(options.count * COMMAND_SLOT_BYTES)
  const owners = [0]
  for (let index = 0; index < options.count; index++) {
    const at = index * COMMAND_SLOT_BYTES
    const [kind, value, lots, account] = words.subarray(index * COMMAND_WORDS)
    RecordHeader.setCorrelation(buffer, at, index)
    if (kind === CommandKind.CANCEL) {
      encodeCancel(buffer, at, owners[value!]!, value!)
    } else {
      const owner = ownerOf(kind!, account!)
      owners.push(owner)
      encodePlace(
        buffer,
        at,
        owner,
        kind as Side,
        Ticks(value!),
        Lots(lots!),
        `order-${owners.length}`,
      )
    }
  }
  return buffer
}

function encodePlace(
  records: RecordBuffer,
  at: number,
  account: number,
  side: Side,
  priceTicks: Ticks,
  lots: Lots,
  clientOrderId: string,
): void {
  const mode = SelfTradePrevention.EXPIRE_MAKER
  writeHead(records, at, PlaceOrder.type, PlaceOrder.bytes)
  PlaceOrder.setAccount(records, at, AccountId(account))
  PlaceOrder.setTerms(records, at, packTerms(side, OrderType.LIMIT, TimeInForce.GTC, mode))
  PlaceOrder.setPriceTicks(records, at, priceTicks)
  PlaceOrder.setLots(records, at, lots)
  PlaceOrder.setExpiresMs(records, at, Ms(START_MS + 5000))
  packClientOrderId(clientOrderId, records.i32, PlaceOrder.clientOrderIdAt(at))
}

function encodeCancel(records: RecordBuffer, at: number, account: number, orderId: number): void {
  writeHead(records, at, CancelOrder.type, CancelOrder.bytes)
  CancelOrder.setAccount(records, at, AccountId(account))
  CancelOrder.setOrderId(records, at, OrderId(orderId))
  CancelOrder.setExpiresMs(records, at, Ms(START_MS + 5000))
  packClientOrderId(`cancel-${orderId}`, records.i32, CancelOrder.clientOrderIdAt(at))
}

/** A symbol like BTCUSDT: a hundred million ticks, lots of 0.00001. */
function benchSymbol(number: number, priceTicksMax: number): SymbolSpec {
  const tickSize = '0.01000000'
  const stepSize = '0.00001000'
  const maxPrice = `${priceTicksMax / 100}.00000000`
  return specifySymbol({
    id: SymbolId(0),
    name: `BASE${number}USDT`,
    base: { id: AssetId(number + 1), name: `BASE${number}` },
    quote: { id: AssetId(QUOTE_ID), name: 'USDT' },
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
      { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '9000.00000000', stepSize },
    ],
    preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  })
}

const balancesIn = (memory: SharedArrayBuffer, { options }: BookCommands): Balances =>
  new Balances(memory, options.shape.accountsMax, ASSETS_MAX)

/** A ledger in which every trader is rich, for this many symbols. */
export function richLedger(commands: BookCommands, symbols: number): SharedArrayBuffer {
  const { accountsMax } = commands.options.shape
  const memory = new SharedArrayBuffer(Balances.bytesFor(accountsMax, ASSETS_MAX))
  const balances = balancesIn(memory, commands)
  for (let account = 1; account <= tradersOf(commands); account++) {
    for (let asset = 0; asset <= symbols; asset++)
      balances.credit(AccountId(account), AssetId(asset), FUNDS_ATOMS)
  }
  return memory
}

/** Totals of the quote asset and of this many base assets, atoms. */
export const totalsIn = (
  memory: SharedArrayBuffer,
  commands: BookCommands,
  symbols: number,
): bigint[] => {
  const balances = balancesIn(memory, commands)
  return Array.from({ length: symbols + 1 }, (_, asset) => balances.total(AssetId(asset)))
}

/** One symbol's engine with an empty book, over a ledger that others may share. */
export class EngineStage {
  readonly engine: Engine
  readonly output: EngineOutput
  private readonly commands: BookCommands
  private readonly encoded: RecordBuffer
  private readonly holds: Holds

  /** `number` is the symbol's among those of the ledger. */
  constructor(
    commands: BookCommands,
    encoded: RecordBuffer,
    ledger: SharedArrayBuffer,
    number = 0,
  ) {
    const { accountsMax, ordersMax, priceTicksMax } = commands.options.shape
    const sizes = { ordersPerSymbol: ordersMax, accounts: accountsMax }
    const symbols = [benchSymbol(number, priceTicksMax)]
    const accounts = Array.from({ length: tradersOf(commands) + 1 }, (_, id) => ({
      ...usualAccount,
      id: AccountId(id),
      name: `${id}`,
      makerRate: RATE,
      takerRate: RATE,
    }))
    const regions = { ...engineMemory(symbols, sizes), balances: ledger }
    const { engines, holds, output } = enginesOf({ symbols, accounts }, sizes, regions)
    this.engine = engines[0]!
    this.output = output
    this.commands = commands
    this.encoded = encoded
    this.holds = holds
  }

  get book(): OrderBook {
    return this.engine.book
  }

  /**
   * Executes all commands in batches that are settled but not journaled; `seen` may look at each. Returns
   * the seconds that it takes. Throws unless the orders filled as they should.
   */
  run(seen: (output: EngineOutput) => void = () => {}): number {
    const { count } = this.commands.options
    const { counters } = this.engine
    const fillsBefore = counters[Counter.tradeId]!
    const start = process.hrtime.bigint()
    for (let from = 0; from < count; from += BATCH_COMMANDS) {
      this.output.reset()
      const to = Math.min(from + BATCH_COMMANDS, count)
      for (let index = from; index < to; index++) {
        this.engine.execute(this.encoded, index * COMMAND_SLOT_BYTES, START_MS)
      }
      this.holds.settle(true)
      seen(this.output)
    }
    const seconds = Number(process.hrtime.bigint() - start) / 1e9
    if (counters[Counter.tradeId]! - fillsBefore !== this.commands.fills) {
      throw new Error('a timed run filled otherwise')
    }
    return seconds
  }

  /**
   * Cancels what rests, and makes the commands name the orders of another run: no other stage executes them
   * from then on.
   */
  clear(): void {
    const { book, engine } = this
    const cancel = RecordBuffer.allocate(COMMAND_SLOT_BYTES)
    for (const side of [Side.BUY, Side.SELL]) {
      for (let slot = book.bestOrder(side); slot !== 0; slot = book.bestOrder(side)) {
        encodeCancel(cancel, 0, book.account[slot]!, book.orderId[slot]!)
        this.output.reset()
        engine.execute(cancel, 0, START_MS)
        this.holds.settle(true)
      }
    }
    this.renumber(engine.counters[Counter.orderId]!)
  }

  private renumber(ordersBefore: number): void {
    const { words, options } = this.commands
    for (let index = 0; index < options.count; index++) {
      const word = index * COMMAND_WORDS
      if (words[word] !== CommandKind.CANCEL) continue
      const orderId = OrderId(ordersBefore + words[word + 1]!)
      CancelOrder.setOrderId(this.encoded, index * COMMAND_SLOT_BYTES, orderId)
    }
  }
}
