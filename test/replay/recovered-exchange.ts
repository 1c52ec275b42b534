/** The simulation's exchange, brought back on one thread by what a start brings it back with. */
import { randomInt } from 'node:crypto'
import { bookShape } from '../../src/agents/book-memory.ts'
import { MatcherSymbols } from '../../src/agents/matcher-symbols.ts'
import { recoverSymbols, takeSnapshot } from '../../src/agents/recover.ts'
import type { SnapshotOptions } from '../../src/agents/snapshots.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { type Ms, Ticks } from '../../src/base/units.ts'
import type { Balances } from '../../src/core/ledger/balances.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import { RecordHeader } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { deposit, startOf } from '../fixtures/thread-start.ts'
import { ACCOUNTS, accounts, deposits, exchange, symbols } from '../sim/world.ts'

const sizes = { ordersPerSymbol: 80, accounts: ACCOUNTS }

export const snapshotOptions = (dataFolder: string): SnapshotOptions => ({
  dataFolder,
  symbols: () => symbols,
  accountsMax: ACCOUNTS,
  shapeOf: () => bookShape(sizes),
  idSalt: randomInt(2 ** 32),
  kept: 3,
  goesOn: () => true,
  log: () => {},
})

const small = { matchers: 1, gateways: 1, commandRingSlots: 8, eventRingBytes: 1 << 16 }

export class RecoveredExchange {
  readonly engines: readonly Engine[]
  readonly balances: Balances
  /** The snapshot that it began from; 0 without one. */
  readonly snapshotNumber: number
  readonly replayedEvents: number
  /** Why snapshots were passed over. */
  readonly logged: string[] = []
  private readonly own: MatcherSymbols

  /** From the newest snapshot, unless it has to begin from nothing. */
  constructor(dataFolder: string, isFromSnapshot = true) {
    const facts = { epoch: 1, idSalt: randomInt(2 ** 32), symbols, accounts, exchange }
    const start = startOf(facts, { ...sizes, ...small, data: dataFolder })
    this.balances = deposit(start, deposits)
    const passed = (sentence: string) => void this.logged.push(sentence)
    const chosen = isFromSnapshot ? takeSnapshot(start, this.balances, passed) : undefined
    const { snapshot = 0 } = chosen ?? {}
    this.own = new MatcherSymbols(start)
    this.engines = this.own.engines.map((engine) => engine!)
    const ways = { time: new RealTime(), report: () => {} }
    this.replayedEvents = recoverSymbols({ ...start, snapshot }, this.own, ways)!.events
    this.snapshotNumber = snapshot
    this.publishPrices()
  }

  get hash(): number {
    return stateHash(this.engines, this.balances)
  }

  /** Executes a batch and answers its events' bytes. */
  batch(commands: readonly { command: RecordBuffer; timeMs: Ms }[]): Buffer {
    const { output, holds } = this.own
    output.reset()
    for (const { command, timeMs } of commands) {
      this.engines[RecordHeader.symbolId(command, 0)]!.execute(command, 0, timeMs)
    }
    holds.settle(true)
    this.publishPrices()
    return Buffer.from(output.events.bytes.slice(0, output.eventsEnd))
  }

  private publishPrices(): void {
    for (const { spec, counters } of this.engines) {
      this.own.lastPrices.publish(spec.id, Ticks(counters[Counter.lastPriceTicks]!))
    }
  }
}
