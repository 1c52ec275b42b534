/**
 * Keys that work anywhere on the page but in fields. They can be turned off, for screen readers. Those that
 * cancel orders are off until they are turned on, and work only while nothing has the focus.
 */
import { signal } from '@preact/signals'

export interface KeyActions {
  readonly [key: string]: () => void
}

/** Keys that cancel orders. */
const CANCELING = ['x', 'X']

export const areKeysOn = signal(localStorage.getItem('keys') !== 'off')

export function toggleKeys(): void {
  areKeysOn.value = !areKeysOn.value
  localStorage.setItem('keys', areKeysOn.value ? 'on' : 'off')
}

export const areCancelKeysOn = signal(localStorage.getItem('cancel-keys') === 'on')

export function toggleCancelKeys(): void {
  areCancelKeysOn.value = !areCancelKeysOn.value
  localStorage.setItem('cancel-keys', areCancelKeysOn.value ? 'on' : 'off')
}

const FIELDS = ['INPUT', 'SELECT', 'TEXTAREA']

/**
 * Calls the action of each key that is pressed outside of fields, or `refused` for a key that cancels while
 * such keys are off. Returns a function that ends this.
 */
export function listenToKeys(actions: KeyActions, refused: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    if (!areKeysOn.value || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const { activeElement: focused } = document
    // Leaves what has the focus, so that keys work again.
    if (event.key === 'Escape' && focused instanceof HTMLElement) focused.blur()
    if (focused !== null && FIELDS.includes(focused.tagName)) return
    const action = actions[event.key]
    if (action === undefined) return
    const isCanceling = CANCELING.includes(event.key)
    if (isCanceling && focused !== null && focused !== document.body) return
    event.preventDefault()
    if (isCanceling && !areCancelKeysOn.value) refused()
    else action()
  }
  document.addEventListener('keydown', press)
  return () => document.removeEventListener('keydown', press)
}
