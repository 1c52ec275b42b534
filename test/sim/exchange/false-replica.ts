/**
 * The quorum of a simulated exchange: PostgreSQL's plain twin, and the way there without a thread. A block
 * may be slow, while other matchers work; its answer may be lost, its wait cancelled, its statement late,
 * the primary lost; and another member may take the lead.
 */
import { deepStrictEqual } from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { assert } from '../../../src/base/assert.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { BlockReader } from '../../../src/journal/block.ts'
import type { BeforeAppend } from '../../../src/journal/control-store.ts'
import type { JournalQuorum } from '../../../src/journal/journal.ts'
import { controlBlock } from '../../../src/replica/control-facts.ts'
import { join } from '../../../src/replica/join.ts'
import { quorumBlock } from '../../../src/replica/local-journals.ts'
import {
  CONTROL_JOURNAL,
  NO_PLACE,
  type Quorum,
  type QuorumBlock,
  type QuorumPlace,
  QuorumRefusal,
} from '../../../src/replica/quorum.ts'
import * as quorums from '../../model/plain-quorum.ts'
import { Fault } from '../../model/plain-quorum.ts'

const FAULTS = Object.entries(Fault).filter(([, fault]) => fault !== Fault.none)
const FAULT_CHANCE = 0.15
const SLOW_CHANCE = 0.2
/** Of a block, where anything may fail. */
const OVERTAKEN_CHANCE = 0.01
const MACHINE_LOST_CHANCE = 0.4
const OTHER_MEMBER = 'another member'

export interface FalseReplicaOptions {
  readonly prng: Prng
  /** Told what happened. */
  readonly count: (what: string) => void
  /** Lets others work while a block of the matcher is on its way. */
  readonly meanwhile: (matcher: number) => void
}

export class FalseReplica {
  /** Whether another member may take the lead. */
  isTroubled = false
  readonly #options: FalseReplicaOptions
  readonly #servers = new quorums.PlainQuorum()
  #connection: Quorum = this.#servers.connect()
  #epoch = 0
  #ends = new Map<number, QuorumPlace>()
  /** What the other member found when it took the lead. */
  #found: ReadonlyMap<number, QuorumPlace> | undefined

  constructor(options: FalseReplicaOptions) {
    this.#options = options
  }

  get epoch(): number {
    return this.#epoch
  }

  /** Takes the lead as a start does; afterwards the folder has what the quorum has. */
  async join(dataFolder: string): Promise<void> {
    this.#checkHistory()
    this.#connection = this.#servers.connect()
    const address = 'http://member'
    const sleep = async () => {}
    const options = { dataFolder, quorum: this.#connection, lastEpoch: this.#epoch, address, sleep }
    const { epoch, ends } = await join(options)
    this.#epoch = epoch
    this.#ends = new Map(ends)
    this.#found = undefined
  }

  /**
   * Replaces the folder, now and then, by that of another machine, which was given the key of API secrets
   * and nothing else.
   */
  mayMoveFrom(dataFolder: string): void {
    if (!this.#options.prng.chance(MACHINE_LOST_CHANCE)) return
    const file = path.join(dataFolder, 'secret.key')
    const key = fs.readFileSync(file)
    fs.rmSync(dataFolder, { recursive: true })
    fs.mkdirSync(dataFolder)
    fs.writeFileSync(file, key)
    this.#options.count('machine lost')
  }

  /** Whether no loss of a machine takes the block. */
  isSafe(journal: number, position: number): boolean {
    return this.#servers
      .confirmedBlocks()
      .some((it) => it.journal === journal && it.position === position)
  }

  /** Of a matcher's journal. */
  quorumOf(matcher: number): JournalQuorum {
    const reader = new BlockReader()
    let offered: QuorumBlock | undefined
    return {
      offer: (bytes, position) => {
        reader.open(bytes, `Block ${position}`)
        offered = quorumBlock(reader, new Uint8Array(bytes))
      },
      wait: () => {
        const { prng, count, meanwhile } = this.#options
        if (this.isTroubled && prng.chance(SLOW_CHANCE)) {
          count('slow quorum')
          meanwhile(matcher)
        }
        if (this.isTroubled && prng.chance(OVERTAKEN_CHANCE)) this.#loseLead()
        this.#bring([offered!])
      },
    }
  }

  /** Of the control journal. */
  readonly before: BeforeAppend = (first, texts) => {
    let end = this.#ends.get(CONTROL_JOURNAL) ?? NO_PLACE
    assert(end.position === first - 1, 'the quorum has every fact before')
    const blocks = texts.map((text) => {
      const block = controlBlock(Buffer.from(text), end)
      end = block
      return block
    })
    this.#bring(blocks)
  }

  /** Whether the quorum has the block; looked up when the outcome of its insert is unknown. */
  isThere({ journal, position, checksum }: QuorumBlock): boolean {
    const { blocks } = this.#servers.state()
    return blocks.some(
      (it) => it.journal === journal && it.position === position && it.checksum === checksum,
    )
  }

  /** Returns once the blocks are on the quorum. Throws QuorumRefusal when another member leads. */
  #bring(blocks: readonly QuorumBlock[]): void {
    const last = blocks.at(-1)!
    while (!this.#append(blocks)) {
      this.#lookAgain()
      if (this.isThere(last)) break
    }
    this.#ends.set(last.journal, last)
  }

  /** Returns false when the outcome is unknown. */
  #append(blocks: readonly QuorumBlock[]): boolean {
    const fault = this.#drawFault()
    this.#servers.nextFault = () => fault
    // The twin does its work before it returns; of its outcome nothing is known but by what it left.
    this.#connection.append(this.#epoch, blocks, 0).catch(() => {})
    this.#servers.nextFault = () => Fault.none
    if (fault !== Fault.none) return false
    const { journal, position } = blocks.at(-1)!
    if (this.isSafe(journal, position)) return true
    if (this.#servers.state().lead?.epoch === this.#epoch) return false
    throw new QuorumRefusal('Another member leads.')
  }

  /** Connects again, and commits a beat: after it, all that is seen is on the quorum. */
  #lookAgain(): void {
    const { prng, count } = this.#options
    const chance = prng.unit()
    if (chance < 0.3) {
      this.#servers.failOver()
      count('quorum failed over')
    } else if (chance < 0.6) this.#servers.restart()
    if (prng.chance(0.5)) this.#servers.executeLate()
    this.#connection = this.#servers.connect()
    void this.#connection.open()
    this.#connection.beat(this.#epoch).catch(() => {})
  }

  #drawFault(): Fault {
    const { prng, count } = this.#options
    if (!prng.chance(FAULT_CHANCE)) return Fault.none
    const [name, fault] = prng.pick(FAULTS)
    count(`quorum: ${name}`)
    return fault
  }

  #loseLead(): void {
    const { lead } = this.#servers.state()
    const epoch = this.#epoch + 1
    const other = this.#servers.connect()
    void other.open()
    void other.takeLead(lead, { epoch, member: OTHER_MEMBER, address: '' })
    this.#found = this.#endsNow()
    this.#options.count('stale leader')
  }

  /** Blocks follow each other, and none came behind a leader's back. */
  #checkHistory(): void {
    const found = this.#found
    if (found !== undefined) {
      deepStrictEqual(this.#endsNow(), found, 'a leader that lost the lead writes nothing')
    }
    const ends = new Map<number, QuorumPlace>()
    for (const block of this.#servers.confirmedBlocks()) {
      const end = ends.get(block.journal) ?? NO_PLACE
      assert(block.position === end.position + 1, 'a block is on the quorum once')
      assert(block.previous === end.checksum, 'blocks of the quorum follow each other')
      ends.set(block.journal, block)
    }
  }

  #endsNow(): ReadonlyMap<number, QuorumPlace> {
    return new Map(
      this.#servers
        .state()
        .blocks.map(({ journal, position, checksum }) => [journal, { position, checksum }]),
    )
  }
}

/** Whether `act` fails because another member leads: its process ends then. */
export async function isRefused(act: Promise<unknown>): Promise<boolean> {
  try {
    await act
    return false
  } catch (error) {
    if (!(error instanceof QuorumRefusal)) throw error
    return true
  }
}
