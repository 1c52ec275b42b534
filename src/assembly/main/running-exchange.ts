/**
 * An exchange that serves clients: what its start has made, and how it stops. Parts stop in the order in
 * which nothing is lost: clients first, then matchers, then those that read what matchers wrote.
 */
import type { Logger } from 'pino'
import type { AdminServer } from '../../admin-api/admin-server.ts'
import { Phase, type Regions } from '../../agents/memory.ts'
import type { CommandExecutor } from '../../control/command-executor.ts'
import type { Fact } from '../../control/facts.ts'
import type { SavedStates } from '../../control/saved-states.ts'
import type { ScheduleRunner } from '../../control/schedule/schedule-runner.ts'
import type { ControlStore } from '../../journal/control-store.ts'
import type { BackupWorker } from '../../workers/backup-worker.ts'
import type { LiquidityWorker } from '../../workers/liquidity-worker.ts'
import type { Crew, Roster } from './crew.ts'
import type { DiskWatch } from './disk-watch.ts'
import type { Claim } from './exclusive.ts'
import { copyMemory, type MarkedMemory } from './marked-memory.ts'
import type { PhaseSwitch } from './phase-switch.ts'
import type { Member } from './quorum-member.ts'
import type { ClaimedSockets } from './started-fields.ts'

/** What a start has claimed, before it reads anything. Another exchange may start there once this one has left. */
export interface Claimed extends ClaimedSockets {
  readonly claim: Claim
  readonly admin: AdminServer
}

/** What clients see of the end of the exchange. */
export class Drain {
  private readonly admin: AdminServer
  private readonly gateways: Crew['gateways']
  private drained: Promise<unknown> | undefined = undefined

  constructor(admin: AdminServer, gateways: Crew['gateways']) {
    this.admin = admin
    this.gateways = gateways
  }

  /** Accepts no more requests, and resolves when none is in flight. May be called again. */
  async run(): Promise<void> {
    this.admin.unready()
    this.drained ??= Promise.all(this.gateways.map((it) => it.ask('drain', 'drained')))
    await this.drained
  }
}

export interface RunningParts {
  readonly log: Logger
  readonly claimed: Claimed
  readonly phase: PhaseSwitch
  readonly crew: Crew
  readonly roster: Roster
  readonly regions: Pick<Regions, 'listenKeys' | 'limits' | 'published'>
  /** Undefined without a quorum. */
  readonly member: Member | undefined
  readonly control: ControlStore
  readonly executor: CommandExecutor
  readonly liquidity: LiquidityWorker
  readonly backups: BackupWorker
  readonly drain: Drain
  readonly schedules: Pick<ScheduleRunner, 'stop'>
  /** Undefined while the sandbox is off. */
  readonly states: Pick<SavedStates, 'left'> | undefined
  /** Watches of the disk, the control journal, figures, alerts and the machine's clock. */
  readonly watches: readonly Pick<DiskWatch, 'stop'>[]
}

export class RunningExchange {
  private readonly parts: RunningParts

  constructor(parts: RunningParts) {
    this.parts = parts
  }

  /** Carries out operators' actions. */
  get executor(): CommandExecutor {
    return this.parts.executor
  }

  /** Marks the facts of a folder's first start, before any order, as those that `reset` goes back to. */
  markFirst(): void {
    const { control } = this.parts
    const facts = [...control.entries()] as Fact[]
    const starts = facts.filter(({ fact }) => fact === 'start')
    if (starts.length > 1 || facts.some(({ fact }) => fact === 'first')) return
    const mark: Fact = { fact: 'first' }
    control.append(mark)
  }

  /** Stops accepting, finishes requests in flight, flushes and closes. */
  async stop(): Promise<void> {
    await this.finish()
    await this.parts.claimed.admin.close()
    this.parts.claimed.claim.close()
    this.parts.log.info('stopped')
  }

  /** Stops, ends all workers, and returns what is claimed for another exchange. */
  async leave(): Promise<Claimed> {
    const { roster, claimed } = this.parts
    await this.finish()
    await roster.end()
    claimed.admin.forget()
    return claimed
  }

  /**
   * Leaves in that way, but finishes nothing in the folder: no process continues with it. `handOver` has another exchange
   * serve the clients, before this one finishes the requests in flight.
   */
  async discard(handOver?: () => void): Promise<Claimed> {
    const { crew, phase, roster, claimed, backups } = this.parts
    await this.leaveClients(handOver)
    await Promise.all(crew.gateways.map((gateway) => gateway.ask('stop', 'stopped')))
    phase.enter(Phase.ENDING)
    const { matchers, checkpointer, derived } = crew
    const writers = [...matchers, checkpointer].map((worker) => worker.waitFor('stopped'))
    await Promise.all([...writers, derived.unschedule(), derived.stopped(), backups.left()])
    await this.close()
    await roster.end()
    claimed.admin.forget()
    return claimed
  }

  get claimed(): Claimed {
    return this.parts.claimed
  }

  /** Returns a copy of what is in no journal, and the ends of the journals. */
  seen(): { readonly memory: MarkedMemory; readonly decided: string } {
    const { regions, crew, control } = this.parts
    const decided = [control.lastSequence, ...new BigInt64Array(regions.published)].join()
    return { memory: copyMemory(regions, crew.faults), decided }
  }

  private async leaveClients(handOver?: () => void): Promise<void> {
    const { member, executor, liquidity, drain } = this.parts
    this.parts.schedules.stop()
    await liquidity.stop()
    if (member?.isFollowing === true) await member.stop()
    // No action is announced to threads once they stop.
    await executor.close()
    await this.parts.states?.left()
    handOver?.()
    await drain.run()
  }

  private async finish(): Promise<void> {
    const { crew, phase, backups } = this.parts
    await this.leaveClients()
    phase.enter(Phase.STOPPING)
    await Promise.all(crew.matchers.map((matcher) => matcher.waitFor('stopped')))
    phase.enter(Phase.MATCHED)
    await Promise.all([crew.derived.unschedule(), backups.left()])
    await Promise.all([crew.checkpointer.waitFor('stopped'), crew.derived.stopped()])
    await Promise.all(crew.gateways.map((gateway) => gateway.ask('stop', 'stopped')))
    await this.close()
  }

  private async close(): Promise<void> {
    const { watches, control, member } = this.parts
    for (const watch of watches) watch.stop()
    control.close()
    if (member?.isFollowing === false) await member.stop()
  }

  /**
   * After a refusal of the disk, for the reason `why`: nothing more is written, another member leads, and
   * gateways serve from memory alone. Rejects when a gateway fails.
   */
  async becomeReadOnly(why: string): Promise<void> {
    const { member, claimed, crew } = this.parts
    member?.resign()
    claimed.admin.fail(why)
    await Promise.all(crew.gateways.map((gateway) => gateway.ask('readOnly', 'readOnly')))
  }
}
