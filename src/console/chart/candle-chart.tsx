/** Candles with volume, by lightweight-charts. Older ones are loaded when the user scrolls to them. */
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type Time,
} from 'lightweight-charts'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { grouped } from '../book/decimals.ts'
import type { Candle } from '../market/candle.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { NO_TRADES } from '../market/tape-view.tsx'
import { LABELS } from '../toolkit/canvas.ts'
import { onPaint } from '../toolkit/frames.ts'
import { colors, theme } from '../toolkit/theme.ts'

/** Candles left of the view at which older ones are loaded. */
const NEAR_START = 40
const LABEL_MS = 1_000
const LABEL_FONT = LABELS.replace(/^\S+ /, '')

const timeOf = (candle: Candle) => (candle.timeMs / 1_000) as Time
const candlePoint = ({ open, high, low, close, ...candle }: Candle) => ({
  time: timeOf(candle as Candle),
  ...{ open, high, low, close },
})
function volumePoint(candle: Candle) {
  const color = colors()[candle.close < candle.open ? 'down-bar' : 'up-bar']
  return { time: timeOf(candle), value: candle.volume, color }
}

class CandleView {
  readonly chart: IChartApi
  private readonly candles: ISeriesApi<'Candlestick'>
  private readonly volumes: ISeriesApi<'Histogram'>
  private readonly market: Market
  private loads = -1
  private version = -1
  private theme = ''
  private shown = ''
  private auction: IPriceLine | undefined = undefined
  private auctionPrice = ''

  constructor(element: HTMLElement, market: Market) {
    this.market = market
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
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < NEAR_START) void market.candles.loadOlder()
    })
  }

  /** Prices are shown with the symbol's decimals. */
  showSymbol({ priceDecimals }: MarketSymbol): void {
    const formatter = (price: number) => grouped(price.toFixed(priceDecimals))
    this.candles.applyOptions({
      priceFormat: { type: 'custom', formatter, minMove: 10 ** -priceDecimals },
    })
  }

  paint(): void {
    const { candles } = this.market
    if (this.theme !== theme.value) this.paintTheme()
    if (this.loads !== candles.loads) this.load()
    else if (this.version !== candles.version) this.update()
    this.loads = candles.loads
    this.version = candles.version
    this.paintAuction(this.market.auction.value?.price ?? '')
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
            ...{ price: Number(price), title: 'Auction', color: colors().accent },
          })
  }

  private load(): void {
    const { rows, interval } = this.market.candles
    this.candles.setData(rows.map(candlePoint))
    this.volumes.setData(rows.map(volumePoint))
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
    const last = this.market.candles.rows.at(-1)
    if (last === undefined) return
    this.candles.update(candlePoint(last))
    this.volumes.update(volumePoint(last))
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
  }
}

export function CandleChart({
  market,
  symbol,
}: {
  readonly market: Market
  readonly symbol: MarketSymbol
}): JSX.Element {
  const element = useRef<HTMLDivElement>(null)
  const view = useRef<CandleView | undefined>(undefined)
  useEffect(() => {
    const shown = new CandleView(element.current!, market)
    view.current = shown
    const end = onPaint(() => shown.paint())
    return () => {
      end()
      shown.chart.remove()
    }
  }, [market])
  useEffect(() => view.current?.showSymbol(symbol), [symbol])
  const label = useLabel(market, symbol)
  return (
    <>
      {market.hasTrades.value === false && <p class="empty over">{NO_TRADES}</p>}
      <div ref={element} class="fill" role="img" aria-label={label} />
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
