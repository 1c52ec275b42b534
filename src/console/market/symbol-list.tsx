/** All symbols with search and their last 24 hours. */
import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { cut } from '../book/decimals.ts'
import { useRoving } from '../toolkit/use-roving.ts'
import type { Market } from './market.ts'
import type { MarketSymbol } from './symbols.ts'
import { isTraded } from './tickers.ts'

/** Rows shown at most: search finds the others. */
const ROWS_MAX = 300

interface ListProps {
  readonly market: Market
  readonly chose: () => void
}

export function SymbolList({ market, chose }: ListProps): JSX.Element {
  const search = useSignal('')
  const found = useComputed(() => {
    const wanted = search.value.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
    return market.symbols.value.filter(({ symbol }) => symbol.includes(wanted))
  })
  const list = useRef<HTMLUListElement>(null)
  useRoving(list, 'button')
  const choose = (symbol: string) => {
    market.choose(symbol)
    history.replaceState(undefined, '', `#${symbol}`)
    chose()
  }
  return (
    <section class="panel symbols" aria-label="Markets">
      <div class="search">
        <input
          id="search"
          type="search"
          placeholder="Search markets"
          aria-label="Search markets"
          autocomplete="off"
          spellcheck={false}
          value={search.value}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value
          }}
          onKeyDown={({ key }) => {
            const first = found.value[0]
            if (key === 'Enter' && first !== undefined) choose(first.symbol)
          }}
        />
      </div>
      <div class="columns" aria-hidden="true">
        <span>Market</span>
        <span>Last</span>
        <span>24 h</span>
      </div>
      <ul ref={list} class="scroll" aria-label={`${found.value.length} markets`}>
        {found.value.slice(0, ROWS_MAX).map((symbol) => (
          <SymbolRow key={symbol.symbol} market={market} symbol={symbol} choose={choose} />
        ))}
      </ul>
      {found.value.length === 0 && <p class="empty">No market has this name.</p>}
    </section>
  )
}

interface RowProps {
  readonly market: Market
  readonly symbol: MarketSymbol
  readonly choose: (symbol: string) => void
}

function SymbolRow({ market, symbol, choose }: RowProps): JSX.Element {
  const { value: ticker } = market.tickers.of(symbol.symbol)
  const hasLast = ticker !== undefined && ticker.last !== 0
  const isChosen = market.chosen.value?.symbol === symbol.symbol
  const change = isTraded(ticker) ? ticker.change : 0
  const way = change === 0 ? '' : change < 0 ? 'down' : 'up'
  return (
    <li>
      <button
        type="button"
        class="symbol"
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => choose(symbol.symbol)}
      >
        <span>
          <b>{symbol.baseAsset}</b>
          <i>/{symbol.quoteAsset}</i>
          {symbol.status !== 'TRADING' && <em>{symbol.status}</em>}
        </span>
        <span class="figure">{hasLast ? cut(ticker.price, symbol.priceDecimals) : '–'}</span>
        <span class={`figure ${way}`}>{isTraded(ticker) ? percent(change) : '–'}</span>
      </button>
    </li>
  )
}

export const percent = (change: number): string =>
  `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}%`
