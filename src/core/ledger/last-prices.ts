/**
 * The price of each symbol's last published trade, in ticks: one atomic cell for each symbol id.
 * Writer of a cell: the matcher that owns the symbol, when it publishes, and after recovery. Readers:
 * all matchers, to convert commissions. What is read may be older than the newest trade; whatever was
 * decided by it stands in the events.
 */
import { SYMBOLS_MAX } from '../../base/limits.ts'
import { type SymbolId, Ticks, Words } from '../../base/units.ts'

export class LastPrices {
  private readonly ticks: Words<Ticks>

  static readonly bytes = SYMBOLS_MAX * 4

  /** A memory of all zeros knows no price. */
  constructor(memory: SharedArrayBuffer) {
    this.ticks = Words(new Int32Array(memory))
  }

  /** 0 when the symbol has not traded. */
  ticksOf(symbolId: SymbolId): Ticks {
    return Ticks(Atomics.load(this.ticks, symbolId))
  }

  /** Only the cell's writer may call this, which is why its own plain read is right. */
  publish(symbolId: SymbolId, priceTicks: Ticks): void {
    if (this.ticks[symbolId] !== priceTicks) Atomics.store(this.ticks, symbolId, priceTicks)
  }
}
