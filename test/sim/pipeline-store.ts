/**
 * The journal of a simulated matcher: memory that loses power as FaultyStore does, that may refuse one
 * append or one flush, and that calls a witness just before and just after a block is there, so that
 * the witness sees what the matcher had already done by then.
 */
import { assert } from '../../src/base/assert.ts'
import type { Durability } from '../../src/journal/store.ts'
import { FaultyStore } from './faulty-store.ts'

/** The disk refused. The matcher that meets it is over. */
export class DiskFault extends Error {
  override readonly name = 'DiskFault'
}

/** `append`: the block is not there. `doubt`: it is, but its writer got no answer. `flush`: no flush. */
export type Fault = 'none' | 'append' | 'doubt' | 'flush'

export interface StoreWitness {
  /** The block is about to be appended: no reader may know of it. */
  appending(): void
  /** The block is the journal's last one, flushed or not. */
  appended(block: Uint8Array): void
}

export class PipelineStore extends FaultyStore {
  /** What goes wrong next. */
  fault: Fault = 'none'
  witness: StoreWitness | undefined
  private readonly isEachFlushed: boolean
  private readonly unflushedMax: number
  private failed = false

  /** With 'committed' the store leaves at most `unflushedMax` blocks unflushed. */
  constructor(durability: Durability, unflushedMax: number) {
    super('committed')
    this.isEachFlushed = durability === 'flushed'
    this.unflushedMax = unflushedMax
  }

  override append(block: Uint8Array): void {
    assert(!this.failed, 'nothing is appended after a failed append')
    this.witness?.appending()
    if (this.fault === 'append') this.fail()
    super.append(block)
    this.witness?.appended(block)
    if (this.fault === 'doubt') this.fail()
    const unflushed = this.lastPosition - this.flushedPosition
    if (this.isEachFlushed || unflushed >= this.unflushedMax) this.flush()
  }

  override flush(): void {
    assert(!this.failed, 'nothing is flushed after a failed append')
    if (this.fault === 'flush') this.fail()
    super.flush()
  }

  override tear(kept: number): void {
    super.tear(kept)
    this.fault = 'none'
    this.failed = false
  }

  private fail(): never {
    this.failed = true
    throw new DiskFault(this.fault)
  }
}
