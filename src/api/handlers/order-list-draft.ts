/**
 * From the parameters of an order list to the legs of its command, in the order in which the engine
 * accepts them: of a pair the stop-loss leg first (supplement 2a.4). A list passes every check as a
 * whole: shape, then symbol, filters and what the symbol takes, leg by leg.
 */
import { OrderListKind, OrderType, Side } from '../../base/codes.ts'
import type { Ms } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { Context } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { type LegPrefix, Param, paramNames, RareParam, slotOf } from '../parameters.ts'
import type { Params } from '../params.ts'
import { draftOrder, type OrderDraft, orderFault, preventionOf } from './order-draft.ts'
import {
  formFault,
  legForms,
  legIcebergFault,
  type OrderForm,
  oldLimitLeg,
  oldStopLeg,
} from './order-form.ts'

export interface DraftLeg {
  readonly order: OrderDraft
  /** As sent; undefined when it is to be generated. */
  readonly clientOrderId: string | undefined
}

export interface ListDraft {
  readonly spec: SymbolSpec
  readonly kind: OrderListKind
  readonly legs: readonly DraftLeg[]
}

/** A leg before its symbol is looked at. */
interface LegShape {
  readonly form: OrderForm
  readonly type: OrderType
  readonly side: Side
}

/** The legs in their command's order, or what is wrong with their shape. */
export type ListShape = (params: Params) => readonly LegShape[] | Fault

const isStopLoss = (type: OrderType): boolean =>
  type === OrderType.STOP_LOSS || type === OrderType.STOP_LOSS_LIMIT

/** The types of an OCO's legs, and the refusal of each on the wrong side, by Side. */
const wrongSides: Readonly<Partial<Record<OrderType, readonly [buy: ErrorId, sell: ErrorId]>>> = {
  [OrderType.LIMIT_MAKER]: ['OCO_LIMIT_OF_BUY_ABOVE', 'OCO_LIMIT_OF_SELL_BELOW'],
  [OrderType.STOP_LOSS]: ['OCO_STOP_LOSS_OF_BUY_BELOW', 'OCO_STOP_LOSS_OF_SELL_ABOVE'],
  [OrderType.STOP_LOSS_LIMIT]: ['OCO_STOP_LOSS_OF_BUY_BELOW', 'OCO_STOP_LOSS_OF_SELL_ABOVE'],
  [OrderType.TAKE_PROFIT]: ['OCO_TAKE_PROFIT_OF_BUY_ABOVE', 'OCO_TAKE_PROFIT_OF_SELL_BELOW'],
  [OrderType.TAKE_PROFIT_LIMIT]: ['OCO_TAKE_PROFIT_OF_BUY_ABOVE', 'OCO_TAKE_PROFIT_OF_SELL_BELOW'],
}

/** Returns the fault of a pair whose orders cancel each other. */
function pairFault(side: Side, above: OrderType, below: OrderType): Fault | undefined {
  const wrongAbove = wrongSides[above]
  const wrongBelow = wrongSides[below]
  if (wrongAbove === undefined || wrongBelow === undefined)
    return new Fault('OCO_TYPE_NOT_SUPPORTED')
  if (above === OrderType.LIMIT_MAKER && below === OrderType.LIMIT_MAKER) {
    return new Fault('OCO_WITHOUT_TRIGGER')
  }
  // A stop-loss belongs where the price runs to its owner's loss, all others on the other side.
  const stopLossIsAbove = side === Side.BUY
  if (isStopLoss(above) !== stopLossIsAbove) return new Fault(wrongAbove[side])
  return isStopLoss(below) === stopLossIsAbove ? new Fault(wrongBelow[side]) : undefined
}

function legOf(params: Params, prefix: LegPrefix, side: Param): LegShape {
  return {
    form: legForms[prefix],
    type: params.numbers[slotOf(`${prefix}Type`)] as OrderType,
    side: params.numbers[side] as Side,
  }
}

function pairOf(
  params: Params,
  abovePrefix: LegPrefix,
  belowPrefix: LegPrefix,
  side: Param,
): readonly LegShape[] | Fault {
  const above = legOf(params, abovePrefix, side)
  const below = legOf(params, belowPrefix, side)
  const fault = pairFault(above.side, above.type, below.type)
  return fault ?? (isStopLoss(above.type) ? [above, below] : [below, above])
}

export const ocoShape: ListShape = (params) => pairOf(params, 'above', 'below', Param.side)

export const oldOcoShape: ListShape = (params) => {
  const side = params.numbers[Param.side] as Side
  const limitsStop = params.has(RareParam.stopLimitPrice)
  const tif = RareParam.stopLimitTimeInForce
  if (limitsStop && !params.has(tif)) return new Fault('COMBINATION_LACKS', paramNames[tif]!)
  const stopType = limitsStop ? OrderType.STOP_LOSS_LIMIT : OrderType.STOP_LOSS
  return [
    { form: oldStopLeg, type: stopType, side },
    { form: oldLimitLeg, type: OrderType.LIMIT_MAKER, side },
  ]
}

const workingLeg = (params: Params): LegShape => legOf(params, 'working', RareParam.workingSide)

export const otoShape: ListShape = (params) => [
  workingLeg(params),
  legOf(params, 'pending', RareParam.pendingSide),
]

export const otocoShape: ListShape = (params) => {
  const pair = pairOf(params, 'pendingAbove', 'pendingBelow', RareParam.pendingSide)
  return pair instanceof Fault ? pair : [workingLeg(params), ...pair]
}

export function draftList(
  kind: OrderListKind,
  shape: ListShape,
  params: Params,
  context: Context,
  nowMs: Ms,
): ListDraft | Fault {
  const shapes = shape(params)
  if (shapes instanceof Fault) return shapes
  for (const { form, type } of shapes) {
    const fault = formFault(form, type, params) ?? legIcebergFault(form, params)
    if (fault !== undefined) return fault
  }
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) return new Fault('INVALID_SYMBOL')
  const legs = draftLegs(spec, shapes, params, context, nowMs)
  if (legs instanceof Fault) return legs
  const fault = listFault(spec, kind) ?? firstFault(legs, ({ order }) => orderFault(spec, order))
  return fault ?? { spec, kind, legs }
}

function draftLegs(
  spec: SymbolSpec,
  shapes: readonly LegShape[],
  params: Params,
  context: Context,
  nowMs: Ms,
): readonly DraftLeg[] | Fault {
  const prevention = preventionOf(spec, params)
  if (prevention === undefined) return new Fault('PREVENTION_MODE_REFUSED')
  const setting = { spec, params, prevention, context, nowMs, areLegs: true }
  const legs: DraftLeg[] = []
  for (const { form, type, side } of shapes) {
    const order = draftOrder(setting, form, type, side)
    if (order instanceof Fault) return order
    legs.push({ order, clientOrderId: params.text(form.fields.clientOrderId) })
  }
  return legs
}

/** An OTOCO is an OTO whose pending orders are an OCO. */
function listFault({ features }: SymbolSpec, kind: OrderListKind): Fault | undefined {
  if (kind !== OrderListKind.OCO && !features.oto)
    return new Fault('ORDER_LIST_NOT_SUPPORTED', 'OTO')
  if (kind !== OrderListKind.OTO && !features.oco)
    return new Fault('ORDER_LIST_NOT_SUPPORTED', 'OCO')
  return undefined
}

function firstFault<Item>(
  items: readonly Item[],
  faultOf: (item: Item) => Fault | undefined,
): Fault | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}
