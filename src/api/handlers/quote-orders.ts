/**
 * Mass quotes: bids and asks of one symbol, which stand instead of those that the quote had before. Each level is drafted as
 * an order of its own; levels that parameters or stateless filters refuse do not reach the engine, or refuse the quote.
 */
import { packClientOrderId } from '../../base/client-order-id.ts'
import { QuoteOutcomeKind, Side, withSession } from '../../base/codes.ts'
import { QUOTE_LEVELS_MAX } from '../../base/limits.ts'
import { Lots, OrderId } from '../../base/units.ts'
import {
  QuoteLevel,
  QuoteOrders,
  QuoteOutcome,
  QuoteResult,
  Rejected,
  Trade,
  TradeSide,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { type AnyRows, Rows } from '../answers/answer.ts'
import { errorRows } from '../answers/errors.ts'
import { quoted } from '../answers/orders.ts'
import { type CheckedRow, checkParams, checkSyntax, noShared } from '../check.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { Param, type ParamName, QuoteRefusal, RareParam, slotOf } from '../parameters.ts'
import { RawParams } from '../params.ts'
import { refusalOf } from './engine-refusal.ts'
import { draftOrder, type OrderDraft } from './order-draft.ts'
import { ownerOf, placementFault } from './owner.ts'
import { refuse } from './place-order.ts'
import { readList } from './read-list.ts'

/** A generated id fits behind it. */
const QUOTE_ID_CHARS_MAX = 12
const USUAL_QUOTE_ID = 'quote'
const names: readonly ParamName[] = [
  ...(['symbol', 'side', 'type', 'timeInForce', 'price'] as const),
  ...(['quantity', 'selfTradePreventionMode'] as const),
]
/** What one level is checked by. */
const orderRow: CheckedRow = {
  signed: false,
  params: names.map((name) => ({ slot: slotOf(name), mandatory: false })),
}

/** One level as it was asked for, and what became of it. */
interface Level {
  readonly clientOrderId: string
  readonly draft: OrderDraft | undefined
  outcome: number
  orderId: OrderId
  filledLots: Lots
  error: AnyRows | undefined
}

interface Drafts {
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

export function quoteOrders(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  const quoteId = params.text(RareParam.quoteId) ?? USUAL_QUOTE_ID
  const fault =
    spec === undefined ? new Fault('INVALID_SYMBOL') : placementFault(ownerOf(request), spec)
  if (spec === undefined || fault !== undefined) {
    refuse(responder, fault as Fault)
    return
  }
  const drafts =
    quoteId.length > QUOTE_ID_CHARS_MAX
      ? new Fault('INVALID_PARAMETER', 'quoteId')
      : draftsOf(`${quoteId}-`, request, context)
  if (drafts instanceof Fault) refuse(responder, drafts)
  else sendQuote(spec, drafts, `${quoteId}-`, request, context, responder)
}

/** The drafts of both sides, or why the quote is refused whole. */
function draftsOf(prefix: string, request: Request, context: Context): Drafts | Fault {
  const bids = sideOf(Side.BUY, RareParam.bids, prefix, request, context)
  if (bids instanceof Fault) return bids
  const asks = sideOf(Side.SELL, RareParam.asks, prefix, request, context)
  if (asks instanceof Fault) return asks
  const ticksOf = (levels: readonly Level[]) =>
    levels.flatMap(({ draft }) => draft?.priceTicks ?? [])
  const isCrossed = Math.max(...ticksOf(bids)) >= Math.min(...ticksOf(asks))
  return isCrossed ? new Fault('QUOTE_CROSSED') : { bids, asks }
}

function sideOf(
  side: Side,
  slot: Param,
  prefix: string,
  request: Request,
  context: Context,
): readonly Level[] | Fault {
  const list = readList(request.params.text(slot) ?? '[]')
  const invalid = new Fault('INVALID_PARAMETER', side === Side.BUY ? 'bids' : 'asks')
  if (list === undefined || list.length > QUOTE_LEVELS_MAX) return invalid
  const isWhole = request.params.number(RareParam.refusal) === QuoteRefusal.WHOLE
  const levels: Level[] = []
  for (const pair of list) {
    if (!Array.isArray(pair) || pair.length !== 2) return invalid
    const [price, quantity] = (pair as readonly unknown[]).map(String) as [string, string]
    const clientOrderId = prefix + context.newClientOrderId()
    const draft = draftLevel(side, price, quantity, request, context)
    if (draft instanceof Fault && isWhole) return draft
    const isRefused = draft instanceof Fault
    const isTwice = levels.some((it) => !isRefused && it.draft?.priceTicks === draft.priceTicks)
    if (isTwice) return invalid
    levels.push({
      clientOrderId,
      draft: isRefused ? undefined : draft,
      outcome: QuoteOutcomeKind.REFUSED,
      orderId: OrderId(0),
      filledLots: Lots(0),
      error: isRefused ? errorRows(draft.id, draft.detail) : undefined,
    })
  }
  return levels
}

/** The level as an order alone would be drafted. */
function draftLevel(
  side: Side,
  price: string,
  quantity: string,
  request: Request,
  context: Context,
): OrderDraft | Fault {
  const { params } = request
  const isMaker = params.flag(RareParam.postOnly, false)
  const raw = new RawParams()
  raw.add('symbol', params.text(Param.symbol) as string)
  raw.add('side', side === Side.BUY ? 'BUY' : 'SELL')
  raw.add('type', isMaker ? 'LIMIT_MAKER' : 'LIMIT')
  if (!isMaker) raw.add('timeInForce', 'GTC')
  raw.add('price', price)
  raw.add('quantity', quantity)
  const mode = params.text(Param.selfTradePreventionMode)
  if (mode !== undefined) raw.add('selfTradePreventionMode', mode)
  const read = checkSyntax(raw)
  if (read instanceof Fault) return read
  const fault = checkParams(orderRow, read, noShared)
  return fault ?? draftOrder({ ...request, params: read }, context)
}

function sendQuote(
  spec: SymbolSpec,
  { bids, asks }: Drafts,
  prefix: string,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const sent = (levels: readonly Level[]) => levels.filter(({ draft }) => draft !== undefined)
  const levels = [...sent(bids), ...sent(asks)]
  const bytes = QuoteOrders.bytes + levels.length * QuoteLevel.bytes
  const slot = context.command(spec.id, bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer, at } = slot
  const isWhole = request.params.number(RareParam.refusal) === QuoteRefusal.WHOLE
  // Every level has the terms of the first, except for its side.
  const terms = (levels[0]?.draft?.terms ?? 0) & ~Side.SELL
  QuoteOrders.setAccount(buffer, at, ownerOf(request).id)
  QuoteOrders.setBids(buffer, at, sent(bids).length)
  QuoteOrders.setAsks(buffer, at, sent(asks).length)
  QuoteOrders.setTerms(buffer, at, withSession(terms, request.session))
  QuoteOrders.setIsWhole(buffer, at, isWhole ? 1 : 0)
  QuoteOrders.setSpare(buffer, at, 0)
  QuoteOrders.setExpiresMs(buffer, at, request.expiresMs)
  packClientOrderId(context.newClientOrderId(), buffer.i32, QuoteOrders.clientOrderIdAt(at))
  packClientOrderId(prefix, buffer.i32, QuoteOrders.prefixAt(at))
  for (const [i, { draft, clientOrderId }] of levels.entries()) {
    const levelAt = at + QuoteOrders.bytes + i * QuoteLevel.bytes
    QuoteLevel.setPriceTicks(buffer, levelAt, draft!.priceTicks)
    QuoteLevel.setLots(buffer, levelAt, draft!.lots)
    packClientOrderId(clientOrderId, buffer.i32, QuoteLevel.clientOrderIdAt(levelAt))
  }
  const collector = new Quoting(spec, bids, asks, levels, request, responder)
  slot.submit(QuoteOrders.type, bytes, collector, request.charge)
}

class Quoting implements Collector {
  private readonly spec: SymbolSpec
  private readonly bids: readonly Level[]
  private readonly asks: readonly Level[]
  private readonly levels: readonly Level[]
  private readonly request: Request
  private readonly responder: Responder
  private readonly filled = new Map<number, number>()
  private canceled = 0
  private rejectReason = 0

  constructor(
    spec: SymbolSpec,
    bids: readonly Level[],
    asks: readonly Level[],
    levels: readonly Level[],
    request: Request,
    responder: Responder,
  ) {
    this.spec = spec
    this.bids = bids
    this.asks = asks
    this.levels = levels
    this.request = request
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case Rejected.type:
        this.rejectReason = Rejected.reason(buffer, at)
        break
      case Trade.type: {
        const taker = Trade.takerAt(at)
        this.filled.set(TradeSide.orderId(buffer, taker), TradeSide.filledLots(buffer, taker))
        break
      }
      case QuoteResult.type:
        this.canceled = QuoteResult.canceled(buffer, at)
        for (const [i, level] of this.levels.entries()) {
          this.ended(level, buffer, at + QuoteResult.bytes + i * QuoteOutcome.bytes)
        }
        break
    }
  }

  done(): void {
    const { spec, canceled } = this
    const row = { spec, canceled, bids: this.bids, asks: this.asks }
    if (this.rejectReason !== 0) refuse(this.responder, refusalOf(spec, this.rejectReason))
    else this.responder.reply(new Rows(quoted, row, this.request))
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }

  private ended(level: Level, buffer: RecordBuffer, at: number): void {
    level.outcome = QuoteOutcome.outcome(buffer, at)
    level.orderId = QuoteOutcome.orderId(buffer, at)
    level.filledLots = Lots(this.filled.get(level.orderId) ?? 0)
    if (level.outcome !== QuoteOutcomeKind.REFUSED) return
    const { id, detail } = refusalOf(this.spec, QuoteOutcome.reason(buffer, at))
    level.error = errorRows(id, detail)
  }
}
