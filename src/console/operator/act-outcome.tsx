/** The result of an act: its sentence and its rows. One row alone is shown field by field, to copy from. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Scroll } from '../view/scroll.tsx'
import type { ActResult, ResultRow } from './door.ts'

interface OutcomeProps {
  readonly result: ActResult
  readonly nextPage: (after: string) => Promise<void>
}

export function ActOutcome({ result, nextPage }: OutcomeProps): JSX.Element {
  const { said, rows, more } = result
  const [first] = rows
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [result])
  return (
    <div class="outcome" ref={place}>
      <p class="note good" role="status">
        {said}
      </p>
      {first !== undefined && rows.length === 1 ? <Fields row={first} /> : <Rows rows={rows} />}
      {more !== undefined && (
        <button type="button" class="plain" onClick={() => void nextPage(more)}>
          Next page
        </button>
      )}
    </div>
  )
}

function Fields({ row }: { readonly row: ResultRow }): JSX.Element {
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

function Rows({ rows }: { readonly rows: readonly ResultRow[] }): JSX.Element | null {
  const [first] = rows
  if (first === undefined) return null
  const names = Object.keys(first)
  return (
    <Scroll label="Result" className="across">
      <table class="rows result">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {names.map((name) => {
                const text = String(row[name])
                return (
                  <td key={name} class={NUMBER.test(text) ? '' : 'words'}>
                    {text}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
