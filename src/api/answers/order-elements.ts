/** Elements that several answers have: terms of orders, what only detailed orders have, order lists. */
import {
  ListOrderStatus,
  ListStatusType,
  namesOf,
  type OrderTerms,
  PegPriceType,
  PREVENTION_SHIFT,
  sideOf,
  timeInForceOf,
  typeOf,
  WorkingFloor,
} from '../../base/codes.ts'
import { Lots, Ticks } from '../../base/units.ts'
import type { OrderRowDetails } from '../../history/account-history.ts'
import { noExtras } from '../../layout/order.gen.ts'
import { preventionNames, sideNames, timeInForceNames, typeNames } from '../names.ts'
import { labelNames, type OrderLabel } from '../order-labels.ts'
import { Answer } from './answer.ts'
import {
  above,
  beside,
  constant,
  type Element,
  formSymbol,
  id,
  integer,
  maskedName,
  moment,
  name,
  optional,
  price,
  quantity,
  rows,
  within,
} from './element.ts'
import { oneOfNames } from './schema.ts'

/** Side, type and time in force take the low six bits of the terms. */
const COMBINATIONS = 64
const byTerms = <Name extends string>(nameOf: (terms: OrderTerms) => Name) =>
  Array.from({ length: COMBINATIONS }, (_, terms) => nameOf(terms))

export const timeInForce = maskedName(
  'terms',
  byTerms((terms) => timeInForceNames[timeInForceOf(terms)]!),
  oneOfNames(timeInForceNames),
)
export const orderType = maskedName(
  'terms',
  byTerms((terms) => typeNames[typeOf(terms)]!),
  oneOfNames(typeNames),
)
export const side = maskedName(
  'terms',
  byTerms((terms) => sideNames[sideOf(terms)]!),
  oneOfNames(sideNames),
)
export const terms = { timeInForce, type: orderType, side } as const

/** The mode's bits have room for eight. */
export const prevention = maskedName(
  'terms',
  Array.from({ length: 8 }, (_, mode) => preventionNames[mode] ?? 'NONE'),
  oneOfNames(preventionNames),
  PREVENTION_SHIFT,
)

/** Of routed orders alone (faqs/sor_faq.md). */
export const workingFloor = optional(name('floor', namesOf(WorkingFloor)))
export const usedSor = beside('floor', constant(true))

/** -1 when the order is in no list. */
export const orderListId = within('details', integer('orderListId'), -1)

/** An element for each label, by the name that `nameOf` gives it. */
export function labelElements<Name extends string>(
  nameOf: (label: OrderLabel) => Name,
): Readonly<Record<Name, Element<LabeledRow, number | undefined>>> {
  const elements = labelNames.map((label) => [
    nameOf(label),
    within('details', above(label, Number(noExtras[label]), integer(label))),
  ])
  return Object.fromEntries(elements)
}
interface LabeledRow {
  readonly details?: Pick<OrderRowDetails, OrderLabel> | undefined
}

const trailing = {
  trailingDelta: within('details', above('trailingDelta', 0, integer('trailingDelta'))),
  trailingTime: within('details', above('trailingDelta', 0, moment('trailingMs'))),
} as const
/** Of pegged orders (faqs/pegged_orders.md): what they ask for, and the price once it is fixed. */
const peg = {
  priceType: within(
    'details',
    above('pegPriceType', 0, name('pegPriceType', ['', ...Object.keys(PegPriceType)] as const)),
  ),
  offsetType: within('details', above('pegLevels', 0, constant('PRICE_LEVEL'))),
  offsetValue: within('details', above('pegLevels', 0, integer('pegLevels'))),
  price: optional(price('peggedTicks')),
} as const
const labels = {
  ...trailing,
  ...labelElements((label) => label),
  pegPriceType: peg.priceType,
  pegOffsetType: peg.offsetType,
  pegOffsetValue: peg.offsetValue,
  peggedPrice: peg.price,
} as const
/** As executionReport names them. */
export const pegElements = {
  gP: peg.priceType,
  gOT: peg.offsetType,
  gOV: peg.offsetValue,
  gp: peg.price,
} as const

/** Details in placements, cancels and amendments. A trailing order may have no stop price. */
export const details = {
  stopPrice: within('details', above('stopTicks', 0, price('stopTicks'))),
  icebergQty: within('details', above('icebergLots', 0, quantity('icebergLots'))),
  ...labels,
} as const

export const stopPrice = within('details', price('stopTicks'), Ticks(0))
export const icebergQuantity = within('details', quantity('icebergLots'), Lots(0))

/** Details in queries: stop price and iceberg quantity always stand. */
export const queriedDetails = {
  stopPrice,
  icebergQty: icebergQuantity,
  ...labels,
} as const

/** By OrderListKind. The wire knows OCO and OTO alone. */
const contingencyNames = ['OCO', 'OTO', 'OTO', 'OTO', 'OTO'] as const

export const listId = integer('orderListId')
export const contingencyType = name('kind', contingencyNames)
export const listStatusType = name('statusType', namesOf(ListStatusType))
export const listOrderStatus = name('orderStatus', namesOf(ListOrderStatus))
export const listClientOrderId = id('listClientOrderId')
export const listedOrders = rows(
  'orders',
  new Answer({
    symbol: formSymbol,
    orderId: integer('orderId'),
    clientOrderId: id('clientOrderId'),
  }),
)
