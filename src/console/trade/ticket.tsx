/** The order ticket: fields by the kind of order, filters checked while typing. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { parseAtoms, shown } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { isInCall, type MarketSymbol } from '../market/symbols.ts'
import type { Account } from './account.ts'
import { bestOf, PriceTools, Question, Shares, Total } from './amount-fields.tsx'
import { faultsOf } from './order-checks.ts'
import { type Field, groupsOf, kindsOf, kindText, sideFault } from './order-kinds.ts'
import type { OrderSender } from './order-sender.ts'
import {
  estimateOf,
  type Impact,
  impactOf,
  totalText,
  type Wanted,
  wantedOf,
} from './order-total.ts'
import { placeOrder } from './place-order.ts'
import { sizingOf, stepOf, stepped } from './ticket-amounts.ts'
import {
  areQuantitiesKept,
  boundPercent,
  isAsking,
  setSlippageBound,
  slippageBound,
  type TicketForm,
  toggleKeeping,
} from './ticket-form.ts'

interface TicketProps {
  readonly market: Market
  readonly account: Account
  readonly sender: OrderSender
  /** The market as it is now. */
  readonly now: MarketSymbol
  readonly form: TicketForm
}

const SIDES = [
  ['BUY', 'Buy'],
  ['SELL', 'Sell'],
] as const

export function Ticket({ market, account, sender, now, form }: TicketProps): JSX.Element {
  const { value: symbol = now } = form.symbol
  const { value: kind } = form.kind
  const { value: values } = form.values
  const { value: side } = form.side
  const { value: balances } = account.balances
  const estimate = useEstimate(market, symbol, side)
  usePrefill(market, symbol, form)
  const faults = faultsOf(symbol, kind, values, {
    side,
    average: market.average.value,
    reference: market.reference.value,
    last: market.last.value?.price ?? '',
    free: balances.size === 0 ? undefined : (asset) => balances.get(asset)?.free ?? '0',
    cost: estimate && ((atoms) => estimate({ of: 'quantity', atoms }).cost),
  })
  const trouble = sideFault(kind, side) || troubleOf(market, account, now)
  const { value: lock } = form.lock
  const wanted = kind === 'MARKET' ? wantedOf(symbol, values) : undefined
  const impact = wanted && estimate && impactOf(symbol, wanted, estimate(wanted))
  const isMarketReady = wanted !== undefined && faults.size === 0
  const warning = isMarketReady ? warningOf(market, side, impact) : ''
  const isAccepted = warning === '' || form.accepted.value === form.content
  const isHeld = trouble !== '' || lock !== '' || form.isSending.value
  const isOff = faults.size > 0 || isHeld || !isAccepted
  const isAsked = form.asked.value === form.content
  const send = () => void placeOrder(sender, { symbol, kind, side, values }, form)
  const submit = (event: Event) => {
    event.preventDefault()
    if (isOff || isAsked) return
    if (isAsking.value) form.asked.value = form.content
    else send()
  }
  const asset = side === 'BUY' ? symbol.quoteAsset : symbol.baseAsset
  const free = parseAtoms(balances.get(asset)?.free ?? '0') ?? 0n
  return (
    <form class="form" aria-label="Order ticket" onSubmit={submit}>
      <Sides form={form} />
      <label class="field">
        <span>Order type</span>
        <select
          id="order-kind"
          value={kind}
          onChange={({ currentTarget }) => {
            form.kind.value = currentTarget.value
          }}
        >
          {kindsOf(symbol).map((name) => (
            <option key={name} value={name}>
              {kindText(name)}
            </option>
          ))}
        </select>
      </label>
      {groupsOf(symbol, kind, values).map(({ title, fields }) => (
        <fieldset key={title} class="group">
          {title !== '' && <legend>{title}</legend>}
          {fields.map((field) => (
            <TicketField
              key={field.name}
              {...{ market, symbol, field, form }}
              fault={faults.get(field.name)}
            />
          ))}
        </fieldset>
      ))}
      <Shares form={form} sizing={sizingOf(symbol, kind, side, values, free, estimate)} />
      <Total symbol={symbol} form={form} />
      <Prevention symbol={symbol} form={form} />
      <Funds
        account={account}
        symbol={symbol}
        form={form}
        total={totalText(symbol, kind, values, estimate)}
        impact={impact}
      />
      {kind === 'MARKET' && <SlippageBound />}
      <Choices />
      {isInCall(now) && (
        <p class="note" role="status">
          {now.status}: orders gather, and trade together when the auction ends.
        </p>
      )}
      {lock !== '' && <Lock form={form} now={now} />}
      {warning !== '' && <Warning form={form} text={warning} />}
      {trouble !== '' && (
        <p class="note" role="status">
          {trouble}
        </p>
      )}
      {isAsked && <Question form={form} symbol={symbol} isOff={isOff} send={send} />}
      <button type="submit" class={`wide ${side.toLowerCase()}`} disabled={isOff || isAsked}>
        {side === 'BUY' ? 'Buy' : 'Sell'} {symbol.baseAsset}
      </button>
    </form>
  )
}

/** What the browser remembers of how orders are placed. */
const Choices = (): JSX.Element => (
  <>
    <label class="note">
      <input type="checkbox" checked={areQuantitiesKept.value} onChange={toggleKeeping} /> Keep the
      quantity after an order
    </label>
    <label class="note">
      <input
        type="checkbox"
        checked={isAsking.value}
        onChange={({ currentTarget }) => {
          isAsking.value = currentTarget.checked
        }}
      />{' '}
      Ask before an order is sent
    </label>
  </>
)

const Sides = ({ form }: Pick<TicketProps, 'form'>): JSX.Element => (
  <fieldset class="sides" aria-label="Side">
    {SIDES.map(([name, label]) => (
      <button
        key={name}
        type="button"
        class={name.toLowerCase()}
        aria-pressed={form.side.value === name}
        onClick={() => {
          form.side.value = name
        }}
      >
        {label}
      </button>
    ))}
  </fieldset>
)

/** Why no order can be sent now; '' when one can. */
function troubleOf(
  { state, isEnding }: Market,
  account: Account,
  { symbol, status }: MarketSymbol,
): string {
  const isOpen = state.value === 'open' && account.state.value === 'open'
  if (!isOpen) return 'Not connected: no order can be sent.'
  if (isEnding.value) return 'The exchange is shutting down: no order can be sent.'
  return status === 'TRADING' || isInCall({ status }) ? '' : `${symbol} takes no orders: ${status}.`
}

/** Returns what the book would fill of a quantity at once; undefined while the book is not live. */
function useEstimate(market: Market, symbol: MarketSymbol, side: 'BUY' | 'SELL') {
  const { book, bookVersion, isBookLive } = market
  // Reading the version renders the ticket again when levels change.
  if (bookVersion.value < 0 || !isBookLive.value) return undefined
  const levels = side === 'BUY' ? book.asks : book.bids
  return (wanted: Wanted) => estimateOf(symbol, levels, wanted)
}

/** Begins with the side's best price, once there is one. */
function usePrefill(market: Market, symbol: MarketSymbol, form: TicketForm): void {
  const { value: side } = form.side
  const { value: kind } = form.kind
  const { value: isLive } = market.isBookLive
  useEffect(() => {
    const best = isLive ? bestOf(market, symbol, side) : undefined
    if (best !== undefined) form.prefill(best)
  }, [market, symbol.symbol, form, side, kind, isLive])
}

/** What a market order may do that its sender did not mean; '' for nothing. */
function warningOf(
  { book, isBookLive }: Market,
  side: 'BUY' | 'SELL',
  impact: Impact | undefined,
): string {
  if (!isBookLive.value) return 'There is no live order book to estimate the price from.'
  if (impact === undefined) return 'The order book has nothing to fill this order.'
  if (impact.rest !== '') {
    return book.isWhole(side === 'BUY' ? 'asks' : 'bids')
      ? `The order book is too thin: ${impact.rest} would not be filled.`
      : `${impact.rest} go beyond the levels of the order book that the page has loaded.`
  }
  const bound = boundPercent()
  if (impact.slippage <= bound) return ''
  return `Estimated slippage ${percentText(impact.slippage)} is beyond your bound of ${bound}%.`
}

const percentText = (percent: number): string => `${percent.toFixed(3)}%`

/** Nothing of what was typed is sent otherwise than it was shown. */
const Lock = ({ form, now }: Pick<TicketProps, 'form' | 'now'>): JSX.Element => (
  <div class="warning" role="alert">
    <p>{form.lock.value} The ticket is locked.</p>
    <button type="button" class="small" onClick={() => form.takeRules(now)}>
      Show what {now.symbol} takes now
    </button>
  </div>
)

interface WarningProps {
  readonly form: TicketForm
  readonly text: string
}

/** An order that the page warns of is sent only once that was accepted, for what is typed now. */
const Warning = ({ form, text }: WarningProps): JSX.Element => (
  <div class="warning" role="alert">
    <p>{text}</p>
    <label>
      <input
        type="checkbox"
        checked={form.accepted.value === form.content}
        onChange={({ currentTarget }) => {
          form.accepted.value = currentTarget.checked ? form.content : ''
        }}
      />{' '}
      Send it all the same
    </label>
  </div>
)

const SlippageBound = (): JSX.Element => (
  <label class="field row">
    <span>Warn of slippage beyond</span>
    <span class="with-unit short">
      <input
        id="slippage-bound"
        inputMode="decimal"
        autocomplete="off"
        value={slippageBound.value}
        aria-invalid={parseAtoms(slippageBound.value) === undefined}
        onInput={({ currentTarget }) => setSlippageBound(currentTarget.value)}
      />
      <i>%</i>
    </span>
  </label>
)

interface FieldProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  readonly field: Field
  readonly form: TicketForm
  readonly fault: string | undefined
}

function ChoiceField({ field, form }: Pick<FieldProps, 'field' | 'form'>): JSX.Element {
  const { name, label, choices = [] } = field
  const value = form.values.value[name] ?? ''
  return (
    <label class="field">
      <span>{label}</span>
      <select
        name={name}
        value={choices.includes(value) ? value : choices[0]}
        onChange={({ currentTarget }) => form.set(name, currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice.length <= 4 ? choice : kindText(choice)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Steps that a key goes. */
const ARROWS: Readonly<Record<string, bigint>> = { ArrowUp: 1n, ArrowDown: -1n }

function TicketField(props: FieldProps): JSX.Element {
  return props.field.choices === undefined ? (
    <>
      <Decimal {...props} />
      <PriceTools {...props} />
    </>
  ) : (
    <ChoiceField {...props} />
  )
}

/** A decimal, which arrow keys and the wheel move by its step; with Shift by ten. */
function Decimal({ symbol, field, form, fault }: FieldProps): JSX.Element {
  const { name, label, unit, isOptional } = field
  const value = form.values.value[name] ?? ''
  const faultId = `${name}-fault`
  const isBad = fault !== undefined && fault !== ''
  const step = stepOf(symbol, form.kind.value, field.form)
  const move = (event: KeyboardEvent | WheelEvent, by: bigint | undefined) => {
    if (by === undefined || step === undefined || event.target !== document.activeElement) return
    event.preventDefault()
    form.set(name, stepped(value, step, event.shiftKey ? 10n * by : by))
  }
  return (
    <label class="field">
      <span>
        {label} {isOptional && <i>optional</i>}
      </span>
      <span class="with-unit">
        <input
          name={name}
          inputMode="decimal"
          autocomplete="off"
          value={value}
          aria-invalid={isBad}
          aria-describedby={isBad ? faultId : undefined}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value)}
          onKeyDown={(event) => move(event, ARROWS[event.key])}
          onWheel={(event) => move(event, event.deltaY < 0 ? 1n : -1n)}
        />
        <i>{unit}</i>
      </span>
      {isBad && (
        <em id={faultId} class="fault">
          {fault}
        </em>
      )}
    </label>
  )
}

interface PreventionProps {
  readonly symbol: MarketSymbol
  readonly form: TicketForm
}

function Prevention({ symbol, form }: PreventionProps): JSX.Element {
  const name = 'selfTradePreventionMode'
  return (
    <label class="field row">
      <span>Self-trade prevention</span>
      <select
        name={name}
        value={form.values.value[name] ?? ''}
        onChange={({ currentTarget }) => form.set(name, currentTarget.value)}
      >
        <option value="">Default</option>
        {symbol.allowedSelfTradePreventionModes.map((mode) => (
          <option key={mode} value={mode}>
            {kindText(mode)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface FundsProps extends PreventionProps {
  readonly account: Account
  readonly total: string
  /** Estimated impact of a market order. */
  readonly impact: Impact | undefined
}

/** What is free to spend, and what the order would move. */
function Funds({ account, symbol, form, total, impact }: FundsProps): JSX.Element {
  const isBuy = form.side.value === 'BUY'
  const asset = isBuy ? symbol.quoteAsset : symbol.baseAsset
  const free = account.balances.value.get(asset)?.free ?? '0'
  const { value: rates } = account.rates
  const percent = (rate: string) => `${Number((Number(rate) * 100).toFixed(6))}%`
  return (
    <dl class="pairs">
      <div>
        <dt>Available</dt>
        <dd>
          {shown(free)} {asset}
        </dd>
      </div>
      <div>
        <dt>Total</dt>
        <dd id="total">{total}</dd>
      </div>
      {impact !== undefined && (
        <>
          <div>
            <dt>Estimated average</dt>
            <dd id="average">
              {impact.average} {symbol.quoteAsset}
            </dd>
          </div>
          <div>
            <dt>Estimated slippage</dt>
            <dd id="slippage">{percentText(impact.slippage)}</dd>
          </div>
        </>
      )}
      {rates !== undefined && (
        <div>
          <dt>Maker / taker rate</dt>
          <dd>
            {percent(rates.maker)} / {percent(rates.taker)}
          </dd>
        </div>
      )}
    </dl>
  )
}
