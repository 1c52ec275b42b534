/**
 * From the parameters of a new order to the integers of its command: which parameters its type takes
 * (supplement 2a.2), the symbol, the prevention mode, the stateless filters. Past this file no text
 * means a number. Used by placing and by testing an order alike.
 */
import {
  type OrderTerms,
  OrderType,
  packTerms,
  type SelfTradePrevention,
  type Side,
  TimeInForce,
} from '#base/codes.ts'
import { powerOfTen } from '#base/fixed.ts'
import { ORDER_ATOMS_MAX, WIRE_DECIMALS } from '#base/limits.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { Context } from '../context.ts'
import { Fault } from '../errors.ts'
import { NewOrderRespType, Param, paramNames } from '../parameters.ts'
import type { Params } from '../params.ts'
import { lotsOf, marketNotionalFault, notionalFault, quoteAmountFault, ticksOf } from './filters.ts'

export interface OrderDraft {
  readonly spec: SymbolSpec
  readonly terms: OrderTerms
  /** 0 for MARKET. */
  readonly priceTicks: number
  /** 0 for MARKET by quote amount. */
  readonly lots: number
  /** 0 for all others. */
  readonly quoteAtoms: number
  /** NewOrderRespType. */
  readonly form: number
}

interface TypeRule {
  readonly required: readonly Param[]
  /** Parameters that other types take and this one refuses. */
  readonly refused: readonly Param[]
  readonly defaultForm: number
}

const { timeInForce, quantity, price, quoteOrderQty, icebergQty, stopPrice, trailingDelta } = Param
const { ACK, FULL } = NewOrderRespType

/** The types that symbols take; exchangeInfo's orderTypes lists the same. */
export const supportedTypes: ReadonlyMap<OrderType, TypeRule> = new Map<OrderType, TypeRule>([
  [
    OrderType.LIMIT,
    {
      required: [timeInForce, quantity, price],
      refused: [quoteOrderQty, stopPrice, trailingDelta],
      defaultForm: FULL,
    },
  ],
  [
    OrderType.LIMIT_MAKER,
    {
      required: [quantity, price],
      refused: [timeInForce, quoteOrderQty, stopPrice, trailingDelta],
      defaultForm: ACK,
    },
  ],
  [
    OrderType.MARKET,
    {
      required: [],
      refused: [timeInForce, price, icebergQty, stopPrice, trailingDelta],
      defaultForm: FULL,
    },
  ],
])

/** How the refusal of a type names it (supplement 2a.7). */
const typeLabels: Readonly<Partial<Record<OrderType, string>>> = {
  [OrderType.STOP_LOSS]: 'Stop loss',
  [OrderType.STOP_LOSS_LIMIT]: 'Stop loss limit',
  [OrderType.TAKE_PROFIT]: 'Take profit',
  [OrderType.TAKE_PROFIT_LIMIT]: 'Take profit limit',
}

export function draftOrder(params: Params, context: Context, nowMs: number): OrderDraft | Fault {
  const type = params.numbers[Param.type] as OrderType
  const rule = supportedTypes.get(type)
  const ruleFault = rule === undefined ? undefined : ruleFaultOf(type, rule, params)
  if (ruleFault !== undefined) return ruleFault
  const spec = context.symbolNamed(params.text(Param.symbol) as string)
  if (spec === undefined) return new Fault('INVALID_SYMBOL')
  if (rule === undefined) return new Fault('ORDER_TYPE_NOT_SUPPORTED', typeLabels[type] as string)
  if (params.has(icebergQty)) return new Fault('ORDER_TYPE_NOT_SUPPORTED', 'Iceberg')
  const prevention = preventionOf(spec, params)
  if (prevention === undefined) return new Fault('PREVENTION_MODE_REFUSED')
  const side = params.numbers[Param.side] as Side
  const tif = params.has(timeInForce) ? params.numbers[timeInForce]! : TimeInForce.GTC
  const terms = packTerms(side, type, tif as TimeInForce, prevention)
  const form = params.number(Param.newOrderRespType) ?? rule.defaultForm
  return type === OrderType.MARKET
    ? draftMarket(spec, terms, form, params, context, nowMs)
    : draftLimit(spec, terms, form, params)
}

function ruleFaultOf(type: OrderType, rule: TypeRule, params: Params): Fault | undefined {
  for (const slot of rule.required) {
    if (!params.has(slot)) return new Fault('MANDATORY_PARAMETER', paramNames[slot]!)
  }
  for (const slot of rule.refused) {
    if (!params.has(slot)) continue
    return slot === timeInForce
      ? new Fault('TIME_IN_FORCE_NOT_REQUIRED')
      : new Fault('PARAMETER_NOT_REQUIRED', paramNames[slot]!)
  }
  if (type !== OrderType.MARKET) return undefined
  if (params.has(quantity) !== params.has(quoteOrderQty)) return undefined
  return params.has(quantity)
    ? new Fault('BAD_COMBINATION')
    : new Fault('ONE_OF_TWO_PARAMETERS', paramNames[quantity]!, paramNames[quoteOrderQty]!)
}

/** The mode sent, or the symbol's default; undefined for one that the symbol does not allow. */
function preventionOf(spec: SymbolSpec, params: Params): SelfTradePrevention | undefined {
  if (!params.has(Param.selfTradePreventionMode)) return spec.preventionDefault
  const mode = params.numbers[Param.selfTradePreventionMode] as SelfTradePrevention
  return spec.preventionModes.includes(mode) ? mode : undefined
}

function draftLimit(
  spec: SymbolSpec,
  terms: OrderTerms,
  form: number,
  params: Params,
): OrderDraft | Fault {
  if (params.numbers[quantity] === 0) return new Fault('INVALID_QUANTITY')
  if (params.numbers[price] === 0) return new Fault('INVALID_PRICE')
  const priceTicks = ticksOf(spec, params.numbers[price]!)
  if (priceTicks instanceof Fault) return priceTicks
  const lots = lotsOf(spec, params.numbers[quantity]!, false)
  if (lots instanceof Fault) return lots
  const fault = notionalFault(spec, priceTicks * lots * spec.atomsPerTickLot)
  return fault ?? { spec, terms, priceTicks, lots, quoteAtoms: 0, form }
}

function draftMarket(
  spec: SymbolSpec,
  terms: OrderTerms,
  form: number,
  params: Params,
  context: Context,
  nowMs: number,
): OrderDraft | Fault {
  const byQuantity = params.has(quantity)
  const units = params.numbers[byQuantity ? quantity : quoteOrderQty]!
  if (units === 0) return new Fault('INVALID_QUANTITY')
  if (byQuantity) {
    const lots = lotsOf(spec, units, true)
    if (lots instanceof Fault) return lots
    const fault = marketNotionalFault(spec, lots, context.tape(spec.id), nowMs)
    return fault ?? { spec, terms, priceTicks: 0, lots, quoteAtoms: 0, form }
  }
  const quoteAtoms = units * powerOfTen(spec.quote.decimals - WIRE_DECIMALS)
  if (quoteAtoms > ORDER_ATOMS_MAX) {
    return new Fault('PARAMETER_OVERFLOW', paramNames[quoteOrderQty]!)
  }
  return (
    quoteAmountFault(spec, quoteAtoms) ?? { spec, terms, priceTicks: 0, lots: 0, quoteAtoms, form }
  )
}
