/** Orders, trades, refusals and the book by symbol, the busiest first, and one symbol over time. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Figures } from '../../admin-api/readings.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import type { Sample } from './figure-history.ts'
import { type Line, SeriesChart } from './series-chart.tsx'
import { countText } from './texts.ts'

/** Symbols that the table shows. */
const SHOWN = 50
const NAMES = [
  ...['Orders/s', 'Trades/s', 'Refused/s', 'Refused'],
  ...['Resting', 'Waiting', 'Levels'],
] as const

interface SymbolProps {
  readonly figures: Figures
  readonly samples: readonly Sample[]
  readonly note: string
}

export function SymbolTable({ figures, samples, note }: SymbolProps): JSX.Element {
  const chosen = useSignal(0)
  const { names, statuses, groups, counters, refusals } = figures.symbols
  const isGrouped = groups.length > 0
  const columns = ['Symbol', 'Status', ...(isGrouped ? ['Group'] : []), ...NAMES]
  const newest = samples.at(-1)
  const column = (name: string, id: number) => countText(counters[name]?.[id] ?? 0)
  const ids = names.map((_, id) => id)
  const busy = (id: number) => (counters.orders?.[id] ?? 0) + (refusals[id] ?? 0)
  const byActivity = (a: number, b: number) => busy(b) - busy(a)
  const { value: shown } = chosen
  const lines: readonly Line[] = [
    { name: 'orders', of: ({ ordersOf }) => ordersOf[shown] },
    { name: 'trades', of: ({ tradesOf }) => tradesOf[shown] },
    { name: 'refused', of: ({ refusalsOf }) => refusalsOf[shown] },
  ]
  return (
    <section class="panel wide-panel" aria-label="By symbol">
      <header class="panel-head">
        <h2>By symbol</h2>
        <span class="note">{note}</span>
        <label class="step">
          <span class="hidden">Symbol of the plot</span>
          <select
            value={String(shown)}
            onChange={({ currentTarget }) => {
              chosen.value = Number(currentTarget.value)
            }}
          >
            {names.map((name, id) => (
              <option key={name} value={String(id)}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <div class="halves">
        <Scroll label="Symbols">
          <table class="rows words-2">
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ids
                .sort(byActivity)
                .slice(0, SHOWN)
                .map((id) => (
                  <tr key={names[id]}>
                    <td>{names[id]}</td>
                    <td>{statuses[id]}</td>
                    {isGrouped && <td class="words">{groups[id]}</td>}
                    <td>{countText(newest?.ordersOf[id] ?? 0)}</td>
                    <td>{countText(newest?.tradesOf[id] ?? 0)}</td>
                    <td>{countText(newest?.refusalsOf[id] ?? 0)}</td>
                    <td>{countText(refusals[id] ?? 0)}</td>
                    <td>{column('restingOrders', id)}</td>
                    <td>{column('waitingOrders', id)}</td>
                    <td>{column('levels', id)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </Scroll>
        <div class="half">
          <SeriesChart
            samples={samples}
            marks={[]}
            title={`${names[shown]} a second`}
            lines={lines}
            text={(value) => `${countText(value)}/s`}
          />
        </div>
      </div>
    </section>
  )
}
