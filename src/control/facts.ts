/**
 * The control journal's facts: one JSON value per operator action, in sequence. Facts are never changed or
 * removed; a later one of the same id replaces an earlier one. Amounts are decimal text of atoms, since
 * they may outgrow a number.
 */
import type { SelfTradePrevention, SymbolStatus } from '../base/codes.ts'
import type { AccountId, AssetId, Ms, SymbolId } from '../base/units.ts'
import type { FilterSpec } from '../market/filter-spec.ts'
import type {
  AccountLimits,
  PhaseSettings,
  PriceRange,
  ReferenceSettings,
  SymbolFeatures,
  SymbolFees,
} from '../market/listing.ts'
import type { ChainSpec, NetworkAmount, NetworkSpec } from '../market/network.ts'
import type { SeededKlines } from '../market/seeded-klines.ts'
import type { EarlierToken } from './operators.ts'
import type { Role } from './role.ts'
import type { ScheduleSpec } from './schedule/schedule.ts'

export interface StartFact {
  readonly fact: 'start'
  /** Counts the starts of this data folder, from 1; every journal block names the one it is of. */
  readonly epoch: number
  readonly timeMs: Ms
  /** JOURNAL_LAYOUT (layout/conversions.ts) of what this start writes; 1 when left out. */
  readonly layout?: number
  /** The number of matchers; left out where no other member follows. */
  readonly matchers?: number
  /** By id of the listed symbols: the matcher that owns it; left out likewise. */
  readonly owners?: readonly number[]
  /** A member that followed leads now. Its matchers have started before, so groups that wait for a start wait on. */
  readonly isTakeOver?: true
}
/**
 * The data folder was made as a demo whose market making is on by default. Demos of versions without it
 * have no such fact.
 */
export interface DemoFact {
  readonly fact: 'demo'
}
/** The number of journals in the data folder, from journal-0 on; one that is missing later was lost. */
export interface JournalsFact {
  readonly fact: 'journals'
  readonly count: number
}
export interface AssetFact {
  readonly fact: 'asset'
  readonly id: AssetId
  readonly name: string
}
/** A chain that carries money; it stays as it was listed. */
export type ChainFact = ChainSpec & { readonly fact: 'chain' }
/** An asset on a chain. Amounts are decimal text of atoms. */
export type NetworkFact = Omit<NetworkSpec, NetworkAmount> &
  Readonly<Record<NetworkAmount, string>> & { readonly fact: 'network' }
export interface SymbolFact {
  readonly fact: 'symbol'
  readonly id: SymbolId
  readonly name: string
  readonly base: string
  readonly quote: string
  readonly status: SymbolStatus
  readonly filters: readonly FilterSpec[]
  readonly preventionModes: readonly SelfTradePrevention[]
  readonly preventionDefault: SelfTradePrevention
  /**
   * How it is halted: true with all others (`halt --all`), false by its name, or it trades. When left out,
   * this is as before while the status stays HALT.
   */
  readonly haltedWithAll?: boolean
  /**
   * Whether an operator sets the status by name; false where it goes back to the schedule. When left out, this is
   * as before while the status stays CANCEL_ONLY.
   */
  readonly byOperator?: boolean
  /** It trades no more, for good; its history stays. */
  readonly delisted?: true
  /** Everything when left out. */
  readonly features?: SymbolFeatures
  /** Nothing when left out. */
  readonly fees?: SymbolFees
  /** noPhases when left out, also of its settings. */
  readonly phases?: Partial<PhaseSettings>
  /** None when left out. */
  readonly reference?: ReferenceSettings
  readonly priceRange?: PriceRange
}
/** Settings of the exchange as a whole; the last fact stands. */
export interface ExchangeFact {
  readonly fact: 'exchange'
  readonly filters: readonly FilterSpec[]
  /** Name of the asset in which discounted commissions are paid; '' for none. */
  readonly discountAsset: string
  /** Factor of standard rates paid in it: an integer of 1e-8, at most 1. */
  readonly discountRate: number
}
export interface AccountFact {
  readonly fact: 'account'
  readonly id: AccountId
  readonly name: string
  readonly tradeGroupId: number
  /** Integers of 1e-8. */
  readonly makerRate: number
  readonly takerRate: number
  readonly buyerRate: number
  readonly sellerRate: number
  readonly canTrade: boolean
  /** The value of usualAccount when left out; so for the fields below. */
  readonly frozen?: boolean
  readonly permissions?: readonly string[]
  /** Ids of symbols, which may be listed later. */
  readonly restrictedSymbols?: readonly number[]
  readonly discountEnabled?: boolean
  readonly limits?: AccountLimits
  readonly email?: string
  /** Both of sub-accounts alone. */
  readonly master?: AccountId
  readonly openedMs?: Ms
  /** It neither trades nor receives deposits. */
  readonly closed?: boolean
}
/** An API key. A key that may neither read nor trade was revoked. */
interface KeyRightsFact {
  readonly fact: 'key'
  readonly account: AccountId
  /** 64 letters and digits. */
  readonly apiKey: string
  readonly canRead: boolean
  readonly canTrade: boolean
  /** As KeyRights; so for the fields below. */
  readonly canWithdraw?: boolean
  readonly withdrawTo?: readonly string[]
  readonly createdMs?: Ms
  /** EXCHANGE when left out. The others are for endpoints that this exchange does not have. */
  readonly use?: 'EXCHANGE' | 'CUSTODIAL' | 'CREDIT_LINE'
  /** Addresses and ranges that it may be used from, `10.0.0.0/8, ::1`; any when left out. */
  readonly addresses?: string
  /** Accounts beside its own whose reports it may read in a drop copy; none when left out. */
  readonly granted?: readonly AccountId[]
}
export interface HmacKeyFact extends KeyRightsFact {
  readonly kind: 'HMAC'
  /** The secret as control/vault.ts sealed it. */
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
  readonly account: AccountId
  readonly asset: AssetId
  readonly atoms: string
  readonly timeMs: Ms
  /** The kind of credit, such as a rebate; left out for plain deposits. */
  readonly category?: string
  /** Puts the account back to what it was given (`reset-account`), and does not count as given. */
  readonly reset?: true
}
/** Money leaves the exchange: free decreases. */
export interface WithdrawalFact {
  readonly fact: 'withdrawal'
  readonly account: AccountId
  readonly asset: AssetId
  readonly atoms: string
  readonly timeMs: Ms
  /** As of a deposit. */
  readonly reset?: true
}
/** Locked for, or given back by, a system outside: moves from free to locked, negative back. */
export interface ExternalLockFact {
  readonly fact: 'lock'
  readonly account: AccountId
  readonly asset: AssetId
  readonly atoms: string
  readonly timeMs: Ms
}
/**
 * The matcher that owns a symbol from the next start on, if there are enough matchers; for a new symbol
 * at once.
 */
export interface PlacementFact {
  readonly fact: 'placement'
  readonly symbol: number
  /** -1: by the order of listing. */
  readonly matcher: number
  /** Whether a measurement placed it, and a later one may move it; otherwise the operator pinned it. */
  readonly measured?: true
}
/** Symbols whose books routed orders take from together, from the next start on; a later fact of the base replaces it. */
export interface GroupFact {
  readonly fact: 'group'
  /** Name of their base asset. */
  readonly base: string
  /** None: it is removed. */
  readonly symbols: readonly SymbolId[]
  readonly account: AccountId
}
/** An order of a seed file. */
export interface SeedOrder {
  readonly account: AccountId
  /** Parameters of `POST /api/v3/order`. */
  readonly params: Readonly<Record<string, string>>
}
/** Orders that the seed of the data folder has and that are not placed yet; the last fact stands. */
export interface SeedFact {
  readonly fact: 'seed'
  readonly orders: readonly SeedOrder[]
}
/** Klines that a symbol begins with; further ones follow them. */
export type KlinesFact = SeededKlines & { readonly fact: 'klines' }
/** What the folder was given first ends here: what `reset` goes back to. Without it, what is before its first start. */
export interface FirstFact {
  readonly fact: 'first'
}
/** A backup of the data folder is whole: as of this moment. */
export interface BackupFact {
  readonly fact: 'backup'
  readonly timeMs: Ms
}
/** Whether the system status announces maintenance. */
export interface MaintenanceFact {
  readonly fact: 'maintenance'
  readonly on: boolean
}

/**
 * The machine's clock was wrong: what was journaled between two moments, as they were shown until then, is shown
 * at the first one (base/corrections.ts). In force from the next start on.
 */
export interface CorrectionFact {
  readonly fact: 'correction'
  readonly fromMs: Ms
  readonly toMs: Ms
}

/** A schedule of statuses; a later fact of the name replaces it. Without phases it is removed. */
export interface ScheduleFact extends ScheduleSpec {
  readonly fact: 'schedule'
  /** What was due up to then is made: by the action that set it. */
  readonly fromMs: Ms
}
/** Transitions of a schedule were made up to one that was due at `dueMs`. */
export interface TransitionFact {
  readonly fact: 'transition'
  readonly schedule: string
  readonly dueMs: Ms
  readonly status: SymbolStatus
  /** Those that it reached. */
  readonly symbols: readonly SymbolId[]
}
/** How an operator has a symbol keep its schedule. */
export interface HeldFact {
  readonly fact: 'held'
  readonly symbol: SymbolId
  /** Whether transitions pass it by. */
  readonly held: boolean
  /** When the last transition is due that was made ahead of its time; 0 without one. */
  readonly aheadMs: Ms
}

/** An operator beside the owner of the data folder's token; a later fact of the name replaces it. */
export interface OperatorFact {
  readonly fact: 'operator'
  readonly name: string
  readonly role: Role
  /** Hex of SHA-256 of the token; '' once the operator is removed. */
  readonly tokenHash: string
  /** Tokens before it that are good for a while. */
  readonly earlier?: readonly EarlierToken[]
}
/** Tells an action that is sent again from another one. */
export interface ActionKey {
  /** The client's Idempotency-Key. */
  readonly key: string
  /** SHA-256 of the action's name and arguments, hex. */
  readonly digest: string
}

/** An action that was carried out; written behind its facts, with them. */
export interface ActionFact {
  readonly fact: 'act'
  readonly name: string
  /** Name of the operator. */
  readonly by: string
  readonly timeMs: Ms
  readonly given: Readonly<Record<string, string>>
  /** Key of an action that its client may send again. */
  readonly once?: ActionKey
}

export type Fact =
  | StartFact
  | DemoFact
  | JournalsFact
  | AssetFact
  | ChainFact
  | NetworkFact
  | SymbolFact
  | ExchangeFact
  | AccountFact
  | KeyFact
  | DepositFact
  | WithdrawalFact
  | ExternalLockFact
  | PlacementFact
  | GroupFact
  | SeedFact
  | KlinesFact
  | FirstFact
  | BackupFact
  | MaintenanceFact
  | CorrectionFact
  | ScheduleFact
  | TransitionFact
  | HeldFact
  | OperatorFact
  | ActionFact

/** The first layout whose control journals have a mark of their end (journal/control-store.ts). */
const MARKED_LAYOUT = 7

/** Whether an exchange has run that marks the end of the control journal. */
export const isMarked = (facts: readonly Fact[]): boolean =>
  facts.some((fact) => fact.fact === 'start' && (fact.layout ?? 1) >= MARKED_LAYOUT)

/** Whether a fact ends what is applied together: an action, or one of those that are noted alone. */
export const isLast = ({ fact }: Fact): boolean =>
  fact === 'act' || fact === 'start' || fact === 'journals' || fact === 'backup'
