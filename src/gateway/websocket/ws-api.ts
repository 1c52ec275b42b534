/**
 * One connection to `/ws-api/v3`: requests in text frames, each with one response frame (web-socket-api.md).
 * Methods are the operations' rows, found by their `wsMethod`, and the few of the connection
 * itself (gateway/sessions). Each frame is a request of the pipeline.
 */

import { type AnyRows, type Reply, Rows } from '../../api/answers/answer.ts'
import {
  deprecatedSbeEncoders,
  type Encoder,
  jsonEncoder,
  sbeEncoders,
} from '../../api/answers/encoders.ts'
import { limitedData, shownError } from '../../api/answers/errors.ts'
import type { RateLimitCount } from '../../api/answers/limits.ts'
import {
  eventFrame,
  type ResponseRow,
  responseFrame,
  type Stages,
} from '../../api/answers/session.ts'
import { serverShutdown } from '../../api/answers/user-events.ts'
import { frameParams } from '../../api/check.ts'
import { type ErrorId, Fault } from '../../api/errors.ts'
import { entersOrders, type Operation, operations } from '../../api/operations/index.ts'
import { Param, RareParam } from '../../api/parameters.ts'
import { RawParams } from '../../api/params.ts'
import { idText, type SbeSwitch } from '../../api/sbe/sbe.ts'
import type { AccountId, Ms } from '../../base/units.ts'
import { ClientRequest, type Pipeline, type PipelineParts } from '../../pipeline/pipeline.ts'
import {
  type CheckedRequest,
  type Failure,
  noRow,
  nothingSent,
  Refused,
  type Row,
  type SettledRequest,
  type Spoil,
  type Transport,
  type TransportKind,
} from '../../pipeline/request.ts'
import { type Logon, unusableKey } from '../authentication/authenticator.ts'
import type { SignatureCheck } from '../authentication/signatures.ts'
import type { SessionOrders } from '../engine-link/session-orders.ts'
import { GUARD_INTERVAL_MS } from '../limits/address-guard.ts'
import type { Limiter } from '../limits/limiters.ts'
import { Heartbeat } from '../sessions/heartbeat.ts'
import { Session, type SessionMethod, sessionMethods } from '../sessions/session.ts'
import { type FrameFaults, userSource } from '../streams/frame-faults.ts'
import type { Frame, Outbox } from '../streams/outbox.ts'
import type { UserStreams } from '../streams/user-streams.ts'
import { Connection, Ending, type SessionDetail, SHOWN_KEY_CHARS } from './connection.ts'
import { RequestFrame } from './json-frame.ts'

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
/** A client that has not read so much gets no further list: at four times as much it is closed. */
const UNREAD_BYTES_MAX = 256 * 1024
/** Characters that are echoed of a request's id. */
export const REQUEST_ID_CHARS_MAX = 1_000
const REQUEST_ID = new RegExp(
  `^(?:-?\\d{1,${REQUEST_ID_CHARS_MAX}}|null|` +
    `"(?:[^"\\\\]|\\\\(?:u[0-9a-fA-F]{4}|.)){0,${REQUEST_ID_CHARS_MAX}}")$`,
  'u',
)

/** Whatever unit the connection has. */
const inMilliseconds = { microseconds: false }

const noKey = new Fault('MANDATORY_PARAMETER', 'apiKey')
const noSbe = new Fault('SBE_DISABLED')
const apiTransport = (encoder: Encoder): TransportKind => ({
  over: 'sessions',
  limiter: 'CONNECTIONS',
  params: frameParams,
  noKey,
  encoder,
})
const messageEncoders = [sbeEncoders, deprecatedSbeEncoders].flatMap((all) => Object.values(all))
const transports = new Map([jsonEncoder, ...messageEncoders].map((one) => [one, apiTransport(one)]))
/** Bytes of a request's id that a message has room for. */
const MESSAGE_ID_BYTES_MAX = 255

/** The frame that is being read. */
const frame = new RequestFrame()

export interface ApiParts extends PipelineParts {
  readonly pipeline: Pipeline
  readonly userStreams: UserStreams
  readonly sessionOrders: SessionOrders
  readonly outbox: Outbox
  readonly sbe: SbeSwitch
  /** Undefined while the sandbox is off. */
  readonly frameFaults: FrameFaults | undefined
}

export class ApiConnection extends Connection {
  readonly over = 'sessions'
  readonly kind: TransportKind
  readonly encoder: Encoder
  readonly session: Session
  readonly address: ArrayBuffer
  private readonly parts: ApiParts
  private heartbeat: Heartbeat | undefined = undefined
  private refusedMinute = 0
  private refusedFrames = 0

  constructor(
    parts: ApiParts,
    address: ArrayBuffer,
    encoder: Encoder,
    microseconds: boolean,
    showsLimits: boolean,
  ) {
    const controlsPerSecond = parts.rateLimits.enabled
      ? CONTROLS_PER_SECOND_MAX
      : Number.POSITIVE_INFINITY
    super(parts, { framesPerSecond: Number.POSITIVE_INFINITY, controlsPerSecond })
    this.parts = parts
    this.address = address
    this.kind = transports.get(encoder)!
    this.encoder = encoder
    this.session = new Session({
      userStreams: parts.userStreams,
      sessionOrders: parts.sessionOrders,
      connectedMs: parts.clock.nowMs(),
      microseconds,
      showsLimits,
      send: (event, account) => this.sendEvent(event, account),
      expectFrames: (periodMs) => this.expectFrames(periodMs),
      rateLimits: parts.rateLimits,
      grants: parts.authenticator,
      clock: this.clockSession,
    })
  }

  override get accounts(): readonly number[] {
    return this.session.subscriptions.accounts
  }

  private sendEvent(event: AnyRows, account: AccountId): void {
    const frame = this.encoder.encode(event)
    if (this.gate === undefined) this.sendEventFrame(frame)
    else this.gate.pass(userSource(account), frame)
  }

  override send(frame: Frame): void {
    if (!this.parts.outbox.take(this, frame)) super.send(frame)
  }

  override received(text: string): void {
    this.asked()
    const call = new ApiCall(this.parts, this, text)
    const { row, operation } = call
    this.parts.pipeline.serve(new ClientRequest(this.parts.pipeline, call, row, operation))
    if (operation !== undefined && entersOrders(operation.effect)) this.clockSession?.placed()
  }

  /** Cancels the key's orders that end with the connection. */
  override revoke(apiKey: string): void {
    this.session.revoke(apiKey, this.parts.clock.nowMs())
    if (this.session.bindsOrdersOf(apiKey)) this.end(Ending.KEY_REVOKED)
  }

  override keyChanged(apiKey: string): void {
    this.session.subscriptions.endDropCopies(apiKey, this.parts.clock.nowMs())
  }

  override closeIfBanned(nowMs: Ms): void {
    const { rateLimits } = this.parts
    if (rateLimits.isBanned(rateLimits.addressOf(this.address, nowMs), nowMs)) this.refuseFrames()
  }

  override endOrders(): void {
    this.session.endOrders()
  }

  /** Called when a limit refused a frame: ends the connection for a ban, or after many refusals. */
  limitReached(isBanned: boolean, nowMs: Ms): void {
    const minute = Math.floor(nowMs / GUARD_INTERVAL_MS)
    if (minute !== this.refusedMinute) this.refusedFrames = 0
    this.refusedMinute = minute
    this.refusedFrames++
    if (isBanned || this.refusedFrames > REFUSED_FRAMES_MAX) this.refuseFrames()
  }

  override announceShutdown(nowMs: Ms): void {
    const { microseconds } = this.session
    const event = new Rows(serverShutdown, { eventTimeMs: nowMs }, { microseconds })
    this.send(this.encoder.encode(new Rows(eventFrame, { event }, event.form)))
  }

  protected override detail(): SessionDetail {
    const { key, subscriptions } = this.session
    const owner = key === undefined ? [] : [key.account.id]
    return {
      transport: 'ws-api',
      accounts: [...new Set([...owner, ...subscriptions.accounts])],
      apiKey: key?.apiKey.slice(0, SHOWN_KEY_CHARS) ?? '',
      streams: subscriptions.accounts.length,
    }
  }

  protected override frameReceived(): void {
    this.heartbeat?.frameReceived()
  }

  protected override opened(): void {}

  /** Returns a connection of another exchange, which is to take this one over. */
  renewed(parts: ApiParts): ApiConnection {
    const { microseconds, showsLimits } = this.session
    return new ApiConnection(parts, this.address, this.encoder, microseconds, showsLimits)
  }

  protected override continues({ session, heartbeat }: this): void {
    const { authenticator, clock } = this.parts
    const isUsable = (apiKey: string) => authenticator.isUsable(apiKey)
    this.session.resume(session, isUsable, clock.nowMs(), heartbeat?.periodMs)
  }

  protected override left(): void {
    this.heartbeat?.stop()
    this.session.left()
  }

  private expectFrames(periodMs: number | undefined): void {
    this.heartbeat?.stop()
    const missed = () => this.end(Ending.SILENT)
    this.heartbeat =
      periodMs === undefined ? undefined : new Heartbeat(periodMs, this.parts.clock.wall, missed)
  }
}

/** One frame, which is read at once: all frames share a reader. */
class ApiCall implements Transport {
  readonly kind: TransportKind
  row: Row = noRow
  operation: Operation | undefined
  readonly microseconds: boolean
  apiKey = ''
  logon: Logon | undefined
  asksForReceipt = false
  arrivedNs: number | undefined
  fault: Fault | undefined
  private readonly parts: ApiParts
  private readonly connection: ApiConnection
  private readonly text: string
  private method: SessionMethod | undefined
  private showsLimits: boolean
  private id = 'null'

  /** Reads id and method. */
  constructor(parts: ApiParts, connection: ApiConnection, text: string) {
    const { microseconds, showsLimits } = connection.session
    this.kind = connection.kind
    this.parts = parts
    this.connection = connection
    this.text = text
    this.microseconds = microseconds
    this.arrivedNs = parts.receipts.arrival(false)
    this.showsLimits = showsLimits
    this.fault = this.readId()
    if (this.kind.encoder.isBinary === true && parts.sbe.newest === undefined) this.fault ??= noSbe
    if (this.fault !== undefined) return
    const method = frame.stringOf('method')
    if (method === undefined) {
      this.fault = new Fault('MANDATORY_PARAMETER', 'method')
      return
    }
    const name = method.startsWith('v3/') ? method.slice(3) : method
    this.operation = byMethod.get(name)
    this.method = sessionMethods.get(name)
    this.row = this.operation ?? this.method ?? noRow
    if (this.row === noRow) this.fault = new Fault('UNSUPPORTED_OPERATION')
  }

  private readId(): Fault | undefined {
    if (!frame.read(this.text)) return new Fault('INVALID_JSON')
    const id = frame.jsonOf('id')
    if (id === undefined) return new Fault('MANDATORY_PARAMETER', 'id')
    const isWhole = this.kind.encoder.isBinary !== true || hasRoom(id)
    if (!REQUEST_ID.test(id) || !isWhole) return new Fault('INVALID_PARAMETER', 'id')
    this.id = id
    return undefined
  }

  read(isTurnedAway: boolean): RawParams | Fault {
    if (this.fault !== undefined) return nothingSent
    // A refused frame needs only the parameters that shape the response.
    if (isTurnedAway && !this.text.includes('returnRateLimits')) return nothingSent
    if (!frame.findParams()) {
      this.fault = faultOfParams(frame.jsonOf('params')!)
      return nothingSent
    }
    const raw = RawParams.ofMembers(frame.params, frame.paramsBegin, frame.paramsEnd)
    this.findKey(raw)
    if (raw instanceof Fault) return raw
    const shown = raw.text(Param.returnRateLimits)
    if (shown !== undefined) this.showsLimits = shown !== 'false'
    this.asksForReceipt = raw.text(RareParam.receipt) === 'true'
    if (this.asksForReceipt) this.arrivedNs ??= this.parts.receipts.arrival(true)
    return raw
  }

  /** Finds the key that the request names, or else that of the session (web-socket-api.md). */
  private findKey(raw: RawParams | Fault): void {
    const { logon, key } = this.connection.session
    const isNameless = raw instanceof Fault || this.method?.isOfSession === true
    const named = isNameless ? undefined : raw.text(Param.apiKey)
    if (named === undefined) this.logon = logon
    this.apiKey = named ?? key?.apiKey ?? ''
  }

  get textChars(): number {
    return this.text.length
  }

  get peer(): string {
    return this.connection.peer
  }

  remoteAddress(): ArrayBuffer {
    return this.connection.address
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
    return this.connection.bufferedBytes < UNREAD_BYTES_MAX
  }

  bind({ params, account }: Pick<CheckedRequest, 'params' | 'account'>): number {
    const { bound } = this.connection.session
    if (bound === undefined) return 0
    const spec = this.parts.context.symbolNamed(params.text(Param.symbol) as string)
    if (spec !== undefined) {
      bound.places(account!.id, spec.id)
      bound.apiKeys.add(this.apiKey)
    }
    return bound.number
  }

  answerOwn(request: CheckedRequest): void {
    this.method!.answer(this.connection.session, request)
  }

  succeed(request: SettledRequest, answer: Reply, spoil?: Spoil): number {
    return this.send(request, 200, answer, undefined, spoil)
  }

  fail(request: SettledRequest, failure: Failure, spoil?: Spoil): number {
    const error =
      failure instanceof Refused
        ? failure.rows(this.dataOf(request, failure.id))
        : shownError(failure.row)
    return this.send(request, failure.status, undefined, error, spoil)
  }

  /** Returns the `data` of an error that no handler gave any. */
  private dataOf({ isLimited, nowMs, retryMs }: SettledRequest, id: ErrorId): AnyRows | undefined {
    if (id === 'NOT_LEADING') return this.parts.leadership.errorData()
    return isLimited ? new Rows(limitedData, { nowMs, retryMs }, inMilliseconds) : undefined
  }

  cut(request: SettledRequest): void {
    this.connection.answered()
    request.takeStages()
    this.connection.cut()
  }

  limitReached(isBanned: boolean, nowMs: Ms): void {
    this.connection.limitReached(isBanned, nowMs)
  }

  endLogon(nowMs: Ms): void {
    const error = new Refused(unusableKey.id, undefined, undefined)
    const row = { id: 'null', status: error.status, error: error.rows() }
    this.connection.answered()
    this.connection.session.logOut(nowMs, () => this.connection.send(frameOf(this.kind, row)))
  }

  /** Sends the outcome, with the receipt and the limits where they are shown. Returns its length. */
  private send(
    request: SettledRequest,
    status: number,
    result: Reply | undefined,
    error: AnyRows | undefined,
    spoil: Spoil | undefined,
  ): number {
    const { connection } = this
    connection.answered()
    const limits = this.showsLimits ? this.limitsOf(request) : undefined
    const row = new Response(this.id, status, result, error, limits, request)
    const frame = frameOf(this.kind, row)
    // Messages have no receipts.
    if (this.kind.encoder.isBinary === true) request.takeStages()
    if (spoil === 'half') connection.sendHalf(frame)
    else connection.send(frame)
    if (spoil === 'twice') connection.send(frame)
    return this.kind.encoder.page?.innerBytes ?? frame.length
  }

  private limitsOf(request: SettledRequest): readonly RateLimitCount[] {
    const { rateLimits } = this.parts
    if (!rateLimits.enabled) return []
    const { account, payer, isOverOrders, nowMs } = request
    const { requestWeight } = rateLimits.limitersFor(payer)
    const { ordersPerSecond, ordersPerDay } = rateLimits.limitersFor(account)
    const weight = countedBy(requestWeight, request.weightUsed)
    if (isOverOrders) {
      // A limit that refused its orders is shown as it stands.
      const [day, second] = rateLimits.orderCounts(account!, nowMs)
      return [countedBy(second.limiter, second.count), countedBy(day.limiter, day.count), weight]
    }
    if (request.ordersThisSecond < 0) return [weight]
    const second = countedBy(ordersPerSecond, request.ordersThisSecond)
    return [second, countedBy(ordersPerDay, request.ordersThisDay), weight]
  }
}

/** The row of a response. A literal with a getter would be made by V8's runtime, for each response. */
class Response implements ResponseRow {
  readonly id: string
  readonly status: number
  readonly result: Reply | undefined
  readonly error: AnyRows | undefined
  readonly limits: readonly RateLimitCount[] | undefined
  private readonly request: SettledRequest
  private taken: Stages | undefined = undefined

  constructor(
    id: string,
    status: number,
    result: Reply | undefined,
    error: AnyRows | undefined,
    limits: readonly RateLimitCount[] | undefined,
    request: SettledRequest,
  ) {
    this.id = id
    this.status = status
    this.result = result
    this.error = error
    this.limits = limits
    this.request = request
  }

  /** They are read behind the outcome, whose text is part of the last one. */
  get stages(): Stages | undefined {
    this.taken ??= this.request.takeStages()
    return this.taken
  }
}

const frameOf = ({ encoder }: TransportKind, row: ResponseRow): Frame =>
  encoder.encode(new Rows(responseFrame, row, inMilliseconds))

/** Whether a message has room for the id, which is JSON. */
function hasRoom(id: string): boolean {
  try {
    return Buffer.byteLength(idText(id)) <= MESSAGE_ID_BYTES_MAX
  } catch {
    return false
  }
}

const countedBy = ({ row }: Limiter, count: number): RateLimitCount => ({
  rateLimitType: row.rateLimitType,
  interval: row.interval,
  intervalNum: row.intervalNum,
  limit: row.limit,
  count,
})

/** Returns the fault of `params` that are no object: a list is no request of the protocol. */
function faultOfParams(json: string): Fault {
  if (json.startsWith('[')) return new Fault('INVALID_JSON')
  return new Fault(json === 'null' ? 'MANDATORY_PARAMETER' : 'INVALID_PARAMETER', 'params')
}
