/**
 * The role of this exchange among the members that share a quorum: shared cells that every thread may
 * read. Without a quorum it leads.
 *
 *   byte 0    RoleCell (layout/schema/heads.ts)
 *   byte 128  the leader's address, ASCII
 *
 * The replica thread writes all of them while this member follows, the main thread once it leads; until
 * when the quorum confirms the lead is always the replica thread's.
 */
import { assert } from '../base/assert.ts'
import { type Clock, elapsedMs } from '../base/time.ts'
import { RoleCell } from '../layout/cells.gen.ts'

/** LEADER takes orders. TAKING_OVER is a follower that becomes the leader, HANDING_OVER the opposite. */
export const Role = { LEADER: 0, FOLLOWER: 1, TAKING_OVER: 2, HANDING_OVER: 3 } as const
export type Role = (typeof Role)[keyof typeof Role]

/** Roles as operators and load balancers see them. */
const roleNames = ['leader', 'follower', 'takingOver', 'handingOver'] as const
/** `cutOff`: a leader that the quorum has not confirmed in time, so another member may lead. */
export type RoleName = (typeof roleNames)[number] | 'cutOff'

export interface RoleReading {
  readonly role: RoleName
  /** Epoch of the leader that this member knows. */
  readonly epoch: number
  /** What clients use to reach the leader; '' when it is unknown. */
  readonly leader: string
  /** Positions of the quorum that this member has not published, and how long the oldest has waited. */
  readonly lagPositions: number
  readonly lagMs: number
}

/** A longer address counts as unknown. */
export const LEADER_ADDRESS_BYTES_MAX = 256
/** What may stand in a header of HTTP: no spaces and no line ends. */
const ADDRESS = /^[\x21-\x7e]*$/

const { ROLE, WRITES, LENGTH, EPOCH, LAG_POSITIONS, LAG_MS, CONFIRMED_UNTIL_MS } = RoleCell
const CELL_BYTES = RoleCell.bytes

export const ROLE_BYTES = CELL_BYTES + LEADER_ADDRESS_BYTES_MAX

export class RoleCells {
  private readonly cells: Int32Array
  private readonly numbers: BigInt64Array
  private readonly address: Uint8Array
  private readonly clock: Pick<Clock, 'elapsedNs'>
  /** The address as last read, and the number of writes at that time. */
  private known = ''
  private knownWrites = 0

  /** A memory of all zeros is a leader's without a quorum. */
  constructor(memory: SharedArrayBuffer, clock: Pick<Clock, 'elapsedNs'>) {
    this.clock = clock
    this.cells = new Int32Array(memory, 0, CELL_BYTES >> 2)
    this.numbers = new BigInt64Array(memory, 0, CELL_BYTES >> 3)
    this.address = new Uint8Array(memory, CELL_BYTES)
  }

  /** Whether orders are taken. Gateways read it for each request that writes. */
  get isLeading(): boolean {
    return this.role === Role.LEADER && this.isConfirmed
  }

  /** Whether this is the last leader that it knows of, and another member may lead by now. */
  get isCutOff(): boolean {
    return this.role === Role.LEADER && !this.isConfirmed
  }

  /** Whether a quorum is asked who leads. */
  get isOfQuorum(): boolean {
    return Atomics.load(this.numbers, CONFIRMED_UNTIL_MS) !== 0n
  }

  /** The quorum confirms that this member leads, until this monotonic time. */
  confirm(untilMs: number): void {
    Atomics.store(this.numbers, CONFIRMED_UNTIL_MS, BigInt(Math.floor(untilMs)))
  }

  get role(): Role {
    return Atomics.load(this.cells, ROLE) as Role
  }

  become(role: Role): void {
    Atomics.store(this.cells, ROLE, role)
  }

  /** Notes who leads. An address that no header can carry counts as unknown. */
  noteLeader(epoch: number, address: string): void {
    const isUsable = address.length <= LEADER_ADDRESS_BYTES_MAX && ADDRESS.test(address)
    const text = isUsable ? address : ''
    Atomics.store(this.numbers, EPOCH, BigInt(epoch))
    Atomics.add(this.cells, WRITES, 1)
    for (let i = 0; i < text.length; i++) Atomics.store(this.address, i, text.charCodeAt(i))
    Atomics.store(this.cells, LENGTH, text.length)
    Atomics.add(this.cells, WRITES, 1)
  }

  noteLag(positions: number, ms: number): void {
    assert(positions >= 0 && ms >= 0, 'a member is not ahead of its leader')
    Atomics.store(this.numbers, LAG_POSITIONS, BigInt(positions))
    Atomics.store(this.numbers, LAG_MS, BigInt(Math.round(ms)))
  }

  /** The leader's address; the last one read while it is being written. */
  get leader(): string {
    return this.isCutOff ? '' : this.readAddress()
  }

  private get isConfirmed(): boolean {
    const untilMs = Atomics.load(this.numbers, CONFIRMED_UNTIL_MS)
    return untilMs === 0n || elapsedMs(this.clock) < untilMs
  }

  private readAddress(): string {
    const writes = Atomics.load(this.cells, WRITES)
    if (writes === this.knownWrites || writes % 2 !== 0) return this.known
    const length = Atomics.load(this.cells, LENGTH)
    let text = ''
    for (let i = 0; i < length; i++) text += String.fromCharCode(Atomics.load(this.address, i))
    if (Atomics.load(this.cells, WRITES) !== writes) return this.known
    this.known = text
    this.knownWrites = writes
    return text
  }

  read(): RoleReading {
    const number = (cell: number) => Number(Atomics.load(this.numbers, cell))
    return {
      role: this.isCutOff ? 'cutOff' : roleNames[this.role]!,
      epoch: number(EPOCH),
      leader: this.leader,
      lagPositions: number(LAG_POSITIONS),
      lagMs: number(LAG_MS),
    }
  }
}
