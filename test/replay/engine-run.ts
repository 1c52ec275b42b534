/**
 * The engine's own events, where nothing is made up: random commands of every kind on the simulation's
 * symbols, journaled, applied and reported. It keeps the last that user streams sent of each order and
 * list, and finds in that what the next commands are about.
 */
import { enginesOf } from '../../bench/workloads/engines.ts'
import { Rows } from '../../src/api/answers/answer.ts'
import { plainRows } from '../../src/api/answers/plain.ts'
import { executionReport } from '../../src/api/answers/user-events.ts'
import { ExecutionReporter } from '../../src/api/rows/execution-reports.ts'
import { listStateOf } from '../../src/api/rows/order-list.ts'
import { unpackClientOrderId } from '../../src/base/client-order-id.ts'
import { ListOrderStatus } from '../../src/base/codes.ts'
import { Prng } from '../../src/base/prng.ts'
import { AccountId, AssetId, Ms, type SymbolId, Ticks } from '../../src/base/units.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import type { EngineOutput } from '../../src/core/matching/output.ts'
import { DepthView } from '../../src/core/views/depth.ts'
import { BlockWriter } from '../../src/journal/block.ts'
import { type Journal, openJournal } from '../../src/journal/journal.ts'
import type { WalCells } from '../../src/journal/wal-cells.ts'
import { OrderListChanged, RecordHeader } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../../src/layout/record-buffer.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import type { PlainState } from '../model/plain-order.ts'
import { type Command, encode } from '../sim/commands.ts'
import { Workload } from '../sim/workload.ts'
import { ACCOUNTS, accounts, deposits, exchange, symbols } from '../sim/world.ts'

export interface ToldOrder {
  readonly account: AccountId
  readonly report: Readonly<Record<string, unknown>>
}
export type ToldList = ReturnType<typeof listStateOf> & {
  readonly account: AccountId
  readonly symbolId: SymbolId
}

/** Open orders that a symbol of the run has room for. */
export const ORDERS_MAX = 64
const BATCH = 10
const ADDED_BYTES = 4096
const sizes = { ordersPerSymbol: ORDERS_MAX, accounts: ACCOUNTS }
const assets = [...new Set(symbols.flatMap(({ base, quote }) => [base, quote]))].sort(
  (a, b) => a.id - b.id,
)

export class EngineRun {
  /** By symbol, then by order id: the last report. */
  readonly told = symbols.map(() => new Map<number, ToldOrder>())
  readonly lists = new Map<number, ToldList>()
  readonly depths = symbols.map((spec) => new DepthView(spec))
  /** Types of records met. */
  readonly seen = new Set<number>()
  nowMs = Ms(1_700_000_000_000)
  private readonly own = enginesOf({ symbols, accounts, exchange }, sizes)
  readonly engines: readonly Engine[]
  readonly balances = this.own.balances
  private readonly prng: Prng
  private readonly workload: Workload
  private readonly journal: Journal
  private readonly blocks: BlockWriter
  private reportedSymbol = 0

  /** What buffers of events and replies are filled with before each use. */
  private readonly pattern: number

  constructor(folder: string, seed: number, pattern = 0) {
    this.pattern = pattern
    this.prng = new Prng(seed)
    this.workload = new Workload(this.prng)
    for (const [account, asset, atoms] of deposits)
      this.balances.credit(AccountId(account), AssetId(asset), atoms)
    this.engines = this.own.engines.map((engine) => engine!)
    this.journal = openJournal(folder, 0, 'committed')
    this.blocks = new BlockWriter({ epoch: 1, matcher: 0, previous: 0 })
    for (const { id } of symbols) this.ask(wholeBook(id))
  }

  /**
   * As many commands as a batch takes, journaled, then published: events first. Returns both; they are
   * valid until the next batch.
   */
  batch(): EngineOutput {
    const output = this.own.output
    output.reset()
    this.poison(output)
    for (let i = this.prng.between(1, BATCH); i > 0; i--) {
      this.nowMs = Ms(this.nowMs + this.prng.below(3))
      const spec = this.prng.pick(symbols)
      const command = this.workload.next(spec, this.nowMs, this.stateOf(spec.id))
      this.engines[spec.id]!.execute(encode(command), 0, this.nowMs)
    }
    return this.finish()
  }

  /** A change of a symbol, and what an auction would have come to before it, as a batch. */
  respecify(symbolId: SymbolId, changes: Partial<SymbolSpec>): EngineOutput {
    const { output } = this.own
    const engine = this.engines[symbolId]!
    output.reset()
    this.poison(output)
    engine.indicate(this.nowMs)
    engine.respecify({ ...engine.spec, ...changes })
    engine.goOn(this.nowMs)
    return this.finish()
  }

  /** An event that no engine of the run makes, by a generated writer: it is journaled alone. */
  add<Fields>(
    write: (buffer: RecordBuffer, at: number, event: Fields) => number,
    event: Fields,
  ): void {
    const buffer = RecordBuffer.allocate(ADDED_BYTES)
    this.append(buffer, write(buffer, 0, event))
  }

  private append(events: RecordBuffer, end: number): void {
    const position = this.journal.lastPosition + 1
    this.journal.append(this.blocks.seal(events, end, position, this.nowMs))
  }

  private finish(): EngineOutput {
    const { output } = this.own
    if (output.eventsEnd > 0) this.append(output.events, output.eventsEnd)
    this.own.holds.settle(true, this.nowMs)
    for (const { id } of symbols) {
      this.own.lastPrices.publish(id, Ticks(this.engines[id]!.counters[Counter.lastPriceTicks]!))
    }
    this.publish(output.events, output.eventsEnd)
    this.publish(output.replies, output.repliesEnd)
    return output
  }

  /** The replies to a query, in place of what the last batch wrote. */
  ask(command: Command): { readonly buffer: RecordBuffer; readonly offsets: number[] } {
    const output = this.own.output
    output.reset()
    this.poison(output)
    const { symbolId } = command.record
    this.engines[symbolId]!.execute(encode(command), 0, this.nowMs)
    if (command.name === 'QueryBook' && !this.depths[symbolId]!.synced) {
      this.publish(output.replies, output.repliesEnd)
    }
    return { buffer: output.replies, offsets: offsetsOf(output.replies, output.repliesEnd) }
  }

  /** The write-ahead log's cells, by matcher. */
  get wals(): readonly WalCells[] {
    return [this.journal.cells]
  }

  close(): void {
    this.journal.close()
  }

  private poison({ events, replies, notices }: EngineOutput): void {
    if (this.pattern === 0) return
    events.bytes.fill(this.pattern)
    replies.bytes.fill(this.pattern)
    notices.bytes.fill(this.pattern)
  }

  private publish(buffer: RecordBuffer, end: number): void {
    for (const at of offsetsOf(buffer, end)) {
      const symbolId = RecordHeader.symbolId(buffer, at)
      this.seen.add(recordType(buffer, at))
      this.depths[symbolId]!.apply(buffer, at)
      this.report(symbolId, buffer, at)
      if (recordType(buffer, at) !== OrderListChanged.type) continue
      const account = OrderListChanged.account(buffer, at)
      const list = listStateOf(buffer, at)
      this.lists.set(list.orderListId, { ...list, account, symbolId })
    }
  }

  /** Each event is read alone, by a reporter that has seen no other. */
  private report(symbolId: SymbolId, buffer: RecordBuffer, at: number): void {
    const reporter = new ExecutionReporter(assets, symbols)
    const alone = RecordBuffer.allocate(recordLength(buffer, at))
    alone.bytes.set(buffer.bytes.subarray(at, at + alone.bytes.length))
    this.reportedSymbol = symbolId
    reporter.read(alone, 0)
    const form = { spec: symbols[symbolId]!, microseconds: false }
    const tell = (owner: number, ofMaker: boolean) => {
      if (owner < 0) return
      const row = reporter.report(form.spec, alone, 0, ofMaker, this.nowMs)
      this.tell(AccountId(owner), plainRows(new Rows(executionReport, row, form)))
    }
    tell(reporter.owner, false)
    tell(reporter.makerOwner, true)
  }

  private tell(account: AccountId, shown: unknown): void {
    const report = shown as Record<string, unknown>
    if (report.x === 'REJECTED') return
    this.told[this.reportedSymbol]!.set(report.i as number, { account, report })
  }

  /** What the workload needs of the twin, found in reports. */
  private stateOf(symbolId: SymbolId): PlainState {
    const open = [...this.told[symbolId]!.values()].filter(({ report }) => isOpen(report))
    const { lotUnits } = symbols[symbolId]!
    const orders = open.map(({ account, report }) => ({
      account,
      orderId: report.i,
      clientOrderId: report.c,
      lots: BigInt(Math.round((Number(report.q) * 1e8) / lotUnits)),
    }))
    const lists = [...this.lists.values()]
      .filter((it) => it.symbolId === symbolId && it.orderStatus === ListOrderStatus.EXECUTING)
      .map((it) => ({ ...it, clientOrderId: it.listClientOrderId }))
    const orderId = Math.max(0, ...this.told[symbolId]!.keys())
    const orderListId = Math.max(0, ...this.lists.keys())
    const {
      protections: known,
      reference,
      lastPriceTicks,
      blockTrades: made,
    } = this.engines[symbolId]!.state
    const protections = accounts.flatMap(({ id }) => known.of(id) ?? [])
    const blockTrades = made.all.map((trade) => ({
      ...trade,
      requestId: unpackClientOrderId(trade.requestId, 0),
    }))
    const rest = { protections, reference, lastPriceTicks, blockTrades }
    return { orders, lists, orderId, orderListId, ...rest } as unknown as PlainState
  }
}

export const isOpen = ({ X }: Readonly<Record<string, unknown>>): boolean =>
  X === 'NEW' || X === 'PARTIALLY_FILLED' || X === 'PENDING_NEW'

/** Queries the whole of a small book. */
export const wholeBook = (symbolId: SymbolId): Command => ({
  name: 'QueryBook',
  record: { ...asking(symbolId), side: 0, limit: 10_000, afterTicks: Ticks(0) },
})

export const asking = (symbolId: SymbolId) => ({ symbolId, gateway: 0, correlation: 0 })

function offsetsOf(buffer: RecordBuffer, end: number): number[] {
  const offsets: number[] = []
  for (let at = 0; at < end; at += recordLength(buffer, at)) offsets.push(at)
  return offsets
}
