/** The schedules by which symbols change their status, and how long until each does. */
import type { JSX } from 'preact'
import type { Figures } from '../../admin-api/readings.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { Table } from '../trade/table.tsx'
import { uptimeText } from './texts.ts'

const NAMES = ['Schedule', 'Symbols', 'Held', 'Next', 'In', 'Zone']

export function Schedules({ figures }: { readonly figures: Figures }): JSX.Element {
  const { schedules, timeMs } = figures
  const leftText = (dueMs: number) => uptimeText(Math.max(0, Math.round((dueMs - timeMs) / 1_000)))
  return (
    <section class="panel" aria-label="Schedules">
      <header class="panel-head">
        <h2>Schedules</h2>
        <span class="note">schedule-set, phase-hold, phase-advance</span>
      </header>
      <Scroll label="List of schedules">
        <Table
          names={NAMES}
          count={schedules.length}
          none="No schedules: statuses change by command only. The action schedule-set makes one."
        >
          {schedules.map(({ name, symbols, held, next, timeZone }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{symbols}</td>
              <td>{held}</td>
              <td>{next?.status ?? '–'}</td>
              <td>{next === undefined ? '–' : leftText(next.timeMs)}</td>
              <td>{timeZone}</td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </section>
  )
}
