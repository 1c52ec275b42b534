/**
 * Changes one open order: its price, and the quantity that is left to fill. The form follows fills, and shows which way
 * the change goes.
 */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { formatAtoms, shown, trimmed } from '../book/decimals.ts'
import { type OrderRow, priceOf } from './account-rows.ts'
import { lossesOf, restOf, type Way, wayOf } from './changed-order.ts'
import type { OrderActions } from './order-actions.ts'
import { kindText } from './order-kinds.ts'

interface ChangeProps {
  readonly order: OrderRow
  readonly actions: OrderActions
  /** The price that is wanted at first; without one it is the order's. */
  readonly wanted?: string
  readonly end: () => void
}

export function ChangeForm({ order, actions, wanted, end }: ChangeProps): JSX.Element {
  const price = useSignal(trimmed(wanted ?? priceOf(order)))
  /** What was typed; until then the form follows the order's fills. */
  const typed = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:enabled')?.select(), [])
  const quantity = (typed.value ?? formatAtoms(restOf(order))).trim()
  const way = wayOf(order, price.value, quantity)
  const isOff = isSending.value || way === undefined
  const send = async (event: Event) => {
    event.preventDefault()
    if (isOff) return
    isSending.value = true
    if (await actions.change(order, price.value.trim(), quantity)) end()
    isSending.value = false
  }
  const { type, orderId, symbol, side, executedQty } = order
  return (
    <form ref={form} class="change" aria-label={`Change order ${orderId}`} onSubmit={send}>
      <p>
        {kindText(type)} {orderId} of {symbol}, {side.toLowerCase()}, {shown(executedQty)} filled
      </p>
      <Decimal
        label="New price"
        value={price.value}
        isOff={Number(priceOf(order)) === 0}
        change={(text) => {
          price.value = text
        }}
      />
      <Decimal
        label="New quantity left to fill"
        value={quantity}
        isOff={false}
        change={(text) => {
          typed.value = text
        }}
      />
      <div class="actions">
        <button type="submit" class="small" disabled={isOff}>
          {way === 'amend' ? 'Reduce' : 'Replace'}
        </button>
        <button type="button" class="small" onClick={end}>
          Back
        </button>
      </div>
      {way !== undefined && (
        <p class="note">
          {WAYS[way]} {way !== 'amend' && lossesOf(order, quantity)}
        </p>
      )}
    </form>
  )
}

/** What each way of changing an order means for it. */
const WAYS: Readonly<Record<Way, string>> = {
  amend: 'It keeps its place in the queue.',
  replace: 'In one step, unless it is filled first. The new order has an id of its own.',
  again:
    'It is canceled first, and placed again for what is left then: ' +
    'for that moment it is not in the book. The new order has an id of its own.',
}

interface DecimalProps {
  readonly label: string
  readonly value: string
  readonly isOff: boolean
  readonly change: (text: string) => void
}

const Decimal = ({ label, value, isOff, change }: DecimalProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <input
      inputMode="decimal"
      autocomplete="off"
      value={value}
      disabled={isOff}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  </label>
)
