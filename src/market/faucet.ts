/**
 * Money and trades of the sandbox: a client asks its gateway for them for its own account, and the main thread
 * answers.
 */
import type { AccountId, OrderId } from '../base/units.ts'
import type { ClockAnswer, ClockRequest } from './clock-row.ts'
import type { FaultAnswer, FaultRequest } from './fault-rule.ts'
import type { AccountSpec } from './listing.ts'

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

/** An account wants one of its resting orders filled by the house's counterparty. */
export interface FillRequest {
  readonly ask: 'fill'
  readonly account: AccountId
  /** Whether the account itself wants it: then the faucet's limits count. */
  readonly isOwn: boolean
  /** Name of the symbol. */
  readonly symbol: string
  readonly orderId: OrderId
  /** `0.3` of the base asset, or `30%` of the order's quantity; all that is left when undefined. */
  readonly quantity: string | undefined
  /** Of a fill in steps: the one that is due, from 0, and their number. */
  readonly step?: { readonly index: number; readonly of: number }
}

/** Which order, and how much of it. */
export type FillWish = Omit<FillRequest, 'ask' | 'account' | 'isOwn'> & {
  /** Undefined: the account that has this open order. */
  readonly account: AccountId | undefined
}

/** What the owner of an order receives for it. */
export interface Purchase {
  /** Name of the asset. */
  readonly asset: string
  /** Rounded up. */
  readonly atoms: bigint
}

/** What the counterparty has traded with the order. */
export interface Filled {
  readonly symbol: string
  readonly orderId: OrderId
  /** Decimals: by this fill, and what the order still wants. */
  readonly filled: string
  readonly left: string
  readonly status: string
  /** What other orders, which stood before it in the book, traded first. */
  readonly alsoTaken: string
}

export type FilledOrder = Filled & { readonly account: AccountSpec }

/** Or why nothing more has changed: one sentence. */
export type FillAnswer = { readonly filled: Filled } | { readonly refused: string }

/** What a client asks of the sandbox for its own account, and of the clock for all. */
export type SandboxRequest = FaultRequest | HouseRequest | ClockRequest
export type SandboxAnswer = FaultAnswer | HouseAnswer | ClockAnswer
/** Of it, what moves money. */
export type HouseRequest = MoneyRequest | FillRequest
export type HouseAnswer = MoneyAnswer | FillAnswer
