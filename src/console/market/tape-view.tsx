/** The newest public trades on a canvas, and the last one in words. */
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { FIGURES, type Surface, usePainted } from '../view/canvas.ts'
import { colors } from '../view/theme.ts'
import type { Market } from './market.ts'
import type { MarketSymbol } from './symbols.ts'
import type { TapeTrade } from './tape.ts'

const ROW_HEIGHT = 20
const EDGE = 12
const SIZE_END = 0.66

const pad = (value: number) => String(value).padStart(2, '0')

export function clockText(timeMs: number): string {
  const time = new Date(timeMs)
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(pad).join(':')
}

/** A decimal of the wire with this many decimals. */
export const cut = (text: string, decimals: number): string =>
  decimals === 0 ? text.split('.')[0]! : text.slice(0, text.indexOf('.') + 1 + decimals)

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
    context.fillText(cut(trade.quantity, it.quantityDecimals), width * SIZE_END, y)
    context.fillStyle = color.quiet
    context.fillText(clockText(trade.timeMs), width - EDGE, y)
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
      <canvas
        ref={canvas}
        class="fill"
        role="img"
        aria-label={`Last trade at ${last?.price ?? 'none'}`}
      />
    </section>
  )
}
