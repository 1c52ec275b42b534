/**
 * The life of a batch (src/README.md) by hand, on one thread: execute, append, settle. Each step is a
 * separate call, so that the simulation can put another matcher's steps, or a crash, between them.
 */
import type { MatcherSymbols } from '../../src/agents/matcher-symbols.ts'
import type { Ms } from '../../src/base/units.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import type { EngineOutput } from '../../src/core/matching/output.ts'
import { RecordHeader } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { FaultyStore } from './faulty-store.ts'
import { type NamedRecord, readRecords } from './records.ts'

export class SimulatedMatcher {
  readonly store: FaultyStore
  readonly symbols: MatcherSymbols
  /** By symbol id; only its own. */
  readonly engines: readonly (Engine | undefined)[]
  private readonly output: EngineOutput

  constructor(symbols: MatcherSymbols, store: FaultyStore) {
    this.symbols = symbols
    this.engines = symbols.engines
    this.output = symbols.output
    this.store = store
  }

  get hasOpenBatch(): boolean {
    return this.output.eventsEnd > 0
  }

  /** Whether the batch has no room for what is unfinished. */
  get isBatchFull(): boolean {
    return this.output.isFull
  }

  /** Executes the command at the beginning of `command`; answers all records it caused. */
  execute(command: RecordBuffer, timeMs: Ms, clockMs = timeMs): NamedRecord[] {
    const engine = this.engines[RecordHeader.symbolId(command, 0)]!
    return this.records(() => engine.execute(command, 0, timeMs, clockMs))
  }

  /** Continues what the last batch had no room for. */
  goOn(symbolId: number, timeMs: Ms): NamedRecord[] {
    return this.records(() => this.engines[symbolId]!.goOn(timeMs))
  }

  private records(act: () => void): NamedRecord[] {
    const output = this.output
    const { eventsEnd, repliesEnd } = output
    act()
    return [
      ...readRecords(output.events, eventsEnd, output.eventsEnd),
      ...readRecords(output.replies, repliesEnd, output.repliesEnd),
    ]
  }

  /** Appends the open batch; settles it if that made it safe. Returns whether it settled. */
  append(): boolean {
    const output = this.output
    if (output.eventsEnd > 0) this.store.append(output.events.bytes.subarray(0, output.eventsEnd))
    output.reset()
    return this.settle()
  }

  /** Flushes what was appended, and settles it unless a batch is open. */
  flush(): boolean {
    this.store.flush()
    return this.settle()
  }

  /** Other matchers may spend only what can no longer be lost. */
  private settle(): boolean {
    if (this.hasOpenBatch) return false
    const isFlushed = this.store.flushedPosition === this.store.lastPosition
    this.symbols.holds.settle(isFlushed)
    return isFlushed
  }
}

/** The events of a block, as recovery reads them. */
export function eventsOf(block: Uint8Array): RecordBuffer {
  const copy = RecordBuffer.allocate(block.length)
  copy.bytes.set(block)
  return copy
}
