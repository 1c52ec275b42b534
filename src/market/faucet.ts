/** What a client asks of the sandbox for the money of its own account; the main thread answers. */
import type { AccountId } from '../base/units.ts'
import type { FaultAnswer, FaultRequest } from './fault-rule.ts'

export interface FaucetRequest {
  readonly ask: 'faucet'
  readonly account: AccountId
  /** Name of the asset. */
  readonly asset: string
  /** A decimal; all that the limit leaves when undefined. */
  readonly amount: string | undefined
}

/** What the account was credited with. */
export interface Credited {
  readonly asset: string
  /** A decimal. */
  readonly amount: string
}

/** Or why nothing has changed: one sentence. */
export type FaucetAnswer = { readonly credited: Credited } | { readonly refused: string }

/** The client wants its account back as it was given. */
export interface ResetRequest {
  readonly ask: 'resetAccount'
  readonly account: AccountId
}

/** Decimals. */
export interface BalanceRow {
  readonly asset: string
  readonly free: string
  readonly locked: string
}
/** The balances that the account has then. */
export type ResetAnswer =
  | { readonly balances: readonly BalanceRow[] }
  | { readonly refused: string }

export type MoneyRequest = FaucetRequest | ResetRequest
export type MoneyAnswer = FaucetAnswer | ResetAnswer

/** What a client asks of the sandbox for its own account. */
export type SandboxRequest = FaultRequest | MoneyRequest
export type SandboxAnswer = FaultAnswer | MoneyAnswer
