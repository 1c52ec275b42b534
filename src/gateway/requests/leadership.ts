/**
 * Refuses requests that change orders while this exchange does not lead, and names the leader. It comes
 * before the checks of keys and parameters, which the leader makes. Everything else is served: market
 * data, queries, streams, and listen keys, which are each member's own.
 */
import type { Operation } from '../../api/operations/index.ts'
import type { RoleCells } from '../../shared/role.ts'

/** Who leads, as load balancers ask for it. */
export const ROLE_PATH = '/ringbook/role'
/** The header of a refusal, in which clients and proxies find the leader. */
export const LEADER_HEADER = 'X-Ringbook-Leader'

export class Leadership {
  readonly #role: RoleCells

  constructor(role: RoleCells) {
    this.#role = role
  }

  /** Whether the caller must respond with NOT_LEADING. */
  turnsAway({ effect }: Operation): boolean {
    return effect !== 'NONE' && !this.#role.isLeading
  }

  /** Returns the header line that names the leader, begun with CRLF; '' when it is unknown. */
  headerLine(): string {
    const { leader } = this.#role
    return leader === '' ? '' : `\r\n${LEADER_HEADER}: ${leader}`
  }

  /** Returns the JSON text that names the leader in the data of an error; '' when it is unknown. */
  errorData(): string {
    const { leader } = this.#role
    return leader === '' ? '' : `{"leader":${JSON.stringify(leader)}}`
  }

  /** Returns the response of ROLE_PATH: 200 for a leader that takes orders. */
  report(isStopping: boolean): { readonly status: 200 | 503; readonly json: string } {
    const status = this.#role.isLeading && !isStopping ? 200 : 503
    return { status, json: JSON.stringify(this.#role.read()) }
  }
}
