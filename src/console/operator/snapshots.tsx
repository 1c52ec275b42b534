/** The snapshots that the data folder has. */
import type { JSX } from 'preact'
import type { Figures } from '../../admin-api/readings.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { Table } from '../trade/table.tsx'
import { bytesText, uptimeText } from './texts.ts'

export function Snapshots({ figures }: { readonly figures: Figures }): JSX.Element {
  const { snapshots, snapshotsFailure, snapshotMinutes, timeMs } = figures
  const interval = snapshotMinutes === 0 ? 'none are made' : `every ${snapshotMinutes} minutes`
  const ageText = (madeMs: number) => uptimeText(Math.max(0, Math.round((timeMs - madeMs) / 1_000)))
  return (
    <section class="panel" aria-label="Snapshots">
      <header class="panel-head">
        <h2>Snapshots</h2>
        <span class="note">{interval}</span>
      </header>
      <Scroll label="List of snapshots">
        <Table
          names={['Number', 'Age', 'Size']}
          count={snapshots.length}
          none={snapshotsFailure ?? 'No snapshots yet. The action snapshot makes one.'}
        >
          {snapshots.map(({ number, timeMs: madeMs, bytes }) => (
            <tr key={number}>
              <td>{number}</td>
              <td>{ageText(madeMs)}</td>
              <td>{bytesText(bytes)}</td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </section>
  )
}
