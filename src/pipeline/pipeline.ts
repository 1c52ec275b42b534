/**
 * The way of every request, from its first byte to its answer: it is admitted, parsed, authenticated,
 * checked, handled, settled and encoded, in the order that the protocol prescribes (errors.md). What
 * a request is known to be at each step is a type of request.ts; here it is one record, made once.
 *
 * A step that ends the request returns the fault. Handlers answer now or later, by the record itself.
 */
import type { AnyRows, Reply } from '../api/answers/answer.ts'
import type { ArrivalLimit } from '../api/answers/limits.ts'
import type { Stages } from '../api/answers/session.ts'
import { checkParams, checkSyntax, noShared } from '../api/check.ts'
import type { Context, OrderCharge, Request, Responder } from '../api/context.ts'
import { type ErrorId, errorCode, errorStatus, Fault } from '../api/errors.ts'
import { entersOrders, type Operation, weightOf, weightOfRefusal } from '../api/operations/index.ts'
import { Param } from '../api/parameters.ts'
import { Params, RawParams } from '../api/params.ts'
import type { Participants } from '../base/participants.ts'
import type { Clock, Time } from '../base/time.ts'
import { Ms, type SymbolId } from '../base/units.ts'
import {
  type Authenticator,
  tooManyBad,
  unusableKey,
} from '../gateway/authentication/authenticator.ts'
import type { ApiKey } from '../gateway/authentication/key-ring.ts'
import { guardEndMs, UNLIMITED } from '../gateway/limits/address-guard.ts'
import type { RateLimits, Refusal } from '../gateway/limits/rate-limits.ts'
import type { UnreadBytes } from '../gateway/limits/unread.ts'
import type { AccountSpec } from '../market/listing.ts'
import { GatewayCounter, type ThreadCounters } from '../shared/counters.ts'
import type { Outcomes } from '../shared/outcomes.ts'
import type { TradingLocks } from '../shared/trading-locks.ts'
import { BatchPart, type BatchRequest, type PartLimits } from './batch-part.ts'
import type { Faults } from './faults.ts'
import type { Leadership } from './leadership.ts'
import type { Overload } from './overload.ts'
import type { Receipt, Receipts } from './receipts.ts'
import {
  type CheckedRequest,
  type Failure,
  type KnownRequest,
  nothingSent,
  type ParsedRequest,
  type RawRequest,
  Refused,
  type Row,
  type SettledRequest,
  type Spoil,
  type Transport,
  type WeighedRequest,
} from './request.ts'
import { shownBy } from './shown-symbols.ts'

/** The text of a longer request is counted while it waits for its answer. */
const LONG_REQUEST_CHARS = 2_048

const busy = new Fault('SERVER_BUSY')
const notLeading = new Fault('NOT_LEADING')
const stopping = new Fault('SHUTTING_DOWN')
const lockedAccount = new Fault('ACCOUNT_DISABLED')
const unknowable = { TIMEOUT: new Fault('TIMEOUT'), CUT_OFF: new Fault('CUT_OFF') } as const
/** What a request has used of limits that do not count it. */
const UNCHARGED = -1
const noParams = new Params(nothingSent)
/** What requests of callers of this process have in common. */
const innerRequest = {
  key: undefined,
  expiresMs: Ms(0),
  microseconds: false,
  encoding: undefined,
  limiter: 'RAW_REQUESTS',
  session: 0,
  charge: undefined,
} as const

export interface PipelineParts {
  readonly context: Context
  readonly authenticator: Authenticator
  readonly locks: TradingLocks
  readonly rateLimits: RateLimits
  readonly overload: Overload
  readonly leadership: Leadership
  /** Requests sent in part, and unread answers. */
  readonly unread: UnreadBytes
  readonly receipts: Receipts
  readonly counters: ThreadCounters
  readonly outcomes: Outcomes
  readonly clock: Time
  /** Undefined while the sandbox is off. */
  readonly faults: Faults | undefined
  /** Participants of the virtual clock; undefined where time is the machine's. */
  readonly participants: Participants | undefined
  /** The wall's, by which a timestamp is valid too; undefined where that is the clock or does not count. */
  readonly wallStamps: Pick<Clock, 'nowMs'> | undefined
  /** Whether requests that memory cannot serve are refused, because the exchange is stopping. */
  readonly isStopping: () => boolean
}

export class Pipeline {
  readonly parts: PipelineParts

  constructor(parts: PipelineParts) {
    this.parts = parts
  }

  /** Takes a request to its end, now or later. */
  serve(request: ClientRequest): void {
    const fault = this.take(request)
    if (fault !== undefined) this.refuse(request, fault)
  }

  private take(arrived: ClientRequest): Fault | undefined {
    const fault = this.admit(arrived)
    if (fault !== undefined) return fault
    const parsed = this.parse(arrived)
    if (parsed instanceof Fault) return parsed
    const known = this.authenticate(parsed)
    if (known instanceof Fault) return known
    const limited = this.chargeAccount(arrived)
    if (limited !== undefined) return limited
    const checked = this.check(known)
    if (checked instanceof Fault) return checked
    this.handle(checked)
    return undefined
  }

  /** Serves a caller of this process, without key, limits and connection: for an account, or for none. */
  serveInner(
    operation: Operation,
    raw: RawParams,
    account: AccountSpec | undefined,
    responder: Responder,
  ): void {
    const { context, clock } = this.parts
    const params = checkSyntax(raw)
    const fault = params instanceof Fault ? params : checkParams(operation, params, noShared)
    if (fault !== undefined) responder.error(fault.id, fault.detail)
    else {
      const request: Request = {
        ...innerRequest,
        params: params as Params,
        account,
        nowMs: clock.nowMs(),
        servePart: (part, _, to) => {
          if (part instanceof Fault) to.error(part.id, part.detail)
          else this.serveInner(operation.each!, part, account, to)
        },
      }
      operation.handler(request, context, responder)
    }
  }

  /** 1. Limits, bans, leadership and overload: what they refuse must cost far less than an order. */
  private admit(request: ClientRequest): Fault | undefined {
    const { operation, transport } = request
    const { leadership, overload } = this.parts
    const isElsewhere = operation !== undefined && leadership.turnsAway(operation)
    const refusal = isElsewhere ? notLeading : operation && overload.refusalOf(operation)
    request.raw = transport.read(refusal !== undefined)
    const limited = this.charge(request)
    if (limited !== undefined) return limited
    if (refusal !== undefined) return refusal
    if (transport.fault !== undefined) return transport.fault
    return this.keepLong(request) ? undefined : busy
  }

  /** Begins the request: notes its time, counts it, and charges its weight, unless a limit refuses it. */
  charge(request: ClientRequest): Fault | undefined {
    const { rateLimits, clock, counters } = this.parts
    const { transport, row, raw } = request
    request.nowMs = clock.nowMs()
    request.chargedMs = request.nowMs
    counters.add(GatewayCounter.requests, 1)
    request.weight = weightOf(row, raw)
    if (!rateLimits.enabled) return undefined
    request.address = rateLimits.addressOf(transport.remoteAddress(), request.nowMs)
    const { address, nowMs, limiter } = request
    const refusal = rateLimits.chargeRequest(address, request.weight, nowMs, limiter)
    request.weightUsed = rateLimits.weightUsed
    return refusal === undefined ? undefined : request.limitedBy(refusal)
  }

  /** A waiting request keeps all its text. Returns whether there was room for it. */
  private keepLong(request: ClientRequest): boolean {
    const { textChars } = request.transport
    if (textChars <= LONG_REQUEST_CHARS) return true
    return this.keep(request, Math.max(0, textChars - request.keptBytes))
  }

  /** Counts bytes that are kept for the request until its answer. Returns whether there was room. */
  keep(request: ClientRequest, bytes: number): boolean {
    if (!this.parts.unread.take(request.transport.peer, bytes)) return false
    request.keptBytes += bytes
    return true
  }

  giveBack(request: ClientRequest): void {
    if (request.keptBytes === 0) return
    this.parts.unread.give(request.transport.peer, request.keptBytes)
    request.keptBytes = 0
  }

  /** 2. Texts become numbers; a parameter has illegal characters, or comes twice. */
  private parse(request: RawRequest): ParsedRequest | Fault {
    const { raw } = request
    if (raw instanceof Fault) return raw
    const params = checkSyntax(raw)
    return params instanceof Fault ? params : request.parsed(params)
  }

  /** 3. Key, time and signature. */
  private authenticate(request: ParsedRequest): KnownRequest | Fault {
    const { row, params, transport, nowMs } = request
    const { authenticator, faults } = this.parts
    if (row.security === 'NONE') return request.known(undefined, Ms(0))
    const key = authenticator.keyOf(row.security, transport)
    if (key instanceof Fault) return key
    if (!row.signed) return request.known(key, Ms(0))
    const skewMs = faults === undefined ? 0 : faults.skewMs(request, key)
    const expiresMs = this.expiryOf(request, Ms(nowMs + skewMs))
    if (expiresMs instanceof Fault) return expiresMs
    const { address } = request
    const fault = authenticator.signatureFault(key, params, transport, address, nowMs)
    return fault ?? request.known(key, Ms(expiresMs - skewMs))
  }

  /** By the clock that the request meets; where it is virtual, perhaps by the wall's. */
  private expiryOf({ params, transport }: ParsedRequest, nowMs: Ms): Ms | Fault {
    const { authenticator, wallStamps, clock } = this.parts
    const expiresMs = authenticator.expiryOf(params, transport, nowMs)
    if (!(expiresMs instanceof Fault)) return expiresMs
    if (clock.steered?.isAwaited) {
      // The true time is anywhere between the journal's end and the machine's.
      const asOfMs = Math.min(authenticator.stampOf(params), clock.steered.machineMs())
      return asOfMs > nowMs ? authenticator.expiryOf(params, transport, Ms(asOfMs)) : expiresMs
    }
    if (wallStamps === undefined) return expiresMs
    const wallMs = wallStamps.nowMs()
    const byWallMs = authenticator.expiryOf(params, transport, wallMs)
    return byWallMs instanceof Fault ? expiresMs : Ms(byWallMs - wallMs + nowMs)
  }

  /** Has an account with its own limit of weight pay, once it has signed. */
  private chargeAccount(request: ClientRequest): Fault | undefined {
    const { account, row, address, weight, nowMs } = request
    const isOwn = row.signed && account?.limits?.weight !== undefined
    if (!isOwn || address === UNLIMITED) return undefined
    const { rateLimits } = this.parts
    const refusal = rateLimits.chargeAccount(account, address, weight, nowMs)
    request.weightUsed = rateLimits.weightUsed
    request.payer = account
    return refusal === undefined ? undefined : request.limitedBy(refusal)
  }

  /** 4. What its row takes, and what the account and this exchange can do now. */
  private check(request: KnownRequest): CheckedRequest | Fault {
    const { row, operation, params, key, nowMs, transport } = request
    const fault = checkParams(row, params, transport.kind.params)
    if (fault !== undefined) return fault
    if (operation === undefined) return request.checked()
    const { locks, leadership, isStopping } = this.parts
    // A locked account may cancel, and query.
    const isLocked = key !== undefined && entersOrders(operation.effect)
    if (isLocked && locks.isLocked(key.account.id, nowMs)) return lockedAccount
    if (isStopping() && !operation.sources.includes('MEMORY')) return stopping
    const refusal = leadership.refusalOf(operation)
    return refusal === undefined ? request.checked() : unknowable[refusal]
  }

  /** 5. The row's handler answers, now or later. */
  private handle(request: CheckedRequest): void {
    const { operation, account, transport } = request
    const { participants } = this.parts
    if (operation === undefined) transport.answerOwn?.(request)
    else if (participants === undefined || account === undefined) this.carryOut(request, operation)
    else participants.carryOut(account.id, () => this.carryOut(request, operation))
  }

  private carryOut(request: CheckedRequest, operation: Operation): void {
    const { leadership, context, faults } = this.parts
    if (faults === undefined) {
      operation.handler(request, context, leadership.guarded(operation, request))
    } else {
      faults.handle(request, operation, (to, seen, statuses) =>
        operation.handler(seen, statuses === undefined ? context : shownBy(context, statuses), to),
      )
    }
  }

  /** Responds to a request that ended at one of the steps. */
  refuse(request: ClientRequest, fault: Fault): void {
    const { outcomes, rateLimits } = this.parts
    const { transport } = request
    if (fault === unusableKey && transport.logon !== undefined && transport.endLogon) {
      this.giveBack(request)
      outcomes.refused(errorCode(unusableKey.id))
      outcomes.answered(errorStatus(unusableKey.id))
      transport.endLogon(request.nowMs)
      return
    }
    // Its address has sent too many bad signatures: this one was not checked.
    if (fault === tooManyBad) {
      rateLimits.guard.refused(request.address, request.nowMs)
      request.limitedBy({ fault, untilMs: guardEndMs(request.nowMs) })
    }
    if (request.isLimited && transport.shutOut?.(request)) {
      this.giveBack(request)
      return
    }
    request.error(fault.id, fault.detail)
    if (request.isLimited) transport.limitReached?.(fault.id === 'ADDRESS_BANNED', request.nowMs)
  }

  /** Responds that the account enters too many orders. */
  refuseOrders(request: ClientRequest, refusal: Refusal): void {
    const { account, address, nowMs } = request
    const ban = this.parts.rateLimits.orderRefused(address, nowMs, account)
    this.refuse(request, request.limitedBy(ban ?? refusal))
  }

  /** 6. The request is charged what its outcome weighs. 7. Its transport encodes and sends the answer. */
  succeed(request: ClientRequest, answer: Reply): void {
    const { transport } = request
    const { rateLimits, outcomes } = this.parts
    this.settleSuccess(request)
    this.giveBack(request)
    if (transport.isGone) return
    outcomes.answered(200)
    const length = transport.succeed(request, answer)
    rateLimits.guard.answered(request.address, length, request.nowMs)
  }

  /** Steps 6 and 7 of a refusal, with a row of the error table. */
  fail(request: ClientRequest, error: Refused): void {
    const { transport } = request
    const { rateLimits, outcomes } = this.parts
    this.settleRefusal(request, error.id)
    this.giveBack(request)
    if (transport.isGone) return
    outcomes.answered(error.status)
    const length = transport.fail(request, error)
    rateLimits.guard.answered(request.address, length, request.nowMs)
  }

  settleSuccess(request: WeighedRequest): void {
    const { rateLimits } = this.parts
    const weight = request.operation?.weightOnSuccess
    if (weight === undefined || !rateLimits.enabled) return
    const { address, chargedMs, payer } = request
    rateLimits.settleSuccess(address, request.weight, weight, chargedMs, payer)
    request.weightUsed = rateLimits.weightUsed
  }

  /** Counts the refusal, too. */
  settleRefusal(request: WeighedRequest, id: ErrorId): void {
    const { rateLimits, outcomes } = this.parts
    const { operation, address, chargedMs, payer } = request
    outcomes.refused(errorCode(id), this.symbolOf(request))
    const weight = operation && weightOfRefusal(operation, id)
    if (weight === undefined || weight >= request.weight || !rateLimits.enabled) return
    rateLimits.settleWeight(address, request.weight, weight, chargedMs, payer)
    request.weightUsed = rateLimits.weightUsed
  }

  /** Step 7 with an answer of the sandbox, or one that it spoils. */
  spoil(request: ClientRequest, outcome: Reply | Failure, spoil: Spoil | undefined): void {
    const { transport } = request
    const { rateLimits, outcomes } = this.parts
    this.giveBack(request)
    if (transport.isGone) return
    if ('row' in outcome) outcomes.refused(outcome.row.code, this.symbolOf(request))
    const isFailure = 'status' in outcome
    outcomes.answered(isFailure ? outcome.status : 200)
    const length = isFailure
      ? transport.fail(request, outcome, spoil)
      : transport.succeed(request, outcome, spoil)
    rateLimits.guard.answered(request.address, length, request.nowMs)
  }

  /** Ends the connection of a request, which counts as unanswered. */
  cut(request: ClientRequest): void {
    this.giveBack(request)
    if (!request.transport.isGone) request.transport.cut?.(request)
  }

  /** The listed symbol that it named, by which refusals are counted. */
  private symbolOf({ raw }: Pick<RawRequest, 'raw'>): SymbolId | undefined {
    const name = raw instanceof RawParams ? raw.text(Param.symbol) : undefined
    return name === undefined ? undefined : this.parts.context.symbolNamed(name)?.id
  }
}

/**
 * The record of one request: what each step found, its answer's destination, and what its orders are
 * charged to. It travels with the request to the command.
 */
export class ClientRequest implements BatchRequest, SettledRequest, OrderCharge {
  readonly transport: Transport
  readonly row: Row
  readonly operation: Operation | undefined
  readonly microseconds: boolean
  readonly encoding: Request['encoding']
  readonly limiter: ArrivalLimit
  raw: RawParams | Fault = nothingSent
  params: Params = noParams
  key: ApiKey | undefined
  account: AccountSpec | undefined
  nowMs = Ms(0)
  /** When its weight was charged, ms. */
  chargedMs = Ms(0)
  expiresMs = Ms(0)
  session = 0
  /** Itself, where the operation trades. */
  charge: OrderCharge | undefined
  address = UNLIMITED
  /** What it was charged at arrival. */
  weight = 0
  weightUsed = UNCHARGED
  payer: AccountSpec | undefined = undefined
  /** Bytes counted as kept until the answer. */
  keptBytes = 0
  isLimited = false
  isOverOrders = false
  retryMs = Ms(0)
  ordersThisSecond = UNCHARGED
  ordersThisDay = UNCHARGED
  /** Whether a command is still to be timed. */
  isTimed = false
  /** What its parts have met of limits; undefined before the first part. */
  partLimits: PartLimits | undefined = undefined
  readonly pipeline: Pipeline
  private receipt: Receipt | undefined = undefined
  private isDue = true

  /** `row` is the operation's, where there is one. */
  constructor(
    pipeline: Pipeline,
    transport: Transport,
    row: Row,
    operation: Operation | undefined,
  ) {
    this.pipeline = pipeline
    this.transport = transport
    this.row = row
    this.operation = operation
    this.microseconds = transport.microseconds
    this.encoding = transport.kind.encoder.lists
    this.limiter = transport.kind.limiter
  }

  /** Notes until when a limit refuses it. Returns why. */
  limitedBy({ fault, untilMs }: Refusal): Fault {
    this.isLimited = true
    this.retryMs = untilMs
    return fault
  }

  parsed(params: Params): ParsedRequest {
    this.params = params
    return this
  }

  known(key: ApiKey | undefined, expiresMs: Ms): KnownRequest {
    this.key = key
    this.account = key?.account
    this.expiresMs = expiresMs
    return this
  }

  checked(): CheckedRequest {
    const { operation, transport } = this
    if (operation?.security === 'TRADE') {
      this.charge = this
      const { receipts } = this.pipeline.parts
      this.receipt = receipts.open(transport.asksForReceipt === true, transport.arrivedNs)
      this.isTimed = this.receipt !== undefined
    }
    if (operation !== undefined && entersOrders(operation.effect)) {
      this.session = transport.bind?.(this) ?? 0
    }
    return this
  }

  reply(answer: Reply): void {
    this.pipeline.succeed(this, answer)
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows): void {
    this.pipeline.fail(this, new Refused(id, detail, data))
  }

  isReading(): boolean {
    return this.transport.isReading?.() ?? true
  }

  get weightFault(): Fault {
    return this.pipeline.parts.rateLimits.limiters.requestWeight.fault
  }

  setLate(): void {
    this.nowMs = this.pipeline.parts.clock.nowMs()
  }

  spoil(outcome: Reply | Failure, spoil?: Spoil): void {
    this.pipeline.spoil(this, outcome, spoil)
  }

  cut(): void {
    this.pipeline.cut(this)
  }

  takeStages(): Stages | undefined {
    const receipt = this.receipt
    if (receipt === undefined) return undefined
    const stages = this.pipeline.parts.receipts.close(receipt, this.account!.id)
    return receipt.isAsked ? stages : undefined
  }

  servePart(raw: RawParams | Fault, context: Context, to: Responder): void {
    new BatchPart(this, this.operation!.each!, raw, to).serve(context)
  }

  refusal(): Fault | undefined {
    if (!this.isDue) return undefined
    const refusal = this.refusalOfOrders(this.operation!)
    if (refusal === undefined) return undefined
    const { rateLimits } = this.pipeline.parts
    const { nowMs, account } = this
    this.retryMs = refusal.untilMs
    const ban = rateLimits.orderRefused(this.address, nowMs, account)
    this.transport.limitReached?.(ban !== undefined, nowMs)
    return refusal.fault
  }

  /** Returns the refusal that orders of the operation, its own or a part's, would meet now. */
  refusalOfOrders({ orderCount }: Operation): Refusal | undefined {
    const { rateLimits } = this.pipeline.parts
    const refusal = rateLimits.orderRefusal(this.account!, orderCount, this.nowMs)
    if (refusal !== undefined) this.isOverOrders = true
    return refusal
  }

  waive(): void {
    this.isDue = false
  }

  pay(): boolean {
    if (!this.isDue) return true
    this.isDue = false
    const refusal = this.chargeOrders(this.operation!)
    if (refusal === undefined) return true
    this.pipeline.refuseOrders(this, refusal)
    return false
  }

  /** Charges orders of the operation, its own or a part's. Returns their refusal. */
  chargeOrders({ orderCount }: Operation): Refusal | undefined {
    const { rateLimits } = this.pipeline.parts
    if (!rateLimits.enabled || orderCount === 0) return undefined
    const refusal = rateLimits.chargeOrders(this.account!, orderCount, this.nowMs)
    if (refusal === undefined) {
      this.ordersThisSecond = rateLimits.ordersThisSecond
      this.ordersThisDay = rateLimits.ordersThisDay
    } else this.isOverOrders = true
    return refusal
  }

  sent(correlation: number): void {
    if (!this.isTimed) return
    this.isTimed = false
    this.pipeline.parts.receipts.sent(this.receipt!, correlation)
  }
}
