/** Warnings and errors of the log, as they come. */
import type { JSX } from 'preact'
import type { TableRow } from '../../control/listed-action.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { timeText } from './texts.ts'

interface WarningProps {
  readonly rows: readonly TableRow[]
  /** Since the start. */
  readonly count: number
}

export function Warnings({ rows, count }: WarningProps): JSX.Element {
  return (
    <section class="panel warnings" aria-label="Warnings">
      <header class="panel-head">
        <h2>Warnings{count > 0 && <i class="count">{count}</i>}</h2>
        <span class="note">UTC</span>
      </header>
      <Scroll label="Log">
        {rows.length === 0 && <p class="empty">No warnings</p>}
        <ul class="log" aria-live="polite">
          {rows.map(({ number, time, level, text }) => (
            <li key={String(number)} class={String(level)}>
              <time class="figure">{timeText(Date.parse(String(time)) / 1_000)}</time>{' '}
              <b>{String(level)}</b> {String(text)}
            </li>
          ))}
        </ul>
      </Scroll>
    </section>
  )
}
