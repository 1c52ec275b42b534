/**
 * The depth ladder on a canvas: asks above, the spread, bids below. Bars are totals from the best price
 * on, marks are own orders. A click sets the price of the ticket; so do arrow keys and Enter.
 */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { decimalsOf, formatUnits, shownUnits } from '../book/decimals.ts'
import type { PriceGroup } from '../book/price-groups.ts'
import { priceSteps } from '../book/price-groups.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { usePainted } from '../toolkit/canvas.ts'
import { requestFrame } from '../toolkit/frames.ts'
import { kept } from '../toolkit/kept.ts'
import { oneOf } from '../toolkit/kept-value.ts'
import { useRoving } from '../toolkit/use-roving.ts'
import { LadderMirror } from './ladder-mirror.tsx'
import {
  groupAt,
  type LadderRows,
  type LadderShape,
  ladderRows,
  type OwnOrders,
  ownByGroup,
  SIDES,
  shapeOf,
  spreadText,
  sumsText,
} from './ladder-rows.ts'
import { type LadderView, paintLadder } from './paint-ladder.ts'

interface LadderProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  readonly own: OwnOrders
  readonly pick: (price: string, isBid: boolean) => void
  /** What else lies in the panel. */
  readonly children: JSX.Element
}

const shownSides = kept('book-sides', 'both', oneOf(SIDES))

/** Paints the canvas, and returns what is shown and chosen in it. */
function usePaintedRows(
  canvas: RefObject<HTMLCanvasElement | null>,
  { market, symbol, own }: Omit<LadderProps, 'pick' | 'children'>,
  step: ReadonlySignal<number>,
) {
  const hovered = useRef<number | undefined>(undefined)
  /** The row chosen by keys: 1 is the best ask, -1 the best bid. */
  const cursor = useRef(0)
  const shown = useRef<LadderRows>({ asks: [], bids: [], totalMax: 0 })
  /** What the levels up to the chosen row come to. */
  const sums = useSignal('')

  const [version, paint] = useMemo(() => {
    const ownGroups = ownByGroup(own)
    const version = () =>
      `${market.book.version} ${market.isBookLive.value} ${own.version()} ${step.value} ` +
      `${hovered.current} ${cursor.current} ${market.last.value?.price} ${symbol.symbol} ` +
      `${market.auction.value?.price} ${market.auction.value?.quantity} ${shownSides.value}`
    const paint = (surface: LadderView['surface']) => {
      const shape = shapeOf(surface.height, shownSides.value)
      const rows = ladderRows(market.book, step.value, shape.rows, shownSides.value)
      shown.current = rows
      const chosen = chosenGroup(rows, shape, hovered.current, cursor.current)
      sums.value = chosen === undefined ? '' : sumsText(market.book, symbol, step.value, chosen)
      paintLadder({
        surface,
        rows,
        shape,
        symbol,
        cursor: cursor.current,
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
  return { hovered, cursor, shown, sums }
}

export function Ladder({ market, symbol, own, pick, children }: LadderProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const step = useSignal(symbol.tick)
  const { hovered, cursor, shown, sums } = usePaintedRows(canvas, { market, symbol, own }, step)
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
      {children}
      <header class="panel-head">
        <h2>Book</h2>
        <SidesChoice />
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
          const shape = shapeOf(currentTarget.clientHeight, shownSides.value)
          const found = groupAt(shown.current, shape, offsetY)
          if (found !== undefined) choose(found.group, found.isBid)
        }}
        onMouseMove={({ offsetY }) => hover(offsetY)}
        onMouseLeave={() => hover(undefined)}
        onKeyDown={press}
      >
        <canvas ref={canvas} />
      </button>
      <Sums text={sums} />
      <LadderMirror market={market} symbol={symbol} step={step.value} own={own} />
    </section>
  )
}

/** The group under the pointer, or else the one chosen by keys. */
function chosenGroup(rows: LadderRows, shape: LadderShape, y: number | undefined, cursor: number) {
  if (y !== undefined) return groupAt(rows, shape, y)
  const isBid = cursor < 0
  const group = (isBid ? rows.bids : rows.asks)[Math.abs(cursor) - 1]
  return group === undefined ? undefined : { group, isBid }
}

const Sums = ({ text }: { readonly text: ReadonlySignal<string> }): JSX.Element => (
  <p class="sums figure">{text.value}</p>
)

const SIDE_NAMES = { both: 'Both', bids: 'Bids', asks: 'Asks' } as const

function SidesChoice(): JSX.Element {
  const row = useRef<HTMLDivElement>(null)
  useRoving(row, 'button')
  return (
    <div ref={row} class="tabs">
      {SIDES.map((sides) => (
        <button
          key={sides}
          type="button"
          aria-pressed={shownSides.value === sides}
          onClick={() => {
            shownSides.value = sides
            requestFrame()
          }}
        >
          {SIDE_NAMES[sides]}
        </button>
      ))}
    </div>
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
