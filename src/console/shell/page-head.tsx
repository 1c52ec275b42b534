/** The line above all panels: the symbol, its last 24 hours, the connection, the user. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { brief, cut, grouped } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { percent } from '../market/symbol-list.tsx'
import type { MarketSymbol } from '../market/symbols.ts'
import { isTraded } from '../market/tickers.ts'
import type { SocketState } from '../net/socket.ts'
import { Brand, ThemeButton } from '../toolkit/page-parts.tsx'
import type { Account } from '../trade/account.ts'
import { shownWeight } from './shown-weight.ts'

interface HeadProps {
  readonly market: Market
  readonly account: Account
  readonly openSymbols: () => void
  readonly children: JSX.Element
}

export function PageHead({ market, account, openSymbols, children }: HeadProps): JSX.Element {
  const { value: symbol } = market.chosen
  return (
    <header class="head">
      <Brand href="/docs" title="What the exchange understands" />
      <button type="button" class="choice" onClick={openSymbols} title="Choose a market">
        <h1>{symbol === undefined ? '…' : `${symbol.baseAsset}/${symbol.quoteAsset}`}</h1>
        <span aria-hidden="true">▾</span>
      </button>
      {symbol !== undefined && symbol.status !== 'TRADING' && (
        <strong class="halted" role="status">
          {symbol.status}
        </strong>
      )}
      {symbol === undefined ? <div class="figures" /> : <Figures market={market} symbol={symbol} />}
      <Connection market={market} account={account} />
      <ThemeButton />
      {children}
    </header>
  )
}

function Figures({ market, symbol }: { market: Market; symbol: MarketSymbol }): JSX.Element {
  const { value: ticker } = market.tickers.of(symbol.symbol)
  const { value: last } = market.last
  const day = isTraded(ticker) ? ticker : undefined
  const price = (value: number | undefined) =>
    value === undefined ? '–' : grouped(value.toFixed(symbol.priceDecimals))
  const volume = (value: number | undefined) => (value === undefined ? '–' : brief(value))
  const trend = day === undefined ? '' : day.change < 0 ? 'down' : 'up'
  return (
    <dl class="figures">
      <div class="last">
        <dt class="hidden">Last price</dt>
        <dd id="last-price" class={last?.isDown ? 'down' : 'up'}>
          {last === undefined ? '–' : cut(last.price, symbol.priceDecimals)}
        </dd>
      </div>
      <Figure
        name="24 h change"
        className={trend}
        value={day === undefined ? '–' : percent(day.change)}
      />
      <Figure name="24 h high" value={price(day?.high)} />
      <Figure name="24 h low" value={price(day?.low)} />
      <Figure name={`Volume (${symbol.baseAsset})`} value={volume(day?.volume)} />
      <Figure name={`Volume (${symbol.quoteAsset})`} value={volume(day?.quoteVolume)} />
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly className?: string
}

const Figure = ({ name, value, className = '' }: FigureProps): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd class={className}>{value}</dd>
  </div>
)

const STATES: Readonly<Record<SocketState, string>> = {
  connecting: 'Connecting',
  lost: 'Reconnecting',
  blocked: 'Blocked',
  silent: 'No answer',
  open: 'Live',
}
/** An event that is read later than this is of the past. */
const LATE_MS = 3_000

/**
 * Whether what is shown is the exchange's now: the book, and of a user who is signed in the account. The name of the
 * state tells why not.
 */
export function stateOf(market: Market, account: Account): string {
  const { value: state } = market.state
  if (state !== 'open') return STATES[state]
  if (market.isEnding.value) return 'Shutting down'
  const isSignedIn = account.session.value !== undefined
  if (isSignedIn && account.state.value !== 'open') return STATES[account.state.value]
  if ((market.lagMs.value ?? 0) > LATE_MS) return 'Behind'
  if (shownWeight.value.readsWait !== '') return 'Waiting'
  const isCurrent = market.isBookLive.value && (!isSignedIn || account.isLive.value)
  return isCurrent ? STATES.open : 'Synchronizing'
}

type ConnectionProps = Pick<HeadProps, 'market' | 'account'>

/** The state, and how old the newest message was when it was read, or how long there was none. */
function Connection({ market, account }: ConnectionProps): JSX.Element {
  const shown = stateOf(market, account)
  useEffect(() => {
    document.documentElement.dataset.live = shown === STATES.open ? 'yes' : 'no'
  }, [shown])
  const isSilent = shown === STATES.silent
  const silentMs = market.state.value === 'silent' ? market.silentMs : account.silentMs
  const lag = market.lagMs.value
  const age = lag === undefined ? '' : `${Math.round(lag)} ms`
  return (
    <div class={`connection ${shown === STATES.open ? 'live' : 'waiting'}`}>
      <span class="dot" aria-hidden="true" />
      <span role="status" id="connection">
        {shown}
      </span>
      <span class="lag figure" title="Age of the newest message when it was read">
        {isSilent ? `for ${Math.floor(silentMs.value / 1_000)} s` : age}
      </span>
      <Weight />
    </div>
  )
}

/** Shows the used share of the request weight that a minute allows this address; nothing without limits. */
function Weight(): JSX.Element | null {
  const { used, limit } = shownWeight.value
  if (limit === 0) return null
  return (
    <span
      class="weight figure"
      title="Request weight of this address: used of what a minute allows"
    >
      {Math.round((100 * used) / limit)}%
    </span>
  )
}
