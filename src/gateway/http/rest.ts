/**
 * REST: one HTTP request from its first byte to its response. The operation's row decides its
 * requirements; the order of checks is route (server.ts), limits, then door.ts, then the row's handler.
 * No request object is used after its callback, nor a response after abort.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Request, Responder } from '../../api/context.ts'
import { type ErrorId, errorBody, errorCode, errorStatus, Fault } from '../../api/errors.ts'
import { type Operation, weightOfRefusal } from '../../api/operations/index.ts'
import { RawParams } from '../../api/params.ts'
import { bytesOf, type JsonWriter } from '../../api/render/json-bytes.ts'
import { AccountId, Ms } from '../../base/units.ts'
import { GatewayCounter } from '../../shared/counters.ts'
import { type Admission, type Caller, tooManyBad } from '../authentication/door.ts'
import type { SignatureCheck } from '../authentication/signatures.ts'
import { guardEndMs, UNLIMITED } from '../limits/address-guard.ts'
import type { Forwarded } from '../limits/client-address.ts'
import { addressKey } from '../limits/quota.ts'
import type { Refusal } from '../limits/rate-limits.ts'
import { symbolOf } from '../requests/named-symbol.ts'
import { type Receipt, stagesHeader } from '../requests/receipts.ts'
import { type ChargedRequest, RequestCharge } from '../requests/request-charge.ts'
import { LONG_REQUEST_CHARS, type RequestParts } from '../requests/request-parts.ts'
import { microsecondsOf } from '../requests/time-unit.ts'
import { headerName } from './header-name.ts'
import {
  type HttpAnswer,
  retryAfterHeader,
  UNCOUNTED,
  writeAnswer,
  writeLast,
} from './http-response.ts'

/** A longer body is refused: no operation comes near it. */
export const BODY_BYTES_MAX = 64 * 1024

/**
 * Takes a request for `operation`, or for the headers of its answer, reads its body if it may have one, and
 * responds. Bodies are forms whatever type their header names: clients send forms as JSON or plain text.
 */
export function serveRest(
  parts: RequestParts,
  operation: Operation,
  response: HttpResponse,
  request: HttpRequest,
  isHead: boolean,
): void {
  const exchange = new RestExchange(parts, operation, response, request, isHead)
  const length = bodyLength(operation, request)
  if (length > BODY_BYTES_MAX) exchange.refuseBody()
  else if (length === 0) exchange.serveWhole()
  else exchange.readBody()
}

const header = {
  accept: headerName('accept'),
  apiKey: headerName('x-mbx-apikey'),
  contentLength: headerName('content-length'),
  receipt: headerName('x-ringbook-receipt'),
  sbe: headerName('x-mbx-sbe'),
  timeUnit: headerName('x-mbx-time-unit'),
  transferEncoding: headerName('transfer-encoding'),
} as const
const badTimeUnit = new Fault('INVALID_TIME_UNIT')
const badSbeHeader = new Fault('INVALID_SBE_HEADER')
const unsupportedSbe = new Fault('UNSUPPORTED_SBE_SCHEMA')
const SBE_HEADER = /^\d{1,10}:\d{1,10}$/

/**
 * Why a response in SBE is refused: the exchange has no SBE schema. A client that also accepts JSON gets
 * JSON.
 */
function sbeFault(header: string, accept: string): Fault | undefined {
  if (header === '' || accept.includes('application/json')) return undefined
  return SBE_HEADER.test(header) ? unsupportedSbe : badSbeHeader
}

/** Returns the bytes of the body that counts; NaN when they are not known in advance. */
function bodyLength(operation: Operation, request: HttpRequest): number {
  // GET takes its parameters from the query only (spec, General rules 7).
  if (operation.method === 'GET') return 0
  const length = request.getHeader(header.contentLength)
  if (length !== '') return Number(length)
  return request.getHeader(header.transferEncoding) === '' ? 0 : Number.NaN
}

class RestExchange implements Responder, Caller, ChargedRequest, HttpAnswer {
  readonly overWebSocket = false
  readonly isLoggedOn = false
  readonly authorizedSinceMs = Ms(0)
  readonly apiKey: string
  readonly orders: number
  account = AccountId(-1)
  nowMs = Ms(0)
  status = 200
  json: string | Uint8Array = ''
  weightUsed = UNCOUNTED
  moreHeaders = ''
  readonly isHead: boolean
  readonly #parts: RequestParts
  readonly #operation: Operation
  readonly #response: HttpResponse
  readonly #query: string
  readonly #timeUnit: string
  readonly #receipt: Receipt | undefined
  readonly #forwarded: Forwarded | undefined
  /** Header lines that let pages of other origins read the response; or ''. */
  readonly #crossOrigin: string
  readonly #sbeFault: Fault | undefined
  #body = ''
  #raw: RawParams | Fault | undefined
  /** Bytes counted as kept for this request, and the address that they count for. */
  #keptBytes = 0
  #peer = ''
  #weight = 0
  address = UNLIMITED
  /** The end of a limiter's refusal, ms; 0 without one. */
  #retryMs = Ms(0)
  /** Whether the request's callback is still running, in which the response is corked. */
  #corked = true
  #watched = false
  /** Whether a response follows, even if the client has gone. */
  #hasEntered = false
  #closed = false

  constructor(
    parts: RequestParts,
    operation: Operation,
    response: HttpResponse,
    request: HttpRequest,
    isHead: boolean,
  ) {
    this.isHead = isHead
    this.#parts = parts
    this.#operation = operation
    this.#response = response
    this.#forwarded = parts.clients.forwarded(response, request)
    this.#crossOrigin = parts.crossOrigin.headers(operation, request)
    // Undefined, whatever its type says, when the address has no question mark.
    this.#query = request.getQuery() ?? ''
    this.#timeUnit = request.getHeader(header.timeUnit)
    const sbe = request.getHeader(header.sbe)
    if (sbe !== '') this.#sbeFault = sbeFault(sbe, request.getHeader(header.accept))
    if (operation.security === 'TRADE') {
      this.#receipt = parts.receipts.open(request.getHeader(header.receipt) === '1')
    }
    this.apiKey = operation.security === 'NONE' ? '' : request.getHeader(header.apiKey)
    this.orders = operation.orderCount
  }

  readBody(): void {
    this.#watchAbort()
    const chunks: Buffer[] = []
    let length = 0
    this.#response.onData((chunk, isLast) => {
      if (this.#closed) return
      length += chunk.byteLength
      if (length > BODY_BYTES_MAX) {
        this.#response.cork(() => this.refuseBody())
      } else if (!isLast && !this.#keep(chunk.byteLength)) {
        this.#response.cork(() => this.#cutOff('SERVER_BUSY'))
      } else if (!isLast) {
        // Its memory is taken back when this callback returns.
        chunks.push(Buffer.from(Buffer.from(chunk)))
      } else if (chunks.length === 0) {
        this.#serveCorked(Buffer.from(chunk).toString())
      } else {
        this.#serveCorked(Buffer.concat([...chunks, Buffer.from(chunk)]).toString())
      }
    })
    // A later body arrives in a callback of its own.
    this.#corked = false
  }

  #serveCorked(body: string): void {
    this.#corked = false
    if (this.#isByPreamble) this.#serveLater(body)
    else this.serve(body)
  }

  /** The request has no body. */
  serveWhole(): void {
    if (!this.#isByPreamble) {
      this.serve('')
      return
    }
    this.#watchAbort()
    this.#corked = false
    this.#serveLater('')
  }

  /**
   * For a client that a PROXY header names: uWebSockets.js closes a connection with a request before the
   * response to the previous one. So it reads no second header in one packet.
   */
  #serveLater(body: string): void {
    setImmediate(() => {
      if (!this.#closed) this.serve(body)
    })
  }

  serve(body: string): void {
    this.#body = body
    const { overload, leadership } = this.#parts
    const isElsewhere = leadership.turnsAway(this.#operation)
    const isTurnedAway = isElsewhere || overload.turnsAway(this.#operation)
    const raw = isTurnedAway ? undefined : RawParams.parse(this.#query, body)
    const refused = this.#charge(raw)
    if (refused !== undefined) this.#refuse(refused)
    else if (isElsewhere) this.#referToLeader()
    else if (raw === undefined) this.error(overload.refuse(this.#operation))
    else if (!this.#keepLong()) this.error('SERVER_BUSY')
    else this.#enter(raw)
  }

  /** Refuses a body over the bound. The request is charged all the same. */
  refuseBody(): void {
    const refused = this.#charge(undefined)
    if (refused !== undefined && !this.#isByPreamble) this.#refuse(refused)
    else this.#cutOff('BODY_TOO_LARGE')
  }

  /** Responds before the request is complete, and ends the connection. */
  #cutOff(id: ErrorId): void {
    this.#closed = true
    this.#giveBack()
    if (this.#isByPreamble) {
      this.#response.close()
      return
    }
    const { outcomes } = this.#parts
    this.status = errorStatus(id)
    this.json = errorBody(id)
    outcomes.answered(this.status)
    outcomes.refused(errorCode(id))
    writeLast(this.#response, this)
  }

  #referToLeader(): void {
    this.moreHeaders = this.#parts.leadership.headerLine()
    this.error('NOT_LEADING')
  }

  /** Counts bytes kept for this request. Returns whether there was room. */
  #keep(bytes: number): boolean {
    if (this.#peer === '') this.#peer = addressKey(this.remoteAddress())
    if (!this.#parts.unread.take(this.#peer, bytes)) return false
    this.#keptBytes += bytes
    return true
  }

  /** A waiting request keeps all its text: the bytes of its body count once. */
  #keepLong(): boolean {
    const chars = this.#query.length + this.#body.length
    return chars <= LONG_REQUEST_CHARS || this.#keep(Math.max(0, chars - this.#keptBytes))
  }

  #giveBack(): void {
    this.#parts.unread.give(this.#peer, this.#keptBytes)
    this.#keptBytes = 0
  }

  addSigned(check: SignatureCheck): void {
    check.addUnsigned(this.#query)
    check.addUnsigned(this.#body)
  }

  remoteAddress(): ArrayBuffer {
    return this.#forwarded?.address ?? this.#response.getRemoteAddress()
  }

  /** A client waits for its answer before it asks again. */
  isReading(): boolean {
    return true
  }

  replyWith(answer: JsonWriter): void {
    this.reply(bytesOf(answer))
  }

  reply(json: string | Uint8Array): void {
    const { weightOnSuccess } = this.#operation
    if (weightOnSuccess !== undefined) this.#settle(weightOnSuccess)
    this.#answer(200, json)
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data?: string): void {
    const { outcomes, rateLimits } = this.#parts
    outcomes.refused(errorCode(id), symbolOf(this.#parts.context, this.#raw))
    const weight = weightOfRefusal(this.#operation, id)
    if (rateLimits.enabled && weight !== undefined && weight < this.#weight) {
      rateLimits.settleWeight(this.address, this.#weight, weight, this.nowMs)
      this.weightUsed = rateLimits.weightUsed
    }
    this.#answer(errorStatus(id), errorBody(id, detail, data))
  }

  charged(thisSecond: number, thisDay: number): void {
    this.moreHeaders = `\r\nX-MBX-ORDER-COUNT-1S: ${thisSecond}\r\nX-MBX-ORDER-COUNT-1D: ${thisDay}`
  }

  wouldRefuse({ untilMs }: Refusal): void {
    this.#retryMs = untilMs
    this.#parts.rateLimits.orderRefused(this.address, this.nowMs)
  }

  refused(refusal: Refusal): void {
    this.#refuse(this.#parts.rateLimits.orderRefused(this.address, this.nowMs) ?? refusal)
  }

  #refuse({ fault, untilMs }: Refusal): void {
    if (this.#isShutOut()) {
      this.#closed = true
      this.#giveBack()
      this.#response.close()
      return
    }
    this.#retryMs = untilMs
    this.error(fault.id, fault.detail)
  }

  /** Whether a PROXY header named the client: its connection serves this request only. */
  get #isByPreamble(): boolean {
    return this.#forwarded?.byPreamble === true
  }

  /** A proxy's connection is not closed: it carries requests of other clients too. */
  #isShutOut(): boolean {
    if (this.#forwarded !== undefined) return false
    return this.#parts.rateLimits.guard.isShutOut(this.address, this.nowMs)
  }

  #enter(raw: RawParams | Fault): void {
    this.#hasEntered = true
    this.#raw = raw
    const microseconds = microsecondsOf(this.#timeUnit)
    const headerFault = microseconds === undefined ? badTimeUnit : this.#sbeFault
    const admission = headerFault ?? this.#parts.door.admit(this.#operation, raw, this, this.nowMs)
    const refusal = this.#parts.leadership.refusalOf(this.#operation)
    if (admission === tooManyBad) this.#refuseUnchecked(admission)
    else if (admission instanceof Fault) this.error(admission.id, admission.detail)
    else if (this.#isTurnedAway()) this.error('SHUTTING_DOWN')
    else if (refusal !== undefined) this.error(refusal)
    else this.#handle(admission, microseconds === true)
    this.#corked = false
    if (!this.#closed) this.#watchAbort()
  }

  /** Refuses the signature unchecked: the address has sent too many bad ones. */
  #refuseUnchecked(fault: Fault): void {
    this.#parts.rateLimits.guard.refused(this.address, this.nowMs)
    this.#refuse({ fault, untilMs: guardEndMs(this.nowMs) })
  }

  #isTurnedAway(): boolean {
    return this.#parts.isStopping() && !this.#operation.sources.includes('MEMORY')
  }

  #handle({ params, key, expiresMs }: Admission, microseconds: boolean): void {
    const operation = this.#operation
    const account = key?.account
    if (account !== undefined) this.account = account.id
    const request: Request = {
      params,
      account,
      nowMs: this.nowMs,
      expiresMs,
      microseconds,
      overWebSocket: false,
      session: 0,
      charge:
        operation.security === 'TRADE'
          ? new RequestCharge(this.#parts, this, this.#receipt)
          : undefined,
    }
    const responder = this.#parts.leadership.guarded(operation, this)
    operation.handler(request, this.#parts.context, responder)
  }

  /** Begins the request: notes its time, counts it and charges its weight. */
  #charge(raw: RawParams | Fault | undefined): Refusal | undefined {
    const { rateLimits, clock, counters } = this.#parts
    this.nowMs = clock.nowMs()
    counters.add(GatewayCounter.requests, 1)
    const { weight } = this.#operation
    // An unreadable frame is charged like the lightest request.
    if (typeof weight === 'number') this.#weight = weight
    else this.#weight = raw instanceof RawParams ? weight(raw) : 1
    if (!rateLimits.enabled) return undefined
    this.address = rateLimits.addressOf(this.remoteAddress(), this.nowMs)
    const refused = rateLimits.chargeRequest(this.address, this.#weight, this.nowMs)
    this.weightUsed = rateLimits.weightUsed
    return refused
  }

  #settle(weightOnSuccess: number): void {
    const { rateLimits } = this.#parts
    if (!rateLimits.enabled) return
    rateLimits.settleSuccess(this.address, this.#weight, weightOnSuccess, this.nowMs)
    this.weightUsed = rateLimits.weightUsed
  }

  #watchAbort(): void {
    if (this.#watched) return
    this.#watched = true
    this.#response.onAborted(() => {
      this.#closed = true
      if (!this.#hasEntered) this.#giveBack()
    })
  }

  #answer(status: number, json: string | Uint8Array): void {
    this.#giveBack()
    if (this.#closed) return
    this.#closed = true
    this.status = status
    this.json = json
    if (status === 429 || status === 418) {
      this.moreHeaders = retryAfterHeader(this.#retryMs, this.nowMs)
    }
    this.#parts.outcomes.answered(status)
    if (this.#receipt !== undefined) this.#closeReceipt(this.#receipt)
    this.moreHeaders += this.#crossOrigin
    this.#parts.rateLimits.guard.answered(this.address, json.length, this.nowMs)
    writeAnswer(this.#response, this, this.#corked, this.#parts.unread, this.#forwarded)
  }

  #closeReceipt(receipt: Receipt): void {
    const stages = this.#parts.receipts.close(receipt)
    if (stages !== undefined && receipt.isAsked) this.moreHeaders += stagesHeader(stages)
  }
}
