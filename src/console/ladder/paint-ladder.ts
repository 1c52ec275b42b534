/** Paints a ladder. */
import { cut, shownUnits } from '../book/decimals.ts'
import type { PriceGroup } from '../book/price-groups.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { EDGE, FIGURES, LABELS, type Surface, secondEnd } from '../toolkit/canvas.ts'
import { colors } from '../toolkit/theme.ts'
import { type LadderRows, type LadderShape, SPREAD_HEIGHT } from './ladder-rows.ts'

const MARK_WIDTH = 3

export interface LadderView {
  readonly surface: Surface
  readonly rows: LadderRows
  readonly shape: LadderShape
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
  const { context } = view.surface
  const { rowHeight, spreadTop, spreadEnd } = view.shape
  const middle = (spreadTop + spreadEnd) / 2
  context.globalAlpha = view.isLive ? 1 : 0.35
  context.textBaseline = 'middle'
  context.font = FIGURES
  for (const [index, group] of view.rows.asks.entries()) {
    paintRow(view, group, false, index, spreadTop - (index + 1) * rowHeight)
  }
  for (const [index, group] of view.rows.bids.entries()) {
    paintRow(view, group, true, index, spreadEnd + index * rowHeight)
  }
  paintSpread(view, middle)
  context.globalAlpha = 1
  const { asks, bids } = view.rows
  // Where the spread is at the top, below it.
  const note = spreadTop === 0 ? spreadEnd + 2 * SPREAD_HEIGHT : middle
  if (!view.isLive) paintNote(view, note, 'Waiting for the order book …')
  else if (asks.length + bids.length === 0) paintNote(view, note, 'No orders yet')
}

function paintRow(view: LadderView, group: PriceGroup, isBid: boolean, index: number, y: number) {
  const { context, width } = view.surface
  const { symbol, rows, hoveredY } = view
  const { rowHeight } = view.shape
  const color = colors()
  const bar = (group.total / rows.totalMax) * width
  context.fillStyle = isBid ? color['up-bar'] : color['down-bar']
  context.fillRect(width - bar, y, bar, rowHeight - 1)
  const isChosen = view.cursor === (isBid ? -index - 1 : index + 1)
  const isHovered = hoveredY !== undefined && hoveredY >= y && hoveredY < y + rowHeight
  if (isChosen || isHovered) {
    context.strokeStyle = isChosen ? color.accent : color.faint
    context.lineWidth = 1
    context.strokeRect(0.5, y + 0.5, width - 1, rowHeight - 2)
  }
  const own = view.own.get(`${isBid ? 'b' : 'a'}${group.price}`)
  if (own !== undefined) {
    context.fillStyle = color.accent
    context.fillRect(0, y, MARK_WIDTH, rowHeight - 1)
    context.beginPath()
    context.arc(secondEnd(width) + EDGE / 2, y + rowHeight / 2, 2.5, 0, 2 * Math.PI)
    context.fill()
  }
  const text = y + rowHeight / 2
  context.textAlign = 'left'
  context.fillStyle = isBid ? color.up : color.down
  context.fillText(shownUnits(group.price, symbol.priceScale, symbol.priceDecimals), EDGE, text)
  context.textAlign = 'right'
  context.fillStyle = color.ink
  const size = (units: number) => shownUnits(units, symbol.quantityScale, symbol.quantityDecimals)
  context.fillText(size(group.quantity), secondEnd(width), text)
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
  context.font = `600 ${FIGURES.replace('12px', '16px')}`
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
