/** Operators by name: what each may do, and the tokens that prove who one is. */
import { createHash, randomBytes } from 'node:crypto'
import { type Role, roles } from './role.ts'

export interface Operator {
  readonly name: string
  readonly role: Role
}

/** Holds the token of the data folder. */
export const OWNER: Operator = { name: 'owner', role: 'admin' }
/** Opens and funds the accounts of market makers. */
export const LIQUIDITY: Operator = { name: 'house', role: 'admin' }
/** Acts for clients of the sandbox, which fund and reset their own accounts. */
export const FAUCET: Operator = { name: 'faucet', role: 'admin' }
/** Changes statuses by schedules. */
export const SCHEDULE: Operator = { name: 'schedule', role: 'admin' }
/** Opens and funds the account of the sandbox's counterparty. */
export const HOUSE_COUNTERPARTY: Operator = { name: 'counterparty', role: 'admin' }
/** Besides these. */
export const OPERATORS_MAX = 64

const TOKEN_BYTES = 32

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('hex')

/** Tokens of one operator that others replaced, and that are good still. */
export const EARLIER_TOKENS_MAX = 4

/** A token that another one replaced, and the end of its time by the wall clock, ms since the Unix epoch. */
export interface EarlierToken {
  readonly tokenHash: string
  readonly untilMs: number
}

/** Returns those that are good. */
export const goodTokens = (
  earlier: readonly EarlierToken[] = [],
  nowMs: number,
): readonly EarlierToken[] => earlier.filter(({ untilMs }) => nowMs < untilMs)

/** Returns the earlier tokens once this one is replaced, and is good until then. */
export const replacedToken = (
  earlier: readonly EarlierToken[] | undefined,
  token: EarlierToken,
  nowMs: number,
): readonly EarlierToken[] => goodTokens([...(earlier ?? []), token], nowMs)

/** Hex of SHA-256. A token is 32 random bytes, so it needs no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Whether the operator's role includes the wanted one. */
export const mayAct = ({ role }: Operator, wanted: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(wanted)
