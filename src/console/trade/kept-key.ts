/**
 * The key that a reload signs in with, when its user has chosen that: it lies in the sessionStorage of this
 * tab, its secret included, until the user signs out or the tab is closed.
 */
import { signal } from '@preact/signals'

export interface KeptKey {
  readonly apiKey: string
  /** How the page names the user. */
  readonly name: string
  readonly secret: string
}

const CHOICE = 'stay-signed-in'
const KEY = 'session-key'

export const isStaying = signal(localStorage.getItem(CHOICE) === 'yes')

export function toggleStaying(): void {
  isStaying.value = !isStaying.value
  localStorage.setItem(CHOICE, isStaying.value ? 'yes' : 'no')
}

/** Keeps a key if its user has chosen that. */
export function keepKey(key: KeptKey): void {
  if (isStaying.value) sessionStorage.setItem(KEY, JSON.stringify(key))
}

export function keptKey(): KeptKey | undefined {
  const text = sessionStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as KeptKey)
}

export const forgetKey = (): void => sessionStorage.removeItem(KEY)
