/** The simulation's exchange, brought back on one thread as a start brings it back. */
import { randomInt } from 'node:crypto'
import { replay } from '../../src/agents/replay.ts'
import { newestSnapshot, type SnapshotOptions } from '../../src/agents/snapshots.ts'
import { AccountId, AssetId, type Ms, OrderListId, Ticks } from '../../src/base/units.ts'
import { Book } from '../../src/core/book/book.ts'
import { AccountTable } from '../../src/core/ledger/accounts.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { EffectSums } from '../../src/core/ledger/effect-sums.ts'
import { TradeFees } from '../../src/core/ledger/fees.ts'
import { Holds } from '../../src/core/ledger/holds.ts'
import { LastPrices } from '../../src/core/ledger/last-prices.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import { Engine } from '../../src/core/matching/engine.ts'
import { OpenCounts } from '../../src/core/matching/open-counts.ts'
import { OrderListIds } from '../../src/core/matching/order-list-ids.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import { JournalMerge, journalsIn } from '../../src/journal/recovery.ts'
import { RecordHeader } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import { ACCOUNTS, ASSETS, accounts, deposits, exchange, symbols } from '../sim/world.ts'

const ORDERS_MAX = 80
const share = (bytes: number) => new SharedArrayBuffer(bytes)

const shapeOf = ({ priceTicksMax }: SymbolSpec) => ({
  priceTicksMax,
  ordersMax: ORDERS_MAX,
  accountsMax: ACCOUNTS,
})

export const snapshotOptions = (dataFolder: string): SnapshotOptions => ({
  dataFolder,
  symbols: () => symbols,
  accountsMax: ACCOUNTS,
  shapeOf,
  idSalt: randomInt(2 ** 32),
  kept: 3,
  goesOn: () => true,
  log: () => {},
})

export class RecoveredExchange {
  readonly engines: readonly Engine[]
  readonly balances = new Balances(share(Balances.bytesFor(ACCOUNTS, ASSETS)), ACCOUNTS, ASSETS)
  /** Of the snapshot that it began from; 0 without one. */
  readonly snapshotNumber: number
  readonly replayedEvents: number
  /** Why snapshots were passed over. */
  readonly logged: string[] = []
  private readonly holds = new Holds(this.balances, ACCOUNTS, ASSETS)
  private readonly lastPrices = new LastPrices(share(LastPrices.bytes))
  private readonly output = new EngineOutput()

  /** From the newest snapshot, unless it is told to begin from nothing. */
  constructor(dataFolder: string, isFromSnapshot = true) {
    const orderListIds = new OrderListIds(share(OrderListIds.bytes))
    this.engines = this.makeEngines(orderListIds)
    for (const [account, asset, atoms] of deposits)
      this.balances.credit(AccountId(account), AssetId(asset), atoms)
    const sums = new EffectSums(ACCOUNTS, ASSETS)
    const snapshot = isFromSnapshot
      ? newestSnapshot(dataFolder, symbols.length, (sentence) => this.logged.push(sentence))
      : undefined
    snapshot?.readLedger(sums)
    for (const { spec, state } of this.engines) snapshot?.readSymbol(spec.id, state)
    orderListIds.recovered(OrderListId(snapshot?.covered.orderListId ?? 0))
    const merge = new JournalMerge(dataFolder, journalsIn(dataFolder), snapshot?.covered.places)
    this.replayedEvents = replay({ merge, recovering: this.engines, symbols, sums }).events
    merge.close()
    snapshot?.close()
    this.snapshotNumber = snapshot?.number ?? 0
    sums.settle(this.balances)
    this.publishPrices()
  }

  get hash(): number {
    return stateHash(this.engines, this.balances)
  }

  /** Executes a batch and answers its events' bytes. */
  batch(commands: readonly { command: RecordBuffer; timeMs: Ms }[]): Buffer {
    const output = this.output
    output.reset()
    for (const { command, timeMs } of commands) {
      this.engines[RecordHeader.symbolId(command, 0)]!.execute(command, 0, timeMs)
    }
    this.holds.settle(true)
    this.publishPrices()
    return Buffer.from(output.events.bytes.slice(0, output.eventsEnd))
  }

  private makeEngines(orderListIds: OrderListIds): readonly Engine[] {
    const table = new AccountTable(ACCOUNTS)
    for (const account of accounts) table.set(account)
    const openCounts = symbols.map(() => new OpenCounts(share(OpenCounts.bytesFor(ACCOUNTS))))
    const holds = this.holds
    const output = this.output
    const shared = { holds, accounts: table, exchange, orderListIds, openCounts, output }
    return symbols.map((spec) => {
      const shape = shapeOf(spec)
      const book = new Book(share(Book.bytesFor(shape)), shape, randomInt(2 ** 32))
      const lastPrices = this.lastPrices
      const fees = new TradeFees({ spec, accounts: table, holds, exchange, symbols, lastPrices })
      return new Engine({ spec, book, fees, ...shared })
    })
  }

  private publishPrices(): void {
    for (const { spec, counters } of this.engines) {
      this.lastPrices.publish(spec.id, Ticks(counters[Counter.lastPriceTicks]!))
    }
  }
}
