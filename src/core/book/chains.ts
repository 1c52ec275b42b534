/**
 * An index of records in chains: each home names the first of its records, and each record, in one of
 * its words, the next. Zero ends a chain. Nothing moves when an entry leaves, and as there are about
 * as many homes as a busy book has orders, nearly every chain is one record long.
 *
 * The index compares no keys: whoever owns the records does, walking a chain. Writer: the book that
 * owns it.
 */
import { assert } from '#base/assert.ts'
import { RecordWord } from './memory-map.ts'

const { SHIFT } = RecordWord

export class Chains {
  /** First record of each home; 0 where there is none. */
  readonly homes: Int32Array
  readonly mask: number
  private readonly records: Int32Array
  private readonly word: number

  /** Chains run through `word` of the records. `homes` are all zeros, or what an index left there. */
  constructor(homes: Int32Array, records: Int32Array, word: number) {
    assert((homes.length & (homes.length - 1)) === 0, 'a power of two of homes')
    this.homes = homes
    this.mask = homes.length - 1
    this.records = records
    this.word = word
  }

  next(record: number): number {
    return this.records[(record << SHIFT) | this.word]!
  }

  add(home: number, record: number): void {
    this.records[(record << SHIFT) | this.word] = this.homes[home]!
    this.homes[home] = record
  }

  /** Removes a record that was added at this home. */
  remove(home: number, record: number): void {
    const { homes, records, word } = this
    const next = records[(record << SHIFT) | word]!
    let before = homes[home]!
    if (before === record) homes[home] = next
    else {
      while (records[(before << SHIFT) | word] !== record) {
        before = records[(before << SHIFT) | word]!
      }
      records[(before << SHIFT) | word] = next
    }
  }
}
