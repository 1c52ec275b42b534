/** The actions that the operator's role allows: a list to search in, and the form of the chosen one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { ActionForm } from './action-form.tsx'
import type { ActionRow, Identity } from './action-row.ts'
import type { OperatorSession } from './operator-session.ts'

interface ActionsProps {
  readonly session: OperatorSession
  readonly identity: Identity
}

export function ActionsPanel({ session, identity }: ActionsProps): JSX.Element {
  const chosen = useSignal<ActionRow | undefined>(undefined)
  const { value: row } = chosen
  return (
    <section class="panel actions-panel" aria-label="Actions">
      <header class="panel-head">
        <h2>
          {row === undefined ? (
            'Actions'
          ) : (
            <>
              {row.title} <code>{row.name}</code>
            </>
          )}
        </h2>
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
        <ActionList
          {...identity}
          choose={(action) => {
            chosen.value = action
          }}
        />
      ) : (
        <ActionForm key={row.name} session={session} row={row} />
      )}
    </section>
  )
}

interface ListProps extends Pick<Identity, 'actions' | 'groups'> {
  readonly choose: (row: ActionRow) => void
}

function ActionList({ actions, groups: headings, choose }: ListProps): JSX.Element {
  const wanted = useSignal('')
  const words = wanted.value.toLowerCase().split(/\s+/)
  const found = actions.filter(({ name, title, about }) =>
    words.every((word) => `${name} ${title} ${about}`.toLowerCase().includes(word)),
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
          <section key={group} aria-label={headings[group]}>
            <h3>{headings[group]}</h3>
            <ul>
              {found
                .filter((row) => row.group === group)
                .map((row) => (
                  <li key={row.name}>
                    <button type="button" class="action" onClick={() => choose(row)}>
                      <b>{row.title}</b> <code>{row.name}</code> <span>{row.about}</span>
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
