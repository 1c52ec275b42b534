/**
 * REST as a transport of the pipeline: one HTTP request's headers, query and body, and its response. No
 * request object is used after its callback, nor a response after abort.
 */

import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Reply } from '../../api/answers/answer.ts'
import { type Encoder, jsonEncoder, sbeEncoders } from '../../api/answers/encoders.ts'
import { errorRows, shownError } from '../../api/answers/errors.ts'
import { noShared } from '../../api/check.ts'
import { type ErrorId, errorCode, errorStatus, Fault } from '../../api/errors.ts'
import type { Operation } from '../../api/operations/index.ts'
import { RawParams } from '../../api/params.ts'
import { ClientRequest } from '../../pipeline/pipeline.ts'
import { stagesHeader } from '../../pipeline/receipts.ts'
import {
  type Failure,
  type MadeError,
  nothingSent,
  Refused,
  type SettledRequest,
  type Spoil,
  type Transport,
  type TransportKind,
} from '../../pipeline/request.ts'
import { badKeyFormat } from '../authentication/authenticator.ts'
import type { SignatureCheck } from '../authentication/signatures.ts'
import type { Forwarded } from '../limits/client-address.ts'
import { addressKey } from '../limits/quota.ts'
import { headerName } from './header-name.ts'
import type { HttpParts } from './http-parts.ts'
import {
  FAULT_HEADER,
  type HttpAnswer,
  retryAfterHeader,
  SBE_DEPRECATED_HEADER,
  UNCOUNTED,
  writeAnswer,
  writeHalf,
  writeLast,
  writePage,
} from './http-response.ts'
import { jsonFormat, messageFormat } from './response-format.ts'
import { microsecondsOf } from './time-unit.ts'

/** A longer body is refused: no operation comes near it. */
export const BODY_BYTES_MAX = 64 * 1024

/**
 * Takes a request for `operation`, or for the headers of its answer, reads its body if it may have one, and
 * responds. Bodies are forms whatever type their header names: clients send forms as JSON or plain text.
 */
export function serveRest(
  parts: HttpParts,
  operation: Operation,
  response: HttpResponse,
  request: HttpRequest,
  isHead: boolean,
): void {
  const call = new RestCall(parts, operation, response, request, isHead)
  const length = bodyLength(operation, request)
  if (length > BODY_BYTES_MAX) call.refuseBody()
  else if (length === 0) call.serveWhole()
  else call.readBody()
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

/** Returns the bytes of the body that counts; NaN when they are not known in advance. */
function bodyLength(operation: Operation, request: HttpRequest): number {
  // GET takes its parameters from the query only.
  if (operation.method === 'GET') return 0
  const length = request.getHeader(header.contentLength)
  if (length !== '') return Number(length)
  return request.getHeader(header.transferEncoding) === '' ? 0 : Number.NaN
}

const restTransport = (encoder: Encoder): TransportKind => ({
  over: 'rest',
  limiter: 'RAW_REQUESTS',
  params: noShared,
  noKey: badKeyFormat,
  encoder,
})
const jsonTransport = restTransport(jsonEncoder)
const messageTransports = new Map(
  Object.values(sbeEncoders).map((one) => [one, restTransport(one)]),
)

class RestCall implements Transport, HttpAnswer {
  readonly kind: TransportKind
  readonly apiKey: string
  readonly microseconds: boolean
  readonly fault: Fault | undefined
  readonly asksForReceipt: boolean
  readonly arrivedNs: number | undefined
  readonly isHead: boolean
  status = 200
  payload: string | Uint8Array = ''
  weightUsed = UNCOUNTED
  moreHeaders = ''
  /** Whether the response was sent, or the client has gone. */
  isGone = false
  private readonly parts: HttpParts
  private readonly request: ClientRequest
  private readonly response: HttpResponse
  private readonly query: string
  private readonly forwarded: Forwarded | undefined
  /** Header lines that let pages of other origins read the response, and name faults; or ''. */
  private lastHeaders: string
  private body = ''
  private _peer = ''
  /** Whether the request's callback is still running, in which the response is corked. */
  private corked = true
  private watched = false
  /** Whether an answer follows, even if the client has gone. */
  private isServed = false

  constructor(
    parts: HttpParts,
    operation: Operation,
    response: HttpResponse,
    request: HttpRequest,
    isHead: boolean,
  ) {
    this.isHead = isHead
    this.parts = parts
    this.response = response
    this.forwarded = parts.clients.forwarded(response, request)
    this.lastHeaders = parts.crossOrigin.headers(operation, request)
    // Undefined, despite its type, when the address has no question mark.
    this.query = request.getQuery() ?? ''
    const microseconds = microsecondsOf(request.getHeader(header.timeUnit))
    this.microseconds = microseconds === true
    const accept = request.getHeader(header.accept)
    const { encoder, fault, isDeprecated } = accept.includes('application/sbe')
      ? messageFormat(accept, request.getHeader(header.sbe), operation, parts.sbe.newest)
      : jsonFormat
    this.kind = encoder === jsonEncoder ? jsonTransport : messageTransports.get(encoder)!
    this.fault = microseconds === undefined ? badTimeUnit : fault
    if (isDeprecated) this.lastHeaders += `\r\n${SBE_DEPRECATED_HEADER}: true`
    const trades = operation.security === 'TRADE'
    this.asksForReceipt = trades && request.getHeader(header.receipt) === '1'
    if (trades) this.arrivedNs = parts.receipts.arrival(this.asksForReceipt)
    this.apiKey = operation.security === 'NONE' ? '' : request.getHeader(header.apiKey)
    this.request = new ClientRequest(parts.pipeline, this, operation, operation)
  }

  readBody(): void {
    this.watchAbort()
    const chunks: Buffer[] = []
    let length = 0
    this.response.onData((chunk, isLast) => {
      if (this.isGone) return
      length += chunk.byteLength
      if (length > BODY_BYTES_MAX) {
        this.response.cork(() => this.refuseBody())
      } else if (!isLast && !this.parts.pipeline.keep(this.request, chunk.byteLength)) {
        this.response.cork(() => this.cutOff('SERVER_BUSY'))
      } else if (!isLast) {
        // Its memory is taken back when this callback returns.
        chunks.push(Buffer.from(Buffer.from(chunk)))
      } else if (chunks.length === 0) {
        this.serveCorked(Buffer.from(chunk).toString())
      } else {
        this.serveCorked(Buffer.concat([...chunks, Buffer.from(chunk)]).toString())
      }
    })
    // A later body arrives in a separate callback.
    this.corked = false
  }

  private serveCorked(body: string): void {
    this.corked = false
    if (this.isByPreamble) this.serveLater(body)
    else this.serve(body)
  }

  /** The request has no body. */
  serveWhole(): void {
    if (!this.isByPreamble) {
      this.serve('')
      return
    }
    this.watchAbort()
    this.corked = false
    this.serveLater('')
  }

  /**
   * For a client that a PROXY header names: uWebSockets.js closes a connection with a request before the
   * response to the previous one. So it reads no second header in one packet.
   */
  private serveLater(body: string): void {
    this.parts.clock.defer(() => {
      if (!this.isGone) this.serve(body)
    })
  }

  private serve(body: string): void {
    this.body = body
    this.isServed = true
    this.parts.pipeline.serve(this.request)
    this.corked = false
    if (!this.isGone) this.watchAbort()
  }

  /** Refuses a body over the bound. The request is charged all the same. */
  refuseBody(): void {
    const limited = this.parts.pipeline.charge(this.request)
    if (limited === undefined || this.isByPreamble) this.cutOff('BODY_TOO_LARGE')
    else this.parts.pipeline.refuse(this.request, limited)
  }

  /** Responds before the request is complete, and ends the connection. */
  private cutOff(id: ErrorId): void {
    this.isGone = true
    this.parts.pipeline.giveBack(this.request)
    if (this.isByPreamble) {
      this.response.close()
      return
    }
    const { outcomes } = this.parts
    this.status = errorStatus(id)
    this.payload = this.kind.encoder.encode(errorRows(id))
    this.weightUsed = this.request.weightUsed
    outcomes.answered(this.status)
    outcomes.refused(errorCode(id))
    writeLast(this.response, this)
  }

  read(isTurnedAway: boolean): RawParams | Fault {
    return isTurnedAway ? nothingSent : RawParams.parse(this.query, this.body)
  }

  get mediaType(): string {
    return this.kind.encoder.mediaType
  }

  get textChars(): number {
    return this.query.length + this.body.length
  }

  get peer(): string {
    if (this._peer === '') this._peer = addressKey(this.remoteAddress())
    return this._peer
  }

  addSigned(check: SignatureCheck): void {
    check.addUnsigned(this.query)
    check.addUnsigned(this.body)
  }

  remoteAddress(): ArrayBuffer {
    return this.forwarded?.address ?? this.response.getRemoteAddress()
  }

  /** A proxy's connection is not closed: it carries requests of other clients too. */
  shutOut({ address, nowMs }: SettledRequest): boolean {
    const { guard } = this.parts.rateLimits
    if (this.forwarded !== undefined || !guard.isShutOut(address, nowMs)) return false
    this.cut()
    return true
  }

  succeed(request: SettledRequest, answer: Reply, spoil?: Spoil): number {
    return this.send(request, 200, answer, spoil)
  }

  fail(request: SettledRequest, error: Failure, spoil?: Spoil): number {
    if (!(error instanceof Refused)) return this.sendMade(request, error)
    if (error.id === 'NOT_LEADING') this.moreHeaders = this.parts.leadership.headerLine()
    return this.send(request, error.status, error.rows(), spoil)
  }

  mark(fault: string): void {
    this.lastHeaders += `\r\n${FAULT_HEADER}: ${fault}`
  }

  cut(): void {
    this.isGone = true
    this.response.close()
  }

  /** Sends an error that no table has, or the page that stands instead. */
  private sendMade(request: SettledRequest, made: MadeError): number {
    const { status, row, html, retrySeconds } = made
    if (retrySeconds !== undefined) this.lastHeaders += `\r\nRetry-After: ${retrySeconds}`
    if (html === undefined) return this.send(request, status, shownError(row), undefined)
    this.isGone = true
    const shared = { status, html, weightUsed: UNCOUNTED, isHead: this.isHead }
    const page = { ...shared, moreHeaders: this.lastHeaders }
    this.corkedly(() => writePage(this.response, page, this.parts.unread, this.forwarded))
    return html.length
  }

  /** Ends the connection behind the first half of the body. */
  private sendHalf(): number {
    this.watchAbort()
    this.moreHeaders = this.lastHeaders
    this.corkedly(() => writeHalf(this.response, this))
    // What was written leaves at the end of the cork.
    this.parts.clock.defer(() => {
      if (!this.isGone) this.cut()
    })
    return this.payload.length >> 1
  }

  private corkedly(write: () => void): void {
    if (this.corked) write()
    else this.response.cork(write)
  }

  /** Whether a PROXY header named the client: its connection serves this request only. */
  private get isByPreamble(): boolean {
    return this.forwarded?.byPreamble === true
  }

  private watchAbort(): void {
    if (this.watched) return
    this.watched = true
    this.response.onAborted(() => {
      this.isGone = true
      if (!this.isServed) this.parts.pipeline.giveBack(this.request)
    })
  }

  /** Returns the body's length. */
  private send(
    request: SettledRequest,
    status: number,
    answer: Reply,
    spoil: Spoil | undefined,
  ): number {
    this.status = status
    this.payload = this.kind.encoder.encode(answer)
    this.weightUsed = request.weightUsed
    if (spoil === 'half') return this.sendHalf()
    this.isGone = true
    if (status === 429 || status === 418) {
      this.moreHeaders = retryAfterHeader(request.retryMs, request.nowMs)
    } else if (request.ordersThisSecond >= 0) this.moreHeaders = orderCounts(request)
    const stages = request.takeStages()
    if (stages !== undefined) this.moreHeaders += stagesHeader(stages)
    this.moreHeaders += this.lastHeaders
    writeAnswer(this.response, this, this.corked, this.parts.unread, this.forwarded)
    return this.payload.length
  }
}

const orderCounts = ({ ordersThisSecond, ordersThisDay }: SettledRequest): string =>
  `\r\nX-MBX-ORDER-COUNT-1S: ${ordersThisSecond}\r\nX-MBX-ORDER-COUNT-1D: ${ordersThisDay}`
