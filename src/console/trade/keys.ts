/** Keys that work anywhere on the page but in fields. They can be turned off, for screen readers. */
import { signal } from '@preact/signals'

export interface KeyActs {
  readonly [key: string]: () => void
}

export const areKeysOn = signal(localStorage.getItem('keys') !== 'off')

export function toggleKeys(): void {
  areKeysOn.value = !areKeysOn.value
  localStorage.setItem('keys', areKeysOn.value ? 'on' : 'off')
}

const FIELDS = ['INPUT', 'SELECT', 'TEXTAREA']

/** Calls the act of each key that is pressed outside of fields. Returns a function that ends this. */
export function listenToKeys(acts: KeyActs): () => void {
  const press = (event: KeyboardEvent) => {
    if (!areKeysOn.value || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    if (event.target instanceof HTMLElement && FIELDS.includes(event.target.tagName)) {
      // Leaves the field, so that keys work again.
      if (event.key === 'Escape') event.target.blur()
      return
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  document.addEventListener('keydown', press)
  return () => document.removeEventListener('keydown', press)
}
