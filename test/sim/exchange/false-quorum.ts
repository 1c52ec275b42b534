/**
 * The quorum of a simulated exchange: PostgreSQL's plain twin, its faults, and what must be so of it whatever
 * its members do.
 */
import { assert } from '../../../src/base/assert.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { OutcomeUnknown, type QuorumReader } from '../../../src/replica/quorum.ts'
import * as quorums from '../../model/plain-quorum.ts'
import { Fault } from '../../model/plain-quorum.ts'

const FAULTS = Object.entries(Fault).filter(([, fault]) => fault !== Fault.none)
const FAULT_CHANCE = 0.15
const LOST_READ_CHANCE = 0.02

export class FalseQuorum {
  readonly servers = new quorums.PlainQuorum()
  /** Whether servers and the ways to them fail. */
  isTroubled = false
  private readonly prng: Prng
  private readonly count: (what: string) => void
  /** By journal and position: the checksum of each block that was ever confirmed. */
  private readonly known = new Map<string, number>()

  constructor(prng: Prng, count: (what: string) => void) {
    this.prng = prng
    this.count = count
  }

  drawFault(): Fault {
    if (!this.prng.chance(FAULT_CHANCE)) return Fault.none
    const [name, fault] = this.prng.pick(FAULTS)
    this.count(`quorum: ${name}`)
    return fault
  }

  /** Every write of the action may fail. */
  async troubled<Result>(action: () => Promise<Result>): Promise<Result> {
    this.servers.nextFault = () => this.drawFault()
    try {
      return await action()
    } finally {
      this.servers.nextFault = () => Fault.none
    }
  }

  /** Servers fail, or what they were slow to do is done. */
  stir(): void {
    const prng = this.prng
    const chance = prng.unit()
    if (chance < 0.3) {
      this.servers.failOver()
      this.count('quorum failed over')
    } else if (chance < 0.6) this.servers.restart()
    if (prng.chance(0.5)) this.servers.executeLate()
  }

  /** A reader that its servers may leave, and cannot reach while `isCut`. */
  watched(reader: QuorumReader, isCut: () => boolean): QuorumReader {
    return new Proxy(reader, {
      get: (target, name: keyof QuorumReader) => {
        const call = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>
        return async (...given: unknown[]) => {
          const isLost = this.isTroubled && this.prng.chance(LOST_READ_CHANCE)
          if (isCut() || isLost) throw new OutcomeUnknown('there is no connection')
          return call(...given)
        }
      },
    })
  }

  /** Whether no loss of a machine takes the block. */
  isSafe(journal: number, position: number): boolean {
    // What was trimmed, all members have.
    if (this.known.has(`${journal}/${position}`)) return true
    return this.servers
      .confirmedBlocks()
      .some((it) => it.journal === journal && it.position === position)
  }

  /** Whether something was removed. */
  get isTrimmed(): boolean {
    const [first] = this.servers.state().blocks
    return first !== undefined && first.sequence > 1
  }

  /** Blocks follow each other, each is there once, and none is ever another one. */
  check(): void {
    let sequence = 0
    for (const block of this.servers.confirmedBlocks()) {
      const { journal, position, previous, checksum } = block
      assert(block.sequence > sequence, 'sequences rise')
      sequence = block.sequence
      const known = this.known.get(`${journal}/${position}`)
      assert(known === undefined || known === checksum, 'what was confirmed stays as it is')
      const before = this.known.get(`${journal}/${position - 1}`) ?? 0
      assert(before === previous, 'blocks of the quorum follow each other')
      this.known.set(`${journal}/${position}`, checksum)
    }
  }
}
