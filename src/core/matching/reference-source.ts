/**
 * Where the reference price of one symbol comes from: compares what the operator wants with what the journal states,
 * writes the event that brings them together, and takes prices from outside.
 */
import { ReferenceCalculation, RejectReason } from '../../base/codes.ts'
import type { Int64 } from '../../base/int64.ts'
import type { ReferenceSettings, SymbolSpec } from '../../market/listing.ts'
import { NO_PRICE, type ReferencePrice } from '../views/reference-price.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { EventWriter } from './event-writer.ts'

export class ReferenceSource {
  private readonly reference: ReferencePrice
  private readonly events: EventWriter
  private wanted: ReferenceSettings

  constructor({ reference }: SymbolSpec, price: ReferencePrice, events: EventWriter) {
    this.reference = price
    this.events = events
    this.wanted = reference
  }

  /** The operator wants another calculation. What follows is `change`'s to do. */
  respecify({ reference }: SymbolSpec): void {
    this.wanted = reference
  }

  /** Whether the calculation is to change, between two commands. */
  get isDue(): boolean {
    return !this.reference.isAsOf(this.wanted)
  }

  /** Changes the calculation, in a separate execution. */
  change(): void {
    this.events.beginConsequence()
    this.events.referenceChanged(this.wanted, NO_PRICE)
    this.events.end()
  }

  /** A price comes from outside. */
  set(priceUnits: Int64): Verdict {
    const { settings } = this.reference
    if (settings.calculation !== ReferenceCalculation.EXTERNAL) {
      return RejectReason.NO_EXTERNAL_PRICE
    }
    this.events.referenceChanged(settings, priceUnits)
    return ADMITTED
  }
}
