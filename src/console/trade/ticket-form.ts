/** What the ticket holds while an order is typed, and while it is sent. */
import { signal } from '@preact/signals'
import type { Values } from './order-kinds.ts'

/** Names of fields that a placed order empties. Its prices stay for the next one. */
const SPENT = /quantity$|^quoteOrderQty$|icebergQty$/i

/** Whether quantities stay after an order was placed. */
export const areQuantitiesKept = signal(localStorage.getItem('quantities') === 'kept')

export function toggleKeeping(): void {
  areQuantitiesKept.value = !areQuantitiesKept.value
  localStorage.setItem('quantities', areQuantitiesKept.value ? 'kept' : 'cleared')
}

export class TicketForm {
  readonly side = signal<'BUY' | 'SELL'>('BUY')
  readonly kind = signal('LIMIT')
  readonly values = signal<Values>({})
  /** Whether an order is on its way: no other one is sent until its outcome is known. */
  readonly isSending = signal(false)

  set(name: string, value: string): void {
    this.values.value = { ...this.values.value, [name]: value }
  }

  /** Takes a price from the ladder: into every field of a limit price that is shown. */
  pick(price: string, names: readonly string[]): void {
    const picked = Object.fromEntries(names.map((name) => [name, price]))
    this.values.value = { ...this.values.value, ...picked }
  }

  /** An order of these values was placed: empties its quantities, unless something was typed since. */
  spend(sent: Values): void {
    if (areQuantitiesKept.value || this.values.value !== sent) return
    const left = Object.entries(sent).filter(([name]) => !SPENT.test(name))
    this.values.value = Object.fromEntries(left)
  }

  clear(): void {
    this.values.value = {}
  }
}
