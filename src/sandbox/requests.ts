/**
 * Requests of clients to the sandbox, which their gateway passes on to the main thread, and the answers: money,
 * trades and rules of the client's own account, and how the clock is.
 */
import type { AccountId, Ms, OrderId } from '../base/units.ts'
import type { AccountSpec } from '../market/listing.ts'

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

/** The client resets its account to what it was given. */
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

/** The client has an amount sent from outside to an address of its account. */
export interface TransferRequest {
  readonly ask: 'chainTransfer'
  readonly account: AccountId
  /** Names of the asset, and of a chain that carries it; undefined for its default one. */
  readonly coin: string
  readonly network: string | undefined
  readonly address: string
  /** '' for none. */
  readonly addressTag: string
  /** A decimal. */
  readonly amount: string
  /** The client's id of it; undefined for none. */
  readonly requestId: string | undefined
}

/** What is on its way. */
export interface Transferred {
  readonly coin: string
  readonly network: string
  readonly address: string
  readonly addressTag: string
  readonly amount: string
  readonly txId: string
}

/** Or why nothing was sent: one sentence. */
export type TransferAnswer = { readonly transferred: Transferred } | { readonly refused: string }

export type MoneyRequest = FaucetRequest | ResetRequest | TransferRequest
export type MoneyAnswer = FaucetAnswer | ResetAnswer | TransferAnswer

/** The exchange's counterparty is to fill a resting order of the account. */
export interface FillRequest {
  readonly ask: 'fill'
  readonly account: AccountId
  /** Whether the account itself requests it: then the faucet's limits apply. */
  readonly isOwn: boolean
  /** Name of the symbol. */
  readonly symbol: string
  readonly orderId: OrderId
  /** `0.3` of the base asset, or `30%` of the order's quantity; all that is left when undefined. */
  readonly quantity: string | undefined
  /** The step of a fill in steps that is due, from 0, and the number of steps. */
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
  /** Decimals: what this fill traded, and what the order has left. */
  readonly filled: string
  readonly left: string
  readonly status: string
  /** What was traded first with orders that stood before it in the book. */
  readonly alsoTaken: string
}

export type FilledOrder = Filled & { readonly account: AccountSpec }

/** Or why nothing more has changed: one sentence. */
export type FillAnswer = { readonly filled: Filled } | { readonly refused: string }

export interface ClockRequest {
  readonly ask: 'clock'
}
export interface ClockAnswer {
  readonly clock: ClockRow
}
/** How the exchange's clock is. */
export interface ClockRow {
  readonly nowMs: Ms
  /** Whether it is not the machine's. */
  readonly isVirtual: boolean
  readonly isPaused: boolean
  /** Times as fast as the machine's, while it is not paused. */
  readonly speed: number
  /** Whether it is on its way to a moment that it was sent to. */
  readonly isMoving: boolean
  readonly participants: number
  /** Names of the accounts for which it stands still. */
  readonly heldBy: readonly string[]
}

/** A client asks its gateway to change or show the rules of its own account. */
export type FaultRequest = { readonly account: AccountId } & (
  | { readonly ask: 'add'; readonly given: Readonly<Record<string, unknown>> }
  | { readonly ask: 'remove'; readonly name: string | undefined }
  | { readonly ask: 'list' }
)

/** One rule as lists show it. */
export interface FaultRow {
  readonly name: string
  readonly do: string
  /** Its other fields, as `operation=placeOrder every=3`. */
  readonly rule: string
  /** Requests or frames that it is for. */
  readonly matches: number
  /** Those that it touched. */
  readonly touched: number
  readonly isOver: boolean
  /** The account that made it for itself; undefined for an operator's. */
  readonly owner: AccountId | undefined
}

/** The rules that the account now has, or why nothing has changed: one sentence. */
export type FaultAnswer = { readonly rows: readonly FaultRow[] } | { readonly refused: string }

export type SandboxRequest = FaultRequest | HouseRequest | ClockRequest
export type SandboxAnswer = FaultAnswer | HouseAnswer | ClockAnswer
/** Those that move money. */
export type HouseRequest = MoneyRequest | FillRequest
export type HouseAnswer = MoneyAnswer | FillAnswer

const houseRequests: ReadonlySet<SandboxRequest['ask']> = new Set<HouseRequest['ask']>([
  'faucet',
  'resetAccount',
  'chainTransfer',
  'fill',
])
export const isOfHouse = (request: SandboxRequest): request is HouseRequest =>
  houseRequests.has(request.ask)
