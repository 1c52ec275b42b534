/**
 * Queries of operators to a gateway, as plain values: the gateway has the views, the history threads
 * and the connections. What it returns is plain values, too.
 */
import type { ChainChange, Side, WalletSubject, WithdrawalDecision } from '../base/codes.ts'
import type { Int64 } from '../base/int64.ts'
import type {
  AccountId,
  AssetId,
  Atoms,
  ChainId,
  Lots,
  Ms,
  NetworkId,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../base/units.ts'
import type {
  ChainBlockFields,
  DepositBlockFields,
  WithdrawalBlockFields,
} from '../layout/accessors.gen.ts'

/** A page of one account's open orders on one symbol, the lowest order ids first. */
export interface OpenOrdersQuery {
  readonly ask: 'openOrders'
  readonly account: AccountId
  readonly symbolId: SymbolId
  /** Orders with higher ids only. */
  readonly afterOrderId: OrderId
  readonly limit: number
}

/** An operation that clients have (api/operations), asked for an account, or for none. */
export interface OperationQuery {
  readonly ask: 'operation'
  readonly operation: string
  readonly account: AccountId | undefined
  readonly params: Readonly<Record<string, string>>
}

/** A page of the gateway's WebSocket connections, the oldest first. */
export interface SessionsQuery {
  readonly ask: 'sessions'
  /** Connections with higher numbers only. */
  readonly after: number
  readonly limit: number
  /** Connections of this account only; undefined for all. */
  readonly account: AccountId | undefined
}

/** Closes a WebSocket connection. The answer says whether there was one. */
export interface CloseSessionQuery {
  readonly ask: 'closeSession'
  readonly session: number
}

/** Places an order of the counterparty that never rests. The answer is the lots that it traded. */
export interface HouseOrderQuery {
  readonly ask: 'houseOrder'
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly side: Side
  readonly priceTicks: Ticks
  readonly lots: Lots
}

/** Sets the reference price of a symbol from outside. */
export interface ReferencePriceQuery {
  readonly ask: 'referencePrice'
  readonly symbolId: SymbolId
  /** 10^-8 of the quote asset; -1: there is none. */
  readonly priceUnits: Int64
}

/** Has two accounts trade outside of the book. The answer is a BlockTradeResult. */
export interface BlockTradeQuery {
  readonly ask: 'blockTrade'
  readonly symbolId: SymbolId
  readonly buyer: AccountId
  readonly seller: AccountId
  readonly priceTicks: Ticks
  readonly lots: Lots
  /** Commission of both sides, of what each receives, 1e-8. */
  readonly rate: number
  /** The operator's id of it, in the form of a client order id. */
  readonly requestId: string
}

export interface BlockTradeResult {
  readonly blockTradeId: number
  readonly quoteAtoms: QuoteAtoms
  readonly buyerCommissionAtoms: Atoms
  readonly sellerCommissionAtoms: Atoms
  readonly timeMs: Ms
  /** Whether it was made before, under the same id. */
  readonly isKnown: boolean
}

/** A page of what the wallet keeps. The answer of this and the next three is a WalletAnswer. */
export interface WalletStateQuery {
  readonly ask: 'wallet'
  readonly subject: WalletSubject
  /** All accounts' when left out. */
  readonly account?: AccountId | undefined
  /** The chain or asset that the subject is about. */
  readonly id?: ChainId | AssetId
  readonly limit?: number
  readonly afterId?: number
}

/** Sends an amount from outside to an address. */
export interface ChainSendQuery {
  readonly ask: 'chainSend'
  readonly networkId: NetworkId
  readonly address: string
  readonly tag: string
  readonly atoms: Atoms
  /** The operator's id of it; '' without one. */
  readonly requestId: string
}

export interface DecideWithdrawalQuery {
  readonly ask: 'decideWithdrawal'
  readonly withdrawalId: number
  readonly decision: WithdrawalDecision
}

export interface ChangeChainQuery {
  readonly ask: 'changeChain'
  readonly chainId: ChainId
  readonly change: ChainChange
  readonly blocks: number
}

export type WalletQuery =
  | WalletStateQuery
  | ChainSendQuery
  | DecideWithdrawalQuery
  | ChangeChainQuery

/** `worth` is left out where no prices give it. */
export type ValuedWithdrawal = WithdrawalBlockFields & {
  readonly worth?: { readonly assetId: AssetId; readonly atoms: Int64 }
}

export interface WalletAnswer {
  /** As they stand afterwards. */
  readonly deposits: readonly DepositBlockFields[]
  readonly withdrawals: readonly ValuedWithdrawal[]
  readonly chain?: ChainBlockFields & { readonly height: number; readonly transfers: number }
  readonly funds?: FundsTerms
  /** Whether it was so before. */
  readonly isKnown: boolean
  /** Whether no page follows. */
  readonly isWhole: boolean
}

/** The wallet's terms of the proof of funds, of one asset. */
export interface FundsTerms {
  /** Credited deposits less completed withdrawals. */
  readonly chainAtoms: Atoms
  readonly inFlightAtoms: Atoms
  readonly debtAtoms: Atoms
}

/** Events of orders after a place that an earlier answer named. */
export interface EventsQuery {
  readonly ask: 'events'
  /** `more` of an earlier answer; undefined for the present place, without rows. */
  readonly after: string | undefined
  readonly limit: number
  /** How long it waits for a first event, ms; 0 for not at all. */
  readonly waitMs: number
  /** Only events of this account and this symbol; undefined for all. */
  readonly account: AccountId | undefined
  readonly symbolId: SymbolId | undefined
}

/** One event, with the fields of executionReport by name; amounts are decimals. */
export interface OrderEventRow {
  readonly number: number
  readonly time: number
  readonly account: AccountId
  readonly symbol: string
  /** NEW, TRADE, CANCELED and so on. */
  readonly event: string
  readonly status: string
  readonly orderId: number
  readonly clientOrderId: string
  readonly orderListId: number
  readonly side: string
  readonly type: string
  readonly price: string
  readonly quantity: string
  readonly filled: string
  /** Fields of a trade; -1, zeros and false otherwise. */
  readonly tradeId: number
  readonly lastQuantity: string
  readonly lastPrice: string
  readonly isMaker: boolean
  readonly commission: string
  /** '' without a commission. */
  readonly commissionAsset: string
  readonly executionId: number
}

export interface EventPage {
  readonly rows: readonly OrderEventRow[]
  /** The place behind them. */
  readonly more: string
}

export type OperatorQuery =
  | OpenOrdersQuery
  | OperationQuery
  | SessionsQuery
  | CloseSessionQuery
  | HouseOrderQuery
  | ReferencePriceQuery
  | BlockTradeQuery
  | WalletQuery
  | EventsQuery

/** One WebSocket connection. */
export interface SessionRow {
  /** Counts the gateway's connections, from 1. */
  readonly session: number
  readonly transport: 'ws-api' | 'streams'
  readonly address: string
  /** Accounts that it acts for or reads the events of. */
  readonly accounts: readonly number[]
  /** Begin of the API key of its logon; '' without one. */
  readonly apiKey: string
  /** Streams and subscriptions that it reads. */
  readonly streams: number
  readonly seconds: number
  readonly unreadBytes: number
}

/** A gateway's answer: the value, or the sentence of a refusal. */
export interface OperatorQueryAnswer {
  readonly value?: unknown
  readonly refused?: string
}
