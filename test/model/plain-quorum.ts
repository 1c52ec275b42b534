/**
 * The plain twin of the quorum in PostgreSQL: a primary's log in memory. Standbys have confirmed its
 * beginning. A commit is answered once it is confirmed. Faults are chosen by the caller, one for each
 * write.
 */
import {
  type Lead,
  OutcomeUnknown,
  type Quorum,
  type QuorumBlock,
  type QuorumPlace,
  QuorumRefusal,
} from '../../src/replica/quorum.ts'

export const Fault = {
  none: 0,
  /** The statement never reaches the server. */
  lostRequest: 1,
  /** It takes effect and is confirmed; its answer is lost. */
  lostAnswer: 2,
  /** It takes effect on the primary only; a notice says so. */
  cancelledWait: 3,
  /** It waits in the server, and is executed later. */
  late: 4,
} as const
export type Fault = (typeof Fault)[keyof typeof Fault]

/** Guards that a test leaves out to see whether it notices. */
export interface Guards {
  readonly fence: boolean
  readonly chain: boolean
}

type Change = (state: State) => void

/** What the changes of the log add up to. */
interface State {
  lead: Lead | undefined
  readonly blocks: (QuorumBlock & { readonly epoch: number })[]
}

export class PlainQuorum {
  /** The next write's. */
  nextFault: () => Fault = () => Fault.none
  readonly #guards: Guards
  #log: Change[] = []
  /** Changes that a standby has. */
  #confirmed = 0
  #late: (() => void)[] = []
  /** Raised by each failover: connections of before are lost. */
  #server = 0

  constructor(guards: Guards = { fence: true, chain: true }) {
    this.#guards = guards
  }

  /** The primary is lost, and a standby takes its place. */
  failOver(): void {
    this.#log = this.#log.slice(0, this.#confirmed)
    this.#late = []
    this.#server++
  }

  /** The primary starts again, with all that it had committed, confirmed or not. */
  restart(): void {
    this.#late = []
    this.#server++
  }

  /** Executes statements that waited in the server. */
  executeLate(): void {
    for (const execute of this.#late.splice(0)) execute()
  }

  /** All blocks that a failover cannot lose. */
  confirmedBlocks(): readonly (QuorumBlock & { readonly epoch: number })[] {
    return this.#stateOf(this.#log.slice(0, this.#confirmed)).blocks
  }

  connect(): Quorum {
    return new PlainConnection(this)
  }

  get server(): number {
    return this.#server
  }

  state(): State {
    return this.#stateOf(this.#log)
  }

  /** Returns whether the change took effect. */
  write(fault: Fault, change: (state: State, guards: Guards) => Change | undefined): boolean {
    if (fault === Fault.lostRequest) throw new OutcomeUnknown('lost request')
    if (fault === Fault.late) {
      this.#late.push(() => this.#commit(change, true))
      throw new OutcomeUnknown('no answer')
    }
    const isDone = this.#commit(change, fault !== Fault.cancelledWait)
    if (fault === Fault.cancelledWait) throw new OutcomeUnknown('cancelled wait')
    if (fault === Fault.lostAnswer) throw new OutcomeUnknown('lost answer')
    return isDone
  }

  #commit(
    change: (state: State, guards: Guards) => Change | undefined,
    isConfirmed: boolean,
  ): boolean {
    const committed = change(this.state(), this.#guards)
    if (committed === undefined) return false
    this.#log.push(committed)
    // A standby receives the log in order.
    if (isConfirmed) this.#confirmed = this.#log.length
    return true
  }

  #stateOf(log: readonly Change[]): State {
    const state: State = { lead: undefined, blocks: [] }
    for (const change of log) change(state)
    return state
  }
}

class PlainConnection implements Quorum {
  readonly #servers: PlainQuorum
  #server = -1

  constructor(servers: PlainQuorum) {
    this.#servers = servers
  }

  async open(): Promise<void> {
    this.#server = this.#servers.server
  }

  async prepare(): Promise<void> {
    this.#state()
  }

  async lead(): Promise<Lead | undefined> {
    return this.#state().lead
  }

  async takeLead(expected: Lead | undefined, member: string, epoch: number): Promise<boolean> {
    return this.#write((state) => {
      const { lead } = state
      if (lead?.epoch !== expected?.epoch || lead?.member !== expected?.member) return undefined
      return (state) => {
        state.lead = { epoch, member, beat: (state.lead?.beat ?? 0) + 1 }
      }
    })
  }

  async beat(epoch: number): Promise<void> {
    const isDone = this.#write(({ lead }) =>
      lead?.epoch === epoch
        ? (state) => {
            state.lead = { ...lead, beat: state.lead!.beat + 1 }
          }
        : undefined,
    )
    if (!isDone) throw new QuorumRefusal('Another member leads.')
  }

  async append(epoch: number, blocks: readonly QuorumBlock[]): Promise<void> {
    const isDone = this.#write((state, { fence, chain }) => {
      if (fence && state.lead?.epoch !== epoch) return undefined
      if (chain && !fits(state, blocks)) return undefined
      return ({ blocks: all }) => {
        all.push(
          ...blocks.map((block) => ({ ...block, bytes: new Uint8Array(block.bytes), epoch })),
        )
      }
    })
    if (isDone) return
    const isLeader = this.#state().lead?.epoch === epoch
    // A late statement may have put the same block there.
    const isThere = blocks.some(({ journal, position }) =>
      this.#state().blocks.some((it) => it.journal === journal && it.position === position),
    )
    if (isLeader && isThere) throw this.#unknown('unique violation')
    throw new QuorumRefusal('Another member leads, or the journals are not those of this leader.')
  }

  async ends(): Promise<ReadonlyMap<number, QuorumPlace>> {
    return new Map(
      this.#state().blocks.map(({ journal, position, checksum }) => [
        journal,
        { position, checksum },
      ]),
    )
  }

  async checksumAt(journal: number, position: number): Promise<number | undefined> {
    return this.#state().blocks.find((it) => it.journal === journal && it.position === position)
      ?.checksum
  }

  async read(journal: number, position: number, bytes: number): Promise<readonly QuorumBlock[]> {
    let before = 0
    return this.#state()
      .blocks.filter((it) => it.journal === journal && it.position > position)
      .filter((it) => {
        const isWanted = before < bytes
        before += it.bytes.length
        return isWanted
      })
  }

  async close(): Promise<void> {
    this.#server = -1
  }

  #state(): State {
    this.#checkConnection()
    return this.#servers.state()
  }

  #write(change: (state: State, guards: Guards) => Change | undefined): boolean {
    this.#checkConnection()
    try {
      return this.#servers.write(this.#servers.nextFault(), change)
    } catch (error) {
      throw this.#unknown((error as Error).message)
    }
  }

  #checkConnection(): void {
    if (this.#server !== this.#servers.server) throw this.#unknown('there is no connection')
  }

  #unknown(reason: string): OutcomeUnknown {
    this.#server = -1
    return new OutcomeUnknown(reason)
  }
}

function fits({ blocks }: State, added: readonly QuorumBlock[]): boolean {
  const ends = new Map(blocks.map((block) => [block.journal, block]))
  return added.every((block) => {
    const end = ends.get(block.journal)
    ends.set(block.journal, { ...block, epoch: 0 })
    return block.position === (end?.position ?? 0) + 1 && block.previous === (end?.checksum ?? 0)
  })
}
