/**
 * The depth ladder on a canvas: asks above, the spread, bids below. Bars are totals from the best price
 * on, marks are own orders. A click sets the price of the ticket; so do arrow keys and Enter.
 */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { decimalsOf, formatUnits, shownUnits } from '../book/decimals.ts'
import type { PriceGroup } from '../book/price-groups.ts'
import { priceSteps } from '../book/price-groups.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { usePainted } from '../toolkit/canvas.ts'
import { requestFrame } from '../toolkit/frames.ts'
import { LadderMirror } from './ladder-mirror.tsx'
import {
  type LadderRows,
  ladderRows,
  type OwnOrders,
  ownByGroup,
  spreadText,
} from './ladder-rows.ts'
import { type LadderView, paintLadder, ROW_HEIGHT, SPREAD_HEIGHT } from './paint-ladder.ts'

interface LadderProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  readonly own: OwnOrders
  readonly pick: (price: string, isBid: boolean) => void
}

const rowsWithin = (height: number) =>
  Math.max(1, Math.floor((height - SPREAD_HEIGHT) / 2 / ROW_HEIGHT))

/** The group that lies at a height of the canvas. */
function groupAt({ asks, bids }: LadderRows, y: number, height: number) {
  const middle = height / 2
  const half = SPREAD_HEIGHT / 2
  const isBid = y > middle + half
  if (!isBid && y > middle - half) return undefined
  const index = Math.floor((isBid ? y - middle - half : middle - half - y) / ROW_HEIGHT)
  const group = (isBid ? bids : asks)[index]
  return group === undefined ? undefined : { group, isBid }
}

export function Ladder({ market, symbol, own, pick }: LadderProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const step = useSignal(symbol.tick)
  const hovered = useRef<number | undefined>(undefined)
  /** The row chosen by keys: 1 is the best ask, -1 the best bid. */
  const cursor = useRef(0)
  const shown = useRef<LadderRows>({ asks: [], bids: [], totalMax: 0 })

  const [version, paint] = useMemo(() => {
    const ownGroups = ownByGroup(own)
    const version = () =>
      `${market.book.version} ${market.isBookLive.value} ${own.version()} ${step.value} ` +
      `${hovered.current} ${cursor.current} ${market.last.value?.price} ${symbol.symbol} ` +
      `${market.auction.value?.price} ${market.auction.value?.quantity}`
    const paint = (surface: LadderView['surface']) => {
      const rows = ladderRows(market.book, step.value, rowsWithin(surface.height))
      shown.current = rows
      paintLadder({
        ...{ surface, rows, symbol, cursor: cursor.current },
        spread: spreadText(market.book, symbol, market.auction.value),
        own: ownGroups(step.value),
        isLive: market.isBookLive.value,
        last: market.last.value,
        hoveredY: hovered.current,
      })
    }
    return [version, paint]
  }, [market, symbol, own, step])
  usePainted(canvas, version, paint)

  const choose = (group: PriceGroup, isBid: boolean) =>
    pick(formatUnits(group.price, symbol.priceScale, symbol.priceDecimals), isBid)
  const hover = (y: number | undefined) => {
    hovered.current = y
    requestFrame()
  }
  const press = (event: KeyboardEvent) => {
    const { asks, bids } = shown.current
    if (event.key === 'ArrowUp') cursor.current += cursor.current === -1 ? 2 : 1
    else if (event.key === 'ArrowDown') cursor.current -= cursor.current === 1 ? 2 : 1
    else if (event.key === 'Enter' && cursor.current !== 0) {
      const isBid = cursor.current < 0
      const group = (isBid ? bids : asks)[Math.abs(cursor.current) - 1]
      if (group !== undefined) choose(group, isBid)
    } else return
    event.preventDefault()
    cursor.current = Math.max(-bids.length, Math.min(asks.length, cursor.current))
    requestFrame()
  }
  return (
    <section class="panel ladder" aria-label="Order book">
      <header class="panel-head">
        <h2>Order book</h2>
        <StepChoice market={market} symbol={symbol} step={step} />
      </header>
      <div class="columns" aria-hidden="true">
        <span>Price ({symbol.quoteAsset})</span>
        <span>Size ({symbol.baseAsset})</span>
        <span>Total</span>
      </div>
      <button
        type="button"
        class="fill"
        aria-label="Order book ladder: arrow keys choose a price, Enter sets it in the order ticket"
        aria-describedby="ladder-mirror"
        onClick={({ offsetY, currentTarget }) => {
          const found = groupAt(shown.current, offsetY, currentTarget.clientHeight)
          if (found !== undefined) choose(found.group, found.isBid)
        }}
        onMouseMove={({ offsetY }) => hover(offsetY)}
        onMouseLeave={() => hover(undefined)}
        onKeyDown={press}
      >
        <canvas ref={canvas} />
      </button>
      <LadderMirror market={market} symbol={symbol} step={step.value} own={own} />
    </section>
  )
}

interface StepChoiceProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  readonly step: { value: number }
}

function StepChoice({ market, symbol, step }: StepChoiceProps) {
  const price = Number(market.last.value?.price ?? 0) * 10 ** symbol.priceScale
  const steps = priceSteps(symbol.tick, Math.max(price, symbol.tick * 5_000))
  const text = (it: number) => {
    const whole = formatUnits(it, symbol.priceScale, symbol.priceScale)
    return shownUnits(it, symbol.priceScale, decimalsOf(whole))
  }
  return (
    <label class="step">
      <span class="hidden">Price step</span>
      <select
        value={String(step.value)}
        onChange={({ currentTarget }) => {
          step.value = Number(currentTarget.value)
          requestFrame()
        }}
      >
        {steps.map((it) => (
          <option key={it} value={String(it)}>
            {text(it)}
          </option>
        ))}
      </select>
    </label>
  )
}
