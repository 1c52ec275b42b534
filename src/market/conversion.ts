/**
 * The worth of an atom of one asset in atoms of another, at last prices: an exact fraction. The path
 * is one symbol that joins the two, in either direction, or two symbols that join both to a third
 * asset. A symbol that has not traded joins nothing. Of several paths the first by symbol ids counts.
 */
import type { AssetId, SymbolId, Ticks } from '../base/units.ts'
import type { SymbolSpec } from './listing.ts'

/** Returns the price of a symbol's last trade, in ticks; 0 when it has not traded. */
export interface LastTicks {
  ticksOf(symbolId: SymbolId): Ticks
}

/** A step from one asset to another over a symbol that has both. */
interface Step {
  readonly symbol: SymbolSpec
  /** From base to quote. */
  readonly sells: boolean
}

export class Conversion {
  /** Atoms of `to` for one atom of `from`, by the last `find`. */
  numerator = 1n
  denominator = 1n
  private readonly prices: LastTicks
  private readonly ways: readonly (readonly Step[])[]
  /** The path of the fraction, and its prices in ticks. */
  private way: readonly Step[] | undefined = undefined
  private ticks: Ticks[] = []

  /** `from` and `to` are ids of assets. */
  constructor(symbols: readonly SymbolSpec[], prices: LastTicks, from: AssetId, to: AssetId) {
    this.prices = prices
    this.ways = pathsOver(symbols).between(from, to)
  }

  /** Updates the fraction to the last prices. Returns false when no path has all its prices. */
  find(): boolean {
    for (const way of this.ways) {
      if (way.every(({ symbol }) => this.prices.ticksOf(symbol.id) !== 0)) {
        this.take(way)
        return true
      }
    }
    return false
  }

  private take(way: readonly Step[]): void {
    const ticks = way.map(({ symbol }) => this.prices.ticksOf(symbol.id))
    if (way === this.way && ticks.every((value, index) => value === this.ticks[index])) return
    this.way = way
    this.ticks = ticks
    this.numerator = 1n
    this.denominator = 1n
    way.forEach(({ symbol, sells }, index) => {
      const quote = BigInt(ticks[index]!) * BigInt(symbol.atomsPerTickLot)
      const base = BigInt(symbol.atomsPerLot) * BigInt(symbol.tickLotParts)
      this.numerator *= sells ? quote : base
      this.denominator *= sells ? base : quote
    })
  }
}

/** The paths over a list of symbols. Those between two assets are searched once: many symbols have them in common. */
class Paths {
  /** Symbols of the list when it was read. */
  readonly count: number
  private readonly stepsFrom = new Map<AssetId, Step[]>()
  private readonly found = new Map<AssetId, Map<AssetId, readonly (readonly Step[])[]>>()

  constructor(symbols: readonly SymbolSpec[]) {
    this.count = symbols.length
    for (const symbol of symbols) {
      this.add(symbol.base.id, { symbol, sells: true })
      this.add(symbol.quote.id, { symbol, sells: false })
    }
  }

  between(from: AssetId, to: AssetId): readonly (readonly Step[])[] {
    const found = this.found.get(from) ?? new Map<AssetId, readonly (readonly Step[])[]>()
    this.found.set(from, found)
    const ways = found.get(to) ?? this.search(from, to)
    found.set(to, ways)
    return ways
  }

  private search(from: AssetId, to: AssetId): readonly (readonly Step[])[] {
    if (from === to) return [[]]
    const firsts = this.from(from)
    const ways: (readonly Step[])[] = firsts
      .filter((step) => targetOf(step) === to)
      .map((step) => [step])
    for (const first of firsts) {
      if (targetOf(first) === to) continue
      for (const second of this.from(targetOf(first))) {
        if (targetOf(second) === to) ways.push([first, second])
      }
    }
    return ways
  }

  private from(asset: AssetId): readonly Step[] {
    return this.stepsFrom.get(asset) ?? []
  }

  private add(asset: AssetId, step: Step): void {
    const steps = this.stepsFrom.get(asset)
    if (steps === undefined) this.stepsFrom.set(asset, [step])
    else steps.push(step)
  }
}

/** By list of symbols, which only grows. */
const known = new WeakMap<readonly SymbolSpec[], Paths>()

function pathsOver(symbols: readonly SymbolSpec[]): Paths {
  const paths = known.get(symbols)
  if (paths?.count === symbols.length) return paths
  const made = new Paths(symbols)
  known.set(symbols, made)
  return made
}

const targetOf = ({ symbol, sells }: Step): AssetId => (sells ? symbol.quote.id : symbol.base.id)
