/**
 * The form of an act, made from its row. Before an act that cannot be undone, the exchange names what
 * would happen, and the form asks again.
 */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ActOutcome } from './act-outcome.tsx'
import type { ActParam, ActResult, ActRow, Given } from './door.ts'
import type { OperatorSession } from './operator-session.ts'

/** Acts of this role only read: they ask nothing. */
const READING = 'watch'
/** What the command line's help says of a text that is too long for one line. */
const FILE_HINT = /; @path reads it from a file\.$/

interface FormProps {
  readonly session: OperatorSession
  readonly row: ActRow
}

interface Doing {
  readonly values: Signal<Given>
  readonly result: Signal<ActResult | undefined>
  readonly fault: Signal<string>
  readonly isBusy: Signal<boolean>
  /** What is asked before the act is carried out; '' for nothing. */
  readonly question: Signal<string>
}

export function ActForm({ session, row }: FormProps): JSX.Element {
  const doing: Doing = {
    values: useSignal<Given>({}),
    result: useSignal<ActResult | undefined>(undefined),
    fault: useSignal(''),
    isBusy: useSignal(false),
    question: useSignal(''),
  }
  const { values, result, fault, isBusy, question } = doing
  const accounts = useAccounts(session, row)
  const symbols = session.figures.value?.symbols.names ?? []
  const carryOut = (more?: string) =>
    tryTo(doing, async () => {
      const page: Given = more === undefined ? {} : { after: more }
      result.value = await session.act(row.name, { ...givenOf(values.value), ...page })
    })
  const start = () =>
    tryTo(doing, async () => {
      result.value = undefined
      const asks = row.role !== READING
      const warning = asks ? await session.warningOf(row.name, givenOf(values.value)) : undefined
      if (warning === undefined) await carryOut()
      else question.value = warning
    })
  return (
    <div class="scroll form">
      <p class="note">
        {row.about}
        {!row.isImmediate && ' It takes effect at the next start.'}
      </p>
      <form
        aria-label={row.name}
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        {row.params.map((param) => (
          <Field key={param.name} param={param} values={values} />
        ))}
        <datalist id="accounts">
          {accounts.value.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <datalist id="symbols">
          {symbols.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" class="wide" disabled={isBusy.value}>
          {isBusy.value ? 'Under way …' : row.name}
        </button>
      </form>
      {fault.value !== '' && (
        <p class="note bad" role="alert">
          {fault.value}
        </p>
      )}
      {result.value !== undefined && <ActOutcome result={result.value} nextPage={carryOut} />}
      <Confirmation question={question} name={row.name} confirm={() => void carryOut()} />
    </div>
  )
}

/** Shows a refusal, in the door's words. */
async function tryTo({ fault, isBusy }: Doing, task: () => Promise<void>): Promise<void> {
  fault.value = ''
  isBusy.value = true
  try {
    await task()
  } catch (error) {
    fault.value = (error as Error).message
  }
  isBusy.value = false
}

const givenOf = (values: Given): Given =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** Names to choose from, where the act has an account. */
function useAccounts(session: OperatorSession, { params }: ActRow): Signal<readonly string[]> {
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

interface FieldProps {
  readonly param: ActParam
  readonly values: Signal<Given>
}

function Field({ param, values }: FieldProps): JSX.Element {
  const { name, about, required = false } = param
  const change = (value: string) => {
    values.value = { ...values.value, [name]: value }
  }
  return (
    <div class="field">
      <label for={`argument-${name}`}>
        {name}
        {!required && ' (optional)'}
      </label>
      <Input param={param} value={values.value[name] ?? ''} change={change} />
      <i id={`about-${name}`}>{about.replace(FILE_HINT, '.')}</i>
    </div>
  )
}

interface InputProps {
  readonly param: ActParam
  readonly value: string
  readonly change: (value: string) => void
}

function Input({ param, value, change }: InputProps): JSX.Element {
  const { name, kind, about, required = false, choices } = param
  const shown = choices ?? (kind === 'flag' ? ['on', 'off'] : undefined)
  const own = {
    ...{ id: `argument-${name}`, 'aria-describedby': `about-${name}`, name, value, required },
    ...({ autocomplete: 'off', spellcheck: false } as const),
  }
  if (shown !== undefined) {
    return (
      <select {...own} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="" />
        {shown.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'filters' || FILE_HINT.test(about)) {
    return (
      <textarea {...own} rows={6} onInput={({ currentTarget }) => change(currentTarget.value)} />
    )
  }
  const list = LISTS[name]
  const mode = kind === 'amount' || kind === 'rate' ? 'decimal' : 'text'
  const listed = list === undefined ? {} : { list }
  return (
    <input
      {...own}
      {...listed}
      inputMode={mode}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

/** Parameter → what it may be chosen from. */
const LISTS: Readonly<Record<string, string>> = {
  account: 'accounts',
  symbol: 'symbols',
  like: 'symbols',
}

interface ConfirmationProps {
  readonly question: Signal<string>
  readonly name: string
  readonly confirm: () => void
}

function Confirmation({ question, name, confirm }: ConfirmationProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const { value: asked } = question
  useEffect(() => {
    if (asked !== '') dialog.current?.showModal()
  }, [asked])
  const close = () => {
    question.value = ''
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} aria-labelledby="question" onClose={close}>
      <h2>{name}</h2>
      <p id="question">{asked}</p>
      <div class="acts">
        <button type="button" class="plain" onClick={close}>
          Change nothing
        </button>
        <button
          type="button"
          class="plain danger"
          onClick={() => {
            close()
            confirm()
          }}
        >
          Go on
        </button>
      </div>
    </dialog>
  )
}
