/** The account's open orders, history, fills, lists, balances, wallet and receipts, one of them at a time. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { grouped } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { kept } from '../toolkit/kept.ts'
import { oneOf } from '../toolkit/kept-value.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { timeText } from '../toolkit/times.ts'
import { useRoving } from '../toolkit/use-roving.ts'
import type { Account } from './account.ts'
import { Alerts } from './alerts-view.tsx'
import { OpenOrders } from './open-orders.tsx'
import type { OrderActions } from './order-actions.ts'
import { Fills, History } from './past-rows.tsx'
import { Portfolio } from './portfolio-view.tsx'
import { Receipts } from './receipt-view.tsx'
import { Table } from './table.tsx'
import { useKept } from './use-kept.ts'
import { Wallet } from './wallet-view.tsx'

const TABS = [
  ...(['Open orders', 'History', 'Fills', 'Lists', 'Balances', 'Portfolio'] as const),
  ...(['Wallet', 'Receipts', 'Alerts'] as const),
]
type Tab = (typeof TABS)[number]

interface PanelProps {
  readonly market: Market
  readonly account: Account
  readonly actions: OrderActions
  readonly symbol: MarketSymbol
  /** What else lies in the panel. */
  readonly children: JSX.Element
}

const tab = kept<Tab>('account-tab', 'Open orders', oneOf(TABS))

export function AccountPanel({
  market,
  account,
  actions,
  symbol,
  children,
}: PanelProps): JSX.Element {
  const tabs = useRef<HTMLDivElement>(null)
  useRoving(tabs, 'button')
  const { value: session } = account.session
  const body = <TabBody tab={tab.value} {...{ market, account, actions, symbol }} />
  return (
    <section class="panel account" aria-label="Account">
      {children}
      <header class="panel-head">
        <div ref={tabs} class="tabs">
          {TABS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={tab.value === name}
              onClick={() => {
                tab.value = name
              }}
            >
              {name}
              {name === 'Open orders' && <OpenCount account={account} />}
            </button>
          ))}
        </div>
      </header>
      {session === undefined && tab.value !== 'Alerts' ? (
        <p class="empty">Sign in to see orders, fills and balances.</p>
      ) : tab.value === 'Open orders' ? (
        body
      ) : (
        <Scroll label={tab.value}>{body}</Scroll>
      )}
    </section>
  )
}

/** By itself, so that an order renders no more than the number. */
function OpenCount({ account }: { readonly account: Account }): JSX.Element | null {
  const { length } = account.openOrders.keys.value
  return length === 0 ? null : <i class="count">{length}</i>
}

type TabProps = Omit<PanelProps, 'children'> & { readonly tab: Tab }

function TabBody({ tab, market, account, actions, symbol }: TabProps): JSX.Element {
  switch (tab) {
    case 'Open orders':
      return <OpenOrders {...{ market, account, actions }} symbol={symbol.symbol} />
    case 'History':
      return <History key={symbol.symbol} account={account} symbol={symbol} />
    case 'Fills':
      return <Fills key={symbol.symbol} account={account} symbol={symbol} />
    case 'Lists':
      return <Lists account={account} actions={actions} />
    case 'Balances':
      return <Balances account={account} />
    case 'Portfolio':
      return <Portfolio market={market} account={account} />
    case 'Wallet':
      return <Wallet market={market} account={account} />
    case 'Receipts':
      return <Receipts account={account} />
    case 'Alerts':
      return <Alerts market={market} symbol={symbol} />
  }
}

function Lists({ account, actions }: Pick<PanelProps, 'account' | 'actions'>): JSX.Element {
  const rows = useKept(account, account.lists, '')
  const names = ['Time', 'List', 'Kind', 'Orders', 'Status', '']
  return (
    <Table
      names={names}
      words={5}
      count={rows.length}
      none="No order lists. Those that you place, such as OCO or OTO, are here."
    >
      {rows.map((row) => (
        <tr key={row.orderListId}>
          <td>{timeText(row.transactionTime)}</td>
          <td>
            <i>{row.orderListId}</i>
          </td>
          <td>
            {row.contingencyType} of {row.symbol}
          </td>
          <td>{row.orders.map(({ orderId }) => orderId).join(', ')}</td>
          <td>{row.listOrderStatus}</td>
          <td>
            {row.listOrderStatus === 'EXECUTING' && (
              <button type="button" class="small" onClick={() => void actions.cancelList(row)}>
                Cancel
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Balances({ account }: { readonly account: Account }): JSX.Element {
  const rows = [...account.balances.value.values()].filter(
    ({ free, locked }) => Number(free) > 0 || Number(locked) > 0,
  )
  return (
    <Table
      names={['Asset', 'Free', 'In orders']}
      count={rows.length}
      none="No balances: an operator deposits the first."
    >
      {rows.map(({ asset, free, locked }) => (
        <tr key={asset} data-asset={asset}>
          <td>{asset}</td>
          <td>{grouped(free)}</td>
          <td>{grouped(locked)}</td>
        </tr>
      ))}
    </Table>
  )
}
