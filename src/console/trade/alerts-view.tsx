/** The alerts of this browser: what waits, and a form for another one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { parseAtoms, shown } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { ALERTS_MAX, alerts, areFillsTold, lastOf, type PriceAlert } from './alerts.ts'
import { Table } from './table.tsx'

interface AlertsProps {
  readonly market: Market
  readonly symbol: MarketSymbol
}

export function Alerts({ market, symbol }: AlertsProps): JSX.Element {
  const price = useSignal('')
  const { value: all } = alerts
  const atoms = parseAtoms(price.value) ?? 0n
  const isFull = all.length >= ALERTS_MAX
  const add = (event: Event) => {
    event.preventDefault()
    if (atoms === 0n || isFull) return
    const last = parseAtoms(lastOf(market, symbol.symbol)) ?? 0n
    const added = { symbol: symbol.symbol, price: price.value.trim(), isAbove: atoms > last }
    alerts.value = [...all, added]
    price.value = ''
  }
  return (
    <>
      <form class="alerts" aria-label="Alerts" onSubmit={add}>
        <label class="field">
          <span>Price of {symbol.symbol}</span>
          <input
            inputMode="decimal"
            autocomplete="off"
            value={price.value}
            onInput={({ currentTarget }) => {
              price.value = currentTarget.value
            }}
          />
        </label>
        <button type="submit" class="small" disabled={atoms === 0n || isFull}>
          Add alert
        </button>
        <Choices />
        {isFull && <p class="note">There can be {ALERTS_MAX} alerts.</p>}
      </form>
      <Table
        names={['Market', 'When', '']}
        words={2}
        count={all.length}
        none="No alert waits for a price. Set one above to be told when the market reaches it."
      >
        {all.map((alert) => (
          <AlertRow key={`${alert.symbol} ${alert.price} ${alert.isAbove}`} alert={alert} />
        ))}
      </Table>
    </>
  )
}

function AlertRow({ alert }: { readonly alert: PriceAlert }): JSX.Element {
  return (
    <tr>
      <td>{alert.symbol}</td>
      <td>
        {alert.isAbove ? 'at or above' : 'at or below'} {shown(alert.price)}
      </td>
      <td>
        <button
          type="button"
          class="small"
          onClick={() => {
            alerts.value = alerts.value.filter((it) => it !== alert)
          }}
        >
          Remove
        </button>
      </td>
    </tr>
  )
}

/** Fills, and notices of the browser while the page is hidden. */
function Choices(): JSX.Element {
  const permission = useSignal('Notification' in window ? Notification.permission : 'denied')
  const ask = async () => {
    permission.value = await Notification.requestPermission()
  }
  return (
    <>
      <label class="note">
        <input
          type="checkbox"
          checked={areFillsTold.value}
          onChange={({ currentTarget }) => {
            areFillsTold.value = currentTarget.checked
          }}
        />{' '}
        Keep each fill on the screen until I dismiss it
      </label>
      {permission.value === 'default' && (
        <button type="button" class="small" onClick={() => void ask()}>
          Also tell me while the page is hidden
        </button>
      )}
    </>
  )
}
