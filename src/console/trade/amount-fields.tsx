/** Parts of the ticket that fill in its fields: best prices, presets of stops, shares of free funds, the total. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { formatUnits } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { useRoving } from '../toolkit/use-roving.ts'
import { isStop } from './market-checks.ts'
import { type Field, groupsOf, kindText, NO_PEG } from './order-kinds.ts'
import {
  awayBy,
  isTriggerAbove,
  percentOf,
  productOf,
  quantityOf,
  type Sizing,
  shareOf,
  totalNames,
} from './ticket-amounts.ts'
import { PICKED, type TicketForm } from './ticket-form.ts'

const SHARES = [25, 50, 75, 100]
/** Percent of the last price, and basis points of a trailing stop. */
const STOP_PERCENTS = [1, 2, 5, 10]
const TRAILING_POINTS = [50, 100, 200, 500]

/** Returns a side's best price as the ladder shows it; undefined while it has none. */
export function bestOf(
  { book }: Market,
  { priceScale, priceDecimals }: MarketSymbol,
  side: 'BUY' | 'SELL',
): string | undefined {
  const { best } = side === 'BUY' ? book.bids : book.asks
  return best === undefined ? undefined : formatUnits(best, priceScale, priceDecimals)
}

interface QuickProps {
  readonly label: string
  readonly choices: readonly (readonly [name: string, set: () => void])[]
  readonly isOff?: boolean
}

/** A row of buttons, one tab stop. */
function Quick({ label, choices, isOff = false }: QuickProps): JSX.Element {
  const row = useRef<HTMLFieldSetElement>(null)
  useRoving(row, 'button')
  return (
    <fieldset ref={row} class="quick" aria-label={label} disabled={isOff}>
      {choices.map(([name, set]) => (
        <button key={name} type="button" class="small" onClick={set}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}

interface ToolsProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  readonly field: Field
  readonly form: TicketForm
}

/** Best prices for a limit that is placed at once; distances from the last price for stops. */
export function PriceTools({ market, symbol, field, form }: ToolsProps): JSX.Element | null {
  const { name, label } = field
  if (field.form === 'points') {
    const set = (points: number) => () => form.set(name, String(points))
    const choices = TRAILING_POINTS.map((it) => [`${it / 100}%`, set(it)] as const)
    return <Quick label={`${label}, presets`} choices={choices} />
  }
  if (field.form !== 'price') return null
  if (isStop(name)) {
    const { value: values } = form.values
    const isAbove = isTriggerAbove(form.kind.value, form.side.value, values, name)
    const last = market.last.value?.price
    const set = (percent: number) => () => {
      if (last !== undefined) form.set(name, awayBy(symbol, last, percent, isAbove))
    }
    const sign = isAbove ? '+' : '−'
    const choices = STOP_PERCENTS.map((it) => [`${sign}${it}%`, set(it)] as const)
    return <Quick label={`${label}, presets`} choices={choices} isOff={last === undefined} />
  }
  if (!PICKED.includes(name)) return null
  const set = (side: 'BUY' | 'SELL') => () => {
    const best = bestOf(market, symbol, side)
    if (best !== undefined) form.set(name, best)
  }
  const choices = [['Best bid', set('BUY')] as const, ['Best ask', set('SELL')] as const]
  return <Quick label={`${label}, best prices`} choices={choices} />
}

interface SharesProps {
  readonly form: TicketForm
  readonly sizing: Sizing | undefined
}

export function Shares({ form, sizing }: SharesProps): JSX.Element {
  const set = (percent: number) => {
    if (sizing === undefined) return
    // A market order is by quantity or by amount.
    for (const name of ['quantity', 'quoteOrderQty']) {
      if (name !== sizing.name && form.values.value[name]) form.set(name, '')
    }
    form.set(sizing.name, percent === 0 ? '' : shareOf(sizing, percent))
  }
  const percent = sizing === undefined ? 0 : percentOf(sizing, form.values.value)
  return (
    <div class="shares">
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        aria-label="Share of available funds, percent"
        value={percent}
        disabled={sizing === undefined}
        onInput={({ currentTarget }) => set(Number(currentTarget.value))}
      />
      <Quick
        label="Shares of available funds"
        choices={SHARES.map((it) => [`${it}%`, () => set(it)] as const)}
        isOff={sizing === undefined}
      />
    </div>
  )
}

interface TotalProps {
  readonly symbol: MarketSymbol
  readonly form: TicketForm
}

/** The total of one limit price, which sets the quantity. */
export function Total({ symbol, form }: TotalProps): JSX.Element | null {
  const { value: values } = form.values
  const names = totalNames(symbol, form.kind.value, values)
  if (names === undefined) return null
  const [price = '', quantity = ''] = [values[names.price], values[names.quantity]]
  const { value: typed } = form.total
  const isTyped = typed.price === price && typed.quantity === quantity && typed.text !== ''
  const change = (text: string) => {
    const next = quantityOf(symbol, text, price)
    form.set(names.quantity, next)
    form.total.value = { text, price, quantity: next }
  }
  return (
    <label class="field">
      <span>Total</span>
      <span class="with-unit">
        <input
          id="total-wanted"
          inputMode="decimal"
          autocomplete="off"
          value={isTyped ? typed.text : productOf(price, quantity)}
          disabled={price === ''}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
        <i>{symbol.quoteAsset}</i>
      </span>
    </label>
  )
}

interface QuestionProps extends TotalProps {
  readonly isOff: boolean
  readonly send: () => void
}

/** Asks to confirm the order as it is typed now; typing anything else withdraws the dialog. */
export function Question({ form, symbol, isOff, send }: QuestionProps): JSX.Element {
  const { value: kind } = form.kind
  const { value: values } = form.values
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => yes.current?.focus(), [])
  const parts = groupsOf(symbol, kind, values).flatMap(({ title, fields }) =>
    fields.flatMap(({ name, label, unit = '', choices = [] }) => {
      const typed = (values[name] ?? '').trim()
      const text = choices.length > 0 && !choices.includes(typed) ? choices[0]! : typed
      return text === '' || text === NO_PEG
        ? []
        : [`${title} ${label} ${kindText(text)} ${unit}`.trim()]
    }),
  )
  const side = form.side.value === 'BUY' ? 'Buy' : 'Sell'
  const end = () => {
    form.asked.value = ''
  }
  return (
    <div class="warning" role="alertdialog" aria-label="Send this order?">
      <p>
        {side} {symbol.symbol}, {kindText(kind)}: {parts.join(', ')}.
      </p>
      <div class="actions">
        <button type="button" class="small" onClick={end}>
          Back
        </button>
        <button ref={yes} type="button" class="small" disabled={isOff} onClick={send}>
          Send order
        </button>
      </div>
    </div>
  )
}
