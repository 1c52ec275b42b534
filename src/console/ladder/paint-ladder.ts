/** Paints a ladder. */
import { formatUnits } from '../book/decimals.ts'
import type { PriceGroup } from '../book/price-groups.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { FIGURES, LABELS, type Surface } from '../view/canvas.ts'
import { colors } from '../view/theme.ts'
import type { LadderRows } from './ladder-rows.ts'

export const ROW_HEIGHT = 20
export const SPREAD_HEIGHT = 34
const EDGE = 12
const MARK_WIDTH = 3
/** Where the columns end, as shares of the width. */
const SIZE_END = 0.66

export interface LadderView {
  readonly surface: Surface
  readonly rows: LadderRows
  readonly symbol: MarketSymbol
  readonly step: number
  /** 1 is the best ask, -1 the best bid, 0 none. */
  readonly cursor: number
  readonly own: ReadonlyMap<string, number>
  readonly isLive: boolean
  readonly last: { readonly price: string; readonly isDown: boolean } | undefined
  readonly hoveredY: number | undefined
}

export function paintLadder(view: LadderView): void {
  const { context, height } = view.surface
  const middle = height / 2
  context.globalAlpha = view.isLive ? 1 : 0.35
  context.textBaseline = 'middle'
  context.font = FIGURES
  for (const [index, group] of view.rows.asks.entries()) {
    paintRow(view, group, false, index, middle - SPREAD_HEIGHT / 2 - (index + 1) * ROW_HEIGHT)
  }
  for (const [index, group] of view.rows.bids.entries()) {
    paintRow(view, group, true, index, middle + SPREAD_HEIGHT / 2 + index * ROW_HEIGHT)
  }
  paintSpread(view, middle)
  context.globalAlpha = 1
  if (!view.isLive) paintWaiting(view, middle)
}

function paintRow(view: LadderView, group: PriceGroup, isBid: boolean, index: number, y: number) {
  const { context, width } = view.surface
  const { symbol, rows, hoveredY } = view
  const color = colors()
  const bar = (group.total / rows.totalMax) * width
  context.fillStyle = isBid ? color['up-bar'] : color['down-bar']
  context.fillRect(width - bar, y, bar, ROW_HEIGHT - 1)
  const isChosen = view.cursor === (isBid ? -index - 1 : index + 1)
  const isHovered = hoveredY !== undefined && hoveredY >= y && hoveredY < y + ROW_HEIGHT
  if (isChosen || isHovered) {
    context.strokeStyle = isChosen ? color.accent : color.faint
    context.lineWidth = 1
    context.strokeRect(0.5, y + 0.5, width - 1, ROW_HEIGHT - 2)
  }
  const own = view.own.get(`${isBid ? 'b' : 'a'}${group.price}`)
  if (own !== undefined) {
    context.fillStyle = color.accent
    context.fillRect(0, y, MARK_WIDTH, ROW_HEIGHT - 1)
    context.beginPath()
    context.arc(width * SIZE_END + EDGE / 2 + 1, y + ROW_HEIGHT / 2, 2.5, 0, 2 * Math.PI)
    context.fill()
  }
  const text = y + ROW_HEIGHT / 2
  context.textAlign = 'left'
  context.fillStyle = isBid ? color.up : color.down
  context.fillText(formatUnits(group.price, symbol.priceScale, symbol.priceDecimals), EDGE, text)
  context.textAlign = 'right'
  context.fillStyle = color.ink
  const size = (units: number) => formatUnits(units, symbol.quantityScale, symbol.quantityDecimals)
  context.fillText(size(group.quantity), width * SIZE_END, text)
  context.fillStyle = color.quiet
  context.fillText(size(group.total), width - EDGE, text)
}

function paintSpread({ surface, rows, symbol, last }: LadderView, middle: number): void {
  const { context, width } = surface
  const color = colors()
  context.fillStyle = color.line
  context.fillRect(0, middle - SPREAD_HEIGHT / 2 + 1, width, 1)
  context.fillRect(0, middle + SPREAD_HEIGHT / 2 - 1, width, 1)
  context.textAlign = 'left'
  context.font = `600 ${FIGURES.replace('12px', '15px')}`
  if (last !== undefined) {
    const { price, isDown } = last
    context.fillStyle = isDown ? color.down : color.up
    const shown = price.slice(0, price.indexOf('.') + 1 + symbol.priceDecimals)
    context.fillText(`${shown.replace(/\.$/, '')} ${isDown ? '↓' : '↑'}`, EDGE, middle + 1)
  }
  const [ask, bid] = [rows.asks[0], rows.bids[0]]
  if (ask === undefined || bid === undefined) return
  context.textAlign = 'right'
  context.fillStyle = color.quiet
  context.font = LABELS
  const spread = ask.price - bid.price
  const share = ((spread / ask.price) * 100).toFixed(3)
  const text = formatUnits(spread, symbol.priceScale, symbol.priceDecimals)
  context.fillText(`Spread ${text} (${share}%)`, width - EDGE, middle + 1)
}

function paintWaiting({ surface }: LadderView, middle: number): void {
  const { context, width } = surface
  context.font = LABELS
  context.textAlign = 'center'
  context.fillStyle = colors().ink
  context.fillText('Waiting for the order book …', width / 2, middle - SPREAD_HEIGHT)
}
