/**
 * Own open orders of all markets: cancel, reduce, replace. An account may have thousands: only the rows in
 * sight are rendered, each by itself. Narrow lists have rows of two lines.
 */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { ATOMS, cut } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { timeText } from '../toolkit/times.ts'
import { useRoving } from '../toolkit/use-roving.ts'
import { useSteadyRows } from '../toolkit/use-steady-rows.ts'
import { useWindow } from '../toolkit/use-window.ts'
import type { Account } from './account.ts'
import { type OrderRow, priceText } from './account-rows.ts'
import { ChangeForm } from './change-form.tsx'
import type { OrderActions } from './order-actions.ts'
import { kindText } from './order-kinds.ts'
import { SideText } from './table.tsx'

const COLUMNS = ['Time', 'Order', 'Symbol', 'Side', 'Price', 'Trigger', 'Filled', 'Quantity']

/** Shapes of a row by the least width of the list, and their heights, CSS pixels. */
const SHAPES = [
  { name: 'line', least: 790, height: 30 },
  { name: 'pair', least: 440, height: 42 },
  { name: 'tall', least: 0, height: 60 },
] as const

const shapeOf = (width: number) => SHAPES.find(({ least }) => width >= least)!
const heightOf = (width: number) => shapeOf(width).height

interface OrdersProps {
  readonly market: Market
  readonly account: Account
  readonly actions: OrderActions
  /** The chosen market. */
  readonly symbol: string
}

export function OpenOrders({ market, account, actions, symbol }: OrdersProps): JSX.Element {
  const changed = useSignal('')
  const { value: keys } = account.openOrders.keys
  const order = account.openOrders.of(changed.value)
  if (keys.length === 0)
    return <p class="empty">No open orders. Click a price in the book to begin one.</p>
  return (
    <div class="orders">
      <CancelAll key={symbol} account={account} actions={actions} symbol={symbol} />
      {order !== undefined && (
        <ChangeForm
          key={changed.value}
          order={order}
          actions={actions}
          end={() => {
            changed.value = ''
          }}
        />
      )}
      <OrderTable
        market={market}
        account={account}
        actions={actions}
        keys={keys}
        change={(key) => {
          changed.value = key
        }}
      />
    </div>
  )
}

/** Asks before it cancels, once, and shows how many. */
function CancelAll({ account, actions, symbol }: Omit<OrdersProps, 'market'>): JSX.Element {
  const asked = useSignal<'' | 'market' | 'all'>('')
  const all = account.openOrders.keys.value.length
  const here = account.openOrders.count(symbol)
  const ask = (wanted: typeof asked.value) => () => {
    asked.value = wanted
  }
  const isOfAll = asked.value === 'all'
  const cancel = () => {
    asked.value = ''
    void (isOfAll ? actions.cancelEverywhere() : actions.cancelAll(symbol))
  }
  if (isOfAll || (asked.value === 'market' && here > 0)) {
    return (
      <div class="orders-head" role="alert">
        <span>
          {isOfAll
            ? `Cancel all ${all} open orders of ${account.openOrders.markets().size} markets?`
            : `Cancel all ${here} open orders on ${symbol}?`}
        </span>
        <div class="actions">
          <button type="button" class="small" onClick={ask('')}>
            Keep
          </button>
          <button type="button" class="small danger" onClick={cancel}>
            Cancel orders
          </button>
        </div>
      </div>
    )
  }
  return (
    <div class="orders-head">
      <span>
        {all} open{here < all && `, ${here} on ${symbol}`}
      </span>
      <div class="actions">
        <button type="button" class="small" disabled={here === 0} onClick={ask('market')}>
          Cancel all on {symbol}
        </button>
        {here < all && (
          <button type="button" class="small" onClick={ask('all')}>
            Cancel all
          </button>
        )}
      </div>
    </div>
  )
}

interface TableProps extends Omit<OrdersProps, 'symbol'> {
  readonly keys: readonly string[]
  readonly change: (key: string) => void
}

function OrderTable({ market, account, actions, keys, change }: TableProps): JSX.Element {
  const list = useRef<HTMLElement>(null)
  const { width, from, until, rowHeight } = useWindow(list, keys.length, heightOf)
  useSteadyRows(list, keys, rowHeight)
  useRoving(list, 'button', 2)
  return (
    <section ref={list} class="scroll" aria-label="Open orders">
      <table class="order-table" aria-label="Open orders" aria-rowcount={keys.length + 1}>
        <thead>
          <tr class={`order-row top ${shapeOf(width).name}`} aria-rowindex={1}>
            {COLUMNS.map((name) => (
              <th
                key={name}
                scope="col"
                class={name === 'Symbol' ? 'symbol-name' : name.toLowerCase()}
              >
                {name}
              </th>
            ))}
            <th scope="col" class="end">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody
          class="order-rows"
          style={{ height: `${keys.length * rowHeight}px`, paddingTop: `${from * rowHeight}px` }}
        >
          {keys.slice(from, until).map((key, at) => (
            <Row
              key={key}
              name={key}
              index={from + at + 2}
              shape={shapeOf(width).name}
              market={market}
              account={account}
              actions={actions}
              change={change}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps extends Omit<TableProps, 'keys'> {
  readonly name: string
  /** Position in the table, its head included, from 1. */
  readonly index: number
  readonly shape: string
}

function Row(props: RowProps): JSX.Element | null {
  const { name, index, shape, market, account, actions, change } = props
  const order = account.openOrders.of(name)
  if (order === undefined) return null
  return (
    <tr
      class={`order-row ${shape}`}
      aria-rowindex={index}
      data-key={name}
      data-order={order.orderId}
      data-symbol={order.symbol}
    >
      <OrderCells market={market} order={order} />
      <td class="actions end">
        <button type="button" class="small" onClick={() => change(name)}>
          Change
        </button>
        <button
          type="button"
          class="small"
          onClick={({ detail }) => {
            // The second half of a double click would meet the next row.
            if (detail < 2) void actions.cancel(order)
          }}
        >
          Cancel
        </button>
      </td>
    </tr>
  )
}

interface CellsProps {
  readonly market: Market
  readonly order: OrderRow
}

/** Figures have the decimals of their market. */
function OrderCells({ market, order }: CellsProps): JSX.Element {
  const time = timeText(order.time)
  const symbol = market.symbols.value.find((it) => it.symbol === order.symbol)
  const { priceDecimals = ATOMS, quantityDecimals = ATOMS } = symbol ?? {}
  return (
    <>
      <td class="time figure" title={time}>
        {time}
      </td>
      <td class="order" title={`${kindText(order.type)} ${order.orderId}`}>
        {kindText(order.type)} <i>{order.orderId}</i>
      </td>
      <td class="symbol-name">{order.symbol}</td>
      <td class="side">
        <SideText isBuy={order.side === 'BUY'} />
      </td>
      <td class="price figure">{priceText(order, priceDecimals)}</td>
      <td class="trigger figure">{triggerText(order, priceDecimals)}</td>
      <td class="filled figure">{cut(order.executedQty, quantityDecimals)}</td>
      <td class="quantity figure">{cut(order.origQty, quantityDecimals)}</td>
    </>
  )
}

function triggerText({ stopPrice = '0', trailingDelta }: OrderRow, decimals: number): string {
  const stop = Number(stopPrice) > 0 ? cut(stopPrice, decimals) : ''
  return trailingDelta === undefined ? stop : `${stop} ${trailingDelta} bps`.trim()
}
