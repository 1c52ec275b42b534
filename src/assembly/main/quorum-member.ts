/**
 * The main thread's end of the replica thread: this exchange as a member of a quorum, which leads it or
 * follows the leader.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { addressOf } from '../../agents/member-address.ts'
import type { Regions } from '../../agents/memory.ts'
import type { ThreadReport } from '../../agents/messages.ts'
import { controlQuorum, type ReplicaMemory, replicaMemory } from '../../agents/replica-link.ts'
import { hostUrls } from '../../base/postgres-url.ts'
import { StartError } from '../../base/start-error.ts'
import type { Time } from '../../base/time.ts'
import type { Config } from '../../config/config.ts'
import { ActionError } from '../../control/action.ts'
import type { CommandExecutor } from '../../control/command-executor.ts'
import { type Fact, isLast } from '../../control/facts.ts'
import type { Registry } from '../../control/registry.ts'
import type { WorkerControlPlane } from '../../control/worker-control-plane.ts'
import { JOURNAL_LAYOUT } from '../../journal/block.ts'
import type { ControlStore } from '../../journal/control-store.ts'
import { linesOf } from '../../replica/control-facts.ts'
import { memberOf } from '../../replica/member-name.ts'
import { readClock } from '../../replica/postgres-clock.ts'
import { ReplicaSlot } from '../../replica/slots.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import { Role, RoleCells, type RoleReading } from '../../shared/role.ts'
import type { WorkerHandle } from '../../workers/worker-handle.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Leaver } from './crew.ts'
import { MemberNotes } from './member-notes.ts'
import type { Lead } from './open-folder.ts'
import { QuorumClocks } from './quorum-clocks.ts'

type Leads = Extract<ThreadReport, { report: 'leads' }>

export const isMember = ({ durability, follow }: Config): boolean =>
  durability === 'replicated' || follow !== ''

export interface FollowingParts {
  readonly registry: Registry
  readonly regions: Regions
  readonly control: ControlStore
  readonly executor: CommandExecutor
  readonly plane: Pick<WorkerControlPlane, 'lead' | 'holdWhile'>
  readonly log: Logger
  /** Called when a fact does not apply here, or this member cannot lead; the process must then exit. */
  readonly failed: (error: Error) => void
  /** Undefined where the machine's clock is not watched. */
  readonly machineClock: Pick<ClockWatch, 'askQuorum'> | undefined
  /** Called once this member, which followed, leads. */
  readonly led: () => void
  /** Called when another member leads after a handover. */
  readonly left: () => void
  /** Called once the leader has corrected its clock: this member starts again as the leader does. */
  readonly corrected: () => void
}

/** The longest wait for a server's clock. */
const CLOCK_MS = 2_000

/** The longest hold of the matchers is as long as the search for a successor, and its end. */
const HOLD_SHARE = 2.5

/** This exchange as one of a quorum, for its main part. */
export type Member = Pick<QuorumMember, keyof QuorumMember>

export class QuorumMember implements Leaver {
  private readonly worker: WorkerHandle
  /** Shared with the threads that write journals. */
  memory: ReplicaMemory
  /** Whether another member leads. */
  isFollowing = false
  private readonly config: Config
  private readonly time: Time
  private parts: FollowingParts | undefined = undefined
  private notes: MemberNotes | undefined = undefined
  private clocks: QuorumClocks | undefined = undefined
  /** Facts of an action whose last one has not come yet. */
  private action: string[] = []

  /** `launch` gets what to do when the thread has delivered facts. */
  constructor(config: Config, time: Time, launch: (delivered: () => void) => WorkerHandle) {
    this.config = config
    this.time = time
    this.memory = replicaMemory(config.matchers)
    this.worker = launch(() => void this.applyFacts())
  }

  get name(): string {
    return this.worker.name
  }

  get isAwaited(): boolean {
    return this.worker.isAwaited
  }

  terminate(): Promise<void> {
    return this.worker.terminate()
  }

  /**
   * Resolves when the folder has what the quorum has: to the lead of this member, undefined when it
   * follows.
   */
  async start(): Promise<Lead | undefined> {
    const { memory } = this
    this.worker.begin({ config: this.config, memory })
    const leads = this.worker.waitFor('leads')
    const begun = await Promise.race([leads, this.worker.waitFor('follows')])
    this.isFollowing = begun.report !== 'leads'
    if (begun.report !== 'leads') return undefined
    return {
      epoch: begun.epoch,
      before: controlQuorum(memory, this.config.replicaSeconds, this.time),
    }
  }

  /** Makes the memory of as many matchers as the leader has. Throws StartError when it is unknown. */
  reserve(matchers: number): void {
    if (matchers === 0) {
      throw new StartError('The leader is of a version without followers: start it again first.')
    }
    this.memory = replicaMemory(matchers)
  }

  /** All threads run: blocks and facts are delivered from now on, unless this member leads. */
  run(parts: FollowingParts): void {
    this.parts = parts
    this.note(parts)
    this.compareClocks(parts)
    if (!this.isFollowing) return
    this.deliver(parts.regions)
    void this.leadLater(parts)
  }

  /** Gives the thread the exchange's memory: a leader's before clients come, a follower's when all run. */
  deliver({ bells, role }: Pick<Regions, 'bells' | 'role'>): void {
    // Not confirmed before the thread reports it.
    if (!this.isFollowing) new RoleCells(role, this.time).confirm(1)
    this.worker.deliver({ memory: this.memory, bells, role })
  }

  private async leadLater(parts: FollowingParts): Promise<void> {
    // A failure of the thread is reported by itself.
    const leads = await this.worker.waitFor('leads').catch(() => undefined)
    if (leads?.report !== 'leads') return
    await this.lead(leads, parts).catch(parts.failed)
  }

  /** This member has the lead, and all that its quorum has. */
  private async lead({ epoch, address }: Leads, parts: FollowingParts): Promise<void> {
    const { replicaSeconds } = this.config
    const before = controlQuorum(this.memory, replicaSeconds, this.time)
    await beginToLead(parts, { epoch, address, before }, this.time)
    this.isFollowing = false
    parts.log.info({ epoch }, 'leads the quorum')
    parts.led()
  }

  /** By how much this machine's clock is ahead of the quorum's servers, ms; undefined while that is not known. */
  get aheadMs(): number | undefined {
    return this.clocks?.aheadMs
  }

  role(): RoleReading {
    return new RoleCells(this.parts!.regions.role, this.time).read()
  }

  /** Takes the lead soon, whether the leader is alive or not. */
  promote(): string {
    this.worker.promote()
    return 'This member takes the lead; status says when it has it.'
  }

  /**
   * Hands the lead over to a member, or to any; then this one stops. Rejects with ActionError when none takes
   * it, and this one continues.
   */
  async handOver(successor: string): Promise<string> {
    const { plane, regions, left } = this.parts!
    const role = new RoleCells(regions.role, this.time)
    const { replicaSeconds } = this.config
    role.become(Role.HANDING_OVER)
    const msMax = replicaSeconds * 1_000 * HOLD_SHARE
    if (await plane.holdWhile(msMax, () => this.worker.handOver(successor))) {
      left()
      return 'Another member leads, and this one stops.'
    }
    role.become(Role.LEADER)
    throw new ActionError(
      `No member took the lead within ${replicaSeconds} s (--replica-seconds), so this one keeps it.`,
    )
  }

  /** Notes on the quorum what is on the disk here, from now on. */
  private note({ control, executor, log }: FollowingParts): void {
    const config = this.config
    this.notes = new MemberNotes({
      time: this.time,
      url: config.follow === '' ? config.replica : config.follow,
      member: memberOf(config.data),
      address: addressOf(config),
      dataFolder: config.data,
      facts: () => control.lastSequence,
      checkpointed: () => executor.view.journals().map(({ checkpointed }) => checkpointed),
      failed: (reason) =>
        log.info({ reason }, 'cannot note on the quorum what is on the disk here'),
    })
  }

  private compareClocks({ machineClock }: FollowingParts): void {
    const { config, time } = this
    const url = config.follow === '' ? config.replica : config.follow
    const { steered } = time
    const clocks = new QuorumClocks({
      time,
      urls: hostUrls(url)!,
      read: (server) => readClock({ url: server, answerMs: CLOCK_MS, time }),
      machineMs: () => steered?.machineMs() ?? time.nowMs(),
      agreesMs: Math.max(1, config.clockStepSeconds) * 1_000,
    })
    this.clocks = clocks
    machineClock?.askQuorum(() => clocks.agrees())
  }

  /** This member can write nothing more. Any other one may lead; this one does not claim the lead again. */
  resign(): void {
    this.worker.resign()
  }

  /** Delivers nothing any more. */
  async stop(): Promise<void> {
    this.notes?.stop()
    this.clocks?.stop()
    await this.worker.ask('stop', 'stopped')
  }

  /** Resolves when the thread is not inside LMDB, and will not be. */
  async left(): Promise<void> {
    if (this.config.follow === '') await this.worker.left('leads')
    else await this.worker.leave()
  }

  private async applyFacts(): Promise<void> {
    const { memory } = this
    const parts = this.parts!
    const slot = new ReplicaSlot(memory.control)
    const run = slot.take()
    if (run === undefined) return
    try {
      for (const text of linesOf(run.bytes)) await this.add(text, parts)
    } catch (error) {
      parts.failed(error as Error)
      return
    }
    slot.acknowledge(run.last)
    new Doorbell(memory.bell).ring()
  }

  /** Applies whole actions, so that what an action decides together is in force together. */
  private async add(text: string, parts: FollowingParts): Promise<void> {
    const { registry, executor } = parts
    const fact = JSON.parse(text) as Fact
    this.action.push(text)
    if (fact.fact === 'start') checkOwners(fact, registry)
    if (!isLast(fact)) return
    const isCorrection = this.action.some((it) => (JSON.parse(it) as Fact).fact === 'correction')
    await executor.follow(this.action.splice(0))
    if (isCorrection) this.time.defer(parts.corrected)
  }
}

/** Resolves when a member that followed, and has all that its quorum has, leads: its matchers write. */
export async function beginToLead(
  {
    registry,
    regions,
    control,
    plane,
  }: Pick<FollowingParts, 'registry' | 'regions' | 'control' | 'plane'>,
  { epoch, address, before }: Lead & Pick<Leads, 'address'>,
  time: Time,
): Promise<void> {
  control.lead(before)
  const { matchers, owners } = registry
  const timeMs = time.nowMs()
  const start: Fact = {
    ...{ fact: 'start', epoch, timeMs, layout: JOURNAL_LAYOUT, matchers, owners },
    isTakeOver: true,
  }
  control.append(start)
  registry.apply(start)
  await plane.lead(epoch)
  const role = new RoleCells(regions.role, time)
  role.noteLeader(epoch, address)
  role.noteLag(0, 0)
  role.become(Role.LEADER)
}

/** Returns why no action changes anything here; undefined where this member leads. */
export function whyNoActions(role: RoleCells): string | undefined {
  if (role.isLeading) return undefined
  if (role.isCutOff) {
    return 'The quorum does not confirm that this member leads, so no action changes anything here now.'
  }
  const { leader } = role
  return `This member follows ${leader === '' ? 'another one' : leader}: actions that change something go there.`
}

/** Throws StartError when the leader has other matchers than before, or groups that this member's matchers lack. */
function checkOwners(start: Extract<Fact, { fact: 'start' }>, registry: Registry): void {
  const { matchers, owners = [], isTakeOver } = start
  const isSame = registry.symbols.every(({ id }) => owners[id] === registry.owners[id])
  const { joinableGroups, startedGroups } = registry
  const areJoined = isTakeOver === true || isDeepStrictEqual(joinableGroups, startedGroups)
  if (matchers === registry.matchers && isSame && areJoined) return
  throw new StartError(
    'The leader has begun again with other matchers: this member begins again too.',
  )
}
