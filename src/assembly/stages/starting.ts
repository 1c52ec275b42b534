/** What an exchange is made of, and what all stages of its start use. */
import type { Logger } from 'pino'
import type { AdminServer } from '../../admin-api/admin-server.ts'
import type { reserve } from '../../agents/memory.ts'
import { StartError } from '../../base/start-error.ts'
import type { Time } from '../../base/time.ts'
import type { VirtualClock } from '../../base/virtual-clock.ts'
import type { Config } from '../../config/config.ts'
import type { Networks } from '../../control/action.ts'
import type { Marks } from '../../control/saved-states.ts'
import { ExchangeCounter } from '../../shared/counters.ts'
import type { KeptFigures } from '../../telemetry/kept-figures.ts'
import type { WarningLog } from '../../telemetry/warning-log.ts'
import type { Scheduler } from '../../workers/background.ts'
import type { WorkerKind } from '../../workers/hosting.ts'
import type { HeapBound, Hire, WorkerHandle } from '../../workers/worker-handle.ts'
import type { BannerFields } from '../main/banner.ts'
import { type ChainPort, HouseChains } from '../main/chain-port.ts'
import { Crew, type OwnEvents, Roster } from '../main/crew.ts'
import type { Claim } from '../main/exclusive.ts'
import type { MarkedMemory } from '../main/marked-memory.ts'
import type { OpenedFolder } from '../main/open-folder.ts'
import { PhaseSwitch } from '../main/phase-switch.ts'
import type { Member } from '../main/quorum-member.ts'
import { Reload } from '../main/reload.ts'
import type { Claimed } from '../main/running-exchange.ts'
import { StartCounts } from '../main/start-counts.ts'

/** What is known once the exchange serves clients. */
export interface Started {
  /** Fields of the log's line. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly banner: Pick<BannerFields, 'scheme' | 'symbols' | 'quoted'>
}

export interface ExchangeEvents {
  /** Called when the exchange serves clients. */
  readonly started: (started: Started) => void
  /** Called when a thread ends by itself; the process must then exit. */
  readonly failed: (error: Error) => void
  /** Called when the data folder is open, and before anything is recovered. */
  readonly opened?: (folder: OpenedFolder) => void
  /** Called when an operator asks for the stop. */
  readonly stopWanted: () => void
  /**
   * Called when an operator wants other content of the data folder: the exchange stops, `swap` changes the folder,
   * and another exchange starts in this one's place. Resolves when it serves clients.
   */
  readonly replaceWanted: (swap: () => void) => Promise<void>
}

/** Returns what creates the workers of one exchange, and what gives background threads their scheduling class. */
export type Workers = (time: Time) => { readonly hire: Hire; readonly scheduler: Scheduler }

/** What an exchange is made of. */
export interface Assembly {
  readonly config: Config
  /** What reads settings again, over all exchanges of the process; none does when left out. */
  readonly reload?: Reload
  /** The figures that plots begin with, of all exchanges of the process; none are kept when left out. */
  readonly kept?: KeptFigures | undefined
  /** Whether the charts of a new demo begin with a past; not when left out. */
  readonly hasPast?: boolean
  /** Time of the main part, and of all workers on one loop. Threads have the machine's. */
  readonly time: Time
  readonly log: Logger
  readonly warnings: WarningLog
  readonly events: ExchangeEvents
  /** What moves the time; undefined where it is the machine's. */
  readonly clock?: VirtualClock | undefined
  /** Takes the data folder, so that no other process runs on it. Rejects with StartError. */
  readonly takeFolder: (config: Config, log: Logger) => Promise<Claim>
  /** The place of an exchange that left: it is claimed already. */
  readonly claimed?: Claimed | undefined
  /** Whether another exchange still runs in the place, until the sockets of this one may listen. */
  readonly isSpare?: boolean | undefined
  /** What it begins with of what is in no journal; nothing when left out. */
  readonly memory?: MarkedMemory | undefined
  /** Its marks; an exchange in its own process has none. */
  readonly marks?: Marks | undefined
  /** Networks to it; an exchange in its own process has none. */
  readonly networks?: Networks | undefined
  /** What pays withdrawals; the chains of the house when left out. */
  readonly chainPort?: ChainPort | undefined
  /** Creates the workers: on threads, or on this event loop. */
  readonly workers: Workers
  /** Makes the shared memory; of the sizes of memory.ts when left out. */
  readonly reserve?: typeof reserve
  /** The member of a quorum, where the settings want one; one with a replica thread when left out. */
  readonly openMember?: () => Member
}

interface Closable {
  close(): unknown
}

export class Starting {
  readonly parts: Assembly
  readonly reload: Reload
  readonly roster = new Roster()
  readonly phase = new PhaseSwitch()
  readonly counts = new StartCounts()
  /** Whether clients may have connected, or soon will. */
  isOpening = false
  private readonly workers: ReturnType<Workers>
  /** What is closed when a start is given up. */
  private readonly claimed: Closable[] = []
  /** Undefined before the exchange has its place; what it publishes of itself then follows. */
  private admin: AdminServer | undefined = undefined
  private readonly degradedBefore = new Map<string, string | undefined>()

  constructor(parts: Assembly) {
    this.parts = parts
    this.workers = parts.workers(parts.time)
    this.reload = parts.reload ?? new Reload(parts.config, undefined, parts.log)
  }

  /** The last to be claimed is closed first. */
  claim(...claimed: readonly Closable[]): void {
    this.claimed.push(...claimed)
  }

  takeClaimed({ claim, admin }: Claimed): void {
    this.claim(claim)
    this.takeAdmin(admin)
  }

  takeAdmin(admin: AdminServer): void {
    this.claim(admin)
    this.admin = admin
    for (const [part, why] of this.degradedBefore) admin.degrade(part, why)
  }

  /** A part is degraded, or undefined when it is not. */
  degrade(part: string, why: string | undefined): void {
    if (this.admin === undefined) this.degradedBefore.set(part, why)
    else this.admin.degrade(part, why)
  }

  hire(kind: WorkerKind, index: number, own: OwnEvents = {}, heap?: HeapBound): WorkerHandle {
    const { log, events } = this.parts
    const warned = () => this.counts.add(ExchangeCounter.warnings, 1)
    const hired = { log, warned, onFailure: events.failed, ...own }
    return this.workers.hire(kind, index, hired, heap)
  }

  /** For workers that end while the exchange runs, and whose failure harms nothing else. */
  get hireUnlisted(): Hire {
    return this.workers.hire
  }

  createCrew(config: Config): Crew {
    const { log, time, clock, chainPort = new HouseChains() } = this.parts
    return new Crew(
      {
        config,
        hire: (...worker) => this.hire(...worker),
        log,
        degrade: (part, why) => this.degrade(part, why),
        scheduler: this.workers.scheduler,
        time,
        clock,
        chainPort,
      },
      this.roster,
    )
  }

  /** Throws StartError once the start was given up: no worker begins after the end. */
  throwIfEnding(): void {
    if (this.phase.isEnding) throw new StartError('The start was given up.')
  }

  /** Gives back what the start has claimed. */
  async release(): Promise<void> {
    for (const claimed of this.claimed.splice(0).reverse()) await claimed.close()
  }
}
