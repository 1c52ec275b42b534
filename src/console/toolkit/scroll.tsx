/** A part of the page that scrolls, and that the keyboard can reach to scroll it. */
import type { ComponentChildren, JSX } from 'preact'

interface ScrollProps {
  readonly label: string
  readonly className?: string
  readonly children: ComponentChildren
}

export const Scroll = ({ label, className = '', children }: ScrollProps): JSX.Element => (
  <section class={`scroll ${className}`} aria-label={label} ref={makeReachable}>
    {children}
  </section>
)

function makeReachable(element: HTMLElement | null): void {
  if (element !== null) element.tabIndex = 0
}
