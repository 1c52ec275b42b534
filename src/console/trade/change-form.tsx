/**
 * Changes one open order. Reduce keeps its place in the queue; replace cancels it and places another one at
 * the price and quantity that were typed.
 */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { shown, trimmed } from '../book/decimals.ts'
import type { OrderRow } from './account-rows.ts'
import type { OrderActions } from './order-actions.ts'
import { kindText } from './order-kinds.ts'

interface ChangeProps {
  readonly order: OrderRow
  readonly actions: OrderActions
  readonly end: () => void
}

export function ChangeForm({ order, actions, end }: ChangeProps): JSX.Element {
  const price = useSignal(trimmed(order.price))
  const quantity = useSignal(trimmed(order.origQty))
  const isSending = useSignal(false)
  const form = useRef<HTMLFieldSetElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:enabled')?.select(), [])
  const send = async (action: Promise<boolean>) => {
    isSending.value = true
    if (await action) end()
    isSending.value = false
  }
  const reduce = () => send(actions.reduce(order, quantity.value.trim()))
  const replace = () => send(actions.replace(order, price.value.trim(), quantity.value.trim()))
  const { type, orderId, symbol, side, executedQty } = order
  return (
    <fieldset ref={form} class="change" aria-label={`Change order ${orderId}`}>
      <p>
        {kindText(type)} {orderId} of {symbol}, {side.toLowerCase()}, {shown(executedQty)} filled
      </p>
      <Decimal label="New price" value={price} isOff={Number(order.price) === 0} />
      <Decimal label="New quantity" value={quantity} isOff={false} />
      <div class="actions">
        <button type="button" class="small" disabled={isSending.value} onClick={reduce}>
          Reduce
        </button>
        <button type="button" class="small" disabled={isSending.value} onClick={replace}>
          Replace
        </button>
        <button type="button" class="small" onClick={end}>
          Back
        </button>
      </div>
    </fieldset>
  )
}

interface DecimalProps {
  readonly label: string
  readonly value: Signal<string>
  readonly isOff: boolean
}

const Decimal = ({ label, value, isOff }: DecimalProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <input
      inputMode="decimal"
      autocomplete="off"
      value={value.value}
      disabled={isOff}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value
      }}
    />
  </label>
)
