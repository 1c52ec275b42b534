/** The sizes of panels that the user has set, remembered; and what is dragged to set them. */
import type { JSX } from 'preact'
import { kept } from '../toolkit/kept.ts'

/** Width of the book, CSS pixels, and height of the account's panel, percent. */
const BOUNDS = {
  book: { least: 240, most: 480, usual: 276, step: 12, name: 'Width of the order book' },
  account: { least: 15, most: 70, usual: 38, step: 3, name: 'Height of the account' },
} as const
type Part = keyof typeof BOUNDS
type Layout = Readonly<Record<Part, number>>

const within = (part: Part, size: unknown): number => {
  const { least, most, usual } = BOUNDS[part]
  return typeof size === 'number' && size >= least && size <= most ? size : usual
}

function layoutOf(value: unknown): Layout | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { book, account } = value as Partial<Layout>
  return { book: within('book', book), account: within('account', account) }
}

const layout = kept<Layout>('layout', layoutOf({})!, layoutOf)

/** Sizes as console.css reads them. Markets take three fifths of what is above the account. */
export function layoutStyle(): Record<string, string> {
  const { book, account } = layout.value
  const above = 100 - account
  return {
    '--book': `${book}px`,
    '--above': `${above}fr`,
    '--markets': `${above * 0.6}fr`,
    '--between': `${above * 0.4}fr`,
    '--account': `${account}fr`,
  }
}

function resize(part: Part, size: number): void {
  const { least, most } = BOUNDS[part]
  const next = Math.round(Math.max(least, Math.min(most, size)))
  if (next !== layout.value[part]) layout.value = { ...layout.value, [part]: next }
}

const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: 1,
  ArrowUp: 1,
  ArrowRight: -1,
  ArrowDown: -1,
}

/** The edge of a panel: dragged, moved by arrow keys, and set back by a double click. */
export function Edge({ part }: { readonly part: Part }): JSX.Element {
  const { least, most, usual, step, name } = BOUNDS[part]
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const panel = event.currentTarget.parentElement!.getBoundingClientRect()
    const grid = event.currentTarget.closest('.grid')!.getBoundingClientRect()
    if (part === 'book') resize(part, panel.right - event.clientX)
    else resize(part, ((grid.bottom - event.clientY) / grid.height) * 100)
  }
  return (
    <hr
      class={`edge ${part}-edge`}
      tabIndex={0}
      aria-label={name}
      aria-orientation={part === 'book' ? 'vertical' : 'horizontal'}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={layout.value[part]}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDblClick={() => resize(part, usual)}
      onKeyDown={(event) => {
        const way = KEYS[event.key]
        if (way === undefined) return
        event.preventDefault()
        resize(part, layout.value[part] + way * step)
      }}
    />
  )
}
