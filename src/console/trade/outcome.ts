/** What became of an order that was placed, in a status and a sentence of figures. Pure. */
import { formatAtoms, parseAtoms, trimmed } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { isOpen, type OrderRow } from './account-rows.ts'

interface Fill {
  readonly commission: string
  readonly commissionAsset: string
}

/** The response to an order or a list, or to a query of it. */
export interface OrderAnswer extends Partial<OrderRow> {
  readonly origQuoteOrderQty?: string
  readonly fills?: readonly Fill[]
  readonly listOrderStatus?: string
  /** The orders of a list. */
  readonly orderReports?: readonly OrderAnswer[]
}

export interface Outcome {
  /** The order's status; `done` for a list. */
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

export function outcomeOf(symbol: MarketSymbol, answer: OrderAnswer): Outcome {
  const orders = answer.orderReports ?? [answer]
  const isAsMeant = orders.every(({ status, listOrderStatus = 'EXECUTING' }) =>
    status === undefined
      ? listOrderStatus === 'EXECUTING'
      : status === 'FILLED' || isOpen({ status }),
  )
  const sentences = orders.map((order) => sentence(symbol, order)).filter((text) => text !== '')
  return { status: answer.status ?? 'done', outcome: sentences.join(' '), isAsMeant }
}

function sentence(symbol: MarketSymbol, order: OrderAnswer): string {
  const { status = 'NEW', executedQty = '0', cummulativeQuoteQty = '0' } = order
  const filled = parseAtoms(executedQty) ?? 0n
  const isRestOpen = isOpen({ status })
  if (filled === 0n && isRestOpen) return ''
  const rest = status === 'FILLED' ? '' : restText(symbol, order)
  const end = isRestOpen ? 'is open' : (ENDS[status] ?? 'expired')
  if (filled === 0n) return `Nothing was filled. The order ${end}${rest === '' ? '' : `: ${rest}`}.`
  const average = Number(cummulativeQuoteQty) / Number(executedQty)
  const whole = rest === '' || isByAmount(order) ? '' : ` of ${trimmed(order.origQty ?? '')}`
  const fees = feesOf(order.fills ?? [])
  const told =
    `Filled ${trimmed(executedQty)}${whole} ${symbol.baseAsset} ` +
    `at an average of ${Number(average.toPrecision(10))}${fees === '' ? '' : `, fee ${fees}`}.`
  return rest === '' ? told : `${told} The rest ${end}: ${rest}.`
}

const isByAmount = ({ origQuoteOrderQty = '0' }: OrderAnswer): boolean =>
  Number(origQuoteOrderQty) > 0

/** Returns what was not filled: of the amount for an order by amount, else of the quantity. */
function restText({ baseAsset, quoteAsset }: MarketSymbol, order: OrderAnswer): string {
  const { origQuoteOrderQty = '0', cummulativeQuoteQty = '0' } = order
  const [asked = '0', done = '0', asset] = isByAmount(order)
    ? [origQuoteOrderQty, cummulativeQuoteQty, quoteAsset]
    : [order.origQty, order.executedQty, baseAsset]
  const rest = (parseAtoms(asked) ?? 0n) - (parseAtoms(done) ?? 0n)
  return rest > 0n ? `${formatAtoms(rest)} ${asset}` : ''
}

/** Returns the sum of commissions by asset: `0.0008 BTC`. */
function feesOf(fills: readonly Fill[]): string {
  const sums = new Map<string, bigint>()
  for (const { commission, commissionAsset } of fills) {
    const atoms = (sums.get(commissionAsset) ?? 0n) + (parseAtoms(commission) ?? 0n)
    sums.set(commissionAsset, atoms)
  }
  return [...sums].map(([asset, atoms]) => `${formatAtoms(atoms)} ${asset}`).join(' + ')
}
