/** The order ticket: fields by the kind of order, filters checked while typing. */
import type { JSX } from 'preact'
import { parseAtoms, shown } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { isInCall, type MarketSymbol } from '../market/symbols.ts'
import type { Account } from './account.ts'
import { faultsOf } from './order-checks.ts'
import { type Field, groupsOf, kindsOf, kindText } from './order-kinds.ts'
import {
  estimateOf,
  type Impact,
  impactOf,
  totalText,
  type Wanted,
  wantedOf,
} from './order-total.ts'
import { placeOrder } from './place-order.ts'
import {
  areQuantitiesKept,
  boundPercent,
  setSlippageBound,
  slippageBound,
  type TicketForm,
  toggleKeeping,
} from './ticket-form.ts'

interface TicketProps {
  readonly market: Market
  readonly account: Account
  readonly symbol: MarketSymbol
  readonly form: TicketForm
}

const SIDES = [
  ['BUY', 'Buy'],
  ['SELL', 'Sell'],
] as const

export function Ticket({ market, account, symbol, form }: TicketProps): JSX.Element {
  const kinds = kindsOf(symbol)
  const kind = kinds.includes(form.kind.value) ? form.kind.value : kinds[0]!
  const { value: values } = form.values
  const { value: side } = form.side
  const { value: balances } = account.balances
  const estimate = useEstimate(market, symbol, side)
  const faults = faultsOf(symbol, kind, values, {
    side,
    average: market.average.value,
    last: market.last.value?.price ?? '',
    free: balances.size === 0 ? undefined : (asset) => balances.get(asset)?.free ?? '0',
    cost: estimate && ((atoms) => estimate({ of: 'quantity', atoms }).cost),
  })
  const trouble = troubleOf(market, symbol)
  const wanted = kind === 'MARKET' ? wantedOf(symbol, values) : undefined
  const impact = wanted && estimate && impactOf(symbol, wanted, estimate(wanted))
  const isMarketReady = wanted !== undefined && faults.size === 0
  const warning = isMarketReady ? warningOf(market, side, impact) : ''
  const isAccepted = warning === '' || form.accepted.value === form.content
  const isOff = faults.size > 0 || trouble !== '' || form.isSending.value || !isAccepted
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isOff) void placeOrder(account, symbol, kind, form)
  }
  return (
    <form class="form" aria-label="Order ticket" onSubmit={submit}>
      <fieldset class="sides" aria-label="Side">
        {SIDES.map(([name, label]) => (
          <button
            key={name}
            type="button"
            class={name.toLowerCase()}
            aria-pressed={side === name}
            onClick={() => {
              form.side.value = name
            }}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <label class="field">
        <span>Order type</span>
        <select
          id="order-kind"
          value={kind}
          onChange={({ currentTarget }) => {
            form.kind.value = currentTarget.value
          }}
        >
          {kinds.map((name) => (
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
              field={field}
              form={form}
              fault={faults.get(field.name)}
            />
          ))}
        </fieldset>
      ))}
      <Prevention symbol={symbol} form={form} />
      <Funds
        account={account}
        symbol={symbol}
        form={form}
        total={totalText(symbol, kind, values, estimate)}
        impact={impact}
      />
      {kind === 'MARKET' && <SlippageBound />}
      <label class="note">
        <input type="checkbox" checked={areQuantitiesKept.value} onChange={toggleKeeping} /> Keep
        the quantity after an order
      </label>
      {isInCall(symbol) && (
        <p class="note" role="status">
          {symbol.status}: orders gather, and trade together when the auction ends.
        </p>
      )}
      {warning !== '' && <Warning form={form} text={warning} />}
      {trouble !== '' && (
        <p class="note" role="status">
          {trouble}
        </p>
      )}
      <button type="submit" class={`wide ${side.toLowerCase()}`} disabled={isOff}>
        {side === 'BUY' ? 'Buy' : 'Sell'} {symbol.baseAsset}
      </button>
    </form>
  )
}

/** Why no order can be sent now; '' when one can. */
function troubleOf({ state, isEnding }: Market, { symbol, status }: MarketSymbol): string {
  if (state.value !== 'open') return 'Not connected: no order can be sent.'
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
  readonly field: Field
  readonly form: TicketForm
  readonly fault: string | undefined
}

function TicketField({ field, form, fault }: FieldProps): JSX.Element {
  const { name, label, unit, choices, isOptional } = field
  const value = form.values.value[name] ?? ''
  const change = (text: string) => form.set(name, text)
  if (choices !== undefined) {
    return (
      <label class="field">
        <span>{label}</span>
        <select
          name={name}
          value={choices.includes(value) ? value : choices[0]}
          onChange={({ currentTarget }) => change(currentTarget.value)}
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
  const faultId = `${name}-fault`
  const isBad = fault !== undefined && fault !== ''
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
          onInput={({ currentTarget }) => change(currentTarget.value)}
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

function Prevention({ symbol, form }: Omit<TicketProps, 'market' | 'account'>): JSX.Element {
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

interface FundsProps extends Omit<TicketProps, 'market'> {
  readonly total: string
  /** Of a market order. */
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
    <dl class="funds">
      <dt>Available</dt>
      <dd class="figure">
        {shown(free)} {asset}
      </dd>
      <dt>Total</dt>
      <dd id="total" class="figure">
        {total}
      </dd>
      {impact !== undefined && (
        <>
          <dt>Estimated average</dt>
          <dd id="average" class="figure">
            {impact.average} {symbol.quoteAsset}
          </dd>
          <dt>Estimated slippage</dt>
          <dd id="slippage" class="figure">
            {percentText(impact.slippage)}
          </dd>
        </>
      )}
      {rates !== undefined && (
        <>
          <dt>Maker / taker rate</dt>
          <dd class="figure">
            {percent(rates.maker)} / {percent(rates.taker)}
          </dd>
        </>
      )}
    </dl>
  )
}
