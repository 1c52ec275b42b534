/** All symbols with search, favourites, tabs by quote asset, and their last 24 hours. Only rows in sight are rendered. */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { cut } from '../book/decimals.ts'
import { kept } from '../toolkit/kept.ts'
import { useRoving } from '../toolkit/use-roving.ts'
import { useWindow } from '../toolkit/use-window.ts'
import type { Market } from './market.ts'
import { ALL, FAVOURITES, listed, ORDERS, type SymbolOrder, tabsOf } from './symbol-order.ts'
import type { MarketSymbol } from './symbols.ts'
import { isTraded } from './tickers.ts'

/** CSS pixels (console.css). */
const ROW_HEIGHT = 32
const heightOf = () => ROW_HEIGHT
const FAVOURITES_MAX = 256
const NAME_MAX = 64
const ORDER_NAMES = { name: 'Market', last: 'Last', change: '24 h' } as const

const favourites = kept<readonly string[]>('favourites', [], namesOf, true)
const tab = kept('market-tab', ALL, (value) => (typeof value === 'string' ? value : undefined))
const order = kept<SymbolOrder>('market-order', { by: 'name', isDown: false }, orderOf)

function namesOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value
    .filter((it): it is string => typeof it === 'string' && it.length <= NAME_MAX)
    .slice(0, FAVOURITES_MAX)
}

function orderOf(value: unknown): SymbolOrder | undefined {
  const { by, isDown } = (value ?? {}) as Partial<SymbolOrder>
  const known = ORDERS.find((it) => it === by)
  return known === undefined ? undefined : { by: known, isDown: isDown === true }
}

function toggleFavourite(symbol: string): void {
  const { value: names } = favourites
  const others = names.filter((it) => it !== symbol)
  const isOne = others.length < names.length
  favourites.value = isOne ? others : [...others, symbol].slice(-FAVOURITES_MAX)
}

interface ListProps {
  readonly market: Market
  readonly chose: () => void
}

export function SymbolList({ market, chose }: ListProps): JSX.Element {
  const search = useSignal('')
  const list = useRef<HTMLElement>(null)
  const found = useFound(market, search, list)
  const choose = (symbol: string) => {
    market.choose(symbol)
    history.replaceState(undefined, '', `#${symbol}`)
    chose()
  }
  const count = found.value.length
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
      <Tabs market={market} />
      <Orders />
      <Rows list={list} market={market} found={found} choose={choose} />
      {count === 0 && (
        <p class="empty">
          {tab.value === FAVOURITES && search.value === ''
            ? 'A star beside a market puts it here.'
            : 'No market has this name.'}
        </p>
      )}
    </section>
  )
}

/** The markets in their order. Under the pointer they stay where they are while figures change. */
function useFound(
  market: Market,
  search: ReadonlySignal<string>,
  list: { readonly current: HTMLElement | null },
): ReadonlySignal<readonly MarketSymbol[]> {
  const before = useRef<{
    readonly symbols: readonly MarketSymbol[]
    readonly chosen: string
    readonly rows: readonly MarketSymbol[]
  }>(null)
  return useComputed(() => {
    const { value: symbols } = market.symbols
    const tabs = tabsOf(symbols)
    const choice = {
      search: search.value,
      tab: tabs.includes(tab.value) ? tab.value : ALL,
      favourites: favourites.value,
      order: order.value,
    }
    if (choice.order.by !== 'name') void market.tickers.version.value
    const chosen = JSON.stringify(choice)
    const { current: last } = before
    const isSame = last?.symbols === symbols && last.chosen === chosen
    if (isSame && list.current?.matches(':hover') === true) return last.rows
    const rows = listed(symbols, choice, (symbol) => market.tickers.of(symbol).peek())
    before.current = { symbols, chosen, rows }
    return rows
  })
}

function Tabs({ market }: { readonly market: Market }): JSX.Element {
  const row = useRef<HTMLDivElement>(null)
  useRoving(row, 'button')
  const tabs = tabsOf(market.symbols.value)
  const shown = tabs.includes(tab.value) ? tab.value : ALL
  return (
    <div ref={row} class="tabs quotes">
      {tabs.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={shown === name}
          aria-label={name === FAVOURITES ? 'Favourites' : undefined}
          onClick={() => {
            tab.value = name
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** A click sorts by a column, another one reverses. */
function Orders(): JSX.Element {
  const row = useRef<HTMLDivElement>(null)
  useRoving(row, 'button')
  const { by, isDown } = order.value
  return (
    <div ref={row} class="columns">
      {ORDERS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={by === name}
          onClick={() => {
            // Figures begin with the highest.
            order.value = { by: name, isDown: by === name ? !isDown : name !== 'name' }
          }}
        >
          <span class="hidden">Sort by </span>
          {ORDER_NAMES[name]} {by === name && (isDown ? '↓' : '↑')}
        </button>
      ))}
    </div>
  )
}

interface RowsProps {
  readonly list: { current: HTMLElement | null }
  readonly market: Market
  readonly found: ReadonlySignal<readonly MarketSymbol[]>
  readonly choose: (symbol: string) => void
}

function Rows({ list, market, found, choose }: RowsProps): JSX.Element {
  const { value: rows } = found
  const { from, until } = useWindow(list, rows.length, heightOf)
  useRoving(list, 'button', 2)
  const style = { height: `${rows.length * ROW_HEIGHT}px`, paddingTop: `${from * ROW_HEIGHT}px` }
  return (
    <section ref={list} class="scroll" aria-label="List of markets">
      <ul aria-label={`${rows.length} markets`} style={style}>
        {rows.slice(from, until).map((symbol) => (
          <SymbolRow key={symbol.symbol} market={market} symbol={symbol} choose={choose} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps extends Omit<RowsProps, 'list' | 'found'> {
  readonly symbol: MarketSymbol
}

function SymbolRow({ market, symbol, choose }: RowProps): JSX.Element {
  const { value: ticker } = market.tickers.of(symbol.symbol)
  const hasLast = ticker !== undefined && ticker.last !== 0
  const isFavourite = favourites.value.includes(symbol.symbol)
  const isChosen = market.chosen.value?.symbol === symbol.symbol
  const change = isTraded(ticker) ? ticker.change : 0
  const way = change === 0 ? '' : change < 0 ? 'down' : 'up'
  return (
    <li class="symbol-row">
      <button
        type="button"
        class="star"
        aria-label={`Favourite ${symbol.symbol}`}
        aria-pressed={isFavourite}
        onClick={() => toggleFavourite(symbol.symbol)}
      >
        {isFavourite ? '★' : '☆'}
      </button>
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
