/**
 * Questions of operators to a gateway, as plain values: the gateway has the views, the history threads
 * and the connections. What it returns is plain values, too.
 */
import type { Side } from '../base/codes.ts'
import type { AccountId, Lots, OrderId, SymbolId, Ticks } from '../base/units.ts'

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
  /** Connections that action for this account only; undefined for all. */
  readonly account: AccountId | undefined
}

/** Closes a WebSocket connection. The answer says whether there was one. */
export interface CloseSessionQuery {
  readonly ask: 'closeSession'
  readonly session: number
}

/** Places an order of the house that never rests. The answer is the lots that it traded. */
export interface HouseOrderQuery {
  readonly ask: 'houseOrder'
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly side: Side
  readonly priceTicks: Ticks
  readonly lots: Lots
}

export type OperatorQuery =
  | OpenOrdersQuery
  | OperationQuery
  | SessionsQuery
  | CloseSessionQuery
  | HouseOrderQuery

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
