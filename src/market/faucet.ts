/** The faucet of the sandbox: a client asks its gateway for money on its own account, and the main thread answers. */
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

/** What a client asks of the sandbox for its own account. */
export type SandboxRequest = FaultRequest | FaucetRequest
export type SandboxAnswer = FaultAnswer | FaucetAnswer
