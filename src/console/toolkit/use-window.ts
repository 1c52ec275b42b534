/** Which rows of a long list are in sight, so that only they are rendered. */
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Rows beyond the edges, so that keys and slow frames find some. */
const SPARE = 4

export interface RowWindow {
  /** Width of the list, CSS pixels. */
  readonly width: number
  /** Index of the first row, and of the one after the last. */
  readonly from: number
  readonly until: number
  readonly rowHeight: number
}

/**
 * Follows the scrolling and the size of `element`, whose rows are all as high as `heightOf` returns for its
 * width. Renders only when another row comes into sight.
 */
export function useWindow(
  element: RefObject<HTMLElement | null>,
  count: number,
  heightOf: (width: number) => number,
): RowWindow {
  const size = useSignal({ width: 0, rows: 0 })
  const first = useSignal(0)
  const rowHeight = heightOf(size.value.width)
  useLayoutEffect(() => {
    const list = element.current!
    const look = () => {
      const { clientWidth: width, clientHeight, scrollTop } = list
      const rows = Math.ceil(clientHeight / heightOf(width)) + 1
      const { value: before } = size
      if (before.width !== width || before.rows !== rows) size.value = { width, rows }
      first.value = Math.floor(scrollTop / heightOf(width))
    }
    const observer = new ResizeObserver(look)
    observer.observe(list)
    list.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      list.removeEventListener('scroll', look)
    }
  }, [element, size, first, heightOf])
  const until = Math.min(count, first.value + size.value.rows + SPARE)
  const from = Math.max(0, Math.min(first.value, count - size.value.rows) - SPARE)
  return { width: size.value.width, from, until, rowHeight }
}
