/** The order ticket: fields by the kind of order, filters checked while typing. */
import type { JSX } from 'preact'
import { trimmed } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import type { Account } from './account.ts'
import { faultsOf } from './order-checks.ts'
import { type Field, groupsOf, kindsOf } from './order-kinds.ts'
import { estimateOf, totalText } from './order-total.ts'
import { placeOrder } from './place-order.ts'
import { areQuantitiesKept, type TicketForm, toggleKeeping } from './ticket-form.ts'

interface TicketProps {
  readonly market: Market
  readonly account: Account
  readonly symbol: MarketSymbol
  readonly form: TicketForm
}

export const kindText = (kind: string): string =>
  kind.length <= 5 && kind !== 'LIMIT'
    ? kind
    : `${kind[0]}${kind.slice(1).toLowerCase().replaceAll('_', ' ')}`

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
    cost: estimate && ((quantity) => estimate(quantity).cost),
  })
  const trouble = troubleOf(market, symbol)
  const isOff = faults.size > 0 || trouble !== '' || form.isSending.value
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
      />
      <label class="note">
        <input type="checkbox" checked={areQuantitiesKept.value} onChange={toggleKeeping} /> Keep
        the quantity after an order
      </label>
      {trouble !== '' && (
        <p class="note" role="status">
          {trouble}
        </p>
      )}
      <button type="submit" class={`wide ${side.toLowerCase()}`} disabled={isOff}>
        {side === 'BUY' ? 'Buy' : 'Sell'} {symbol.baseAsset}
      </button>
      <NoticeLine account={account} />
    </form>
  )
}

/** Why no order can be sent now; '' when one can. */
function troubleOf({ state }: Market, { symbol, status }: MarketSymbol): string {
  if (state.value !== 'open') return 'Not connected: no order can be sent.'
  return status === 'TRADING' ? '' : `${symbol} takes no orders: ${status}.`
}

/** Returns what the book would fill of a quantity at once; undefined while the book is not live. */
function useEstimate(market: Market, symbol: MarketSymbol, side: 'BUY' | 'SELL') {
  const { book, bookVersion, isBookLive } = market
  // Reading the version renders the ticket again when levels change.
  if (bookVersion.value < 0 || !isBookLive.value) return undefined
  const levels = side === 'BUY' ? book.asks : book.bids
  return (quantity: bigint) => estimateOf(symbol, levels, quantity)
}

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
}

/** What is free to spend, and what the order would move. */
function Funds({ account, symbol, form, total }: FundsProps): JSX.Element {
  const isBuy = form.side.value === 'BUY'
  const asset = isBuy ? symbol.quoteAsset : symbol.baseAsset
  const free = account.balances.value.get(asset)?.free ?? '0'
  const { value: rates } = account.rates
  const percent = (rate: string) => `${Number((Number(rate) * 100).toFixed(6))}%`
  return (
    <dl class="funds">
      <dt>Available</dt>
      <dd class="figure">
        {trimmed(free)} {asset}
      </dd>
      <dt>Total</dt>
      <dd id="total" class="figure">
        {total}
      </dd>
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

function NoticeLine({ account }: { readonly account: Account }): JSX.Element {
  const { text, outcome, tone, number } = account.notice.value
  return (
    <>
      <p
        id="notice"
        data-number={number}
        class={`note ${tone}`}
        role={tone === 'bad' ? 'alert' : 'status'}
        aria-busy={account.inFlight.value > 0}
      >
        {text}
      </p>
      <p id="outcome" class="note" role="status">
        {outcome}
      </p>
      <p id="news" class="note" role="status">
        {account.news.value}
      </p>
    </>
  )
}
