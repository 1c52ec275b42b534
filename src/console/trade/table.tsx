/** Tables of the account's panel. */
import type { ComponentChildren, JSX } from 'preact'

interface TableProps {
  readonly names: readonly string[]
  readonly count: number
  readonly none: string
  readonly children: ComponentChildren
}

/** A table whose first two columns are words and the others figures. */
export function Table({ names, count, none, children }: TableProps): JSX.Element {
  if (count === 0) return <p class="empty">{none}</p>
  return (
    <table class="rows">
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name === '' ? <span class="hidden">Actions</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

export const SideText = ({ isBuy }: { readonly isBuy: boolean }): JSX.Element => (
  <span class={isBuy ? 'up' : 'down'}>{isBuy ? 'Buy' : 'Sell'}</span>
)
