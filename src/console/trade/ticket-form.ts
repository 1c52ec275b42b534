/** What the ticket holds while an order is typed, and while it is sent. */
import { batch, signal } from '@preact/signals'
import { parseAtoms } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { kept } from '../toolkit/kept.ts'
import { isFlag } from '../toolkit/kept-value.ts'
import { groupsOf, keptBy, kindsOf, lostBetween, type Values } from './order-kinds.ts'

/** Names of fields that a placed order empties. Its prices stay for the next one. */
const SPENT = /quantity$|^quoteOrderQty$|icebergQty$/i

/** Fields that a price of the ladder is put into. */
export const PICKED = ['price', 'workingPrice']

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

/** Whether the page asks before it sends an order. */
export const isAsking = kept('confirm-orders', false, isFlag)

/** What a ticket shows, and sends. */
export interface ShownOrder {
  /** The market, with the rules that the fields go by. */
  readonly symbol: MarketSymbol
  readonly kind: string
  readonly side: 'BUY' | 'SELL'
  readonly values: Values
}

export class TicketForm {
  readonly side = signal<'BUY' | 'SELL'>('BUY')
  readonly kind = signal('LIMIT')
  readonly values = signal<Values>({})
  /** The market, with the rules that the ticket was filled in by; undefined before one is chosen. */
  readonly symbol = signal<MarketSymbol | undefined>(undefined)
  /** What the market no longer takes of what the ticket holds: nothing is sent until that is confirmed. '' for nothing. */
  readonly lock = signal('')
  /** Whether an order is on its way: no other one is sent until its outcome is known. */
  readonly isSending = signal(false)
  /** The order whose warning was accepted, as `this.content` had it; '' for none. */
  readonly accepted = signal('')
  /** The order that waits for confirmation. */
  readonly asked = signal('')
  /** What was typed as a total, for a price and a quantity; it is shown as long as these stand. */
  readonly total = signal({ text: '', price: '', quantity: '' })
  /** The price that the ticket began with, and the fields of prices in which something else was typed. */
  private prefilled = ''
  private prefilledFor = ''
  private readonly touched = new Set<string>()

  /** Changes with everything that is typed or chosen. */
  get content(): string {
    return JSON.stringify([this.kind.value, this.side.value, this.values.value])
  }

  /** Begins empty: nothing that was typed for one market or account may be sent to another. */
  begin(symbol: MarketSymbol): void {
    this.values.value = {}
    this.prefilled = ''
    this.touched.clear()
    this.takeRules(symbol)
  }

  /** Goes by new rules of the market, unless they take away what the ticket holds. */
  follow(symbol: MarketSymbol): void {
    const { value: before } = this.symbol
    if (before === undefined || this.lock.value !== '') return
    const lost = lostBetween(before, symbol, this.kind.value, this.values.value)
    const isEmpty = Object.entries(this.values.value).every(
      ([name, text]) => text === '' || (text === this.prefilled && !this.touched.has(name)),
    )
    if (lost === '' || isEmpty) {
      this.takeRules(symbol)
    } else this.lock.value = lost
  }

  /** Goes by the market's rules as they are now, and shows what is left. */
  takeRules(symbol: MarketSymbol): void {
    const kinds = kindsOf(symbol)
    batch(() => {
      this.accepted.value = ''
      this.asked.value = ''
      this.lock.value = ''
      this.symbol.value = symbol
      if (!kinds.includes(this.kind.value)) this.kind.value = kinds[0]!
      this.values.value = keptBy(symbol, this.kind.value, this.values.value)
    })
  }

  set(name: string, value: string): void {
    this.touched.add(name)
    this.values.value = { ...this.values.value, [name]: value }
  }

  /** Takes a price from the ladder: into every field of a limit price that is shown. */
  pick(price: string): void {
    for (const name of this.picked()) this.set(name, price)
  }

  /**
   * Puts the side's best price into empty fields of limit prices, so long as nothing is sent. A price that was put
   * there for the other side gives way; one that was typed or emptied stays.
   */
  prefill(price: string): void {
    if (this.lock.value !== '' || this.isSending.value) return
    const { value: values } = this.values
    const isOther = this.prefilledFor !== this.side.value
    const names = this.picked().filter(
      (name) => !this.touched.has(name) && (isOther || (values[name] ?? '') === ''),
    )
    if (names.length === 0) return
    this.prefilled = price
    this.prefilledFor = this.side.value
    this.values.value = { ...values, ...Object.fromEntries(names.map((name) => [name, price])) }
  }

  private picked(): string[] {
    const { value: symbol } = this.symbol
    if (symbol === undefined) return []
    const fields = groupsOf(symbol, this.kind.value, this.values.value).flatMap((it) => it.fields)
    return fields.map(({ name }) => name).filter((it) => PICKED.includes(it))
  }

  /** An order of these values was placed: empties its quantities, unless something was typed since. */
  spend({ values: sent }: ShownOrder): void {
    this.accepted.value = ''
    this.asked.value = ''
    if (areQuantitiesKept.value || this.values.value !== sent) return
    const left = Object.entries(sent).filter(([name]) => !SPENT.test(name))
    this.values.value = Object.fromEntries(left)
  }
}
