/**
 * One request as the pipeline's steps know it, and what its transport supplies: who calls, the raw
 * parameters, and an encoder of the outcome. A transport is a row, such as that of REST or of the WebSocket API;
 * what only some can do is optional.
 */
import type { AnyRows, Reply } from '../api/answers/answer.ts'
import type { Encoder } from '../api/answers/encoders.ts'
import { type ErrorRow, errorRows } from '../api/answers/errors.ts'
import type { ArrivalLimit } from '../api/answers/limits.ts'
import type { Stages } from '../api/answers/session.ts'
import type { CheckedRow, SharedParams } from '../api/check.ts'
import type { Request, Responder } from '../api/context.ts'
import { type ErrorId, errorStatus, type Fault } from '../api/errors.ts'
import type { Operation } from '../api/operations/index.ts'
import { type Params, RawParams } from '../api/params.ts'
import type { Ms } from '../base/units.ts'
import type { Caller, CallerKind } from '../gateway/authentication/authenticator.ts'
import type { ApiKey } from '../gateway/authentication/key-ring.ts'
import type { AddressHandle } from '../gateway/limits/address-table.ts'
import type { Refusal } from '../gateway/limits/rate-limits.ts'

/** The parameters of a request that is refused before they are read. */
export const nothingSent = new RawParams()

/** The part of a row that the steps need: an operation's, or that of a method which only the transport has. */
export type Row = CheckedRow & Pick<Operation, 'security' | 'weight'>

/** The row of a request that names none: it is charged like the lightest. */
export const noRow: Row = { security: 'NONE', signed: false, weight: 1, params: [] }

/** A transport's row: what all its requests have in common. */
export interface TransportKind extends CallerKind {
  /** The name in rules of the sandbox. */
  readonly over: string
  readonly limiter: ArrivalLimit
  readonly params: SharedParams
  /** Writes its answers, and what a fault of the sandbox keeps of them. */
  readonly encoder: Encoder
}

/** What a transport supplies for one request. Values that parameters decide hold after read(). */
export interface Transport extends Caller {
  readonly kind: TransportKind
  /** Whether times in the answer are in microseconds. */
  readonly microseconds: boolean
  /** Why the form of the request is refused, whatever its parameters are. */
  readonly fault: Fault | undefined
  /** The client as UnreadBytes counts it. */
  readonly peer: string
  /** Characters of the request's text, which is kept until the answer. */
  readonly textChars: number
  /** Returns the parameters; for a request that is turned away, at most those that shape the answer. */
  read(isTurnedAway: boolean): RawParams | Fault
  /** Encodes and sends what an operation answers. Returns its length, which guards count. */
  succeed(request: SettledRequest, answer: Reply, spoil?: Spoil): number
  /** Encodes and sends an error. Returns its length. */
  fail(request: SettledRequest, error: Failure, spoil?: Spoil): number

  /** Whether the client asks for the stages of the request, and when it arrived, ns; see Receipts. */
  readonly asksForReceipt?: boolean
  readonly arrivedNs?: number | undefined
  /** Whether the client has gone: it gets no answer. */
  readonly isGone?: boolean
  /** Whether the client has read most of what it was sent; without it, it has one answer at a time. */
  isReading?(): boolean
  /** Returns the number of the session with which orders of the request end; 0 for none. */
  bind?(request: Pick<CheckedRequest, 'params' | 'account'>): number
  /** Answers a request for a method that only the transport has. */
  answerOwn?(request: CheckedRequest): void
  /** Called when a limit has refused the request, or orders of it. */
  limitReached?(isBanned: boolean, nowMs: Ms): void
  /** Names a fault of the sandbox in a header of the answer. */
  mark?(fault: string): void
  /** Ends the connection without an answer, as a fault of the sandbox wants it. */
  cut?(request: SettledRequest): void
  /** Ends the connection of a client that gets no more answers. Returns false where it must stay. */
  shutOut?(request: SettledRequest): boolean
  /** Responds that the key of the logon is no longer valid, which ends the logon. */
  endLogon?(nowMs: Ms): void
}

/**
 * What a fault of the sandbox makes of an answer: `half` sends half of it, and ends the connection; `twice` sends it
 * twice where frames answer.
 */
export type Spoil = 'half' | 'twice'

/** A row of the error table, with what fills its message and rows for its `data`. */
export class Refused {
  readonly id: ErrorId
  readonly detail: readonly (string | number)[] | undefined
  readonly data: AnyRows | undefined

  constructor(
    id: ErrorId,
    detail: readonly (string | number)[] | undefined,
    data: AnyRows | undefined,
  ) {
    this.id = id
    this.detail = detail
    this.data = data
  }

  get status(): number {
    return errorStatus(this.id)
  }

  /** `data` stands where it has none. */
  rows(data?: AnyRows): AnyRows {
    return errorRows(this.id, this.detail, this.data ?? data)
  }
}

/** An error that a fault of the sandbox made. */
export interface MadeError {
  readonly how: 'made'
  readonly status: number
  readonly row: ErrorRow
  /** What stands instead where answers may be pages. */
  readonly html: string | undefined
  readonly retrySeconds: number | undefined
}

export type Failure = Refused | MadeError

/** A request as it arrived. */
export interface RawRequest {
  readonly transport: Transport
  readonly row: Row
  /** Undefined for a method that only the transport has. */
  readonly operation: Operation | undefined
  readonly raw: RawParams | Fault
  /** Server time at arrival, ms; where a fault of the sandbox delayed it, at the end of the last delay. */
  readonly nowMs: Ms
  /** The address as limits know it. */
  readonly address: AddressHandle
  parsed(params: Params): ParsedRequest
}

/** It was admitted, and its parameters have legal characters. */
export interface ParsedRequest extends RawRequest {
  readonly params: Params
  known(key: ApiKey | undefined, expiresMs: Ms): KnownRequest
}

/** The account is known. */
export interface KnownRequest extends ParsedRequest {
  /** Undefined where the row needs none. */
  readonly key: ApiKey | undefined
  /** timestamp + recvWindow in ms; 0 for unsigned. */
  readonly expiresMs: Ms
  checked(): CheckedRequest
}

/** The parameters are what the row takes: it can be handled. */
export interface CheckedRequest extends KnownRequest, Request, Responder {
  readonly key: ApiKey | undefined
  readonly params: Params
  readonly nowMs: Ms
  readonly expiresMs: Ms
  /** The refusal of too much weight. */
  readonly weightFault: Fault
  /** Notes until when a limit refuses it. Returns why. */
  limitedBy(refusal: Refusal): Fault
  /**
   * Sets its time to now: a fault of the sandbox delayed it. Limits count what follows in the present interval;
   * its weight stays charged in that of its arrival.
   */
  setLate(): void
  /** Ends it with an answer of the sandbox, or one that is spoiled. */
  spoil(outcome: Reply | Failure, spoil?: Spoil): void
  /** Ends it, and its connection, without an answer. */
  cut(): void
}

/** What the weight of an outcome is settled by. */
export interface WeighedRequest extends Pick<RawRequest, 'operation' | 'raw' | 'address'> {
  /** When its weight was charged, ms. */
  readonly chargedMs: Ms
  /** What it was charged at arrival. */
  readonly weight: number
  /** The account that was charged in place of the address; undefined for none. */
  readonly payer: Request['account']
  weightUsed: number
}

/** It has an outcome, and is charged what that weighs: what encoders show of it. */
export interface SettledRequest {
  readonly nowMs: Ms
  readonly address: AddressHandle
  /** Weight that its address has used; below 0 where limits do not count it. */
  readonly weightUsed: number
  /** Orders that its account has entered, where it was charged some; else below 0. */
  readonly ordersThisSecond: number
  readonly ordersThisDay: number
  /** Whether its account may enter no more orders now. */
  readonly isOverOrders: boolean
  readonly account: Request['account']
  /** The account that was charged in place of the address; undefined for none. */
  readonly payer: Request['account']
  /** Whether a limit refused it. */
  readonly isLimited: boolean
  /** The end of a limit's refusal, ms; 0 without one. */
  readonly retryMs: Ms
  /** Ends its receipt. Returns the stages for a client that asked for them. */
  takeStages(): Stages | undefined
}
