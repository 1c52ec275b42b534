/** The page: panels in a grid, and on narrow screens one of them at a time. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { CandleChart } from '../chart/candle-chart.tsx'
import { DepthChart } from '../chart/depth-chart.tsx'
import { Ladder } from '../ladder/ladder.tsx'
import { INTERVALS } from '../market/candle.ts'
import type { Market } from '../market/market.ts'
import { SymbolList } from '../market/symbol-list.tsx'
import type { MarketSymbol } from '../market/symbols.ts'
import { TapeView } from '../market/tape-view.tsx'
import { PageHead } from './page-head.tsx'

const VIEWS = ['Chart', 'Book', 'Trade', 'Account'] as const
type View = (typeof VIEWS)[number]

const noOwn = { version: 0, orders: [] }

export function App({ market }: { readonly market: Market }): JSX.Element {
  const view = useSignal<View>('Chart')
  const areSymbolsOpen = useSignal(false)
  const { value: symbol } = market.chosen
  const { value: last } = market.last
  useEffect(() => {
    const price = last === undefined ? '' : `${last.price.replace(/\.?0+$/, '')} `
    document.title = symbol === undefined ? 'Ringbook' : `${price}${symbol.symbol} · Ringbook`
  }, [symbol, last])
  return (
    <div class="page" data-view={view.value} data-symbols={areSymbolsOpen.value ? 'open' : 'shut'}>
      <PageHead
        market={market}
        openSymbols={() => {
          areSymbolsOpen.value = !areSymbolsOpen.value
        }}
      >
        <span />
      </PageHead>
      {market.trouble.value !== '' && (
        <p class="trouble" role="alert">
          {market.trouble.value}
        </p>
      )}
      <main class="grid">
        <SymbolList
          market={market}
          chose={() => {
            areSymbolsOpen.value = false
          }}
        />
        {symbol !== undefined && (
          <>
            <ChartPanel market={market} symbol={symbol} />
            <Ladder
              key={symbol.symbol}
              market={market}
              symbol={symbol}
              own={() => noOwn}
              pick={() => {}}
            />
            <TapeView market={market} symbol={symbol} />
          </>
        )}
      </main>
      <nav class="views" aria-label="Views">
        {VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={view.value === name}
            onClick={() => {
              view.value = name
            }}
          >
            {name}
          </button>
        ))}
      </nav>
      <footer class="foot">
        <span>
          Charts by{' '}
          <a href="https://www.tradingview.com/" rel="noreferrer">
            TradingView Lightweight Charts™
          </a>
          , Copyright (c) 2025 TradingView, Inc.
        </span>
        <a href="/docs">API</a>
      </footer>
    </div>
  )
}

interface ChartProps {
  readonly market: Market
  readonly symbol: MarketSymbol
}

function ChartPanel({ market, symbol }: ChartProps): JSX.Element {
  const isDepth = useSignal(false)
  const tabs = [
    ['Candles', false],
    ['Depth', true],
  ] as const
  return (
    <section class="panel chart" aria-label="Chart">
      <header class="panel-head">
        <div class="tabs">
          {tabs.map(([name, depth]) => (
            <button
              key={name}
              type="button"
              aria-pressed={isDepth.value === depth}
              onClick={() => {
                isDepth.value = depth
              }}
            >
              {name}
            </button>
          ))}
        </div>
        {!isDepth.value && <Intervals market={market} />}
      </header>
      {isDepth.value ? (
        <DepthChart market={market} symbol={symbol} />
      ) : (
        <CandleChart market={market} symbol={symbol} />
      )}
    </section>
  )
}

function Intervals({ market }: { readonly market: Market }): JSX.Element {
  return (
    <fieldset class="intervals" aria-label="Length of a candle">
      {INTERVALS.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={market.candles.interval.value === interval}
          onClick={() => market.chooseInterval(interval)}
        >
          {interval}
        </button>
      ))}
    </fieldset>
  )
}
