/**
 * The form of an action, made from its row. Before an action that cannot be undone, the exchange names what
 * would happen, and the form asks again. Present values are filled in where the action changes them.
 */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { ActionField } from './action-field.tsx'
import { ActionOutcome, Rows } from './action-outcome.tsx'
import type { ActionRow } from './action-row.ts'
import { ActionWork, YES } from './action-work.ts'
import { Confirmation } from './confirmation.tsx'
import type { OperatorSession } from './operator-session.ts'

interface FormProps {
  readonly session: OperatorSession
  readonly row: ActionRow
}

export function ActionForm({ session, row }: FormProps): JSX.Element {
  const work = useMemo(() => new ActionWork(session, row), [session, row])
  const { value: accounts } = useAccounts(session, row)
  const symbols = session.figures.value?.symbols.names ?? []
  const schedules = session.figures.value?.schedules.map(({ name }) => name) ?? []
  usePresent(work, row, { account: accounts, symbol: symbols, schedule: schedules })
  return (
    <div class="scroll form">
      <p class="note">
        {row.about}
        {!row.isImmediate && ' It takes effect at the next start.'}
      </p>
      <form
        aria-label={row.title}
        data-action={row.name}
        onSubmit={(event) => {
          event.preventDefault()
          void work.start()
        }}
      >
        {row.params
          .filter(({ name }) => name !== YES)
          .map((param) => (
            <ActionField key={param.name} id={`argument-${param.name}`} param={param} work={work} />
          ))}
        <Choices id="accounts" names={accounts} />
        <Choices id="symbols" names={symbols} />
        <Choices id="schedules" names={schedules} />
        {row.hasPreview && (
          <button
            type="button"
            class="plain"
            disabled={work.isBusy.value}
            onClick={() => void work.preview()}
          >
            Preview
          </button>
        )}
        <button type="submit" class="wide" disabled={work.isBusy.value}>
          {work.isBusy.value ? 'Under way …' : row.title}
        </button>
      </form>
      <Foreseen work={work} />
      <ProgressLine work={work} />
      {work.fault.value !== '' && (
        <p class="note bad" role="alert">
          {work.fault.value}
        </p>
      )}
      {work.result.value !== undefined && <ActionOutcome result={work.result.value} work={work} />}
      <Confirmation work={work} />
    </div>
  )
}

const Choices = ({ id, names }: { readonly id: string; readonly names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
)

function Foreseen({ work }: { readonly work: ActionWork }): JSX.Element | null {
  const { value: foreseen } = work.foreseen
  if (foreseen === undefined) return null
  return (
    <section class="foreseen" aria-label="Preview">
      <p class="note">{foreseen.said}</p>
      <Rows rows={foreseen.rows} rowAction={undefined} work={work} />
    </section>
  )
}

function ProgressLine({ work }: { readonly work: ActionWork }): JSX.Element | null {
  const { value: progress } = work.progress
  if (progress === undefined) return null
  return (
    <div class="progress">
      <progress max={100} value={progress.percent} aria-label="Progress" />
      <p class="note" role="status">
        {progress.text}
      </p>
    </div>
  )
}

/** Fills in present values once what they are of is named, and known. */
function usePresent(
  work: ActionWork,
  { presentBy }: ActionRow,
  known: Readonly<Record<string, readonly string[]>>,
): void {
  const named = (presentBy ?? []).map((name) => [name, work.values.value[name] ?? ''] as const)
  const isNamed = named.every(([name, value]) => known[name]?.includes(value) === true)
  const key = presentBy !== undefined && isNamed ? JSON.stringify(named) : ''
  useEffect(() => {
    if (key !== '') void work.fillPresent(Object.fromEntries(named))
  }, [work, key])
}

/** Names to choose from, where the action has an account. */
function useAccounts(session: OperatorSession, { params }: ActionRow): Signal<readonly string[]> {
  const names = useSignal<readonly string[]>([])
  useEffect(() => {
    if (!params.some(({ name }) => name === 'account')) return
    void session.act('accounts', {}).then(
      ({ rows }) => {
        names.value = rows.map(({ account }) => String(account))
      },
      () => {},
    )
  }, [session, params, names])
  return names
}
