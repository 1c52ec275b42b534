/** Alerts on prices and own fills: of this browser, remembered, and shown while a page is open. */
import { effect } from '@preact/signals'
import { parseAtoms, shown } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { kept } from '../toolkit/kept.ts'
import { isFlag } from '../toolkit/kept-value.ts'
import type { Notices } from './notices.ts'

export const ALERTS_MAX = 50
const TEXT_MAX = 64

export interface PriceAlert {
  readonly symbol: string
  readonly price: string
  /** Whether the price comes from below. */
  readonly isAbove: boolean
}

export function alertsOf(value: unknown): readonly PriceAlert[] | undefined {
  if (!Array.isArray(value)) return undefined
  const isOne = (it: Partial<PriceAlert> | null): it is PriceAlert =>
    typeof it?.symbol === 'string' &&
    it.symbol.length <= TEXT_MAX &&
    typeof it.price === 'string' &&
    (parseAtoms(it.price) ?? 0n) > 0n &&
    typeof it.isAbove === 'boolean'
  return value.filter(isOne).slice(0, ALERTS_MAX)
}

export const alerts = kept<readonly PriceAlert[]>('alerts', [], alertsOf, true)
/** Whether fills are shown until they are dismissed. */
export const areFillsTold = kept('fill-alerts', false, isFlag)

/** Whether the last price has come to the alert's. */
export function isReached({ price, isAbove }: PriceAlert, last: string): boolean {
  const [wanted, now] = [parseAtoms(price) ?? 0n, parseAtoms(last) ?? 0n]
  return now > 0n && (isAbove ? now >= wanted : now <= wanted)
}

/** Shows a text until it is dismissed, and by the browser where that was allowed and the page is hidden. */
export function tell(notices: Notices, text: string): void {
  notices.say(text, 'alert')
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted')
    return
  try {
    new Notification(text)
  } catch {
    // Phones show notifications of service workers alone.
  }
}

/** The last price that the page knows of a market; '' for none. */
export function lastOf(market: Market, symbol: string): string {
  const isChosen = market.chosen.peek()?.symbol === symbol
  const last = isChosen ? market.last.peek()?.price : undefined
  return last ?? market.tickers.of(symbol).peek()?.price ?? ''
}

/** Shows alerts, each once. Returns a function that ends this. */
export function watchAlerts(market: Market, notices: Notices): () => void {
  return effect(() => {
    void [market.last.value, market.tickers.version.value]
    const { value: all } = alerts
    const reached = all.filter((alert) => isReached(alert, lastOf(market, alert.symbol)))
    if (reached.length === 0) return
    alerts.value = all.filter((alert) => !reached.includes(alert))
    for (const { symbol, price } of reached) {
      tell(notices, `${symbol} has reached ${shown(price)}: ${shown(lastOf(market, symbol))}`)
    }
  })
}
