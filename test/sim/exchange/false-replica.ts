/**
 * A leader's way to the quorum of a simulated exchange, without a thread. A block may be slow, while other
 * matchers work; its answer may be lost, its wait cancelled, its statement late, the primary lost, or the way
 * there cut; and another member may take the lead.
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
  NO_POINT,
  type Quorum,
  type QuorumBlock,
  type QuorumPoint,
  QuorumRefusal,
} from '../../../src/replica/quorum.ts'
import { Fault } from '../../model/plain-quorum.ts'
import type { FalseQuorum } from './false-quorum.ts'

const SLOW_CHANCE = 0.2
/** For each block, where anything may fail. */
const OVERTAKEN_CHANCE = 0.01
const MACHINE_LOST_CHANCE = 0.4
/** More than any fault of the quorum lasts. */
const BRING_TRIES_MAX = 500
const OTHER_MEMBER = 'another member'

export interface FalseReplicaOptions {
  readonly prng: Prng
  readonly quorum: FalseQuorum
  /** Called with what happened. */
  readonly count: (what: string) => void
  /** Lets others work while a block of the matcher is on its way. */
  readonly meanwhile: (matcher: number) => void
  /** Whether a member that does nothing else may take the lead. */
  readonly mayBeOvertaken: () => boolean
}

/** The lead, once it is taken and the folder is as the quorum. */
interface Taken {
  readonly epoch: number
  readonly ends: ReadonlyMap<number, QuorumPoint>
  readonly watermark: number
}

export class FalseReplica {
  /** Whether nothing reaches the quorum. */
  isCut = false
  private readonly options: FalseReplicaOptions
  private _connection: Quorum
  private _epoch = 0
  private ends = new Map<number, QuorumPoint>()
  /** The highest sequence that is known to be on the quorum. */
  private watermark = 0
  /** What the other member found when it took the lead. */
  private found: ReadonlyMap<number, QuorumPoint> | undefined = undefined

  constructor(options: FalseReplicaOptions) {
    this.options = options
    this._connection = options.quorum.servers.connect()
  }

  get epoch(): number {
    return this._epoch
  }

  /** To the primary, open. */
  get connection(): Quorum {
    return this._connection
  }

  /** Takes the lead as a start does; afterwards the folder has what the quorum has. */
  async join(dataFolder: string): Promise<void> {
    this.checkHistory()
    const quorum = this.options.quorum.servers.connect()
    const sleep = async () => {}
    const damaged = (sentence: string) => {
      throw new Error(sentence)
    }
    const options = { dataFolder, lastEpoch: this._epoch, address: 'http://member', sleep, damaged }
    this.lead(await join({ ...options, quorum }), quorum)
  }

  /** The member has taken the lead. */
  lead({ epoch, ends, watermark }: Taken, connection: Quorum): void {
    this._connection = connection
    this._epoch = epoch
    this.ends = new Map(ends)
    this.watermark = watermark
    this.found = undefined
    this.isCut = false
  }

  /**
   * Replaces the folder, now and then, by that of another machine, which was given the key of API secrets
   * and nothing else.
   */
  mayMoveFrom(dataFolder: string): void {
    const { prng, quorum, count } = this.options
    if (!prng.chance(MACHINE_LOST_CHANCE) || quorum.isTrimmed) return
    loseMachine(dataFolder)
    count('machine lost')
  }

  /** The quorum of a matcher's journal. */
  quorumOf(matcher: number): JournalQuorum {
    const reader = new BlockReader()
    let offered: QuorumBlock | undefined
    return {
      offer: (bytes, position) => {
        reader.open(bytes, `Block ${position}`)
        offered = quorumBlock(reader, new Uint8Array(bytes))
      },
      wait: () => {
        const { prng, quorum, count, meanwhile, mayBeOvertaken } = this.options
        if (!this.isCut && quorum.isTroubled && prng.chance(SLOW_CHANCE)) {
          count('slow quorum')
          meanwhile(matcher)
        }
        if (mayBeOvertaken() && prng.chance(OVERTAKEN_CHANCE)) this.loseLead()
        this.bring([offered!])
      },
    }
  }

  /** Brings facts to the quorum before the control journal has them. */
  readonly before: BeforeAppend = (first, texts) => {
    let end = this.ends.get(CONTROL_JOURNAL) ?? NO_POINT
    assert(end.position === first - 1, 'the quorum has every fact before')
    const blocks = texts.map((text) => {
      const block = controlBlock(Buffer.from(text), end)
      end = block
      return block
    })
    this.bring(blocks)
  }

  /** Whether the quorum has the block; looked up when the outcome of its insert is unknown. */
  isThere({ journal, position, checksum }: QuorumBlock): boolean {
    const { blocks } = this.options.quorum.servers.state()
    return blocks.some(
      (it) => it.journal === journal && it.position === position && it.checksum === checksum,
    )
  }

  /** Commits a beat. Resolves to whether the quorum confirms that this member leads. */
  async beat(): Promise<boolean> {
    if (this.isCut) return false
    await this._connection.open()
    try {
      this.watermark = Math.max(this.watermark, await this._connection.beat(this._epoch))
      return true
    } catch (error) {
      if (!(error instanceof QuorumRefusal)) throw error
      return false
    }
  }

  /** Shows followers what no later block has shown. */
  async mark(): Promise<void> {
    if (this.isCut) return
    await this._connection.open()
    await this._connection.mark(this.watermark)
  }

  /** One that another member has succeeded can write nothing, whatever it tries. */
  async checkFence(): Promise<void> {
    const before = this.endsNow()
    const { servers } = this.options.quorum
    const stale = servers.connect()
    await stale.open()
    const [journal, { position, checksum: previous }] = [...this.ends][0]!
    const block = { journal, position: position + 1, previous, checksum: 1, bytes: Buffer.from('') }
    for (const write of [
      () => stale.append(this._epoch, [block], this.watermark),
      () => stale.beat(this._epoch),
      () => stale.nameSuccessor(this._epoch, OTHER_MEMBER),
    ]) {
      assert(await isRefused(write()), 'a leader that lost the lead is refused')
    }
    deepStrictEqual(this.endsNow(), before, 'a leader that lost the lead writes nothing')
  }

  /** Returns once the blocks are on the quorum. Throws QuorumRefusal when another member leads. */
  private bring(blocks: readonly QuorumBlock[]): void {
    const { quorum } = this.options
    if (this.isCut) {
      this.leave(blocks)
      throw new QuorumRefusal('The quorum did not confirm the block.')
    }
    const last = blocks.at(-1)!
    for (let tries = 0; !this.append(blocks); tries++) {
      assert(tries < BRING_TRIES_MAX, 'the quorum takes the blocks of its leader')
      this.lookAgain()
      if (this.isThere(last)) break
    }
    this.ends.set(last.journal, last)
    this.watermark = quorum.servers.confirmedBlocks().at(-1)!.sequence
  }

  /** What was on its way when the way was cut may be on the primary alone. */
  private leave(blocks: readonly QuorumBlock[]): void {
    const { prng, quorum } = this.options
    const { servers } = quorum
    if (prng.chance(0.5)) return
    servers.nextFault = () => Fault.cancelledWait
    this._connection.append(this._epoch, blocks, this.watermark).catch(() => {})
    servers.nextFault = () => Fault.none
  }

  /** Returns false when the outcome is unknown. */
  private append(blocks: readonly QuorumBlock[]): boolean {
    const { quorum } = this.options
    const { servers } = quorum
    const fault = quorum.drawFault()
    servers.nextFault = () => fault
    // The twin does its work before it returns; of its outcome nothing is known but by what it left.
    this._connection.append(this._epoch, blocks, this.watermark).catch(() => {})
    servers.nextFault = () => Fault.none
    if (fault !== Fault.none) return false
    const { journal, position } = blocks.at(-1)!
    if (quorum.isSafe(journal, position)) return true
    if (servers.state().lead?.epoch === this._epoch) return false
    throw new QuorumRefusal('Another member leads.')
  }

  /** Connects again, and commits a beat: after it, all that is seen is on the quorum. */
  private lookAgain(): void {
    const { quorum } = this.options
    quorum.stir()
    this._connection = quorum.servers.connect()
    void this._connection.open()
    this._connection.beat(this._epoch).catch(() => {})
  }

  private loseLead(): void {
    const { quorum, count } = this.options
    const { lead } = quorum.servers.state()
    const epoch = this._epoch + 1
    const other = quorum.servers.connect()
    void other.open()
    void other.takeLead(lead, { epoch, member: OTHER_MEMBER, address: '' })
    this.found = this.endsNow()
    count('stale leader')
  }

  private checkHistory(): void {
    const found = this.found
    if (found !== undefined) {
      deepStrictEqual(this.endsNow(), found, 'a leader that lost the lead writes nothing')
    }
    this.options.quorum.check()
  }

  private endsNow(): ReadonlyMap<number, QuorumPoint> {
    return new Map(
      this.options.quorum.servers
        .state()
        .blocks.map(({ journal, position, checksum }) => [journal, { position, checksum }]),
    )
  }
}

/** Removes the folder; another machine is given the key of API secrets. */
export function loseMachine(dataFolder: string): void {
  const file = path.join(dataFolder, 'secret.key')
  const key = fs.readFileSync(file)
  fs.rmSync(dataFolder, { recursive: true })
  fs.mkdirSync(dataFolder)
  fs.writeFileSync(file, key)
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
