/**
 * Own open orders as lines of the candle chart. The tag of a line that has a limit price is dragged, by mouse or touch;
 * where it is dropped is the order's wanted price. Lines follow the account's events, except one that is dragged.
 */
import type { IChartApi, IPriceLine, ISeriesApi } from 'lightweight-charts'
import { formatUnits, shown, shownAtoms } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { requestFrame } from '../toolkit/frames.ts'
import { colors } from '../toolkit/theme.ts'
import { type OrderRow, priceOf } from '../trade/account-rows.ts'
import { restOf } from '../trade/changed-order.ts'
import { keyOf, type OpenOrderRows } from '../trade/open-order-rows.ts'

/** Orders that have lines: the newest ones. */
export const LINES_MAX = 100
const DASHED = 2
/** Half of a tag's height, CSS pixels (console.css). */
const TAG_HALF = 10

interface Line {
  readonly order: OrderRow
  readonly line: IPriceLine
  readonly tag: HTMLElement
  readonly isStop: boolean
}

/** The price that is shown while the tag of a line is dragged. */
interface Drag {
  readonly key: string
  readonly tag: HTMLElement
  price: string
}

export interface LinesOwner {
  readonly symbol: () => MarketSymbol | undefined
  readonly dropped: (key: string, price: string) => void
}

export class OrderLines {
  private readonly overlay: HTMLElement
  private readonly chart: IChartApi
  private readonly series: ISeriesApi<'Candlestick'>
  private readonly orders: OpenOrderRows
  private readonly owner: LinesOwner
  private readonly lines = new Map<string, Line>()
  private drawn = ''
  private drag: Drag | undefined = undefined

  constructor(
    overlay: HTMLElement,
    chart: IChartApi,
    series: ISeriesApi<'Candlestick'>,
    orders: OpenOrderRows,
    owner: LinesOwner,
  ) {
    this.overlay = overlay
    this.chart = chart
    this.series = series
    this.orders = orders
    this.owner = owner
    // Called before each painting of the chart: prices may lie elsewhere.
    series.attachPrimitive({ updateAllViews: () => this.place() })
  }

  /** Draws the orders again if they, their market or the colors have changed. */
  paint(theme: string): void {
    const symbol = this.owner.symbol()
    if (symbol === undefined) return
    const drawn = `${this.orders.version} ${symbol.symbol} ${theme}`
    if (drawn === this.drawn) return
    this.drawn = drawn
    for (const { line, tag } of this.lines.values()) {
      this.series.removePriceLine(line)
      if (tag !== this.drag?.tag) tag.remove()
    }
    this.lines.clear()
    let left = LINES_MAX
    for (const order of this.orders.all(symbol.symbol)) {
      if (left-- === 0) break
      const key = keyOf(order)
      if (Number(priceOf(order)) > 0) this.draw(key, order, priceOf(order), false)
      const { stopPrice = '0' } = order
      if (Number(stopPrice) > 0) this.draw(`${key} stop`, order, stopPrice, true)
    }
    if (this.drag !== undefined && !this.lines.has(this.drag.key)) this.end()
    this.place()
  }

  private draw(key: string, order: OrderRow, price: string, isStop: boolean): void {
    const color = order.side === 'BUY' ? colors().up : colors().down
    const isDragged = this.drag?.key === key
    const line = this.series.createPriceLine({
      price: Number(isDragged ? this.drag!.price : price),
      color,
      title: '',
      axisLabelVisible: true,
      lineWidth: 1,
      lineStyle: isStop ? DASHED : 0,
    })
    const tag = isDragged ? this.drag!.tag : this.tagOf(key, order, isStop)
    this.lines.set(key, { order, line, tag, isStop })
    if (!isDragged) tag.textContent = textOf(order, isStop)
  }

  private tagOf(key: string, order: OrderRow, isStop: boolean): HTMLElement {
    const tag = document.createElement('span')
    tag.className = `order-tag ${order.side === 'BUY' ? 'up' : 'down'}`
    tag.dataset.line = String(order.orderId)
    this.overlay.append(tag)
    const isMovable = !isStop && (order.status === 'NEW' || order.status === 'PARTIALLY_FILLED')
    if (!isMovable) return tag
    tag.classList.add('movable')
    tag.addEventListener('pointerdown', (event) => this.begin(event, key, tag))
    tag.addEventListener('pointermove', ({ clientY }) => this.move(tag, clientY))
    tag.addEventListener('pointerup', () => this.drop(tag))
    tag.addEventListener('pointercancel', () => this.end())
    return tag
  }

  private begin(event: PointerEvent, key: string, tag: HTMLElement): void {
    const found = this.lines.get(key)
    if (event.button !== 0 || this.drag !== undefined || found === undefined) return
    event.preventDefault()
    tag.setPointerCapture(event.pointerId)
    this.drag = { key, tag, price: priceOf(found.order) }
    document.addEventListener('keydown', this.escape, { capture: true })
  }

  private readonly escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.end()
  }

  private move(tag: HTMLElement, clientY: number): void {
    const { drag } = this
    const symbol = this.owner.symbol()
    if (drag?.tag !== tag || symbol === undefined) return
    const { top } = this.overlay.getBoundingClientRect()
    const price = this.series.coordinateToPrice(clientY - top)
    if (price === null) return
    const { tick, priceScale, priceDecimals } = symbol
    const units = Math.max(1, Math.round((price * 10 ** priceScale) / tick)) * tick
    drag.price = formatUnits(units, priceScale, priceDecimals)
    const { line, order } = this.lines.get(drag.key)!
    line.applyOptions({ price: Number(drag.price) })
    tag.textContent = `${textOf(order, false)} → ${shown(drag.price)}`
    this.place()
  }

  private drop(tag: HTMLElement): void {
    const { drag } = this
    if (drag?.tag !== tag) return
    const { order } = this.lines.get(drag.key)!
    this.end()
    if (Number(drag.price) !== Number(priceOf(order))) this.owner.dropped(drag.key, drag.price)
  }

  /** The line goes back to where its order is. */
  private end(): void {
    document.removeEventListener('keydown', this.escape, { capture: true })
    this.drag?.tag.remove()
    this.drag = undefined
    this.drawn = ''
    requestFrame()
  }

  private place(): void {
    const { height } = this.chart.paneSize()
    for (const { line, tag } of this.lines.values()) {
      const y = this.series.priceToCoordinate(line.options().price)
      const isSeen = y !== null && y >= 0 && y <= height
      tag.hidden = !isSeen
      // A tag at an edge stays whole.
      const middle = Math.max(TAG_HALF, Math.min(height - TAG_HALF, Math.round(y ?? 0)))
      if (isSeen) tag.style.transform = `translateY(${middle}px)`
    }
  }
}

function textOf(order: OrderRow, isStop: boolean): string {
  const side = order.side === 'BUY' ? 'Buy' : 'Sell'
  return `${isStop ? 'Stop, ' : ''}${side} ${shownAtoms(restOf(order))}`
}
