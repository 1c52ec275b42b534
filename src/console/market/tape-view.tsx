/** The newest public trades on a canvas, and the last one in words. */
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { cut } from '../book/decimals.ts'
import { EDGE, FIGURES, type Surface, secondEnd, usePainted } from '../toolkit/canvas.ts'
import { colors } from '../toolkit/theme.ts'
import { briefTimeText } from '../toolkit/times.ts'
import type { Market } from './market.ts'
import type { MarketSymbol } from './symbols.ts'
import type { TapeTrade } from './tape.ts'

const ROW_HEIGHT = 20

export const NO_TRADES = 'No trades yet'

function paintTape(
  { context, width, height }: Surface,
  trades: readonly TapeTrade[],
  it: MarketSymbol,
) {
  const color = colors()
  context.font = FIGURES
  context.textBaseline = 'middle'
  for (const [index, trade] of trades.entries()) {
    const y = index * ROW_HEIGHT + ROW_HEIGHT / 2
    if (y > height) break
    context.textAlign = 'left'
    context.fillStyle = trade.isSell ? color.down : color.up
    context.fillText(cut(trade.price, it.priceDecimals), EDGE, y)
    context.textAlign = 'right'
    context.fillStyle = color.ink
    context.fillText(cut(trade.quantity, it.quantityDecimals), secondEnd(width), y)
    context.fillStyle = color.quiet
    context.fillText(briefTimeText(trade.timeMs), width - EDGE, y)
  }
}

export function TapeView({
  market,
  symbol,
}: {
  readonly market: Market
  readonly symbol: MarketSymbol
}): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [version, paint] = useMemo(
    () => [
      () => `${market.tape.version} ${symbol.symbol}`,
      (surface: Surface) => {
        const rows = Math.ceil(surface.height / ROW_HEIGHT)
        paintTape(surface, market.tape.latest(rows), symbol)
      },
    ],
    [market, symbol],
  )
  usePainted(canvas, version, paint)
  const last = market.last.value
  const label = last === undefined ? NO_TRADES : `Last trade at ${last.price}`
  return (
    <section class="panel tape" aria-label="Trades">
      <header class="panel-head">
        <h2>Trades</h2>
      </header>
      <div class="columns" aria-hidden="true">
        <span>Price</span>
        <span>Size</span>
        <span>Time</span>
      </div>
      {market.hasTrades.value === false && <p class="empty over">{NO_TRADES}</p>}
      <canvas ref={canvas} class="fill" role="img" aria-label={label} />
    </section>
  )
}
