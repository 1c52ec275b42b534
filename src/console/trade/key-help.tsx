/** The list of keys, and the switch that turns them off. */
import type { JSX } from 'preact'
import { areKeysOn, toggleKeys } from './keys.ts'

const KEYS = [
  ['B', 'buy: go to the ticket'],
  ['S', 'sell: go to the ticket'],
  ['X', 'cancel the newest order of this market'],
  ['Shift X', 'cancel all orders of this market'],
  ['/', 'search markets'],
  ['Esc', 'leave a field'],
] as const

export function KeyHelp(): JSX.Element {
  return (
    <details class="keys">
      <summary>Keys</summary>
      <dl>
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={areKeysOn.value} onChange={toggleKeys} /> Keys are on
      </label>
    </details>
  )
}
