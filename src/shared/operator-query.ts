/**
 * Queries of operators to a gateway, as plain values: the gateway has the views, the history threads
 * and the connections. What it returns is plain values, too.
 */
import type { Side } from '../base/codes.ts'
import type { Int64 } from '../base/int64.ts'
import type {
  AccountId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../base/units.ts'

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
