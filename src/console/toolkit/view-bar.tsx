/** The bar at the foot of narrow screens, which chooses the view that they show. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'

interface ViewBarProps<View extends string> {
  readonly views: readonly View[]
  readonly view: Signal<View>
}

export function ViewBar<View extends string>({ views, view }: ViewBarProps<View>): JSX.Element {
  return (
    <nav class="views" aria-label="Views">
      {views.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={view.value === name}
          onClick={() => {
            view.value = name
          }}
        >
          {name}
        </button>
      ))}
    </nav>
  )
}
