/** Operators by name: what each may do, and the tokens that prove who one is. */
import { createHash, randomBytes } from 'node:crypto'
import { type Role, roles } from './role.ts'

export interface Operator {
  readonly name: string
  readonly role: Role
}

/** Holds the token of the data folder. */
export const OWNER: Operator = { name: 'owner', role: 'admin' }
/** Market makers, which opens and funds its accounts. */
export const LIQUIDITY: Operator = { name: 'house', role: 'admin' }
/** Clients of the sandbox, which deposit on their own accounts and reset them. */
export const FAUCET: Operator = { name: 'faucet', role: 'admin' }
/** Schedules, which change statuses at their times. */
export const SCHEDULE: Operator = { name: 'schedule', role: 'admin' }
/** The counterparty of the sandbox, which opens and funds its account. */
export const HOUSE_COUNTERPARTY: Operator = { name: 'counterparty', role: 'admin' }
/** Besides these. */
export const OPERATORS_MAX = 64

const TOKEN_BYTES = 32

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('hex')

/** Hex of SHA-256. A token is 32 random bytes, so it needs no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Whether the operator's role includes the wanted one. */
export const mayAct = ({ role }: Operator, wanted: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(wanted)
