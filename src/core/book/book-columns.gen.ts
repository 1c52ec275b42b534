// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import { type AccountId, type Lots, type OrderId, type QuoteAtoms, type Doubles, Int64s, type Words } from '../../base/units.ts'
import { doublesOf, type MemoryMap, wordsOf } from './memory-map.ts'

/** Columns of a book's orders: views of its records and amounts, each from one of its words on. */
export class BookColumns {
  readonly orderId: Doubles<OrderId>
  readonly openLots: Doubles<Lots>
  readonly filledLots: Doubles<Lots>
  /** cumulative quote */
  readonly filledAtoms: Int64s<QuoteAtoms>
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
    this.filledAtoms = new Int64s(wordsOf(memory, map.amounts, 6))
    this.clientOrderId = wordsOf(memory, map.amounts, 8)
    this.account = wordsOf(memory, map.records, 5)
    this.terms = wordsOf(memory, map.records, 7)
  }
}

/** Gives all that a slot holds, but its links, to a new order. */
export function resetSlot(
  amounts: Float64Array,
  records: Int32Array,
  tails: Int32Array,
  slot: number,
  orderId: OrderId,
  openLots: Lots,
  account: AccountId,
  terms: number,
): void {
  const tail = slot >> 1
  amounts[slot | 0] = orderId
  amounts[slot | 1] = openLots
  amounts[slot | 2] = 0
  amounts[slot | 3] = 0
  amounts[slot | 4] = 0
  records[slot | 5] = account
  records[slot | 7] = terms
  tails[tail | 0] = 0
  tails[tail | 1] = 0
  tails[tail | 2] = 0
}
