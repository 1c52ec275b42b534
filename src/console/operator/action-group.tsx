/** The actions of one panel: buttons and short forms that start them, and the last one's outcome. */
import { signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { ActionWork } from './action-work.ts'
import type { Given } from './admin-server.ts'
import { Confirmation } from './confirmation.tsx'
import type { OperatorSession } from './operator-session.ts'

export class ActionGroup {
  /** The one that was started last, which the panel shows. */
  readonly latest = signal<ActionWork | undefined>(undefined)
  private readonly works: ReadonlyMap<string, ActionWork>

  /** Leaves out the actions that the operator's role does not allow. */
  constructor(session: OperatorSession, names: readonly string[]) {
    const rows = session.identity.value?.actions ?? []
    this.works = new Map(
      rows
        .filter(({ name }) => names.includes(name))
        .map((row) => [row.name, new ActionWork(session, row)]),
    )
  }

  /** Returns undefined when the operator's role does not allow the action. */
  work(name: string): ActionWork | undefined {
    return this.works.get(name)
  }

  /** Whether any of them is under way. */
  get isBusy(): boolean {
    return [...this.works.values()].some(({ isBusy }) => isBusy.value)
  }

  /** Does nothing while the action is under way: a double click starts it once. */
  start(work: ActionWork, given: Given): void {
    if (work.isBusy.value) return
    work.values.value = given
    this.latest.value = work
    void work.start()
  }
}

/** `names` are those of all actions of the panel: a constant. */
export function useActionGroup(session: OperatorSession, names: readonly string[]): ActionGroup {
  const { value: identity } = session.identity
  return useMemo(() => new ActionGroup(session, names), [session, names, identity])
}

interface StartProps {
  readonly group: ActionGroup
  readonly action: string
  readonly label: string
  /** Shown instead of the label, where buttons of one label stand in rows. */
  readonly spoken?: string
  readonly given?: Given
  readonly isOff?: boolean
}

/** A button that starts the action. */
export function Start(props: StartProps): JSX.Element | null {
  const { group, action, label, spoken = label, given = {}, isOff = false } = props
  const work = group.work(action)
  if (work === undefined) return null
  return (
    <button
      type="button"
      class="small"
      aria-label={spoken}
      disabled={isOff || work.isBusy.value}
      onClick={() => group.start(work, given)}
    >
      {label}
    </button>
  )
}

interface LineField {
  /** The action's parameter. */
  readonly name: string
  readonly label: string
  readonly placeholder: string
}

interface LineFormProps {
  readonly group: ActionGroup
  readonly action: string
  /** Names the form. */
  readonly title: string
  readonly label: string
  readonly fields: readonly LineField[]
}

/** A form of one line. */
export function LineForm(props: LineFormProps): JSX.Element | null {
  const { group, action, title, label, fields } = props
  const values = useSignal<Given>({})
  const work = group.work(action)
  if (work === undefined) return null
  return (
    <form
      class="search line"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        group.start(work, values.value)
      }}
    >
      {fields.map(({ name, label, placeholder }) => (
        <input
          key={name}
          aria-label={label}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          value={values.value[name] ?? ''}
          onInput={({ currentTarget }) => {
            values.value = { ...values.value, [name]: currentTarget.value }
          }}
        />
      ))}
      <button type="submit" class="small" disabled={work.isBusy.value}>
        {label}
      </button>
    </form>
  )
}

/** The outcome of the group's last action, and its confirmation. */
export function Said({ group }: { readonly group: ActionGroup }): JSX.Element | null {
  const { value: work } = group.latest
  if (work === undefined) return null
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
      <Confirmation key={work.name} work={work} />
    </>
  )
}
