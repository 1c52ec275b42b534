/** Own open orders of all symbols: cancel, reduce, replace. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { trimmed } from '../book/decimals.ts'
import { clockText } from '../market/tape-view.tsx'
import type { Account } from './account.ts'
import type { OrderRow } from './account-rows.ts'
import { SideText, Table } from './table.tsx'
import { kindText } from './ticket.tsx'

/** Newest first. */
export const newestFirst = (account: Account): OrderRow[] =>
  [...account.orders.value.values()].sort((a, b) => b.time - a.time || b.orderId - a.orderId)

export const cancelOrder = (account: Account, { symbol, orderId }: OrderRow) =>
  account.act('Cancel', 'DELETE', '/api/v3/order', { symbol, orderId })

/** Cancels all open orders of a symbol, if there are any. */
export async function cancelAll(account: Account, symbol: string): Promise<void> {
  const isOne = newestFirst(account).some((order) => order.symbol === symbol)
  if (!isOne) account.say(`No open orders of ${symbol}.`, 'neutral')
  else await account.act(`Cancel all of ${symbol}`, 'DELETE', '/api/v3/openOrders', { symbol })
}

const NAMES = ['Time', 'Order', 'Symbol', 'Side', 'Price', 'Trigger', 'Filled', 'Quantity', '']

export function OpenOrders({ account }: { readonly account: Account }): JSX.Element {
  const edited = useSignal<number | undefined>(undefined)
  const rows = newestFirst(account)
  return (
    <div class="orders">
      <Table names={NAMES} count={rows.length} none="No open orders.">
        {rows.map((order) =>
          edited.value === order.orderId ? (
            <EditRow
              key={order.orderId}
              account={account}
              order={order}
              end={() => {
                edited.value = undefined
              }}
            />
          ) : (
            <tr key={order.orderId} data-order={order.orderId}>
              <OrderCells order={order} />
              <td class="end">
                <div class="acts">
                  <button
                    type="button"
                    class="small"
                    onClick={() => {
                      edited.value = order.orderId
                    }}
                  >
                    Change
                  </button>
                  <button
                    type="button"
                    class="small"
                    onClick={() => void cancelOrder(account, order)}
                  >
                    Cancel
                  </button>
                </div>
              </td>
            </tr>
          ),
        )}
      </Table>
    </div>
  )
}

function OrderCells({ order }: { readonly order: OrderRow }): JSX.Element {
  return (
    <>
      <td>{clockText(order.time)}</td>
      <td>
        {kindText(order.type)} <i class="detail">{order.orderId}</i>
      </td>
      <td>{order.symbol}</td>
      <td>
        <SideText isBuy={order.side === 'BUY'} />
      </td>
      <td>{Number(order.price) > 0 ? trimmed(order.price) : 'market'}</td>
      <td>{triggerText(order)}</td>
      <td>{trimmed(order.executedQty)}</td>
      <td>{trimmed(order.origQty)}</td>
    </>
  )
}

function triggerText({ stopPrice = '0', trailingDelta }: OrderRow): string {
  const stop = Number(stopPrice) > 0 ? trimmed(stopPrice) : ''
  return trailingDelta === undefined ? stop : `${stop} ${trailingDelta} bps`.trim()
}

interface EditProps {
  readonly account: Account
  readonly order: OrderRow
  readonly end: () => void
}

/**
 * Reduce keeps the order's place in the queue; replace cancels it and places another one at the price
 * and quantity that were typed.
 */
function EditRow({ account, order, end }: EditProps): JSX.Element {
  const price = useSignal(trimmed(order.price))
  const quantity = useSignal(trimmed(order.origQty))
  const { symbol, orderId } = order
  const reduce = async () => {
    const params = { symbol, orderId, newQty: quantity.value.trim() }
    if (await account.act('Reduce', 'PUT', '/api/v3/order/amend/keepPriority', params)) end()
  }
  const replace = async () => {
    const path = '/api/v3/order/cancelReplace'
    if (await account.act('Replace', 'POST', path, replacement(order, price.value, quantity.value)))
      end()
  }
  const isLimit = Number(order.price) > 0
  return (
    <tr data-order={orderId} class="edited">
      <td colSpan={4}>
        {kindText(order.type)}{' '}
        <span class="detail">
          <i>{orderId}</i> of {symbol}
        </span>
      </td>
      <td colSpan={2}>
        <input
          inputMode="decimal"
          aria-label="New price"
          value={price.value}
          disabled={!isLimit}
          onInput={({ currentTarget }) => {
            price.value = currentTarget.value
          }}
        />
      </td>
      <td colSpan={2}>
        <input
          inputMode="decimal"
          aria-label="New quantity"
          value={quantity.value}
          onInput={({ currentTarget }) => {
            quantity.value = currentTarget.value
          }}
        />
      </td>
      <td>
        <div class="acts">
          <button type="button" class="small" onClick={() => void reduce()}>
            Reduce
          </button>
          <button type="button" class="small" onClick={() => void replace()}>
            Replace
          </button>
          <button type="button" class="small" onClick={end}>
            Back
          </button>
        </div>
      </td>
    </tr>
  )
}

/** The parameters of an order that is like this one at another price and quantity. */
export function replacement(order: OrderRow, price: string, quantity: string) {
  const { symbol, side, type, orderId, stopPrice = '0', trailingDelta, icebergQty = '0' } = order
  const isTimed = type === 'LIMIT' || type.endsWith('_LIMIT')
  return {
    ...{ symbol, side, type, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: orderId },
    timeInForce: isTimed ? order.timeInForce : undefined,
    price: Number(order.price) > 0 ? price.trim() : undefined,
    quantity: quantity.trim(),
    stopPrice: Number(stopPrice) > 0 ? stopPrice : undefined,
    trailingDelta,
    icebergQty: Number(icebergQty) > 0 ? icebergQty : undefined,
  }
}
