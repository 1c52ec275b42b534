/** The saved states of a sandbox, with what saves, loads and resets it. */
import type { JSX } from 'preact'
import type { Figures } from '../../admin-api/readings.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { Table } from '../trade/table.tsx'
import { LineForm, Said, Start, useActionGroup } from './action-group.tsx'
import type { OperatorSession } from './operator-session.ts'
import { bytesText, uptimeText } from './texts.ts'

const ACTIONS = ['save', 'load', 'reset']

interface StatesProps {
  readonly session: OperatorSession
  readonly figures: Figures
}

/** Nothing while the sandbox is off. */
export function States({ session, figures }: StatesProps): JSX.Element | null {
  const { states, timeMs } = figures
  const group = useActionGroup(session, ACTIONS)
  if (states === undefined) return null
  const ageText = (savedMs: number) =>
    uptimeText(Math.max(0, Math.round((timeMs - savedMs) / 1_000)))
  return (
    <section class="panel acting" aria-label="States">
      <header class="panel-head">
        <h2>States</h2>
        <Start group={group} action="reset" label="Reset" />
      </header>
      <LineForm
        group={group}
        action="save"
        title="Save the state"
        label="Save"
        fields={[{ name: 'name', label: 'Name of the state', placeholder: 'Name' }]}
      />
      <Said group={group} />
      <Scroll label="List of states">
        <Table
          names={['Name', 'Kind', 'Age', 'Size', '']}
          words={2}
          count={states.length}
          none="No state is saved. Name one above to come back to it."
        >
          {states.map(({ name, kind, timeMs: savedMs, bytes }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{kind}</td>
              <td>{ageText(savedMs)}</td>
              <td>{bytesText(bytes)}</td>
              <td>
                {kind === 'state' && (
                  <Start
                    group={group}
                    action="load"
                    label="Load"
                    spoken={`Load ${name}`}
                    given={{ name }}
                  />
                )}
              </td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </section>
  )
}
