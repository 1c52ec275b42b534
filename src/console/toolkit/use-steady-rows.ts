/**
 * Keeps the row under the pointer, or the first one in sight, where it is while others come and go above it:
 * a click must not meet a row that has just moved there. At its top, a list that no pointer is over shows new
 * rows at once.
 */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export function useSteadyRows(
  element: RefObject<HTMLElement | null>,
  keys: readonly string[],
  rowHeight: number,
): void {
  const before = useRef(keys)
  const isHeldAtTop = useRef(false)
  useLayoutEffect(() => {
    const list = element.current!
    const old = before.current
    before.current = keys
    if (old === keys || (list.scrollTop === 0 && !list.matches(':hover'))) return
    // The browser has not looked yet what is under the pointer now.
    const hovered = list.querySelector<HTMLElement>('[data-key]:hover')?.dataset.key
    const key = hovered ?? old[Math.floor(list.scrollTop / rowHeight)] ?? ''
    if (keys.includes(key)) list.scrollTop += (keys.indexOf(key) - old.indexOf(key)) * rowHeight
  })
  useEffect(() => {
    const list = element.current!
    const enter = () => {
      isHeldAtTop.current = list.scrollTop === 0
    }
    const scroll = () => {
      isHeldAtTop.current = false
    }
    const leave = () => {
      if (isHeldAtTop.current) list.scrollTop = 0
    }
    list.addEventListener('mouseenter', enter)
    list.addEventListener('wheel', scroll, { passive: true })
    list.addEventListener('mouseleave', leave)
    return () => {
      list.removeEventListener('mouseenter', enter)
      list.removeEventListener('wheel', scroll)
      list.removeEventListener('mouseleave', leave)
    }
  }, [element])
}
