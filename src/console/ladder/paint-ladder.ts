/** Paints a ladder. */
import { cut, shownUnits } from '../book/decimals.ts'
import type { PriceGroup } from '../book/price-groups.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { FIGURES, LABELS, type Surface } from '../toolkit/canvas.ts'
import { colors } from '../toolkit/theme.ts'
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
  /** '' while a side is empty. */
  readonly spread: string
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
  const { asks, bids } = view.rows
  if (!view.isLive) paintNote(view, middle, 'Waiting for the order book …')
  else if (asks.length + bids.length === 0) paintNote(view, middle, 'No orders yet')
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
  context.fillText(shownUnits(group.price, symbol.priceScale, symbol.priceDecimals), EDGE, text)
  context.textAlign = 'right'
  context.fillStyle = color.ink
  const size = (units: number) => shownUnits(units, symbol.quantityScale, symbol.quantityDecimals)
  context.fillText(size(group.quantity), width * SIZE_END, text)
  context.fillStyle = color.quiet
  context.fillText(size(group.total), width - EDGE, text)
}

function paintSpread({ surface, spread, symbol, last }: LadderView, middle: number): void {
  const { context, width } = surface
  const color = colors()
  context.fillStyle = color.line
  context.fillRect(0, middle - SPREAD_HEIGHT / 2 + 1, width, 1)
  context.fillRect(0, middle + SPREAD_HEIGHT / 2 - 1, width, 1)
  context.textAlign = 'left'
  context.font = `600 ${FIGURES.replace('12px', '15px')}`
  let priceEnd = EDGE
  if (last !== undefined) {
    const { price, isDown } = last
    context.fillStyle = isDown ? color.down : color.up
    const text = `${cut(price, symbol.priceDecimals)} ${isDown ? '↓' : '↑'}`
    context.fillText(text, EDGE, middle + 1)
    priceEnd += context.measureText(text).width + EDGE
  }
  context.textAlign = 'right'
  context.fillStyle = color.quiet
  context.font = LABELS
  // Where there is no room, it is shown without its share of the price.
  const isShort = priceEnd + context.measureText(spread).width > width - EDGE
  context.fillText(isShort ? spread.replace(/ \(.*/, '') : spread, width - EDGE, middle + 1)
}

function paintNote({ surface }: LadderView, middle: number, text: string): void {
  const { context, width } = surface
  context.font = LABELS
  context.textAlign = 'center'
  context.fillStyle = colors().ink
  context.fillText(text, width / 2, middle - SPREAD_HEIGHT)
}
