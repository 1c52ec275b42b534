/**
 * Queries of an account's past and their results: plain values, integers in the symbol's units. The
 * protocol's handlers send them, the archive executes them.
 */
import type { Int64 } from '../base/int64.ts'
import type {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../base/units.ts'
import type {
  ChainBlockFields,
  DepositBlockFields,
  MovementBlockFields,
  WithdrawalBlockFields,
} from '../layout/accessors.gen.ts'
import type { StandingOrder } from '../layout/order.gen.ts'
import type { DetailsSectionFields } from '../layout/records.gen.ts'
import type { PreventedValueMatch } from '../layout/rows.gen.ts'
import type { OrderTally } from './trading-indicators.ts'

/** How an account trades, by the last refresh. */
export interface TradingStatusRow {
  /** A whole half minute; 0 before the first refresh. */
  readonly asOfMs: Ms
  /** When its last lock ends or ended; 0 when it had none recently. */
  readonly lockedUntilMs: Ms
  /** Symbols on which it placed orders within the window. */
  readonly symbols: readonly { readonly symbolId: SymbolId; readonly tally: OrderTally }[]
}

export interface TradingVolumeQuery {
  readonly account: AccountId
  /** Days since the epoch: [fromDay, toDay). */
  readonly fromDay: number
  readonly toDay: number
}

/** An order as it stood after the last archived event. Made by order-row.gen.ts. */
export interface OrderRow extends Readonly<StandingOrder> {
  /** The price that a pegged order works at; `priceTicks` is its client's own limit then, 0 for none. */
  readonly peggedTicks?: Ticks | undefined
  /** 0 when none was prevented, else id + 1. */
  readonly preventedMatchIdPlusOne: number
  /** The cancel's, once canceled (rest-api.md, New order). */
  readonly clientOrderId: string
  /** WorkingFloor of a routed order; undefined of others. */
  readonly floor?: number | undefined
  /** Only a detailed order has them. */
  readonly details?: OrderRowDetails | undefined
}

/** A detailed order beyond its terms, by the last archived event. */
export type OrderRowDetails = Readonly<Omit<DetailsSectionFields, 'amendments' | 'preventedLots'>>

/** One side of a trade, as its owner sees it. */
export interface TradeRow {
  readonly tradeId: TradeId
  readonly orderId: OrderId
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly commissionAtoms: Atoms
  readonly timeMs: Ms
  readonly isBuyer: boolean
  readonly isMaker: boolean
  /** -1 when the order is in no list. */
  readonly orderListId: OrderListId
  /** Asset of the commission; -1 for the asset received. */
  readonly commissionAssetId: AssetId
  /** MatchType; undefined of a trade in continuous trading. */
  readonly matchType?: number | undefined
}

/** What a routed order got (faqs/sor_faq.md). */
export interface AllocationRow {
  readonly allocationId: number
  readonly orderId: OrderId
  /** 10^-8 of the quote asset. */
  readonly priceUnits: Int64
  readonly lots: Lots
  readonly quoteAtoms: QuoteAtoms
  readonly commissionAtoms: Atoms
  readonly timeMs: Ms
  readonly isBuyer: boolean
  /** Asset of the commission; -1 for the asset received. */
  readonly commissionAssetId: AssetId
}

/** Of a symbol, or of an order: the oldest from the id on, or by time as MyTradesQuery. */
export interface AllocationsQuery {
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly orderId?: OrderId
  readonly startTime?: Ms
  readonly endTime?: Ms
  readonly fromAllocationId?: number
  readonly limit: number
}

export interface AllOrdersQuery {
  readonly account: AccountId
  readonly symbolId: SymbolId
  /** The lowest wanted. */
  readonly orderId?: OrderId
  /** Bounds of createdMs, both included. */
  readonly startTime?: Ms
  readonly endTime?: Ms
  readonly limit: number
}

/** By one of the two ids, or by both agreeing. */
export interface OrderQuery {
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly orderId?: OrderId
  readonly clientOrderId?: string
}

export interface MyTradesQuery {
  readonly account: AccountId
  readonly symbolId: SymbolId
  /** Only this order's trades. */
  readonly orderId?: OrderId
  /** Bounds of timeMs, both included. */
  readonly startTime?: Ms
  readonly endTime?: Ms
  /** The lowest trade id wanted. */
  readonly fromId?: number
  readonly limit: number
}

/** An order list as it stood after the last archived event. */
export interface OrderListRow {
  readonly orderListId: OrderListId
  readonly symbolId: SymbolId
  /** OrderListKind, ListStatusType and ListOrderStatus. */
  readonly kind: number
  readonly statusType: number
  readonly orderStatus: number
  readonly createdMs: Ms
  readonly listClientOrderId: string
  /** In the order of acceptance, under the ids that they have now. */
  readonly orders: readonly { readonly orderId: OrderId; readonly clientOrderId: string }[]
}

/** A match that self-trade prevention stopped. */
export interface PreventedMatchRow extends Readonly<PreventedValueMatch> {
  readonly preventedMatchId: number
}

/** A change of an order's quantity. */
export interface AmendmentRow {
  readonly orderId: OrderId
  readonly executionId: number
  readonly oldLots: Lots
  readonly newLots: Lots
  readonly origClientOrderId: string
  readonly newClientOrderId: string
  readonly timeMs: Ms
}

/** By one of the two ids, or by both agreeing. */
export interface OrderListQuery {
  readonly account: AccountId
  readonly orderListId?: OrderListId
  readonly listClientOrderId?: string
}

export interface OrderListsQuery {
  readonly account: AccountId
  /** The lowest wanted; excludes the times. */
  readonly fromId?: number
  /** Bounds of createdMs, both included. */
  readonly startTime?: Ms
  readonly endTime?: Ms
  readonly limit: number
}

/** A deposit, a withdrawal and a chain as they stood after the last archived event. */
export type DepositRow = Readonly<DepositBlockFields>
export type WithdrawalRow = Readonly<WithdrawalBlockFields>
export type ChainRow = Readonly<ChainBlockFields>

/** A movement of funds between two accounts. */
export interface MovementRow extends Readonly<MovementBlockFields> {
  readonly movedMs: Ms
}

/** Rows of the wallet, the newest first. */
interface WalletPage {
  /** Bounds of insertMs, applyMs or movedMs, both included. */
  readonly startTime: Ms
  readonly endTime: Ms
  /** How many of the newest are left out. */
  readonly offset: number
  readonly limit: number
}

interface WalletQuery extends WalletPage {
  readonly account: AccountId
  readonly assetId: AssetId | undefined
  readonly status: number | undefined
}

/** Movements from or to any of the accounts; of a side, from one of them or to one. */
export interface MovementsQuery extends WalletPage {
  readonly accounts: readonly AccountId[]
  readonly side: 'from' | 'to' | undefined
  /** Of those beyond the page, how many are counted at most. */
  readonly countMax: number
}

export interface Movements {
  readonly rows: readonly MovementRow[]
  readonly total: number
}

export interface DepositsQuery extends WalletQuery {
  readonly txId: string | undefined
}

export interface WithdrawalsQuery extends WalletQuery {
  /** The client's id of it. */
  readonly requestId: string | undefined
  /** Only these. */
  readonly ids: readonly number[] | undefined
}

/** What an account asked for under an id. */
export interface RequestQuery {
  readonly account: AccountId
  readonly requestId: string
}

/** What the archive knows of the movements that masters gave an id. */
export interface MovementOfRequest {
  readonly made: MovementRow | undefined
  /** The newest of all masters; 0 without one. */
  readonly lastId: number
}

/** An operator's credit in a category. */
export interface DistributionRow {
  readonly assetId: AssetId
  readonly atoms: Atoms
  readonly category: string
  readonly timeMs: Ms
  readonly transferId: number
}

export interface DistributionsQuery {
  readonly account: AccountId
  readonly assetId: AssetId | undefined
  readonly category: string | undefined
  /** Bounds of timeMs, both included. */
  readonly startTime?: Ms
  readonly endTime?: Ms
  readonly limit: number
}

export interface Distributions {
  /** Ascending by time. */
  readonly rows: readonly DistributionRow[]
  /** How many match, whatever the limit. */
  readonly total: number
}

/** One by its id, or those of an order, the lowest first. */
export interface PreventedMatchesQuery {
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly preventedMatchId?: number
  readonly orderId?: OrderId
  readonly fromPreventedMatchId?: number
  readonly limit: number
}

/** Amendments of an order, the lowest id first. */
export interface AmendmentsQuery {
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly orderId: OrderId
  readonly fromExecutionId?: number
  readonly limit: number
}
