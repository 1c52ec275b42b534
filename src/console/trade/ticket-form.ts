/** What the ticket holds while an order is typed. */
import { signal } from '@preact/signals'
import type { Values } from './order-kinds.ts'

export class TicketForm {
  readonly side = signal<'BUY' | 'SELL'>('BUY')
  readonly kind = signal('LIMIT')
  readonly values = signal<Values>({})

  set(name: string, value: string): void {
    this.values.value = { ...this.values.value, [name]: value }
  }

  /** Takes a price from the ladder: into every field of a limit price that is shown. */
  pick(price: string, names: readonly string[]): void {
    const picked = Object.fromEntries(names.map((name) => [name, price]))
    this.values.value = { ...this.values.value, ...picked }
  }

  clear(): void {
    this.values.value = {}
  }
}
