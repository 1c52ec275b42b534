/** What became of an order that was placed, changed or canceled: a status and figures. Pure. */
import type { Wire } from '../../api/answers/element.ts'
import type { errorAnswer } from '../../api/answers/errors.ts'
import type { orderList } from '../../api/answers/order-lists.ts'
import type { amendedOrder, orderFull, orderResult } from '../../api/answers/orders.ts'
import type { failedReplacement } from '../../api/answers/replacement.ts'
import { ATOMS, parseAtoms, shown, shownAtoms } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { isUnknownCode } from '../net/api-error.ts'
import { isOpen, type OrderRow } from './account-rows.ts'
import { kindText } from './order-kinds.ts'

export type Assets = Pick<MarketSymbol, 'baseAsset' | 'quoteAsset'>

type Fill = Pick<Wire<typeof orderFull>['fills'][number], 'commission' | 'commissionAsset'>

/** The response to an order or a list, or to a query of it. */
export interface OrderAnswer extends Partial<OrderRow> {
  readonly origQuoteOrderQty?: Wire<typeof orderResult>['origQuoteOrderQty']
  readonly fills?: readonly Fill[]
  readonly listOrderStatus?: Wire<typeof orderList>['listOrderStatus']
  /** The orders of a list. */
  readonly orderReports?: readonly OrderAnswer[]
}

type Refusal = Wire<typeof errorAnswer>
type Replacement = Wire<typeof failedReplacement>

/** The response to a cancel-replace, and the data of a refused one. A half that was not tried is null. */
export interface ReplaceAnswer {
  readonly cancelResult: Replacement['cancelResult']
  readonly newOrderResult: Replacement['newOrderResult']
  readonly cancelResponse: OrderAnswer | Refusal | null
  readonly newOrderResponse: OrderAnswer | Refusal | null
}

export interface AmendAnswer {
  readonly amendedOrder: Pick<
    Wire<typeof amendedOrder>['amendedOrder'],
    'status' | 'qty' | 'executedQty'
  >
}

export interface Outcome {
  /** The status of the order or the list. */
  readonly status: string
  /** Filled quantity, average price, fee, and what became of the rest; '' without any. */
  readonly outcome: string
  /** False for an order that is closed and was not filled in full. */
  readonly isAsMeant: boolean
}

const ENDS: Readonly<Record<string, string>> = {
  CANCELED: 'was canceled',
  REJECTED: 'was rejected',
  EXPIRED_IN_MATCH: 'expired against an own order',
}

/** Returns the outcome of an order or a list. */
export function outcomeOf(assets: Assets, answer: OrderAnswer): Outcome {
  const orders = answer.orderReports ?? [answer]
  const isList = answer.orderReports !== undefined
  const isAsMeant = orders.every(({ status = 'NEW' }) => status === 'FILLED' || isOpen({ status }))
  const sentences = orders.map((order) =>
    isList ? legSentence(assets, order) : sentence(assets, order),
  )
  return {
    status: answer.status ?? answer.listOrderStatus ?? 'done',
    outcome: sentences.filter((text) => text !== '').join(' '),
    isAsMeant: isAsMeant && answer.listOrderStatus !== 'REJECT',
  }
}

/** Returns the outcome of a cancel: what the order had filled does not make it a failure. */
export const cancelOutcome = (assets: Assets, answer: OrderAnswer): Outcome => ({
  ...outcomeOf(assets, answer),
  isAsMeant: true,
})

/** Returns the outcome of a cancel of all orders of a market. */
export function cancelAllOutcome(answers: readonly OrderAnswer[]): Outcome {
  const count = answers.reduce((sum, { orderReports }) => sum + (orderReports?.length ?? 1), 0)
  const status = `${count} order${count === 1 ? '' : 's'} canceled`
  return { status, outcome: '', isAsMeant: true }
}

export function amendOutcome({ baseAsset }: Assets, { amendedOrder }: AmendAnswer): Outcome {
  const { status, qty, executedQty } = amendedOrder
  const outcome = `The quantity is now ${shown(qty)} ${baseAsset}, ${shown(executedQty)} of it filled.`
  return { status, outcome, isAsMeant: true }
}

/** Returns the outcome of both halves of a cancel-replace, carried out or refused. */
export function replaceOutcome(assets: Assets, answer: ReplaceAnswer): Outcome {
  const { cancelResult, newOrderResult, cancelResponse, newOrderResponse } = answer
  const half = (name: string, result: string, response: OrderAnswer | Refusal | null) => {
    if (response === null || result === 'NOT_ATTEMPTED') return `${name} was not tried.`
    if ('msg' in response) {
      const end = isUnknownCode(response.code) ? 'has an unknown outcome' : 'was refused'
      return `${name} ${end}: ${response.msg} (${response.code})`
    }
    return legSentence(assets, response)
  }
  const placed = newOrderResponse !== null && 'status' in newOrderResponse ? newOrderResponse : {}
  return {
    ...outcomeOf(assets, placed),
    outcome: [
      half('The cancel', cancelResult, cancelResponse),
      half('The new order', newOrderResult, newOrderResponse),
    ].join(' '),
  }
}

/** Returns one of several orders, by its kind and id, and what became of it. */
function legSentence(assets: Assets, order: OrderAnswer): string {
  const { type = '', orderId, side, status = 'NEW', origQty = '0', price = '0' } = order
  const what = `${kindText(type)} ${orderId}`
  if (!isOpen({ status }) || Number(order.executedQty ?? 0) > 0) {
    return `${what}: ${sentence(assets, order)}`
  }
  const { stopPrice = '0', trailingDelta } = order
  const at = [
    Number(price) > 0 ? ` at ${shown(price)}` : '',
    Number(stopPrice) > 0 ? `, trigger ${shown(stopPrice)}` : '',
    trailingDelta === undefined ? '' : `, trailing ${trailingDelta} bps`,
  ].join('')
  const quantity = `${shown(origQty)} ${assets.baseAsset}`
  const state = status === 'PENDING_NEW' ? 'pending' : 'open'
  return `${what}: ${side === 'BUY' ? 'buy' : 'sell'} ${quantity}${at}, ${state}.`
}

function sentence(assets: Assets, order: OrderAnswer): string {
  const { status = 'NEW', executedQty = '0' } = order
  const filled = parseAtoms(executedQty) ?? 0n
  const isRestOpen = isOpen({ status })
  if (filled === 0n && isRestOpen) return ''
  const rest = status === 'FILLED' ? '' : restText(assets, order)
  const end = isRestOpen ? 'is open' : (ENDS[status] ?? 'expired')
  if (filled === 0n) return `Nothing was filled. The order ${end}${rest === '' ? '' : `: ${rest}`}.`
  const whole = rest === '' || isByAmount(order) ? '' : ` of ${shown(order.origQty ?? '')}`
  const fees = feesOf(order.fills ?? [])
  const text =
    `Filled ${shown(executedQty)}${whole} ${assets.baseAsset} ` +
    `at an average of ${averageText(order)}${fees === '' ? '' : `, fee ${fees}`}.`
  return rest === '' ? text : `${text} The rest ${end}: ${rest}.`
}

/** Returns the average price of what was filled, for people. */
export function averageText({
  cummulativeQuoteQty = '0',
  executedQty = '0',
}: Partial<OrderRow>): string {
  const executed = parseAtoms(executedQty) ?? 0n
  const paid = (parseAtoms(cummulativeQuoteQty) ?? 0n) * 10n ** BigInt(ATOMS)
  return executed === 0n ? '–' : shownAtoms((paid + executed / 2n) / executed)
}

const isByAmount = ({ origQuoteOrderQty = '0' }: OrderAnswer): boolean =>
  Number(origQuoteOrderQty) > 0

/** Returns what was not filled: of the amount for an order by amount, else of the quantity. */
function restText({ baseAsset, quoteAsset }: Assets, order: OrderAnswer): string {
  const { origQuoteOrderQty = '0', cummulativeQuoteQty = '0' } = order
  const [asked = '0', done = '0', asset] = isByAmount(order)
    ? [origQuoteOrderQty, cummulativeQuoteQty, quoteAsset]
    : [order.origQty, order.executedQty, baseAsset]
  const rest = (parseAtoms(asked) ?? 0n) - (parseAtoms(done) ?? 0n)
  return rest > 0n ? `${shownAtoms(rest)} ${asset}` : ''
}

/** Returns the sum of commissions by asset: `0.0008 BTC`. */
export function feesOf(fills: readonly Fill[]): string {
  const sums = new Map<string, bigint>()
  for (const { commission, commissionAsset } of fills) {
    const atoms = (sums.get(commissionAsset) ?? 0n) + (parseAtoms(commission) ?? 0n)
    sums.set(commissionAsset, atoms)
  }
  return [...sums].map(([asset, atoms]) => `${shownAtoms(atoms)} ${asset}`).join(' + ')
}
