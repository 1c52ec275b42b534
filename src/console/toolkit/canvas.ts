/** A canvas as large as its element, in device pixels, painted in frames when something changed. */
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { onPaint, requestFrame } from './frames.ts'
import { theme } from './theme.ts'

export const FIGURES =
  '12px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'
export const LABELS = '11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'

/** Space at both sides of a row. */
export const EDGE = 12

/** Returns where the second of three columns ends, as in the heads above (console.css). */
export const secondEnd = (width: number): number => EDGE + 0.67 * (width - 2 * EDGE)

export interface Surface {
  readonly context: CanvasRenderingContext2D
  /** CSS pixels. */
  readonly width: number
  readonly height: number
}

/**
 * Paints the canvas when `version` returns another value than at the last painting, and when its size
 * or the theme changed.
 */
export function usePainted(
  canvas: RefObject<HTMLCanvasElement | null>,
  version: () => string | number,
  paint: (surface: Surface) => void,
): void {
  useEffect(() => {
    const element = canvas.current!
    const context = element.getContext('2d')!
    let painted = ''
    const end = onPaint(() => {
      const { clientWidth: width, clientHeight: height } = element
      const now = `${version()} ${width} ${height} ${devicePixelRatio} ${theme.value}`
      if (now === painted || width === 0 || height === 0) return
      painted = now
      resize(element, width, height)
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
      context.clearRect(0, 0, width, height)
      paint({ context, width, height })
    })
    const observer = new ResizeObserver(requestFrame)
    observer.observe(element)
    return () => {
      end()
      observer.disconnect()
    }
  }, [canvas, version, paint])
}

/** Setting a size clears a canvas, so it is set only when it differs. */
function resize(element: HTMLCanvasElement, width: number, height: number): void {
  const [deviceWidth, deviceHeight] = [width, height].map((it) => Math.round(it * devicePixelRatio))
  if (element.width !== deviceWidth) element.width = deviceWidth!
  if (element.height !== deviceHeight) element.height = deviceHeight!
}
