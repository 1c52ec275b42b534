// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import type { AccountId, Doubles, Lots, OrderId, QuoteAtoms, Words } from '../../base/units.ts'
import { doublesOf, type MemoryMap, wordsOf } from './memory-map.ts'

/** Columns of a book's orders: views of its records and amounts, each from one of its words on. */
export class BookColumns {
  readonly orderId: Doubles<OrderId>
  readonly openLots: Doubles<Lots>
  readonly filledLots: Doubles<Lots>
  /** cumulative quote */
  readonly filledAtoms: Doubles<QuoteAtoms>
  /** the first word 0 for none */
  readonly clientOrderId: Int32Array
  /** owner */
  readonly account: Words<AccountId>
  /** as OrderAccepted */
  readonly terms: Int32Array

  constructor(memory: SharedArrayBuffer, map: MemoryMap) {
    this.orderId = doublesOf(memory, map.amounts, 0)
    this.openLots = doublesOf(memory, map.amounts, 1)
    this.filledLots = doublesOf(memory, map.amounts, 2)
    this.filledAtoms = doublesOf(memory, map.amounts, 3)
    this.clientOrderId = wordsOf(memory, map.amounts, 8)
    this.account = wordsOf(memory, map.records, 5)
    this.terms = wordsOf(memory, map.records, 7)
  }
}
