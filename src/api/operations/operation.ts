/**
 * The shape of an operation's row: what the gateway needs to route, weigh, authenticate and check a
 * request, and the handler that answers it. The same row serves REST and the WebSocket API.
 */

import type { Schema } from '../answers/schema.ts'
import type { Context, Request, Responder } from '../context.ts'
import { type ErrorId, errorStatus, Fault } from '../errors.ts'
import type { OperationId } from '../operation-ids.ts'
import { DECIMAL, Param, type ParamKind, type ParamName, slotOf } from '../parameters.ts'
import type { RawParams } from '../params.ts'

export type Security = 'NONE' | 'MARKET_DATA' | 'USER_STREAM' | 'TRADE' | 'USER_DATA'
/** What the operation does to orders, or MOVES: to balances, without one. */
export type OrderEffect = 'NONE' | 'PLACES' | 'CANCELS' | 'REPLACES' | 'AMENDS' | 'MOVES'
/** RULES are those of the sandbox, which the main thread keeps. */
export type Source = 'ENGINE' | 'MEMORY' | 'DATABASE' | 'RULES'

export interface ParamRow {
  readonly slot: Param
  readonly mandatory: boolean
  /** Its other name. A request with both names is refused. */
  readonly alias?: Param
  /** Its kind in this operation, where it differs from that of the parameter's table. */
  readonly kind?: ParamKind
  /** What it means in this operation, where that differs. */
  readonly meaning?: string
}

/**
 * Responds exactly once through `responder`, now or later. Throws only for a programmer's error;
 * what it hands to a collector outlives the call.
 */
export type Handler = (request: Request, context: Context, responder: Responder) => void

export interface Operation {
  /** Unique; names the row in documents and tests. */
  readonly id: OperationId
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly wsMethod?: string
  readonly security: Security
  /** Whether timestamp and signature are demanded. */
  readonly signed: boolean
  /** The weight that the request is charged. A function is called before the checks, with unchecked parameters. */
  readonly weight: number | ((params: RawParams) => number)
  /** What it charges once it has succeeded, where that differs (rest-api.md, footnote). */
  readonly weightOnSuccess?: number
  /** What it charges when there is no such symbol, where that differs. */
  readonly weightWithoutSymbol?: number
  /** What it charges when it is refused with 400, where its weight follows what is asked for. */
  readonly weightWhenRefused?: number
  /** Decides what is turned away under overload, and what a locked account may still do. */
  readonly effect: OrderEffect
  /** Charged to the account's unfilled order count when it passes the checks; of a batch, by each part. */
  readonly orderCount: number
  /** Besides timestamp, recvWindow, signature and apiKey. */
  readonly params: readonly ParamRow[]
  /** Two parameters; one must be sent. */
  readonly oneOf?: readonly [Param, Param]
  /** Two parameters; the handler refuses requests that have neither. */
  readonly alternatives?: readonly [Param, Param]
  /** Pairs that exclude each other. */
  readonly exclusive?: readonly (readonly [Param, Param])[]
  /** Where the answer comes from, in the order of looking. */
  readonly sources: readonly Source[]
  /** The shape of its answer with 200: OpenAPI and the checks of the tests go by it. */
  readonly answer: Schema
  readonly handler: Handler
  /** The operation of each part of a batch. */
  readonly each?: Operation
}

export const must = (...names: readonly ParamName[]): readonly ParamRow[] =>
  names.map((name) => ({ slot: slotOf(name), mandatory: true }))

export const may = (...names: readonly ParamName[]): readonly ParamRow[] =>
  names.map((name) => ({ slot: slotOf(name), mandatory: false }))

/** An amount of an asset, as a decimal. */
export const amountRow = (meaning: string, mandatory: boolean): ParamRow => ({
  slot: slotOf('amount'),
  mandatory,
  kind: DECIMAL,
  meaning,
})

/** The two client order ids, under both of their spellings (docs/api/decisions.md). */
export const newClientOrderId: ParamRow = {
  slot: Param.newClientOrderId,
  mandatory: false,
  alias: Param.clOrdId,
}
export const origClientOrderId: ParamRow = {
  slot: Param.origClientOrderId,
  mandatory: false,
  alias: Param.origClOrdId,
}

/** Whether the operation enters new orders. */
export const entersOrders = (effect: OrderEffect): boolean =>
  effect === 'PLACES' || effect === 'REPLACES'

/**
 * Whether it is answered before the gateway reads on, so that the next request of an HTTP/1.1 connection
 * may follow at once.
 */
export const answersAtOnce = ({ sources }: Pick<Operation, 'sources'>): boolean =>
  sources.every((source) => source === 'MEMORY')

/** Returns what a request is charged at its arrival. */
export function weightOf({ weight }: Pick<Operation, 'weight'>, raw: RawParams | Fault): number {
  if (typeof weight === 'number') return weight
  return raw instanceof Fault ? 1 : weight(raw)
}

/** What a request that is refused weighs, where that is less than what it was charged. */
export function weightOfRefusal(operation: Operation, id: ErrorId): number | undefined {
  const { weightWithoutSymbol, weightWhenRefused } = operation
  if (id === 'INVALID_SYMBOL' && weightWithoutSymbol !== undefined) return weightWithoutSymbol
  return errorStatus(id) === 400 ? weightWhenRefused : undefined
}
