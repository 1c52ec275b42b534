/** The simulation's exchange, brought back on one thread by what a start brings it back with. */
import { randomInt } from 'node:crypto'
import { bookShape } from '../../src/agents/book-memory.ts'
import { MatcherSymbols } from '../../src/agents/matcher-symbols.ts'
import type { SnapshotOptions } from '../../src/agents/snapshots.ts'
import { keepEverything } from '../../src/archive/retention.ts'
import { assetsMaxOf } from '../../src/base/limits.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { AccountId, AssetId, type Ms, Ticks } from '../../src/base/units.ts'
import { type Config, parseConfig } from '../../src/config/config.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { Holds } from '../../src/core/ledger/holds.ts'
import { LastPrices } from '../../src/core/ledger/last-prices.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { EngineOutput } from '../../src/core/matching/output.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import { RecordHeader } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { reserve } from '../../src/threads/memory.ts'
import { recoverSymbols, takeSnapshot } from '../../src/threads/recover.ts'
import type { ThreadStart } from '../../src/threads/thread-messages.ts'
import { ACCOUNTS, accounts, deposits, exchange, symbols } from '../sim/world.ts'

const sizes = { ordersPerSymbol: 80, accounts: ACCOUNTS }

export const snapshotOptions = (dataFolder: string): SnapshotOptions => ({
  dataFolder,
  symbols: () => symbols,
  accountsMax: ACCOUNTS,
  shapeOf: (spec) => bookShape(spec, sizes),
  idSalt: randomInt(2 ** 32),
  kept: 3,
  goesOn: () => true,
  log: () => {},
})

/** Of its only matcher. */
function startIn(dataFolder: string): ThreadStart {
  const small = { matchers: 1, gateways: 1, commandRingSlots: 8, eventRingBytes: 1 << 16 }
  const config: Config = {
    ...{ ...parseConfig([], {}, () => '').config!, ...sizes, ...small, data: dataFolder },
  }
  return {
    ...{ index: 0, epoch: 1, snapshot: 0, idSalt: randomInt(2 ** 32), follows: false, config },
    ...{ symbols, accounts, exchange, regions: reserve(config, symbols) },
    ...{ matcherOf: symbols.map(() => 0), retention: keepEverything },
    ...{ assets: [], valuationAsset: undefined, distributions: [], klines: [] },
  }
}

export class RecoveredExchange {
  readonly engines: readonly Engine[]
  readonly balances: Balances
  /** Of the snapshot that it began from; 0 without one. */
  readonly snapshotNumber: number
  readonly replayedEvents: number
  /** Why snapshots were passed over. */
  readonly logged: string[] = []
  private readonly holds: Holds
  private readonly lastPrices: LastPrices
  private readonly output = new EngineOutput()

  /** From the newest snapshot, unless it is told to begin from nothing. */
  constructor(dataFolder: string, isFromSnapshot = true) {
    const start = startIn(dataFolder)
    const { regions } = start
    const assetsMax = assetsMaxOf(ACCOUNTS)
    this.balances = new Balances(regions.balances, ACCOUNTS, assetsMax)
    this.holds = new Holds(this.balances, ACCOUNTS, assetsMax)
    this.lastPrices = new LastPrices(regions.lastPrices)
    for (const [account, asset, atoms] of deposits)
      this.balances.credit(AccountId(account), AssetId(asset), atoms)
    const passed = (sentence: string) => void this.logged.push(sentence)
    const chosen = isFromSnapshot ? takeSnapshot(start, this.balances, passed) : undefined
    const { snapshot = 0 } = chosen ?? {}
    const own = new MatcherSymbols(start, this.holds, this.lastPrices, this.output)
    this.engines = own.engines.map((engine) => engine!)
    const time = new RealTime()
    const from = { ...start, snapshot }
    this.replayedEvents = recoverSymbols(from, this.engines, this.balances, time, () => {})!.events
    this.snapshotNumber = snapshot
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

  private publishPrices(): void {
    for (const { spec, counters } of this.engines) {
      this.lastPrices.publish(spec.id, Ticks(counters[Counter.lastPriceTicks]!))
    }
  }
}
