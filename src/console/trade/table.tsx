/** Tables of the account's panel. */
import type { ComponentChildren, JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useRoving } from '../toolkit/use-roving.ts'

interface TableProps {
  readonly names: readonly string[]
  /** The first columns that hold words, of 3 the last one too; the others hold figures. */
  readonly words?: 1 | 2 | 3 | 5
  readonly count: number
  readonly none: string
  readonly children: ComponentChildren
}

export function Table({ count, none, ...rows }: TableProps): JSX.Element {
  return count === 0 ? <p class="empty">{none}</p> : <Rows {...rows} />
}

function Rows({ names, words = 1, children }: Omit<TableProps, 'count' | 'none'>): JSX.Element {
  const table = useRef<HTMLTableElement>(null)
  useRoving(table, 'button')
  return (
    <table ref={table} class={`rows words-${words}`}>
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
