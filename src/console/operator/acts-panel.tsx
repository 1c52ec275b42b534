/** The acts that the operator's role allows: a list to search in, and the form of the chosen one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { ActForm } from './act-form.tsx'
import type { ActRow, Identity } from './act-row.ts'
import type { OperatorSession } from './operator-session.ts'

interface ActsProps {
  readonly session: OperatorSession
  readonly identity: Identity
}

export function ActsPanel({ session, identity }: ActsProps): JSX.Element {
  const chosen = useSignal<ActRow | undefined>(undefined)
  const { value: row } = chosen
  return (
    <section class="panel acts-panel" aria-label="Actions">
      <header class="panel-head">
        <h2>{row === undefined ? 'Actions' : row.name}</h2>
        {row !== undefined && (
          <button
            type="button"
            class="small"
            onClick={() => {
              chosen.value = undefined
            }}
          >
            All actions
          </button>
        )}
      </header>
      {row === undefined ? (
        <ActList
          acts={identity.acts}
          choose={(act) => {
            chosen.value = act
          }}
        />
      ) : (
        <ActForm key={row.name} session={session} row={row} />
      )}
    </section>
  )
}

interface ListProps {
  readonly acts: readonly ActRow[]
  readonly choose: (row: ActRow) => void
}

function ActList({ acts, choose }: ListProps): JSX.Element {
  const wanted = useSignal('')
  const words = wanted.value.toLowerCase().split(/\s+/)
  const found = acts.filter(({ name, about }) =>
    words.every((word) => `${name} ${about.toLowerCase()}`.includes(word)),
  )
  const groups = [...new Set(found.map(({ group }) => group))]
  return (
    <>
      <div class="search">
        <input
          type="search"
          aria-label="Search actions"
          placeholder="Search actions"
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value
          }}
        />
      </div>
      <div class="scroll">
        {found.length === 0 && <p class="empty">No action has these words.</p>}
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <ul>
              {found
                .filter((row) => row.group === group)
                .map((row) => (
                  <li key={row.name}>
                    <button type="button" class="act" onClick={() => choose(row)}>
                      <b>{row.name}</b> <span>{row.about}</span>
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
