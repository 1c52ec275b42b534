/**
 * One machine of a simulated exchange: a data folder, its own disk, and the process that runs there, or
 * none. With a quorum it leads, or it follows the leader and may take the lead, by the code that does so in
 * src/replica. The event loops of the replica thread (src/agents) are not here: the simulation turns instead.
 */

import { deepStrictEqual } from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { PositionsOnDisk } from '../../../src/assembly/main/member-notes.ts'
import { assert } from '../../../src/base/assert.ts'
import type { ManualClock } from '../../../src/base/manual-time.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { type Fact, isLast } from '../../../src/control/facts.ts'
import { restoreBackup } from '../../../src/journal/restore.ts'
import { catchUp } from '../../../src/replica/catch-up.ts'
import { Follower } from '../../../src/replica/follower.ts'
import { LeadWatch } from '../../../src/replica/lead-watch.ts'
import { memberOf } from '../../../src/replica/member-name.ts'
import {
  CONTROL_JOURNAL,
  OutcomeUnknown,
  type Quorum,
  type QuorumPoint,
  type QuorumReader,
  type SequencedBlock,
} from '../../../src/replica/quorum.ts'
import { readRest, type TakenOver, takeOver } from '../../../src/replica/take-over.ts'
import type { PlainReplica } from '../../model/plain-quorum.ts'
import type { FalseQuorum } from './false-quorum.ts'
import { FalseReplica, type FalseReplicaOptions } from './false-replica.ts'
import { FaultyDisk } from './faulty-disk.ts'
import { GATEWAYS, PROMOTE_AFTER_SECONDS } from './process-config.ts'
import { type LifecycleOptions, ProcessLifecycle } from './process-lifecycle.ts'
import type { WanderingClock } from './wandering-clock.ts'

/** More than any fault of the quorum lasts. */
const TRIES_MAX = 500
/** Bytes of one run of blocks: a few blocks. */
const RUN_BYTES = 4_000

export interface MachineParts {
  readonly prng: Prng
  readonly time: ManualClock
  readonly clock: WanderingClock
  readonly count: (what: string) => void
  readonly quorum: FalseQuorum | undefined
  readonly replica: Pick<FalseReplicaOptions, 'meanwhile' | 'mayBeOvertaken'>
  /** Makes a process's options of what the machine knows. */
  readonly options: (
    own: Pick<LifecycleOptions, 'folder' | 'disk' | 'follows' | 'replica'>,
  ) => LifecycleOptions
  /** Called when a follower has applied a block, to look whether it has come to what the leader had. */
  readonly followed: (process: ProcessLifecycle, block: SequencedBlock) => void
}

/** What a member that follows has beside its process. */
interface Following {
  readonly follower: Follower
  readonly watch: LeadWatch
  readonly reader: QuorumReader
}

/** The lead, taken over from another member. */
export interface Inherited extends TakenOver {
  readonly ends: ReadonlyMap<number, QuorumPoint>
}

export class Machine {
  readonly disk: FaultyDisk
  readonly replica: FalseReplica | undefined
  process: ProcessLifecycle | undefined
  /** Whether it reaches no server of the quorum. */
  isCut = false
  /** Whether the quorum may lack what it needs: an operator left it behind, or it lost its folder. */
  mayLack = false
  private readonly name: string
  private readonly root: string
  private readonly parts: MachineParts
  private readonly standby: PlainReplica | undefined
  private following: Following | undefined = undefined
  private lives = 0
  /** Facts of an act whose last one has not come yet. */
  private act: string[] = []

  constructor(name: string, root: string, parts: MachineParts) {
    const { prng, count, quorum } = parts
    this.name = name
    this.root = root
    this.parts = parts
    this.standby = quorum?.servers.replica()
    this.replica = quorum && new FalseReplica({ prng, quorum, count, ...parts.replica })
    this.disk = new FaultyDisk(prng, count)
    this.disk.folder = this.folder
    fs.mkdirSync(this.folder)
  }

  get folder(): string {
    return path.join(this.root, `${this.name}-${this.lives}`)
  }

  /** The name of its folder among the members. */
  get member(): string {
    return memberOf(this.folder)
  }

  get isFollowing(): boolean {
    return this.following !== undefined
  }

  /** Every process has its own folder, so that none finds what another left open. */
  rename(): void {
    const before = this.folder
    this.lives++
    fs.renameSync(before, this.folder)
    this.disk.folder = this.folder
  }

  /** The process is gone, whatever it was doing. */
  bury(): void {
    this.disk.bury(() => this.process?.leave())
    this.process = undefined
    this.following = undefined
    this.act = []
  }

  /** Whether its folder has no control journal. */
  get isEmpty(): boolean {
    return !fs.existsSync(path.join(this.folder, 'control'))
  }

  /** Begins an empty folder with a backup (--seed-from). */
  seedFrom(backup: string): void {
    restoreBackup(backup, this.folder)
    this.parts.count('seeded')
  }

  /**
   * Follows from now on: brings the folder up to the watermark, and starts. Resolves to false when the quorum
   * shows too little yet. Rejects with QuorumRefusal.
   */
  async follow(): Promise<boolean> {
    const { prng, time, clock, quorum, options, count } = this.parts
    assert(quorum !== undefined && this.process === undefined, 'a member that is not running')
    this.rename()
    const { servers } = quorum
    const server = prng.chance(0.5) ? servers.connectReader() : this.standby!.connect()
    const reader = quorum.watched(server, () => this.isCut)
    const caught = await this.caughtUp(reader)
    if (caught === undefined) return false
    if (caught.loaded > 0) count('loaded')
    const { folder, disk } = this
    const process = new ProcessLifecycle(
      options({ folder, disk, follows: true, replica: undefined }),
    )
    this.process = process
    await process.recover()
    this.checkEnds(caught.ends)
    for (let turns = 0; process.running === undefined; turns++) {
      assert(turns < TRIES_MAX, 'every gateway of a follower comes to listen')
      clock.advance(1)
      await this.turnProcess(process)
    }
    const { cursor, ends } = caught
    const deliver = (journal: number, run: readonly SequencedBlock[]) => this.deliver(journal, run)
    this.following = {
      reader,
      follower: new Follower({ reader, cursor, ends, deliver, runBytes: RUN_BYTES }),
      watch: new LeadWatch({
        member: this.member,
        afterMs: PROMOTE_AFTER_SECONDS * 1_000,
        passedMs: time.passedMs,
      }),
    }
    return true
  }

  /** A turn of a member that follows. Resolves to whether it begins again, since its leader did. */
  async turn(): Promise<boolean> {
    const { prng, time } = this.parts
    const { follower, watch, reader } = this.following!
    const process = this.process!
    this.standby!.receive(prng.between(0, 4))
    try {
      await follower.step()
      watch.saw(await reader.lead(), time.passedMs)
    } catch (error) {
      if (error instanceof LeaderBeganAgain) return true
      if (!(error instanceof OutcomeUnknown)) throw error
      watch.lost(time.passedMs)
    }
    await this.turnProcess(process)
    return false
  }

  /** Whether it has a cause to take the lead now. */
  get shallLead(): boolean {
    const { follower, watch } = this.following!
    return watch.cause(this.parts.time.passedMs, follower.lag) !== undefined
  }

  /** An operator wants it to lead. */
  askToLead(): void {
    this.following!.watch.ask()
  }

  /** Sequences up to which it has applied all. */
  get cursor(): number {
    return this.following!.follower.cursor
  }

  /**
   * Takes the lead, and what is left of the leaders before. Resolves to undefined when it has no cause, another
   * member was quicker, or it has to begin again first.
   */
  async takeOver(): Promise<Inherited | undefined> {
    const { time, clock, quorum } = this.parts
    const { follower, watch, reader } = this.following!
    const { servers } = quorum!
    const passedMs = () => time.passedMs
    let tries = 0
    const pause = async () => {
      assert(++tries < TRIES_MAX, 'a member comes to lead, or to follow')
      clock.advance(10)
      this.standby!.receive(1)
      return true
    }
    const connection: Quorum = servers.connect()
    const claimer = { member: this.member, address: '' }
    const lastEpoch = this.process!.registry.epoch
    return quorum!.troubled(async () => {
      const asked = { quorum: connection, watch, claimer, follower, lastEpoch, passedMs, pause }
      const taken = await takeOver(asked)
      if (taken === undefined) return undefined
      const rest = { quorum: connection, taken, follower, reader, passedMs, pause }
      try {
        if (!(await readRest(rest))) return undefined
      } catch (error) {
        if (!(error instanceof LeaderBeganAgain)) throw error
        this.bury()
        return undefined
      }
      servers.nextFault = () => 0
      await connection.open()
      this.replica!.lead({ ...taken, ends: follower.ends }, connection)
      return { ...taken, ends: follower.ends }
    })
  }

  /** It leads: what followed is over. */
  led(): void {
    this.following = undefined
  }

  /** The last position of each journal that is on its disk for good. */
  noted(): ReadonlyMap<number, number> {
    const process = this.process!
    const facts = () => process.facts
    const checkpointed = () => process.wals.map((cells) => cells.checkpointed)
    return new PositionsOnDisk({ dataFolder: this.folder, facts, checkpointed }).read()
  }

  private async caughtUp(reader: QuorumReader) {
    let tries = 0
    const pause = async () => {
      this.standby!.receive()
      return ++tries < 4
    }
    const isStart = (fact: Uint8Array) => JSON.parse(Buffer.from(fact).toString()).fact === 'start'
    const damaged = (sentence: string) => {
      throw new Error(sentence)
    }
    for (;;) {
      try {
        await reader.open()
        return await catchUp({ dataFolder: this.folder, reader, isStart, damaged, pause })
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error
        if (this.isCut || ++tries > TRIES_MAX) return undefined
      }
    }
  }

  /** After a catch-up each journal ends where it reported. */
  private checkEnds(ends: ReadonlyMap<number, QuorumPoint>): void {
    const { journals, facts } = this.process!
    const own = new Map([
      [CONTROL_JOURNAL, facts],
      ...journals.map(({ lastPosition }, matcher) => [matcher, lastPosition] as const),
    ])
    for (const [journal, position] of own) {
      deepStrictEqual(
        ends.get(journal)?.position ?? 0,
        position,
        'a folder is as its catch-up says',
      )
    }
  }

  private async deliver(journal: number, run: readonly SequencedBlock[]): Promise<void> {
    const { followed } = this.parts
    const process = this.process!
    if (journal === CONTROL_JOURNAL) {
      const texts = run.map(({ bytes }) => Buffer.from(bytes).toString())
      for (const text of texts) await this.apply(text, process)
      return
    }
    const blocks = run.map(({ bytes }) => bytes)
    process.take(journal, run[0]!.position, blocks)
    followed(process, run.at(-1)!)
  }

  /** Applies whole acts, so that what an act decides together is in force together. */
  private async apply(text: string, process: ProcessLifecycle): Promise<void> {
    const { registry, executor } = process
    const fact = JSON.parse(text) as Fact
    this.act.push(text)
    if (fact.fact === 'start') {
      const { owners = [], matchers } = fact
      const isSame = registry.symbols.every(({ id }) => owners[id] === registry.owners[id])
      if (matchers !== registry.matchers || !isSame) throw new LeaderBeganAgain()
    }
    if (!isLast(fact)) return
    await process.act(() => executor.follow(this.act.splice(0)))
  }

  private async turnProcess(process: ProcessLifecycle): Promise<void> {
    const { prng } = this.parts
    for (const index of process.matchers.keys()) process.work(index)
    if (prng.chance(0.1)) process.checkpoint()
    if (prng.chance(0.2)) process.archive()
    for (let gateway = 0; gateway < GATEWAYS; gateway++) {
      await process.turnGateway(gateway, 3)
      await process.turn(() => process.history.answerOne())
    }
  }
}

/** The leader has begun again with other matchers: a member that follows begins again too. */
class LeaderBeganAgain extends Error {}
