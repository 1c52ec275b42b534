/** The page: panels in a grid, and on narrow screens one of them at a time. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { shown } from '../book/decimals.ts'
import { areAveragesShown, CandleChart } from '../chart/candle-chart.tsx'
import { DepthChart } from '../chart/depth-chart.tsx'
import { Ladder } from '../ladder/ladder.tsx'
import { COMMON_INTERVALS, INTERVALS } from '../market/candle.ts'
import type { Market } from '../market/market.ts'
import { SymbolList } from '../market/symbol-list.tsx'
import type { MarketSymbol } from '../market/symbols.ts'
import { TapeView } from '../market/tape-view.tsx'
import { BLOCKED } from '../net/socket.ts'
import { requestFrame } from '../toolkit/frames.ts'
import { kept } from '../toolkit/kept.ts'
import { isFlag } from '../toolkit/kept-value.ts'
import { LicenseLink } from '../toolkit/page-parts.tsx'
import { useRoving } from '../toolkit/use-roving.ts'
import { ViewBar } from '../toolkit/view-bar.tsx'
import type { Account } from '../trade/account.ts'
import { AccountPanel } from '../trade/account-panel.tsx'
import { watchAlerts } from '../trade/alerts.ts'
import { KeyHelp } from '../trade/key-help.tsx'
import { type KeyActions, listenToKeys } from '../trade/keys.ts'
import { NoticeList } from '../trade/notice-list.tsx'
import { OrderActions } from '../trade/order-actions.ts'
import { OrderSender } from '../trade/order-sender.ts'
import { SignIn } from '../trade/sign-in.tsx'
import { Ticket } from '../trade/ticket.tsx'
import { TicketForm } from '../trade/ticket-form.ts'
import { Edge, layoutStyle } from './layout.tsx'
import { PageHead } from './page-head.tsx'
import { shownWeight } from './shown-weight.ts'

const VIEWS = ['Chart', 'Book', 'Trade', 'Account'] as const
type View = (typeof VIEWS)[number]

const isDepth = kept('depth-chart', false, isFlag)

interface AppProps {
  readonly market: Market
  readonly account: Account
}

export function App({ market, account }: AppProps): JSX.Element {
  const view = useSignal<View>('Chart')
  const areSymbolsOpen = useSignal(false)
  const form = useMemo(() => new TicketForm(), [])
  const sender = useMemo(() => new OrderSender(account), [account])
  const actions = useMemo(
    () => new OrderActions(account, sender, () => market.symbols.value),
    [account, sender, market],
  )
  const { value: symbol } = market.chosen
  const refuseKey = () =>
    account.notices.say('Keys that cancel are off. Switch them on in the list of keys.', 'neutral')
  useTitle(market)
  useFreshRules(market, account)
  useEffect(() => watchAlerts(market, account.notices), [market, account])
  useLayoutEffect(() => {
    if (symbol !== undefined) form.begin(symbol)
  }, [form, symbol?.symbol, account.session.value])
  useLayoutEffect(() => {
    if (symbol !== undefined) form.follow(symbol)
  }, [form, symbol])
  useEffect(
    () => listenToKeys(keyActions(market, account, actions, form, view, areSymbolsOpen), refuseKey),
    [...[market, account, actions, form, view, areSymbolsOpen]],
  )
  return (
    <div class="page" data-view={view.value} data-symbols={areSymbolsOpen.value ? 'open' : 'shut'}>
      <PageHead
        market={market}
        account={account}
        openSymbols={() => {
          areSymbolsOpen.value = !areSymbolsOpen.value
        }}
      >
        <User account={account} view={view} />
      </PageHead>
      <Trouble market={market} account={account} />
      <main class="grid" style={layoutStyle()}>
        <SymbolList
          market={market}
          chose={() => {
            areSymbolsOpen.value = false
          }}
        />
        {symbol === undefined ? (
          <p class="loading" role="status">
            Loading the market …
          </p>
        ) : (
          <Panels {...{ market, account, sender, actions, form, symbol, view }} />
        )}
      </main>
      <Foot />
      <ViewBar views={VIEWS} view={view} />
    </div>
  )
}

/** Why what is shown may not be current. */
function Trouble({ market, account }: AppProps): JSX.Element | null {
  const states = [market.state.value, account.session.value && account.state.value]
  // The pause that a refusal demands tells more than the refusal.
  const texts = [shownWeight.value.readsWait, market.trouble.value, account.trouble.value]
  const shown = states.includes('blocked') ? BLOCKED : texts.find((text) => text !== '')
  if (shown === undefined) return null
  return (
    <p class="trouble" role="alert">
      {shown}
    </p>
  )
}

interface PanelsProps extends AppProps {
  readonly sender: OrderSender
  readonly symbol: MarketSymbol
  readonly actions: OrderActions
  readonly form: TicketForm
  readonly view: Signal<View>
}

function Panels(props: PanelsProps): JSX.Element {
  const { market, account, sender, actions, symbol, form, view } = props
  const own = useMemo(
    () => ({
      version: () => account.openOrders.version,
      levels: () => account.ownLevels(symbol),
    }),
    [account, symbol],
  )
  const pick = (price: string) => {
    form.pick(price)
    view.value = 'Trade'
  }
  return (
    <>
      <ChartPanel {...{ market, account, actions, symbol }} />
      <Ladder key={symbol.symbol} {...{ market, symbol, own, pick }}>
        <Edge part="book" />
      </Ladder>
      <TapeView market={market} symbol={symbol} />
      <div class="trade">
        {account.session.value === undefined ? (
          <SignIn {...{ account, symbol }} />
        ) : (
          <section class="panel ticket" aria-label="Trade">
            <header class="panel-head">
              <h2>Trade {symbol.symbol}</h2>
              <KeyHelp />
            </header>
            <div class="scroll">
              <Ticket {...{ market, account, sender, form }} now={symbol} />
            </div>
          </section>
        )}
        <NoticeList account={account} />
      </div>
      <AccountPanel {...{ market, account, actions, symbol }}>
        <Edge part="account" />
      </AccountPanel>
    </>
  )
}

/** The title names the last price: it is read on the browser's tab. */
function useTitle({ chosen, last }: Market): void {
  const { value: symbol } = chosen
  const { value: trade } = last
  useEffect(() => {
    const price = trade === undefined ? '' : `${shown(trade.price)} `
    document.title = symbol === undefined ? 'Ringbook' : `${price}${symbol.symbol} · Ringbook`
  }, [symbol, trade])
}

/** A refusal may follow from what an operator has just halted or changed: the symbols are read again. */
function useFreshRules(market: Market, account: Account): void {
  const failure = account.notices.list.value.find(({ tone }) => tone === 'bad')?.number
  useEffect(() => {
    if (failure !== undefined) market.refreshSymbols()
  }, [market, failure])
}

function keyActions(
  market: Market,
  account: Account,
  actions: OrderActions,
  form: TicketForm,
  view: Signal<View>,
  areSymbolsOpen: Signal<boolean>,
): KeyActions {
  // What a field holds is selected, so that what is typed replaces it.
  const focus = (selector: string) =>
    requestAnimationFrame(() => {
      const input = document.querySelector<HTMLInputElement>(selector)
      input?.focus()
      input?.select()
    })
  const order = (side: 'BUY' | 'SELL') => {
    form.side.value = side
    view.value = 'Trade'
    focus('.ticket form input[name]')
  }
  const symbol = () => market.chosen.value?.symbol ?? ''
  return {
    b: () => order('BUY'),
    s: () => order('SELL'),
    x: () => {
      const [newest] = account.openOrders.all(symbol())
      if (newest !== undefined) void actions.cancel(newest)
    },
    X: () => void actions.cancelAll(symbol()),
    '/': () => {
      areSymbolsOpen.value = true
      focus('#search')
    },
  }
}

interface UserProps {
  readonly account: Account
  readonly view: Signal<View>
}

function User({ account, view }: UserProps): JSX.Element {
  const { value: session } = account.session
  const show = () => {
    view.value = 'Trade'
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('.sign-in button, .sign-in input')?.focus(),
    )
  }
  if (session === undefined) {
    return (
      <button type="button" class="small" onClick={show}>
        Sign in
      </button>
    )
  }
  return (
    <span class="user">
      <b>{session.name}</b>
      <button type="button" class="small" onClick={() => account.signOut()}>
        Sign out
      </button>
    </span>
  )
}

function Foot(): JSX.Element {
  return (
    <footer class="foot">
      <span>
        Charts by{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>
        , Copyright (c) 2025 TradingView, Inc.
      </span>
      <span class="links">
        <LicenseLink />
        <a href="/docs">API</a>
      </span>
    </footer>
  )
}

type ChartProps = Pick<PanelsProps, 'market' | 'account' | 'actions' | 'symbol'>

function ChartPanel({ market, account, actions, symbol }: ChartProps): JSX.Element {
  const tabs = [
    ['Candles', false],
    ['Depth', true],
  ] as const
  const modes = useRef<HTMLDivElement>(null)
  useRoving(modes, 'button')
  return (
    <section class="panel chart" aria-label="Chart">
      <header class="panel-head">
        <div ref={modes} class="tabs">
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
          {!isDepth.value && (
            <button
              type="button"
              class="small"
              aria-pressed={areAveragesShown.value}
              onClick={() => {
                areAveragesShown.value = !areAveragesShown.value
                requestFrame()
              }}
            >
              Averages
            </button>
          )}
        </div>
        {!isDepth.value && <Intervals market={market} />}
      </header>
      {isDepth.value ? (
        <DepthChart market={market} symbol={symbol} />
      ) : (
        <CandleChart {...{ market, account, actions, symbol }} />
      )}
    </section>
  )
}

/** Common lengths as buttons, the others in a list. */
function Intervals({ market }: { readonly market: Market }): JSX.Element {
  const { value: chosen } = market.candles.interval
  const others = INTERVALS.filter((interval) => !COMMON_INTERVALS.includes(interval))
  const row = useRef<HTMLFieldSetElement>(null)
  useRoving(row, 'button')
  return (
    <fieldset ref={row} class="intervals" aria-label="Length of a candle">
      {COMMON_INTERVALS.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={chosen === interval}
          onClick={() => market.chooseInterval(interval)}
        >
          {interval}
        </button>
      ))}
      <select
        aria-label="Other lengths"
        value={others.includes(chosen) ? chosen : ''}
        onChange={({ currentTarget }) => market.chooseInterval(currentTarget.value)}
      >
        <option value="" disabled>
          more
        </option>
        {others.map((interval) => (
          <option key={interval} value={interval}>
            {interval}
          </option>
        ))}
      </select>
    </fieldset>
  )
}
