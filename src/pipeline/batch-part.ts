/**
 * One part of a batch as the pipeline knows it. Its checks, weight, count of orders and outcome are its own; arrival, key,
 * time, signature, session and transport are its batch's. A limit that refuses parts of a batch counts them as one
 * refusal, so that no batch alone causes a ban.
 */
import { type AnyRows, type Reply, Rows } from '../api/answers/answer.ts'
import { limitedData } from '../api/answers/errors.ts'
import { checkParams, checkSyntax, noShared } from '../api/check.ts'
import type { Context, OrderCharge, Request, Responder } from '../api/context.ts'
import { type ErrorId, Fault } from '../api/errors.ts'
import { entersOrders, type Operation, weightOf } from '../api/operations/index.ts'
import { Params, type RawParams } from '../api/params.ts'
import type { RateLimits, Refusal } from '../gateway/limits/rate-limits.ts'
import type { Faults } from './faults.ts'
import type { Leadership } from './leadership.ts'
import { type CheckedRequest, nothingSent, type Transport, type WeighedRequest } from './request.ts'

/** What the parts of one batch have met of limits. */
export interface PartLimits {
  /** The refusal of a part's weight: later parts get it too, and are not charged. */
  overWeight: Refusal | undefined
  /** Whether an order was refused with -1015. */
  isOverOrders: boolean
}

/** What a part needs of its batch. */
export interface BatchRequest extends CheckedRequest, WeighedRequest {
  partLimits: PartLimits | undefined
  readonly isTimed: boolean
  sent(correlation: number): void
  /** Returns the refusal that orders of a part would meet now. */
  refusalOfOrders(operation: Operation): Refusal | undefined
  /** Charges orders of a part. Returns their refusal. */
  chargeOrders(operation: Operation): Refusal | undefined
  readonly pipeline: {
    readonly parts: {
      readonly rateLimits: RateLimits
      readonly leadership: Leadership
      readonly faults: Faults | undefined
    }
    settleSuccess(request: WeighedRequest): void
    settleRefusal(request: WeighedRequest, id: ErrorId): void
  }
}

const noParams = new Params(nothingSent)
const inMilliseconds = { microseconds: false }

export class BatchPart implements Request, Responder, OrderCharge, WeighedRequest {
  readonly operation: Operation
  readonly raw: RawParams | Fault
  readonly account: Request['account']
  readonly nowMs: Request['nowMs']
  readonly expiresMs: Request['expiresMs']
  readonly microseconds: boolean
  readonly encoding: Request['encoding']
  readonly limiter: Request['limiter']
  readonly charge = this
  readonly address: WeighedRequest['address']
  readonly chargedMs: WeighedRequest['chargedMs']
  readonly payer: WeighedRequest['payer']
  readonly transport: Transport
  readonly key: CheckedRequest['key']
  params = noParams
  session = 0
  weight = 0
  private readonly batch: BatchRequest
  private readonly to: Responder
  private isDue = true

  constructor(batch: BatchRequest, operation: Operation, raw: RawParams | Fault, to: Responder) {
    this.batch = batch
    this.operation = operation
    this.raw = raw
    this.to = to
    this.account = batch.account
    this.nowMs = batch.nowMs
    this.expiresMs = batch.expiresMs
    this.microseconds = batch.microseconds
    this.encoding = batch.encoding
    this.limiter = batch.limiter
    this.address = batch.address
    this.chargedMs = batch.chargedMs
    this.payer = batch.payer
    this.transport = batch.transport
    this.key = batch.key
  }

  /** Admits, checks and handles it: steps 1, 2, 4 and 5 of a request. */
  serve(context: Context): void {
    const { raw, operation } = this
    const refusal = this.chargeWeight()
    if (refusal !== undefined) {
      this.limitedBy(refusal)
      return
    }
    const params = raw instanceof Fault ? raw : checkSyntax(raw)
    const fault = params instanceof Fault ? params : checkParams(operation, params, noShared)
    if (fault !== undefined) {
      this.error(fault.id, fault.detail)
      return
    }
    this.params = params as Params
    if (entersOrders(operation.effect)) this.session = this.transport.bind?.(this) ?? 0
    const refused = this.batch.pipeline.parts.faults?.refusalOfPart(this)
    if (refused === undefined) operation.handler(this, context, this)
    else if (this.pay()) this.error(refused.id, refused.detail)
  }

  /** The batch was charged for its first part when it arrived. */
  private chargeWeight(): Refusal | undefined {
    const { batch, raw, operation } = this
    const { rateLimits } = batch.pipeline.parts
    this.weight = weightOf(operation, raw)
    const limits = batch.partLimits
    if (limits === undefined) {
      batch.partLimits = { overWeight: undefined, isOverOrders: false }
      return undefined
    }
    if (!rateLimits.enabled) return undefined
    const { address, weight, chargedMs, payer } = this
    limits.overWeight ??= rateLimits.chargePart(address, weight, chargedMs, payer)
    batch.weightUsed = rateLimits.weightUsed
    return limits.overWeight
  }

  private limitedBy({ fault, untilMs }: Refusal): void {
    this.batch.pipeline.settleRefusal(this, fault.id)
    const data = new Rows(limitedData, { nowMs: this.nowMs, retryMs: untilMs }, inMilliseconds)
    this.to.error(fault.id, fault.detail, data)
  }

  get weightUsed(): number {
    return this.batch.weightUsed
  }

  set weightUsed(weight: number) {
    this.batch.weightUsed = weight
  }

  reply(answer: Reply): void {
    this.batch.pipeline.settleSuccess(this)
    this.to.reply(answer)
  }

  error(id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows): void {
    const { pipeline } = this.batch
    pipeline.settleRefusal(this, id)
    // What a member that is cut off knows may be of the past.
    const unknowable = pipeline.parts.leadership.refusalOf(this.operation)
    if (unknowable === undefined) this.to.error(id, detail, data)
    else this.to.error(unknowable)
  }

  isReading(): boolean {
    return this.to.isReading()
  }

  servePart(): never {
    throw new Error('A part has no parts.')
  }

  get isTimed(): boolean {
    return this.batch.isTimed
  }

  sent(correlation: number): void {
    this.batch.sent(correlation)
  }

  refusal(): Fault | undefined {
    if (!this.isDue) return undefined
    const refusal = this.batch.refusalOfOrders(this.operation)
    if (refusal !== undefined) this.overOrders(refusal)
    return refusal?.fault
  }

  waive(): void {
    this.isDue = false
  }

  pay(): boolean {
    if (!this.isDue) return true
    this.isDue = false
    const refusal = this.batch.chargeOrders(this.operation)
    if (refusal === undefined) return true
    this.limitedBy(this.overOrders(refusal))
    return false
  }

  /** Counts the refusal of orders once in a batch. Returns it, or the ban that it causes. */
  private overOrders(refusal: Refusal): Refusal {
    const { batch } = this
    const limits = batch.partLimits as PartLimits
    if (limits.isOverOrders) return refusal
    limits.isOverOrders = true
    const { rateLimits } = batch.pipeline.parts
    return rateLimits.orderRefused(this.address, this.nowMs, this.account) ?? refusal
  }
}
