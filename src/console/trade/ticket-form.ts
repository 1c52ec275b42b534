/** What the ticket holds while an order is typed, and while it is sent. */
import { signal } from '@preact/signals'
import { parseAtoms } from '../book/decimals.ts'
import type { Values } from './order-kinds.ts'

/** Names of fields that a placed order empties. Its prices stay for the next one. */
const SPENT = /quantity$|^quoteOrderQty$|icebergQty$/i

/** Whether quantities stay after an order was placed. */
export const areQuantitiesKept = signal(localStorage.getItem('quantities') === 'kept')

export function toggleKeeping(): void {
  areQuantitiesKept.value = !areQuantitiesKept.value
  localStorage.setItem('quantities', areQuantitiesKept.value ? 'kept' : 'cleared')
}

/** Percent of slippage that a market order may have before the page warns of it, unless it was set. */
const BOUND = '0.5'

/** The bound as it was typed. */
export const slippageBound = signal(localStorage.getItem('slippage-bound') ?? BOUND)

export function setSlippageBound(text: string): void {
  slippageBound.value = text
  if (parseAtoms(text) === undefined) localStorage.removeItem('slippage-bound')
  else localStorage.setItem('slippage-bound', text)
}

/** Returns the bound in percent; a text that is no number warns of every slippage. */
export const boundPercent = (): number =>
  parseAtoms(slippageBound.value) === undefined ? 0 : Number(slippageBound.value)

export class TicketForm {
  readonly side = signal<'BUY' | 'SELL'>('BUY')
  readonly kind = signal('LIMIT')
  readonly values = signal<Values>({})
  /** Whether an order is on its way: no other one is sent until its outcome is known. */
  readonly isSending = signal(false)
  /** The order whose warning was accepted, as `this.content` had it; '' for none. */
  readonly accepted = signal('')

  /** Changes with everything that is typed or chosen. */
  get content(): string {
    return JSON.stringify([this.kind.value, this.side.value, this.values.value])
  }

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
    this.accepted.value = ''
    if (areQuantitiesKept.value || this.values.value !== sent) return
    const left = Object.entries(sent).filter(([name]) => !SPENT.test(name))
    this.values.value = Object.fromEntries(left)
  }

  clear(): void {
    this.accepted.value = ''
    this.values.value = {}
  }
}
