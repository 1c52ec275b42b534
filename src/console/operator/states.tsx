/** The saved states of a sandbox, with what saves, loads and resets it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { Scroll } from '../toolkit/scroll.tsx'
import { Table } from '../trade/table.tsx'
import { ActionWork } from './action-work.ts'
import { Confirmation } from './confirmation.tsx'
import type { Figures } from './figures.ts'
import type { OperatorSession } from './operator-session.ts'
import { bytesText, uptimeText } from './texts.ts'

interface StatesProps {
  readonly session: OperatorSession
  readonly figures: Figures
}

/** Nothing while the sandbox is off. */
export function States({ session, figures }: StatesProps): JSX.Element | null {
  const { states, timeMs } = figures
  const works = [useWork(session, 'save'), useWork(session, 'load'), useWork(session, 'reset')]
  const [save, load, reset] = works
  if (states === undefined) return null
  const ageText = (savedMs: number) =>
    uptimeText(Math.max(0, Math.round((timeMs - savedMs) / 1_000)))
  return (
    <section class="panel states" aria-label="States">
      <header class="panel-head">
        <h2>States</h2>
        {reset !== undefined && <Start work={reset} label="Reset" given={{}} />}
      </header>
      {save !== undefined && <SaveForm work={save} />}
      {works.map((work) => work !== undefined && <Said key={work.name} work={work} />)}
      <Scroll label="List of states">
        <Table
          names={['Name', 'Kind', 'Age', 'Size', '']}
          count={states.length}
          none="None is saved."
        >
          {states.map(({ name, kind, timeMs: savedMs, bytes }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{kind}</td>
              <td>{ageText(savedMs)}</td>
              <td>{bytesText(bytes)}</td>
              <td>
                {load !== undefined && kind === 'state' && (
                  <Start work={load} label="Load" given={{ name }} />
                )}
              </td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </section>
  )
}

/** Returns undefined when the operator's role does not allow the action. */
function useWork(session: OperatorSession, action: string): ActionWork | undefined {
  const row = session.identity.value?.actions.find(({ name }) => name === action)
  return useMemo(() => row && new ActionWork(session, row), [session, row])
}

interface StartProps {
  readonly work: ActionWork
  readonly label: string
  readonly given: Readonly<Record<string, string>>
}

function Start({ work, label, given }: StartProps): JSX.Element {
  return (
    <button
      type="button"
      class="small"
      disabled={work.isBusy.value}
      onClick={() => {
        work.values.value = given
        void work.start()
      }}
    >
      {label}
    </button>
  )
}

function SaveForm({ work }: { readonly work: ActionWork }): JSX.Element {
  const name = useSignal('')
  return (
    <form
      class="search"
      aria-label="Save the state"
      onSubmit={(event) => {
        event.preventDefault()
        work.values.value = { name: name.value }
        void work.start()
      }}
    >
      <input
        aria-label="Name of the state"
        placeholder="Name"
        autocomplete="off"
        spellcheck={false}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value
        }}
      />
      <button type="submit" class="small" disabled={work.isBusy.value}>
        Save
      </button>
    </form>
  )
}

/** What the action said, and what it asks. */
function Said({ work }: { readonly work: ActionWork }): JSX.Element {
  const { value: fault } = work.fault
  const said = work.isBusy.value ? 'Under way …' : work.result.value?.said
  return (
    <>
      {fault !== '' && (
        <p class="note bad" role="alert">
          {fault}
        </p>
      )}
      {fault === '' && said !== undefined && (
        <p class="note" role="status">
          {said}
        </p>
      )}
      <Confirmation work={work} />
    </>
  )
}
