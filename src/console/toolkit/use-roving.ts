/**
 * One tab stop for many controls: arrow keys, Home and End go between them, so that Tab leaves a long list
 * by one press.
 */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'

/** The control that Tab reaches. Elements keep this mark while others come and go. */
const STOP = 'data-stop'

function settle(container: HTMLElement, selector: string): void {
  const controls = [...container.querySelectorAll<HTMLElement>(selector)]
  const stop =
    controls.find((it) => it.hasAttribute(STOP)) ??
    controls.find((it) => it.matches('[aria-current],[aria-pressed="true"]')) ??
    controls[0]
  for (const control of controls) control.tabIndex = control === stop ? 0 : -1
}

function move(container: HTMLElement, selector: string, stop: HTMLElement): void {
  for (const marked of container.querySelectorAll(`[${STOP}]`)) marked.removeAttribute(STOP)
  stop.setAttribute(STOP, '')
  settle(container, selector)
}

/** `perRow` controls stand beside each other: arrows up and down go to the one above or below. */
export function useRoving(
  container: RefObject<HTMLElement | null>,
  selector: string,
  perRow = 1,
): void {
  useLayoutEffect(() => {
    if (container.current !== null) settle(container.current, selector)
  })
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const press = (event: KeyboardEvent) => {
      const controls = [...element.querySelectorAll<HTMLElement>(selector)]
      const at = controls.indexOf(event.target as HTMLElement)
      const to = at === -1 ? undefined : targetOf(event.key, at, controls.length, perRow)
      if (to === undefined) return
      event.preventDefault()
      controls[to]?.focus()
    }
    const focused = ({ target }: FocusEvent) => {
      if ((target as HTMLElement).matches(selector)) move(element, selector, target as HTMLElement)
    }
    element.addEventListener('keydown', press)
    element.addEventListener('focusin', focused)
    return () => {
      element.removeEventListener('keydown', press)
      element.removeEventListener('focusin', focused)
    }
  }, [container, selector, perRow])
}

function targetOf(key: string, at: number, count: number, perRow: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: -perRow,
    ArrowDown: perRow,
    ArrowLeft: -1,
    ArrowRight: 1,
    Home: -count,
    End: count,
  }
  const step = steps[key]
  return step === undefined ? undefined : Math.max(0, Math.min(count - 1, at + step))
}
