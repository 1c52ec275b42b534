/** One parameter of an action as a field. */
import type { JSX } from 'preact'
import type { ActionParam } from '../../control/listed-action.ts'
import type { ActionWork } from './action-work.ts'

/** The command line's help on a text that is too long for one line. */
const FILE_HINT = /; @path reads it from a file\.$/

interface FieldProps {
  readonly param: ActionParam
  readonly work: ActionWork
  /** Id of the input in the page. */
  readonly id: string
}

export function ActionField({ param, work, id }: FieldProps): JSX.Element {
  const { name, about, required = false } = param
  const change = (value: string) => work.change(name, value)
  return (
    <div class="field">
      <label for={id}>
        {name}
        {!required && ' (optional)'}
      </label>
      <Input id={id} param={param} value={work.values.value[name] ?? ''} change={change} />
      <i id={`about-${id}`}>{about.replace(FILE_HINT, '.')}</i>
    </div>
  )
}

interface InputProps {
  readonly id: string
  readonly param: ActionParam
  readonly value: string
  readonly change: (value: string) => void
}

function Input({ id, param, value, change }: InputProps): JSX.Element {
  const { name, kind, about, required = false, choices } = param
  const shown = choices ?? (kind === 'flag' ? ['on', 'off'] : undefined)
  const own = {
    id,
    'aria-describedby': `about-${id}`,
    name,
    value,
    required,
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
      <textarea
        {...own}
        rows={kind === 'filters' ? 16 : 6}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
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
  schedule: 'schedules',
}
