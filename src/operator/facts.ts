/**
 * What the control journal says: one JSON value per operator act, in sequence. Facts are never
 * changed or removed; a later one of the same id replaces what an earlier one said. Amounts are
 * decimal text of atoms, since they may outgrow a number.
 */
import type { SelfTradePrevention, SymbolStatus } from '../base/codes.ts'
import type { FilterSpec } from '../market/filter-spec.ts'
import type { SymbolFeatures, SymbolFees } from '../market/listing.ts'

export interface StartFact {
  readonly fact: 'start'
  /** Counts the starts of this data folder, from 1; every journal block names the one it is of. */
  readonly epoch: number
  readonly timeMs: number
  /** JOURNAL_LAYOUT (journal/block.ts) of what this start writes; 1 when left out. */
  readonly layout?: number
}
/** So many journals are in the data folder, journal-0 first; one that is missing later was lost. */
export interface JournalsFact {
  readonly fact: 'journals'
  readonly count: number
}
export interface AssetFact {
  readonly fact: 'asset'
  readonly id: number
  readonly name: string
}
export interface SymbolFact {
  readonly fact: 'symbol'
  readonly id: number
  readonly name: string
  readonly base: string
  readonly quote: string
  readonly status: SymbolStatus
  readonly filters: readonly FilterSpec[]
  readonly preventionModes: readonly SelfTradePrevention[]
  readonly preventionDefault: SelfTradePrevention
  /** Everything when left out. */
  readonly features?: SymbolFeatures
  /** Nothing when left out. */
  readonly fees?: SymbolFees
}
/** What concerns the exchange as a whole; the last one stands. */
export interface ExchangeFact {
  readonly fact: 'exchange'
  readonly filters: readonly FilterSpec[]
  /** Name of the asset in which discounted commissions are paid; '' for none. */
  readonly discountAsset: string
  /** What standard rates are multiplied with when paid in it: an integer of 1e-8, at most 1. */
  readonly discountRate: number
}
export interface AccountFact {
  readonly fact: 'account'
  readonly id: number
  readonly name: string
  readonly tradeGroupId: number
  /** Integers of 1e-8. */
  readonly makerRate: number
  readonly takerRate: number
  readonly buyerRate: number
  readonly sellerRate: number
  readonly canTrade: boolean
  /** As usualAccount has it when left out, like the rest. */
  readonly frozen?: boolean
  readonly permissions?: readonly string[]
  /** Ids of symbols, which may be listed later. */
  readonly restrictedSymbols?: readonly number[]
  readonly discountEnabled?: boolean
  /** It trades no more, and is given nothing more. */
  readonly closed?: boolean
}
/** An API key. One that may neither read nor trade is one that was revoked. */
interface KeyRightsFact {
  readonly fact: 'key'
  readonly account: number
  /** 64 letters and digits. */
  readonly apiKey: string
  readonly canRead: boolean
  readonly canTrade: boolean
  /** EXCHANGE when left out. The others are for endpoints that this exchange does not have. */
  readonly use?: 'EXCHANGE' | 'CUSTODIAL' | 'CREDIT_LINE'
  /** Addresses and ranges that it may be used from, `10.0.0.0/8, ::1`; any when left out. */
  readonly addresses?: string
}
export interface HmacKeyFact extends KeyRightsFact {
  readonly kind: 'HMAC'
  /** The secret as operator/vault.ts sealed it. */
  readonly sealedSecret: string
}
export interface PublicKeyFact extends KeyRightsFact {
  /** RSA keys have 2048 to 4096 bits. */
  readonly kind: 'RSA' | 'ED25519'
  /** PEM, `BEGIN PUBLIC KEY`. */
  readonly publicKey: string
}
export type KeyFact = HmacKeyFact | PublicKeyFact
export interface DepositFact {
  readonly fact: 'deposit'
  readonly account: number
  readonly asset: number
  readonly atoms: string
  readonly timeMs: number
  /** What it was given for, such as a rebate; left out of deposits in the narrow sense. */
  readonly category?: string
}
/** Leaves the exchange: free falls. */
export interface WithdrawalFact {
  readonly fact: 'withdrawal'
  readonly account: number
  readonly asset: number
  readonly atoms: string
  readonly timeMs: number
}
/** Locked for, or given back by, a system outside: moves from free to locked, negative back. */
export interface ExternalLockFact {
  readonly fact: 'lock'
  readonly account: number
  readonly asset: number
  readonly atoms: string
  readonly timeMs: number
}
/**
 * The matcher that a symbol belongs to from the next start on, where there are so many; a new symbol at
 * once.
 */
export interface PlacementFact {
  readonly fact: 'placement'
  readonly symbol: number
  /** -1: as symbols are dealt out when listed. */
  readonly matcher: number
  /** It came of what was measured, and may be measured anew; otherwise the operator pinned it. */
  readonly measured?: true
}
/** Whether the system status announces maintenance. */
export interface MaintenanceFact {
  readonly fact: 'maintenance'
  readonly on: boolean
}

export type Fact =
  | StartFact
  | JournalsFact
  | AssetFact
  | SymbolFact
  | ExchangeFact
  | AccountFact
  | KeyFact
  | DepositFact
  | WithdrawalFact
  | ExternalLockFact
  | PlacementFact
  | MaintenanceFact
