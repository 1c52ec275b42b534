/** Candles with volume, by lightweight-charts. Older ones are loaded when the user scrolls to them. */
import { useSignal } from '@preact/signals'
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  type Time,
} from 'lightweight-charts'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { brief, formatAtoms, grouped, shownAtoms } from '../book/decimals.ts'
import type { Candle } from '../market/candle.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { NO_TRADES } from '../market/tape-view.tsx'
import { LABELS } from '../toolkit/canvas.ts'
import { onPaint } from '../toolkit/frames.ts'
import { kept } from '../toolkit/kept.ts'
import { isFlag } from '../toolkit/kept-value.ts'
import { colors, type Palette, theme } from '../toolkit/theme.ts'
import type { Account } from '../trade/account.ts'
import type { FillRow } from '../trade/account-rows.ts'
import { ChangeForm } from '../trade/change-form.tsx'
import { restOf } from '../trade/changed-order.ts'
import type { OrderActions } from '../trade/order-actions.ts'
import { isAsking } from '../trade/ticket-form.ts'
import { useKept } from '../trade/use-kept.ts'
import { averageAt, marksOf } from './chart-figures.ts'
import { OrderLines } from './order-lines.ts'

/** Candles left of the view at which older ones are loaded. */
const NEAR_START = 40
const LABEL_MS = 1_000
/** Candles that the text of a fill is as wide as: nearer ones would overlap, and have none. */
const TEXT_CANDLES = 12
const LABEL_FONT = LABELS.replace(/^\S+ /, '')

/** Moving averages of closes, and of volumes, in candles. */
const AVERAGES = [
  { length: 7, of: 'close', color: 'a' },
  { length: 25, of: 'close', color: 'c' },
  { length: 99, of: 'close', color: 'e' },
  { length: 20, of: 'volume', color: 'f' },
] as const
export const areAveragesShown = kept('averages', true, isFlag)

const timeOf = (candle: Candle) => (candle.timeMs / 1_000) as Time
const candlePoint = ({ open, high, low, close, ...candle }: Candle) => ({
  time: timeOf(candle as Candle),
  open,
  high,
  low,
  close,
})
function volumePoint(candle: Candle) {
  const color = colors()[candle.close < candle.open ? 'down-bar' : 'up-bar']
  return { time: timeOf(candle), value: candle.volume, color }
}

class CandleView {
  readonly chart: IChartApi
  private readonly candles: ISeriesApi<'Candlestick'>
  private readonly volumes: ISeriesApi<'Histogram'>
  private readonly averages: readonly ISeriesApi<'Line'>[]
  private readonly marks: ISeriesMarkersPluginApi<Time>
  private readonly lines: OrderLines
  private readonly market: Market
  private readonly account: Account
  private readonly legend: HTMLElement
  private symbol: MarketSymbol | undefined = undefined
  /** Index of the candle under the crosshair. */
  private hovered: number | undefined = undefined
  private legendText = ''
  private areAveraged = false
  private marked: { readonly fills: readonly FillRow[]; readonly what: string } | undefined
  private loads = -1
  private version = -1
  private theme = ''
  private shown = ''
  private auction: IPriceLine | undefined = undefined
  private auctionPrice = ''

  constructor(
    element: HTMLElement,
    over: { readonly legend: HTMLElement; readonly tags: HTMLElement },
    market: Market,
    account: Account,
    dropped: (key: string, price: string) => void,
  ) {
    this.market = market
    this.account = account
    this.legend = over.legend
    this.chart = createChart(element, {
      autoSize: true,
      layout: { attributionLogo: false, fontFamily: LABEL_FONT, fontSize: 11 },
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 4 },
      crosshair: { mode: 0 },
    })
    this.volumes = this.chart.addSeries(HistogramSeries, {
      priceFormat: { type: 'volume' },
      priceScaleId: 'volume',
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
    this.candles = this.chart.addSeries(CandlestickSeries, { borderVisible: false })
    this.candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.22 } })
    this.averages = AVERAGES.map(({ of }) =>
      this.chart.addSeries(LineSeries, {
        lineWidth: 1,
        lastValueVisible: false,
        priceLineVisible: false,
        crosshairMarkerVisible: false,
        autoscaleInfoProvider: () => null,
        ...(of === 'volume' ? { priceScaleId: 'volume' } : {}),
      }),
    )
    this.marks = createSeriesMarkers(this.candles)
    const { openOrders } = account
    const owner = { symbol: () => this.symbol, dropped }
    this.lines = new OrderLines(over.tags, this.chart, this.candles, openOrders, owner)
    this.chart.subscribeCrosshairMove(({ logical, point }) => {
      this.hovered = point === undefined ? undefined : logical
      this.paintLegend()
    })
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < NEAR_START) void market.candles.loadOlder()
    })
  }

  /** Prices are shown with the symbol's decimals. */
  showSymbol(symbol: MarketSymbol): void {
    this.symbol = symbol
    const { priceDecimals } = symbol
    const formatter = (price: number) => grouped(price.toFixed(priceDecimals))
    this.candles.applyOptions({
      priceFormat: { type: 'custom', formatter, minMove: 10 ** -priceDecimals },
    })
  }

  paint(): void {
    const { candles } = this.market
    if (this.theme !== theme.value) this.paintTheme()
    const isOther = this.areAveraged !== areAveragesShown.value
    if (this.loads !== candles.loads || isOther) this.load()
    else if (this.version !== candles.version) this.update()
    this.loads = candles.loads
    this.version = candles.version
    this.paintAuction(this.market.auction.value?.price ?? '')
    this.lines.paint(theme.value)
    this.paintMarks()
    this.paintLegend()
  }

  /** Own fills that the page has read, below the candle of a buy and above that of a sell. */
  private paintMarks(): void {
    const { rows } = this.market.candles
    const fills = this.account.fills.of(this.market.chosen.value?.symbol ?? '')
    const what = `${rows.length} ${rows[0]?.timeMs} ${theme.value}`
    if (this.marked?.fills === fills && this.marked.what === what) return
    this.marked = { fills, what }
    const marks = marksOf(fills, rows)
    const near = TEXT_CANDLES * ((rows[1]?.timeMs ?? 0) - (rows[0]?.timeMs ?? 0))
    const isFree = (at: number) =>
      [at, at + 1].every(
        (it) => (marks[it]?.timeMs ?? Infinity) - (marks[it - 1]?.timeMs ?? 0) > near,
      )
    this.marks.setMarkers(
      marks.map(({ timeMs, isBuyer, quantity }, at) => ({
        time: (timeMs / 1_000) as Time,
        position: isBuyer ? 'belowBar' : 'aboveBar',
        shape: isBuyer ? 'arrowUp' : 'arrowDown',
        color: isBuyer ? colors().up : colors().down,
        text: isFree(at) ? shownAtoms(quantity) : '',
      })),
    )
  }

  /** The candle under the crosshair, or else the newest, in figures. */
  private paintLegend(): void {
    const { rows } = this.market.candles
    const at =
      this.hovered !== undefined && rows[this.hovered] !== undefined
        ? this.hovered
        : rows.length - 1
    const candle = rows[at]
    const parts: (readonly [text: string, color: keyof Palette])[] = []
    const price = (value: number) => grouped(value.toFixed(this.symbol?.priceDecimals ?? 2))
    if (candle !== undefined) {
      const { open, high, low, close, volume } = candle
      const change = open === 0 ? 0 : (close / open - 1) * 100
      const figures = `O ${price(open)} H ${price(high)} L ${price(low)} C ${price(close)}`
      parts.push([`${figures} ${change.toFixed(2)}%`, close < open ? 'down' : 'up'])
      parts.push([`Volume ${brief(volume)}`, 'ink'])
    }
    for (const { length, of, color } of areAveragesShown.value ? AVERAGES : []) {
      const value = averageAt(rows, at, length, of)
      if (value === undefined) continue
      const isVolume = of === 'volume'
      parts.push([
        isVolume ? `VMA ${length} ${brief(value)}` : `MA ${length} ${price(value)}`,
        color,
      ])
    }
    const text = `${JSON.stringify(parts)} ${theme.value}`
    if (text === this.legendText) return
    this.legendText = text
    const spans = parts.map(([part, color]) => {
      const span = document.createElement('span')
      span.textContent = part
      span.style.color = colors()[color]
      return span
    })
    this.legend.replaceChildren(...spans)
  }

  /** A line at the indicative price of an auction that is called; none for ''. */
  private paintAuction(price: string): void {
    if (price === this.auctionPrice) return
    this.auctionPrice = price
    if (this.auction !== undefined) this.candles.removePriceLine(this.auction)
    this.auction =
      price === ''
        ? undefined
        : this.candles.createPriceLine({
            price: Number(price),
            title: 'Auction',
            color: colors().accent,
          })
  }

  private load(): void {
    const { rows, interval } = this.market.candles
    this.candles.setData(rows.map(candlePoint))
    this.volumes.setData(rows.map(volumePoint))
    this.areAveraged = areAveragesShown.value
    for (const [at, { length, of }] of AVERAGES.entries()) {
      const points = rows.flatMap((candle, i) => {
        const value = this.areAveraged ? averageAt(rows, i, length, of) : undefined
        return value === undefined ? [] : [{ time: timeOf(candle), value }]
      })
      this.averages[at]!.setData(points)
    }
    const shown = `${this.market.chosen.value?.symbol} ${interval.value}`
    if (shown !== this.shown && rows.length > 0) {
      this.shown = shown
      this.chart.timeScale().applyOptions({ secondsVisible: interval.value === '1s' })
      this.chart
        .timeScale()
        .setVisibleLogicalRange({ from: rows.length - 120, to: rows.length + 4 })
    }
  }

  private update(): void {
    const { rows } = this.market.candles
    const last = rows.at(-1)
    if (last === undefined) return
    this.candles.update(candlePoint(last))
    this.volumes.update(volumePoint(last))
    for (const [at, { length, of }] of AVERAGES.entries()) {
      const value = this.areAveraged ? averageAt(rows, rows.length - 1, length, of) : undefined
      if (value !== undefined) this.averages[at]!.update({ time: timeOf(last), value })
    }
  }

  private paintTheme(): void {
    this.theme = theme.value
    const { panel, line, quiet, up, down, faint } = colors()
    this.chart.applyOptions({
      layout: { background: { color: panel }, textColor: quiet },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
      crosshair: { vertLine: { color: faint }, horzLine: { color: faint } },
    })
    this.candles.applyOptions({
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
    })
    this.volumes.setData(this.market.candles.rows.map(volumePoint))
    for (const [at, { color }] of AVERAGES.entries()) {
      this.averages[at]!.applyOptions({ color: colors()[color] })
    }
  }
}

interface ChartProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  readonly account: Account
  readonly actions: OrderActions
}

export function CandleChart({ market, symbol, account, actions }: ChartProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLDivElement>(null)
  const tags = useRef<HTMLDivElement>(null)
  const view = useRef<CandleView | undefined>(undefined)
  /** An order whose line was dropped elsewhere, while the page asks to confirm. */
  const asked = useSignal({ key: '', price: '' })
  const fills = useKept(account, account.fills, symbol.symbol)
  useEffect(() => {
    const drop = (key: string, price: string) => {
      const order = account.openOrders.of(key)
      if (order === undefined) return
      if (isAsking.value) asked.value = { key, price }
      else void actions.change(order, price, formatAtoms(restOf(order)))
    }
    const over = { legend: legend.current!, tags: tags.current! }
    const shown = new CandleView(element.current!, over, market, account, drop)
    view.current = shown
    const end = onPaint(() => shown.paint())
    return () => {
      end()
      shown.chart.remove()
    }
  }, [market, account, actions])
  useEffect(() => view.current?.showSymbol(symbol), [symbol])
  const label = useLabel(market, symbol)
  const { key, price } = asked.value
  const order = account.openOrders.of(key)
  const bought = fills.filter(({ isBuyer }) => isBuyer).length
  const own =
    fills.length === 0 ? '' : `; own fills: ${bought} bought, ${fills.length - bought} sold`
  return (
    <>
      {market.hasTrades.value === false && <p class="empty over">{NO_TRADES}</p>}
      {order !== undefined && (
        <ChangeForm
          key={`${key} ${price}`}
          order={order}
          actions={actions}
          wanted={price}
          end={() => {
            asked.value = { key: '', price: '' }
          }}
        />
      )}
      <div ref={legend} class="legend figure" aria-hidden="true" />
      <div class="candles">
        <div ref={element} class="fill" role="img" aria-label={`${label}${own}`} />
        <div ref={tags} class="order-tags figure" aria-hidden="true" />
      </div>
    </>
  )
}

/** The newest candle in words, once a second. */
function useLabel(market: Market, symbol: MarketSymbol): string {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(market.candles.version + market.candles.loads), LABEL_MS)
    return () => clearInterval(timer)
  }, [market])
  const { rows, interval } = market.candles
  const last = rows.at(-1)
  const { value: auction } = market.auction
  const called = auction === undefined ? '' : `, auction at ${Number(auction.price)}`
  const begun = `Candles of ${symbol.symbol}, ${interval.value}${called}`
  if (last === undefined) return begun
  const { open, high, low, close, volume } = last
  return `${begun}; newest: open ${open}, high ${high}, low ${low}, close ${close}, volume ${volume}`
}
