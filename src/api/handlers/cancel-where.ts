/**
 * Canceling the open orders of an account that a request selects, on one symbol or on all: a command for each symbol. A
 * symbol without such orders writes nothing. Responds with counts once every symbol has answered.
 */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { RejectReason } from '../../base/codes.ts'
import type { Int64 } from '../../base/int64.ts'
import { Ticks } from '../../base/units.ts'
import {
  CancelOrdersWhere,
  OrderClosed,
  OrderListChanged,
  Rejected,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import { canceledWhere } from '../answers/orders.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'
import { refusalOf } from './engine-refusal.ts'
import { ownerOf } from './owner.ts'

/** Symbols that one request has canceled at once. */
const SYMBOLS_AT_ONCE = 32
const TICKS_MAX = Ticks(Number.MAX_SAFE_INTEGER)

export function cancelWhere(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(Param.symbol)
  const only = name === undefined ? undefined : context.symbolNamed(name)
  if (name !== undefined && only === undefined) responder.error('INVALID_SYMBOL')
  else if (ownerOf(request).frozen) responder.error('CANCEL_FROZEN')
  else {
    const symbols = only === undefined ? [...context.symbols] : [only]
    new MassCancel(symbols, request, context, responder).goOn()
  }
}

/** What was canceled of one symbol. */
interface Canceled {
  readonly spec: SymbolSpec
  /** Orders, those of lists included. */
  canceled: number
  lists: number
}

class MassCancel {
  private readonly symbols: readonly SymbolSpec[]
  private readonly request: Request
  private readonly context: Context
  private readonly responder: Responder
  private readonly clientOrderId: string
  private readonly canceled: Canceled[] = []
  private begun = 0
  private awaited = 0
  private failure: ErrorId | undefined = undefined
  private refusal: { readonly spec: SymbolSpec; readonly reason: number } | undefined = undefined

  constructor(
    symbols: readonly SymbolSpec[],
    request: Request,
    context: Context,
    responder: Responder,
  ) {
    this.symbols = symbols
    this.request = request
    this.context = context
    this.responder = responder
    this.clientOrderId = context.newClientOrderId()
  }

  /** Sends what there is room for, and responds when all is done. */
  goOn(): void {
    while (this.begun < this.symbols.length && this.awaited < SYMBOLS_AT_ONCE && !this.isRefused) {
      if (!this.send(this.symbols[this.begun]!)) {
        // The next answer makes room.
        if (this.awaited > 0) return
        this.failure = this.begun === 0 ? 'SERVER_BUSY' : 'TIMEOUT'
      } else this.begun++
    }
    if (this.awaited === 0) this.respond()
  }

  answered(canceled: Canceled, reason: number): void {
    const { spec } = canceled
    this.awaited--
    if (canceled.canceled > 0) this.canceled.push(canceled)
    if (reason !== 0 && reason !== RejectReason.UNKNOWN_ORDER) this.refusal ??= { spec, reason }
    this.goOn()
  }

  failed(id: ErrorId): void {
    this.awaited--
    this.failure = id
    this.goOn()
  }

  private get isRefused(): boolean {
    return this.failure !== undefined || this.refusal !== undefined
  }

  /** Returns false when there is no room. */
  private send(spec: SymbolSpec): boolean {
    const { request } = this
    const { params } = request
    const slot = this.context.command(spec.id, CancelOrdersWhere.bytes)
    if (slot === undefined) return false
    const { buffer, at } = slot
    const minUnits = params.units(RareParam.minPrice)
    const maxUnits = params.units(RareParam.maxPrice)
    // Orders without a limit price are in no range.
    const least = minUnits === undefined && maxUnits === undefined ? 0 : 1
    const minTicks = minUnits === undefined ? 0 : ticksAtLeast(minUnits, spec)
    const maxTicks = maxUnits === undefined ? TICKS_MAX : ticksAtMost(maxUnits, spec)
    CancelOrdersWhere.setAccount(buffer, at, ownerOf(request).id)
    CancelOrdersWhere.setSide(buffer, at, params.number(Param.side) ?? -1)
    CancelOrdersWhere.setExpiresMs(buffer, at, request.expiresMs)
    CancelOrdersWhere.setMinTicks(buffer, at, Ticks(Math.max(minTicks, least)))
    CancelOrdersWhere.setMaxTicks(buffer, at, maxTicks)
    packClientOrderId(this.clientOrderId, buffer.i32, CancelOrdersWhere.clientOrderIdAt(at))
    const prefix = params.text(RareParam.clientOrderIdPrefix) ?? ''
    packClientOrderId(prefix, buffer.i32, CancelOrdersWhere.prefixAt(at))
    this.awaited++
    const collector = new CancelingOfSymbol(spec, this)
    slot.submit(CancelOrdersWhere.type, CancelOrdersWhere.bytes, collector, request.charge)
    return true
  }

  private respond(): void {
    const { refusal } = this
    // What a symbol refuses or loses may follow cancels of other symbols.
    const isPartly = this.canceled.length > 0
    if (this.failure !== undefined) this.responder.error(isPartly ? 'TIMEOUT' : this.failure)
    else if (refusal !== undefined && !isPartly) {
      const { id, detail } = refusalOf(refusal.spec, refusal.reason)
      this.responder.error(id, detail)
    } else if (refusal !== undefined) this.responder.error('TIMEOUT')
    else {
      const symbols = this.canceled.sort((a, b) => a.spec.id - b.spec.id)
      const sum = (what: 'canceled' | 'lists') =>
        symbols.reduce((total, row) => total + row[what], 0)
      const row = { canceled: sum('canceled'), lists: sum('lists'), symbols }
      this.responder.reply(new Rows(canceledWhere, row, this.request))
    }
  }
}

class CancelingOfSymbol implements Collector {
  private readonly all: MassCancel
  private readonly canceled: Canceled
  private rejectReason = 0

  constructor(spec: SymbolSpec, all: MassCancel) {
    this.canceled = { spec, canceled: 0, lists: 0 }
    this.all = all
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === OrderClosed.type) this.canceled.canceled++
    else if (type === OrderListChanged.type) this.canceled.lists++
    else if (type === Rejected.type) this.rejectReason = Rejected.reason(buffer, at)
  }

  done(): void {
    this.all.answered(this.canceled, this.rejectReason)
  }

  failed(id: ErrorId): void {
    this.all.failed(id)
  }
}

/** The highest price in ticks that is not above one in 10^-8. A record holds no more than TICKS_MAX. */
function ticksAtMost(units: Int64, { tickUnits }: SymbolSpec): Ticks {
  const ticks = Number(BigInt(units) / BigInt(tickUnits))
  return ticks < TICKS_MAX ? Ticks(ticks) : TICKS_MAX
}

/** The lowest one that is not below. */
function ticksAtLeast(units: Int64, spec: SymbolSpec): Ticks {
  const ticks = ticksAtMost(units, spec)
  const isExact = BigInt(units) === BigInt(ticks) * BigInt(spec.tickUnits)
  return isExact || ticks === TICKS_MAX ? ticks : Ticks(ticks + 1)
}
