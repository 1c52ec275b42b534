/** The line above all panels: the symbol, its last 24 hours, the connection, the user. */
import type { JSX } from 'preact'
import { brief } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { percent } from '../market/symbol-list.tsx'
import type { MarketSymbol } from '../market/symbols.ts'
import { cut } from '../market/tape-view.tsx'
import { Brand, ThemeButton } from './page-parts.tsx'

interface HeadProps {
  readonly market: Market
  readonly openSymbols: () => void
  readonly children: JSX.Element
}

export function PageHead({ market, openSymbols, children }: HeadProps): JSX.Element {
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
      <Connection market={market} />
      <ThemeButton />
      {children}
    </header>
  )
}

function Figures({ market, symbol }: { market: Market; symbol: MarketSymbol }): JSX.Element {
  const { value: ticker } = market.tickers.of(symbol.symbol)
  const { value: last } = market.last
  const price = (value: number) => value.toFixed(symbol.priceDecimals)
  const change = ticker?.change ?? 0
  const trend = change < 0 ? 'down' : 'up'
  return (
    <dl class="figures">
      <div class="last">
        <dt class="hidden">Last price</dt>
        <dd id="last-price" class={last?.isDown ? 'down' : 'up'}>
          {last === undefined ? '–' : cut(last.price, symbol.priceDecimals)}
        </dd>
      </div>
      <Figure name="24 h change" className={trend} value={percent(change)} />
      <Figure name="24 h high" value={ticker === undefined ? '–' : price(ticker.high)} />
      <Figure name="24 h low" value={ticker === undefined ? '–' : price(ticker.low)} />
      <Figure name={`Volume (${symbol.baseAsset})`} value={brief(ticker?.volume ?? 0)} />
      <Figure name={`Volume (${symbol.quoteAsset})`} value={brief(ticker?.quoteVolume ?? 0)} />
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

const STATES = { connecting: 'Connecting', open: 'Live', lost: 'Reconnecting' } as const

/** The state of the streams, and how old their newest message was. */
function Connection({ market }: { readonly market: Market }): JSX.Element {
  const { value: state } = market.state
  const isLive = state === 'open' && market.isBookLive.value
  const shown = state === 'open' && !isLive ? 'Synchronizing' : STATES[state]
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
