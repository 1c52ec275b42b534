/**
 * An index of records in chains: each home names the first of its records, and each record, in one of
 * its words, the next. Zero ends a chain. Nothing moves when an entry leaves.
 *
 * The index compares no keys: the records' owner does, walking a chain. Writer: the book that
 * owns it.
 */
import { assert } from '../../base/assert.ts'

export class Chains {
  /** First record of each home; 0 where there is none. */
  readonly homes: Int32Array
  readonly mask: number
  private readonly links: Int32Array

  /** A record's link is links[record]. `homes` are all zeros, or what an index left there. */
  constructor(homes: Int32Array, links: Int32Array) {
    assert((homes.length & (homes.length - 1)) === 0, 'a power of two of homes')
    this.homes = homes
    this.mask = homes.length - 1
    this.links = links
  }

  next(record: number): number {
    return this.links[record]!
  }

  add(home: number, record: number): void {
    this.links[record] = this.homes[home]!
    this.homes[home] = record
  }

  /** Removes a record that was added at this home. */
  remove(home: number, record: number): void {
    const { homes, links } = this
    const next = links[record]!
    const first = homes[home]!
    if (first === record) homes[home] = next
    else {
      let at = first
      while (links[at] !== record) at = links[at]!
      links[at] = next
    }
  }
}
