/** Market data as REST and the WebSocket API show it (spec, Resources): pure functions of the folds. */
import { Side } from '../../base/codes.ts'
import type { DepthFold } from '../../core/folds/depth.ts'
import type { Tape } from '../../core/folds/tape.ts'
import type { PublicTradeRow } from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { shapes } from '../shapes/shapes.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { rendererOf } from './shape-text.ts'

/** `["price","quantity"],…`, best first. */
function levelsText(fold: DepthFold, side: Side, limit: number): string {
  let text = ''
  fold.levels(side, limit, (priceTicks, lots) => {
    const separator = text === '' ? '' : ','
    text += `${separator}["${priceText(fold.spec, priceTicks)}","${quantityText(fold.spec, lots)}"]`
  })
  return text
}

/** The last depth rendered of each fold: it is asked for more often than it changes. */
const lastDepths = new WeakMap<DepthFold, { updateId: number; limit: number; text: string }>()

export function depthText(fold: DepthFold, limit: number): string {
  const { updateId } = fold
  const last = lastDepths.get(fold)
  if (last?.updateId === updateId && last.limit === limit) return last.text
  const text = renderDepth(fold, limit)
  lastDepths.set(fold, { updateId, limit, text })
  return text
}

/** Without the memory of `depthText`. */
export function renderDepth(fold: DepthFold, limit: number): string {
  return (
    `{"lastUpdateId":${fold.updateId},"bids":[${levelsText(fold, Side.BUY, limit)}],` +
    `"asks":[${levelsText(fold, Side.SELL, limit)}]}`
  )
}

interface TradeTexts {
  readonly id: number
  readonly price: string
  readonly qty: string
  readonly quoteQty: string
  readonly time: number
  readonly isBuyerMaker: boolean
}
const tradeJson = rendererOf<TradeTexts>(shapes.PublicTrade)

export const publicTradeText = (
  spec: SymbolSpec,
  trade: PublicTradeRow,
  microseconds: boolean,
): string =>
  tradeJson({
    id: trade.tradeId,
    price: priceText(spec, trade.priceTicks),
    qty: quantityText(spec, trade.lots),
    quoteQty: unitsText(trade.quoteAtoms),
    time: timeOf(trade.timeMs, microseconds),
    isBuyerMaker: trade.isBuyerMaker,
  })

export function tradesText(tape: Tape, limit: number, microseconds: boolean): string {
  const rows = tape.recent(limit).map((trade) => publicTradeText(tape.spec, trade, microseconds))
  return `[${rows.join()}]`
}

/** The four members of a best bid and ask, under the names given. */
export function bestMembers(
  spec: SymbolSpec,
  fold: DepthFold,
  [bidPrice, bidQty, askPrice, askQty]: readonly [string, string, string, string],
): string {
  return (
    `"${bidPrice}":"${priceText(spec, fold.bestBidTicks)}",` +
    `"${bidQty}":"${quantityText(spec, fold.bestBidLots)}",` +
    `"${askPrice}":"${priceText(spec, fold.bestAskTicks)}",` +
    `"${askQty}":"${quantityText(spec, fold.bestAskLots)}"`
  )
}

/** Over how many minutes `avgPrice` averages (supplement 2b, Average price). */
export const AVERAGE_PRICE_MINUTES = 5
