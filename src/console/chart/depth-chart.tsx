/** Totals of both sides of the book around the middle, as two areas. */
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { brief, grouped } from '../book/decimals.ts'
import type { BookSide } from '../book/local-book.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { LABELS, type Surface, usePainted } from '../toolkit/canvas.ts'
import { colors } from '../toolkit/theme.ts'

/** Levels of each side that are shown at most. */
const LEVELS = 400
const AXIS = 24

interface Step {
  readonly price: number
  readonly total: number
}

/** Totals from the best price on. */
function stepsOf({ prices, quantities }: BookSide): Step[] {
  const steps: Step[] = []
  let total = 0
  for (let at = prices.length - 1; at >= 0 && steps.length < LEVELS; at--) {
    total += quantities[at]!
    steps.push({ price: prices[at]!, total })
  }
  return steps
}

export function paintDepth(surface: Surface, market: Market, symbol: MarketSymbol): void {
  const bids = stepsOf(market.book.bids)
  const asks = stepsOf(market.book.asks)
  const color = colors()
  const { context, width, height } = surface
  if (bids[0] === undefined || asks[0] === undefined) return
  const middle = (bids[0].price + asks[0].price) / 2
  const reach = Math.min(middle - bids.at(-1)!.price, asks.at(-1)!.price - middle)
  const shown = ({ price }: Step) => Math.abs(price - middle) <= reach
  const totalMax = Math.max(...[...bids, ...asks].filter(shown).map(({ total }) => total))
  const x = (price: number) => ((price - middle) / reach / 2 + 0.5) * width
  const y = (total: number) => height - AXIS - (total / totalMax) * (height - AXIS - 16)
  const areas = [
    [bids, color.up, color['up-bar']],
    [asks, color.down, color['down-bar']],
  ] as const
  for (const [steps, stroke, fill] of areas) {
    context.beginPath()
    context.moveTo(x(steps[0]!.price), height - AXIS)
    let before = 0
    for (const { price, total } of steps.filter(shown)) {
      context.lineTo(x(price), y(before))
      context.lineTo(x(price), y(total))
      before = total
    }
    const edge = steps === bids ? 0 : width
    context.lineTo(edge, y(before))
    context.strokeStyle = stroke
    context.lineWidth = 1.5
    context.stroke()
    context.lineTo(edge, height - AXIS)
    context.fillStyle = fill
    context.fill()
  }
  paintAxis(surface, symbol, middle, reach, totalMax)
}

function paintAxis(
  { context, width, height }: Surface,
  symbol: MarketSymbol,
  middle: number,
  reach: number,
  totalMax: number,
): void {
  const color = colors()
  context.font = LABELS
  context.fillStyle = color.quiet
  context.textBaseline = 'middle'
  for (const share of [-0.8, -0.4, 0, 0.4, 0.8]) {
    const price = (middle + share * reach) / 10 ** symbol.priceScale
    context.textAlign = 'center'
    const x = (share / 2 + 0.5) * width
    context.fillText(grouped(price.toFixed(symbol.priceDecimals)), x, height - AXIS / 2)
  }
  context.textAlign = 'left'
  const total = brief(totalMax / 10 ** symbol.quantityScale)
  context.fillText(`${total} ${symbol.baseAsset}`, 12, 12)
}

/** Reading the version renders the chart again when levels change. */
const isOneSided = ({ book, bookVersion, isBookLive }: Market): boolean =>
  bookVersion.value >= 0 && isBookLive.value && Math.min(book.bids.size, book.asks.size) === 0

export function DepthChart({
  market,
  symbol,
}: {
  readonly market: Market
  readonly symbol: MarketSymbol
}): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [version, paint] = useMemo(
    () => [() => market.book.version, (surface: Surface) => paintDepth(surface, market, symbol)],
    [market, symbol],
  )
  usePainted(canvas, version, paint)
  const label = `Depth of ${symbol.symbol}: totals of bids and asks by price`
  return (
    <>
      {isOneSided(market) && <p class="empty over">No bids and asks to draw yet</p>}
      <canvas ref={canvas} class="fill" role="img" aria-label={label} />
    </>
  )
}
