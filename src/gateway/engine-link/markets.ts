/**
 * Every listed symbol in one gateway, by id: its owner, and the views of its events. Operators' actions grow
 * and change these arrays in place, so all holders see it. Written on the gateway's thread alone.
 */
import { assert } from '../../base/assert.ts'
import { Ticks } from '../../base/units.ts'
import { AuctionView } from '../../core/views/auction-view.ts'
import { DayWindow } from '../../core/views/day-window.ts'
import { DepthView } from '../../core/views/depth.ts'
import { ReferencePrice } from '../../core/views/reference-price.ts'
import { Tape } from '../../core/views/tape.ts'
import type { SymbolSpec } from '../../market/listing.ts'

export class Markets {
  readonly symbols: SymbolSpec[] = []
  /** The matcher that owns it. */
  readonly matcherOf: number[] = []
  readonly depths: DepthView[] = []
  readonly tapes: Tape[] = []
  readonly dayWindows: DayWindow[] = []
  readonly auctions: AuctionView[] = []
  readonly references: ReferencePrice[] = []

  constructor(symbols: readonly SymbolSpec[], matcherOf: readonly number[]) {
    for (const spec of symbols) this.list(spec, matcherOf[spec.id]!)
  }

  /** Adds a symbol, whose id is the next one. */
  list(spec: SymbolSpec, matcher: number): void {
    assert(spec.id === this.symbols.length, 'symbols are listed in the order of their ids')
    this.symbols.push(spec)
    this.matcherOf.push(matcher)
    this.depths.push(new DepthView(spec))
    this.tapes.push(new Tape(spec))
    this.dayWindows.push(new DayWindow())
    this.auctions.push(new AuctionView())
    this.references.push(new ReferencePrice(spec.tickUnits))
  }

  /** Changes a symbol's status, filters or fees; never its units. */
  respecify(spec: SymbolSpec): void {
    this.symbols[spec.id] = spec
    this.tapes[spec.id]!.respecify(spec)
  }

  /** Adds a symbol without trades, so that its past needs no archive. */
  listNew(spec: SymbolSpec, matcher: number): void {
    this.list(spec, matcher)
    this.tapes[spec.id]!.seed([])
    this.dayWindows[spec.id]!.seed({ minutes: [], beforeTicks: Ticks(0) })
  }
}
