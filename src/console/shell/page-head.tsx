/** The line above all panels: the symbol, its last 24 hours, the connection, the user. */
import type { JSX } from 'preact'
import { brief, cut, grouped } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { percent } from '../market/symbol-list.tsx'
import type { MarketSymbol } from '../market/symbols.ts'
import { isTraded } from '../market/tickers.ts'
import { Brand, ThemeButton } from '../toolkit/page-parts.tsx'
import type { Account } from '../trade/account.ts'

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

const STATES = { connecting: 'Connecting', lost: 'Reconnecting' } as const

type ConnectionProps = Pick<HeadProps, 'market' | 'account'>

/**
 * The state of the streams, and how old their newest message was. Live means that all that is shown is the
 * exchange's: the book, and of a user who is signed in the account.
 */
function Connection({ market, account }: ConnectionProps): JSX.Element {
  const { value: state } = market.state
  const isAccountLive = account.session.value === undefined || account.isLive.value
  const isWhole = state === 'open' && market.isBookLive.value && isAccountLive
  const isLive = isWhole && !market.isEnding.value
  const open = market.isEnding.value ? 'Shutting down' : isWhole ? 'Live' : 'Synchronizing'
  const shown = state === 'open' ? open : STATES[state]
  const lag = market.lagMs.value
  return (
    <div class={`connection ${isLive ? 'live' : 'waiting'}`} title={market.trouble.value}>
      <span class="dot" aria-hidden="true" />
      <span role="status" id="connection">
        {shown}
      </span>
      <span class="lag figure" title="Age of the newest message when it was read">
        {lag === undefined ? '' : `${Math.round(lag)} ms`}
      </span>
    </div>
  )
}
