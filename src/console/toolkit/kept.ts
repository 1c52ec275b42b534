/**
 * Choices that the browser remembers. Text that is broken, too long or no value of the choice is ignored, and so is a
 * storage that is full or forbidden: the choice then lasts until the page ends.
 */
import { type Signal, signal } from '@preact/signals'
import { keptValue } from './kept-value.ts'

/** Returns a choice with its remembered value. One that is `isShared` follows other tabs. */
export function kept<Value>(
  name: string,
  initial: Value,
  read: (value: unknown) => Value | undefined,
  isShared = false,
): Signal<Value> {
  let text: string | null = null
  try {
    text = localStorage.getItem(name)
  } catch {}
  const choice = signal(keptValue(text, read) ?? initial)
  let known = choice.peek()
  choice.subscribe((value) => {
    if (value === known) return
    known = value
    try {
      localStorage.setItem(name, JSON.stringify(value))
    } catch {}
  })
  if (!isShared) return choice
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== name) return
    known = keptValue(newValue, read) ?? initial
    choice.value = known
  })
  return choice
}
