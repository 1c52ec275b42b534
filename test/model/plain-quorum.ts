/**
 * The plain twin of the quorum in PostgreSQL: a primary's log in memory. Standbys have confirmed its
 * beginning. A commit is answered once it is confirmed. Replicas have received some of it, also what is
 * not confirmed. Faults are chosen by the caller, one for each write.
 */
import {
  type Claim,
  type Followed,
  type Lead,
  OutcomeUnknown,
  type Quorum,
  type QuorumBlock,
  type QuorumPoint,
  type QuorumReader,
  QuorumRefusal,
  type SequencedBlock,
  tooFarBehind,
} from '../../src/replica/quorum.ts'

export const Fault = {
  none: 0,
  /** The statement never reaches the server. */
  lostRequest: 1,
  /** It takes effect and is confirmed; its answer is lost. */
  lostAnswer: 2,
  /** It takes effect on the primary only; a notice reports it. */
  cancelledWait: 3,
  /** It waits in the server, and is executed later. */
  late: 4,
} as const
export type Fault = (typeof Fault)[keyof typeof Fault]

/** Guards that a test leaves out to see whether it notices. */
export interface Guards {
  readonly fence: boolean
  readonly chain: boolean
  /** Readers are shown nothing beyond the watermark. */
  readonly watermark: boolean
  /** A trim leaves the last block of each journal. */
  readonly last: boolean
}

const allGuards: Guards = { fence: true, chain: true, watermark: true, last: true }

type Change = (state: State) => void

interface Row extends SequencedBlock {
  readonly epoch: number
  readonly watermark: number
}

/** What the changes of the log add up to. */
interface State {
  lead: Lead | undefined
  readonly blocks: Row[]
  /** The row of the watermark. */
  mark: number
}

/** The state at some place of a log; what was added up for an earlier place of it is not added up again. */
class View {
  private log: readonly Change[] = []
  private count = 0
  private state: State = { lead: undefined, blocks: [], mark: 0 }

  at(log: readonly Change[], count = log.length): State {
    if (log !== this.log || count < this.count) {
      this.log = log
      this.count = 0
      this.state = { lead: undefined, blocks: [], mark: 0 }
    }
    while (this.count < count) log[this.count++]!(this.state)
    return this.state
  }
}

const lastOf = ({ blocks }: State): number => blocks.at(-1)?.sequence ?? 0
const watermarkOf = ({ blocks, mark }: State): number =>
  Math.max(mark, blocks.at(-1)?.watermark ?? 0)

export class PlainQuorum {
  /** The next write's. */
  nextFault: () => Fault = () => Fault.none
  private readonly guards: Guards
  private log: Change[] = []
  private readonly now = new View()
  /** Changes that a standby has. */
  private confirmed = 0
  private readonly safe = new View()
  private late: (() => void)[] = []
  /** Raised by each failover: connections of before are lost. */
  private _server = 0

  constructor(leftOut: Partial<Guards> = {}) {
    this.guards = { ...allGuards, ...leftOut }
  }

  /** The primary is lost, and a standby takes its place. */
  failOver(): void {
    this.log = this.log.slice(0, this.confirmed)
    this.late = []
    this._server++
  }

  /** The primary starts again, with all that it had committed, confirmed or not. */
  restart(): void {
    this.late = []
    this._server++
  }

  /** Executes statements that waited in the server. */
  executeLate(): void {
    for (const execute of this.late.splice(0)) execute()
  }

  /** All blocks that a failover cannot lose. */
  confirmedBlocks(): readonly Row[] {
    return this.safe.at(this.log, this.confirmed).blocks
  }

  get watermark(): number {
    return watermarkOf(this.state())
  }

  /** Returns the sequence up to which a member has all, whose folder has these positions by journal. */
  coveredBy(places: ReadonlyMap<number, number>): number {
    const lacking = this.state().blocks.find(
      ({ journal, position }) => position > (places.get(journal) ?? 0),
    )
    return Math.min(this.watermark, (lacking?.sequence ?? Number.POSITIVE_INFINITY) - 1)
  }

  /** Removes blocks up to the sequence but the last of each journal. Returns their number. */
  trim(sequence: number): number {
    const before = this.state().blocks.length
    this.commit((_, guards) => trimmed(sequence, guards), true)
    return before - this.state().blocks.length
  }

  connect(): Quorum {
    return new PlainConnection(this)
  }

  /** Returns a reader on the primary. */
  connectReader(): QuorumReader {
    return new PlainReader(() => this.log, this.guards)
  }

  /** Returns a new standby that has received nothing. Commits do not wait for it. */
  replica(): PlainReplica {
    return new PlainReplica(() => this.log, this.guards)
  }

  get server(): number {
    return this._server
  }

  state(): State {
    return this.now.at(this.log)
  }

  /** Returns whether the change took effect. */
  write(fault: Fault, change: (state: State, guards: Guards) => Change | undefined): boolean {
    if (fault === Fault.lostRequest) throw new OutcomeUnknown('lost request')
    if (fault === Fault.late) {
      this.late.push(() => this.commit(change, true))
      throw new OutcomeUnknown('no answer')
    }
    const isDone = this.commit(change, fault !== Fault.cancelledWait)
    if (fault === Fault.cancelledWait) throw new OutcomeUnknown('cancelled wait')
    if (fault === Fault.lostAnswer) throw new OutcomeUnknown('lost answer')
    return isDone
  }

  /** Commits on the primary alone. */
  writeHere(fault: Fault, change: Change): void {
    if (fault === Fault.lostRequest) throw new OutcomeUnknown('lost request')
    const execute = () => this.commit(() => change, false)
    if (fault === Fault.late) this.late.push(execute)
    else execute()
    if (fault !== Fault.none) throw new OutcomeUnknown('lost answer')
  }

  private commit(
    change: (state: State, guards: Guards) => Change | undefined,
    isConfirmed: boolean,
  ): boolean {
    const committed = change(this.state(), this.guards)
    if (committed === undefined) return false
    this.log.push(committed)
    // A standby receives the log in order.
    if (isConfirmed) this.confirmed = this.log.length
    return true
  }
}

class PlainConnection implements Quorum {
  private readonly servers: PlainQuorum
  private server = -1

  constructor(servers: PlainQuorum) {
    this.servers = servers
  }

  async open(): Promise<void> {
    this.server = this.servers.server
  }

  async prepare(): Promise<void> {
    this.state()
  }

  async lead(): Promise<Lead | undefined> {
    return this.state().lead
  }

  async takeLead(expected: Lead | undefined, claim: Claim): Promise<boolean> {
    return this.write((state) => {
      const { lead } = state
      const isAsSeen =
        lead?.epoch === expected?.epoch &&
        lead?.member === expected?.member &&
        lead?.beat === expected?.beat &&
        lead?.successor === expected?.successor
      if (!isAsSeen || lastOf(state) > (claim.sequenceMax ?? lastOf(state))) return undefined
      const { epoch, member, address } = claim
      return (state) => {
        state.lead = { epoch, member, address, beat: (state.lead?.beat ?? 0) + 1, successor: '' }
      }
    })
  }

  async beat(epoch: number): Promise<number> {
    const proven = lastOf(this.state())
    this.writeLead(epoch, (lead) => ({ ...lead, beat: lead.beat + 1 }))
    return proven
  }

  async nameSuccessor(epoch: number, successor: string): Promise<void> {
    this.writeLead(epoch, (lead) => ({ ...lead, successor }))
  }

  async append(epoch: number, blocks: readonly QuorumBlock[], watermark: number): Promise<number> {
    let last = 0
    const isDone = this.write((state, { fence, chain }) => {
      if (fence && state.lead?.epoch !== epoch) return undefined
      if (chain && !fits(state, blocks)) return undefined
      const end = lastOf(state)
      last = end + blocks.length
      const rows = blocks.map((block, i) => {
        const bytes = new Uint8Array(block.bytes)
        return { ...block, bytes, epoch, watermark, sequence: end + 1 + i }
      })
      return ({ blocks: all }) => {
        all.push(...rows)
      }
    })
    if (isDone) return last
    const isLeader = this.state().lead?.epoch === epoch
    // A late statement may have put the same block there.
    const isThere = blocks.some(({ journal, position }) =>
      this.state().blocks.some((it) => it.journal === journal && it.position === position),
    )
    if (isLeader && isThere) throw this.unknown('unique violation')
    throw new QuorumRefusal('Another member leads, or the journals are not those of this leader.')
  }

  async mark(watermark: number): Promise<void> {
    this.checkConnection()
    this.orUnknown(() =>
      this.servers.writeHere(this.servers.nextFault(), (state) => {
        state.mark = Math.max(state.mark, watermark)
      }),
    )
  }

  async ends(): Promise<ReadonlyMap<number, QuorumPoint>> {
    return endsOf(this.state().blocks)
  }

  async checksumAt(journal: number, position: number): Promise<number | undefined> {
    return this.state().blocks.find((it) => it.journal === journal && it.position === position)
      ?.checksum
  }

  async read(journal: number, position: number, bytes: number): Promise<readonly QuorumBlock[]> {
    const { blocks } = this.state()
    const behind = blocks.filter((it) => it.journal === journal && it.position > position)
    return firstOf(behind, bytes)
  }

  async close(): Promise<void> {
    this.server = -1
  }

  private state(): State {
    this.checkConnection()
    return this.servers.state()
  }

  private write(change: (state: State, guards: Guards) => Change | undefined): boolean {
    this.checkConnection()
    return this.orUnknown(() => this.servers.write(this.servers.nextFault(), change))
  }

  private writeLead(epoch: number, next: (lead: Lead) => Lead): void {
    const isDone = this.write(({ lead }) =>
      lead?.epoch === epoch
        ? (state) => {
            state.lead = next(state.lead!)
          }
        : undefined,
    )
    if (!isDone) throw new QuorumRefusal('Another member leads.')
  }

  private orUnknown<T>(action: () => T): T {
    try {
      return action()
    } catch (error) {
      throw this.unknown((error as Error).message)
    }
  }

  private checkConnection(): void {
    if (this.server !== this.servers.server) throw this.unknown('there is no connection')
  }

  private unknown(reason: string): OutcomeUnknown {
    this.server = -1
    return new OutcomeUnknown(reason)
  }
}

function fits({ blocks }: State, added: readonly QuorumBlock[]): boolean {
  const ends = new Map<number, QuorumBlock>(blocks.map((block) => [block.journal, block]))
  return added.every((block) => {
    const end = ends.get(block.journal)
    ends.set(block.journal, block)
    return block.position === (end?.position ?? 0) + 1 && block.previous === (end?.checksum ?? 0)
  })
}

const trimmed =
  (sequence: number, { last }: Guards) =>
  (state: State) => {
    const end = Math.min(sequence, watermarkOf(state))
    const isFollowed = ({ journal, position }: Row) =>
      state.blocks.some(
        (it) => it.journal === journal && it.position === position + 1 && it.sequence <= end,
      )
    const left = state.blocks.filter((it) => it.sequence > end || (last && !isFollowed(it)))
    state.blocks.splice(0, state.blocks.length, ...left)
  }

/** A standby that some changes of the primary have reached. */
export class PlainReplica {
  private readonly primary: () => readonly Change[]
  private readonly guards: Guards
  private log: readonly Change[] = []

  constructor(primary: () => readonly Change[], guards: Guards) {
    this.primary = primary
    this.guards = guards
  }

  /** Receives the next changes. One that is not behind the primary any more becomes a new copy of it. */
  receive(changes = Number.POSITIVE_INFINITY): void {
    const log = this.primary()
    const isBehind = this.log.every((change, i) => change === log[i])
    this.log = log.slice(0, (isBehind ? this.log.length : 0) + changes)
  }

  connect(): QuorumReader {
    return new PlainReader(() => this.log, this.guards)
  }
}

class PlainReader implements QuorumReader {
  private readonly log: () => readonly Change[]
  private readonly guards: Guards
  private readonly view = new View()

  constructor(log: () => readonly Change[], guards: Guards) {
    this.log = log
    this.guards = guards
  }

  async open(): Promise<void> {}

  async lead(): Promise<Lead | undefined> {
    return this.view.at(this.log()).lead
  }

  async follow(after: number, bytes: number): Promise<Followed> {
    const { blocks, watermark } = this.shown()
    const behind = blocks.filter(({ sequence }) => sequence > after)
    const gap = behind.findIndex(({ sequence }, i) => sequence !== after + 1 + i)
    if (gap === 0 || (behind.length === 0 && watermark > after)) {
      throw tooFarBehind(`Sequence ${after + 1}`)
    }
    return { blocks: firstOf(gap === -1 ? behind : behind.slice(0, gap), bytes), watermark }
  }

  async sequenceAt(journal: number, position: number): Promise<number | undefined> {
    return this.at(journal, position)?.sequence
  }

  async checksumAt(journal: number, position: number): Promise<number | undefined> {
    return this.at(journal, position)?.checksum
  }

  async ends(): Promise<ReadonlyMap<number, QuorumPoint>> {
    return endsOf(this.shown().blocks)
  }

  async close(): Promise<void> {}

  private at(journal: number, position: number): SequencedBlock | undefined {
    return this.shown().blocks.find((it) => it.journal === journal && it.position === position)
  }

  private shown(): Followed {
    const state = this.view.at(this.log())
    const { blocks } = state
    const watermark = this.guards.watermark ? watermarkOf(state) : lastOf(state)
    return { blocks: blocks.filter(({ sequence }) => sequence <= watermark), watermark }
  }
}

const endsOf = (blocks: readonly QuorumBlock[]): ReadonlyMap<number, QuorumPoint> =>
  new Map(blocks.map(({ journal, position, checksum }) => [journal, { position, checksum }]))

/** Returns the first blocks until their bytes reach `bytes`. */
function firstOf<Block extends QuorumBlock>(
  blocks: readonly Block[],
  bytes: number,
): readonly Block[] {
  let before = 0
  return blocks.filter((it) => {
    const isWanted = before < bytes
    before += it.bytes.length
    return isWanted
  })
}
