/** The account's open orders, history, fills, lists, balances and receipts, one of them at a time. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { shown } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { timeText } from '../toolkit/times.ts'
import { useRoving } from '../toolkit/use-roving.ts'
import type { Account } from './account.ts'
import { isOpen, type ListRow, type OrderRow, type TradeRow } from './account-rows.ts'
import { OpenOrders } from './open-orders.tsx'
import type { OrderActions } from './order-actions.ts'
import { kindText } from './order-kinds.ts'
import { averageText } from './outcome.ts'
import { Receipts } from './receipt-view.tsx'
import { SideText, Table } from './table.tsx'
import { useRows } from './use-rows.ts'

const TABS = ['Open orders', 'History', 'Fills', 'Lists', 'Balances', 'Receipts'] as const
type Tab = (typeof TABS)[number]
/** Rows of a history that are read and shown. */
const ROWS = 100

interface PanelProps {
  readonly account: Account
  readonly actions: OrderActions
  readonly symbol: MarketSymbol
}

export function AccountPanel({ account, actions, symbol }: PanelProps): JSX.Element {
  const tab = useSignal<Tab>('Open orders')
  const tabs = useRef<HTMLDivElement>(null)
  useRoving(tabs, 'button')
  const { value: session } = account.session
  const body = <TabBody tab={tab.value} account={account} actions={actions} symbol={symbol} />
  return (
    <section class="panel account" aria-label="Account">
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
      {session === undefined ? (
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

type TabProps = PanelProps & { readonly tab: Tab }

function TabBody({ tab, account, actions, symbol }: TabProps): JSX.Element {
  switch (tab) {
    case 'Open orders':
      return <OpenOrders account={account} actions={actions} symbol={symbol.symbol} />
    case 'History':
      return <History account={account} symbol={symbol} />
    case 'Fills':
      return <Fills account={account} symbol={symbol} />
    case 'Lists':
      return <Lists account={account} actions={actions} />
    case 'Balances':
      return <Balances account={account} />
    case 'Receipts':
      return <Receipts account={account} />
  }
}

type HistoryProps = Omit<PanelProps, 'actions'>

function History({ account, symbol }: HistoryProps): JSX.Element {
  const query = { symbol: symbol.symbol, limit: ROWS }
  const rows = useRows<OrderRow>(account, '/api/v3/allOrders', query)
  const closed = rows.filter((row) => !isOpen(row)).reverse()
  const names = ['Time', 'Order', 'Side', 'Price', 'Filled', 'Quantity', 'Status']
  return (
    <Table names={names} count={closed.length} none={`No closed orders of ${symbol.symbol}.`}>
      {closed.map((row) => (
        <tr key={row.orderId}>
          <td>{timeText(row.updateTime)}</td>
          <td>
            {kindText(row.type)} <i>{row.orderId}</i>
          </td>
          <td>
            <SideText isBuy={row.side === 'BUY'} />
          </td>
          <td>{priceOf(row)}</td>
          <td>{shown(row.executedQty)}</td>
          <td>{shown(row.origQty)}</td>
          <td>{row.status}</td>
        </tr>
      ))}
    </Table>
  )
}

/** The limit price, or the average of what was filled. */
function priceOf(order: OrderRow): string {
  if (Number(order.price) > 0) return shown(order.price)
  return Number(order.executedQty) === 0 ? 'market' : averageText(order)
}

function Fills({ account, symbol }: HistoryProps): JSX.Element {
  const query = { symbol: symbol.symbol, limit: ROWS }
  const rows = useRows<TradeRow>(account, '/api/v3/myTrades', query)
  const names = ['Time', 'Order', 'Side', 'Price', 'Quantity', 'Commission', 'Role']
  return (
    <Table names={names} count={rows.length} none={`No fills of ${symbol.symbol}.`}>
      {[...rows].reverse().map((row) => (
        <tr key={row.id}>
          <td>{timeText(row.time)}</td>
          <td>
            <i>{row.orderId}</i>
          </td>
          <td>
            <SideText isBuy={row.isBuyer} />
          </td>
          <td>{shown(row.price)}</td>
          <td>{shown(row.qty)}</td>
          <td>
            {shown(row.commission)} {row.commissionAsset}
          </td>
          <td>{row.isMaker ? 'maker' : 'taker'}</td>
        </tr>
      ))}
    </Table>
  )
}

function Lists({ account, actions }: Omit<PanelProps, 'symbol'>): JSX.Element {
  const rows = useRows<ListRow>(account, '/api/v3/allOrderList', { limit: ROWS })
  const names = ['Time', 'List', 'Kind', 'Orders', 'Status', '']
  return (
    <Table names={names} count={rows.length} none="No order lists.">
      {[...rows].reverse().map((row) => (
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
    <Table names={['Asset', 'Free', 'In orders']} count={rows.length} none="No balances.">
      {rows.map(({ asset, free, locked }) => (
        <tr key={asset} data-asset={asset}>
          <td>{asset}</td>
          <td>{shown(free)}</td>
          <td>{shown(locked)}</td>
        </tr>
      ))}
    </Table>
  )
}
