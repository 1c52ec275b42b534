/**
 * One connection to `/ws-api/v3`: requests in text frames, each with one response frame (supplement
 * 2f). Methods are the operations' rows, found by their `wsMethod`, and the few of the connection
 * itself (ws-session.ts). Limits and checks are those of REST.
 */
import type { Request, Responder } from '../../api/context.ts'
import { type ErrorId, errorBody, errorCode, errorStatus, Fault } from '../../api/errors.ts'
import {
  entersOrders,
  type Operation,
  operations,
  weightOfRefusal,
} from '../../api/operations/index.ts'
import { Param, RareParam } from '../../api/parameters.ts'
import { type Params, RawParams } from '../../api/params.ts'
import { type JsonWriter, jsonBytes, Piece } from '../../api/render/json-bytes.ts'
import { serverShutdown } from '../../api/render/user-events.ts'
import { AccountId, Ms } from '../../base/units.ts'
import { GatewayCounter } from '../../shared/counters.ts'
import {
  type Admission,
  type Caller,
  type GuardedRow,
  tooManyBad,
  unusableKey,
} from '../authentication/door.ts'
import type { SignatureCheck } from '../authentication/signatures.ts'
import type { SessionOrders } from '../engine-link/session-orders.ts'
import { GUARD_INTERVAL_MS, guardEndMs, UNLIMITED } from '../limits/address-guard.ts'
import type { Limiter } from '../limits/limiters.ts'
import type { Refusal } from '../limits/rate-limits.ts'
import { symbolOf } from '../requests/named-symbol.ts'
import { type Receipt, stagesJson } from '../requests/receipts.ts'
import { type ChargedRequest, RequestCharge } from '../requests/request-charge.ts'
import { LONG_REQUEST_CHARS, type RequestParts } from '../requests/request-parts.ts'
import type { Frame, Outbox } from '../streams/outbox.ts'
import type { UserStreams } from '../streams/user-streams.ts'
import { Connection, Ending, type SessionDetail } from './connection.ts'
import { Heartbeat } from './heartbeat.ts'
import { RequestFrame } from './json-frame.ts'
import { Session, type SessionMethod, sessionMethods } from './ws-session.ts'

const byMethod = new Map<string, Operation>()
for (const operation of operations) {
  if (operation.wsMethod !== undefined) byMethod.set(operation.wsMethod, operation)
}

/** The weight of connecting. */
export const CONNECTION_WEIGHT = 2
/** Pings and pongs of one connection in a second, as on streams. */
const CONTROLS_PER_SECOND_MAX = 5
/** Refusals by a limit that one connection gets in a minute before it ends. */
const REFUSED_FRAMES_MAX = 100
/** Of an API key, as operators see it in the list of sessions. */
const SHOWN_KEY_CHARS = 8
/** A client that has not read so much gets no further list: at four times as much it is closed. */
const UNREAD_BYTES_MAX = 256 * 1024
/** Characters that are echoed of a request's id. */
export const REQUEST_ID_CHARS_MAX = 1_000
const REQUEST_ID = new RegExp(
  `^(?:-?\\d{1,${REQUEST_ID_CHARS_MAX}}|null|` +
    `"(?:[^"\\\\]|\\\\(?:u[0-9a-fA-F]{4}|.)){0,${REQUEST_ID_CHARS_MAX}}")$`,
  'u',
)

const frameBegin = new Piece('{"id":')
const success = new Piece(',"status":200,')
const result = new Piece('"result":')

/** The frame that is being read. */
const frame = new RequestFrame()
/** The parameters of a frame that is refused before they are read. */
const nothingSent = new RawParams()

export interface ApiParts extends RequestParts {
  readonly userStreams: UserStreams
  readonly sessionOrders: SessionOrders
  readonly outbox: Outbox
}

export class ApiConnection extends Connection {
  readonly session: Session
  readonly address: ArrayBuffer
  readonly #parts: ApiParts
  #heartbeat: Heartbeat | undefined
  #refusedMinute = 0
  #refusedFrames = 0

  constructor(parts: ApiParts, address: ArrayBuffer, microseconds: boolean, showsLimits: boolean) {
    const controlsPerSecond = parts.rateLimits.enabled
      ? CONTROLS_PER_SECOND_MAX
      : Number.POSITIVE_INFINITY
    super(parts, { framesPerSecond: Number.POSITIVE_INFINITY, controlsPerSecond })
    this.#parts = parts
    this.address = address
    this.session = new Session({
      userStreams: parts.userStreams,
      sessionOrders: parts.sessionOrders,
      connectedMs: parts.clock.nowMs(),
      microseconds,
      showsLimits,
      send: (text) => this.send(text),
      expectFrames: (periodMs) => this.#expectFrames(periodMs),
    })
  }

  override send(frame: Frame): void {
    if (!this.#parts.outbox.take(this, frame)) super.send(frame)
  }

  override received(text: string): void {
    const { counters, clock } = this.#parts
    counters.add(GatewayCounter.requests, 1)
    this.asked()
    const exchange = new ApiExchange(this.#parts, this, clock.nowMs())
    exchange.serve(exchange.read(text))
  }

  /** Called when the operator revoked the key: cancels its orders that end with the connection. */
  revoke(apiKey: string): void {
    this.session.revoke(apiKey, this.#parts.clock.nowMs())
    if (this.session.bindsOrdersOf(apiKey)) this.end(Ending.KEY_REVOKED)
  }

  /** Ends the connection when a ban of its address is on. */
  closeIfBanned(nowMs: Ms): void {
    const { rateLimits } = this.#parts
    if (rateLimits.isBanned(rateLimits.addressOf(this.address, nowMs), nowMs)) this.refuseFrames()
  }

  /** Called when a limit refused a frame: ends the connection for a ban, or after many refusals. */
  limitReached(isBanned: boolean, nowMs: Ms): void {
    const minute = Math.floor(nowMs / GUARD_INTERVAL_MS)
    if (minute !== this.#refusedMinute) this.#refusedFrames = 0
    this.#refusedMinute = minute
    this.#refusedFrames++
    if (isBanned || this.#refusedFrames > REFUSED_FRAMES_MAX) this.refuseFrames()
  }

  override announceShutdown(nowMs: Ms): void {
    this.send(`{"event":${serverShutdown(nowMs, this.session.microseconds)}}`)
  }

  protected override detail(): SessionDetail {
    const { key, subscriptions } = this.session
    const owner = key === undefined ? [] : [key.account.id]
    return {
      door: 'ws-api',
      accounts: [...new Set([...owner, ...subscriptions.accounts])],
      apiKey: key?.apiKey.slice(0, SHOWN_KEY_CHARS) ?? '',
      streams: subscriptions.accounts.length,
    }
  }

  protected override frameReceived(): void {
    this.#heartbeat?.frameReceived()
  }

  protected override opened(): void {}

  protected override left(): void {
    this.#heartbeat?.stop()
    this.session.subscriptions.clear()
    this.session.endOrders()
  }

  #expectFrames(periodMs: number | undefined): void {
    this.#heartbeat?.stop()
    const missed = () => this.end(Ending.SILENT)
    this.#heartbeat =
      periodMs === undefined ? undefined : new Heartbeat(periodMs, this.#parts.clock, missed)
  }
}

class ApiExchange implements Responder, Caller, ChargedRequest {
  readonly overWebSocket = true
  apiKey = ''
  isLoggedOn = false
  authorizedSinceMs = Ms(0)
  account = AccountId(-1)
  orders = 0
  readonly nowMs: Ms
  readonly #parts: ApiParts
  readonly #connection: ApiConnection
  #arrivedNs: number | undefined
  #showsLimits: boolean
  #isElsewhere = false
  #isTurnedAway = false
  #asksForReceipt = false
  #receipt: Receipt | undefined
  #id = 'null'
  #operation: Operation | undefined
  #method: SessionMethod | undefined
  #raw: RawParams | Fault = nothingSent
  #weight = 1
  address = UNLIMITED
  #weightUsed = 0
  #ordersThisSecond = -1
  #ordersThisDay = -1
  #frameChars = 0
  /** Bytes counted as kept until the response. */
  #keptBytes = 0
  /** Of a refusal by a limiter: `error.data`. */
  #errorData = ''

  constructor(parts: ApiParts, connection: ApiConnection, nowMs: Ms) {
    this.#parts = parts
    this.#arrivedNs = parts.receipts.arrival()
    this.#connection = connection
    this.#showsLimits = connection.session.showsLimits
    this.nowMs = nowMs
  }

  /** Reads the frame: id, method, parameters. */
  read(text: string): Fault | undefined {
    this.#frameChars = text.length
    if (!frame.read(text)) return new Fault('INVALID_JSON')
    const id = frame.jsonOf('id')
    if (id === undefined) return new Fault('MANDATORY_PARAMETER', 'id')
    if (!REQUEST_ID.test(id)) return new Fault('INVALID_PARAMETER', 'id')
    this.#id = id
    const method = frame.stringOf('method')
    if (method === undefined) return new Fault('MANDATORY_PARAMETER', 'method')
    const name = method.startsWith('v3/') ? method.slice(3) : method
    this.#operation = byMethod.get(name)
    this.#method = sessionMethods.get(name)
    if (this.#operation === undefined && this.#method === undefined) {
      return new Fault('UNSUPPORTED_OPERATION')
    }
    const { overload, leadership } = this.#parts
    this.#isElsewhere = this.#operation !== undefined && leadership.turnsAway(this.#operation)
    this.#isTurnedAway =
      this.#isElsewhere || (this.#operation !== undefined && overload.turnsAway(this.#operation))
    // A refused frame needs only the parameters that shape the response.
    if (this.#isTurnedAway && !text.includes('returnRateLimits')) return undefined
    return this.#readParams()
  }

  /** Charges the frame, which may be unreadable by `fault`, and responds. */
  serve(fault: Fault | undefined): void {
    const refused = this.#charge()
    if (refused !== undefined) this.#refuse(refused)
    else if (this.#isElsewhere) this.#referToLeader()
    else if (this.#isTurnedAway) this.error(this.#parts.overload.refuse(this.#operation!))
    else if (fault !== undefined) this.error(fault.id, fault.detail)
    else if (!this.#keepLong()) this.error('SERVER_BUSY')
    else this.#enter()
  }

  #referToLeader(): void {
    this.error('NOT_LEADING', [], this.#parts.leadership.errorData())
  }

  /** A waiting request keeps the whole text of its frame: a long one is counted meanwhile. */
  #keepLong(): boolean {
    if (this.#frameChars <= LONG_REQUEST_CHARS) return true
    if (!this.#parts.unread.take(this.#connection.peer, this.#frameChars)) return false
    this.#keptBytes = this.#frameChars
    return true
  }

  #giveBack(): void {
    this.#parts.unread.give(this.#connection.peer, this.#keptBytes)
    this.#keptBytes = 0
  }

  remoteAddress(): ArrayBuffer {
    return this.#connection.address
  }

  /** All but the signature, by name, `name=text` joined by `&`, nothing encoded. */
  addSigned(check: SignatureCheck, raw: RawParams): void {
    const pairs: [name: string, text: string][] = []
    raw.forEach((name, text) => {
      if (name !== 'signature') pairs.push([name, text])
    })
    pairs.sort(([a], [b]) => (a < b ? -1 : 1))
    check.add(pairs.map(([name, text]) => `${name}=${text}`).join('&'))
  }

  isReading(): boolean {
    return this.#connection.unreadBytes < UNREAD_BYTES_MAX
  }

  replyWith(answer: JsonWriter): void {
    this.#settle()
    jsonBytes.begin()
    jsonBytes.piece(frameBegin)
    jsonBytes.text(this.#id)
    jsonBytes.piece(success)
    const begin = jsonBytes.length
    jsonBytes.piece(result)
    answer.write(jsonBytes)
    jsonBytes.text(this.#end(200, jsonBytes.length - begin))
    this.#connection.send(jsonBytes.view())
  }

  reply(json: string): void {
    this.#settle()
    this.#send(200, `"result":${json}`)
  }

  /** The request succeeds: charges what its row says for that. */
  #settle(): void {
    const { rateLimits } = this.#parts
    const weightOnSuccess = this.#operation?.weightOnSuccess
    if (weightOnSuccess !== undefined) {
      rateLimits.settleSuccess(this.address, this.#weight, weightOnSuccess, this.nowMs)
      this.#weightUsed = rateLimits.weightUsed
    }
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data = this.#errorData): void {
    const { rateLimits, outcomes, context } = this.#parts
    outcomes.refused(errorCode(id), symbolOf(context, this.#raw))
    const weight = this.#operation && weightOfRefusal(this.#operation, id)
    if (weight !== undefined && weight < this.#weight) {
      rateLimits.settleWeight(this.address, this.#weight, weight, this.nowMs)
      this.#weightUsed = rateLimits.weightUsed
    }
    this.#send(errorStatus(id), `"error":${errorBody(id, detail, data)}`)
  }

  charged(thisSecond: number, thisDay: number): void {
    this.#ordersThisSecond = thisSecond
    this.#ordersThisDay = thisDay
  }

  /** The handler's own response has its own `error.data`. */
  wouldRefuse(): void {
    this.#countOrders()
    const { rateLimits } = this.#parts
    const ban = rateLimits.orderRefused(this.address, this.nowMs)
    this.#connection.limitReached(ban !== undefined, this.nowMs)
  }

  refused(refusal: Refusal): void {
    this.#countOrders()
    this.#refuse(this.#parts.rateLimits.orderRefused(this.address, this.nowMs) ?? refusal)
  }

  /** Charges nothing: the response shows the limit that refused. */
  #countOrders(): void {
    const { rateLimits } = this.#parts
    const { ordersPerSecond, ordersPerDay } = rateLimits.limiters
    this.charged(
      rateLimits.orderCount(this.account, ordersPerSecond, this.nowMs),
      rateLimits.orderCount(this.account, ordersPerDay, this.nowMs),
    )
  }

  #refuse({ fault, untilMs }: Refusal): void {
    this.#errorData = `{"serverTime":${this.nowMs},"retryAfter":${untilMs}}`
    this.error(fault.id, fault.detail)
    this.#connection.limitReached(fault.id === 'ADDRESS_BANNED', this.nowMs)
  }

  #readParams(): Fault | undefined {
    if (!frame.findParams()) {
      return new Fault(
        frame.hasNullParams() ? 'MANDATORY_PARAMETER' : 'INVALID_PARAMETER',
        'params',
      )
    }
    const raw = RawParams.ofMembers(frame.params, frame.paramsBegin, frame.paramsEnd)
    this.#raw = raw
    if (raw instanceof Fault) return undefined
    const shown = raw.text(Param.returnRateLimits)
    if (shown !== undefined) this.#showsLimits = shown !== 'false'
    this.#asksForReceipt = raw.text(RareParam.receipt) === 'true'
    if (this.#asksForReceipt) this.#arrivedNs ??= this.#parts.clock.elapsedNs()
    return undefined
  }

  #enter(): void {
    const row: GuardedRow = (this.#operation ?? this.#method)!
    const { door, isStopping, leadership } = this.#parts
    this.#findKey()
    const admission = door.admit(row, this.#raw, this, this.nowMs)
    const isTurnedAway = isStopping() && this.#operation?.sources.includes('MEMORY') === false
    const refusal = this.#operation && leadership.refusalOf(this.#operation)
    if (admission === unusableKey && this.isLoggedOn) this.#revoke()
    else if (admission === tooManyBad) this.#refuseUnchecked(admission)
    else if (admission instanceof Fault) this.error(admission.id, admission.detail)
    else if (isTurnedAway) this.error('SHUTTING_DOWN')
    else if (refusal !== undefined) this.error(refusal)
    else this.#handle(admission)
  }

  /** Refuses the signature unchecked: the address has sent too many bad ones. */
  #refuseUnchecked(fault: Fault): void {
    this.#parts.rateLimits.guard.refused(this.address, this.nowMs)
    this.#refuse({ fault, untilMs: guardEndMs(this.nowMs) })
  }

  /** Returns the key that the request names, or else that of the session (supplement 2f). */
  #findKey(): void {
    const { key, authorizedSinceMs } = this.#connection.session
    const raw = this.#raw
    const isNameless = raw instanceof Fault || this.#method?.isOfSession === true
    const named = isNameless ? undefined : raw.text(Param.apiKey)
    this.isLoggedOn = named === undefined && key !== undefined
    if (this.isLoggedOn) this.authorizedSinceMs = authorizedSinceMs
    this.apiKey = named ?? key?.apiKey ?? ''
  }

  /** Responds that the session's key is no longer valid, instead of executing the request. */
  #revoke(): void {
    const { id } = unusableKey
    this.#giveBack()
    this.#connection.answered()
    this.#parts.outcomes.refused(errorCode(id))
    this.#parts.outcomes.answered(errorStatus(id))
    const answer = `{"id":null,"status":${errorStatus(id)},"error":${errorBody(id)}}`
    this.#connection.session.logOut(this.nowMs, () => this.#connection.send(answer))
  }

  #handle(admission: Admission): void {
    const { session } = this.#connection
    this.#method?.answer({ ...admission, session, nowMs: this.nowMs }, this)
    if (this.#operation === undefined) return
    const { params, key, expiresMs } = admission
    const account = key?.account
    const { microseconds } = session
    this.account = AccountId(account?.id ?? -1)
    this.orders = this.#operation.orderCount
    const request: Request = {
      params,
      account,
      nowMs: this.nowMs,
      expiresMs,
      microseconds,
      overWebSocket: true,
      session: entersOrders(this.#operation.effect) ? this.#bind(params) : 0,
      charge: this.#operation.security === 'TRADE' ? this.#openCharge() : undefined,
    }
    const responder = this.#parts.leadership.guarded(this.#operation, this)
    this.#operation.handler(request, this.#parts.context, responder)
  }

  #openCharge(): RequestCharge {
    this.#receipt = this.#parts.receipts.open(this.#asksForReceipt, this.#arrivedNs)
    return new RequestCharge(this.#parts, this, this.#receipt)
  }

  /** The session that ends the orders of the request; 0 for none. */
  #bind(params: Params): number {
    const { bound } = this.#connection.session
    if (bound === undefined) return 0
    const spec = this.#parts.context.symbolNamed(params.text(Param.symbol) as string)
    if (spec !== undefined) {
      bound.places(this.account, spec.id)
      bound.apiKeys.add(this.apiKey)
    }
    return bound.number
  }

  #charge(): Refusal | undefined {
    const { rateLimits } = this.#parts
    // An unreadable frame is charged like the lightest request.
    const weight = (this.#operation ?? this.#method)?.weight ?? 1
    if (typeof weight === 'number') this.#weight = weight
    else this.#weight = this.#raw instanceof Fault ? 1 : weight(this.#raw)
    this.address = rateLimits.addressOf(this.remoteAddress(), this.nowMs)
    const refused = rateLimits.chargeFrame(this.address, this.#weight, this.nowMs)
    this.#weightUsed = rateLimits.weightUsed
    return refused
  }

  #send(status: number, outcome: string): void {
    const end = this.#end(status, outcome.length)
    this.#connection.send(`{"id":${this.#id},"status":${status},${outcome}${end}`)
  }

  /** Counts the response, whose outcome has so many characters. Returns what follows the outcome. */
  #end(status: number, outcomeChars: number): string {
    this.#giveBack()
    this.#connection.answered()
    this.#parts.outcomes.answered(status)
    const limits = this.#showsLimits ? `,"rateLimits":[${this.#limitsText()}]` : ''
    const receipt = this.#receipt === undefined ? '' : this.#receiptText(this.#receipt)
    this.#parts.rateLimits.guard.answered(this.address, outcomeChars, this.nowMs)
    return `${receipt}${limits}}`
  }

  /** Returns the additional member of the response that the client asked for. */
  #receiptText(receipt: Receipt): string {
    const stages = this.#parts.receipts.close(receipt)
    return stages === undefined || !receipt.isAsked ? '' : `,"receipt":${stagesJson(stages)}`
  }

  #limitsText(): string {
    if (!this.#parts.rateLimits.enabled) return ''
    const { requestWeight, ordersPerSecond, ordersPerDay } = this.#parts.rateLimits.limiters
    const weight = limitText(requestWeight, this.#weightUsed)
    if (this.#ordersThisSecond < 0) return weight
    const second = limitText(ordersPerSecond, this.#ordersThisSecond)
    return `${second},${limitText(ordersPerDay, this.#ordersThisDay)},${weight}`
  }
}

const limitText = ({ row }: Limiter, count: number): string => JSON.stringify({ ...row, count })
