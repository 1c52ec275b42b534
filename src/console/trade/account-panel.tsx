/** The account's open orders, history, fills, lists, balances and receipts, one of them at a time. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { trimmed } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { clockText } from '../market/tape-view.tsx'
import { Scroll } from '../view/scroll.tsx'
import type { Account } from './account.ts'
import { isOpen, type ListRow, type OrderRow, type TradeRow } from './account-rows.ts'
import { OpenOrders } from './open-orders.tsx'
import { Receipts } from './receipt-view.tsx'
import { SideText, Table } from './table.tsx'
import { kindText } from './ticket.tsx'
import { useRows } from './use-rows.ts'

const TABS = ['Open orders', 'History', 'Fills', 'Lists', 'Balances', 'Receipts'] as const
type Tab = (typeof TABS)[number]
/** Rows of a history that are read and shown. */
const ROWS = 100

interface PanelProps {
  readonly account: Account
  readonly symbol: MarketSymbol
}

export function AccountPanel({ account, symbol }: PanelProps): JSX.Element {
  const tab = useSignal<Tab>('Open orders')
  const { value: session } = account.session
  const open = account.orders.value.size
  return (
    <section class="panel account" aria-label="Account">
      <header class="panel-head">
        <div class="tabs">
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
              {name === 'Open orders' && open > 0 && <i class="count">{open}</i>}
            </button>
          ))}
        </div>
      </header>
      {session === undefined ? (
        <p class="empty">Sign in to see orders, fills and balances.</p>
      ) : (
        <Scroll label={tab.value}>
          <TabBody tab={tab.value} account={account} symbol={symbol} />
        </Scroll>
      )}
    </section>
  )
}

function TabBody({ tab, account, symbol }: PanelProps & { readonly tab: Tab }): JSX.Element {
  switch (tab) {
    case 'Open orders':
      return <OpenOrders account={account} />
    case 'History':
      return <History account={account} symbol={symbol} />
    case 'Fills':
      return <Fills account={account} symbol={symbol} />
    case 'Lists':
      return <Lists account={account} />
    case 'Balances':
      return <Balances account={account} />
    case 'Receipts':
      return <Receipts account={account} />
  }
}

function History({ account, symbol }: PanelProps): JSX.Element {
  const query = { symbol: symbol.symbol, limit: ROWS }
  const rows = useRows<OrderRow>(account, '/api/v3/allOrders', query)
  const closed = rows.filter((row) => !isOpen(row)).reverse()
  const names = ['Time', 'Order', 'Side', 'Price', 'Filled', 'Quantity', 'Status']
  return (
    <Table names={names} count={closed.length} none={`No closed orders of ${symbol.symbol}.`}>
      {closed.map((row) => (
        <tr key={row.orderId}>
          <td>{clockText(row.updateTime)}</td>
          <td>
            {kindText(row.type)} <i>{row.orderId}</i>
          </td>
          <td>
            <SideText isBuy={row.side === 'BUY'} />
          </td>
          <td>{priceOf(row)}</td>
          <td>{trimmed(row.executedQty)}</td>
          <td>{trimmed(row.origQty)}</td>
          <td>{row.status}</td>
        </tr>
      ))}
    </Table>
  )
}

/** The limit price, or the average of what was filled. */
function priceOf({ price, executedQty, cummulativeQuoteQty }: OrderRow): string {
  if (Number(price) > 0) return trimmed(price)
  if (Number(executedQty) === 0) return 'market'
  return String(Number((Number(cummulativeQuoteQty) / Number(executedQty)).toPrecision(10)))
}

function Fills({ account, symbol }: PanelProps): JSX.Element {
  const query = { symbol: symbol.symbol, limit: ROWS }
  const rows = useRows<TradeRow>(account, '/api/v3/myTrades', query)
  const names = ['Time', 'Order', 'Side', 'Price', 'Quantity', 'Commission', 'Role']
  return (
    <Table names={names} count={rows.length} none={`No fills of ${symbol.symbol}.`}>
      {[...rows].reverse().map((row) => (
        <tr key={row.id}>
          <td>{clockText(row.time)}</td>
          <td>
            <i>{row.orderId}</i>
          </td>
          <td>
            <SideText isBuy={row.isBuyer} />
          </td>
          <td>{trimmed(row.price)}</td>
          <td>{trimmed(row.qty)}</td>
          <td>
            {trimmed(row.commission)} {row.commissionAsset}
          </td>
          <td>{row.isMaker ? 'maker' : 'taker'}</td>
        </tr>
      ))}
    </Table>
  )
}

function Lists({ account }: { readonly account: Account }): JSX.Element {
  const rows = useRows<ListRow>(account, '/api/v3/allOrderList', { limit: ROWS })
  const names = ['Time', 'List', 'Symbol', 'Kind', 'Orders', 'Status', '']
  const cancel = ({ symbol, orderListId }: ListRow) =>
    account.act('Cancel list', 'DELETE', '/api/v3/orderList', { symbol, orderListId })
  return (
    <Table names={names} count={rows.length} none="No order lists.">
      {[...rows].reverse().map((row) => (
        <tr key={row.orderListId}>
          <td>{clockText(row.transactionTime)}</td>
          <td>
            <i>{row.orderListId}</i>
          </td>
          <td>{row.symbol}</td>
          <td>{row.contingencyType}</td>
          <td>{row.orders.map(({ orderId }) => orderId).join(', ')}</td>
          <td>{row.listOrderStatus}</td>
          <td class="end">
            {row.listOrderStatus === 'EXECUTING' && (
              <button type="button" class="small" onClick={() => void cancel(row)}>
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
          <td>{trimmed(free)}</td>
          <td>{trimmed(locked)}</td>
        </tr>
      ))}
    </Table>
  )
}
