/**
 * Refuses requests that change orders while this exchange does not lead, and names the leader. It comes
 * before the checks of keys and parameters, which the leader makes. Everything else is served: market
 * data, queries, streams, and listen keys, which are each member's own.
 *
 * A leader that the quorum has not confirmed in time is cut off: another member may lead, and have orders
 * that this one never sees. It answers nothing definite about accounts, nothing of markets, and serves no
 * streams.
 */
import { type AnyRows, type Reply, Rows } from '../api/answers/answer.ts'
import { leaderData } from '../api/answers/errors.ts'
import type { Responder } from '../api/context.ts'
import type { ErrorId } from '../api/errors.ts'
import type { Operation } from '../api/operations/index.ts'
import type { RoleCells } from '../shared/role.ts'

/** Who leads, for load balancers. */
export const ROLE_PATH = '/ringbook/role'
/** The header of a refusal, in which clients and proxies find the leader. */
export const LEADER_HEADER = 'X-Ringbook-Leader'

/** Operations without data of orders, markets or accounts. */
const TIMELESS: ReadonlySet<string> = new Set(['ping', 'time'])

export class Leadership {
  private readonly role: RoleCells
  private readonly isStopping: () => boolean

  constructor(role: RoleCells, isStopping: () => boolean = () => false) {
    this.role = role
    this.isStopping = isStopping
  }

  /** Whether this member takes orders. */
  get isLeading(): boolean {
    return this.role.isLeading
  }

  /** Whether the caller must respond with NOT_LEADING. One that stops for good responds itself. */
  turnsAway({ effect }: Operation): boolean {
    if (effect === 'NONE' || this.role.isLeading) return false
    return !(this.role.isCutOff && this.isStopping())
  }

  /** Returns what the caller must respond with when all that this member knows may be of the past. */
  refusalOf({ id, security }: Operation): 'TIMEOUT' | 'CUT_OFF' | undefined {
    if (!this.role.isCutOff) return undefined
    if (security === 'TRADE' || security === 'USER_DATA') return 'TIMEOUT'
    return security === 'USER_STREAM' || TIMELESS.has(id) ? undefined : 'CUT_OFF'
  }

  get isCutOff(): boolean {
    return this.role.isCutOff
  }

  /** Returns the responder that a handler gets: whether the outcome is certain is checked when it responds. */
  guarded(operation: Operation, responder: Responder): Responder {
    if (!this.role.isOfQuorum) return responder
    return new GuardedResponder(this, operation, responder)
  }

  /** Returns the header line that names the leader, begun with CRLF; '' when it is unknown. */
  headerLine(): string {
    const { leader } = this.role
    return leader === '' ? '' : `\r\n${LEADER_HEADER}: ${leader}`
  }

  /** Returns the data of an error that names the leader; undefined when it is unknown. */
  errorData(): AnyRows | undefined {
    const { leader } = this.role
    return leader === '' ? undefined : new Rows(leaderData, { leader }, form)
  }

  /** Returns the response of ROLE_PATH: 200 for a leader that takes orders. */
  report(): { readonly status: 200 | 503; readonly json: string } {
    const status = this.role.isLeading && !this.isStopping() ? 200 : 503
    const reason = this.role.isCutOff ? { reason: CUT_OFF } : {}
    return { status, json: JSON.stringify({ ...this.role.read(), ...reason }) }
  }
}

const form = { microseconds: false }
const CUT_OFF = 'The quorum does not confirm that this member leads: another one may.'

class GuardedResponder implements Responder {
  private readonly leadership: Leadership
  private readonly operation: Operation
  private readonly responder: Responder

  constructor(leadership: Leadership, operation: Operation, responder: Responder) {
    this.leadership = leadership
    this.operation = operation
    this.responder = responder
  }

  reply(answer: Reply): void {
    const refusal = this.refusal
    if (refusal === undefined) this.responder.reply(answer)
    else this.responder.error(refusal)
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows): void {
    const refusal = this.leadership.refusalOf(this.operation)
    if (refusal === undefined) this.responder.error(id, detail, data)
    else this.responder.error(refusal)
  }

  isReading(): boolean {
    return this.responder.isReading()
  }

  /** Undefined for what has changed something: it is on the quorum. */
  private get refusal(): 'TIMEOUT' | 'CUT_OFF' | undefined {
    if (this.operation.effect !== 'NONE') return undefined
    return this.leadership.refusalOf(this.operation)
  }
}
