/** The list of keys, and the switches that turn them on and off. */
import type { JSX } from 'preact'
import { areCancelKeysOn, areKeysOn, toggleCancelKeys, toggleKeys } from './keys.ts'

const KEYS = [
  ['B', 'buy: go to the ticket'],
  ['S', 'sell: go to the ticket'],
  ['X', 'cancel the newest order of this market, once switched on'],
  ['Shift X', 'cancel all orders of this market, once switched on'],
  ['/', 'search markets'],
  ['Esc', 'leave a field or a button'],
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
      <label>
        <input type="checkbox" checked={areCancelKeysOn.value} onChange={toggleCancelKeys} /> X and
        Shift X cancel at once
      </label>
    </details>
  )
}
