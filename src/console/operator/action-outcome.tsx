/** The result of an action: its sentence and its rows. One row alone is shown field by field, to copy from. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ActionAnswer, RowAction, TableRow } from '../../control/listed-action.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { type ActionWork, argumentsOf } from './action-work.ts'

interface OutcomeProps {
  readonly result: ActionAnswer
  readonly work: ActionWork
}

export function ActionOutcome({ result, work }: OutcomeProps): JSX.Element {
  const { said, rows, more } = result
  const [first] = rows
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [result])
  return (
    <div class="outcome" ref={place}>
      <p class="note good" role="status">
        {said}
      </p>
      {first !== undefined && rows.length === 1 ? (
        <Fields row={first} work={work} />
      ) : (
        <Rows rows={rows} work={work} rowAction={work.rowAction} />
      )}
      {more !== undefined && (
        <button type="button" class="plain" onClick={() => void work.nextPage(more)}>
          Next page
        </button>
      )}
    </div>
  )
}

interface RowButtonProps {
  readonly row: TableRow
  readonly work: ActionWork
}

/** The action beside a row. */
function RowButton({ row, work }: RowButtonProps): JSX.Element | null {
  const { rowAction } = work
  if (rowAction === undefined) return null
  const { label, takes } = rowAction
  return (
    <button
      type="button"
      class="small"
      aria-label={[label, ...Object.values(argumentsOf(takes, row))].join(' ')}
      disabled={work.isBusy.value}
      onClick={() => void work.actOn(row)}
    >
      {label}
    </button>
  )
}

function Fields({ row, work }: RowButtonProps): JSX.Element {
  return (
    <>
      <FieldList row={row} />
      <RowButton row={row} work={work} />
    </>
  )
}

function FieldList({ row }: { readonly row: TableRow }): JSX.Element {
  return (
    <dl class="fields">
      {Object.entries(row).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code data-field={name}>{String(value)}</code>
            <button
              type="button"
              class="small"
              aria-label={`Copy ${name}`}
              onClick={() => void navigator.clipboard?.writeText(String(value))}
            >
              Copy
            </button>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

interface RowsProps {
  readonly rows: readonly TableRow[]
  readonly work: ActionWork
  /** Beside each row. */
  readonly rowAction: RowAction | undefined
}

export function Rows({ rows, work, rowAction }: RowsProps): JSX.Element | null {
  const [first] = rows
  if (first === undefined) return null
  const names = Object.keys(first)
  const areFigures = (name: string) => rows.every((row) => NUMBER.test(String(row[name])))
  const kinds = names.map((name) => (areFigures(name) ? '' : 'words'))
  return (
    <Scroll label="Result" className="across">
      <table class="rows result">
        <thead>
          <tr>
            {rowAction !== undefined && (
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            )}
            {names.map((name, at) => (
              <th key={name} scope="col" class={kinds[at]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {rowAction !== undefined && (
                <td>
                  <RowButton row={row} work={work} />
                </td>
              )}
              {names.map((name, at) => (
                <td key={name} class={kinds[at]}>
                  {String(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
